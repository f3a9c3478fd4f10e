/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts configurations by the models of their groups. */
#include "internal.h"
#include "lib/input/internal.h"
#include "posterior.h"
#include "tuning.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_SPLIT = -1 };

const char mt_default_terms_nt[] = "N^3, N^2, N, 1";
const char mt_default_terms_pt[] = "T/P, P*T, 1";
const char mt_default_terms_npt[] = "N^3/P, N^2/P, N/P, 1/P, P*N^2, P*N, P, N^2, N, 1";

int mt_fit_options_copy(struct mt_fit_options *copy,
                        const struct mt_fit_options *options, struct mt_error *err)
{
    struct mt_fit_options made = *options;
    made.terms = options->terms ? strdup(options->terms) : NULL;
    made.sizes =
        options->sizes ? calloc((size_t)options->nsizes + 1, sizeof *made.sizes) : NULL;
    if (made.sizes)
        memcpy(made.sizes, options->sizes,
               (size_t)options->nsizes * sizeof *made.sizes);
    if ((options->terms && !made.terms) || (options->sizes && !made.sizes)) {
        mt_fit_options_clear(&made);
        return mt_fail(err, MT_ENOMEM, "no memory for the options of a fit");
    }
    *copy = made;
    return MT_OK;
}

void mt_fit_options_clear(struct mt_fit_options *options)
{
    free(options->terms);
    free(options->sizes);
    *options = (struct mt_fit_options){0};
}

void mt_models_clear(struct mt_models *models)
{
    for (int i = 0; i < models->count; i++)
        mt_model_clear(&models->models[i]);
    for (int i = 0; i < models->nrefused; i++) {
        free(models->refused[i].subject);
        free(models->refused[i].reason);
    }
    for (int i = 0; i < models->ndropped; i++) {
        free(models->dropped[i].configuration);
        free(models->dropped[i].reason);
    }
    mt_fit_options_clear(&models->options);
    if (models->posterior)
        mt_posterior_clear(models->posterior);
    free(models->posterior);
    free(models->modes.values);
    free(models->formulas);
    free(models->models);
    free(models->refused);
    free(models->dropped);
    *models = (struct mt_models){0};
}

int mt_models_split(const struct mt_program *program, int ranks)
{
    if (!program->split)
        return NO_SPLIT;
    const double values[MT_NVARIABLES] = {
        [MT_N] = 1, [MT_P] = ranks, [MT_M] = 1, [MT_T] = 1};
    return mt_expr_value(program->split, values) != 0;
}

const struct mt_model *mt_models_find(const struct mt_models *models,
                                      const struct mt_program *program,
                                      const char *group, struct mt_layout layout,
                                      int ranks)
{
    const int split = mt_models_split(program, ranks);
    for (int i = 0; i < models->count; i++) {
        const struct mt_model *model = &models->models[i];
        if (!model->configuration && mt_layout_compare(model->layout, layout) == 0 &&
            (model->split == NO_SPLIT || model->split == split) &&
            strcmp(model->group, group) == 0)
            return model;
    }
    return NULL;
}

/* Number of doublings by which x lies outside low .. high. */
static double doublings_outside(double x, double low, double high)
{
    if (x > high)
        return log2(x / high);
    return x < low ? log2(low / x) : 0;
}

/* Make a prediction that of the slowest group so far, whose model this is. */
static void take_in(struct mt_prediction *slowest, const struct mt_model *model,
                    double size, int ranks)
{
    const double seconds = mt_model_seconds(model, size, ranks);
    const double doublings =
        doublings_outside(size, model->size_low, model->size_high) +
        doublings_outside(ranks, model->ranks_low, model->ranks_high);
    const double seen = isnan(model->cross_validated)
                            ? fmax(unseen_error, 3 * model->residual)
                            : fmax(model->cross_validated, model->residual);
    const double spread = exp(errors_in_interval * (seen * (1 + doublings / 2)));
    slowest->extrapolated |= doublings > 0;
    if (seconds <= slowest->seconds)
        return;
    slowest->seconds = seconds;
    slowest->low = seconds / spread;
    slowest->high = seconds * spread;
}

/* N-T: one model holds the whole configuration. NULL: none. */
static const struct mt_model *find_whole(const struct mt_models *models,
                                         const char *text)
{
    for (int i = 0; i < models->count; i++)
        if (models->models[i].configuration &&
            strcmp(models->models[i].configuration, text) == 0)
            return &models->models[i];
    return NULL;
}

static int predict_configuration(const struct mt_models *models, const char *text,
                                 double size, int ranks, struct mt_prediction *slowest,
                                 struct mt_error *err)
{
    const struct mt_model *model = find_whole(models, text);
    if (!model)
        return mt_fail(err, MT_ENOTFOUND, "no n-t model of configuration '%s'", text);
    if (isnan(mt_model_seconds(model, size, ranks)))
        return mt_fail(err, MT_ENOTFOUND,
                       "the n-t model of '%s' has no value at N = %g", text, size);
    take_in(slowest, model, size, ranks);
    return MT_OK;
}

/* Report why a model of a (group, M) has no value. */
static int without_value(const struct mt_model *model, const char *kind, double size,
                         int ranks, struct mt_error *err)
{
    char layout[MT_LAYOUT_LENGTH];
    mt_layout_format(layout, model->layout);
    if (model->size_low == model->size_high && size != model->size_low)
        return mt_fail(err, MT_ENOTFOUND,
                       "the %s model of '%s x%s' knows N = %g alone, not N = %g", kind,
                       model->group, layout, model->size_low, size);
    return mt_fail(err, MT_ENOTFOUND,
                   "the %s model of '%s x%s' has no value at N = %g, P = %d", kind,
                   model->group, layout, size, ranks);
}

static int predict_groups(const struct mt_problem *problem,
                          const struct mt_configuration *configuration, double size,
                          struct mt_prediction *slowest, struct mt_error *err)
{
    const struct mt_cluster *cluster = problem->cluster;
    const char *kind = mt_model_kind_name(problem->models->kind);
    const int ranks = mt_configuration_ranks(configuration);
    for (int g = 0; g < cluster->ngroups; g++) {
        const char *group = cluster->groups[g].name;
        const struct mt_use use = configuration->use[g];
        char text[MT_LAYOUT_LENGTH];
        if (use.nodes == 0)
            continue;
        const struct mt_model *model =
            mt_models_find(problem->models, problem->program, group, use.layout, ranks);
        if (!model)
            return mt_fail(err, MT_ENOTFOUND,
                           "no %s model of '%s x%s' (%d processes in all)", kind, group,
                           mt_layout_format(text, use.layout), ranks);
        if (isnan(mt_model_seconds(model, size, ranks)))
            return without_value(model, kind, size, ranks, err);
        take_in(slowest, model, size, ranks);
    }
    return MT_OK;
}

static int predict_by_slowest(const struct mt_problem *problem,
                              const struct mt_configuration *configuration, double size,
                              struct mt_prediction *prediction, struct mt_error *err)
{
    *prediction = (struct mt_prediction){0};
    if (problem->models->kind != MT_MODEL_NT)
        return predict_groups(problem, configuration, size, prediction, err);
    char *text = mt_configuration_format(configuration, problem->cluster);
    if (!text)
        return mt_fail(err, MT_ENOMEM, "no memory for a configuration's text");
    const int status =
        predict_configuration(problem->models, text, size,
                              mt_configuration_ranks(configuration), prediction, err);
    free(text);
    return status;
}

double mt_models_maximum(const struct mt_problem *problem,
                         const struct mt_configuration *configuration, double size)
{
    const struct mt_models *models = problem->models;
    const int ranks = mt_configuration_ranks(configuration);
    double maximum = NAN;
    if (models->kind == MT_MODEL_NT) {
        char *text = mt_configuration_format(configuration, problem->cluster);
        const struct mt_model *model = text ? find_whole(models, text) : NULL;
        free(text);
        return model ? mt_model_value(model, size, ranks) : NAN;
    }
    for (int g = 0; g < problem->cluster->ngroups; g++) {
        const struct mt_use use = configuration->use[g];
        if (use.nodes == 0)
            continue;
        const struct mt_model *model =
            mt_models_find(models, problem->program, problem->cluster->groups[g].name,
                           use.layout, ranks);
        const double value = model ? mt_model_value(model, size, ranks) : NAN;
        if (isnan(value))
            return NAN;
        maximum = fmax(maximum, value);
    }
    return maximum;
}

/*
 * Auto.
 */

/* The configuration as a point of the posterior; fails with the part that never ran. */
static int make_point(struct mt_point *point, const struct mt_problem *problem,
                      const struct mt_configuration *configuration, double size,
                      struct mt_error *err)
{
    const struct mt_cluster *cluster = problem->cluster;
    const struct mt_posterior *posterior = problem->models->posterior;
    char text[MT_LAYOUT_LENGTH];
    if (mt_configuration_nodes(configuration) == 0)
        return mt_fail(err, MT_EINVAL, "the configuration uses no node");
    if (!posterior)
        return mt_fail(err, MT_ENOTFOUND, "the auto models are not fitted");
    if (mt_point_make(point, posterior, configuration, size))
        return point->work > 0 && isfinite(point->work) && isfinite(point->axis)
                   ? MT_OK
                   : mt_fail(err, MT_ENOTFOUND,
                             "the work of '%s' is not positive and finite at N = %g, "
                             "P = %.0f",
                             problem->program->name, size, point->ranks);
    for (int g = 0; g < cluster->ngroups; g++) {
        struct mt_configuration alone = {0};
        alone.use[g] = configuration->use[g];
        if (alone.use[g].nodes > 0 && !mt_point_make(point, posterior, &alone, size))
            return mt_fail(err, MT_ENOTFOUND, "no run tells of '%s x%s'",
                           cluster->groups[g].name,
                           mt_layout_format(text, alone.use[g].layout));
    }
    return mt_fail(err, MT_ENOTFOUND, "no run tells of the configuration");
}

/* Whether a prediction extrapolates, and is without similar runs. */
static void compare_with_runs(struct mt_prediction *prediction,
                              const struct mt_posterior *posterior,
                              const struct mt_point *point)
{
    double size_low = INFINITY, size_high = 0, ranks_low = INFINITY, ranks_high = 0;
    bool alike = false;
    for (int i = 0; i < posterior->cells.count; i++) {
        const struct mt_point *run = &posterior->points[i];
        bool shares_group = false;
        for (int a = 0; a < point->nportions; a++)
            for (int b = 0; b < run->nportions; b++)
                shares_group |= point->portions[a].group == run->portions[b].group;
        size_low = fmin(size_low, run->size);
        size_high = fmax(size_high, run->size);
        alike |= point->nodes > 1 ? run->nodes > 1 : run->nodes == 1 && run->ranks > 1;
        if (!shares_group)
            continue;
        ranks_low = fmin(ranks_low, run->ranks);
        ranks_high = fmax(ranks_high, run->ranks);
    }
    prediction->extrapolated = point->size < size_low || point->size > size_high ||
                               point->ranks < ranks_low || point->ranks > ranks_high;
    prediction->unseen = point->ranks > 1 && !alike;
    prediction->unseen |= posterior->one_size && point->size != posterior->reference;
    for (int i = 0; i < point->nportions; i++)
        prediction->unseen |= point->portions[i].own < 0;
}

static int predict_by_posterior(const struct mt_problem *problem,
                                const struct mt_configuration *configuration,
                                double size, struct mt_prediction *prediction,
                                struct mt_error *err)
{
    const struct mt_posterior *posterior = problem->models->posterior;
    struct mt_point point;
    struct mt_normals normals = {0};
    int status = make_point(&point, problem, configuration, size, err);
    if (status == MT_OK)
        status = mt_posterior_predict(posterior, &point, &normals, err);
    if (status != MT_OK)
        return status;
    *prediction =
        (struct mt_prediction){.seconds = exp(mt_normals_quantile(&normals, 0.5)),
                               .low = exp(mt_normals_quantile(&normals, 0.05)),
                               .high = exp(mt_normals_quantile(&normals, 0.95))};
    compare_with_runs(prediction, posterior, &point);
    mt_normals_clear(&normals);
    return MT_OK;
}

int mt_models_seconds(const struct mt_problem *problem,
                      const struct mt_configuration *configuration, double size,
                      double *seconds, struct mt_error *err)
{
    struct mt_prediction prediction;
    struct mt_point point;
    const bool is_auto = problem->models->kind == MT_MODEL_AUTO;
    const int status =
        is_auto ? make_point(&point, problem, configuration, size, err)
                : predict_by_slowest(problem, configuration, size, &prediction, err);
    if (status == MT_OK)
        *seconds = is_auto ? exp(mt_posterior_mean(problem->models->posterior, &point))
                           : prediction.seconds;
    return status;
}

int mt_models_predict(const struct mt_problem *problem,
                      const struct mt_configuration *configuration, double size,
                      struct mt_prediction *prediction, struct mt_error *err)
{
    struct mt_prediction found;
    if (mt_configuration_nodes(configuration) == 0)
        return mt_fail(err, MT_EINVAL, "the configuration uses no node");
    const int status =
        problem->models->kind == MT_MODEL_AUTO
            ? predict_by_posterior(problem, configuration, size, &found, err)
            : predict_by_slowest(problem, configuration, size, &found, err);
    if (status != MT_OK)
        return status;
    if (!(found.seconds > 0 && isfinite(found.seconds)))
        return mt_fail(err, MT_ENOTFOUND,
                       "the %s models have no time at N = %g, P = %d",
                       mt_model_kind_name(problem->models->kind), size,
                       mt_configuration_ranks(configuration));
    *prediction = found;
    return MT_OK;
}

int mt_models_quantiles(const struct mt_problem *problem,
                        const struct mt_configuration *configuration, double size,
                        double *values, int count, struct mt_error *err)
{
    struct mt_normals normals = {0};
    struct mt_point point;
    if (problem->models->kind != MT_MODEL_AUTO)
        return mt_fail(err, MT_EINVAL, "%s models have no quantiles; auto models have",
                       mt_model_kind_name(problem->models->kind));
    for (int i = 0; i < count; i++)
        if (!(values[i] > 0 && values[i] < 1))
            return mt_fail(err, MT_EINVAL, "a probability is between 0 and 1, not %g",
                           values[i]);
    int status = make_point(&point, problem, configuration, size, err);
    if (status == MT_OK)
        status =
            mt_posterior_predict(problem->models->posterior, &point, &normals, err);
    for (int i = 0; i < count && status == MT_OK; i++)
        values[i] = exp(mt_normals_quantile(&normals, values[i]));
    mt_normals_clear(&normals);
    return status;
}

int mt_models_deviation(const struct mt_problem *problem,
                        const struct mt_configuration *configuration, double size,
                        double *deviation, struct mt_error *err)
{
    struct mt_point point;
    struct mt_normals normals = {0};
    double mean = 0, square = 0;
    int status = make_point(&point, problem, configuration, size, err);
    if (status == MT_OK)
        status =
            mt_posterior_predict(problem->models->posterior, &point, &normals, err);
    for (int i = 0; i < normals.count; i++) {
        mean += normals.weights[i] * normals.means[i];
        square += normals.weights[i] *
                  (pow(normals.means[i], 2) + pow(normals.deviations[i], 2));
    }
    mt_normals_clear(&normals);
    if (status == MT_OK)
        *deviation = sqrt(fmax(0, square - mean * mean));
    return status;
}

int mt_models_joint(struct mt_joint *joint, const struct mt_problem *problem,
                    const struct mt_sample *runs, int count, int columns,
                    struct mt_error *err)
{
    struct mt_point *points = calloc((size_t)count, sizeof *points);
    struct mt_joint made = {.count = count, .columns = columns};
    int status =
        points ? MT_OK : mt_fail(err, MT_ENOMEM, "no memory for %d points", count);
    for (int i = 0; i < count && status == MT_OK; i++)
        status =
            make_point(&points[i], problem, &runs[i].configuration, runs[i].size, err);
    if (status == MT_OK)
        status = mt_posterior_joint(problem->models->posterior, points, &made, err);
    free(points);
    if (status == MT_OK)
        *joint = made;
    return status;
}

void mt_joint_clear(struct mt_joint *joint)
{
    free(joint->means);
    free(joint->variances);
    free(joint->covariance);
    *joint = (struct mt_joint){0};
}

/* Whether a refusal is of that (group, M), perhaps "where" the program's split holds.
 */
static bool is_refusal_of(const struct mt_refusal *refusal, const char *group,
                          struct mt_layout layout)
{
    char subject[128], text[MT_LAYOUT_LENGTH];
    const size_t length = (size_t)snprintf(subject, sizeof subject, "%s x%s", group,
                                           mt_layout_format(text, layout));
    return length < sizeof subject && strncmp(refusal->subject, subject, length) == 0 &&
           (refusal->subject[length] == 0 || refusal->subject[length] == ' ');
}

bool mt_models_cover(const struct mt_models *models, const char *group,
                     struct mt_layout layout)
{
    for (int i = 0; i < models->count; i++) {
        const struct mt_model *model = &models->models[i];
        if (model->group && mt_layout_compare(model->layout, layout) == 0 &&
            strcmp(model->group, group) == 0)
            return true;
    }
    for (int i = 0; i < models->nrefused; i++)
        if (is_refusal_of(&models->refused[i], group, layout))
            return true;
    return false;
}

/* Whether exactly that model exists: for all P, or for a part of them. */
static bool has_model_of(const struct mt_models *models,
                         const struct mt_refusal *refusal)
{
    const bool is_part = strstr(refusal->subject, " where ") != NULL;
    for (int i = 0; i < models->count; i++) {
        const struct mt_model *model = &models->models[i];
        if (models->kind == MT_MODEL_NT
                ? !strcmp(refusal->subject, model->configuration)
                : is_part == (model->split >= 0) &&
                      is_refusal_of(refusal, model->group, model->layout))
            return true;
    }
    return false;
}

const struct mt_refusal *mt_models_lost(const struct mt_models *models,
                                        const struct mt_models *before)
{
    for (int i = 0; i < models->nrefused; i++)
        if (has_model_of(before, &models->refused[i]))
            return &models->refused[i];
    return NULL;
}
