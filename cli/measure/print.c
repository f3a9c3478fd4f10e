/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the expected runs of a campaign, by group and one by one, and its results: of
   one that makes all runs, and of one within limits. */
#include "print.h"

#include "cli/common/command.h"
#include "cli/common/format.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "cli/process/memory.h"
#include "lib/input/internal.h"
#include "motley/design.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct extent {
    double least, most;
};

/* An expected run. */
struct expected {
    const struct mt_configuration *configuration; /* borrowed */
    double size;
    int repetition;
    double seconds; /* NaN: unknown */
};

/* Those of a campaign. */
struct outlook {
    const struct mt_cluster *cluster; /* borrowed */
    struct expected *runs;            /* owned */
    int count;
};

static void widen(struct extent *range, double value, bool first)
{
    range->least = first ? value : fmin(range->least, value);
    range->most = first ? value : fmax(range->most, value);
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

/* The totals of a group's runs; MT_MAX_GROUPS: those of several groups. */
static void add_group(struct mt_view *view, const struct outlook *outlook, int group)
{
    struct extent nodes, processes, size;
    double seconds = 0;
    int runs = 0;
    bool first_use = true;
    for (int i = 0; i < outlook->count; i++) {
        const struct expected *run = &outlook->runs[i];
        const int only = mt_configuration_only_group(run->configuration);
        if ((only < 0 ? MT_MAX_GROUPS : only) != group)
            continue;
        widen(&nodes, mt_configuration_nodes(run->configuration), runs == 0);
        widen(&size, run->size, runs == 0);
        for (int g = 0; g < outlook->cluster->ngroups; g++)
            if (run->configuration->use[g].nodes > 0) {
                widen(&processes, run->configuration->use[g].layout.processes,
                      first_use);
                first_use = false;
            }
        seconds += run->seconds;
        runs++;
    }
    if (runs == 0)
        return;
    mt_view_row(view);
    mt_view_text(view, GROUP,
                 group == MT_MAX_GROUPS ? "several"
                                        : outlook->cluster->groups[group].name);
    set_range(view, NODES, nodes);
    set_range(view, PROCESSES, processes);
    set_range(view, LARGEST, size);
    mt_view_number(view, ALL_RUNS, runs);
    mt_view_number(view, SECONDS, seconds);
}

static struct mt_view view_groups(const struct outlook *outlook)
{
    struct mt_view view = {.columns = group_columns, .ncolumns = GROUP_COLUMNS};
    for (int g = 0; g < outlook->cluster->ngroups; g++)
        add_group(&view, outlook, g);
    add_group(&view, outlook, MT_MAX_GROUPS);
    return view;
}

enum { CONFIGURATION, SIZE, RUNS, REPETITION, EXPECTED, COLUMNS };
static const struct mt_column columns[COLUMNS] = {
    [CONFIGURATION] = {"configuration", "configuration", MT_COLUMN_TEXT},
    [SIZE] = {"size", "N", MT_COLUMN_COUNT},
    [RUNS] = {NULL, "runs", MT_COLUMN_COUNT},
    [REPETITION] = {"repetition", NULL, MT_COLUMN_COUNT},
    [EXPECTED] = {"expected_seconds", "expected", MT_COLUMN_SECONDS},
};

static bool is_repeated(const struct expected *a, const struct expected *b)
{
    return a->size == b->size &&
           mt_configuration_equal(a->configuration, b->configuration);
}

/* A row for each run, or for the repetitions of each together. */
static struct mt_view view_runs(const struct outlook *outlook, bool together)
{
    struct mt_view view = {.columns = columns, .ncolumns = COLUMNS};
    for (int i = 0, next; i < outlook->count; i = next) {
        const struct expected *run = &outlook->runs[i];
        for (next = i + 1; together && next < outlook->count &&
                           is_repeated(run, &outlook->runs[next]);)
            next++;
        mt_view_row(&view);
        mt_view_own_text(&view, CONFIGURATION,
                         mt_configuration_format(run->configuration, outlook->cluster));
        mt_view_number(&view, SIZE, run->size);
        mt_view_number(&view, RUNS, next - i);
        mt_view_number(&view, REPETITION, run->repetition);
        mt_view_number(&view, EXPECTED, run->seconds);
    }
    return view;
}

/* Print the tasks by group, and then, if `runs` has rows, one by one. */
static void print_tables(const struct outlook *outlook, struct mt_view *runs)
{
    struct mt_view groups = view_groups(outlook);
    if (groups.rows > 0)
        mt_view_print(&groups, stdout);
    if (runs->rows > 0) {
        puts("");
        mt_view_print(runs, stdout);
    }
}

static const char *simulated_note(const struct mt_campaign *campaign)
{
    return mt_cluster_simulated(campaign->cluster) ? " (simulated)" : "";
}

static void print_dry_words(const struct mt_remaining *remaining, double seconds,
                            bool lower_bound, const struct mt_campaign *campaign)
{
    char text[MT_QUANTITY_TEXT];
    const double most =
        remaining->count * mt_campaign_timeout(campaign) / campaign->jobs;
    printf("%d of %d runs left%s", remaining->count, remaining->tasks->count,
           simulated_note(campaign));
    if (remaining->count == 0)
        puts("");
    else if (isnan(seconds))
        printf("; the time is unknown before a run has ended, at most %s by time-out\n",
               mt_format_seconds(text, most));
    else
        printf("; they take %s %s\n", lower_bound ? "at least" : "about",
               mt_format_seconds(text, seconds));
}

static void print_remaining(const struct mt_campaign *campaign,
                            struct mt_remaining *remaining, bool listed)
{
    const bool json = mt_common.json;
    struct outlook outlook = {campaign->cluster, NULL, 0};
    double seconds = 0;
    bool lower_bound = false; /* some runs are larger than any that ended */
    mt_remaining_sort(remaining);
    outlook.runs = mt_calloc((size_t)remaining->count, sizeof *outlook.runs);
    for (int i = 0; i < remaining->count; i++) {
        const struct mt_task *task = mt_remaining_at(remaining, i);
        const struct expected run = {&task->configuration, task->size, task->repetition,
                                     mt_remaining_seconds(remaining, i)};
        seconds += run.seconds / campaign->jobs;
        lower_bound =
            lower_bound ||
            !mt_estimate_covers(&remaining->estimate,
                                mt_estimate_work(remaining->program, task->size));
        outlook.runs[outlook.count++] = run;
    }
    struct mt_view runs = {0};
    if (listed || json)
        runs = view_runs(&outlook, !json);
    if (json) {
        struct mt_view groups = view_groups(&outlook);
        json_t *result =
            json_pack("{s:b, s:i, s:o, s:b, s:o, s:o}", "simulated",
                      mt_cluster_simulated(remaining->cluster), "done_before",
                      remaining->tasks->count - remaining->count, "expected_seconds",
                      mt_json_number(seconds), "lower_bound", lower_bound, "groups",
                      mt_view_to_json(&groups), "runs", mt_view_to_json(&runs));
        mt_document_print("motley/measure-dry-run", 1, result, stdout);
    } else {
        print_tables(&outlook, &runs);
        print_dry_words(remaining, seconds, lower_bound, campaign);
    }
    free(outlook.runs);
}

int mt_dry_run(const struct mt_campaign *campaign, const struct mt_tasks *tasks,
               bool listed, struct mt_error *err)
{
    struct mt_remaining remaining = {
        .tasks = tasks, .cluster = campaign->cluster, .program = campaign->program};
    const int status =
        mt_remaining_find(&remaining, campaign->store, campaign->seed, err);
    if (status == MT_OK)
        print_remaining(campaign, &remaining, listed);
    mt_remaining_clear(&remaining);
    return status;
}

void mt_campaign_print(const struct mt_campaign_result *result, bool simulated)
{
    if (mt_common.json) {
        mt_document_print("motley/measure", 1,
                          json_pack("{s:b, s:i, s:i, s:i, s:i, s:b}", "simulated",
                                    (int)simulated, "done", result->done, "failed",
                                    result->failed, "skipped", result->skipped,
                                    "left_out", result->left_out, "interrupted",
                                    (int)(result->interrupted != 0)),
                          stdout);
        return;
    }
    printf("%d run%s measured%s, %d failed, %d measured before", result->done,
           result->done == 1 ? "" : "s", simulated ? " (simulated)" : "",
           result->failed, result->skipped);
    if (result->left_out > 0)
        printf("; left out for want of nodes that answer: %d", result->left_out);
    puts(result->interrupted ? "; interrupted" : "");
}

static void print_forecast_words(const struct mt_forecast *forecast,
                                 const struct mt_budget *budget)
{
    char text[MT_QUANTITY_TEXT];
    const char *note = simulated_note(budget->campaign);
    const int count = forecast->count + forecast->further;
    if (count == 0)
        printf("no run promises to change the plan%s, or the limit is used up\n", note);
    else if (isnan(forecast->seconds))
        printf("up to %d runs%s; the time is unknown before a run has ended\n", count,
               note);
    else if (forecast->seconds > 0)
        printf("up to %d runs%s,%s in about %s\n", count, note,
               mt_budget_of_base(budget, forecast),
               mt_format_seconds(text, forecast->seconds));
    else
        printf("up to %d runs%s\n", count, note);
    mt_budget_warn(stdout, forecast->uncovered, forecast->classes);
}

static void print_forecast(const struct mt_budget *budget,
                           const struct mt_forecast *forecast, bool listed)
{
    const struct mt_campaign *campaign = budget->campaign;
    struct outlook outlook = {campaign->cluster, NULL, 0};
    outlook.runs = mt_calloc((size_t)forecast->count, sizeof *outlook.runs);
    for (int i = 0; i < forecast->count; i++) {
        const struct mt_proposal *run = &forecast->runs[i];
        outlook.runs[outlook.count++] = (struct expected){
            &run->configuration, run->size, run->repeat + 1, run->spent};
    }
    struct mt_view runs = {0};
    if (listed || mt_common.json) {
        runs = view_runs(&outlook, false);
        mt_view_hide(&runs, RUNS);
    }
    if (mt_common.json) {
        json_t *result = json_pack("{s:b, s:i, s:o, s:i, s:o, s:i}", "simulated",
                                   mt_cluster_simulated(campaign->cluster),
                                   "done_before", budget->before, "expected_seconds",
                                   mt_json_number(forecast->seconds), "uncovered",
                                   forecast->uncovered, "runs", mt_view_to_json(&runs),
                                   "further", forecast->further);
        mt_document_print("motley/measure-budget-dry-run", 1, result, stdout);
    } else {
        print_tables(&outlook, &runs);
        print_forecast_words(forecast, budget);
    }
    free(outlook.runs);
}

int mt_budget_print_forecast(const struct mt_budget *budget, bool listed,
                             struct mt_error *err)
{
    struct mt_forecast forecast = {0};
    const int status = mt_design_forecast(&forecast, budget->design, err);
    if (status == MT_OK)
        print_forecast(budget, &forecast, listed);
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
        [MT_END_SETTLED] = {"settled", "no run promises to change the plan"},
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

enum { PLAN_SIZE, BEST, RANKS, PREDICTED, PLAN_COLUMNS };
static const struct mt_column plan_columns[PLAN_COLUMNS] = {
    [PLAN_SIZE] = {"size", "N", MT_COLUMN_COUNT},
    [BEST] = {"configuration", "best configuration", MT_COLUMN_TEXT},
    [RANKS] = {"ranks", "P", MT_COLUMN_COUNT},
    [PREDICTED] = {"predicted_seconds", "predicted", MT_COLUMN_SECONDS},
};

/* JSON leaves out sizes without a plan. */
static struct mt_view view_plan(const struct mt_budget *budget)
{
    const struct mt_design_plan plan = mt_design_plan(budget->design);
    const struct mt_choice *choices = plan.choices;
    struct mt_view view = {.columns = plan_columns, .ncolumns = PLAN_COLUMNS};
    for (int i = 0; i < plan.count; i++) {
        if (mt_common.json && choices[i].nodes == 0)
            continue;
        mt_view_row(&view);
        mt_view_number(&view, PLAN_SIZE, plan.sizes[i]);
        mt_view_own_text(&view, BEST,
                         mt_configuration_format(&choices[i].configuration,
                                                 budget->campaign->cluster));
        mt_view_number(&view, RANKS, choices[i].ranks);
        mt_view_number(&view, PREDICTED, choices[i].prediction.seconds);
    }
    return view;
}

static void print_words(const struct mt_budget *budget,
                        const struct mt_campaign_result *result,
                        const struct mt_design_state *state, struct mt_view *plan)
{
    char text[MT_QUANTITY_TEXT];
    printf("%d run%s measured%s, %d failed, %d measured before, %s in all; %s",
           result->done, result->done == 1 ? "" : "s", simulated_note(budget->campaign),
           result->failed, result->skipped, mt_format_seconds(text, state->spent),
           end_of(budget, state).text);
    if (!isnan(state->gain))
        printf("; better choices are expected to save %.1f %%", 100 * state->gain);
    puts("");
    mt_budget_warn(stderr, state->uncovered, state->classes);
    if (plan->rows > 0)
        mt_view_print(plan, stdout);
    else
        puts("no plan yet: it takes runs of two configurations, or of two sizes");
}

int mt_budget_print(const struct mt_budget *budget,
                    const struct mt_campaign_result *result, struct mt_error *err)
{
    struct mt_design_state state;
    const int status = mt_design_state(budget->design, &state, err);
    if (status != MT_OK)
        return status;
    struct mt_view plan = view_plan(budget);
    if (!mt_common.json) {
        print_words(budget, result, &state, &plan);
        return MT_OK;
    }
    json_t *json =
        json_pack("{s:b, s:i, s:i, s:i, s:b, s:s, s:o, s:o, s:i, s:o}", "simulated",
                  mt_cluster_simulated(budget->campaign->cluster), "done", result->done,
                  "failed", result->failed, "skipped", result->skipped, "interrupted",
                  result->interrupted != 0, "stopped", end_of(budget, &state).name,
                  "spent_seconds", mt_json_number(state.spent), "gain",
                  mt_json_number(state.gain), "uncovered", state.uncovered, "plan",
                  mt_view_to_json(&plan));
    mt_document_print("motley/measure-budget", 1, json, stdout);
    return MT_OK;
}
