/* SPDX-License-Identifier: BSD-3-Clause */
#include "summary.h"

#include "cli/common/format.h"
#include "lib/input/internal.h"

#include <math.h>

static void widen(struct mt_extent *range, double value, bool first)
{
    range->least = first ? value : fmin(range->least, value);
    range->most = first ? value : fmax(range->most, value);
}

void mt_summary_add(struct mt_summary *summary,
                    const struct mt_configuration *configuration, double size,
                    double seconds)
{
    const int group = mt_configuration_only_group(configuration);
    struct mt_group_summary *sum = &summary->groups[group < 0 ? MT_MAX_GROUPS : group];
    const bool first = sum->runs++ == 0;
    bool first_use = first;
    widen(&sum->nodes, mt_configuration_nodes(configuration), first);
    for (int g = 0; g < summary->cluster->ngroups; g++)
        if (configuration->use[g].nodes > 0) {
            widen(&sum->processes, configuration->use[g].layout.processes, first_use);
            first_use = false;
        }
    widen(&sum->size, size, first);
    sum->seconds += seconds;
}

static void set_range(struct mt_view *view, int column, struct mt_extent range)
{
    char least[MT_QUANTITY_TEXT], most[MT_QUANTITY_TEXT];
    mt_view_number(view, column, range.most);
    if (range.least < range.most)
        mt_view_show(view, column, "%s - %s", mt_format_count(least, range.least),
                     mt_format_count(most, range.most));
}

enum { GROUP, NODES, PROCESSES, SIZE, RUNS, EXPECTED, COLUMNS };
static const struct mt_column columns[COLUMNS] = {
    [GROUP] = {"group", "group", MT_COLUMN_TEXT},
    [NODES] = {"most_nodes", "nodes", MT_COLUMN_COUNT},
    [PROCESSES] = {"most_processes", "processes a node", MT_COLUMN_COUNT},
    [SIZE] = {"largest_size", "N", MT_COLUMN_COUNT},
    [RUNS] = {"runs", "runs", MT_COLUMN_COUNT},
    [EXPECTED] = {"expected_seconds", "expected", MT_COLUMN_SECONDS},
};

void mt_summary_fill(struct mt_view *view, const struct mt_summary *summary)
{
    *view = (struct mt_view){.columns = columns, .ncolumns = COLUMNS};
    for (int g = 0; g <= MT_MAX_GROUPS; g++) {
        const struct mt_group_summary *sum = &summary->groups[g];
        if (sum->runs == 0)
            continue;
        mt_view_row(view);
        mt_view_text(view, GROUP,
                     g == MT_MAX_GROUPS ? "several" : summary->cluster->groups[g].name);
        set_range(view, NODES, sum->nodes);
        set_range(view, PROCESSES, sum->processes);
        set_range(view, SIZE, sum->size);
        mt_view_number(view, RUNS, sum->runs);
        mt_view_number(view, EXPECTED, sum->seconds);
    }
}
