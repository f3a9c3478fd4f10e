/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_parts.h - what fitting and predicting share.
 */
#ifndef MT_MODEL_PARTS_H
#define MT_MODEL_PARTS_H

#include "motley/model.h"

/* What struct mt_model's `split` has to be for a model to answer for P: -1 for programs
   without a split, otherwise 0 or 1. */
int mt_program_split(const struct mt_program *program, int ranks);

/* The model that mt_models_find() gives for P of that split. */
const struct mt_model *mt_models_find_split(const struct mt_models *models,
                                            const char *group, int processes,
                                            int split);

/* Seconds of a P-T model's reference N-T model, which may be negative where that model
   does not hold; 0 for the other kinds. */
double mt_model_reference(const struct mt_model *model, double size);

/* All and the serial seconds at (size, ranks); NaN where there is no value. */
void mt_model_parts(const struct mt_model *model, double size, int ranks, double *whole,
                    double *serial);

/* The time of a configuration while its groups are gone through, in the cluster's
   order. Zeroed is that of none. */
struct mt_mix {
    double parallel; /* of the slowest group */
    double serial;   /* of all, each by its share */
};

/* Take in a group that has that share of the ranks. */
void mt_mix_add(struct mt_mix *mix, double parallel, double serial, double share);
/* The seconds of both, which never fall when one of the two rises. The serial ones are
   rounded to eleven digits: sums that differ only by the order of their terms are the
   same number, so that configurations that are equally good are known for that. */
double mt_mix_seconds(const struct mt_mix *mix);

#endif
