/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * extrap.h - what Extra-P's two formats share. Extra-P models one value over
 * points of parameters, here N and P. Each (group, processes per node) is a region,
 * named "xeon:x2", and Extra-P demands that all regions have the same points.
 */
#ifndef MT_CLI_FORMATS_EXTRAP_H
#define MT_CLI_FORMATS_EXTRAP_H

#include "formats.h"

#include <stdbool.h>

enum { MT_MAX_REGION = 160 };

/* One value of a region at a point. */
struct mt_extrap_value {
    char region[MT_MAX_REGION];
    bool simulated;
    double size;
    int ranks;
    int repetition;
    double seconds;
};

/* Sorted by region, whether simulated, size, ranks, repetition. */
struct mt_extrap_values {
    struct mt_extrap_value *values; /* owned */
    int count;
};

/*
 * The values of the successful runs on one group each, at those points that all regions
 * have. MT_ENOTFOUND when nothing is left.
 */
MT_MUST_CHECK int mt_extrap_collect(struct mt_extrap_values *values,
                                    const struct mt_runs *runs, struct mt_error *err);
/* How many values, from `first` on, are of the same region and, if `same_point`, of the
   same point. */
int mt_extrap_alike(const struct mt_extrap_values *values, int first, bool same_point);

/* "time", or "simulated_time": the metric is the one place for it in these files. */
const char *mt_extrap_metric(bool simulated);

/* A point of a file that is being read, and what is known about it. */
struct mt_extrap_point {
    double size, ranks;          /* 0: not given */
    double processes;            /* 0: not given */
    const char *region, *metric; /* borrowed */
};
/* Set what the parameter `name` stands for: "N", "P" or "M". */
MT_MUST_CHECK int mt_extrap_set(const struct mt_source *source,
                                struct mt_extrap_point *point, const char *name,
                                double value, struct mt_error *err);
/*
 * Add a run of `seconds` at the point. The group is the source's, if the command line
 * gives one, or else the region's; the processes per node are the point's or stand
 * behind the group.
 */
MT_MUST_CHECK int mt_extrap_add(const struct mt_source *source, struct mt_runs *runs,
                                const struct mt_extrap_point *point, double seconds,
                                struct mt_error *err);

#endif
