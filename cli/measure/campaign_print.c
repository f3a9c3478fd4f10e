/* SPDX-License-Identifier: BSD-3-Clause */
#include "campaign_print.h"

#include "cli/common/command.h"
#include "cli/common/document.h"
#include "cli/common/format.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "lib/design/internal.h"

#include "summary.h"

#include <math.h>
#include <stdio.h>

/* What is known about the duration of what is left. */
struct outlook {
    double seconds;   /* in total; NaN: unknown */
    bool lower_bound; /* some runs are larger than any that ended */
};

static struct outlook look_out(const struct mt_remaining *remaining, int jobs)
{
    struct outlook outlook = {0};
    for (int i = 0; i < remaining->count; i++) {
        const double work =
            mt_estimate_work(remaining->program, mt_remaining_at(remaining, i)->size);
        outlook.seconds += mt_remaining_seconds(remaining, i);
        outlook.lower_bound =
            outlook.lower_bound || !mt_estimate_covers(&remaining->estimate, work);
    }
    outlook.seconds /= jobs;
    return outlook;
}

enum { CONFIGURATION, SIZE, RUNS, REPETITION, EXPECTED, COLUMNS };
static const struct mt_column columns[COLUMNS] = {
    [CONFIGURATION] = {"configuration", "configuration", MT_COLUMN_TEXT},
    [SIZE] = {"size", "N", MT_COLUMN_COUNT},
    [RUNS] = {NULL, "runs", MT_COLUMN_COUNT},
    [REPETITION] = {"repetition", NULL, MT_COLUMN_COUNT},
    [EXPECTED] = {"expected_seconds", "expected", MT_COLUMN_SECONDS},
};

/* A row for each run, or for the repetitions of each together. */
static void fill(struct mt_view *view, const struct mt_remaining *remaining,
                 bool together)
{
    for (int i = 0, runs; i < remaining->count; i += runs) {
        const struct mt_task *task = mt_remaining_at(remaining, i);
        runs = together ? mt_remaining_repetitions(remaining, i) : 1;
        mt_view_row(view);
        mt_view_own_text(
            view, CONFIGURATION,
            mt_configuration_format(&task->configuration, remaining->cluster));
        mt_view_number(view, SIZE, task->size);
        mt_view_number(view, RUNS, runs);
        mt_view_number(view, REPETITION, task->repetition);
        mt_view_number(view, EXPECTED, mt_remaining_seconds(remaining, i));
    }
}

/* By group, and then, if `view` has rows, all. */
static int print_tables(struct mt_view *groups, struct mt_view *view,
                        struct mt_error *err)
{
    int status = mt_view_print(groups, stdout, err);
    if (view->rows == 0 || status != MT_OK)
        return status;
    puts("");
    return mt_view_print(view, stdout, err);
}

static void print_words(const struct mt_remaining *remaining,
                        const struct outlook *outlook,
                        const struct mt_campaign *campaign)
{
    char text[MT_QUANTITY_TEXT];
    const double most =
        remaining->count * mt_campaign_timeout(campaign) / campaign->jobs;
    printf("%d of %d runs left%s", remaining->count, remaining->tasks->count,
           mt_cluster_simulated(campaign->cluster) ? " (simulated)" : "");
    if (remaining->count == 0)
        puts("");
    else if (isnan(outlook->seconds))
        printf("; the time is unknown before a run has ended, at most %s by time-out\n",
               mt_format_seconds(text, most));
    else
        printf("; they take %s %s\n", outlook->lower_bound ? "at least" : "about",
               mt_format_seconds(text, outlook->seconds));
}

static int print_json(struct mt_view *groups, struct mt_view *view,
                      const struct mt_remaining *remaining,
                      const struct outlook *outlook, struct mt_error *err)
{
    json_t *result =
        json_pack("{s:b, s:i, s:o, s:b, s:o, s:o}", "simulated",
                  mt_cluster_simulated(remaining->cluster), "done_before",
                  remaining->tasks->count - remaining->count, "expected_seconds",
                  mt_json_number(outlook->seconds), "lower_bound", outlook->lower_bound,
                  "groups", mt_view_to_json(groups), "runs", mt_view_to_json(view));
    return mt_document_print("motley/measure-dry-run", 1, result, stdout, err);
}

static void sum_up(struct mt_summary *summary, const struct mt_remaining *remaining)
{
    for (int i = 0; i < remaining->count; i++) {
        const struct mt_task *task = mt_remaining_at(remaining, i);
        mt_summary_add(summary, &task->configuration, task->size,
                       mt_remaining_seconds(remaining, i));
    }
}

int mt_dry_run(const struct mt_campaign *campaign, const struct mt_tasks *tasks,
               bool listed, struct mt_error *err)
{
    const bool json = mt_common.json;
    struct mt_remaining remaining = {
        .tasks = tasks, .cluster = campaign->cluster, .program = campaign->program};
    struct mt_view view = {.columns = columns, .ncolumns = COLUMNS}, groups = {0};
    struct mt_summary summary = {.cluster = campaign->cluster};
    int status = mt_remaining_find(&remaining, campaign->store, campaign->seed, err);
    if (status == MT_OK) {
        const struct outlook outlook = look_out(&remaining, campaign->jobs);
        mt_remaining_sort(&remaining);
        if (listed || json)
            fill(&view, &remaining, !json);
        sum_up(&summary, &remaining);
        mt_summary_fill(&groups, &summary);
        if (json)
            status = print_json(&groups, &view, &remaining, &outlook, err);
        else if (remaining.count > 0)
            status = print_tables(&groups, &view, err);
        if (status == MT_OK && !json)
            print_words(&remaining, &outlook, campaign);
    }
    mt_view_clear(&groups);
    mt_view_clear(&view);
    mt_remaining_clear(&remaining);
    return status;
}

static void print_result(const struct mt_campaign_result *result, bool simulated)
{
    printf("%d run%s measured%s, %d failed, %d measured before", result->done,
           result->done == 1 ? "" : "s", simulated ? " (simulated)" : "",
           result->failed, result->skipped);
    if (result->left_out > 0)
        printf("; left out for want of nodes that answer: %d", result->left_out);
    puts(result->interrupted ? "; interrupted" : "");
}

int mt_campaign_print(const struct mt_campaign_result *result, bool simulated,
                      bool json, struct mt_error *err)
{
    if (json)
        return mt_document_print(
            "motley/measure", 1,
            json_pack("{s:b, s:i, s:i, s:i, s:i, s:b}", "simulated", (int)simulated,
                      "done", result->done, "failed", result->failed, "skipped",
                      result->skipped, "left_out", result->left_out, "interrupted",
                      (int)(result->interrupted != 0)),
            stdout, err);
    print_result(result, simulated);
    return MT_OK;
}
