/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts configurations by the models of their groups. */
#include "internal.h"
#include "lib/input/internal.h"
#include "mix.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_SPLIT = -1 };

/* Relative errors: of what configurations of several groups cost beside what the models
   of each say, before any was run, which counts like so many runs of them; the least
   error of a model that could not be cross-validated; of what figures of links alone
   say of the network between groups; and how many of them hold 90 % of a normal
   distribution. */
static const double mixing_error = 0.12, mixing_runs = 3, unseen_error = 0.1,
                    regime_error = 0.5, links_error = 0.5, errors_in_interval = 1.645;

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
    mt_mixture_clear(&models->mixture);
    free(models->formulas);
    free(models->work);
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

const struct mt_model *mt_models_find_split(const struct mt_models *models,
                                            const char *group, struct mt_layout layout,
                                            int split)
{
    for (int i = 0; i < models->count; i++) {
        const struct mt_model *model = &models->models[i];
        if (!model->configuration && mt_layout_compare(model->layout, layout) == 0 &&
            (model->split == NO_SPLIT || model->split == split) &&
            strcmp(model->group, group) == 0)
            return model;
    }
    return NULL;
}

const struct mt_model *mt_models_find(const struct mt_models *models,
                                      const struct mt_program *program,
                                      const char *group, struct mt_layout layout,
                                      int ranks)
{
    return mt_models_find_split(models, group, layout, mt_models_split(program, ranks));
}

/* By how many doublings x lies outside low .. high. */
static double doublings_outside(double x, double low, double high)
{
    if (x > high)
        return log2(x / high);
    return x < low ? log2(low / x) : 0;
}

/* A prediction while the groups are gone through. */
struct group_sum {
    struct mt_mix mix;
    double error;   /* relative, of the slowest group's model, ... */
    double stretch; /* ... which is so many times as large beyond its runs */
    bool extrapolated, unseen;
};

/* A model at (N, P), and the share of the ranks that its group has. */
struct group_at {
    const struct mt_model *model;
    double size;
    int ranks;
    double share;
    double lambda;
};

static void take_in(struct group_sum *sum, const struct group_at *at)
{
    const struct mt_model *model = at->model;
    const double size = at->size;
    const int ranks = at->ranks;
    const double doublings =
        doublings_outside(size, model->size_low, model->size_high) +
        doublings_outside(ranks, model->ranks_low, model->ranks_high);
    double whole, serial;
    mt_model_parts(model, size, ranks, &whole, &serial);
    double parallel = whole - serial;
    mt_mix_even_out(at->lambda, &parallel, &serial);
    const bool slowest = sum->error == 0 || parallel > sum->mix.parallel;
    mt_mix_add(&sum->mix, parallel, serial, at->share);
    sum->extrapolated |= doublings > 0;
    sum->unseen |= model->runs == 0;
    if (!slowest)
        return;
    const double seen = isnan(model->cross_validated)
                            ? fmax(unseen_error, 3 * model->residual)
                            : fmax(model->cross_validated, model->residual);
    sum->stretch = 1 + doublings / 2;
    sum->error = fmax(seen * sum->stretch, DBL_MIN);
}

/* The relative error of a configuration of several groups: what is expected beforehand,
   and what runs of several groups were found to be wrong by. */
static double mixed_error(const struct group_sum *sum, const struct mt_mixture *mixture,
                          double size, int ranks)
{
    const double between = sum->mix.between / mt_mix_seconds(&sum->mix);
    const double links = mixture->checked ? links_error * between : 0;
    const double before = hypot(hypot(sum->error, mixing_error), links);
    const double doublings =
        mixture->size_low > 0
            ? doublings_outside(size, mixture->size_low, mixture->size_high) +
                  doublings_outside(ranks, mixture->ranks_low, mixture->ranks_high)
            : 0;
    const double seen = mixture->residual * fmax(sum->stretch, 1 + doublings / 2);
    return sqrt((mixing_runs * before * before + mixture->runs * seen * seen) /
                (mixing_runs + mixture->runs));
}

/* Whether nothing is known of messages like those of the configuration. */
static bool is_unseen(const struct mt_models *models,
                      const struct mt_configuration *configuration)
{
    return mt_configuration_nodes(configuration) > 1
               ? models->never_across
               : models->never_inside && mt_configuration_ranks(configuration) > 1;
}

static struct mt_prediction prediction_of(const struct group_sum *sum, double error)
{
    const double spread =
        exp(errors_in_interval * hypot(error, sum->unseen ? regime_error : 0));
    const double seconds = mt_mix_seconds(&sum->mix);
    return (struct mt_prediction){.seconds = seconds,
                                  .low = seconds / spread,
                                  .high = seconds * spread,
                                  .extrapolated = sum->extrapolated,
                                  .unseen = sum->unseen};
}

/* N-T: one model holds the whole configuration. */
static int predict_configuration(const struct mt_models *models, const char *text,
                                 double size, int ranks, struct group_sum *sum,
                                 struct mt_error *err)
{
    for (int i = 0; i < models->count; i++) {
        const struct mt_model *model = &models->models[i];
        if (!model->configuration || strcmp(model->configuration, text) != 0)
            continue;
        const double seconds = mt_model_seconds(model, size, ranks);
        if (isnan(seconds))
            return mt_fail(err, MT_ENOTFOUND,
                           "the n-t model of '%s' has no value at N = %g", text, size);
        take_in(sum, &(struct group_at){
                         .model = model, .size = size, .ranks = ranks, .share = 1});
        return MT_OK;
    }
    return mt_fail(err, MT_ENOTFOUND, "no n-t model of configuration '%s'", text);
}

/* Say why a model of a (group, M) has no value. */
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
                          struct group_sum *sum, struct mt_error *err)
{
    const struct mt_cluster *cluster = problem->cluster;
    const char *kind = mt_model_kind_name(problem->models->kind);
    const int ranks = mt_configuration_ranks(configuration);
    for (int g = 0; g < cluster->ngroups; g++) {
        const char *group = cluster->groups[g].name;
        const struct mt_use use = configuration->use[g];
        const struct mt_layout layout = use.layout;
        char text[MT_LAYOUT_LENGTH];
        if (use.nodes == 0)
            continue;
        const struct mt_model *model =
            mt_models_find(problem->models, problem->program, group, layout, ranks);
        if (!model)
            return mt_fail(err, MT_ENOTFOUND,
                           "no %s model of '%s x%s' (%d processes in all)", kind, group,
                           mt_layout_format(text, layout), ranks);
        if (isnan(mt_model_seconds(model, size, ranks)))
            return without_value(model, kind, size, ranks, err);
        const int held = use.nodes * use.layout.processes;
        take_in(sum, &(struct group_at){.model = model,
                                        .size = size,
                                        .ranks = ranks,
                                        .share = (double)held / ranks,
                                        .lambda = problem->models->mixture.lambda});
    }
    return MT_OK;
}

/* Add what the messages between networks cost. */
static int add_networks(const struct mt_problem *problem,
                        const struct mt_configuration *configuration, double size,
                        struct group_sum *sum, struct mt_error *err)
{
    const struct mt_mixture *mixture = &problem->models->mixture;
    if (!mixture->terms)
        return MT_OK;
    struct mt_networks networks;
    mt_mixture_networks(mixture, problem->cluster, &networks);
    const int ranks = mt_configuration_ranks(configuration);
    const double apart = mt_networks_apart(&networks, configuration);
    if (apart == 0)
        return MT_OK;
    sum->mix.between = apart * mt_mixture_between(mixture, size, ranks);
    if (isnan(sum->mix.between))
        return mt_fail(err, MT_ENOTFOUND,
                       "the cost between networks has no value at N = %g, P = %d", size,
                       ranks);
    return MT_OK;
}

int mt_models_predict(const struct mt_problem *problem,
                      const struct mt_configuration *configuration, double size,
                      struct mt_prediction *prediction, struct mt_error *err)
{
    const int ranks = mt_configuration_ranks(configuration);
    if (ranks == 0)
        return mt_fail(err, MT_EINVAL, "the configuration uses no node");

    struct group_sum sum = {0};
    bool mixed = false;
    int status;
    if (problem->models->kind == MT_MODEL_NT) {
        char *text = mt_configuration_format(configuration, problem->cluster);
        if (!text)
            return mt_fail(err, MT_ENOMEM, "no memory for a configuration's text");
        status = predict_configuration(problem->models, text, size, ranks, &sum, err);
        free(text);
    } else {
        mixed = mt_configuration_only_group(configuration) < 0;
        sum.unseen = is_unseen(problem->models, configuration);
        status = predict_groups(problem, configuration, size, &sum, err);
        if (status == MT_OK && mixed)
            status = add_networks(problem, configuration, size, &sum, err);
    }
    if (status != MT_OK)
        return status;
    const struct mt_prediction found = prediction_of(
        &sum,
        mixed ? mixed_error(&sum, &problem->models->mixture, size, ranks) : sum.error);
    if (!(found.seconds > 0 && isfinite(found.seconds)))
        return mt_fail(err, MT_ENOTFOUND,
                       "the %s models have no time at N = %g, P = %d",
                       mt_model_kind_name(problem->models->kind), size, ranks);
    *prediction = found;
    return MT_OK;
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

/* Whether that very model is there: of all P, or of a part of them. */
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
