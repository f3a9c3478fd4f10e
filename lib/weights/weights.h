/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weights.h - uneven parts: how much of the work each rank of a configuration is to get
 * so that all ranks end together, and the best configuration with such shares, for
 * programs that can divide their work unevenly.
 */
#ifndef MT_WEIGHTS_H
#define MT_WEIGHTS_H

#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/model.h"
#include "motley/plan.h"

#include <stdbool.h>

/*
 * The models predict an evenly divided run. A rank's compute seconds are proportional
 * to its share of the work; serial work and messages do not depend on it. No rank gets
 * more than the memory of its node allows, or less than a 64th of an equal share.
 */
struct mt_weights {
    struct mt_configuration configuration;
    double share[MT_MAX_GROUPS]; /* of the work, for each rank of a group; all ranks
                                    together have 1; 0: the group is not used */
    bool full[MT_MAX_GROUPS];    /* limited by the memory of its nodes */
    /* The prediction with these shares: that with equal shares, times the effect that
       the models expect of the shares. */
    struct mt_prediction prediction;
    struct mt_prediction even_there; /* the same configuration, evenly divided; zeroed:
                                        it does not fit into memory */
    struct mt_choice even; /* the best plan without weights; zeroed: none fits */
    double configurations; /* in the search space */
    bool exact;            /* all of them were tried */
};

/*
 * The configuration whose predicted time with weights is the least, or the one that is
 * `given` (NULL: none), and its shares. Up to 60,000 configurations are all tried,
 * otherwise hill climbing changes one group at a time. The best 50 by the models are
 * compared by mt_predictor_predict(), as plans are (enum mt_objective). The result is
 * never predicted to be slower than the best plan without weights.
 *
 * MT_EINVAL: the models are not the default ones, the only ones that separate computing
 * from messages; MT_EINFEASIBLE: nothing is allowed, or the work does not fit into the
 * memory however it is divided; MT_ENOTFOUND: a model is missing.
 */
MT_MUST_CHECK int mt_weights_find(struct mt_weights *weights,
                                  const struct mt_predictor *predictor, double size,
                                  const struct mt_configuration *given,
                                  struct mt_error *err);

/* The weight of each rank, an even part being 1, in the order in which every launcher
   numbers them: group by group, in the cluster's order. `*list` is the caller's. */
MT_MUST_CHECK int mt_weights_list(double **list, int *ranks,
                                  const struct mt_weights *weights,
                                  struct mt_error *err);

#endif
