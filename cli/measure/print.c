/* SPDX-License-Identifier: BSD-3-Clause */
/* What a campaign would do, by group and run by run, and what came of it: of one that
   makes all runs, and of one within limits. */
#include "print.h"

#include "cli/common/command.h"
#include "cli/common/format.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "lib/input/internal.h"
#include "motley/design.h"

#include <math.h>
#include <stdio.h>

/* From the least to the most. */
struct extent {
    double least, most;
};

/* Zeroed but for the cluster it has no runs. */
struct summary {
    const struct mt_cluster *cluster; /* borrowed */
    struct group_summary {
        int runs;
        struct extent nodes, processes, size;
        double seconds;          /* expected; NaN: unknown */
    } groups[MT_MAX_GROUPS + 1]; /* the last one of configurations of several groups */
};

static void widen(struct extent *range, double value, bool first)
{
    range->least = first ? value : fmin(range->least, value);
    range->most = first ? value : fmax(range->most, value);
}

static void add_to_summary(struct summary *summary,
                           const struct mt_configuration *configuration, double size,
                           double seconds)
{
    const int group = mt_configuration_only_group(configuration);
    struct group_summary *sum = &summary->groups[group < 0 ? MT_MAX_GROUPS : group];
    const bool first = sum->runs++ == 0;
    bool first_use = first;
    widen(&sum->nodes, mt_configuration_nodes(configuration), first);
    for (int g = 0; g < summary->cluster->ngroups; g++)
        if (configuration->use[g].nodes > 0) {
            widen(&sum->processes, configuration->use[g].layout.processes, first_use);
            first_use = false;
        }
    widen(&sum->size, size, first);
    sum->seconds += seconds;
}

static void set_range(struct mt_view *view, int column, struct extent range)
{
    char least[MT_QUANTITY_TEXT], most[MT_QUANTITY_TEXT];
    mt_view_number(view, column, range.most);
    if (range.least < range.most)
        mt_view_show(view, column, "%s - %s", mt_format_count(least, range.least),
                     mt_format_count(most, range.most));
}

enum { GROUP, NODES, PROCESSES, LARGEST, ALL_RUNS, SECONDS, GROUP_COLUMNS };
static const struct mt_column group_columns[GROUP_COLUMNS] = {
    [GROUP] = {"group", "group", MT_COLUMN_TEXT},
    [NODES] = {"most_nodes", "nodes", MT_COLUMN_COUNT},
    [PROCESSES] = {"most_processes", "processes a node", MT_COLUMN_COUNT},
    [LARGEST] = {"largest_size", "N", MT_COLUMN_COUNT},
    [ALL_RUNS] = {"runs", "runs", MT_COLUMN_COUNT},
    [SECONDS] = {"expected_seconds", "expected", MT_COLUMN_SECONDS},
};

static void fill_summary(struct mt_view *view, const struct summary *summary)
{
    *view = (struct mt_view){.columns = group_columns, .ncolumns = GROUP_COLUMNS};
    for (int g = 0; g <= MT_MAX_GROUPS; g++) {
        const struct group_summary *sum = &summary->groups[g];
        if (sum->runs == 0)
            continue;
        mt_view_row(view);
        mt_view_text(view, GROUP,
                     g == MT_MAX_GROUPS ? "several" : summary->cluster->groups[g].name);
        set_range(view, NODES, sum->nodes);
        set_range(view, PROCESSES, sum->processes);
        set_range(view, LARGEST, sum->size);
        mt_view_number(view, ALL_RUNS, sum->runs);
        mt_view_number(view, SECONDS, sum->seconds);
    }
}

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

/* Columns of the runs that would be made. */
enum { CONFIGURATION, SIZE, RUNS, REPETITION, EXPECTED, COLUMNS };
static const struct mt_column columns[COLUMNS] = {
    [CONFIGURATION] = {"configuration", "configuration", MT_COLUMN_TEXT},
    [SIZE] = {"size", "N", MT_COLUMN_COUNT},
    [RUNS] = {NULL, "runs", MT_COLUMN_COUNT},
    [REPETITION] = {"repetition", NULL, MT_COLUMN_COUNT},
    [EXPECTED] = {"expected_seconds", "expected", MT_COLUMN_SECONDS},
};

/* A row for each run, or for the repetitions of each together. */
static void fill_remaining(struct mt_view *view, const struct mt_remaining *remaining,
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
static void print_tables(struct mt_view *groups, struct mt_view *view)
{
    mt_view_print(groups, stdout);
    if (view->rows == 0)
        return;
    puts("");
    mt_view_print(view, stdout);
}

static void print_dry_words(const struct mt_remaining *remaining,
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

static void print_dry_json(struct mt_view *groups, struct mt_view *view,
                           const struct mt_remaining *remaining,
                           const struct outlook *outlook)
{
    json_t *result =
        json_pack("{s:b, s:i, s:o, s:b, s:o, s:o}", "simulated",
                  mt_cluster_simulated(remaining->cluster), "done_before",
                  remaining->tasks->count - remaining->count, "expected_seconds",
                  mt_json_number(outlook->seconds), "lower_bound", outlook->lower_bound,
                  "groups", mt_view_to_json(groups), "runs", mt_view_to_json(view));
    mt_document_print("motley/measure-dry-run", 1, result, stdout);
}

static void sum_up_remaining(struct summary *summary,
                             const struct mt_remaining *remaining)
{
    for (int i = 0; i < remaining->count; i++) {
        const struct mt_task *task = mt_remaining_at(remaining, i);
        add_to_summary(summary, &task->configuration, task->size,
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
    struct summary summary = {.cluster = campaign->cluster};
    int status = mt_remaining_find(&remaining, campaign->store, campaign->seed, err);
    if (status == MT_OK) {
        const struct outlook outlook = look_out(&remaining, campaign->jobs);
        mt_remaining_sort(&remaining);
        if (listed || json)
            fill_remaining(&view, &remaining, !json);
        sum_up_remaining(&summary, &remaining);
        fill_summary(&groups, &summary);
        if (json)
            print_dry_json(&groups, &view, &remaining, &outlook);
        else if (remaining.count > 0)
            print_tables(&groups, &view);
        if (status == MT_OK && !json)
            print_dry_words(&remaining, &outlook, campaign);
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

void mt_campaign_print(const struct mt_campaign_result *result, bool simulated,
                       bool json)
{
    if (json) {
        mt_document_print("motley/measure", 1,
                          json_pack("{s:b, s:i, s:i, s:i, s:i, s:b}", "simulated",
                                    (int)simulated, "done", result->done, "failed",
                                    result->failed, "skipped", result->skipped,
                                    "left_out", result->left_out, "interrupted",
                                    (int)(result->interrupted != 0)),
                          stdout);
        return;
    }
    print_result(result, simulated);
}

static bool is_simulated(const struct mt_budget *budget)
{
    return mt_cluster_simulated(budget->campaign->cluster);
}

static const char *simulated_note(const struct mt_budget *budget)
{
    return is_simulated(budget) ? " (simulated)" : "";
}

static void set_configuration(struct mt_view *view, int column,
                              const struct mt_configuration *configuration,
                              const struct mt_budget *budget)
{
    mt_view_own_text(view, column,
                     mt_configuration_format(configuration, budget->campaign->cluster));
}

/* As above, which take a time each. */
enum { PROPOSED, PROPOSED_SIZE, PROPOSED_REPETITION, PROPOSED_SECONDS, RUN_COLUMNS };
static const struct mt_column run_columns[RUN_COLUMNS] = {
    [PROPOSED] = {"configuration", "configuration", MT_COLUMN_TEXT},
    [PROPOSED_SIZE] = {"size", "N", MT_COLUMN_COUNT},
    [PROPOSED_REPETITION] = {"repetition", NULL, MT_COLUMN_COUNT},
    [PROPOSED_SECONDS] = {"expected_seconds", "expected", MT_COLUMN_SECONDS},
};
enum { PLAN_SIZE, BEST, RANKS, PREDICTED, PLAN_COLUMNS };
static const struct mt_column plan_columns[PLAN_COLUMNS] = {
    [PLAN_SIZE] = {"size", "N", MT_COLUMN_COUNT},
    [BEST] = {"configuration", "best configuration", MT_COLUMN_TEXT},
    [RANKS] = {"ranks", "P", MT_COLUMN_COUNT},
    [PREDICTED] = {"predicted_seconds", "predicted", MT_COLUMN_SECONDS},
};

static void fill_runs(struct mt_view *view, const struct mt_forecast *forecast,
                      const struct mt_budget *budget)
{
    *view = (struct mt_view){.columns = run_columns, .ncolumns = RUN_COLUMNS};
    for (int i = 0; i < forecast->count; i++) {
        const struct mt_proposal *run = &forecast->runs[i];
        mt_view_row(view);
        set_configuration(view, PROPOSED, &run->configuration, budget);
        mt_view_number(view, PROPOSED_SIZE, run->size);
        mt_view_number(view, PROPOSED_REPETITION, run->repeat + 1);
        mt_view_number(view, PROPOSED_SECONDS, run->spent);
    }
}

static void sum_up(struct mt_view *view, const struct mt_forecast *forecast,
                   const struct mt_budget *budget)
{
    struct summary summary = {.cluster = budget->campaign->cluster};
    for (int i = 0; i < forecast->count; i++) {
        const struct mt_proposal *run = &forecast->runs[i];
        add_to_summary(&summary, &run->configuration, run->size, run->spent);
    }
    fill_summary(view, &summary);
}

/* By group, and then, if `runs` has rows, all. */
static void print_runs(const struct mt_forecast *forecast,
                       const struct mt_budget *budget, struct mt_view *runs)
{
    struct mt_view groups = {0};
    sum_up(&groups, forecast, budget);
    if (groups.rows > 0)
        mt_view_print(&groups, stdout);
    mt_view_clear(&groups);
    if (runs->rows > 0) {
        puts("");
        mt_view_print(runs, stdout);
    }
}

static int print_forecast_table(const struct mt_forecast *forecast,
                                const struct mt_budget *budget, struct mt_view *runs,
                                struct mt_error *err)
{
    char text[MT_QUANTITY_TEXT];
    const char *note = simulated_note(budget);
    const int count = forecast->count + forecast->probes;
    struct mt_design_state state;
    int status = mt_design_state(budget->design, &state, err);
    if (status == MT_OK)
        print_runs(forecast, budget, runs);
    if (status != MT_OK)
        return status;
    if (forecast->probes > 0)
        printf("up to %d probe%s of the best configurations at N = %s\n",
               forecast->probes, forecast->probes == 1 ? "" : "s",
               mt_format_count(text, forecast->size));
    if (count == 0 && state.settled)
        printf("the plan has stopped changing%s: nothing needs to be measured\n", note);
    else if (count == 0)
        printf("nothing is left to measure%s, or the limit is used up\n", note);
    else if (isnan(forecast->seconds))
        printf("up to %d runs%s; the time is unknown before a run has ended\n", count,
               note);
    else
        printf("up to %d runs%s; they take about %s\n", count, note,
               mt_format_seconds(text, forecast->seconds));
    mt_budget_warn(stdout, forecast->uncovered, forecast->classes);
    return MT_OK;
}

static void print_forecast_json(const struct mt_forecast *forecast,
                                const struct mt_budget *budget, struct mt_view *runs)
{
    json_t *result =
        json_pack("{s:b, s:i, s:o, s:i, s:o, s:i, s:o}", "simulated",
                  is_simulated(budget), "done_before", budget->before,
                  "expected_seconds", mt_json_number(forecast->seconds), "uncovered",
                  forecast->uncovered, "runs", mt_view_to_json(runs), "probes",
                  forecast->probes, "probes_size", mt_json_number(forecast->size));
    mt_document_print("motley/measure-budget-dry-run", 1, result, stdout);
}

int mt_budget_print_forecast(const struct mt_budget *budget, bool listed,
                             struct mt_error *err)
{
    struct mt_forecast forecast = {0};
    struct mt_view runs = {0};
    int status = mt_design_forecast(&forecast, budget->design, err);
    if (status != MT_OK)
        return status;
    if (listed || mt_common.json)
        fill_runs(&runs, &forecast, budget);
    if (mt_common.json)
        print_forecast_json(&forecast, budget, &runs);
    else
        status = print_forecast_table(&forecast, budget, &runs, err);
    mt_view_clear(&runs);
    mt_forecast_clear(&forecast);
    return status;
}

/* Why no more runs were made: for JSON, and in words. */
struct end {
    const char *name, *text;
};

static struct end end_of(const struct mt_budget *budget,
                         const struct mt_design_state *state)
{
    static const struct end ends[] = {
        [MT_END_SETTLED] = {"settled", "the plan has stopped changing"},
        [MT_END_ALL_MEASURED] = {"all-measured", "nothing is left to measure"},
        [MT_END_RUNS_USED] = {"runs-used", "the number of runs is used up"},
        [MT_END_SECONDS_USED] = {"budget-used",
                                 "what is left of the budget is too short for a run"},
        [MT_END_STOPPED] = {"interrupted", "interrupted"},
    };
    struct end end = ends[budget->end];
    if (budget->end == MT_END_SECONDS_USED && state->spent >= budget->limits.seconds)
        end.text = "the budget is used up";
    return end;
}

/* JSON has no sizes for which nothing can be planned. */
static void fill_plan(struct mt_view *view, const struct mt_budget *budget, bool json)
{
    const struct mt_design_plan plan = mt_design_plan(budget->design);
    const struct mt_choice *choices =
        budget->corrected ? budget->corrected : plan.choices;
    *view = (struct mt_view){.columns = plan_columns, .ncolumns = PLAN_COLUMNS};
    for (int i = 0; i < plan.count; i++) {
        if (json && choices[i].nodes == 0)
            continue;
        mt_view_row(view);
        mt_view_number(view, PLAN_SIZE, plan.sizes[i]);
        set_configuration(view, BEST, &choices[i].configuration, budget);
        mt_view_number(view, RANKS, choices[i].ranks);
        mt_view_number(view, PREDICTED, choices[i].prediction.seconds);
    }
}

static void print_words(const struct mt_budget *budget,
                        const struct mt_campaign_result *result,
                        const struct mt_design_state *state, struct mt_view *plan)
{
    char text[MT_QUANTITY_TEXT];
    printf("%d run%s measured%s, %d failed, %d measured before, %s in all; %s",
           result->done, result->done == 1 ? "" : "s", simulated_note(budget),
           result->failed, result->skipped, mt_format_seconds(text, state->spent),
           end_of(budget, state).text);
    if (budget->end == MT_END_SETTLED)
        printf(" (%d runs)", state->unchanged);
    puts("");
    mt_budget_warn(stderr, state->uncovered, state->classes);
    if (plan->rows > 0)
        mt_view_print(plan, stdout);
    else
        puts("no plan yet: the runs do not determine the models");
}

static void print_json(const struct mt_budget *budget,
                       const struct mt_campaign_result *result,
                       const struct mt_design_state *state, struct mt_view *plan)
{
    json_t *json =
        json_pack("{s:b, s:i, s:i, s:i, s:b, s:s, s:o, s:i, s:i, s:o}", "simulated",
                  is_simulated(budget), "done", result->done, "failed", result->failed,
                  "skipped", result->skipped, "interrupted", result->interrupted != 0,
                  "stopped", end_of(budget, state).name, "spent_seconds",
                  mt_json_number(state->spent), "unchanged", state->unchanged,
                  "uncovered", state->uncovered, "plan", mt_view_to_json(plan));
    mt_document_print("motley/measure-budget", 1, json, stdout);
}

int mt_budget_print(const struct mt_budget *budget,
                    const struct mt_campaign_result *result, bool json,
                    struct mt_error *err)
{
    struct mt_design_state state;
    struct mt_view plan = {0};
    int status = mt_design_state(budget->design, &state, err);
    if (status != MT_OK)
        return status;
    fill_plan(&plan, budget, json);
    if (json)
        print_json(budget, result, &state, &plan);
    else
        print_words(budget, result, &state, &plan);
    return MT_OK;
}
