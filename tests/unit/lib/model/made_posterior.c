/* SPDX-License-Identifier: BSD-3-Clause */
#include "made_posterior.h"

#include "lib/base/array.h"
#include "lib/input/internal.h"

#include <math.h>
#include <stdlib.h>

enum { CELLS = 2 };

static void *need(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static double *numbers(int count)
{
    return need(calloc((size_t)count + 1, sizeof(double)));
}

static void add_speeds(struct mt_posterior *posterior, const struct mt_cluster *cluster)
{
    int count = 0;
    for (int g = 0; g < cluster->ngroups; g++)
        count += cluster->groups[g].nlayouts;
    posterior->speeds = need(calloc((size_t)count, sizeof *posterior->speeds));
    for (int g = 0; g < MT_MAX_GROUPS; g++) {
        posterior->groups[g] = g < cluster->ngroups ? posterior->ngroups++ : -1;
        posterior->noise[g] = 1;
        for (int i = 0; g < cluster->ngroups && i < cluster->groups[g].nlayouts; i++)
            posterior->speeds[posterior->nspeeds++] =
                (struct mt_speed){g, cluster->groups[g].layouts[i]};
    }
}

/* Two runs, as if far away: on several nodes, and with several processes on one. */
static void add_cells(struct mt_posterior *posterior, const struct mt_cluster *cluster,
                      double size)
{
    struct mt_cell *cells = need(calloc(CELLS, sizeof *cells));
    struct mt_layout layout = cluster->groups[0].layouts[0];
    posterior->cells = (struct mt_cells){cells, CELLS};
    posterior->points = need(calloc(CELLS, sizeof *posterior->points));
    for (int i = 0; i < CELLS; i++) {
        layout.processes += i;
        cells[i] = (struct mt_cell){.size = size, .runs = 1};
        cells[i].configuration.use[0] = mt_use_nodes(CELLS - i, layout);
        if (!mt_point_make(&posterior->points[i], posterior, &cells[i].configuration,
                           size))
            abort();
    }
    posterior->whiteners[0] = numbers(CELLS * CELLS);
    for (int i = 0; i < CELLS; i++)
        posterior->whiteners[0][i * (CELLS + 1)] = 1;
    posterior->mean.alike = numbers(CELLS);
    posterior->mean.mixed = numbers(CELLS);
}

struct mt_posterior *make_posterior(const struct mt_cluster *cluster,
                                    const struct mt_program *program, double size)
{
    struct mt_posterior *posterior = need(calloc(1, sizeof *posterior));
    *posterior = (struct mt_posterior){
        .program = program, .one_size = true, .reference = size, .mixes = 1};
    add_speeds(posterior, cluster);
    add_cells(posterior, cluster, size);
    return posterior;
}

/* The logarithms of a hypothesis's parameters; those that are not given are 0. */
static double *logarithms(const struct mt_posterior *posterior,
                          const struct mt_hypothesis *hypothesis, const double *compute,
                          const double *coefficients)
{
    double *u = numbers(mt_hypothesis_parameters(posterior, hypothesis));
    const int terms = __builtin_popcount(hypothesis->terms);
    for (int i = 0; i < posterior->nspeeds; i++)
        u[i] = log(compute[i]);
    for (int i = 0; i < terms; i++) /* behind the exponent of the work */
        u[posterior->nspeeds + 1 + i] = log(coefficients[i]);
    return u;
}

void add_hypothesis(struct mt_posterior *posterior, unsigned terms, double weight,
                    const double *compute, const double *coefficients)
{
    const struct mt_hypothesis hypothesis = {.terms = terms};
    const int p = mt_hypothesis_parameters(posterior, &hypothesis);
    struct mt_mean *mean = &posterior->mean;
    if (mt_array_grow(&posterior->parts, posterior->nparts, sizeof *posterior->parts,
                      "parts", NULL) != MT_OK ||
        mt_array_grow(&mean->parts, mean->nparts, sizeof *mean->parts, "parts", NULL) !=
            MT_OK)
        abort();
    posterior->parts[posterior->nparts++] =
        (struct mt_part){.hypothesis = hypothesis,
                         .weight = weight,
                         .parameters = p,
                         .u = logarithms(posterior, &hypothesis, compute, coefficients),
                         .covariance = numbers(p * p),
                         .correction = numbers(CELLS),
                         .slopes = numbers(CELLS * p)};
    mean->parts[mean->nparts++] = (struct mt_mean_part){
        .hypothesis = hypothesis,
        .weight = weight,
        .u = logarithms(posterior, &hypothesis, compute, coefficients)};
}
