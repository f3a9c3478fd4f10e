/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * extrap.h - what Extra-P's two formats share. Extra-P models one value over
 * points of parameters, here N and P. Each (group, processes per node) is a region,
 * named "xeon:x2", and Extra-P demands that all regions have the same points.
 */
#ifndef MT_CLI_FORMATS_EXTRAP_H
#define MT_CLI_FORMATS_EXTRAP_H

#include "formats.h"
#include "mapping.h"

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

/* The most parameters that Extra-P knows. */
enum { MT_MAX_PARAMETERS = 4 };

/* A point of a file that is being read. */
struct mt_extrap_point {
    char names[MT_MAX_PARAMETERS][64];
    double values[MT_MAX_PARAMETERS];
    int count;
    const char *region, *metric; /* borrowed */
};
/* Add a parameter. */
MT_MUST_CHECK int mt_extrap_set(const struct mt_source *source,
                                struct mt_extrap_point *point, const char *name,
                                double value, struct mt_error *err);

/* What is known of a file that is being read. Zeroed is empty. */
struct mt_extrap_file {
    struct mt_mapping mapping; /* what its parameters and metrics are taken for */
    char **regions, **metrics; /* owned, as in argv.h: those that it has */
};
MT_MUST_CHECK int mt_extrap_begin(struct mt_extrap_file *file,
                                  const struct mt_source *source, struct mt_error *err);
/*
 * Add a run that took `value` at the point, unless it is of a metric or a call path
 * that is not wanted. The group is the source's, if the command line gives one, or else
 * the region's; the processes per node are the point's or stand behind the group.
 */
MT_MUST_CHECK int mt_extrap_add(struct mt_extrap_file *file,
                                const struct mt_source *source, struct mt_runs *runs,
                                const struct mt_extrap_point *point, double value,
                                struct mt_error *err);
/* Check, when all was read, that it was the runs of one call path, or of groups:
   several would pass for repetitions of the same run. */
MT_MUST_CHECK int mt_extrap_end(const struct mt_extrap_file *file,
                                struct mt_source *source, const struct mt_runs *runs,
                                struct mt_error *err);
void mt_extrap_clear(struct mt_extrap_file *file);

#endif
