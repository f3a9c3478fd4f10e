/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ladders.h - the candidates of a design in order: by class, nodes and size; and the
 * points of which the posterior is: the candidates, and what is to be known.
 */
#ifndef MT_DESIGN_LADDERS_H
#define MT_DESIGN_LADDERS_H

#include "state.h"

/* Sort the candidates into ladders and classes. */
MT_MUST_CHECK int mt_design_sort(struct mt_design *design, struct mt_error *err);

/* Classes not seen on their largest number of nodes. */
int mt_design_uncovered(const struct mt_design *design);

/* The P for which the plan at one size wants predictions. */
struct mt_aim {
    double size;
    int ranks;
};
/*
 * Make the points anew, with every class at each of the aims as targets (without aims:
 * at the planned sizes, on all that the cluster has), and the posterior from what was
 * observed.
 */
MT_MUST_CHECK int mt_design_aim(struct mt_design *design, const struct mt_aim *aims,
                                int naims, struct mt_error *err);

#endif
