/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * surface_advise.h - what 'motley surface advise' finds out, and its forms.
 */
#ifndef MT_CLI_SURFACE_ADVISE_H
#define MT_CLI_SURFACE_ADVISE_H

#include "motley/error.h"
#include "motley/scaling.h"
#include "motley/surface.h"

#include <stdbool.h>

/* Why a larger size is less efficient. */
enum mt_loss {
    MT_LOSS_CACHE,     /* the working set of a process leaves a cache */
    MT_LOSS_IMBALANCE, /* the parts of the processes become less even */
    MT_LOSS_MESSAGES   /* messages take more of the time */
};

/* One node more adds so much of what a node does now, or it does not pay. */
#define MT_WORTHWHILE 0.5

/* Growing sizes over which the efficiency falls by more than MT_CLIFF. */
struct mt_fall {
    double from, to;      /* sizes */
    double before, after; /* efficiency */
    enum mt_loss loss;    /* most of it */
};

/* So much of the best efficiency is close to it. */
#define MT_CLOSE 0.95

/* A size on a number of nodes. */
struct mt_place {
    double size, nodes;
    struct mt_surface_point point;
};

enum { MT_MAX_GROWTH = 8 };

/* Zeroed is empty. */
struct mt_advice {
    const struct mt_surface *surface; /* borrowed */
    double nodes;
    bool size_given;
    struct mt_span sizes;   /* those looked at */
    struct mt_place best;   /* the best size on these nodes */
    struct mt_place close;  /* the smallest size that is nearly as efficient */
    struct mt_place chosen; /* the size that was given, or the best one */
    struct mt_place enough; /* the chosen size, on as many nodes as pay */
    struct mt_place all;    /* the chosen size, on all nodes */
    double best_nodes;      /* on which the given size is the best; 0: on none */
    double memory_limit;    /* the largest size that fits; 0: all of them do */
    struct mt_fall *falls;  /* on these nodes, of sizes that fit; owned */
    int nfalls;
    struct mt_place growth[MT_MAX_GROWTH]; /* the best sizes on more nodes */
    int ngrowth;
};

/* Find `falls`. */
MT_MUST_CHECK int mt_advice_find_falls(struct mt_advice *advice, struct mt_error *err);
/* Print in words. */
void mt_advice_print(const struct mt_advice *advice);
MT_MUST_CHECK int mt_advice_print_json(const struct mt_advice *advice,
                                       struct mt_error *err);

#endif
