/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line.h - the study's figures as lines of JSON.
 */
#ifndef HEHO_LINE_H
#define HEHO_LINE_H

#include "figures.h"

#include <stdio.h>

/* What a line is about. */
struct combination {
    const struct recorded *recorded;
    double noise; /* that was asked for; see replay_noise() */
    struct trial_options options;
};

/* Print the figures; NULL: there are none, for that `reason`. */
MT_MUST_CHECK int line_print(const struct combination *combination,
                             const struct figures *figures, const char *reason,
                             FILE *stream, struct mt_error *err);

#endif
