/* SPDX-License-Identifier: BSD-3-Clause */
/* motley strassen plan, and report: what it prints as a page. */
#include "strassen.h"

#include "cli/common/command.h"
#include "cli/common/format.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "cli/page/page.h"
#include "cli/plot/plot.h"
#include "cli/process/memory.h"
#include "lib/base/argv.h"
#include "programs.h"
#include "views.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_json(const struct mt_strassen_choices *choices,
                       const struct mt_strassen_question *question)
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
    mt_document_print("motley/strassen-plan", 1, plan, stdout);
}

static void print_known(const struct mt_strassen_question *question)
{
    struct mt_view view = mt_strassen_known_view(question);
    mt_view_print(&view, stdout);
    mt_strassen_print_network(question, stdout);
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
    mt_strassen_print_verdict(choices, stdout);
    return status;
}

/* Print all, and write and draw the one that is wanted. */
static int show_plan(const char *cluster, const struct mt_strassen_choices *choices,
                     const struct mt_strassen_question *question, struct mt_error *err)
{
    (void)cluster;
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
    if (status == MT_OK) {
        if (mt_common.json)
            print_json(choices, question);
        else
            status = print_tables(choices, question, err);
    }
    if (status == MT_OK && mt_strassen_options.plot)
        status = mt_strassen_draw(wanted, question, mt_strassen_options.plot, err);
    return status;
}

static int put_tiles(const struct mt_tiles *tiles, void *page, struct mt_error *err)
{
    (void)err;
    mt_page_tiles(page, "picture", tiles);
    return MT_OK;
}

/* The command that makes the product as it was planned. */
static void show_command(struct mt_page *page, const char *cluster,
                         enum mt_partition_kind drawn,
                         const struct mt_strassen_question *question)
{
    char size[MT_STRASSEN_SIZE_TEXT];
    fprintf(page->lines, "motley strassen run --size %s --configuration %s --cut %s ",
            mt_strassen_size_text(size, &question->product), question->text,
            mt_partition_kind_name(drawn));
    if (mt_strassen_options.most.text)
        fprintf(page->lines, "--most %s ", mt_strassen_options.most.text);
    if (strcmp(mt_common.db, "motley.db") != 0) {
        fputs("--db ", page->lines);
        mt_print_shell_word(page->lines, mt_common.db);
        fputc(' ', page->lines);
    }
    mt_print_shell_word(page->lines, cluster);
    mt_page_text(page, "command");
}

static void say_best(struct mt_page *page, const struct mt_strassen_choices *choices,
                     enum mt_partition_kind drawn,
                     const struct mt_strassen_question *question)
{
    const double best = choices->seconds[choices->best];
    const double equal = choices->seconds[MT_PARTITION_EQUAL];
    char seconds[MT_QUANTITY_TEXT], gain[MT_QUANTITY_TEXT], promised[96] = "";
    if (choices->promising != choices->best)
        snprintf(promised, sizeof promised,
                 " %s is predicted to take %s, but no product has confirmed that.",
                 mt_partition_kind_name(choices->promising),
                 mt_format_seconds(seconds, choices->seconds[choices->promising]));
    mt_page_say(page, "verdict",
                "The best cut, %s, takes %s%s: %s over equal blocks.%s",
                mt_partition_kind_name(choices->best), mt_format_seconds(seconds, best),
                mt_cluster_simulated(&question->cluster) ? " (simulated)" : "",
                mt_format_change(gain, equal / best - 1), promised);
    if (drawn != choices->best)
        mt_page_say(page, "drawn", "What follows is the cut %s, which takes %s.",
                    mt_partition_kind_name(drawn),
                    mt_format_seconds(seconds, choices->of[drawn].forecast.seconds));
}

static void show_verdict(struct mt_page *page, const char *cluster,
                         const struct mt_strassen_choices *choices,
                         enum mt_partition_kind drawn,
                         const struct mt_strassen_question *question)
{
    const struct mt_partition_product *product = &question->product;
    mt_page_section(page, "plan");
    say_best(page, choices, drawn, question);
    mt_page_say(page, "product", "%d x %d by %d x %d, on %d ranks: %s.", product->m,
                product->k, product->k, product->n, question->machine.ranks,
                question->text);
    mt_strassen_print_verdict(choices, page->lines);
    mt_page_lines(page, "bounds");
    show_command(page, cluster, drawn, question);
}

static int show_cut(struct mt_page *page, const struct mt_strassen_choices *choices,
                    const struct mt_strassen_choice *wanted,
                    const struct mt_strassen_question *question, struct mt_error *err)
{
    struct mt_view compared = mt_strassen_choices_view(choices, question);
    mt_page_section(page, "cut");
    mt_page_table(page, "cuts", &compared);
    const int status = mt_strassen_tiles(wanted, question, put_tiles, page, err);
    return status == MT_OK ? mt_strassen_ranks_put(page, question, wanted, err)
                           : status;
}

static void show_known(struct mt_page *page,
                       const struct mt_strassen_question *question)
{
    struct mt_view known = mt_strassen_known_view(question);
    mt_page_section(page, "known");
    mt_page_table(page, "groups", &known);
    mt_strassen_print_network(question, page->lines);
    mt_page_lines(page, "network");
}

static int fill_page(struct mt_page *page, const char *cluster,
                     const struct mt_strassen_choices *choices,
                     const struct mt_strassen_question *question, struct mt_error *err)
{
    enum mt_partition_kind kind;
    bool given;
    json_t *about = mt_strassen_question_json(question);
    mt_need_ok(json_object_update(page->data, about));
    json_decref(about);
    int status = mt_strassen_kind_read(&kind, &given, err);
    if (!given)
        kind = choices->best;
    if (status != MT_OK)
        return status;
    show_verdict(page, cluster, choices, kind, question);
    status = show_cut(page, choices, &choices->of[kind], question, err);
    show_known(page, question);
    return status;
}

static int finish(struct mt_page *page, const struct mt_strassen_question *question,
                  struct mt_error *err)
{
    char size[MT_STRASSEN_SIZE_TEXT], *title = NULL;
    title = mt_asprintf("A product of %s on %s",
                        mt_strassen_size_text(size, &question->product),
                        question->cluster.name);
    const int status = mt_page_finish(page, title, mt_strassen_options.output,
                                      mt_strassen_options.force, err);
    free(title);
    return status;
}

static int show_page(const char *cluster, const struct mt_strassen_choices *choices,
                     const struct mt_strassen_question *question, struct mt_error *err)
{
    struct mt_page page;
    mt_page_begin(&page, "motley/strassen-report", 1);
    int status = fill_page(&page, cluster, choices, question, err);
    if (status == MT_OK)
        status = finish(&page, question, err);
    mt_page_clear(&page);
    return status;
}

/* Shows what was chosen. */
typedef int show_choices(const char *cluster, const struct mt_strassen_choices *choices,
                         const struct mt_strassen_question *question,
                         struct mt_error *err);

/* Choose for what the options ask about the cluster, and have it shown. */
static int answer(const char *cluster, show_choices *show, struct mt_error *err)
{
    struct mt_strassen_question question = {.most = 0};
    struct mt_strassen_choices choices = {.best = MT_PARTITION_EQUAL};
    int status = mt_strassen_question_read(&question, cluster, err);
    if (status == MT_OK)
        status = mt_strassen_choose_all(&choices, &question, err);
    if (status == MT_OK)
        status = show(cluster, &choices, &question, err);
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
    int status = mt_page_check_target(mt_strassen_options.output, err);
    if (status == MT_OK)
        status = answer(arguments[0], show_page, err);
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
    "size",   "configuration", "most", "cut",  "as-in-paper",
    "output", "force",         "db",   "json", NULL};

const struct mt_action mt_strassen_report = {
    .name = "report",
    .arguments = "CLUSTER",
    .summary = "the same as a page to send to somebody",
    .least = 1,
    .most = 1,
    .options = report_options,
    .run = run_report,
};
