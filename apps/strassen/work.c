/* SPDX-License-Identifier: BSD-3-Clause */
/* A Strassen product on one rank; a simulated build is charged for its operations. */
#include "work.h"

#include <motley/pdgemm.h>
#include <motley/strassen.h>

#include <math.h>

/* The BLAS multiplies s x s matrices at s / (s + 200) of a simulated node's speed, as
   ATLAS did on the processors of 2004. */
static const double half_speed_size = 200;

/* A sum of two matrices moves three values for each addition. */
static const double bytes_per_addition = 24;

/* Charge the product's time; returns whether to compute it. */
static bool charge(const struct work_node *node, int m, int n, int k, int levels,
                   bool accumulate)
{
    const struct mt_strassen_cost cost = mt_strassen_cost(m, n, k, levels, accumulate);
    const struct work products = {
        .flops = cost.flops, .efficiency = cost.leaf / (cost.leaf + half_speed_size)};
    const struct work sums = {.flops = cost.bytes / bytes_per_addition,
                              .efficiency = 1,
                              .working_set =
                                  8 * ((double)m * k + (double)k * n + (double)m * n),
                              .bytes = cost.bytes};
    work_run(node, &products);
    return work_run(node, &sums);
}

void strassen_work_multiply(void *self, int m, int n, int k, double alpha,
                            const double *a, int lda, const double *b, int ldb,
                            double beta, double *c, int ldc, int levels)
{
    const struct strassen_worker *worker = self;
    struct mt_strassen_how how = {
        .levels = &levels, .workspace = worker->workspace, .room = worker->room};
    if (!charge(&worker->node, m, n, k, levels, beta != 0))
        return;
    while (mt_strassen_dgemm_with(&how, CblasColMajor, CblasNoTrans, CblasNoTrans, m, n,
                                  k, alpha, a, lda, b, ldb, beta, c,
                                  ldc) == MT_STRASSEN_NO_ROOM)
        how.workspace = NULL; /* a larger one is then allocated */
}

static void *allocate(void *self, size_t bytes)
{
    const struct strassen_worker *worker = self;
    return work_buffer(&worker->node, bytes, 1);
}

static void release(void *self, void *memory)
{
    const struct strassen_worker *worker = self;
    work_buffer_free(&worker->node, memory);
}

struct mt_pdgemm_machine strassen_work_machine(struct strassen_worker *worker)
{
    if (!work_simulated)
        return (struct mt_pdgemm_machine){0};
    return (struct mt_pdgemm_machine){.multiply = strassen_work_multiply,
                                      .allocate = allocate,
                                      .release = release,
                                      .self = worker,
                                      .no_values = worker->node.model_only};
}

int strassen_work_levels(const struct work_node *node, int m, int n, int k)
{
    const double memory = node->memory_bandwidth;
    const struct mt_strassen_speed speed = {.flops = node->flops,
                                            .half = half_speed_size,
                                            .bandwidth =
                                                memory > 0 ? memory : INFINITY};
    return work_simulated
               ? mt_strassen_best_levels(&speed, m, n, k, MT_STRASSEN_MAX_LEVELS, true)
               : mt_strassen_levels(mt_strassen_tuned(), m, n, k, 1);
}
