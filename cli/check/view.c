/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the results of a check as tables and as JSON. */
#include "check.h"

#include "cli/common/format.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "cli/process/memory.h"

#include <math.h>
#include <stdio.h>

enum {
    NODE,
    GROUP,
    ANSWERS,
    HOST,
    MPI,
    CORES,
    LOAD,
    FLOPS,
    MEMORY,
    INTERFACE,
    MTU,
    EAGER_LIMIT,
    BUFFER,
    NODE_COLUMNS
};
static const struct mt_column node_columns[NODE_COLUMNS] = {
    [NODE] = {"node", "node", MT_COLUMN_TEXT},
    [GROUP] = {"group", "group", MT_COLUMN_TEXT},
    [ANSWERS] = {"answers", "answers", MT_COLUMN_FLAG},
    [HOST] = {"host", NULL, MT_COLUMN_TEXT},
    [MPI] = {"mpi", NULL, MT_COLUMN_TEXT},
    [CORES] = {"cores", "cores", MT_COLUMN_COUNT},
    [LOAD] = {"load", "load", MT_COLUMN_NUMBER},
    [FLOPS] = {"flops", "computes", MT_COLUMN_FLOPS},
    [MEMORY] = {"bandwidth", "memory", MT_COLUMN_BANDWIDTH},
    [INTERFACE] = {"interface", "network", MT_COLUMN_TEXT},
    [MTU] = {"mtu", "MTU", MT_COLUMN_COUNT},
    [EAGER_LIMIT] = {"eager_limit", "eager", MT_COLUMN_BYTES},
    [BUFFER] = {"tcp_buffer", NULL, MT_COLUMN_BYTES},
};

static struct mt_view view_nodes(const struct mt_check *check)
{
    struct mt_view view = {.columns = node_columns, .ncolumns = NODE_COLUMNS};
    bool interfaces = false, limits = false;
    for (int i = 0; i < check->nnodes; i++) {
        const struct mt_checked_node *node = &check->nodes[i];
        mt_view_row(&view);
        mt_view_text(&view, NODE, node->name);
        mt_view_text(&view, GROUP, check->cluster->groups[node->group].name);
        mt_view_flag(&view, ANSWERS, node->answers);
        mt_view_text(&view, HOST, node->host);
        mt_view_text(&view, MPI, node->mpi);
        mt_view_number(&view, CORES, node->cores);
        mt_view_number(&view, LOAD, node->load);
        if (!isnan(node->load))
            mt_view_show(&view, LOAD, "%.2f", node->load);
        mt_view_number(&view, FLOPS, node->flops);
        mt_view_number(&view, MEMORY, node->bandwidth);
        mt_view_text(&view, INTERFACE, node->interface);
        mt_view_number(&view, MTU, node->mtu);
        mt_view_number(&view, EAGER_LIMIT, node->eager);
        mt_view_number(&view, BUFFER, node->buffer);
        interfaces |= node->interface != NULL;
        limits |= !isnan(node->eager);
    }
    if (!interfaces) {
        mt_view_hide(&view, INTERFACE);
        mt_view_hide(&view, MTU);
    }
    if (!limits)
        mt_view_hide(&view, EAGER_LIMIT);
    return view;
}

/* The table has the bandwidths of these sizes, as far as measured; JSON has all
   times. */
enum { FROM, TO, LATENCY, KILOBYTE, EAGER, MEGABYTE, STEP, MESSAGES, LINK_COLUMNS };
static const struct mt_column link_columns[LINK_COLUMNS] = {
    [FROM] = {"from", "messages of", MT_COLUMN_TEXT},
    [TO] = {"to", "to", MT_COLUMN_TEXT},
    [LATENCY] = {NULL, "latency", MT_COLUMN_SECONDS},
    [KILOBYTE] = {NULL, "1 KiB", MT_COLUMN_BANDWIDTH},
    [EAGER] = {NULL, "32 KiB", MT_COLUMN_BANDWIDTH},
    [MEGABYTE] = {NULL, "1 MiB", MT_COLUMN_BANDWIDTH},
    [STEP] = {"eager_up_to", "eager up to", MT_COLUMN_BYTES},
    [MESSAGES] = {"messages", NULL, MT_COLUMN_TEXT},
};

enum { BYTES, SECONDS, CURVE_COLUMNS };
static const struct mt_column curve_columns[CURVE_COLUMNS] = {
    [BYTES] = {"bytes", NULL, MT_COLUMN_BYTES},
    [SECONDS] = {"seconds", NULL, MT_COLUMN_SECONDS},
};

static json_t *curve_json(const struct mt_curve *curve)
{
    struct mt_view view = {.columns = curve_columns, .ncolumns = CURVE_COLUMNS};
    for (int i = 0; i < curve->count; i++) {
        mt_view_row(&view);
        mt_view_number(&view, BYTES, curve->bytes[i]);
        mt_view_number(&view, SECONDS, curve->seconds[i]);
    }
    return mt_view_to_json(&view);
}

/* A node sends `messages` of them at once. */
static void view_curve(struct mt_view *view, const char *from, const char *to,
                       const struct mt_curve *curve, int messages)
{
    static const double bytes[] = {
        [KILOBYTE] = 1024, [EAGER] = 32768, [MEGABYTE] = 1048576};
    mt_view_row(view);
    mt_view_text(view, FROM, from);
    mt_view_text(view, TO, to);
    mt_view_number(view, LATENCY, mt_curve_latency(curve));
    for (int column = KILOBYTE; column <= MEGABYTE; column++) {
        const int point = mt_curve_find(curve, bytes[column]);
        mt_view_number(view, column,
                       point < 0 ? NAN : messages * mt_curve_bandwidth(curve, point));
    }
    mt_view_json(view, MESSAGES, curve_json(curve));
}

/* The eager limit from the times of all sizes that were tried. */
static double eager_limit(const struct mt_checked_link *link)
{
    struct mt_curve all = link->curve;
    for (int i = 0; i < link->between.count; i++)
        mt_curve_add(&all, link->between.bytes[i], link->between.seconds[i],
                     link->between.medians[i]);
    return mt_curve_eager(&all);
}

static struct mt_view view_links(const struct mt_check *check)
{
    struct mt_view view = {.columns = link_columns, .ncolumns = LINK_COLUMNS};
    for (int i = 0; i < check->nlinks; i++) {
        const struct mt_checked_link *link = &check->links[i];
        view_curve(&view, check->nodes[link->from].name, check->nodes[link->to].name,
                   &link->curve, 1);
        mt_view_number(&view, STEP, eager_limit(link));
    }
    return view;
}

/* All nodes have the first node's MPI, or there is a finding about it. */
void mt_check_print(const struct mt_check *check)
{
    const struct mt_findings *findings = &check->findings;
    const int first = mt_check_node_of_rank(check, 0);
    struct mt_view nodes = view_nodes(check), links = view_links(check);
    printf("%s%s, %s\n", check->cluster->name,
           mt_cluster_simulated(check->cluster) ? " (simulated)" : "",
           check->nodes[first].mpi);
    mt_view_print(&nodes, stdout);
    if (check->nlinks > 0) {
        view_curve(&links, "each node", "all others", &check->alltoall,
                   check->nanswer - 1);
        putchar('\n');
        mt_view_print(&links, stdout);
    }
    puts(findings->count == 0 ? "\nNothing is wrong." : "");
    for (int i = 0; i < findings->count; i++)
        printf("%d. %s\n   %s\n", i + 1, findings->list[i].text,
               findings->list[i].advice);
}

static json_t *names_json(const struct mt_check *check,
                          const struct mt_finding *finding)
{
    json_t *names = json_array();
    for (int i = 0; i < finding->nnodes; i++)
        json_array_append_new(names,
                              mt_json_text(check->nodes[finding->nodes[i]].name));
    return names;
}

static json_t *findings_json(const struct mt_check *check)
{
    json_t *list = json_array();
    for (int i = 0; i < check->findings.count; i++) {
        const struct mt_finding *finding = &check->findings.list[i];
        json_t *object =
            json_pack("{s:s, s:o, s:o, s:s}", "kind", finding->name, "nodes",
                      names_json(check, finding), "text", mt_json_text(finding->text),
                      "advice", finding->advice);
        if (finding->largest > 0)
            mt_need_ok(json_object_set_new(
                object, "bytes",
                json_pack("[o, o]", mt_json_number(finding->smallest),
                          mt_json_number(finding->largest))));
        mt_need_ok(json_array_append_new(list, object));
    }
    return list;
}

void mt_check_print_json(const struct mt_check *check)
{
    struct mt_view nodes = view_nodes(check), links = view_links(check);
    mt_document_print(
        "motley/check", 1,
        json_pack("{s:s, s:b, s:o, s:o, s:o, s:o}", "cluster", check->cluster->name,
                  "simulated", (int)mt_cluster_simulated(check->cluster), "nodes",
                  mt_view_to_json(&nodes), "links", mt_view_to_json(&links), "alltoall",
                  curve_json(&check->alltoall), "findings", findings_json(check)),
        stdout);
}
