/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rivals.h - what others would choose for a random program on a random cluster: models
 * fitted to runs, and rules.
 */
#ifndef BLIND_RIVALS_H
#define BLIND_RIVALS_H

#include "truth.h"

#include "motley/plan.h"
#include "motley/predictor.h"

enum rival {
    RIVAL_PAPERS,       /* NP-T models, from a training set of their own */
    RIVAL_FORMS,        /* see forms.h; from the runs that auto was trained by */
    RIVAL_ALL_NODES,    /* see rules.h, as those that follow */
    RIVAL_FASTEST,      /* of the groups alone, at the largest measured size */
    RIVAL_PROPORTIONAL, /* to the speed of a node of each group, at a middle size */
    RIVAL_RANDOM,
    RIVALS
};

/* "np-t", "forms", "all nodes", ... */
extern const char *const rival_names[RIVALS];

/* Zeroed is empty. It must not be moved. */
struct rivals {
    struct truth *truth; /* borrowed */
    struct mt_predictor papers;
    bool has_papers; /* the runs determine NP-T models */
    struct mt_models forms;
    int papers_runs;       /* what NP-T was trained by: several nodes of ... */
    double papers_seconds; /* ... each group alone, at all measure sizes */
    int fastest;           /* group */
    double speeds[MT_MAX_GROUPS];
};

/* Make their runs, and fit. `rivals` must be empty; clear it in any case. */
MT_MUST_CHECK int rivals_train(struct rivals *rivals, struct truth *truth,
                               const struct mt_samples *training, struct mt_error *err);
void rivals_clear(struct rivals *rivals);

/*
 * What a rival chooses for a size. What may not run is made smaller until it may. A
 * model that has no plan, as the runs determine too little, leaves `*planned` false:
 * all nodes are taken.
 */
MT_MUST_CHECK int rivals_choose(struct rivals *rivals, enum rival rival, double size,
                                struct mt_choice *choice, bool *planned,
                                struct mt_error *err);

#endif
