/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * balance.h - the shares of the work with which all ranks of one configuration end
 * together.
 */
#ifndef MT_WEIGHTS_BALANCE_H
#define MT_WEIGHTS_BALANCE_H

#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/model.h"

#include <stdbool.h>

/* Balances configurations of one problem, by auto models, at one size. */
struct mt_balancer {
    struct mt_problem problem; /* borrowed from mt_balancer_init() */
    double size;
    double *limits[MT_MAX_GROUPS]; /* owned; of each layout of a group: the largest
                                      share of a rank that fits into a node's memory */
};

/* The caller clears `balancer`, also after a failure. */
MT_MUST_CHECK int mt_balancer_init(struct mt_balancer *balancer,
                                   const struct mt_problem *problem, double size,
                                   struct mt_error *err);
void mt_balancer_clear(struct mt_balancer *balancer);

struct mt_balance {
    double share[MT_MAX_GROUPS]; /* of each rank of a group */
    bool full[MT_MAX_GROUPS];    /* limited by memory */
    double seconds;              /* of the run, by the models */
    double even;                 /* the same with equal shares */
};

/*
 * MT_ENOTFOUND: the models cannot predict the configuration. MT_EINFEASIBLE: the memory
 * of the nodes has no room for all of the work.
 */
MT_MUST_CHECK int mt_balance_find(struct mt_balance *balance,
                                  const struct mt_balancer *balancer,
                                  const struct mt_configuration *configuration,
                                  struct mt_error *err);

#endif
