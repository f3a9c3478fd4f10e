/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verification.h - run the best few configurations before one is chosen, as `motley
 * plan
 * --verify` does.
 */
#ifndef HEHO_VERIFICATION_H
#define HEHO_VERIFICATION_H

#include "predictor.h"

struct verification {
    int best; /* the point that it ended with */
    int runs;
    double seconds; /* of the runs */
};

/*
 * Verify among the points of a size by at most `runs` runs, which become evidence of
 * `predictor`. MT_ENOTFOUND: no point can be predicted.
 */
MT_MUST_CHECK int verification_run(struct verification *verification,
                                   struct predictor *predictor, struct span span,
                                   int runs, struct mt_error *err);

#endif
