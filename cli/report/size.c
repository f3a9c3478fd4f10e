/* SPDX-License-Identifier: BSD-3-Clause */
/* The section of one size: the plan, how it is started, times over the nodes, and what
   less time costs. */
#include "lib/input/internal.h"
#include "lib/plan/internal.h"
#include "report.h"

#include "cli/common/format.h"
#include "cli/launch/job.h"
#include "cli/launch/launcher.h"
#include "cli/launch/script.h"
#include "cli/plan/front.h"
#include "cli/plan/planning.h"
#include "cli/plan/report.h"
#include "cli/process/memory.h"

#include <stdlib.h>
#include <string.h>

/* So many choices are planned for the diagram, and in the table. */
enum { PLANNED = 100, LISTED = 10 };
enum { MOST_POINTS = 50 }; /* of a front */

static void say_verdict(struct mt_page *page, const struct mt_plan_report *report)
{
    const struct mt_choice *first = &report->plan->choices[0];
    const struct mt_prediction *prediction = &first->prediction;
    char seconds[MT_QUANTITY_TEXT], low[MT_QUANTITY_TEXT], high[MT_QUANTITY_TEXT];
    char *configuration = mt_need(mt_configuration_format(
        &first->configuration, report->predictor->problem.cluster));
    fprintf(page->lines,
            "%s: %s predicted (90 %% of runs: %s to %s), with %d processes on %d %s",
            configuration, mt_format_seconds(seconds, prediction->seconds),
            mt_format_seconds(low, prediction->low),
            mt_format_seconds(high, prediction->high), first->ranks, first->nodes,
            first->nodes == 1 ? "node" : "nodes");
    mt_plan_print_gains(report, page->lines);
    mt_page_say(page, "verdict", ".");
    free(configuration);
}

/* Keep what was printed into page->lines, or forget it where that failed. */
static void keep_printed(struct mt_page *page, const char *key, int status)
{
    mt_page_text(page, key);
    if (status != MT_OK)
        json_object_del(page->section, key);
}

/* A program or a launcher that is not here is no failure: the page may be made for
   another place. What simulates a cluster helps nobody else. */
static void show_command(struct mt_page *page, const struct mt_launch *launch)
{
    struct mt_job job = {0};
    struct mt_error why;
    if (mt_cluster_simulated(launch->cluster))
        return;
    if (mt_job_make(&job, launch, &why) != MT_OK) {
        mt_page_say(page, "not_launched", "There is no command to start it by: %s.",
                    why.text);
        return;
    }
    char *line = mt_job_format(&job);
    mt_job_clear(&job);
    mt_page_say(page, "launch", "%s", line);
    mt_page_add(page, "in_folder",
                json_boolean(mt_program_has_folder(launch->program)));
    if (strstr(line, launch->hostfile)) {
        const struct mt_launcher_ops *launcher = mt_launcher_of(launch->cluster);
        launcher->write_hostfile(launch, page->lines);
        mt_page_text(page, "hostfile");
    }
    free(line);
}

static void show_script(struct mt_page *page, const struct mt_launch *launch,
                        double seconds)
{
    const struct mt_script script = {.launch = launch, .seconds = seconds};
    struct mt_error why;
    if (mt_script_check(launch->cluster, NULL) == MT_OK)
        keep_printed(page, "sbatch", mt_script_print(&script, page->lines, &why));
}

static void show_launch(struct mt_page *page, const struct mt_plan_report *report)
{
    const struct mt_choice *first = &report->plan->choices[0];
    struct mt_launch launch = {
        .cluster = report->predictor->problem.cluster,
        .program = report->predictor->problem.program,
        .configuration = &first->configuration,
        .size = report->question->size,
        .hostfile = "hostfile",
    };
    show_command(page, &launch);
    launch.script = true;
    show_script(page, &launch, first->prediction.high);
}

static void show_plan(struct mt_page *page, const struct mt_plan_report *report,
                      struct mt_plan *plan)
{
    struct mt_view view;
    say_verdict(page, report);
    show_launch(page, report);
    mt_report_curves(page, report->predictor, plan, report->question->size);
    mt_plan_keep_top(plan, LISTED);
    mt_plan_view(&view, report, true);
    mt_page_table(page, "choices", &view);
    mt_plan_print_notes(report, page->lines);
    mt_page_lines(page, "notes");
}

/* The front of time against cost or energy, where the groups have prices or watts. */
static int show_front(struct mt_page *page, const struct mt_predictor *predictor,
                      const struct mt_question *question, struct mt_error *err)
{
    struct mt_page_member diagram = {page, "front"};
    struct mt_front front = {0};
    struct mt_question asked = *question;
    struct mt_error why;
    struct mt_view view;
    asked.top = MOST_POINTS;
    int status = mt_plan_front(&front, predictor, &asked, &why);
    if (status == MT_ENOMEM)
        return mt_fail(err, status, "%s", why.text);
    if (status != MT_OK)
        return MT_OK; /* there is nothing to weigh time against */
    const struct mt_front_report report = {
        .predictor = predictor, .question = &asked, .front = &front};
    mt_page_say(page, "front_against", "%s", mt_objective_words(front.against)->what);
    status = mt_front_plot(&report, mt_page_put_plot, &diagram, err);
    mt_front_view(&view, &report);
    mt_page_table(page, "front_points", &view);
    mt_front_print_notes(&report, page->lines);
    mt_page_lines(page, "front_notes");
    mt_front_clear(&front);
    return status;
}

int mt_report_size(struct mt_page *page, const struct mt_predictor *predictor,
                   const struct mt_question *question, struct mt_error *err)
{
    struct mt_plan plan = {0};
    struct mt_question asked = *question;
    struct mt_error why = {0};
    mt_page_size(page, "sizes", question->size);
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
    show_plan(page, &report, &plan);
    if (status == MT_OK)
        status = show_front(page, predictor, question, err);
    mt_plan_clear(&plan);
    return status;
}
