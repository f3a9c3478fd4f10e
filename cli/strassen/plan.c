/* SPDX-License-Identifier: BSD-3-Clause */
#include "strassen.h"

#include "cli/common/command.h"
#include "cli/common/document.h"
#include "cli/common/format.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "cli/plot/plot.h"
#include "plan_views.h"
#include "programs.h"
#include "ranks.h"

#include <math.h>
#include <stdio.h>

static int print_json(const struct mt_strassen_choices *choices,
                      const struct mt_strassen_question *question, struct mt_error *err)
{
    const struct mt_partition_network *network = &question->machine.network;
    const struct mt_strassen_ideal ideal =
        mt_strassen_ideal(&choices->of[MT_PARTITION_EQUAL].forecast);
    struct mt_view known = mt_strassen_known_view(question);
    struct mt_view compared = mt_strassen_choices_view(choices, question);
    json_t *plan = mt_strassen_question_json(question);
    json_t *more = json_pack(
        "{s:s, s:s, s:{s:o, s:o, s:o}, s:{s:o, s:{s:o, s:o, s:o, s:o}}, s:o}", "best",
        mt_partition_kind_name(choices->best), "promising",
        mt_partition_kind_name(choices->promising), "ideal", "gain",
        mt_json_number(ideal.gain), "heterogeneity",
        mt_json_number(ideal.heterogeneity), "communication",
        mt_json_number(ideal.communication), "known", "groups", mt_view_to_json(&known),
        "network", "latency", mt_json_number(network->latency), "bandwidth",
        mt_json_number(network->bandwidth), "exchange",
        mt_json_number(network->exchange), "overlap", mt_json_number(network->overlap),
        "cuts", mt_view_to_json(&compared));
    json_object_update(plan, more);
    json_decref(more);
    return mt_document_print("motley/strassen-plan", 1, plan, stdout, err);
}

static int print_known(const struct mt_strassen_question *question,
                       struct mt_error *err)
{
    struct mt_view view = mt_strassen_known_view(question);
    const int status = mt_view_print(&view, stdout, err);
    mt_strassen_print_network(question, stdout);
    putchar('\n');
    return status;
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
    int status = print_known(question, err);
    if (status == MT_OK)
        status = mt_view_print(&view, stdout, err);
    mt_view_clear(&view);
    putchar('\n');
    if (status == MT_OK)
        status =
            mt_strassen_ranks_print(question, choices->of, MT_PARTITION_KINDS, err);
    putchar('\n');
    mt_strassen_print_verdict(choices, stdout);
    return status;
}

/* Print all, and write and draw the one that is wanted. */
static int show(const struct mt_strassen_choices *choices,
                const struct mt_strassen_question *question, struct mt_error *err)
{
    enum mt_partition_kind kind;
    bool given;
    int status = mt_strassen_kind_read(&kind, &given, err);
    if (status != MT_OK)
        return status;
    const struct mt_strassen_choice *wanted =
        &choices->of[given ? kind : choices->best];
    if (mt_strassen_options.write)
        status = mt_strassen_write_partition(&wanted->partition,
                                             mt_strassen_options.write, err);
    if (status == MT_OK)
        status = mt_common.json ? print_json(choices, question, err)
                                : print_tables(choices, question, err);
    if (status == MT_OK && mt_strassen_options.plot)
        status = mt_strassen_draw(wanted, question, mt_strassen_options.plot, err);
    return status;
}

static int plan(const char *cluster, struct mt_error *err)
{
    struct mt_strassen_question question = {.most = 0};
    struct mt_strassen_choices choices = {.best = MT_PARTITION_EQUAL};
    int status = mt_strassen_question_read(&question, cluster, err);
    if (status == MT_OK)
        status = mt_strassen_choose_all(&choices, &question, err);
    if (status == MT_OK)
        status = show(&choices, &question, err);
    mt_strassen_choices_clear(&choices);
    mt_strassen_question_clear(&question);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    int status = MT_OK;
    if (mt_strassen_options.plot)
        status = mt_plot_check(mt_strassen_options.plot, mt_common.json, err);
    if (status == MT_OK)
        status = plan(arguments[0], err);
    return mt_exit_status(status);
}

static const char *const options[] = {
    "size",  "configuration", "most", "cut",  "as-in-paper",
    "write", "plot",          "db",   "json", NULL};

const struct mt_action mt_strassen_plan = {
    .name = "plan",
    .arguments = "CLUSTER",
    .summary = "how long a product takes in equal blocks and in rectangles by speed",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
