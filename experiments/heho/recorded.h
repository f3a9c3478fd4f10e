/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorded.h - the recorded truth of an app on a cluster: the noise-free seconds of its
 * configurations.
 */
#ifndef HEHO_RECORDED_H
#define HEHO_RECORDED_H

#include "cli/common/command.h"
#include "cli/common/inputs.h"

#include "motley/configuration.h"
#include "motley/error.h"
#include "motley/fit.h"

/* Zeroed is empty. */
struct recorded {
    struct mt_inputs inputs;  /* owned, as is `points` */
    struct mt_sample *points; /* one for each (size, configuration), in this order */
    int count;
};

/*
 * Read FOLDER/CLUSTER-APP.csv.gz, as `motley export` writes it; the cluster and the
 * program are the shipped ones of these names. Repetitions are replaced by their
 * median, and runs that failed are passed over. MT_ENOTFOUND: there is no such file.
 * `recorded` must be empty.
 */
MT_MUST_CHECK int recorded_load(struct recorded *recorded, const char *folder,
                                const char *cluster, const char *app,
                                struct mt_error *err);
void recorded_clear(struct recorded *recorded);

/* The index of a point, or -1: it was not recorded. */
int recorded_find(const struct recorded *recorded,
                  const struct mt_configuration *configuration, double size);

/* The points first .. end - 1. */
struct point_range {
    int first, end;
};
/* The points of a size, if there is truth: not only training runs, of one group each,
   but configurations of several groups. Otherwise none. */
struct point_range recorded_truth_at(const struct recorded *recorded, double size);

/* Whether the papers' models were trained by the point: several nodes of one group
   alone, at one of the program's measure sizes. */
bool recorded_trains_papers(const struct recorded *recorded,
                            const struct mt_sample *point);
/* Whether the point is at one of the program's measure sizes. */
bool recorded_measured(const struct recorded *recorded, const struct mt_sample *point);

#endif
