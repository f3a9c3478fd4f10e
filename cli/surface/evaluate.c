/* SPDX-License-Identifier: BSD-3-Clause */
#include "evaluate.h"

#include "lib/base/argv.h"
#include "text.h"

#include <stdlib.h>

/* Efficiencies of a program that counts other work would be others. */
static int check_work(const struct mt_surface_evaluation *evaluation,
                      struct mt_error *err)
{
    const struct mt_shape *program = &evaluation->inputs.program.shape;
    const struct mt_algorithm *algorithm = evaluation->surface.algorithm;
    if (!program->work || mt_shape_same_work(&algorithm->shape, program))
        return MT_OK;
    return mt_fail(err, MT_EINVAL,
                   "algorithm '%s' of '%s' and program '%s' count different work: '%s' "
                   "and '%s'",
                   algorithm->name, evaluation->surface.machine.name,
                   evaluation->inputs.program.name, mt_expr_text(algorithm->shape.work),
                   mt_expr_text(program->work));
}

static struct mt_surface_pair make_pair(const struct mt_surface_evaluation *evaluation,
                                        const struct mt_learn_run *run)
{
    const struct mt_surface_point point =
        mt_surface_at(evaluation->surface.surface, run->size, run->ranks);
    const double speed = point.work / (run->ranks * run->seconds);
    struct mt_surface_pair pair = {.size = run->size,
                                   .nodes = run->ranks,
                                   .seconds = run->seconds,
                                   .predicted_seconds = point.seconds,
                                   .predicted_efficiency = point.efficiency,
                                   .fits = point.fits};
    pair.efficiency = speed / evaluation->surface.machine.speed;
    pair.error = pair.predicted_efficiency / pair.efficiency - 1;
    return pair;
}

static int compare(struct mt_surface_evaluation *evaluation, struct mt_error *err)
{
    const struct mt_surface_runs *runs = &evaluation->runs;
    int misfits = 0;
    evaluation->pairs = calloc((size_t)runs->count, sizeof *evaluation->pairs);
    if (!evaluation->pairs)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", runs->count);
    evaluation->count = runs->count;
    for (int i = 0; i < runs->count; i++) {
        evaluation->pairs[i] = make_pair(evaluation, &runs->runs[i]);
        misfits += !evaluation->pairs[i].fits;
    }
    if (misfits == 0)
        return MT_OK;
    return mt_argv_add(&evaluation->warnings, err,
                       "points beyond the memory of a node of '%s': %d; they are no "
                       "part of the ridge",
                       evaluation->surface.machine.name, misfits);
}

/* The arguments are MACHINE CLUSTER PROGRAM. */
static int evaluate(struct mt_surface_evaluation *evaluation, const char **arguments,
                    struct mt_error *err)
{
    int status = mt_surface_input(&evaluation->surface, arguments[0], err);
    if (status == MT_OK)
        status = mt_inputs_load(&evaluation->inputs, arguments + 1, err);
    if (status == MT_OK)
        status = check_work(evaluation, err);
    if (status == MT_OK)
        status = mt_surface_runs_load(&evaluation->runs, &evaluation->inputs,
                                      &evaluation->surface.algorithm->shape,
                                      &evaluation->warnings, err);
    if (status == MT_OK)
        status = compare(evaluation, err);
    return status;
}

static int put_out(const struct mt_surface_evaluation *evaluation, struct mt_error *err)
{
    mt_surface_warn(evaluation->warnings);
    int status = mt_common.json
                     ? mt_surface_evaluation_print_json(evaluation, stdout, err)
                 : mt_surface_options.csv
                     ? mt_surface_evaluation_print_csv(evaluation, stdout, err)
                     : mt_surface_evaluation_print(evaluation, stdout, err);
    if (status == MT_OK && mt_surface_options.plot)
        status = mt_surface_evaluation_plot(evaluation, err);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct mt_surface_evaluation evaluation = {0};
    int status = mt_surface_evaluation_check_picture(err);
    if (status == MT_OK)
        status = mt_surface_check_output(err);
    if (status == MT_OK)
        status = evaluate(&evaluation, arguments, err);
    if (status == MT_OK)
        status = put_out(&evaluation, err);
    mt_argv_free(evaluation.warnings);
    free(evaluation.pairs);
    mt_surface_runs_clear(&evaluation.runs);
    mt_inputs_clear(&evaluation.inputs);
    mt_surface_input_clear(&evaluation.surface);
    return mt_exit_status(status);
}

static const char *const options[] = {"algorithm", "nodes", "size",    "group",
                                      "processes", "plot",  "picture", "csv",
                                      "db",        "json",  NULL};

const struct mt_action mt_surface_evaluate = {
    .name = "evaluate",
    .arguments = "MACHINE[:ALGORITHM] CLUSTER PROGRAM",
    .summary = "compare the predicted efficiency with that of measured runs",
    .least = 3,
    .most = 3,
    .options = options,
    .run = run,
};
