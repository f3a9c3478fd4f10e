/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * balance.h - the shares with which all ranks of one configuration end together.
 */
#ifndef MT_WEIGHTS_BALANCE_H
#define MT_WEIGHTS_BALANCE_H

#include "curves.h"

struct mt_balance {
    double share[MT_MAX_GROUPS]; /* of each rank of a group */
    bool full[MT_MAX_GROUPS];    /* memory allows no larger one */
    double seconds;              /* of the run, by the models */
};

/*
 * MT_ENOTFOUND: a model is missing or has no value there. MT_EINFEASIBLE: the memory of
 * the nodes has no room for all of the work.
 */
MT_MUST_CHECK int mt_balance_find(struct mt_balance *balance, struct mt_curves *curves,
                                  const struct mt_configuration *configuration,
                                  struct mt_error *err);

#endif
