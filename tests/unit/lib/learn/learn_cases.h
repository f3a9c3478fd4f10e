/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * learn_cases.h - runs of a matrix product whose rows go around a ring, on machines of
 * the learned form, and on twins that deviate from it.
 */
#ifndef MT_LEARN_CASES_H
#define MT_LEARN_CASES_H

#include "lib/learn/internal.h"

enum { MOST_RUNS = 512 };

/* The expression, which must parse. */
struct mt_expr *parsed(const char *text);

/* The matrix product with rows in a ring. */
struct mt_shape ring(void);

/* The simulated twins' seconds of a run. */
struct twin {
    double step;                /* in the first cache */
    double caches[2], slows[2]; /* bytes; the cost beyond, over `step` */
    double latency, byte;
    enum { FREE, BUS, SWITCHES_OF_FOUR } network;
};

/* The machines of the paper, simulated: no cost and no network is of the form that is
   learned. */
extern const struct twin torus, omega, bus;
/* A machine of that form, without caches or contention. */
extern const struct mt_components plain_machine;

/* One of the two determines the time. */
struct truth {
    const struct mt_components *components;
    const struct twin *twin;
};

double seconds_of(const struct truth *truth, const struct mt_shape *shape, double size,
                  double ranks);

/* Standard normal, from a seed. */
double noise(unsigned *random);

/* How much larger the next size is. Many sizes show where caches begin and end, and
   noise for what it is; few are learned from in a fraction of the time. */
static const double to_many_sizes = 1.4, to_some_sizes = 1.8, to_few_sizes = 3.5;

/* Runs at sizes from 48 to 1200, on 1, 2, 4 ... ranks; returns how many. */
int make_runs(struct mt_learn_run *runs, const struct truth *truth,
              const struct mt_shape *shape, double to_next_size, int most_ranks,
              double noisy);

/* Learn from such runs. */
void learn_truth(struct mt_learned *learned, const struct truth *truth,
                 double to_next_size, int most_ranks, double noisy);

/* Whether there is a warning with these words. */
bool warns(const struct mt_learned *learned, const char *words);

#endif
