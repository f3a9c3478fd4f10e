/* SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

#include "launcher.h"
#include "plan_print.h"
#include "planning.h"

#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_TOP = 5, NOT_GIVEN = INT_MIN };

/* What the options say; popt writes here. */
static struct {
    int top;
    int all;
    const char *hostfile;
} wanted = {.top = NOT_GIVEN};

static const struct poptOption options[] = {
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_planning_options, 0, NULL, NULL},
    {"top", 0, POPT_ARG_INT, &wanted.top, 0,
     "how many configurations to print, the best of each number of processes (default: "
     "5)",
     "NUMBER"},
    {"all", 0, POPT_ARG_NONE, &wanted.all, 0,
     "try every configuration, and print all that fit", NULL},
    {"hostfile", 0, POPT_ARG_STRING, &wanted.hostfile, 0,
     "write the best one's hostfile, and name it in the launch command", "FILE"},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

/*
 * The command that starts the best choice. A hostfile is only written when one is
 * wanted; otherwise a launcher or a program that is missing here does not spoil the
 * plan, which may be made for another place.
 */
static int make_launch(struct mt_plan_report *report, char **line, struct mt_error *why,
                       struct mt_error *err)
{
    struct mt_job job = {0};
    char *path = wanted.hostfile ? strdup(wanted.hostfile) : NULL;
    if (wanted.hostfile && !path)
        return mt_fail(err, MT_ENOMEM, "no memory for a path");
    const struct mt_launch launch = {
        .cluster = &report->inputs->cluster,
        .program = &report->inputs->program,
        .configuration = &report->plan->choices[0].configuration,
        .size = report->question->size,
        .folder = path ? dirname(path) : NULL,
        .hostfile = wanted.hostfile,
    };
    const int status = mt_job_make(&job, &launch, why);
    free(path);
    if (status != MT_OK)
        return wanted.hostfile ? mt_fail(err, status, "%s", why->text) : MT_OK;
    *line = mt_job_format(&job);
    mt_job_clear(&job);
    return *line ? MT_OK : mt_fail(err, MT_ENOMEM, "no memory for a command");
}

static int load_measured(struct mt_plan_report *report, struct mt_error *err)
{
    struct mt_samples samples = {0};
    const int status = mt_samples_load(&samples, report->inputs, err);
    if (status == MT_OK)
        mt_plan_report_measured(report, &samples);
    mt_samples_clear(&samples);
    return status;
}

static int plan(const struct mt_inputs *inputs, const struct mt_question *question,
                enum mt_model_kind kind, struct mt_error *err)
{
    struct mt_models models = {0};
    struct mt_plan found = {0};
    char *line = NULL;
    struct mt_error why_not = {0};
    struct mt_plan_report report = {.inputs = inputs,
                                    .question = question,
                                    .kind = kind,
                                    .plan = &found,
                                    .all = wanted.all != 0,
                                    .why_not = why_not.text,
                                    .hostfile = wanted.hostfile};
    int status =
        mt_planning_search(&found, &models, inputs, kind, question, report.all, err);
    if (status == MT_OK)
        status = load_measured(&report, err);
    if (status == MT_OK)
        status = make_launch(&report, &line, &why_not, err);
    report.launch = line;
    if (status == MT_OK)
        status = mt_common.json ? mt_plan_print_json(&report, err)
                                : mt_plan_print_table(&report, err);
    free(line);
    mt_plan_clear(&found);
    mt_models_clear(&models);
    return status;
}

static int read_top(int *top, struct mt_error *err)
{
    if (wanted.top == NOT_GIVEN) {
        *top = DEFAULT_TOP;
        return MT_OK;
    }
    if (wanted.all)
        return mt_fail(err, MT_EINVAL, "--all and --top exclude each other");
    if (wanted.top < 1)
        return mt_fail(err, MT_EINVAL, "--top must be at least 1, not %d", wanted.top);
    *top = wanted.top;
    return MT_OK;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct mt_inputs inputs = {0};
    struct mt_question question;
    enum mt_model_kind kind;
    int status = mt_planning_read(&question, &kind, err);
    if (status == MT_OK)
        status = read_top(&question.top, err);
    if (status == MT_OK)
        status = mt_inputs_load(&inputs, arguments, err);
    if (status != MT_OK)
        return mt_exit_status(status);
    status = plan(&inputs, &question, kind, err);
    mt_inputs_clear(&inputs);
    return mt_exit_status(status);
}

const struct mt_command mt_command_plan = {
    .name = "plan",
    .arguments = "CLUSTER PROGRAM",
    .summary = "Find the best nodes and processes for a problem size",
    .options = options,
    .run = run,
};
