/* SPDX-License-Identifier: BSD-3-Clause */
/* The options that ask for a plan, loading the predictor that answers them, and the
   columns of what it predicts. */
#include "planning.h"

#include "cli/common/format.h"
#include "cli/common/json.h"
#include "cli/run/down.h"
#include "cli/run/submit.h"

#include "motley/machine.h"
#include "motley/plan.h"
#include "motley/store.h"

#include "lib/base/options.h"
#include "lib/input/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What the options say; popt writes here. */
static struct {
    const char *sizes;
    const char *model;
    const char *objective;
    const char *deadline, *efficiency;
    struct mt_number_option confidence, budget, max_nodes;
} wanted = {
    .confidence = {.kind = MT_NUMBER_FROM, .least = 0.5, .most = 0.999, .value = 0.9},
    .budget = {.kind = MT_NUMBER_ABOVE},
    .max_nodes = {.least = 1, .most = MT_MOST_NODES},
};

struct poptOption mt_model_option[] = {
    {"model", 0, POPT_ARG_STRING, &wanted.model, 0,
     "auto, n-t, p-t or np-t (default: auto)", "KIND"},
    POPT_TABLEEND,
};

struct poptOption mt_planning_options[] = {
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_model_option, 0, NULL, NULL},
    {"objective", 0, POPT_ARG_STRING, &wanted.objective, 0,
     "minimize time, price or energy (default: time)", "WORD"},
    {"deadline", 0, POPT_ARG_STRING, &wanted.deadline, 0,
     "only configurations that take at most this, as '90 s'", "TIME"},
    {"confidence", 0, POPT_ARG_STRING, &wanted.confidence, MT_OPTION_NUMBER,
     "the chance with which a run is to keep deadline, budget and efficiency (default: "
     "0.9)",
     "CHANCE"},
    {"budget", 0, POPT_ARG_STRING, &wanted.budget, MT_OPTION_NUMBER,
     "only configurations that cost at most this, by the groups' prices", "COST"},
    {"min-efficiency", 0, POPT_ARG_STRING, &wanted.efficiency, 0,
     "only configurations with this efficiency, as 75% or 0.75", "SHARE"},
    {"max-nodes", 0, POPT_ARG_STRING, &wanted.max_nodes, MT_OPTION_NUMBER,
     "only configurations of at most this many nodes", "NUMBER"},
    POPT_TABLEEND,
};

struct poptOption mt_planning_size_option[] = {
    {"size", 0, POPT_ARG_STRING, &wanted.sizes, 0, "problem size to plan for", "N"},
    POPT_TABLEEND,
};

struct poptOption mt_planning_sizes_option[] = {
    {"size", 0, POPT_ARG_STRING, &wanted.sizes, 0,
     "problem size to plan for; several: a map of the best for each", "N,N"},
    POPT_TABLEEND,
};

static const struct mt_objective_words objectives[MT_NOBJECTIVES] = {
    [MT_FASTEST] = {"fastest", "faster", "time"},
    [MT_CHEAPEST] = {"cheapest", "cheaper", "cost"},
    [MT_LEAST_ENERGY] = {"least energy", "to take less energy", "energy"},
};

const struct mt_objective_words *mt_objective_words(enum mt_objective objective)
{
    return &objectives[objective];
}

int mt_model_option_read(enum mt_model_kind *kind, struct mt_error *err)
{
    *kind = MT_MODEL_AUTO;
    const int status =
        wanted.model ? mt_model_kind_parse(kind, wanted.model, err) : MT_OK;
    return mt_option_blame(status, "--model", err);
}

static int read_objective(enum mt_objective *objective, struct mt_error *err)
{
    *objective = MT_FASTEST;
    const int status =
        wanted.objective ? mt_objective_parse(objective, wanted.objective, err) : MT_OK;
    return mt_option_blame(status, "--objective", err);
}

int mt_planning_read_sizes(double **sizes, int *count, struct mt_error *err)
{
    if (wanted.sizes)
        return mt_sizes_option(sizes, count, "--size", wanted.sizes, err);
    *sizes = NULL;
    *count = 0;
    return MT_OK;
}

static int read_size(double *size, struct mt_error *err)
{
    double *sizes;
    int count;
    const int status = mt_planning_read_sizes(&sizes, &count, err);
    if (status != MT_OK)
        return status;
    if (count == 1)
        *size = sizes[0];
    free(sizes);
    if (count > 1)
        return mt_fail(err, MT_EINVAL, "--size takes one size here, not '%s'",
                       wanted.sizes);
    if (count < 1)
        return mt_fail(err, MT_EINVAL, "no problem size to plan for: give --size N");
    return MT_OK;
}

int mt_planning_read(struct mt_question *question, enum mt_model_kind *kind,
                     struct mt_error *err)
{
    double size = 0;
    int status = read_size(&size, err);
    if (status == MT_OK)
        status = mt_planning_read_limits(question, kind, err);
    if (status == MT_OK)
        question->size = size;
    return status;
}

int mt_planning_read_limits(struct mt_question *question, enum mt_model_kind *kind,
                            struct mt_error *err)
{
    struct mt_question read = {
        /* what is predicted is the median */
        .confidence = wanted.confidence.value > 0.5 ? wanted.confidence.value : 0,
        .budget = wanted.budget.value,
        .max_nodes = (int)wanted.max_nodes.value,
    };
    enum mt_model_kind model = MT_MODEL_AUTO;
    int status = mt_model_option_read(&model, err);
    if (status == MT_OK)
        status = read_objective(&read.objective, err);
    if (status == MT_OK)
        status = mt_share_option(&read.efficiency, "--min-efficiency",
                                 wanted.efficiency, err);
    if (status == MT_OK)
        status = mt_positive_option(&read.deadline, "--deadline", wanted.deadline,
                                    MT_SECONDS, err);
    if (status != MT_OK)
        return status;
    *question = read;
    *kind = model;
    return MT_OK;
}

int mt_planning_inputs(struct mt_inputs *inputs, const char **arguments,
                       struct mt_error *err)
{
    const int status = mt_inputs_load(inputs, arguments, err);
    if (status != MT_OK)
        return status;
    mt_submit_collect(inputs);
    return mt_down_leave_out_known(&inputs->cluster, err);
}

void mt_planning_say_left_out(const struct mt_samples *samples,
                              const struct mt_cluster *cluster)
{
    if (samples->left_out > 0)
        fprintf(stderr,
                "motley: %d runs are left out: '%s' has not got their configurations\n",
                samples->left_out, cluster->name);
}

/* A prediction does not need stored models, so a failure is only a warning. */
static void keep_models(const struct mt_predictor *predictor)
{
    const struct mt_problem *problem = &predictor->problem;
    struct mt_store *store = NULL;
    struct mt_error why;
    int status = mt_store_open(&store, mt_common.db, MT_STORE_WRITE, &why);
    if (status == MT_OK)
        status = mt_store_put_models(store, problem->cluster->name,
                                     problem->program->name, &predictor->models, &why);
    if (status != MT_OK)
        fprintf(stderr, "motley: the models are not kept: %s\n", why.text);
    mt_store_close(store);
}

int mt_planning_load(struct mt_predictor *predictor, const struct mt_inputs *inputs,
                     enum mt_model_kind kind, struct mt_error *err)
{
    struct mt_store *store = NULL;
    int status = mt_store_open(&store, mt_common.db, MT_STORE_READ, err);
    if (status == MT_OK)
        status = mt_predictor_load(predictor, store, &inputs->cluster, &inputs->program,
                                   kind, err);
    mt_store_close(store);
    if (predictor->fitted)
        mt_planning_say_left_out(&predictor->samples, &inputs->cluster);
    if (predictor->fitted && !predictor->stored && status == MT_OK)
        keep_models(predictor);
    return status;
}

enum { MOST_LEFT_OUT = 3 }; /* that are named; the others are counted */

/* Print what is left out or guessed. */
static void say_what_is_missing(const struct mt_predictor *predictor)
{
    for (int i = 0; i < predictor->nmissing && i < MOST_LEFT_OUT; i++)
        fprintf(stderr, "motley: left out, no model: %s: %s\n",
                predictor->missing[i].subject, predictor->missing[i].reason);
    if (predictor->nmissing > MOST_LEFT_OUT)
        fprintf(stderr, "motley: left out, no model: %d more\n",
                predictor->nmissing - MOST_LEFT_OUT);
}

int mt_planning_ready(struct mt_predictor *predictor, const struct mt_inputs *inputs,
                      enum mt_model_kind kind, const struct mt_question *question,
                      struct mt_error *err)
{
    int status = mt_question_check(question, &inputs->cluster, err);
    if (status == MT_OK)
        status = mt_planning_load(predictor, inputs, kind, err);
    if (status == MT_ERANK)
        return mt_fail(err, status, "%s; measure more: 'motley measure %s %s'",
                       err->text, inputs->cluster.path, inputs->program.path);
    if (status == MT_OK)
        say_what_is_missing(predictor);
    return status;
}

void mt_planning_say_failed(int failed)
{
    if (failed > 0)
        fprintf(stderr,
                "motley: left out because all their runs at this size failed: %d\n",
                failed);
}

int mt_planning_make(struct mt_plan *plan, const struct mt_predictor *predictor,
                     const struct mt_question *question, bool all, struct mt_error *err)
{
    const int status = mt_plan_make(plan, predictor, question, all, err);
    if (status == MT_OK)
        mt_planning_say_failed(plan->failed);
    return status;
}

void mt_prediction_show(struct mt_view *view, int first,
                        const struct mt_prediction *prediction)
{
    char seconds[MT_QUANTITY_TEXT], low[MT_QUANTITY_TEXT], high[MT_QUANTITY_TEXT];
    mt_view_show(view, first + MT_PREDICTION_SECONDS, "%s",
                 mt_format_seconds(seconds, prediction->seconds));
    mt_view_show(view, first + MT_PREDICTION_INTERVAL, "%s - %s%s",
                 mt_format_seconds(low, prediction->low),
                 mt_format_seconds(high, prediction->high),
                 prediction->unseen         ? " ?"
                 : prediction->extrapolated ? " *"
                                            : "  ");
}

void mt_prediction_view(struct mt_view *view, int first,
                        const struct mt_prediction *prediction)
{
    if (!prediction) {
        mt_view_show(view, first + MT_PREDICTION_SECONDS, "-");
        mt_view_show(view, first + MT_PREDICTION_INTERVAL, "-");
        return;
    }
    mt_view_number(view, first + MT_PREDICTION_SECONDS, prediction->seconds);
    mt_view_number(view, first + MT_PREDICTION_LOW, prediction->low);
    mt_view_number(view, first + MT_PREDICTION_HIGH, prediction->high);
    mt_view_flag(view, first + MT_PREDICTION_EXTRAPOLATED, prediction->extrapolated);
    mt_view_flag(view, first + MT_PREDICTION_UNSEEN, prediction->unseen);
    mt_prediction_show(view, first, prediction);
}

json_t *mt_prediction_json(const struct mt_prediction *prediction)
{
    return json_pack("{s:o, s:o, s:o, s:b, s:b}", "seconds",
                     mt_json_number(prediction->seconds), "low",
                     mt_json_number(prediction->low), "high",
                     mt_json_number(prediction->high), "extrapolated",
                     (int)prediction->extrapolated, "unseen", (int)prediction->unseen);
}

void mt_prediction_marks_take(struct mt_prediction_marks *marks,
                              const struct mt_prediction *prediction)
{
    marks->extrapolated |= prediction->extrapolated && !prediction->unseen;
    marks->unseen |= prediction->unseen;
}

void mt_prediction_marks_print(const struct mt_prediction_marks *marks, FILE *stream)
{
    if (marks->extrapolated)
        fputs("* extrapolated: N or P lies outside the runs behind the model\n",
              stream);
    if (marks->unseen)
        fputs(
            "? a guess: nothing like it was run (on several nodes, with several "
            "processes\n  on a node, with this many processes on a node, these groups "
            "together, or more\n  than one size)\n",
            stream);
}

void mt_costs_view(struct mt_view *view, int first, const struct mt_choice *choice,
                   const struct mt_cluster *cluster)
{
    const bool prices = mt_cluster_has_prices(cluster);
    const int price = first + MT_COSTS_PRICE, energy = first + MT_COSTS_ENERGY;
    mt_view_number(view, price, prices ? choice->cost : NAN);
    if (prices && cluster->currency)
        mt_view_show(view, price, "%.4g %s", choice->cost, cluster->currency);
    mt_view_number(view, energy, mt_cluster_has_watts(cluster) ? choice->joules : NAN);
    mt_view_show(view, energy, "%.4g kJ", choice->joules / 1000);
}

void mt_costs_hide(struct mt_view *view, int first, const struct mt_cluster *cluster)
{
    if (!mt_cluster_has_prices(cluster))
        mt_view_hide(view, first + MT_COSTS_PRICE);
    if (!mt_cluster_has_watts(cluster))
        mt_view_hide(view, first + MT_COSTS_ENERGY);
}
