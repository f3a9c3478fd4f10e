/* SPDX-License-Identifier: BSD-3-Clause */
#include "fit.h"

#include "lib/base/argv.h"
#include "motley/quantity.h"
#include "surface.h"

#include <math.h>

static int check_program(const struct mt_program *program, struct mt_error *err)
{
    if (program->shape.work)
        return MT_OK;
    return mt_fail(err, MT_EINVAL,
                   "program '%s' does not say its 'work': add the operations of a run, "
                   "such as 'work: 2*N^3', to '%s'",
                   program->name, program->path);
}

/* What cannot be learned, as the program file does not say enough. */
static int warn_of_program(struct mt_surface_fit *fit, struct mt_error *err)
{
    const struct mt_program *program = &fit->inputs.program;
    int status = MT_OK;
    if (!program->shape.working_set)
        status = mt_argv_add(&fit->warnings, err,
                             "program '%s' does not say its 'working_set', below "
                             "'surface': steps of the caches are not looked for",
                             program->name);
    if (status == MT_OK && !program->shape.messages)
        status = mt_argv_add(&fit->warnings, err,
                             "program '%s' does not say its 'messages' and 'bytes', "
                             "below 'surface': messages are taken to cost nothing",
                             program->name);
    for (int i = 0; i < fit->learned.nwarnings && status == MT_OK; i++)
        status = mt_argv_add(&fit->warnings, err, "%s", fit->learned.warnings[i]);
    return status;
}

static double find_best_speed(const struct mt_surface_fit *fit)
{
    double best = 0;
    for (int i = 0; i < fit->runs.count; i++) {
        const struct mt_learn_run *point = &fit->runs.runs[i];
        const double work = mt_program_work(&fit->inputs.program, point->size);
        best = fmax(best, work / (point->ranks * point->seconds));
    }
    return best;
}

/* V_ref: as --speed says, as the machine file says already, or as fast as a run. */
static int choose_speed(struct mt_surface_fit *fit, struct mt_error *err)
{
    double *speed = &fit->machine.speed;
    fit->best_speed = find_best_speed(fit);
    if (mt_surface_options.speed) {
        fit->speed_origin = "as --speed says";
        int status = mt_quantity_parse(speed, mt_surface_options.speed, MT_FLOPS, err);
        if (status != MT_OK)
            return mt_fail(err, status, "--speed: %s", err->text);
        if (*speed <= 0)
            return mt_fail(err, MT_EINVAL, "--speed is above 0, not '%s'",
                           mt_surface_options.speed);
    } else if (*speed > 0) {
        fit->speed_origin = "as the machine file says";
    } else {
        fit->speed_origin = "that of the fastest run";
        *speed = fit->best_speed;
    }
    if (fit->best_speed > 1.005 * *speed)
        return mt_argv_add(&fit->warnings, err,
                           "runs are faster than a node at its best is said to be, by "
                           "%.3g %%: efficiencies above 1; --speed says another",
                           100 * (fit->best_speed / *speed - 1));
    return MT_OK;
}

/* What hwloc says of this machine has no meaning for a simulated one. That it may say
   nothing is no failure. */
static void find_caches(struct mt_surface_fit *fit)
{
    if (mt_cluster_simulated(&fit->inputs.cluster))
        return;
    if (mt_machine_caches(fit->caches, &fit->ncaches, NULL) != MT_OK)
        fit->ncaches = 0;
}

const struct mt_machine_cache *mt_surface_fit_cache(const struct mt_surface_fit *fit,
                                                    const struct mt_cache_step *step)
{
    const struct mt_machine_cache *nearest = NULL;
    double least = INFINITY;
    for (int i = 0; i < fit->ncaches; i++) {
        const double ratio =
            fit->caches[i].bytes * fit->caches[i].bytes / (step->hit * step->miss);
        if (fabs(log(ratio)) >= least)
            continue;
        least = fabs(log(ratio));
        nearest = &fit->caches[i];
    }
    return nearest;
}

static int learn(struct mt_surface_fit *fit, struct mt_error *err)
{
    const struct mt_shape *shape = &fit->inputs.program.shape;
    int status = check_program(&fit->inputs.program, err);
    if (status == MT_OK)
        status = mt_surface_fit_read(fit, err);
    if (status == MT_OK)
        status =
            mt_surface_runs_load(&fit->runs, &fit->inputs, shape, &fit->warnings, err);
    if (status == MT_OK)
        status = choose_speed(fit, err);
    if (status == MT_OK)
        status = mt_learn(&fit->learned, shape, fit->runs.runs, fit->runs.count,
                          mt_surface_fit_most_ranks(fit), err);
    if (status == MT_OK)
        status = warn_of_program(fit, err);
    fit->learned.from.runs = fit->runs.made;
    return status;
}

static int put_out(const struct mt_surface_fit *fit, struct mt_error *err)
{
    mt_surface_warn(fit->warnings);
    return mt_common.json ? mt_surface_fit_print_json(fit, stdout, err)
                          : mt_surface_fit_print(fit, stdout, err);
}

static int run(const char **arguments, struct mt_error *err)
{
    struct mt_surface_fit fit = {.arguments = arguments};
    int status = mt_inputs_load(&fit.inputs, arguments, err);
    if (status == MT_OK)
        status = learn(&fit, err);
    if (status == MT_OK)
        status = mt_surface_fit_add(&fit, err);
    if (status == MT_OK)
        status = mt_surface_fit_wanted(&fit, err);
    if (status == MT_OK)
        status = mt_surface_fit_write(&fit, err);
    if (status == MT_OK) {
        find_caches(&fit);
        status = put_out(&fit, err);
    }
    mt_argv_free(fit.measure);
    mt_argv_free(fit.warnings);
    mt_machine_clear(&fit.machine);
    mt_learned_clear(&fit.learned);
    mt_surface_runs_clear(&fit.runs);
    mt_inputs_clear(&fit.inputs);
    return mt_exit_status(status);
}

static const char *const options[] = {"nodes",  "size", "group", "processes", "speed",
                                      "output", "db",   "json",  NULL};

const struct mt_action mt_surface_fit = {
    .name = "fit",
    .arguments = "CLUSTER PROGRAM",
    .summary = "learn what computation and messages cost from runs on few nodes",
    .least = 2,
    .most = 2,
    .options = options,
    .run = run,
};
