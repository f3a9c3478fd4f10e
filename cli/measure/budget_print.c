/* SPDX-License-Identifier: BSD-3-Clause */
#include "budget_print.h"

#include "cli/common/command.h"
#include "cli/common/document.h"
#include "cli/common/format.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "lib/design/internal.h"

#include "summary.h"

#include <math.h>
#include <stdio.h>

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

/* The columns of the runs that would be made, and of the plan. */
enum { CONFIGURATION, SIZE, REPETITION, EXPECTED, RUN_COLUMNS };
static const struct mt_column run_columns[RUN_COLUMNS] = {
    [CONFIGURATION] = {"configuration", "configuration", MT_COLUMN_TEXT},
    [SIZE] = {"size", "N", MT_COLUMN_COUNT},
    [REPETITION] = {"repetition", NULL, MT_COLUMN_COUNT},
    [EXPECTED] = {"expected_seconds", "expected", MT_COLUMN_SECONDS},
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
        set_configuration(view, CONFIGURATION, &run->configuration, budget);
        mt_view_number(view, SIZE, run->size);
        mt_view_number(view, REPETITION, run->repeat + 1);
        mt_view_number(view, EXPECTED, run->spent);
    }
}

static void sum_up(struct mt_view *view, const struct mt_forecast *forecast,
                   const struct mt_budget *budget)
{
    struct mt_summary summary = {.cluster = budget->campaign->cluster};
    for (int i = 0; i < forecast->count; i++) {
        const struct mt_proposal *run = &forecast->runs[i];
        mt_summary_add(&summary, &run->configuration, run->size, run->spent);
    }
    mt_summary_fill(view, &summary);
}

/* By group, and then, if `runs` has rows, all. */
static int print_runs(const struct mt_forecast *forecast,
                      const struct mt_budget *budget, struct mt_view *runs,
                      struct mt_error *err)
{
    struct mt_view groups = {0};
    sum_up(&groups, forecast, budget);
    int status = groups.rows > 0 ? mt_view_print(&groups, stdout, err) : MT_OK;
    mt_view_clear(&groups);
    if (status == MT_OK && runs->rows > 0) {
        puts("");
        status = mt_view_print(runs, stdout, err);
    }
    return status;
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
        status = print_runs(forecast, budget, runs, err);
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

static int print_forecast_json(const struct mt_forecast *forecast,
                               const struct mt_budget *budget, struct mt_view *runs,
                               struct mt_error *err)
{
    json_t *result =
        json_pack("{s:b, s:i, s:o, s:i, s:o, s:i, s:o}", "simulated",
                  is_simulated(budget), "done_before", budget->before,
                  "expected_seconds", mt_json_number(forecast->seconds), "uncovered",
                  forecast->uncovered, "runs", mt_view_to_json(runs), "probes",
                  forecast->probes, "probes_size", mt_json_number(forecast->size));
    return mt_document_print("motley/measure-budget-dry-run", 1, result, stdout, err);
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
    status = mt_common.json ? print_forecast_json(&forecast, budget, &runs, err)
                            : print_forecast_table(&forecast, budget, &runs, err);
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

static int print_words(const struct mt_budget *budget,
                       const struct mt_campaign_result *result,
                       const struct mt_design_state *state, struct mt_view *plan,
                       struct mt_error *err)
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
        return mt_view_print(plan, stdout, err);
    puts("no plan yet: the runs do not determine the models");
    return MT_OK;
}

static int print_json(const struct mt_budget *budget,
                      const struct mt_campaign_result *result,
                      const struct mt_design_state *state, struct mt_view *plan,
                      struct mt_error *err)
{
    json_t *json =
        json_pack("{s:b, s:i, s:i, s:i, s:b, s:s, s:o, s:i, s:i, s:o}", "simulated",
                  is_simulated(budget), "done", result->done, "failed", result->failed,
                  "skipped", result->skipped, "interrupted", result->interrupted != 0,
                  "stopped", end_of(budget, state).name, "spent_seconds",
                  mt_json_number(state->spent), "unchanged", state->unchanged,
                  "uncovered", state->uncovered, "plan", mt_view_to_json(plan));
    return mt_document_print("motley/measure-budget", 1, json, stdout, err);
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
    return json ? print_json(budget, result, &state, &plan, err)
                : print_words(budget, result, &state, &plan, err);
}
