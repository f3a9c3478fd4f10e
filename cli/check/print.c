/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#include "cli/common/check_text.h"
#include "cli/common/table.h"

#include <math.h>
#include <stdio.h>

/* The columns of bandwidths: these sizes, as far as they were measured. */
static const double shown_bytes[] = {1024, 32768, 1048576};
enum { SHOWN = sizeof shown_bytes / sizeof *shown_bytes };

static const char *format_number(char buffer[MT_QUANTITY_TEXT], const char *format,
                                 double number)
{
    snprintf(buffer, MT_QUANTITY_TEXT, isnan(number) ? "-" : format, number);
    return buffer;
}

static const char *format_clock(char buffer[MT_QUANTITY_TEXT], double seconds)
{
    char text[MT_QUANTITY_TEXT];
    snprintf(buffer, MT_QUANTITY_TEXT, isnan(seconds) ? "-" : "%s%s",
             seconds < 0 ? "-" : "", mt_format_seconds(text, fabs(seconds)));
    return buffer;
}

/* The first node's is the MPI of all, or there is a finding about it. */
static void print_head(const struct mt_check *check)
{
    const int first = mt_check_node_of_rank(check, 0);
    printf("%s%s, %s\n", check->cluster->name,
           mt_cluster_simulated(check->cluster) ? " (simulated)" : "",
           check->nodes[first].mpi);
}

static int print_nodes(const struct mt_check *check, struct mt_error *err)
{
    struct mt_table table = {0};
    char cores[MT_QUANTITY_TEXT], load[MT_QUANTITY_TEXT], clock[MT_QUANTITY_TEXT],
        flops[MT_QUANTITY_TEXT], bandwidth[MT_QUANTITY_TEXT];
    mt_table_add(&table, "node", "group", "answers", ">cores", ">load", ">clock",
                 ">computes", ">memory", NULL);
    for (int i = 0; i < check->nnodes; i++) {
        const struct mt_checked_node *node = &check->nodes[i];
        mt_table_add(
            &table, node->name, check->cluster->groups[node->group].name,
            node->answers ? "yes" : "no", format_number(cores, "%g", node->cores),
            format_number(load, "%.2f", node->load), format_clock(clock, node->clock),
            mt_format_rate(flops, node->flops, "f"),
            mt_format_rate(bandwidth, node->bandwidth, "B/s"), NULL);
    }
    return mt_table_print(&table, stdout, err);
}

/* `messages`: how many of the size a node sends in the time. */
static void add_curve(struct mt_table *table, const char *from, const char *to,
                      const struct mt_curve *curve, int messages)
{
    char latency[32], texts[SHOWN][MT_QUANTITY_TEXT];
    if (curve->count == 0)
        return;
    for (int i = 0; i < SHOWN; i++) {
        const int point = mt_curve_find(curve, shown_bytes[i]);
        mt_format_rate(texts[i],
                       point < 0 ? NAN : messages * mt_curve_bandwidth(curve, point),
                       "B/s");
    }
    mt_table_add(table, from, to, mt_format_seconds(latency, mt_curve_latency(curve)),
                 texts[0], texts[1], texts[2], NULL);
}

static int print_links(const struct mt_check *check, struct mt_error *err)
{
    struct mt_table table = {0};
    char headers[SHOWN][MT_QUANTITY_TEXT + 1];
    for (int i = 0; i < SHOWN; i++) {
        headers[i][0] = '>';
        mt_format_bytes(headers[i] + 1, shown_bytes[i]);
    }
    mt_table_add(&table, "messages of", "to", ">latency", headers[0], headers[1],
                 headers[2], NULL);
    for (int i = 0; i < check->nlinks; i++)
        add_curve(&table, check->nodes[check->links[i].from].name,
                  check->nodes[check->links[i].to].name, &check->links[i].curve, 1);
    add_curve(&table, "each node", "all others", &check->alltoall, check->nanswer - 1);
    return mt_table_print(&table, stdout, err);
}

static void print_findings(const struct mt_findings *findings)
{
    if (findings->count == 0)
        puts("Nothing is wrong.");
    for (int i = 0; i < findings->count; i++) {
        const struct mt_finding *finding = &findings->list[i];
        printf("%d. %s\n   %s\n", i + 1, finding->text,
               mt_finding_advice(finding->kind));
    }
}

int mt_check_print(const struct mt_check *check, struct mt_error *err)
{
    print_head(check);
    int status = print_nodes(check, err);
    if (status == MT_OK && check->nlinks > 0) {
        putchar('\n');
        status = print_links(check, err);
    }
    if (status == MT_OK) {
        putchar('\n');
        print_findings(&check->findings);
    }
    return status;
}
