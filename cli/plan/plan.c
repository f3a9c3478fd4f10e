/* SPDX-License-Identifier: BSD-3-Clause */
/* motley plan: of one size, of several (a decision map), or the Pareto front of one. */
#include "cli/common/command.h"
#include "cli/common/inputs.h"
#include "cli/process/memory.h"

#include "cli/launch/job.h"
#include "cli/launch/preload.h"
#include "cli/launch/script.h"
#include "cli/plot/plot.h"
#include "cli/run/submit.h"
#include "front.h"
#include "lib/base/options.h"
#include "map.h"
#include "planning.h"
#include "report.h"
#include "verify.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>

/* What the options say; popt writes here. */
static struct {
    struct mt_number_option top;
    int all;
    char *verify;
    int all_sizes;
    int pareto;
    const char *hostfile;
    const char *sbatch;
    char *plot;
    enum mt_patience patience; /* read from its option */
} wanted = {.top = {.least = 1, .most = MT_MOST_COUNT, .value = 5}};

static const struct poptOption options[] = {
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_planning_sizes_option, 0, NULL, NULL},
    {"all-sizes", 0, POPT_ARG_NONE, &wanted.all_sizes, 0,
     "a map of the best for all sizes that the program plans for", NULL},
    {"pareto", 0, POPT_ARG_NONE, &wanted.pareto, 0,
     "the Pareto front of time and cost, or of time and energy", NULL},
    {"plot", 0, POPT_ARG_STRING, &wanted.plot, 0,
     "draw the map or --pareto into a .svg or .png file, or 'term'", "FILE"},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_planning_options, 0, NULL, NULL},
    {"top", 0, POPT_ARG_STRING, &wanted.top, MT_OPTION_NUMBER,
     "how many configurations to print, the best of each number of processes (default: "
     "5)",
     "NUMBER"},
    {"all", 0, POPT_ARG_NONE, &wanted.all, 0,
     "try every configuration, and print all that fit", NULL},
    {"verify", 0, POPT_ARG_STRING, &wanted.verify, 0,
     "run the likely best configurations at this size, at most RUNS or until the "
     "best is known, and plan again with their times",
     "RUNS|auto"},
    {"hostfile", 0, POPT_ARG_STRING, &wanted.hostfile, 0,
     "write the best one's hostfile, and name it in the launch command", "FILE"},
    {"sbatch", 0, POPT_ARG_STRING, &wanted.sbatch, 0,
     "write a job script of the best one for Slurm's sbatch", "FILE"},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_patience_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

/*
 * The command that starts the best choice. A hostfile is only written on request.
 * Without that, a missing launcher or program is not an error, as the plan may be for
 * another machine.
 */
static int make_launch(struct mt_plan_report *report, char **line, struct mt_error *why,
                       struct mt_error *err)
{
    struct mt_job job = {0};
    char *path = mt_strdup(wanted.hostfile);
    const struct mt_launch launch = {
        .cluster = report->predictor->problem.cluster,
        .program = report->predictor->problem.program,
        .configuration = &report->plan->choices[0].configuration,
        .size = report->question->size,
        .patience = wanted.patience,
        .folder = path ? dirname(path) : NULL,
        .hostfile = wanted.hostfile,
    };
    const int status = mt_job_make(&job, &launch, why);
    free(path);
    if (status != MT_OK)
        return wanted.hostfile ? mt_fail(err, status, "%s", why->text) : MT_OK;
    *line = mt_job_format(&job);
    mt_job_clear(&job);
    return MT_OK;
}

/* A time limit that nine of ten runs, and half of the others, keep. */
static int write_script(const struct mt_plan_report *report, struct mt_error *err)
{
    const struct mt_choice *best = &report->plan->choices[0];
    const struct mt_launch launch = {
        .cluster = report->predictor->problem.cluster,
        .program = report->predictor->problem.program,
        .configuration = &best->configuration,
        .size = report->question->size,
        .patience = wanted.patience,
        .script = true,
    };
    const struct mt_script script = {.launch = &launch,
                                     .seconds = best->prediction.high};
    const int status = mt_script_write(&script, wanted.sbatch, err);
    char *names = mt_script_left_out(&script);
    if (status == MT_OK && names)
        fprintf(stderr,
                "motley: %s of the environment would take the place of what '%s' asks "
                "sbatch for: unset that first\n",
                names, wanted.sbatch);
    free(names);
    return status;
}

static void print(const struct mt_plan_report *report,
                  const struct mt_verification *verification,
                  const struct mt_inputs *inputs)
{
    if (mt_common.json) {
        mt_plan_print_json(report,
                           mt_verification_json(verification, &inputs->cluster));
        return;
    }
    mt_plan_print_table(report);
    if (verification)
        mt_verification_print(verification, inputs, &report->plan->choices[0]);
}

/* Plan and print; `verification` unless it is NULL belongs to it. */
static int plan(const struct mt_inputs *inputs, const struct mt_question *question,
                enum mt_model_kind kind, struct mt_verification *verification,
                struct mt_error *err)
{
    struct mt_predictor predictor = {0};
    struct mt_plan found = {0};
    char *line = NULL;
    struct mt_error why_not = {0};
    struct mt_plan_report report = {.predictor = &predictor,
                                    .question = question,
                                    .plan = &found,
                                    .all = wanted.all != 0,
                                    .why_not = why_not.text,
                                    .hostfile = wanted.hostfile,
                                    .script = wanted.sbatch};
    int status = mt_planning_ready(&predictor, inputs, kind, question, err);
    if (status == MT_OK)
        status = mt_planning_make(&found, &predictor, question, report.all, err);
    if (status == MT_OK)
        status = make_launch(&report, &line, &why_not, err);
    if (status == MT_OK && wanted.sbatch)
        status = write_script(&report, err);
    if (status == MT_OK && verification)
        mt_verification_judge(verification, &predictor, question->size);
    report.launch = line;
    if (status == MT_OK)
        print(&report, verification, inputs);
    if (status == MT_OK && !verification && kind == MT_MODEL_AUTO &&
        question->objective == MT_FASTEST)
        status = mt_verification_suggest(&predictor, &found, question->size, err);
    free(line);
    mt_plan_clear(&found);
    mt_predictor_clear(&predictor);
    return status;
}

/* Run configurations that may be the best, and plan again. */
static int verify_and_plan(struct mt_inputs *inputs, const struct mt_question *question,
                           const struct mt_verify_limit *limit, int *exit_status,
                           struct mt_error *err)
{
    struct mt_verification verification = {0};
    struct mt_question verified = *question;
    verified.ran_first = true;
    int status = mt_verification_make(&verification, inputs, question, limit,
                                      wanted.patience, err);
    if (status == MT_OK && verification.interrupted)
        *exit_status = EXIT_SIGNALLED + verification.interrupted;
    else if (status == MT_OK)
        status = plan(inputs, &verified, MT_MODEL_AUTO, &verification, err);
    mt_verification_clear(&verification);
    return status;
}

static int read_top(int *top, struct mt_error *err)
{
    if (wanted.all && wanted.top.text)
        return mt_fail(err, MT_EINVAL, "--all and --top exclude each other");
    *top = (int)wanted.top.value;
    return MT_OK;
}

static int plan_size(const char **arguments, int *exit_status, struct mt_error *err)
{
    struct mt_inputs inputs = {0};
    struct mt_question question;
    struct mt_verify_limit limit = {0};
    enum mt_model_kind kind;
    int status = mt_planning_read(&question, &kind, err);
    if (status == MT_OK)
        status = read_top(&question.top, err);
    if (status == MT_OK)
        status = mt_patience_read(&wanted.patience, err);
    if (status == MT_OK && wanted.verify)
        status = mt_verify_limit_read(&limit, wanted.verify, err);
    if (status == MT_OK && wanted.verify)
        status = mt_verification_check(&question, kind, err);
    if (status == MT_OK)
        status = mt_planning_inputs(&inputs, arguments, err);
    if (status == MT_OK && wanted.sbatch)
        status = mt_script_check(&inputs.cluster, err);
    if (status == MT_OK && !wanted.verify)
        status = plan(&inputs, &question, kind, NULL, err);
    else if (status == MT_OK)
        status = verify_and_plan(&inputs, &question, &limit, exit_status, err);
    mt_inputs_clear(&inputs);
    return status;
}

/* The given option, if any, that only suits a plan of one size; NULL: none. */
static const char *option_for_the_best(void)
{
    if (wanted.top.text)
        return "--top";
    if (wanted.verify)
        return "--verify";
    if (wanted.hostfile)
        return "--hostfile";
    return wanted.sbatch ? "--sbatch" : NULL;
}

/* Draw the plot into the target of --plot, and clear it. */
static int draw(struct mt_plot *plot, struct mt_error *err)
{
    const int status = mt_plot_draw(plot, wanted.plot, err);
    mt_plot_clear(plot);
    return status;
}

static int print_front(const struct mt_front_report *report, struct mt_error *err)
{
    struct mt_plot plot;
    if (mt_common.json)
        mt_front_print_json(report);
    else
        mt_front_print_table(report);
    if (!wanted.plot)
        return MT_OK;
    mt_front_plot(&plot, report);
    return draw(&plot, err);
}

static int find_and_print_front(const struct mt_inputs *inputs,
                                const struct mt_question *question,
                                enum mt_model_kind kind, struct mt_error *err)
{
    struct mt_predictor predictor = {0};
    struct mt_front front = {0};
    const struct mt_front_report report = {&predictor, question, &front};
    int status = mt_planning_ready(&predictor, inputs, kind, question, err);
    if (status == MT_OK)
        status = mt_plan_front(&front, &predictor, question, err);
    if (status == MT_OK)
        mt_planning_say_failed(front.failed);
    if (status == MT_OK)
        status = print_front(&report, err);
    mt_front_clear(&front);
    mt_predictor_clear(&predictor);
    return status;
}

/* The front of one size. */
static int weigh(const char **arguments, struct mt_error *err)
{
    enum { MOST_POINTS = 50 };
    struct mt_inputs inputs = {0};
    struct mt_question question;
    enum mt_model_kind kind;
    const char *option = option_for_the_best();
    if (option)
        return mt_fail(err, MT_EINVAL, "%s and --pareto exclude each other", option);
    int status = mt_planning_read(&question, &kind, err);
    if (status == MT_OK && wanted.plot)
        status = mt_plot_check(wanted.plot, mt_common.json, err);
    if (status == MT_OK)
        status = mt_planning_inputs(&inputs, arguments, err);
    question.top = wanted.all ? 0 : MOST_POINTS;
    if (status == MT_OK)
        status = find_and_print_front(&inputs, &question, kind, err);
    mt_inputs_clear(&inputs);
    return status;
}

static int find_and_print_map(const struct mt_predictor *predictor,
                              const struct mt_question *question, const double *sizes,
                              int nsizes, struct mt_error *err)
{
    struct mt_plan_map map = {0};
    int status = mt_plan_map_find(&map, predictor, question, sizes, nsizes, err);
    if (status == MT_OK) {
        if (mt_common.json)
            mt_plan_map_print_json(&map);
        else
            mt_plan_map_print_table(&map);
    }
    if (status == MT_OK && wanted.plot) {
        struct mt_plot plot;
        mt_plan_map_plot(&plot, &map);
        status = draw(&plot, err);
    }
    mt_plan_map_clear(&map);
    return status;
}

/* Plan for several sizes: the given ones, or the program's. */
static int map_sizes(const char **arguments, const double *sizes, int nsizes,
                     struct mt_error *err)
{
    struct mt_inputs inputs = {0};
    struct mt_predictor predictor = {0};
    struct mt_question question;
    enum mt_model_kind kind;
    const char *option = option_for_the_best();
    if (!option && wanted.all)
        option = "--all";
    if (option)
        return mt_fail(err, MT_EINVAL, "%s is for a plan of one size", option);
    int status = mt_planning_read_limits(&question, &kind, err);
    if (status == MT_OK && wanted.plot)
        status = mt_plot_check(wanted.plot, mt_common.json, err);
    if (status == MT_OK)
        status = mt_planning_inputs(&inputs, arguments, err);
    if (status == MT_OK && nsizes == 0 && inputs.program.nplan_sizes == 0)
        status = mt_fail(err, MT_EINVAL,
                         "program '%s' names no sizes to plan for; give some by --size",
                         inputs.program.name);
    if (status == MT_OK)
        status = mt_planning_ready(&predictor, &inputs, kind, &question, err);
    if (status == MT_OK)
        status = find_and_print_map(
            &predictor, &question, nsizes > 0 ? sizes : inputs.program.plan_sizes,
            nsizes > 0 ? nsizes : inputs.program.nplan_sizes, err);
    mt_predictor_clear(&predictor);
    mt_inputs_clear(&inputs);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    double *sizes;
    int nsizes, exit_status = EXIT_FINE;
    int status = mt_inputs_check(arguments, err);
    if (status == MT_OK)
        status = mt_planning_read_sizes(&sizes, &nsizes, err);
    if (status != MT_OK)
        return mt_exit_status(status);
    if (wanted.all_sizes && nsizes > 0)
        status = mt_fail(err, MT_EINVAL, "--all-sizes and --size exclude each other");
    else if (wanted.pareto && (wanted.all_sizes || nsizes > 1))
        status = mt_fail(err, MT_EINVAL, "--pareto is for one size");
    else if (wanted.pareto)
        status = weigh(arguments, err);
    else if (wanted.all_sizes || nsizes > 1)
        status = map_sizes(arguments, sizes, nsizes, err);
    else if (wanted.plot)
        status = mt_fail(err, MT_EINVAL,
                         "--plot draws several sizes, or a front: give --size N,N or "
                         "--pareto");
    else
        status = plan_size(arguments, &exit_status, err);
    free(sizes);
    return status == MT_OK ? exit_status : mt_exit_status(status);
}

const struct mt_command mt_command_plan = {
    .name = "plan",
    .arguments = "CLUSTER PROGRAM",
    .summary = "Find the best nodes and processes for a problem size",
    .options = options,
    .run = run,
};
