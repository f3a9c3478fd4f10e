/* SPDX-License-Identifier: BSD-3-Clause */
/* Corrects predictions by the errors of measured runs, and sets their intervals. */
#include "internal.h"
#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "lib/math/least_squares.h"

#include <math.h>
#include <stdlib.h>

/* Distinct (configuration, size); the work grows with their third power. */
enum { MOST_POINTS = 500 };

/*
 * Shares of the models' variance that two points have in common: all points of a
 * program; those whose slowest group is the same with the same M; the same P, as a
 * program may divide its work badly for it; nearly the same use of the cluster; the
 * same groups; the same configuration, and that at the same size. They add up to 1.
 * Where groups are mixed, the models are wrong in the same way for many configurations.
 * A group alone is what its models were fitted to: what they get wrong there they get
 * wrong for this group and M.
 */
struct shares {
    double common, slowest, ranks, alike, groups, own, place;
};
static const struct shares mixed_shares = {0.16, 0.11, 0.07, 0.48, 0.1, 0.04, 0.04};
static const struct shares alone_shares = {0.1, 0.4, 0.1, 0.2, 0, 0.05, 0.15};
/* However small the models' error has become where groups are mixed, this is the
   deviation of a set of groups that never ran together. */
static const double set_deviation = 0.08;
/* What a use of the cluster may differ by until it is no longer alike: a group's share
   of the ranks, and the logarithms of ratios of P and of processes per node. Alone,
   where the group is the same, the P is closer. */
static const double share_reach = 0.3, mixed_rank_reach = 0.7, alone_rank_reach = 0.2,
                    processes_reach = 1;
/* Likewise of sizes. */
static const double size_reach = 3;
/* The least noise that a single run is taken to have, as a standard deviation. Up to so
   many half doublings of it are tried, and the likeliest is used. */
static const double least_noise = 0.02;
enum { MOST_DOUBLINGS = 6 };
/* An error larger than so many of the model's deviations counts as one of that size. */
static const double largest_error = 3;
/* Runs whose logarithms differ by more disagree. */
static const double disagreement = 0.2;
/* How many deviations hold 90 % of what is expected (of Student's distribution with ten
   degrees of freedom, as the deviations are estimates; the models' interval is read
   with the same number, so that it stays as it is where nothing was run), and the
   most that is taken for a deviation: beyond, nothing is known. */
static const double deviations_in_interval = 1.8, largest_deviation = 1;

struct mt_calibration_point {
    struct mt_configuration configuration;
    double size;
    int ranks;
    bool mixed;
    int slowest;             /* the group that decides the predicted time, and ... */
    struct mt_layout layout; /* ... its layout */
    double log_seconds;      /* predicted by the models alone */
    double deviation;        /* of the models' error */
    int runs;
    double sum, squares; /* of the logarithm of measured over predicted seconds */
    double least, most;  /* of these logarithms */
};

/* Which group's model gives the largest time. */
static int slowest_group(const struct mt_calibration *calibration,
                         const struct mt_configuration *configuration, double size,
                         int ranks)
{
    int slowest = -1;
    double most = -1;
    for (int g = 0; g < calibration->problem.cluster->ngroups; g++) {
        const struct mt_use *use = &configuration->use[g];
        const struct mt_model *model =
            use->nodes == 0
                ? NULL
                : mt_models_find(
                      calibration->problem.models, calibration->problem.program,
                      calibration->problem.cluster->groups[g].name, use->layout, ranks);
        const double seconds = model ? mt_model_seconds(model, size, ranks) : NAN;
        if (seconds > most) {
            most = seconds;
            slowest = g;
        }
    }
    return slowest;
}

/* What the models say. */
static int make_point(struct mt_calibration_point *point,
                      const struct mt_calibration *calibration,
                      const struct mt_configuration *configuration, double size,
                      struct mt_prediction *prediction, struct mt_error *err)
{
    const int status =
        mt_models_predict(&calibration->problem, configuration, size, prediction, err);
    if (status != MT_OK)
        return status;
    const int ranks = mt_configuration_ranks(configuration);
    const int slowest = slowest_group(calibration, configuration, size, ranks);
    const double deviation =
        log(prediction->high / prediction->seconds) / deviations_in_interval;
    *point = (struct mt_calibration_point){
        .configuration = *configuration,
        .size = size,
        .ranks = ranks,
        .mixed = mt_configuration_only_group(configuration) < 0,
        .slowest = slowest,
        .log_seconds = log(prediction->seconds),
        .deviation = fmin(deviation, largest_deviation),
    };
    if (slowest >= 0)
        point->layout = configuration->use[slowest].layout;
    return MT_OK;
}

static bool same_place(const struct mt_calibration_point *a,
                       const struct mt_calibration_point *b)
{
    return a->size == b->size &&
           mt_configuration_equal(&a->configuration, &b->configuration);
}

static bool same_groups(const struct mt_configuration *a,
                        const struct mt_configuration *b)
{
    bool same = true;
    for (int g = 0; g < MT_MAX_GROUPS; g++)
        same = same && (a->use[g].nodes > 0) == (b->use[g].nodes > 0);
    return same;
}

static double square(double x)
{
    return x * x;
}

/* Of processes on a node, and of the threads of each: the squares of logarithms. */
static double layout_distance(struct mt_layout a, struct mt_layout b)
{
    if (mt_layout_compare(a, b) == 0)
        return 0;
    const double threads = (double)mt_layout_threads(a) / mt_layout_threads(b);
    return square(log((double)a.processes / b.processes) / processes_reach) +
           square(log(threads) / processes_reach) + (a.bind != b.bind) +
           (a.gpus != b.gpus);
}

/* How alike two configurations use the cluster: 1: in the same way. */
static double likeness(const struct mt_calibration_point *a,
                       const struct mt_calibration_point *b)
{
    const double reach = a->mixed ? mixed_rank_reach : alone_rank_reach;
    double distance = square(log((double)a->ranks / b->ranks) / reach);
    for (int g = 0; g < MT_MAX_GROUPS && a->mixed; g++) {
        const struct mt_use *p = &a->configuration.use[g],
                            *q = &b->configuration.use[g];
        if (p->nodes == 0 && q->nodes == 0)
            continue;
        const double first = (double)p->nodes * p->layout.processes / a->ranks;
        const double second = (double)q->nodes * q->layout.processes / b->ranks;
        distance += square((first - second) / share_reach);
        if (p->nodes > 0 && q->nodes > 0)
            distance += fmin(first, second) * layout_distance(p->layout, q->layout);
    }
    return exp(-distance / 2);
}

/* What a set of groups may be wrong by beside the models' deviation. */
static double particular(const struct mt_calibration_point *point)
{
    return sqrt(fmax(0, square(set_deviation) - square(point->deviation) / 2));
}

/* The covariance of the models' errors at two points. */
static double covariance(const struct mt_calibration_point *a,
                         const struct mt_calibration_point *b)
{
    if (a->mixed != b->mixed)
        return 0;
    const struct shares *shares = a->mixed ? &mixed_shares : &alone_shares;
    const bool together = a->mixed && same_groups(&a->configuration, &b->configuration);
    double share = shares->common + shares->alike * likeness(a, b);
    if (a->slowest == b->slowest && mt_layout_compare(a->layout, b->layout) == 0)
        share += shares->slowest;
    if (a->ranks == b->ranks)
        share += shares->ranks;
    if (together)
        share += shares->groups;
    if (mt_configuration_equal(&a->configuration, &b->configuration))
        share += shares->own;
    const double fading = exp(-fabs(log(a->size / b->size)) / size_reach);
    share *= fading;
    if (same_place(a, b))
        share += shares->place;
    return a->deviation * b->deviation * share +
           (together ? particular(a) * particular(b) * fading : 0);
}

/* The error at a point. What disturbs a run makes it slower, hardly faster: of two that
   disagree the slower one counts. */
static double error_at(const struct mt_calibration_point *point)
{
    return point->runs == 2 && point->most - point->least > disagreement
               ? point->most
               : point->sum / point->runs;
}

/* As far as it counts for other points. */
static double bounded_error(const struct mt_calibration_point *point)
{
    const double bound = largest_error * point->deviation;
    return fmax(-bound, fmin(bound, error_at(point)));
}

/* What the bound leaves out. It counts for the point itself, but for a single run that
   was too fast to be true. */
static double error_beyond_bound(const struct mt_calibration_point *point)
{
    const double beyond = error_at(point) - bounded_error(point);
    return point->runs == 1 ? fmax(0, beyond) : beyond;
}

/* Factor the points' covariance, and weigh their errors with its inverse, when a single
   run's noise has the variance `noise`; how likely the errors are then. */
static int factor_with(const struct mt_calibration *calibration, double noise,
                       double *factor, double *weights, double *likelihood,
                       struct mt_error *err)
{
    const int n = calibration->count;
    const struct mt_calibration_point *points = calibration->points;
    for (int j = 0; j < n; j++) {
        double *column = factor + (size_t)j * (size_t)n;
        for (int i = j; i < n; i++)
            column[i] = covariance(&points[i], &points[j]);
        column[j] += noise / points[j].runs;
        weights[j] = bounded_error(&points[j]);
    }
    int status = mt_factor_cholesky(factor, n, err);
    if (status == MT_OK)
        status = mt_solve_cholesky(factor, n, weights, err);
    const double doublings = log2(noise / (least_noise * least_noise)) / 2;
    *likelihood = -doublings * doublings / 2;
    for (int i = 0; i < n; i++) {
        const struct mt_calibration_point *point = &points[i];
        const double scatter =
            fmax(0, point->squares - point->sum * point->sum / point->runs);
        *likelihood -= (bounded_error(point) * weights[i] + scatter / noise +
                        (point->runs - 1) * log(noise)) /
                           2 +
                       log(factor[(size_t)i * (size_t)n + (size_t)i]);
    }
    return status;
}

/* The noise for which the errors are the most likely. With too little of it the
   covariance of many points may not be positive definite. */
static int find_noise(struct mt_calibration *calibration, double *factor,
                      double *weights, struct mt_error *err)
{
    double best = -INFINITY;
    int status = MT_OK;
    for (int step = 0; step <= MOST_DOUBLINGS; step++) {
        const double deviation = least_noise * exp2(step / 2.0);
        double likelihood;
        status = factor_with(calibration, deviation * deviation, factor, weights,
                             &likelihood, err);
        if (status == MT_ERANK)
            continue;
        if (status != MT_OK)
            return status;
        if (likelihood > best) {
            best = likelihood;
            calibration->noise = deviation * deviation;
        }
    }
    return best > -INFINITY ? MT_OK : status;
}

static int solve(struct mt_calibration *calibration, struct mt_error *err)
{
    const size_t n = (size_t)calibration->count;
    if (n == 0)
        return MT_OK;
    double *factor = malloc(n * n * sizeof *factor);
    double *weights = malloc(n * sizeof *weights);
    int status = MT_ENOMEM;
    if (factor && weights)
        status = find_noise(calibration, factor, weights, err);
    else
        mt_fail(err, status, "no memory to calibrate by %d runs", calibration->count);
    double likelihood;
    if (status == MT_OK)
        status = factor_with(calibration, calibration->noise, factor, weights,
                             &likelihood, err);
    if (status != MT_OK) {
        free(factor);
        free(weights);
        return status;
    }
    free(calibration->factor);
    free(calibration->weights);
    calibration->factor = factor;
    calibration->weights = weights;
    return MT_OK;
}

/* Put a run to the point that it belongs to. Unpredictable ones are passed over. */
static int take_in(struct mt_calibration *calibration, const struct mt_sample *sample,
                   struct mt_error *err)
{
    struct mt_calibration_point point;
    struct mt_prediction prediction;
    int status = make_point(&point, calibration, &sample->configuration, sample->size,
                            &prediction, err);
    if (status == MT_ENOTFOUND)
        return MT_OK;
    if (status != MT_OK)
        return status;
    int i = 0;
    while (i < calibration->count && !same_place(&calibration->points[i], &point))
        i++;
    if (i == calibration->count) {
        status = mt_array_grow(&calibration->points, i, sizeof point,
                               "runs to calibrate by", err);
        if (status != MT_OK)
            return status;
        calibration->points[calibration->count++] = point;
    }
    const double error = log(sample->seconds) - point.log_seconds;
    struct mt_calibration_point *place = &calibration->points[i];
    place->least = place->runs == 0 ? error : fmin(place->least, error);
    place->most = place->runs == 0 ? error : fmax(place->most, error);
    place->runs++;
    place->sum += error;
    place->squares += error * error;
    return MT_OK;
}

int mt_calibration_init(struct mt_calibration *calibration,
                        const struct mt_problem *problem,
                        const struct mt_sample *samples, int nsamples,
                        struct mt_error *err)
{
    struct mt_calibration made = {.problem = *problem};
    int status = MT_OK;
    for (int i = nsamples - 1; i >= 0 && status == MT_OK && made.count < MOST_POINTS;
         i--)
        status = take_in(&made, &samples[i], err);
    if (status == MT_OK)
        status = solve(&made, err);
    if (status == MT_OK)
        *calibration = made;
    else
        mt_calibration_clear(&made);
    return status;
}

void mt_calibration_clear(struct mt_calibration *calibration)
{
    free(calibration->points);
    free(calibration->factor);
    free(calibration->weights);
    *calibration = (struct mt_calibration){0};
}

int mt_calibration_add(struct mt_calibration *calibration,
                       const struct mt_sample *sample, struct mt_error *err)
{
    const int status = take_in(calibration, sample, err);
    return status == MT_OK ? solve(calibration, err) : status;
}

/* The error that is expected at a point, and the variance that is left of it. */
static int expected_error(const struct mt_calibration *calibration,
                          const struct mt_calibration_point *point, double *mean,
                          double *variance, struct mt_error *err)
{
    const int n = calibration->count;
    *mean = 0;
    *variance = covariance(point, point);
    if (n == 0)
        return MT_OK;
    double *shared = malloc((size_t)n * sizeof *shared);
    if (!shared)
        return mt_fail(err, MT_ENOMEM, "no memory to calibrate by %d runs", n);
    for (int i = 0; i < n; i++) {
        shared[i] = covariance(point, &calibration->points[i]);
        *mean += shared[i] * calibration->weights[i];
        if (same_place(point, &calibration->points[i]))
            *mean += error_beyond_bound(&calibration->points[i]);
    }
    const int status = mt_solve_lower(calibration->factor, n, shared, err);
    for (int i = 0; i < n; i++)
        *variance -= shared[i] * shared[i];
    *variance = fmax(0, *variance);
    free(shared);
    return status;
}

int mt_calibration_predict(const struct mt_calibration *calibration,
                           const struct mt_configuration *configuration, double size,
                           struct mt_prediction *prediction, double *deviation,
                           struct mt_error *err)
{
    struct mt_calibration_point point;
    struct mt_prediction result;
    double mean, variance;
    int status = make_point(&point, calibration, configuration, size, &result, err);
    if (status == MT_OK)
        status = expected_error(calibration, &point, &mean, &variance, err);
    if (status != MT_OK)
        return status;
    const double spread =
        exp(deviations_in_interval * sqrt(variance + calibration->noise));
    result.seconds = exp(point.log_seconds + mean);
    if (isfinite(result.high)) {
        result.low = result.seconds / spread;
        result.high = result.seconds * spread;
    }
    *prediction = result;
    if (deviation)
        *deviation = sqrt(variance);
    return MT_OK;
}

/* What the runs tell of the points' errors: `told` has room for a column a point, of
   as many entries as there are runs to calibrate by. */
static int find_joint(struct mt_joint *joint, const struct mt_calibration *calibration,
                      const struct mt_calibration_point *points, double *told,
                      struct mt_error *err)
{
    const size_t n = (size_t)calibration->count, count = (size_t)joint->count;
    int status = MT_OK;
    for (size_t i = 0; i < count && status == MT_OK; i++) {
        double mean, variance, *column = told + i * n;
        for (size_t k = 0; k < n; k++)
            column[k] = covariance(&points[i], &calibration->points[k]);
        status = expected_error(calibration, &points[i], &mean, &variance, err);
        joint->means[i] = points[i].log_seconds + mean;
        if (status == MT_OK && n > 0)
            status = mt_solve_lower(calibration->factor, (int)n, column, err);
    }
    for (size_t j = 0; j < count && status == MT_OK; j++)
        for (size_t i = j; i < count; i++) {
            double left = covariance(&points[i], &points[j]);
            for (size_t k = 0; k < n; k++)
                left -= told[i * n + k] * told[j * n + k];
            joint->covariance[j * count + i] = left;
        }
    return status;
}

int mt_calibration_joint(struct mt_joint *joint,
                         const struct mt_calibration *calibration,
                         const struct mt_configuration *configurations, int count,
                         double size, struct mt_error *err)
{
    const size_t room = (size_t)count + 1;
    struct mt_calibration_point *points = calloc(room, sizeof *points);
    double *told = calloc(room * ((size_t)calibration->count + 1), sizeof *told);
    struct mt_joint made = {.count = count,
                            .means = calloc(room, sizeof *made.means),
                            .covariance = calloc(room * room, sizeof(double))};
    struct mt_prediction prediction;
    int status =
        points && told && made.means && made.covariance
            ? MT_OK
            : mt_fail(err, MT_ENOMEM, "no memory for %d configurations", count);
    for (int i = 0; i < count && status == MT_OK; i++)
        status = make_point(&points[i], calibration, &configurations[i], size,
                            &prediction, err);
    if (status == MT_OK)
        status = find_joint(&made, calibration, points, told, err);
    free(points);
    free(told);
    if (status == MT_OK)
        *joint = made;
    else
        mt_joint_clear(&made);
    return status;
}

void mt_joint_clear(struct mt_joint *joint)
{
    free(joint->means);
    free(joint->covariance);
    *joint = (struct mt_joint){0};
}
