/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/common/command.h"
#include "cli/common/inputs.h"

#include "cli/measure/submit.h"
#include "cli/page/page.h"
#include "cli/plan/planning.h"
#include "sections.h"

#include <stdio.h>
#include <stdlib.h>

/* What the options say; popt writes here. */
static struct {
    const char *file;
    int force;
} wanted;

static const struct poptOption options[] = {
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_planning_sizes_option, 0, NULL, NULL},
    {"output", 'o', POPT_ARG_STRING, &wanted.file, 0, "the page, an HTML file", "FILE"},
    {"force", 0, POPT_ARG_NONE, &wanted.force, 0,
     "replace a file that is no page of motley, too", NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_planning_options, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

static int choose_sizes(struct mt_report_input *input, struct mt_error *err)
{
    const struct mt_program *program = &input->inputs.program;
    if (input->nsizes > 0)
        return MT_OK;
    if (program->nplan_sizes == 0)
        return mt_fail(err, MT_EINVAL,
                       "program '%s' names no sizes to plan for; give some by --size",
                       program->name);
    input->nsizes = program->nplan_sizes;
    input->sizes = program->plan_sizes;
    return MT_OK;
}

static int write_page(const struct mt_report_input *input, struct mt_page *page,
                      struct mt_error *err)
{
    char *title;
    if (asprintf(&title, "%s on %s", input->inputs.program.name,
                 input->inputs.cluster.name) < 0)
        return mt_fail(err, MT_ENOMEM, "no memory for a page");
    const int status = mt_page_finish(page, title, wanted.file, wanted.force, err);
    free(title);
    return status;
}

static int make(struct mt_report_input *input, struct mt_error *err)
{
    struct mt_page page = {0};
    mt_submit_collect(&input->inputs);
    int status = mt_planning_cluster(&input->inputs.cluster, err);
    if (status == MT_OK)
        status = mt_page_begin(&page, "motley/report", 1, err);
    if (status == MT_OK)
        status = mt_report_sections(&page, input, err);
    if (status == MT_OK)
        status = write_page(input, &page, err);
    mt_page_clear(&page);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct mt_report_input input = {0};
    double *sizes = NULL;
    int status = mt_inputs_check(arguments, err);
    if (status == MT_OK)
        status = mt_page_check_target(wanted.file, err);
    if (status == MT_OK)
        status = mt_planning_read_sizes(&sizes, &input.nsizes, err);
    input.sizes = sizes;
    if (status == MT_OK)
        status = mt_planning_read_limits(&input.question, &input.kind, err);
    if (status == MT_OK)
        status = mt_inputs_load(&input.inputs, arguments, err);
    if (status == MT_OK)
        status = choose_sizes(&input, err);
    if (status == MT_OK)
        status = make(&input, err);
    mt_inputs_clear(&input.inputs);
    free(sizes);
    return status == MT_OK ? EXIT_FINE : mt_exit_status(status);
}

const struct mt_command mt_command_report = {
    .name = "report",
    .arguments = "CLUSTER PROGRAM",
    .summary = "Write a page about plans, to send to somebody",
    .options = options,
    .run = run,
};
