/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * candidates.h - the configurations that are the fastest with weights, by the models.
 */
#ifndef MT_WEIGHTS_CANDIDATES_H
#define MT_WEIGHTS_CANDIDATES_H

#include "balance.h"

struct mt_candidate {
    struct mt_configuration configuration;
    struct mt_balance balance;
    int nodes, ranks;
};

enum { MT_MOST_CANDIDATES = 50 };

/* Zeroed is empty. */
struct mt_candidates {
    struct mt_candidate best[MT_MOST_CANDIDATES]; /* from the fastest on; of equally
                                                     fast ones those of fewer nodes,
                                                     then fewer ranks, first */
    int count;
    bool exact; /* all configurations were tried */
    /* Why the first of those that could not be predicted, or did not fit, did not. */
    struct mt_error reason;
};

/* Try a configuration; what may not run, or is not known, is passed over. */
MT_MUST_CHECK int mt_candidates_try(struct mt_candidates *candidates,
                                    struct mt_curves *curves,
                                    const struct mt_configuration *configuration,
                                    struct mt_error *err);

/* Find them: of small clusters by trying all; of large ones by changing one group of
   good ones at a time, beginning with `start` (NULL: none), with each group alone and
   all together. */
MT_MUST_CHECK int mt_candidates_find(struct mt_candidates *candidates,
                                     struct mt_curves *curves,
                                     const struct mt_configuration *start,
                                     struct mt_error *err);

#endif
