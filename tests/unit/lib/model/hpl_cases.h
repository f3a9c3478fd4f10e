/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hpl_cases.h - runs of HPL, whose time is known.
 */
#ifndef MT_HPL_CASES_H
#define MT_HPL_CASES_H

#include "fit_cases.h"

static const double sizes[] = {400, 600, 800, 1200, 1600, 2400, 3200, 4800, 6400};

enum { NSIZES = sizeof sizes / sizeof *sizes };

static const struct mt_program plain = {.name = program_name};

/* The papers' form of HPL's time, all ten coefficients. */
static const double truth[] = {7e-10, 3e-8, 2e-6, 3e-4, 5e-9,
                               8e-7,  2e-4, 4e-8, 1e-6, 5e-3};

static inline double hpl_seconds(double n, double p)
{
    const double terms[] = {n * n * n / p, n * n / p, n / p, 1 / p, p * n * n,
                            p * n,         p,         n * n, n,     1};
    double sum = 0;
    for (int i = 0; i < 10; i++)
        sum += truth[i] * terms[i];
    return sum;
}

/* Runs of one group on 1 .. nodes nodes. */
static inline void add_hpl_runs(struct runs *runs, int group, int nodes, int processes,
                                double slowness)
{
    for (int p = 1; p <= nodes; p++) {
        for (int s = 0; s < NSIZES; s++)
            add_run(runs, group, p, processes, sizes[s],
                    slowness * hpl_seconds(sizes[s], p * processes));
    }
}

#endif
