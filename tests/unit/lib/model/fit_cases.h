/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fit_cases.h - a small cluster, programs and runs with known times, for the tests of
 * models and fits.
 */
#ifndef MT_FIT_CASES_H
#define MT_FIT_CASES_H

#include "motley/model.h"
#include "tests/unit/test.h"

enum { XEON, CELERON, MOST_RUNS = 2000 };

static char xeon_name[] = "xeon", celeron_name[] = "celeron", program_name[] = "lu";
static struct mt_layout one_or_two[] = {{.processes = 1}, {.processes = 2}},
                        one[] = {{.processes = 1}};
static struct mt_group case_groups[] = {
    {.name = xeon_name, .nodes = 8, .layouts = one_or_two, .nlayouts = 2},
    {.name = celeron_name, .nodes = 8, .layouts = one, .nlayouts = 1},
};
static const struct mt_cluster case_cluster = {.groups = case_groups, .ngroups = 2};

/* Runs to fit from. */
struct runs {
    struct mt_sample all[MOST_RUNS];
    int count;
};

static inline void add_run(struct runs *runs, int group, int nodes, int processes,
                           double size, double seconds)
{
    assert_true(runs->count < MOST_RUNS);
    struct mt_sample *run = &runs->all[runs->count++];
    *run = (struct mt_sample){.size = size, .seconds = seconds};
    run->configuration.use[group] =
        (struct mt_use){.nodes = nodes, .layout.processes = processes};
}

static inline struct mt_terms *parse_terms(const char *text)
{
    struct mt_terms *terms = NULL;
    assert_int_equal(mt_terms_parse(&terms, text, NULL), MT_OK);
    return terms;
}

static inline struct mt_expr *parse_expr(const char *text)
{
    struct mt_expr *expr = NULL;
    assert_int_equal(mt_expr_parse(&expr, text, NULL), MT_OK);
    return expr;
}

static inline int fit_runs(struct mt_models *models, const struct mt_program *program,
                           const struct runs *runs,
                           const struct mt_fit_options *options, struct mt_error *err)
{
    struct mt_sample all[MOST_RUNS];
    const struct mt_samples samples = {.samples = all, .count = runs->count};
    memcpy(all, runs->all, sizeof all);
    return mt_fit(models, &case_cluster, program, &samples, options, err);
}

/* A standard normal number; a generator of our own, the same on every machine. */
static inline double normal(unsigned *state)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        *state = *state * 1664525u + 1013904223u;
        sum += *state / 4294967296.0;
    }
    return sum;
}

#endif
