/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shape.h - how the work, data and messages of a program or algorithm depend on the
 * size N and the number of processes P, whatever the machine; part of machine files
 * and, as `surface`, of program files.
 */
#ifndef MT_SHAPE_H
#define MT_SHAPE_H

#include "motley/components.h"
#include "motley/error.h"
#include "motley/expr.h"

#include <stdbool.h>

MT_C_BEGIN

/* Expressions of N and P; all owned. Zeroed is empty. */
struct mt_shape {
    struct mt_expr *work;        /* W: operations of a run, of N alone */
    struct mt_expr *memory;      /* bytes that a process needs; NULL: unknown */
    struct mt_expr *valid;       /* which (N, P) may run; NULL: all */
    struct mt_expr *steps;       /* that a process computes; NULL: work / P */
    struct mt_expr *near_steps;  /* those of them that caches make no difference to;
                                    NULL: none */
    struct mt_expr *working_set; /* bytes that a process goes through again and again;
                                    NULL: caches make no difference */
    struct mt_expr *imbalance;  /* the busiest process's steps over the mean; NULL: 1 */
    struct mt_expr *messages;   /* m, that a process handles one after the other; NULL:
                                   none */
    struct mt_expr *bytes;      /* L, of such a message, of the longest where they
                                     differ; NULL with messages */
    struct mt_expr *mean_bytes; /* of the messages under way together; NULL: all are
                                   as long */
    struct mt_expr *together;   /* so many are; of P alone; NULL: P */
    struct mt_expr *shift;      /* ranks from a sender to its receiver, who sends next
                                   where not all do; of P alone; NULL: unknown */
    struct mt_expr *across;     /* 1: the processes are a square grid, and results go
                                   from column to column; of P alone; NULL: 0 */
};

void mt_shape_clear(struct mt_shape *shape);
/* Make `copy`, which must be empty, own a copy. */
MT_MUST_CHECK int mt_shape_copy(struct mt_shape *copy, const struct mt_shape *shape,
                                struct mt_error *err);
/*
 * Whether two shapes count the same work: `work` has the same value, to nine digits, at
 * all of a dozen sizes between 16 and 2^20. Speeds and efficiencies can be compared
 * only then.
 */
bool mt_shape_same_work(const struct mt_shape *a, const struct mt_shape *b);

/* Whether (size, ranks) may run. */
bool mt_shape_valid(const struct mt_shape *shape, double size, double ranks);
/*
 * What a run asks of the busiest process (imbalance is in its steps). MT_EINVAL, with
 * the expression, N and P, where one of them has no value or a negative one.
 */
MT_MUST_CHECK int mt_shape_demand(struct mt_demand *demand,
                                  const struct mt_shape *shape, double size,
                                  double ranks, struct mt_error *err);

MT_C_END

#endif
