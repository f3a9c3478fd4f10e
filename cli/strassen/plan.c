/* SPDX-License-Identifier: BSD-3-Clause */
/* motley strassen plan, and report: what it prints as a page. */
#include "strassen.h"

#include "cli/common/command.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "cli/page/page.h"
#include "cli/plot/plot.h"
#include "cli/process/memory.h"
#include "views.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *plan_json(const struct mt_strassen_choices *choices,
                         const struct mt_strassen_question *question)
{
    const struct mt_partition_network *network = &question->machine.network;
    const struct mt_strassen_ideal ideal =
        mt_strassen_ideal(&choices->of[MT_PARTITION_EQUAL].forecast);
    struct mt_view known = mt_strassen_known_view(question);
    struct mt_view compared = mt_strassen_choices_view(choices, question);
    json_t *plan = mt_strassen_question_json(question);
    mt_json_merge(
        plan,
        json_pack(
            "{s:s, s:s, s:{s:o, s:o, s:o}, s:{s:o, s:{s:o, s:o, s:o, s:o, s:o}}, s:o}",
            "best", mt_partition_kind_name(choices->best), "promising",
            mt_partition_kind_name(choices->promising), "ideal", "gain",
            mt_json_number(ideal.gain), "heterogeneity",
            mt_json_number(ideal.heterogeneity), "communication",
            mt_json_number(ideal.communication), "known", "groups",
            mt_view_to_json(&known), "network", "latency",
            mt_json_number(network->latency), "bandwidth",
            mt_json_number(network->bandwidth), "exchange",
            mt_json_number(network->exchange), "overlap",
            mt_json_number(network->overlap), "fresh", mt_json_number(network->fresh),
            "cuts", mt_view_to_json(&compared)));
    return plan;
}

static void print_known(const struct mt_strassen_question *question)
{
    struct mt_view view = mt_strassen_known_view(question);
    mt_view_print(&view, stdout);
    mt_strassen_print_network(question);
    putchar('\n');
}

static int print_tables(const struct mt_strassen_choices *choices,
                        const struct mt_strassen_question *question,
                        struct mt_error *err)
{
    struct mt_view view = mt_strassen_choices_view(choices, question);
    mt_strassen_print_question(question);
    if (mt_cluster_simulated(&question->cluster))
        puts("learned  from simulated runs");
    putchar('\n');
    print_known(question);
    mt_view_print(&view, stdout);
    putchar('\n');
    const int status =
        mt_strassen_ranks_print(question, choices->of, MT_PARTITION_KINDS, err);
    putchar('\n');
    mt_strassen_print_verdict(choices);
    return status;
}

/* Print all, and write and draw the wanted one. */
static int show_plan(const struct mt_strassen_choices *choices,
                     enum mt_partition_kind wanted,
                     const struct mt_strassen_question *question, struct mt_error *err)
{
    const struct mt_strassen_choice *choice = &choices->of[wanted];
    int status = MT_OK;
    if (mt_strassen_options.write)
        status = mt_strassen_write_partition(&choice->partition,
                                             mt_strassen_options.write, err);
    if (status == MT_OK && mt_common.json)
        mt_document_print("motley/strassen-plan", 1, plan_json(choices, question),
                          stdout);
    else if (status == MT_OK)
        status = print_tables(choices, question, err);
    if (status == MT_OK && mt_strassen_options.plot)
        status = mt_strassen_draw(choice, question, mt_strassen_options.plot, err);
    return status;
}

/* Write a page about all, with a picture of the `wanted` one. */
static int write_page(const struct mt_strassen_choices *choices,
                      enum mt_partition_kind wanted,
                      const struct mt_strassen_question *question, struct mt_error *err)
{
    char size[MT_STRASSEN_SIZE_TEXT];
    json_t *plan = plan_json(choices, question);
    json_object_set_new(plan, "drawn", json_string(mt_partition_kind_name(wanted)));
    json_t *data = json_pack("{s:o}", "plan", plan);
    char *title = mt_asprintf("A product of %s on %s",
                              mt_strassen_size_text(size, &question->product),
                              question->cluster.name);
    const struct mt_page_file file = {.layout = "strassen-report",
                                      .title = title,
                                      .path = mt_strassen_options.output,
                                      .force = mt_strassen_options.force != 0};
    const int status = mt_page_write(&file, data, err);
    free(title);
    json_decref(data);
    return status;
}

/* Shows what was chosen. */
typedef int show_choices(const struct mt_strassen_choices *choices,
                         enum mt_partition_kind wanted,
                         const struct mt_strassen_question *question,
                         struct mt_error *err);

/* Answer the options' question about the cluster, and show the answer. */
static int answer(const char *cluster, show_choices *show, struct mt_error *err)
{
    struct mt_strassen_question question = {.most = 0};
    struct mt_strassen_choices choices = {.best = MT_PARTITION_EQUAL};
    enum mt_partition_kind wanted;
    bool given;
    int status = mt_strassen_question_read(&question, cluster, err);
    if (status == MT_OK)
        status = mt_strassen_choose_all(&choices, &question, err);
    if (status == MT_OK)
        status = mt_strassen_kind_read(&wanted, &given, err);
    if (status == MT_OK)
        status = show(&choices, given ? wanted : choices.best, &question, err);
    mt_strassen_choices_clear(&choices);
    mt_strassen_question_clear(&question);
    return status;
}

static int run_plan(const char **arguments, struct mt_error *err)
{
    int status = MT_OK;
    if (mt_strassen_options.plot)
        status = mt_plot_check(mt_strassen_options.plot, mt_common.json, err);
    if (status == MT_OK)
        status = answer(arguments[0], show_plan, err);
    return mt_exit_status(status);
}

static int run_report(const char **arguments, struct mt_error *err)
{
    int status = mt_page_check_path(mt_strassen_options.output, err);
    if (status == MT_OK)
        status = answer(arguments[0], write_page, err);
    return mt_exit_status(status);
}

static const char *const plan_options[] = {
    "size",  "configuration", "most", "cut",  "as-in-paper",
    "write", "plot",          "db",   "json", NULL};

const struct mt_action mt_strassen_plan = {
    .name = "plan",
    .arguments = "CLUSTER",
    .summary = "how long a product takes in equal blocks and in rectangles by speed",
    .least = 1,
    .most = 1,
    .options = plan_options,
    .run = run_plan,
};

static const char *const report_options[] = {
    "size",   "configuration", "most", "cut", "as-in-paper",
    "output", "force",         "db",   NULL};

const struct mt_action mt_strassen_report = {
    .name = "report",
    .arguments = "CLUSTER",
    .summary = "the same as a page to send to others",
    .least = 1,
    .most = 1,
    .options = report_options,
    .run = run_report,
};
