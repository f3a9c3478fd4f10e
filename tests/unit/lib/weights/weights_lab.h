/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weights_lab.h - a made-up cluster whose models are known exactly.
 */
#ifndef MT_TESTS_WEIGHTS_LAB_H
#define MT_TESTS_WEIGHTS_LAB_H

#include "lib/model/posterior.h"
#include "lib/weights/weights.h"

enum { MOST_GROUPS = 4, LAB_SIZE = 1000 };

/* A cluster whose groups' nodes run one process each, or also two. A run of N =
   LAB_SIZE takes compute / P + terms. */
struct lab {
    struct mt_cluster cluster;
    struct mt_program program;
    struct mt_predictor predictor;
    struct mt_group groups[MOST_GROUPS];
    struct mt_layout layouts[2];
    double compute[2 * MOST_GROUPS]; /* seconds for all of the work on one rank, by
                                        group and layout */
    int count;                       /* of these */
    unsigned terms;                  /* a bit (1 << enum mt_term) each */
    double coefficients[MT_TERMS];   /* of these, in order */
};

/* Terms, with their coefficients. */
void lab_init(struct lab *lab, unsigned terms, const double *coefficients);
/* Add a group; `processes` is 1 or 2: how many layouts it has, all with these seconds.
 */
void add_group(struct lab *lab, int nodes, int processes, double compute);
void lab_clear(struct lab *lab);

/* The expected result, on the `given` configuration unless it is NULL. */
struct mt_weights find(struct lab *lab, const char *given);
/* The expected status if it cannot be found. */
int refuse(struct lab *lab, struct mt_error *err);

void is_configuration(const struct lab *lab, const struct mt_weights *weights,
                      const char *expected);
double sum_of_shares(const struct mt_weights *weights);

#endif
