/* SPDX-License-Identifier: BSD-3-Clause */
#include "budget.h"

#include "cli/common/json.h"
#include "cli/common/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_simulated(const struct mt_budget *budget)
{
    return mt_cluster_simulated(budget->campaign->cluster);
}

static const char *simulated_note(const struct mt_budget *budget)
{
    return is_simulated(budget) ? " (simulated)" : "";
}

static void warn_of_uncovered(FILE *stream, int uncovered, int classes)
{
    if (uncovered > 0)
        fprintf(stream,
                "motley: %d of %d groups by processes per node stay without a run on "
                "all their nodes: little is known of these\n",
                uncovered, classes);
}

void mt_forecast_announce(const struct mt_forecast *forecast,
                          const struct mt_budget *budget)
{
    char text[32];
    const int runs = forecast->count + forecast->probes;
    if (runs == 0)
        return;
    fprintf(stderr, "motley: up to %d more run%s", runs, runs == 1 ? "" : "s");
    if (isnan(forecast->seconds))
        fprintf(stderr, "; how long they take is known after %d of them\n",
                forecast->cheap);
    else
        fprintf(stderr, ", in about %s%s\n", mt_format_seconds(text, forecast->seconds),
                simulated_note(budget));
    if (!isnan(forecast->seconds) || budget->limits.runs > 0)
        warn_of_uncovered(stderr, forecast->uncovered, forecast->classes);
}

static char *format_candidate(const struct mt_budget *budget, int i)
{
    return mt_configuration_format(&budget->candidates[i].configuration,
                                   budget->campaign->cluster);
}

static int print_runs(const struct mt_forecast *forecast,
                      const struct mt_budget *budget, struct mt_error *err)
{
    struct mt_table table = {0};
    if (forecast->count > 0)
        mt_table_add(&table, "configuration", ">N", ">expected", NULL);
    for (int i = 0; i < forecast->count; i++) {
        const struct mt_proposal *run = &forecast->runs[i];
        char *configuration = format_candidate(budget, run->index);
        char size[32], seconds[32];
        snprintf(size, sizeof size, "%.15g", budget->candidates[run->index].size);
        mt_table_add(&table, configuration ? configuration : "?", size,
                     mt_format_seconds(seconds, run->expected), NULL);
        free(configuration);
    }
    return mt_table_print(&table, stdout, err);
}

static int print_forecast_table(const struct mt_forecast *forecast,
                                const struct mt_budget *budget, struct mt_error *err)
{
    char text[32];
    int status = print_runs(forecast, budget, err);
    const char *note = simulated_note(budget);
    const int runs = forecast->count + forecast->probes;
    if (forecast->probes > 0)
        printf("up to %d probe%s of the best configurations at N = %.15g\n",
               forecast->probes, forecast->probes == 1 ? "" : "s", forecast->size);
    if (runs == 0 && budget->settled)
        printf("the plan has stopped changing%s: nothing needs to be measured\n", note);
    else if (runs == 0)
        printf("nothing is left to measure%s, or the limit is used up\n", note);
    else if (isnan(forecast->seconds))
        printf("up to %d runs%s; the time is unknown before a run has ended\n", runs,
               note);
    else
        printf("up to %d runs%s; they take about %s\n", runs, note,
               mt_format_seconds(text, forecast->seconds));
    warn_of_uncovered(stdout, forecast->uncovered, forecast->classes);
    return status;
}

static int print_forecast_json(const struct mt_forecast *forecast,
                               const struct mt_budget *budget, struct mt_error *err)
{
    json_t *runs = json_array();
    for (int i = 0; i < forecast->count; i++) {
        const struct mt_proposal *run = &forecast->runs[i];
        char *configuration = format_candidate(budget, run->index);
        json_array_append_new(
            runs,
            json_pack("{s:s*, s:o, s:i, s:o}", "configuration", configuration, "size",
                      mt_json_number(budget->candidates[run->index].size), "repetition",
                      1, "expected_seconds", mt_json_number(run->expected)));
        free(configuration);
    }
    json_t *result =
        json_pack("{s:b, s:i, s:o, s:i, s:o, s:i, s:o}", "simulated",
                  is_simulated(budget), "done_before", budget->before,
                  "expected_seconds", mt_json_number(forecast->seconds), "uncovered",
                  forecast->uncovered, "runs", runs, "probes", forecast->probes,
                  "probes_size", mt_json_number(forecast->size));
    return mt_json_print(result, stdout, err);
}

int mt_forecast_print(const struct mt_forecast *forecast,
                      const struct mt_budget *budget, bool json, struct mt_error *err)
{
    return json ? print_forecast_json(forecast, budget, err)
                : print_forecast_table(forecast, budget, err);
}

/* Why no more runs were made: for JSON, and in words. */
struct end {
    const char *name, *text;
};

static struct end end_of(const struct mt_budget *budget,
                         const struct mt_campaign_result *result,
                         const struct mt_design_state *state)
{
    static const struct end ends[] = {
        [MT_DESIGN_MEASURED] = {"all-measured", "nothing is left to measure"},
        [MT_DESIGN_RUNS_USED] = {"runs-used", "the number of runs is used up"},
        [MT_DESIGN_SECONDS_USED] =
            {"budget-used", "what is left of the budget is too short for a run"},
    };
    if (result->interrupted)
        return (struct end){"interrupted", "interrupted"};
    if (budget->settled)
        return (struct end){"settled", "the plan has stopped changing"};
    if (budget->end == MT_DESIGN_SECONDS_USED && state->spent >= budget->limits.seconds)
        return (struct end){ends[MT_DESIGN_SECONDS_USED].name, "the budget is used up"};
    return ends[budget->end];
}

static struct mt_design_plan plan_of(const struct mt_budget *budget)
{
    struct mt_design_plan plan = mt_design_plan(budget->design);
    if (budget->corrected)
        plan.choices = budget->corrected;
    return plan;
}

static int print_plan(const struct mt_budget *budget, struct mt_error *err)
{
    const struct mt_design_plan plan = plan_of(budget);
    struct mt_table table = {0};
    if (plan.count == 0) {
        puts("no plan yet: the runs do not determine the models");
        return MT_OK;
    }
    mt_table_add(&table, ">N", "best configuration", ">P", ">predicted", NULL);
    for (int i = 0; i < plan.count; i++) {
        char size[32], ranks[16], seconds[32];
        char *configuration = mt_configuration_format(&plan.choices[i].configuration,
                                                      budget->campaign->cluster);
        snprintf(size, sizeof size, "%.15g", plan.sizes[i]);
        snprintf(ranks, sizeof ranks, "%d", plan.choices[i].ranks);
        mt_table_add(&table, size, configuration ? configuration : "?", ranks,
                     mt_format_seconds(seconds, plan.choices[i].prediction.seconds),
                     NULL);
        free(configuration);
    }
    return mt_table_print(&table, stdout, err);
}

static int print_words(const struct mt_budget *budget,
                       const struct mt_campaign_result *result,
                       const struct mt_design_state *state, struct mt_error *err)
{
    char text[32];
    printf("%d run%s measured%s, %d failed, %d measured before, %s in all; %s",
           result->done, result->done == 1 ? "" : "s", simulated_note(budget),
           result->failed, result->skipped, mt_format_seconds(text, state->spent),
           end_of(budget, result, state).text);
    if (budget->settled)
        printf(" (%d runs)", state->unchanged);
    puts("");
    warn_of_uncovered(stderr, state->uncovered, state->classes);
    return print_plan(budget, err);
}

static json_t *plan_json(const struct mt_budget *budget)
{
    const struct mt_design_plan plan = plan_of(budget);
    json_t *list = json_array();
    for (int i = 0; i < plan.count; i++) {
        if (plan.choices[i].nodes == 0)
            continue;
        char *configuration = mt_configuration_format(&plan.choices[i].configuration,
                                                      budget->campaign->cluster);
        json_array_append_new(
            list,
            json_pack("{s:o, s:s*, s:i, s:o}", "size", mt_json_number(plan.sizes[i]),
                      "configuration", configuration, "ranks", plan.choices[i].ranks,
                      "predicted_seconds",
                      mt_json_number(plan.choices[i].prediction.seconds)));
        free(configuration);
    }
    return list;
}

static int print_json(const struct mt_budget *budget,
                      const struct mt_campaign_result *result,
                      const struct mt_design_state *state, struct mt_error *err)
{
    json_t *json =
        json_pack("{s:b, s:i, s:i, s:i, s:b, s:s, s:o, s:i, s:i, s:o}", "simulated",
                  is_simulated(budget), "done", result->done, "failed", result->failed,
                  "skipped", result->skipped, "interrupted", result->interrupted != 0,
                  "stopped", end_of(budget, result, state).name, "spent_seconds",
                  mt_json_number(state->spent), "unchanged", state->unchanged,
                  "uncovered", state->uncovered, "plan", plan_json(budget));
    return mt_json_print(json, stdout, err);
}

int mt_budget_print(const struct mt_budget *budget,
                    const struct mt_campaign_result *result, bool json,
                    struct mt_error *err)
{
    struct mt_design_state state;
    int status = mt_design_state(budget->design, &state, err);
    if (status != MT_OK)
        return status;
    return json ? print_json(budget, result, &state, err)
                : print_words(budget, result, &state, err);
}
