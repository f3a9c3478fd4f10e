/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * estimate.h - how long runs will take, judged by those that ended:
 * seconds = a + b * work, by least squares, neither below 0.
 *
 * Runs are made in random order, so that what ended is a fair sample of what is left.
 * Likewise for what runs take beyond the time that the program says, by that time in
 * place of the work.
 */
#ifndef MT_ESTIMATE_H
#define MT_ESTIMATE_H

#include "motley/program.h"

#include <stdbool.h>

/* Sums over the runs that ended. Zeroed is empty. */
struct mt_estimate {
    int runs;
    double seconds, work, seconds_work, work_work;
    double most_work;
};

/* The work of a run: the program's at that size, or the size when it gives none. */
double mt_estimate_work(const struct mt_program *program, double size);
/* A run with so much work has ended. */
void mt_estimate_add(struct mt_estimate *estimate, double work, double seconds);
/* Expected seconds of a run; NaN: no run has ended yet. */
double mt_estimate_seconds(const struct mt_estimate *estimate, double work);
/* Whether runs with so much work were seen; otherwise it is a lower bound at best. */
bool mt_estimate_covers(const struct mt_estimate *estimate, double work);

#endif
