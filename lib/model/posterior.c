/* SPDX-License-Identifier: BSD-3-Clause */
/* Bayesian model averaging: every hypothesis at every point of the grid, weighted by
   its evidence (Hoeting and others 1999). */
#include "posterior.h"

#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "tuning.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int find_speeds(struct mt_posterior *posterior, struct mt_error *err)
{
    int seen[MT_MAX_GROUPS] = {0};
    double sum = 0;
    int portions = 0;
    for (int i = 0; i < posterior->cells.count; i++)
        for (int g = 0; g < MT_MAX_GROUPS; g++) {
            const struct mt_use *use = &posterior->cells.all[i].configuration.use[g];
            int k = 0;
            if (use->nodes == 0)
                continue;
            sum += log(use->layout.processes);
            portions++;
            seen[g] = 1;
            while (k < posterior->nspeeds &&
                   (posterior->speeds[k].group != g ||
                    mt_layout_compare(posterior->speeds[k].layout, use->layout) != 0))
                k++;
            if (k < posterior->nspeeds)
                continue;
            const int status = mt_array_grow(&posterior->speeds, posterior->nspeeds,
                                             sizeof *posterior->speeds, "layouts", err);
            if (status != MT_OK)
                return status;
            posterior->speeds[posterior->nspeeds++] = (struct mt_speed){g, use->layout};
        }
    posterior->log_processes = sum / portions;
    for (int g = 0; g < MT_MAX_GROUPS; g++)
        posterior->groups[g] = seen[g] ? posterior->ngroups++ : -1;
    for (int k = 0; k < posterior->nspeeds; k++)
        posterior->speeds[k].group = posterior->groups[posterior->speeds[k].group];
    return MT_OK;
}

static void find_sizes(struct mt_posterior *posterior)
{
    const struct mt_cells *cells = &posterior->cells;
    double sum = 0;
    posterior->one_size = true;
    for (int i = 0; i < cells->count; i++) {
        sum += log(cells->all[i].size);
        posterior->one_size &= cells->all[i].size == cells->all[0].size;
    }
    posterior->reference =
        posterior->one_size ? cells->all[0].size : exp(sum / cells->count);
    posterior->reference_work =
        mt_program_work(posterior->program, posterior->reference, 1);
}

/* The scatter of repeats of each group's runs, relative to that of all. */
static void find_noise(struct mt_posterior *posterior)
{
    double squares[MT_MAX_GROUPS] = {0}, freedom[MT_MAX_GROUPS] = {0};
    double all = 0;
    for (int i = 0; i < posterior->cells.count; i++) {
        const struct mt_cell *cell = &posterior->cells.all[i];
        const int group = posterior->points[i].portions[0].group;
        squares[group] += cell->squares;
        freedom[group] += cell->runs - 1;
        all += cell->squares;
        posterior->freedom += cell->runs - 1;
    }
    all = (all + mt_all_repeats * mt_sigma * mt_sigma) /
          (posterior->freedom + mt_all_repeats);
    for (int g = 0; g < posterior->ngroups; g++)
        posterior->noise[g] = sqrt((squares[g] + mt_group_repeats * all) /
                                   (freedom[g] + mt_group_repeats) / all);
    for (int i = 0; i < posterior->cells.count; i++) {
        const double noise = mt_point_noise(posterior, &posterior->points[i]);
        posterior->squares += posterior->cells.all[i].squares / (noise * noise);
    }
}

static int make_points(struct mt_posterior *posterior, struct mt_error *err)
{
    const int n = posterior->cells.count;
    posterior->points = calloc((size_t)n, sizeof *posterior->points);
    if (!posterior->points)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", n);
    for (int i = 0; i < n; i++)
        (void)mt_point_make(&posterior->points[i], posterior,
                            &posterior->cells.all[i].configuration,
                            posterior->cells.all[i].size);
    return MT_OK;
}

/* The point of the grid with the most evidence. */
struct summit {
    double evidence;
    int grid;
};

/* The fits of one hypothesis over the grid. */
struct scan {
    struct mt_posterior *posterior;
    struct mt_laplace *laplace;
    double prior;        /* of the hypothesis: all splits together have the weight of no
                            split */
    struct summit *best; /* of all hypotheses so far */
    double evidence[MT_GRID];
    bool fitted[MT_GRID];
};

/* Fit at a point of the grid, and keep the part unless it is far below the best.
   `mode`: where it is, if known. */
static int fit_at(struct scan *scan, int grid, const double *mode, struct mt_error *err)
{
    struct mt_posterior *posterior = scan->posterior;
    double evidence;
    if (scan->fitted[grid])
        return MT_OK;
    int status = mt_discrepancy_whitener(posterior, grid, err);
    if (status == MT_OK)
        status = mode ? mt_laplace_recall(scan->laplace, grid, mode, &evidence, err)
                      : mt_laplace_fit(scan->laplace, grid, &evidence, err);
    if (status != MT_OK)
        return status;
    evidence += mt_grid_evidence(posterior, grid) + scan->prior;
    scan->fitted[grid] = true;
    scan->evidence[grid] = evidence;
    if (!(evidence > scan->best->evidence - mt_cut))
        return MT_OK;
    if (evidence > scan->best->evidence)
        *scan->best = (struct summit){evidence, grid};
    status = mt_array_grow(&posterior->parts, posterior->nparts,
                           sizeof *posterior->parts, "parts of a model", err);
    if (status == MT_OK)
        status =
            mt_laplace_part(scan->laplace, &posterior->parts[posterior->nparts], err);
    if (status == MT_OK)
        posterior->parts[posterior->nparts++].evidence = evidence;
    return status;
}

/* The neighbours of a point: up to six. */
enum { MOST_NEIGHBOURS = 6 };
static int neighbours_of(const struct mt_posterior *posterior, int grid,
                         int neighbours[MOST_NEIGHBOURS])
{
    const int steps[] = {1, MT_SIGMAS, MT_SIGMAS * MT_TAUS},
              sizes[] = {MT_SIGMAS, MT_TAUS, posterior->mixes};
    int count = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int place = grid / steps[axis] % sizes[axis];
        if (place > 0)
            neighbours[count++] = grid - steps[axis];
        if (place < sizes[axis] - 1)
            neighbours[count++] = grid + steps[axis];
    }
    return count;
}

/* Climb from the best grid point of all hypotheses so far; then spread from this
   hypothesis's maximum, the only one over the grid, to points whose evidence is not far
   below the best. */
static int scan_grid(struct scan *scan, struct mt_error *err)
{
    int at = scan->best->grid, status = fit_at(scan, at, NULL, err);
    for (int last = -1; at != last && status == MT_OK;) {
        int neighbours[MOST_NEIGHBOURS];
        const int count = neighbours_of(scan->posterior, at, neighbours);
        last = at;
        for (int i = 0; i < count && status == MT_OK; i++) {
            status = fit_at(scan, neighbours[i], NULL, err);
            if (scan->evidence[neighbours[i]] > scan->evidence[at])
                at = neighbours[i];
        }
    }
    for (bool grown = true; grown && status == MT_OK;) {
        grown = false;
        for (int grid = 0; grid < MT_GRID && status == MT_OK; grid++) {
            int neighbours[MOST_NEIGHBOURS];
            const int count = neighbours_of(scan->posterior, grid, neighbours);
            if (!scan->fitted[grid] ||
                scan->evidence[grid] < scan->best->evidence - mt_cut)
                continue;
            for (int i = 0; i < count && status == MT_OK; i++) {
                grown = grown || !scan->fitted[neighbours[i]];
                status = fit_at(scan, neighbours[i], NULL, err);
            }
        }
    }
    return status;
}

static int begin_scan(struct scan *scan, struct mt_posterior *posterior,
                      const struct mt_hypothesis *hypothesis, struct summit *best,
                      struct mt_error *err)
{
    *scan = (struct scan){.posterior = posterior,
                          .prior = hypothesis->split > 0 ? -log(posterior->nsplits) : 0,
                          .best = best};
    for (int i = 0; i < posterior->cells.count; i++)
        mt_point_set_work(&posterior->points[i], posterior, hypothesis->exponent);
    return mt_laplace_init(&scan->laplace, posterior, hypothesis, err);
}

static int fit_hypothesis(struct mt_posterior *posterior,
                          const struct mt_hypothesis *hypothesis, struct summit *best,
                          struct mt_error *err)
{
    struct scan scan;
    int status = begin_scan(&scan, posterior, hypothesis, best, err);
    if (status == MT_OK)
        status = scan_grid(&scan, err);
    mt_laplace_free(scan.laplace);
    return status;
}

static int compare_parts(const void *left, const void *right)
{
    const struct mt_part *a = left, *b = right;
    return (a->evidence < b->evidence) - (a->evidence > b->evidence);
}

/* Drop parts far below the best one, and whiteners that no part needs. */
static void weigh(struct mt_posterior *posterior)
{
    struct mt_part *parts = posterior->parts;
    bool needed[MT_GRID] = {false};
    double sum = 0;
    qsort(parts, (size_t)posterior->nparts, sizeof *parts, compare_parts);
    while (parts[posterior->nparts - 1].evidence < parts[0].evidence - mt_cut)
        mt_part_clear(&parts[--posterior->nparts]);
    for (int i = 0; i < posterior->nparts; i++) {
        parts[i].weight = exp(parts[i].evidence - parts[0].evidence);
        sum += parts[i].weight;
        needed[parts[i].grid] = true;
    }
    for (int i = 0; i < posterior->nparts; i++)
        parts[i].weight /= sum;
    for (int grid = 0; grid < MT_GRID; grid++)
        if (!needed[grid]) {
            free(posterior->whiteners[grid]);
            posterior->whiteners[grid] = NULL;
        }
}

static bool is_same(const struct mt_hypothesis *a, const struct mt_hypothesis *b)
{
    return a->terms == b->terms && a->exponent == b->exponent && a->step == b->step &&
           a->split == b->split;
}

/* The mean of a hypothesis's parts, which is made if it is missing. */
static int find_mean_part(struct mt_mean *mean, const struct mt_part *part,
                          struct mt_mean_part **found, struct mt_error *err)
{
    for (int i = 0; i < mean->nparts; i++)
        if (is_same(&mean->parts[i].hypothesis, &part->hypothesis)) {
            *found = &mean->parts[i];
            return MT_OK;
        }
    double *u = calloc((size_t)part->parameters, sizeof *u);
    if (!u)
        return mt_fail(err, MT_ENOMEM, "no memory for a model's parameters");
    const int status =
        mt_array_grow(&mean->parts, mean->nparts, sizeof *mean->parts, "parts", err);
    if (status != MT_OK) {
        free(u);
        return status;
    }
    *found = &mean->parts[mean->nparts++];
    **found = (struct mt_mean_part){.hypothesis = part->hypothesis, .u = u};
    return MT_OK;
}

static int find_mean(struct mt_posterior *posterior, struct mt_error *err)
{
    struct mt_mean *mean = &posterior->mean;
    const int n = posterior->cells.count;
    mean->alike = calloc((size_t)n, sizeof *mean->alike);
    mean->mixed = calloc((size_t)n, sizeof *mean->mixed);
    if (!mean->alike || !mean->mixed)
        return mt_fail(err, MT_ENOMEM, "no memory for the mean of %d runs", n);
    for (int s = 0; s < posterior->nparts; s++) {
        const struct mt_part *part = &posterior->parts[s];
        const double tau = mt_grid_tau(part->grid);
        const double mixed = mt_grid_mixed(posterior, part->grid);
        struct mt_mean_part *sum = NULL;
        const int status = find_mean_part(mean, part, &sum, err);
        if (status != MT_OK)
            return status;
        sum->weight += part->weight;
        for (int i = 0; i < part->parameters; i++)
            sum->u[i] += part->weight * part->u[i];
        for (int i = 0; i < n; i++) {
            mean->alike[i] += part->weight * tau * tau * part->correction[i];
            mean->mixed[i] += part->weight * mixed * part->correction[i];
        }
    }
    for (int s = 0; s < mean->nparts; s++) {
        struct mt_mean_part *sum = &mean->parts[s];
        const int p = mt_hypothesis_parameters(posterior, &sum->hypothesis);
        for (int i = 0; i < p; i++)
            sum->u[i] /= sum->weight;
    }
    return MT_OK;
}

static void clear_mean(struct mt_mean *mean)
{
    for (int i = 0; i < mean->nparts; i++)
        free(mean->parts[i].u);
    free(mean->parts);
    free(mean->alike);
    free(mean->mixed);
    *mean = (struct mt_mean){0};
}

static int compare_mean_parts(const void *left, const void *right)
{
    const struct mt_mean_part *a = left, *b = right;
    return (a->weight < b->weight) - (a->weight > b->weight);
}

/* Add details to the heaviest hypotheses only, as there are too many to try all: the
   more splits, the fewer hypotheses get them. */
static int add_details(struct mt_posterior *posterior, struct summit *best,
                       struct mt_error *err)
{
    struct mt_hypothesis heaviest[MT_DETAILED], details[MT_MOST_DETAILS];
    struct mt_mean *mean = &posterior->mean;
    const int count = mean->nparts < MT_DETAILED ? mean->nparts : MT_DETAILED;
    int status = MT_OK;
    qsort(mean->parts, (size_t)mean->nparts, sizeof *mean->parts, compare_mean_parts);
    for (int i = 0; i < count; i++)
        heaviest[i] = mean->parts[i].hypothesis;
    clear_mean(mean);
    for (int i = 0; i < count; i++) {
        const bool splits = i * posterior->nsplits < MT_DETAILED;
        const int ndetails =
            mt_hypothesis_details(posterior, &heaviest[i], splits, details);
        for (int k = 0; k < ndetails && status == MT_OK; k++)
            status = fit_hypothesis(posterior, &details[k], best, err);
    }
    return status;
}

/*
 * Modes of an earlier fit: its mark, and for each part the hypothesis, the grid point,
 * the evidence and u.
 */

enum { TERMS, EXPONENT, STEP, SPLIT, GRID, EVIDENCE, NUMBERS };

/* Raise it when a change makes fits of the same runs end in other parts. */
enum { FIT_VERSION = 1 };

static void mix(uint64_t *hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    *hash = (*hash ^ bits) * 0x9e3779b97f4a7c15U; /* Fibonacci hashing, Knuth 6.4 */
    *hash ^= *hash >> 32;
}

/* A hash of the runs and of everything that selects the hypotheses; a change of
   anything else shows in a part's evidence. */
static double find_mark(struct mt_posterior *posterior,
                        const struct mt_hypothesis *hypotheses, int count)
{
    uint64_t hash = FIT_VERSION;
    for (int i = 0; i < count; i++) {
        mix(&hash, hypotheses[i].terms);
        mix(&hash, hypotheses[i].exponent);
        mix(&hash, hypotheses[i].split);
    }
    for (int i = 0; i < posterior->cells.count; i++) {
        struct mt_point *point = &posterior->points[i];
        mt_point_set_work(point, posterior, 0);
        mix(&hash, posterior->cells.all[i].y);
        mix(&hash, posterior->cells.all[i].runs);
        mix(&hash, point->data);
        mix(&hash, point->busiest);
    }
    for (int i = 0; i < posterior->nsplits; i++)
        for (int k = 0; k < MT_MAX_GROUPS * MT_MAX_GROUPS; k++)
            mix(&hash, (&posterior->splits[i].apart[0][0])[k]);
    return (double)(hash >> 12);
}

int mt_posterior_modes(struct mt_modes *modes, const struct mt_posterior *posterior,
                       struct mt_error *err)
{
    int count = 1;
    for (int i = 0; i < posterior->nparts; i++)
        count += NUMBERS + posterior->parts[i].parameters;
    double *values = malloc((size_t)count * sizeof *values), *at = values;
    if (!values)
        return mt_fail(err, MT_ENOMEM, "no memory for %d modes", posterior->nparts);
    *at++ = posterior->mark;
    for (int i = 0; i < posterior->nparts; i++) {
        const struct mt_part *part = &posterior->parts[i];
        at[TERMS] = part->hypothesis.terms;
        at[EXPONENT] = part->hypothesis.exponent;
        at[STEP] = part->hypothesis.step;
        at[SPLIT] = part->hypothesis.split;
        at[GRID] = part->grid;
        at[EVIDENCE] = part->evidence;
        memcpy(&at[NUMBERS], part->u, (size_t)part->parameters * sizeof *part->u);
        at += NUMBERS + part->parameters;
    }
    *modes = (struct mt_modes){values, count};
    return MT_OK;
}

static bool is_within(double value, int most)
{
    return value >= 0 && value <= most;
}

/* Take over a part whose evidence is still the same to the last bit; `at` moves on, or
   becomes NULL if the evidence differs. */
static int recall_part(struct mt_posterior *posterior, const double **at,
                       const double *end, struct mt_error *err)
{
    const double *values = *at;
    struct summit none = {-INFINITY, 0};
    *at = NULL;
    if (end - values < NUMBERS || !is_within(values[TERMS], (1 << MT_TERMS) - 1) ||
        !is_within(values[SPLIT], posterior->nsplits) ||
        !is_within(values[GRID], MT_GRID - 1))
        return MT_OK;
    const struct mt_hypothesis hypothesis = {(unsigned)values[TERMS], values[EXPONENT],
                                             values[STEP], (int)values[SPLIT]};
    const int parameters = mt_hypothesis_parameters(posterior, &hypothesis);
    if (__builtin_popcount(hypothesis.terms) >= MT_MOST_ROWS ||
        end - values < NUMBERS + parameters)
        return MT_OK;
    const int before = posterior->nparts;
    struct scan scan;
    int status = begin_scan(&scan, posterior, &hypothesis, &none, err);
    if (status == MT_OK)
        status = fit_at(&scan, (int)values[GRID], &values[NUMBERS], err);
    if (posterior->nparts > before &&
        posterior->parts[posterior->nparts - 1].evidence == values[EVIDENCE])
        *at = values + NUMBERS + parameters;
    mt_laplace_free(scan.laplace);
    return status;
}

/* Take over the parts of an earlier fit, or none. */
static int recall(struct mt_posterior *posterior, const struct mt_modes *modes,
                  struct mt_error *err)
{
    if (modes->count < 2 || modes->values[0] != posterior->mark)
        return MT_OK;
    const double *at = modes->values + 1, *end = modes->values + modes->count;
    int status = MT_OK;
    while (status == MT_OK && at && at < end)
        status = recall_part(posterior, &at, end, err);
    posterior->recalled = status == MT_OK && at == end;
    while (!posterior->recalled && posterior->nparts > 0)
        mt_part_clear(&posterior->parts[--posterior->nparts]);
    return status == MT_ENOMEM ? status : MT_OK; /* damaged modes are not used */
}

static int middle_of_grid(const struct mt_posterior *posterior)
{
    return (posterior->mixes / 2 * MT_TAUS + MT_TAUS / 2) * MT_SIGMAS + MT_SIGMAS / 2;
}

static int average(struct mt_posterior *posterior, const struct mt_modes *modes,
                   struct mt_error *err)
{
    struct mt_hypothesis hypotheses[MT_MOST_HYPOTHESES];
    int status = mt_discrepancy_init(posterior, err);
    struct summit best = {-INFINITY, middle_of_grid(posterior)};
    const int count = mt_hypotheses_list(posterior, hypotheses);
    posterior->mark = find_mark(posterior, hypotheses, count);
    if (status == MT_OK && modes)
        status = recall(posterior, modes, err);
    for (int i = 0; i < count && status == MT_OK && !posterior->recalled; i++)
        status = fit_hypothesis(posterior, &hypotheses[i], &best, err);
    if (status == MT_OK && posterior->nparts == 0)
        status = mt_fail(err, MT_ERANK, "the runs' times are not finite");
    for (int round = posterior->recalled; round < 2 && status == MT_OK; round++) {
        if (round > 0 && !posterior->recalled)
            status = add_details(posterior, &best, err);
        if (status == MT_OK) {
            weigh(posterior);
            status = find_mean(posterior, err);
        }
    }
    return status;
}

int mt_posterior_init(struct mt_posterior *posterior,
                      const struct mt_runs_origin *origin,
                      const struct mt_sample *samples, int count, struct mt_error *err)
{
    struct mt_posterior made = {.program = origin->program};
    if (count == 0)
        return mt_fail(err, MT_ENOTFOUND, "no run to learn from");
    int status = mt_cells_make(&made.cells, samples, count, err);
    if (status == MT_OK)
        status = find_speeds(&made, err);
    if (status == MT_OK)
        status = mt_splits_find(&made, origin, err);
    if (status == MT_OK) {
        find_sizes(&made);
        status = make_points(&made, err);
    }
    if (status == MT_OK) {
        find_noise(&made);
        status = average(&made, origin->modes, err);
    }
    if (status == MT_OK)
        *posterior = made;
    else
        mt_posterior_clear(&made);
    return status;
}

void mt_posterior_clear(struct mt_posterior *posterior)
{
    for (int i = 0; i < posterior->nparts; i++)
        mt_part_clear(&posterior->parts[i]);
    for (int grid = 0; grid < MT_GRID; grid++)
        free(posterior->whiteners[grid]);
    clear_mean(&posterior->mean);
    free(posterior->parts);
    free(posterior->alike);
    free(posterior->mixed);
    free(posterior->points);
    free(posterior->speeds);
    free(posterior->splits);
    mt_cells_clear(&posterior->cells);
    *posterior = (struct mt_posterior){0};
}
