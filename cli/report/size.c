/* SPDX-License-Identifier: BSD-3-Clause */
#include "sections.h"

#include "cli/common/format.h"
#include "cli/launch/job.h"
#include "cli/launch/launcher.h"
#include "cli/launch/script.h"
#include "cli/plan/front.h"
#include "cli/plan/planning.h"
#include "cli/plan/report.h"

#include <stdlib.h>
#include <string.h>

/* So many choices are planned for the diagram, and in the table. */
enum { PLANNED = 100, LISTED = 10 };

static int say_verdict(struct mt_page *page, const struct mt_plan_report *report,
                       struct mt_error *err)
{
    const struct mt_choice *first = &report->plan->choices[0];
    const struct mt_prediction *prediction = &first->prediction;
    char seconds[MT_QUANTITY_TEXT], low[MT_QUANTITY_TEXT], high[MT_QUANTITY_TEXT];
    struct mt_page_text gains;
    char *configuration = mt_configuration_format(&first->configuration,
                                                  report->predictor->problem.cluster);
    int status = configuration ? mt_page_text_begin(&gains, err)
                               : mt_fail(err, MT_ENOMEM, "no memory for a page");
    if (status != MT_OK) {
        free(configuration);
        return status;
    }
    mt_plan_print_gains(report, gains.stream);
    status = mt_page_text_end(&gains, err);
    if (status == MT_OK)
        mt_page_say(page, "verdict",
                    "%s: %s predicted (90 %% of runs: %s to %s), with %d processes on "
                    "%d %s%s.",
                    configuration, mt_format_seconds(seconds, prediction->seconds),
                    mt_format_seconds(low, prediction->low),
                    mt_format_seconds(high, prediction->high), first->ranks,
                    first->nodes, first->nodes == 1 ? "node" : "nodes", gains.text);
    free(gains.text);
    free(configuration);
    return status;
}

static int say_notes(struct mt_page *page, const struct mt_plan_report *report,
                     struct mt_error *err)
{
    struct mt_page_text notes;
    int status = mt_page_text_begin(&notes, err);
    if (status != MT_OK)
        return status;
    mt_plan_print_notes(report, notes.stream);
    status = mt_page_text_end(&notes, err);
    if (status == MT_OK)
        mt_page_lines(page, "notes", notes.text);
    free(notes.text);
    return status;
}

/* The launcher's file, which the command names. */
static int show_hostfile(struct mt_page *page, const struct mt_launch *launch,
                         struct mt_error *err)
{
    struct mt_page_text text;
    struct mt_error why;
    int status = mt_page_text_begin(&text, err);
    if (status != MT_OK)
        return status;
    const int made =
        mt_launcher_of(launch->cluster)->write_hostfile(launch, text.stream, &why);
    status = mt_page_text_end(&text, err);
    if (status == MT_OK && made == MT_OK)
        mt_page_copy(page, "hostfile", "where these lines are the file 'hostfile'",
                     text.text);
    free(text.text);
    return status;
}

/* A program or a launcher that is not here is no failure: the page may be made for
   another place. What simulates a cluster helps nobody else. */
static int show_command(struct mt_page *page, const struct mt_launch *launch,
                        struct mt_error *err)
{
    struct mt_job job = {0};
    struct mt_error why;
    if (mt_cluster_simulated(launch->cluster))
        return MT_OK;
    if (mt_job_make(&job, launch, &why) != MT_OK) {
        mt_page_say(page, "not_launched", "There is no command to start it by: %s.",
                    why.text);
        return MT_OK;
    }
    char *line = mt_job_format(&job);
    mt_job_clear(&job);
    if (!line)
        return mt_fail(err, MT_ENOMEM, "no memory for a page");
    mt_page_copy(page, "launch",
                 mt_program_has_folder(launch->program)
                     ? "Start it, in a folder with its input files filled in, by"
                     : "Start it by",
                 line);
    const int status =
        strstr(line, launch->hostfile) ? show_hostfile(page, launch, err) : MT_OK;
    free(line);
    return status;
}

static int show_script(struct mt_page *page, const struct mt_launch *launch,
                       double seconds, struct mt_error *err)
{
    const struct mt_script script = {.launch = launch, .seconds = seconds};
    struct mt_page_text text;
    struct mt_error why;
    if (mt_script_check(launch->cluster, NULL) != MT_OK)
        return MT_OK;
    int status = mt_page_text_begin(&text, err);
    if (status != MT_OK)
        return status;
    const int made = mt_script_print(&script, text.stream, &why);
    status = mt_page_text_end(&text, err);
    if (status == MT_OK && made == MT_OK)
        mt_page_copy(page, "sbatch", "Or by this script, with sbatch", text.text);
    free(text.text);
    return status;
}

static int show_launch(struct mt_page *page, const struct mt_plan_report *report,
                       struct mt_error *err)
{
    const struct mt_choice *first = &report->plan->choices[0];
    struct mt_launch launch = {
        .cluster = report->predictor->problem.cluster,
        .program = report->predictor->problem.program,
        .configuration = &first->configuration,
        .size = report->question->size,
        .hostfile = "hostfile",
    };
    const int status = show_command(page, &launch, err);
    launch.script = true;
    return status == MT_OK ? show_script(page, &launch, first->prediction.high, err)
                           : status;
}

static int show_plan(struct mt_page *page, const struct mt_plan_report *report,
                     struct mt_plan *plan, struct mt_error *err)
{
    struct mt_view view;
    int status = say_verdict(page, report, err);
    if (status == MT_OK)
        status = show_launch(page, report, err);
    if (status == MT_OK)
        status = mt_report_curves(page, report->predictor, plan, report->question->size,
                                  err);
    if (status != MT_OK)
        return status;
    mt_plan_keep_top(plan, LISTED);
    mt_plan_view(&view, report, true);
    mt_page_table(page, "choices", "The best configurations", false, &view);
    return say_notes(page, report, err);
}

int mt_report_size(struct mt_page *page, const struct mt_predictor *predictor,
                   const struct mt_question *question, struct mt_error *err)
{
    struct mt_plan plan = {0};
    struct mt_question asked = *question;
    struct mt_error why = {0};
    char title[64];
    snprintf(title, sizeof title, "N = %.15g", question->size);
    mt_page_size(page, "sizes", question->size, title);
    asked.top = PLANNED;
    int status = mt_planning_make(&plan, predictor, &asked, false, &why);
    if (status == MT_ENOMEM)
        return mt_fail(err, status, "%s", why.text);
    if (status != MT_OK) {
        mt_page_say(page, "why_not", "There is no plan: %s.", why.text);
        return MT_OK;
    }
    const struct mt_plan_report report = {
        .predictor = predictor, .question = &asked, .plan = &plan, .on_page = true};
    status = show_plan(page, &report, &plan, err);
    if (status == MT_OK)
        status = mt_report_front(page, predictor, question, err);
    mt_plan_clear(&plan);
    return status;
}
