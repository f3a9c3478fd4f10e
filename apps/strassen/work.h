/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * work.h - products on one rank; in a simulated build their time is charged to the node
 * (see work.h), by partition.h.
 */
#ifndef MT_APPS_STRASSEN_WORK_H
#define MT_APPS_STRASSEN_WORK_H

#include "apps/common/work.h"

#include <motley/pdgemm.h>

struct strassen_worker {
    struct work_node node;
    double *workspace; /* borrowed; NULL: each product gets its own */
    size_t room;       /* of the workspace, doubles */
};

/* The product that mt_pdgemm() calls; `self` is a worker. A product too large for its
   workspace gets its own. */
void strassen_work_multiply(void *self, int m, int n, int k, double alpha,
                            const double *a, int lda, const double *b, int ldb,
                            double beta, double *c, int ldc, int levels);
/* The machine of a worker for mt_pdgemm(): zeroed except in a simulation. The worker is
   borrowed. */
struct mt_pdgemm_machine strassen_work_machine(struct strassen_worker *worker);
/* The fastest number of levels for the product on this rank, added to C. */
int strassen_work_levels(const struct work_node *node, int m, int n, int k);

#endif
