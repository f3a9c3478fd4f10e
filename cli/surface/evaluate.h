/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * surface_evaluate.h - a predicted surface against measured runs; private to
 * surface_evaluate*.c.
 */
#ifndef MT_CLI_SURFACE_EVALUATE_H
#define MT_CLI_SURFACE_EVALUATE_H

#include "cli/common/command.h"
#include "runs.h"
#include "surface.h"

#include "motley/error.h"

#include <stdbool.h>
#include <stdio.h>

/* A point of the surface that was measured. */
struct mt_surface_pair {
    double size;
    int nodes;
    double seconds, efficiency; /* measured: the median of its repetitions */
    double predicted_seconds, predicted_efficiency;
    double error; /* predicted_efficiency / efficiency - 1 */
    bool fits;    /* into the memory of a node */
};

/* Zeroed is empty. */
struct mt_surface_evaluation {
    struct mt_inputs inputs;
    struct mt_surface_input surface;
    struct mt_surface_runs runs;
    struct mt_surface_pair *pairs; /* owned; by nodes, then sizes */
    int count;                     /* at least 1 */
    char **warnings;               /* owned, see argv.h */
};

/* Some neighbouring pairs in short. Zeroed: there are none. */
struct mt_surface_errors {
    int points;
    double mean;                         /* of the absolute values */
    const struct mt_surface_pair *worst; /* borrowed; NULL: there are none */
};
struct mt_surface_errors mt_surface_errors(const struct mt_surface_pair *pairs,
                                           int count);
/* How many pairs are on the nodes that the surface was learned on; these are the first.
   All, when it was not learned. */
int mt_surface_learned_pairs(const struct mt_surface_evaluation *evaluation);
/* How many pairs from `first` on are on as many nodes as the first of them. */
int mt_surface_same_nodes(const struct mt_surface_evaluation *evaluation, int first);

/* The best size on some number of nodes, measured and predicted. */
struct mt_surface_ridge {
    double size, predicted_size;
    int steps;   /* from the one to the other, among the sizes measured there */
    double loss; /* of the efficiency that was measured, at the predicted size */
};
/* The ridge of pairs of one number of nodes; those that do not fit into memory are left
   out. False: fewer than three sizes are left, which are no grid. */
bool mt_surface_ridge(struct mt_surface_ridge *ridge,
                      const struct mt_surface_pair *pairs, int count);

/* The pairs with the largest errors, at most so many, the worst first. */
enum { MT_WORST_PAIRS = 5 };
int mt_surface_worst(const struct mt_surface_pair *worst[MT_WORST_PAIRS],
                     const struct mt_surface_evaluation *evaluation);

MT_MUST_CHECK int mt_surface_evaluation_print(
    const struct mt_surface_evaluation *evaluation, FILE *stream, struct mt_error *err);
MT_MUST_CHECK int mt_surface_evaluation_print_csv(
    const struct mt_surface_evaluation *evaluation, FILE *stream, struct mt_error *err);
MT_MUST_CHECK int mt_surface_evaluation_print_json(
    const struct mt_surface_evaluation *evaluation, FILE *stream, struct mt_error *err);

/* Refuse pictures that show no runs, before the work is done. */
MT_MUST_CHECK int mt_surface_evaluation_check_picture(struct mt_error *err);
/* Draw what --plot and --picture ask for. */
MT_MUST_CHECK int mt_surface_evaluation_plot(
    const struct mt_surface_evaluation *evaluation, struct mt_error *err);

#endif
