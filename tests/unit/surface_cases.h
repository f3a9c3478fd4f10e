/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * surface_cases.h - surfaces made in C, for the tests and the benchmark of surfaces.
 */
#ifndef MT_SURFACE_CASES_H
#define MT_SURFACE_CASES_H

#include "motley/surface.h"

/* A shape in words; NULL: absent. */
struct shape_texts {
    const char *work, *memory, *valid, *steps, *near_steps, *working_set, *imbalance,
        *messages, *bytes;
};

/* The multiplication of matrices by rows in a ring, algorithm A of the paper. */
extern const struct shape_texts multiplication_a;
/* Tables 1 and 2 of the paper. */
extern const struct mt_components ap1000_components, cenju3_components;

struct surface_case {
    struct mt_machine machine;
    struct mt_algorithm algorithm;
    struct mt_surface *surface;
};

/* Memory 0: unknown. The result must be cleared, and must not move. */
void surface_case_make(struct surface_case *made, const struct shape_texts *texts,
                       const struct mt_components *components, double speed,
                       double memory);
/* Algorithm A on these machines of the paper, with 16 and 64 MiB a node. */
void surface_case_ap1000(struct surface_case *made);
void surface_case_cenju3(struct surface_case *made);
void surface_case_clear(struct surface_case *made);

#endif
