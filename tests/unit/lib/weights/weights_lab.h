/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weights_lab.h - a made-up cluster whose models are known exactly.
 */
#ifndef MT_TESTS_WEIGHTS_LAB_H
#define MT_TESTS_WEIGHTS_LAB_H

#include "lib/weights/weights.h"

enum { MOST_GROUPS = 4, MOST_COEFFICIENTS = 4 };

/* A cluster of such groups, whose nodes run one process each, or also two, and a model
   of the same terms for each of them. */
struct lab {
    struct mt_cluster cluster;
    struct mt_program program;
    struct mt_predictor predictor;
    struct mt_group groups[MOST_GROUPS];
    struct mt_layout layouts[2];
    struct mt_model models[2 * MOST_GROUPS];
};

/* Models of these terms, for at most so many processes on a node. */
void lab_init(struct lab *lab, const char *terms, int processes);
/* Add a group; `processes` is 1 or 2: how many layouts it has. */
void add_group(struct lab *lab, int nodes, int processes, const double coefficients[],
               int count);
void lab_clear(struct lab *lab);

/* What has to be found, on the `given` configuration unless it is NULL. */
struct mt_weights find(struct lab *lab, double size, const char *given);
/* The status of what cannot be found. */
int refuse(struct lab *lab, double size, struct mt_error *err);

void is_configuration(const struct lab *lab, const struct mt_weights *weights,
                      const char *expected);
double sum_of_shares(const struct mt_weights *weights);

#endif
