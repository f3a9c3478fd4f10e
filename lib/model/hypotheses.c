/* SPDX-License-Identifier: BSD-3-Clause */
/* Hypotheses of the run time: a compute term, and a few terms for serial work and
   messages, every coefficient of them the exponential of a parameter, so that none is
   negative. */
#include "posterior.h"
#include "tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    S = 1 << MT_TERM_ONE,
    W = 1 << MT_TERM_WORK,
    SURFACE = 1 << MT_TERM_SURFACE,
    SERIAL = S | W | SURFACE,
    LOG = 1 << MT_TERM_LOG,
    RANKS = 1 << MT_TERM_RANKS,
    ROOT = 1 << MT_TERM_ROOT,
    FACES3 = 1 << MT_TERM_FACES3,
    FACES2 = 1 << MT_TERM_FACES2,
    ALL_TO_ALL = 1 << MT_TERM_ALL_TO_ALL,
    SURFACE_LOG = 1 << MT_TERM_SURFACE_LOG,
    WORK_LOG = 1 << MT_TERM_WORK_LOG,
    CACHE = 1 << MT_TERM_CACHE
};

static const unsigned of_one_size[] = {S,          S | LOG,    S | RANKS,
                                       S | FACES3, S | FACES2, S | ROOT};
static const unsigned of_sizes[] = {
    S,
    S | W,
    S | LOG,
    S | W | LOG | WORK_LOG,
    S | W | RANKS,
    S | LOG | FACES3,
    S | W | LOG | FACES3,
    S | LOG | FACES2,
    S | W | LOG | FACES2,
    S | RANKS | ALL_TO_ALL,
    S | W | RANKS | ALL_TO_ALL,
    S | SURFACE | LOG | SURFACE_LOG,
};

int mt_hypotheses_list(const struct mt_posterior *posterior,
                       struct mt_hypothesis hypotheses[MT_MOST_HYPOTHESES])
{
    int count = 0;
    const int split = posterior->checked ? 1 : 0;
    if (posterior->one_size) {
        for (size_t i = 0; i < sizeof of_one_size / sizeof *of_one_size; i++)
            hypotheses[count++] =
                (struct mt_hypothesis){.terms = of_one_size[i], .split = split};
        return count;
    }
    const bool known = posterior->reference_work > 0;
    const size_t ways = known ? 1 : sizeof exponents / sizeof *exponents;
    for (size_t k = 0; k < ways; k++)
        for (size_t i = 0; i < sizeof of_sizes / sizeof *of_sizes; i++)
            hypotheses[count++] =
                (struct mt_hypothesis){.terms = of_sizes[i],
                                       .exponent = known ? 0 : exponents[k],
                                       .split = split};
    return count;
}

int mt_hypothesis_details(struct mt_posterior *posterior,
                          const struct mt_hypothesis *hypothesis, bool splits,
                          struct mt_hypothesis details[MT_MOST_DETAILS])
{
    int count = 0;
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < posterior->cells.count; i++) {
        struct mt_point *point = &posterior->points[i];
        mt_point_set_work(point, posterior, hypothesis->exponent);
        least = fmin(least, point->data);
        most = fmax(most, point->data);
    }
    for (int i = 0; i < MT_STEPS && most - least > 2 * mt_step_width; i++) {
        details[count] = *hypothesis;
        details[count].terms |= CACHE;
        details[count++].step = least + (most - least) * (i + 1) / (MT_STEPS + 1);
    }
    splits &= posterior->mixes > 1 && !posterior->checked &&
              (hypothesis->terms & ~(unsigned)(SERIAL | CACHE)) != 0;
    for (int i = 0; i < posterior->nsplits && splits; i++) {
        details[count] = *hypothesis;
        details[count++].split = i + 1;
    }
    return count;
}

/*
 * Values.
 */

/* The places of parameters after the speeds. */
struct places {
    int exponent, terms, networks, inside, processes, split, count;
};

static struct places places_of(const struct mt_posterior *posterior,
                               const struct mt_hypothesis *hypothesis)
{
    const int exponent = posterior->nspeeds,
              networks = exponent + 1 + __builtin_popcount(hypothesis->terms),
              inside = networks + posterior->ngroups;
    return (struct places){.exponent = exponent,
                           .terms = exponent + 1,
                           .networks = networks,
                           .inside = inside,
                           .processes = inside + 1,
                           .split = inside + 2,
                           .count = inside + 2 + (hypothesis->split > 0)};
}

int mt_hypothesis_parameters(const struct mt_posterior *posterior,
                             const struct mt_hypothesis *hypothesis)
{
    return places_of(posterior, hypothesis).count;
}

static double blended(const struct mt_blend *blend, const double *u)
{
    return blend->weight[0] * u[blend->speed[0]] +
           blend->weight[1] * u[blend->speed[1]];
}

static void add_blend(double *gradient, const struct mt_blend *blend, double factor)
{
    gradient[blend->speed[0]] += factor * blend->weight[0];
    gradient[blend->speed[1]] += factor * blend->weight[1];
}

static double apart(const struct mt_posterior *posterior,
                    const struct mt_hypothesis *hypothesis,
                    const struct mt_point *point)
{
    return hypothesis->split > 0
               ? mt_split_value(&posterior->splits[hypothesis->split - 1], point)
               : 0;
}

/* Logarithms that all terms of serial work, and all of messages, have in common. */
struct factors {
    double serial, messages, apart;
};

static struct factors factors_of(const struct mt_posterior *posterior,
                                 const struct mt_hypothesis *hypothesis,
                                 const double *u, const struct mt_point *point)
{
    const struct places where = places_of(posterior, hypothesis), *at = &where;
    struct factors factors = {.messages = u[at->processes] * point->log_processes,
                              .apart = apart(posterior, hypothesis, point)};
    if (hypothesis->split > 0)
        factors.messages += u[at->split] * factors.apart;
    if (point->nodes == 1)
        factors.messages += u[at->inside];
    for (int i = 0; i < point->nportions; i++) {
        const struct mt_portion *portion = &point->portions[i];
        factors.serial += portion->share * blended(&portion->serial, u);
        factors.messages += portion->share * u[at->networks + portion->group];
    }
    return factors;
}

/* The seconds of a portion, term by term: that of the compute term is the first. */
static double portion_seconds(const struct mt_hypothesis *hypothesis,
                              const struct places *at, const double *u,
                              const struct mt_point *point,
                              const struct mt_portion *portion,
                              const struct factors *factors,
                              double seconds[MT_MOST_ROWS])
{
    double sum =
        point->busiest *
        exp(blended(&portion->compute, u) +
            (hypothesis->exponent > 0 ? u[at->exponent] * point->log_size : 0));
    int k = 0;
    seconds[0] = sum;
    for (int term = 0; term < MT_TERMS; term++) {
        if (!(hypothesis->terms & 1u << term))
            continue;
        if (term == MT_TERM_CACHE) {
            const double beyond = (point->data - hypothesis->step) / mt_step_width;
            seconds[k + 1] = seconds[0] * exp(u[at->terms + k]) / (1 + exp(-beyond));
            sum += seconds[++k];
            continue;
        }
        const double common = SERIAL & 1u << term ? factors->serial : factors->messages;
        seconds[k + 1] = portion->terms[term] * exp(u[at->terms + k] + common);
        sum += seconds[++k];
    }
    return sum;
}

void mt_hypothesis_rows(const struct mt_posterior *posterior,
                        const struct mt_hypothesis *hypothesis, const double *u,
                        const struct mt_point *point, const struct mt_portion *portion,
                        struct mt_rows *rows)
{
    const struct places at = places_of(posterior, hypothesis);
    const double serial = blended(&portion->serial, u),
                 messages = u[at.networks + portion->group] +
                            u[at.processes] *
                                (log(portion->processes) - posterior->log_processes),
                 inside_ = point->nodes == 1 ? u[at.inside] : 0;
    *rows = (struct mt_rows){.count = 1};
    rows->own[0] = log(point->busiest) + blended(&portion->compute, u) +
                   (hypothesis->exponent > 0 ? u[at.exponent] * point->log_size : 0);
    for (int term = 0; term < MT_TERMS; term++) {
        if (!(hypothesis->terms & 1u << term))
            continue;
        const bool is_serial = SERIAL & 1u << term;
        const int k = rows->count++;
        if (term == MT_TERM_CACHE) {
            rows->own[k] = rows->own[0] + u[at.terms + k - 1] -
                           log1p(exp((hypothesis->step - point->data) / mt_step_width));
            continue;
        }
        rows->own[k] =
            log(portion->terms[term]) + u[at.terms + k - 1] + (is_serial ? 0 : inside_);
        rows->mean[k] = is_serial ? serial : messages;
        rows->apart[k] = hypothesis->split > 0 && !is_serial ? u[at.split] : 0;
    }
}

/* The portion that takes longest, term by term. */
struct slowest {
    const struct mt_portion *portion;
    double seconds[MT_MOST_ROWS];
    double apart; /* of the point */
};

int mt_hypothesis_row_count(const struct mt_hypothesis *hypothesis)
{
    return 1 + __builtin_popcount(hypothesis->terms);
}

/* The gradient of the logarithm of each term, a row each, and their shares. */
static void write_slopes(struct mt_slopes *slopes,
                         const struct mt_hypothesis *hypothesis,
                         const struct places *at, const struct mt_point *point,
                         const struct slowest *slowest)
{
    const int p = at->count;
    const double *seconds = slowest->seconds;
    double sum = seconds[0], *row = slopes->rows;
    slopes->count = 1;
    memset(slopes->rows, 0,
           (size_t)(mt_hypothesis_row_count(hypothesis) * p) * sizeof *row);
    add_blend(row, &slowest->portion->compute, 1);
    row[at->exponent] = hypothesis->exponent > 0 ? point->log_size : 0;
    for (int term = 0; term < MT_TERMS; term++) {
        if (!(hypothesis->terms & 1u << term))
            continue;
        const bool serial = SERIAL & 1u << term;
        row += p;
        if (term == MT_TERM_CACHE)
            memcpy(row, slopes->rows, (size_t)p * sizeof *row);
        row[at->terms + slopes->count - 1] = 1;
        if (term == MT_TERM_CACHE) {
            sum += seconds[slopes->count++];
            continue;
        }
        row[at->inside] = !serial && point->nodes == 1;
        row[at->processes] = serial ? 0 : point->log_processes;
        if (hypothesis->split > 0)
            row[at->split] = serial ? 0 : slowest->apart;
        for (int i = 0; i < point->nportions; i++) {
            const struct mt_portion *portion = &point->portions[i];
            if (serial)
                add_blend(row, &portion->serial, portion->share);
            else
                row[at->networks + portion->group] += portion->share;
        }
        sum += seconds[slopes->count++];
    }
    for (int k = 0; k < slopes->count; k++)
        slopes->shares[k] = seconds[k] / sum;
    slopes->nused = 0;
    for (int i = 0; i < p; i++) {
        bool used = false;
        slopes->gradient[i] = 0;
        for (int k = 0; k < slopes->count; k++) {
            slopes->gradient[i] += slopes->shares[k] * slopes->rows[k * p + i];
            used |= slopes->rows[k * p + i] != 0;
        }
        if (used)
            slopes->used[slopes->nused++] = i;
    }
}

double mt_hypothesis_value(const struct mt_posterior *posterior,
                           const struct mt_hypothesis *hypothesis, const double *u,
                           const struct mt_point *point, struct mt_slopes *slopes)
{
    const struct places at = places_of(posterior, hypothesis);
    const struct factors factors = factors_of(posterior, hypothesis, u, point);
    struct slowest slowest = {.portion = point->portions, .apart = factors.apart};
    double most = 0, seconds[MT_MOST_ROWS];
    for (int i = 0; i < point->nportions; i++) {
        const struct mt_portion *portion = &point->portions[i];
        const double sum =
            portion_seconds(hypothesis, &at, u, point, portion, &factors, seconds);
        if (sum < most)
            continue;
        most = sum;
        slowest.portion = portion;
        memcpy(slowest.seconds, seconds, sizeof seconds);
    }
    if (slopes)
        write_slopes(slopes, hypothesis, &at, point, &slowest);
    return log(most);
}

void mt_hypothesis_portions(const struct mt_posterior *posterior,
                            const struct mt_hypothesis *hypothesis, const double *u,
                            const struct mt_point *point,
                            struct mt_portion_seconds seconds[MT_MAX_GROUPS])
{
    const struct places at = places_of(posterior, hypothesis);
    const struct factors factors = factors_of(posterior, hypothesis, u, point);
    for (int i = 0; i < point->nportions; i++) {
        double terms[MT_MOST_ROWS];
        int k = 0;
        portion_seconds(hypothesis, &at, u, point, &point->portions[i], &factors,
                        terms);
        seconds[i] = (struct mt_portion_seconds){.compute = terms[0]};
        for (int term = 0; term < MT_TERMS; term++)
            if (hypothesis->terms & 1u << term)
                *(term == MT_TERM_CACHE ? &seconds[i].compute
                  : SERIAL & 1u << term ? &seconds[i].serial
                                        : &seconds[i].messages) += terms[++k];
    }
}

/* A term in words: the text of the work between two parts. */
struct words {
    const char *before, *after; /* NULL: without the work */
};

static const struct words words[MT_TERMS] = {
    [MT_TERM_ONE] = {"1", NULL},
    [MT_TERM_WORK] = {"", ""},
    [MT_TERM_SURFACE] = {"", "^(2/3)"},
    [MT_TERM_LOG] = {"log2 P", NULL},
    [MT_TERM_RANKS] = {"P", NULL},
    [MT_TERM_ROOT] = {"sqrt P", NULL},
    [MT_TERM_FACES3] = {"(", "/P)^(2/3) sqrt M"},
    [MT_TERM_FACES2] = {"(", "/P)^(1/2) sqrt M"},
    [MT_TERM_ALL_TO_ALL] = {"", "/P M"},
    [MT_TERM_SURFACE_LOG] = {"", "^(2/3) log2 P"},
    [MT_TERM_WORK_LOG] = {"", " log2 P"},
    [MT_TERM_CACHE] = {"a cache step", NULL},
};

void mt_hypothesis_format(char text[MT_HYPOTHESIS_TEXT],
                          const struct mt_posterior *posterior,
                          const struct mt_hypothesis *hypothesis)
{
    const double exponent = hypothesis->exponent;
    char power[16];
    snprintf(power, sizeof power, exponent == 1 ? "N" : "N^%g", exponent);
    const char *work = posterior->one_size ? "1" : exponent > 0 ? power : "work";
    int length = snprintf(text, MT_HYPOTHESIS_TEXT, "%s/P", work);
    for (int term = 0; term < MT_TERMS; term++)
        if (hypothesis->terms & 1u << term)
            length +=
                snprintf(text + length, MT_HYPOTHESIS_TEXT - (size_t)length,
                         " + %s%s%s", words[term].before, words[term].after ? work : "",
                         words[term].after ? words[term].after : "");
    if (hypothesis->split > 0)
        snprintf(text + length, MT_HYPOTHESIS_TEXT - (size_t)length, ", %s",
                 posterior->splits[hypothesis->split - 1].text);
}

void mt_slopes_add_curvature(const struct mt_slopes *slopes, int p, double factor,
                             double *matrix)
{
    for (int i = 0; i < slopes->nused; i++) {
        const int a = slopes->used[i];
        double weighted[MT_MOST_ROWS];
        for (int k = 0; k < slopes->count; k++)
            weighted[k] = factor * slopes->shares[k] * slopes->rows[k * p + a];
        for (int j = 0; j <= i; j++) {
            const int b = slopes->used[j];
            double sum = -factor * slopes->gradient[a] * slopes->gradient[b];
            for (int k = 0; k < slopes->count; k++)
                sum += weighted[k] * slopes->rows[k * p + b];
            matrix[b * p + a] += sum;
        }
    }
}

/*
 * The prior.
 */

/* Whether a cell ran on this speed's group and layout alone. */
static bool is_of(const struct mt_posterior *posterior, int i, int speed)
{
    const struct mt_point *point = &posterior->points[i];
    return point->nportions == 1 && point->portions[0].own == speed;
}

/* Each speed's level by the run on the fewest processes; if it never ran alone, the
   mean of the others, or of all runs. */
static void find_levels(const struct mt_posterior *posterior, double *levels)
{
    double sum = 0, any = 0;
    int known = 0;
    for (int i = 0; i < posterior->cells.count; i++) {
        const struct mt_point *point = &posterior->points[i];
        any += posterior->cells.all[i].y - log(point->busiest);
    }
    for (int k = 0; k < posterior->nspeeds; k++) {
        double fewest = INFINITY;
        levels[k] = NAN;
        for (int i = 0; i < posterior->cells.count; i++) {
            const struct mt_point *point = &posterior->points[i];
            if (!is_of(posterior, i, k) || point->ranks > fewest)
                continue;
            const double level = posterior->cells.all[i].y - log(point->busiest);
            levels[k] = point->ranks < fewest ? level : fmin(level, levels[k]);
            fewest = point->ranks;
        }
        if (isnan(levels[k]))
            continue;
        sum += levels[k];
        known++;
    }
    for (int k = 0; k < posterior->nspeeds; k++)
        if (isnan(levels[k]))
            levels[k] = known > 0 ? sum / known : any / posterior->cells.count;
}

/* The cell of a speed alone with the most processes, and of these the largest size; -1:
   none. */
static int largest_cell(const struct mt_posterior *posterior, int speed)
{
    int largest = -1;
    for (int i = 0; i < posterior->cells.count; i++) {
        if (!is_of(posterior, i, speed))
            continue;
        const struct mt_point *point = &posterior->points[i],
                              *most = largest < 0 ? NULL : &posterior->points[largest];
        if (!most || point->ranks > most->ranks ||
            (point->ranks == most->ranks && point->size > most->size))
            largest = i;
    }
    return largest;
}

/* The logarithm of the coefficient with which a term alone would take all of the time
   of the largest runs; far below everything if the term is 0 in all of them. */
static double whole_share(const struct mt_posterior *posterior, enum mt_term term,
                          const double *levels)
{
    double sum = 0;
    int count = 0;
    for (int k = 0; k < posterior->nspeeds; k++) {
        const int i = largest_cell(posterior, k);
        if (i < 0)
            continue;
        const struct mt_point *point = &posterior->points[i];
        const double value = point->portions[0].terms[term];
        if (value <= 0)
            continue;
        sum += posterior->cells.all[i].y - log(value);
        if (SERIAL & 1u << term)
            sum -= blended(&point->portions[0].serial, levels);
        count++;
    }
    return count > 0 ? sum / count : -20;
}

static double speed_covariance(const struct mt_speed *a, const struct mt_speed *b)
{
    const int fewer = a->layout.processes < b->layout.processes ? a->layout.processes
                                                                : b->layout.processes;
    if (a->group != b->group)
        return 0;
    return mt_speed_sd * mt_speed_sd + mt_doubling_sd * mt_doubling_sd * log2(fewer) +
           (a == b ? mt_own_sd * mt_own_sd : 0);
}

void mt_hypothesis_prior(const struct mt_posterior *posterior,
                         const struct mt_hypothesis *hypothesis, double *mean,
                         double *covariance)
{
    const struct places at = places_of(posterior, hypothesis);
    const int n = at.count;
    for (int i = 0; i < n * n; i++)
        covariance[i] = 0;
    find_levels(posterior, mean);
    for (int a = 0; a < posterior->nspeeds; a++)
        for (int b = 0; b < posterior->nspeeds; b++)
            covariance[a * n + b] =
                speed_covariance(&posterior->speeds[a], &posterior->speeds[b]);
    mean[at.exponent] = 0;
    covariance[(size_t)at.exponent * (n + 1)] = mt_exponent_sd * mt_exponent_sd;
    for (int term = 0, k = at.terms; term < MT_TERMS; term++) {
        if (!(hypothesis->terms & 1u << term))
            continue;
        const bool cache = term == MT_TERM_CACHE;
        mean[k] =
            cache ? log(mt_cache)
                  : whole_share(posterior, (enum mt_term)term, mean) + log(mt_share);
        covariance[(size_t)k * (n + 1)] = pow(cache ? mt_cache_sd : mt_share_sd, 2);
        k++;
    }
    for (int g = 0; g < posterior->ngroups; g++) {
        mean[at.networks + g] = 0;
        covariance[(size_t)(at.networks + g) * (n + 1)] =
            posterior->ngroups > 1 ? mt_network_sd * mt_network_sd : 1e-6;
    }
    mean[at.inside] = log(mt_inside);
    covariance[(size_t)at.inside * (n + 1)] = mt_inside_sd * mt_inside_sd;
    mean[at.processes] = 0;
    covariance[(size_t)at.processes * (n + 1)] = mt_processes_sd * mt_processes_sd;
    if (hypothesis->split > 0) {
        const struct mt_split *split = &posterior->splits[hypothesis->split - 1];
        mean[at.split] = split->mean;
        covariance[(size_t)at.split * (n + 1)] = split->deviation * split->deviation;
    }
}
