/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * advice.h - what somebody with so many nodes should know of a machine's efficiency
 * surface: the best size, how far more nodes pay, which sizes to avoid and why.
 */
#ifndef MT_ADVICE_H
#define MT_ADVICE_H

#include "motley/error.h"
#include "motley/surface.h"

MT_C_BEGIN

/* Why a larger size is less efficient. */
enum mt_loss {
    MT_LOSS_CACHE,     /* the working set of a process leaves a cache */
    MT_LOSS_IMBALANCE, /* the parts of the processes become less even */
    MT_LOSS_MESSAGES   /* messages take more of the time */
};

/* One more node pays if it adds at least this share of what a node does now. */
#define MT_WORTHWHILE 0.5

/* Growing sizes over which the efficiency falls by more than MT_CLIFF. */
struct mt_fall {
    double from, to;      /* sizes */
    double before, after; /* efficiency */
    enum mt_loss loss;    /* most of it */
};

/* This share of the best efficiency counts as close to it. */
#define MT_CLOSE 0.95

/* A size on a number of nodes, and what it does there. */
struct mt_operating_point {
    double size, nodes;
    struct mt_surface_point point;
};

enum { MT_MAX_GROWTH = 8 };

/* Zeroed is empty. */
struct mt_advice {
    const struct mt_surface *surface; /* borrowed */
    double nodes;
    double size;                     /* that was given; 0: none */
    struct mt_span sizes;            /* those looked at */
    struct mt_operating_point best;  /* the best size on these nodes */
    struct mt_operating_point close; /* the smallest size that is nearly as efficient */
    struct mt_operating_point chosen; /* the size that was given, or the best one */
    struct mt_operating_point enough; /* the chosen size, on as many nodes as pay */
    struct mt_operating_point all;    /* the chosen size, on all nodes */
    double best_nodes;                /* on which the given size is the best; 0: none */
    double memory_limit;              /* the largest size that fits; 0: all do */
    struct mt_fall *falls;            /* on these nodes, of sizes that fit; owned */
    int nfalls;
    struct mt_operating_point growth[MT_MAX_GROWTH]; /* the best sizes on more nodes */
    int ngrowth;
};

/*
 * Advise for so many nodes and, unless it is 0, a size. The surface must outlive the
 * advice, which must be empty. MT_EINVAL when no size is given and the machine does
 * not say which make sense; MT_EINFEASIBLE when nothing, or not that size, runs there.
 */
MT_MUST_CHECK int mt_advice_make(struct mt_advice *advice,
                                 const struct mt_surface *surface, double nodes,
                                 double size, struct mt_error *err);
void mt_advice_clear(struct mt_advice *advice);

MT_C_END

#endif
