/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * samples.h - the runs of one program on one cluster, as fits and plans see them.
 */
#ifndef MT_SAMPLES_H
#define MT_SAMPLES_H

#include "motley/components.h"
#include "motley/configuration.h"
#include "motley/error.h"

#include <stdbool.h>
#include <stdint.h>

MT_C_BEGIN

/* One successful run. */
struct mt_sample {
    struct mt_configuration configuration;
    double size;
    double seconds; /* > 0 */
};

/* How long messages take between nodes of two groups, or of one (`from` and `to` are
   the same), as `motley check` measured it. Strings are owned. */
struct mt_link_figure {
    char *cluster, *from, *to;
    double latency;   /* seconds of a message of less than 1 KiB */
    double bandwidth; /* of the longest messages, bytes per second */
    bool simulated;
    int64_t measured;             /* when: seconds since 1970-01-01 UTC */
    struct mt_link_point *points; /* owned; by their length */
    int npoints;                  /* 0: not known */
};
/* The newest of each two groups. Zeroed is empty. */
struct mt_link_figures {
    struct mt_link_figure *all; /* owned */
    int count;
};

void mt_link_figures_clear(struct mt_link_figures *links);
/* That of two groups, in either order; NULL: there is none. */
const struct mt_link_figure *mt_link_figures_find(const struct mt_link_figures *links,
                                                  const char *a, const char *b);
/* When the newest was measured; 0: there is none. */
int64_t mt_link_figures_newest(const struct mt_link_figures *links);

/* All of them. Zeroed is empty. */
struct mt_samples {
    struct mt_sample *samples; /* owned; the newest last */
    int count;
    struct mt_sample *failed; /* owned; runs that failed, without seconds */
    int nfailed;
    int left_out;       /* runs of configurations that the cluster no longer has */
    int64_t newest_run; /* id in the store; 0: none is there */
    struct mt_link_figures links; /* of the cluster */
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
/* Whether anything was measured at that size. */
bool mt_measured_any(const struct mt_measured_list *list, double size);

MT_C_END

#endif
