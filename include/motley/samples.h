/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * samples.h - the runs of one program on one cluster, as fits and plans see them.
 */
#ifndef MT_SAMPLES_H
#define MT_SAMPLES_H

#include "motley/configuration.h"
#include "motley/error.h"

#include <stdbool.h>
#include <stdint.h>

/* One successful run. */
struct mt_sample {
    struct mt_configuration configuration;
    double size;
    double seconds; /* > 0 */
};

/* All of them. Zeroed is empty. */
struct mt_samples {
    struct mt_sample *samples; /* owned; the newest last */
    int count;
    struct mt_sample *failed; /* owned; runs that failed, without seconds */
    int nfailed;
    int left_out;       /* runs of configurations that the cluster no longer has */
    int64_t newest_run; /* id in the store; 0: none is there */
    char *store; /* owned; the path of the store they are from, for messages; or NULL */
};

void mt_samples_clear(struct mt_samples *samples);

/* Whether a configuration was run at that size, and always failed. */
bool mt_samples_failed(const struct mt_samples *samples,
                       const struct mt_configuration *configuration, double size);

/* What was measured of a configuration at a size: the median of its runs. */
struct mt_measured {
    struct mt_configuration configuration;
    double size;
    double seconds;
    int runs;
};

/* In ascending order of the sizes. Zeroed is empty. */
struct mt_measured_list {
    struct mt_measured *all; /* owned */
    int count;
};

/* What was measured at the sizes of a list (NULL: at all sizes). `list` must be empty.
 */
MT_MUST_CHECK int mt_measured_find(struct mt_measured_list *list,
                                   const struct mt_samples *samples,
                                   const double *sizes, int nsizes,
                                   struct mt_error *err);
void mt_measured_clear(struct mt_measured_list *list);
/* The one of that configuration and size; NULL: it never succeeded. */
const struct mt_measured *mt_measured_at(const struct mt_measured_list *list,
                                         const struct mt_configuration *configuration,
                                         double size);

#endif
