/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#include "cli/common/format.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "cli/plot/plot.h"
#include "cli/process/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NODE, GROUP, ANSWERS, HOST, MPI, CORES, LOAD, FLOPS, MEMORY, NODE_COLUMNS };
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
};

static void view_nodes(struct mt_view *view, const struct mt_check *check)
{
    *view = (struct mt_view){.columns = node_columns, .ncolumns = NODE_COLUMNS};
    for (int i = 0; i < check->nnodes; i++) {
        const struct mt_checked_node *node = &check->nodes[i];
        mt_view_row(view);
        mt_view_text(view, NODE, node->name);
        mt_view_text(view, GROUP, check->cluster->groups[node->group].name);
        mt_view_flag(view, ANSWERS, node->answers);
        mt_view_text(view, HOST, node->host);
        mt_view_text(view, MPI, node->mpi);
        mt_view_number(view, CORES, node->cores);
        mt_view_number(view, LOAD, node->load);
        if (!isnan(node->load))
            mt_view_show(view, LOAD, "%.2f", node->load);
        mt_view_number(view, FLOPS, node->flops);
        mt_view_number(view, MEMORY, node->bandwidth);
    }
}

/* The table has the bandwidths of these sizes, as far as they were measured; JSON has
   all times. */
enum { FROM, TO, LATENCY, KILOBYTE, EAGER, MEGABYTE, MESSAGES, LINK_COLUMNS };
static const struct mt_column link_columns[LINK_COLUMNS] = {
    [FROM] = {"from", "messages of", MT_COLUMN_TEXT},
    [TO] = {"to", "to", MT_COLUMN_TEXT},
    [LATENCY] = {NULL, "latency", MT_COLUMN_SECONDS},
    [KILOBYTE] = {NULL, "1 KiB", MT_COLUMN_BANDWIDTH},
    [EAGER] = {NULL, "32 KiB", MT_COLUMN_BANDWIDTH},
    [MEGABYTE] = {NULL, "1 MiB", MT_COLUMN_BANDWIDTH},
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

static void view_links(struct mt_view *view, const struct mt_check *check)
{
    *view = (struct mt_view){.columns = link_columns, .ncolumns = LINK_COLUMNS};
    for (int i = 0; i < check->nlinks; i++)
        view_curve(view, check->nodes[check->links[i].from].name,
                   check->nodes[check->links[i].to].name, &check->links[i].curve, 1);
}

/* The first node's is the MPI of all, or there is a finding about it. */
static void print_head(const struct mt_check *check)
{
    const int first = mt_check_node_of_rank(check, 0);
    printf("%s%s, %s\n", check->cluster->name,
           mt_cluster_simulated(check->cluster) ? " (simulated)" : "",
           check->nodes[first].mpi);
}

static void print_nodes(const struct mt_check *check)
{
    struct mt_view view;
    view_nodes(&view, check);
    mt_view_print(&view, stdout);
}

static void print_links(const struct mt_check *check)
{
    struct mt_view view;
    if (check->nlinks == 0)
        return;
    view_links(&view, check);
    view_curve(&view, "each node", "all others", &check->alltoall, check->nanswer - 1);
    putchar('\n');
    mt_view_print(&view, stdout);
}

static void print_findings(const struct mt_findings *findings)
{
    putchar('\n');
    if (findings->count == 0)
        puts("Nothing is wrong.");
    for (int i = 0; i < findings->count; i++) {
        const struct mt_finding *finding = &findings->list[i];
        printf("%d. %s\n   %s\n", i + 1, finding->text,
               mt_finding_advice(finding->kind));
    }
}

void mt_check_print(const struct mt_check *check)
{
    print_head(check);
    print_nodes(check);
    print_links(check);
    print_findings(&check->findings);
}

static json_t *nodes_json(const struct mt_check *check)
{
    struct mt_view view;
    view_nodes(&view, check);
    return mt_view_to_json(&view);
}

static json_t *links_json(const struct mt_check *check)
{
    struct mt_view view;
    view_links(&view, check);
    return mt_view_to_json(&view);
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

enum { KIND, NODES, TEXT, ADVICE, SPAN, FINDING_COLUMNS };
static const struct mt_column finding_columns[FINDING_COLUMNS] = {
    [KIND] = {"kind", NULL, MT_COLUMN_TEXT},
    [NODES] = {"nodes", NULL, MT_COLUMN_TEXT},
    [TEXT] = {"text", NULL, MT_COLUMN_TEXT},
    [ADVICE] = {"advice", NULL, MT_COLUMN_TEXT},
    [SPAN] = {"bytes", NULL, MT_COLUMN_BYTES},
};

static json_t *findings_json(const struct mt_check *check)
{
    struct mt_view view = {.columns = finding_columns, .ncolumns = FINDING_COLUMNS};
    for (int i = 0; i < check->findings.count; i++) {
        const struct mt_finding *finding = &check->findings.list[i];
        mt_view_row(&view);
        mt_view_text(&view, KIND, mt_finding_name(finding->kind));
        mt_view_json(&view, NODES, names_json(check, finding));
        mt_view_text(&view, TEXT, finding->text);
        mt_view_text(&view, ADVICE, mt_finding_advice(finding->kind));
        if (finding->largest > 0)
            mt_view_json(&view, SPAN,
                         json_pack("[o, o]", mt_json_number(finding->smallest),
                                   mt_json_number(finding->largest)));
    }
    return mt_view_to_json(&view);
}

void mt_check_print_json(const struct mt_check *check)
{
    mt_document_print(
        "motley/check", 1,
        json_pack("{s:s, s:b, s:o, s:o, s:o, s:o}", "cluster", check->cluster->name,
                  "simulated", (int)mt_cluster_simulated(check->cluster), "nodes",
                  nodes_json(check), "links", links_json(check), "alltoall",
                  curve_json(&check->alltoall), "findings", findings_json(check)),
        stdout);
}

/* Add a line for the slowest link between two groups, or inside one, at each size; of
   the links, if there are any. */
static void draw_groups(struct mt_panel *panel, const struct mt_check *check, int g,
                        int h, int *color)
{
    const struct mt_group *groups = check->cluster->groups;
    const struct mt_curve *sizes = NULL;
    double bandwidths[MT_CURVE_POINTS];
    char label[128];
    for (int i = 0; i < check->nlinks; i++) {
        const struct mt_curve *curve = &check->links[i].curve;
        if (!mt_check_joins(check, &check->links[i], g, h))
            continue;
        for (int p = 0; p < curve->count; p++) {
            const double bandwidth = mt_curve_bandwidth(curve, p);
            bandwidths[p] = sizes ? fmin(bandwidths[p], bandwidth) : bandwidth;
        }
        sizes = sizes ? sizes : curve;
    }
    if (!sizes)
        return;
    if (g == h)
        snprintf(label, sizeof label, "in %s", groups[g].name);
    else
        snprintf(label, sizeof label, "%s - %s", groups[g].name, groups[h].name);
    mt_panel_series(panel, label, MT_SERIES_LINE, (*color)++);
    for (int p = 0; p < sizes->count; p++)
        mt_panel_point(panel, sizes->bytes[p], 1e-6 * bandwidths[p]);
}

static void draw_alltoall(struct mt_panel *panel, const struct mt_check *check)
{
    const struct mt_curve *curve = &check->alltoall;
    mt_panel_series(panel, "each node to all others", MT_SERIES_LINE, MT_SERIES_BLACK);
    for (int p = 0; p < curve->count; p++)
        mt_panel_point(panel, curve->bytes[p],
                       1e-6 * (check->nanswer - 1) * mt_curve_bandwidth(curve, p));
}

int mt_check_plot(const struct mt_check *check, const char *target,
                  struct mt_error *err)
{
    const struct mt_cluster *cluster = check->cluster;
    struct mt_plot plot = {.x_label = "bytes of a message",
                           .log_x = true,
                           .round_ticks = true,
                           .count = 1};
    struct mt_panel *panel = &plot.panels[0];
    int color = 0;
    if (check->nlinks == 0)
        return mt_fail(err, MT_ENOTFOUND,
                       "there is nothing to draw: one node alone sends no messages");
    plot.title = mt_asprintf("Bandwidth between the nodes of %s", cluster->name);
    plot.subtitle = mt_strdup(mt_cluster_simulated(cluster) ? "simulated" : NULL);
    panel->y_label = mt_strdup("MB/s");
    panel->log_y = true;
    for (int g = 0; g < cluster->ngroups; g++)
        for (int h = g; h < cluster->ngroups; h++)
            draw_groups(panel, check, g, h, &color);
    draw_alltoall(panel, check);
    const int status = mt_plot_draw(&plot, target, err);
    mt_plot_clear(&plot);
    return status;
}
