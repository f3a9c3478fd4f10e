/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * summary.h - the runs that would be made, summed up by group.
 */
#ifndef MT_CLI_SUMMARY_H
#define MT_CLI_SUMMARY_H

#include "cli/common/view.h"
#include "motley/cluster.h"

/* From the least to the most. */
struct mt_extent {
    double least, most;
};

/* Zeroed but for the cluster it has no runs. */
struct mt_summary {
    const struct mt_cluster *cluster; /* borrowed */
    struct mt_group_summary {
        int runs;
        struct mt_extent nodes, processes, size;
        double seconds;          /* expected; NaN: unknown */
    } groups[MT_MAX_GROUPS + 1]; /* the last one of configurations of several groups */
};

void mt_summary_add(struct mt_summary *summary,
                    const struct mt_configuration *configuration, double size,
                    double seconds);
/* A row for each group that has runs. */
void mt_summary_fill(struct mt_view *view, const struct mt_summary *summary);

#endif
