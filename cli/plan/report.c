/* SPDX-License-Identifier: BSD-3-Clause */
/* A plan as a table with notes below it, and as JSON. */
#include "report.h"

#include "cli/common/format.h"
#include "cli/common/inputs.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "cli/lateness/report.h"
#include "lib/input/internal.h"
#include "lib/plan/internal.h"
#include "planning.h"

#include <math.h>
#include <stdio.h>

/* An interval whose ends differ by more than this factor shows a gain only roughly. */
static const double vague = 1.25;

enum {
    RANK,
    CONFIGURATION,
    RANKS,
    NODES,
    PREDICTION,
    MEASURED = PREDICTION + MT_PREDICTION_COLUMNS,
    RUNS,
    SPEED,
    EFFICIENCY,
    COSTS,
    CHANCE = COSTS + MT_COSTS_COLUMNS,
    COLUMNS
};
static const struct mt_column columns[COLUMNS] = {
    [RANK] = {NULL, "rank", MT_COLUMN_COUNT},
    [CONFIGURATION] = {"configuration", "configuration", MT_COLUMN_TEXT},
    [RANKS] = {"ranks", "P", MT_COLUMN_COUNT},
    [NODES] = {"nodes", "nodes", MT_COLUMN_COUNT},
    MT_PREDICTION_COLUMNS_AT(PREDICTION),
    [MEASURED] = {"measured", "measured", MT_COLUMN_SECONDS},
    [RUNS] = {"runs", NULL, MT_COLUMN_COUNT},
    [SPEED] = {"speed", "Gflop/s", MT_COLUMN_NUMBER},
    [EFFICIENCY] = {"efficiency", "efficiency", MT_COLUMN_PERCENT},
    MT_COSTS_COLUMNS_AT(COSTS),
    [CHANCE] = {"chance", "chance", MT_COLUMN_PERCENT},
};

static const struct mt_measured *measured_choice(const struct mt_plan_report *report,
                                                 const struct mt_choice *choice)
{
    return mt_measured_at(&report->predictor->measured, &choice->configuration,
                          report->question->size);
}

/* The measured time of a choice at this size. */
static void set_measured(struct mt_view *view, const struct mt_plan_report *report,
                         const struct mt_choice *choice)
{
    char seconds[MT_QUANTITY_TEXT];
    const struct mt_measured *measured = measured_choice(report, choice);
    mt_view_number(view, MEASURED, measured ? measured->seconds : NAN);
    mt_view_number(view, RUNS, measured ? measured->runs : 0);
    if (measured && measured->runs > 1)
        mt_view_show(view, MEASURED, "%d x %s", measured->runs,
                     mt_format_seconds(seconds, measured->seconds));
}

static double chance_of(const struct mt_plan_report *report,
                        const struct mt_choice *choice)
{
    return mt_plan_chance(report->predictor, choice, report->question);
}

static void add_choice(struct mt_view *view, const struct mt_plan_report *report,
                       int rank)
{
    const struct mt_cluster *cluster = report->predictor->problem.cluster;
    const struct mt_choice *choice = &report->plan->choices[rank - 1];
    const double size = report->question->size;
    const double speed = mt_plan_speed(report->predictor, choice, size);
    mt_view_row(view);
    mt_view_number(view, RANK, rank);
    mt_view_own_text(view, CONFIGURATION,
                     mt_configuration_format(&choice->configuration, cluster));
    mt_view_number(view, RANKS, choice->ranks);
    mt_view_number(view, NODES, choice->nodes);
    mt_prediction_view(view, PREDICTION, &choice->prediction);
    set_measured(view, report, choice);
    mt_view_number(view, SPEED, speed);
    if (!isnan(speed))
        mt_view_show(view, SPEED, "%.4g", speed / 1e9);
    mt_view_number(view, EFFICIENCY,
                   mt_plan_efficiency(report->predictor, choice, size));
    mt_costs_view(view, COSTS, choice, cluster);
    if (mt_question_limits(report->question))
        mt_view_number(view, CHANCE, chance_of(report, choice));
}

static bool any_measured(const struct mt_plan_report *report)
{
    for (int i = 0; i < report->plan->count; i++)
        if (measured_choice(report, &report->plan->choices[i]))
            return true;
    return false;
}

/* Whether a choice's chance of keeping the limits is at most that of another. An
   unknown chance counts as zero. */
static bool is_no_surer(const struct mt_plan_report *report,
                        const struct mt_choice *choice, const struct mt_choice *other)
{
    const double chance = chance_of(report, choice);
    return isnan(chance) || chance <= chance_of(report, other);
}

/* Whether another choice dominates this one: as good in time, nodes, cost and energy,
   and better in some. Choices that ran are never left out. */
static bool is_dominated(const struct mt_plan_report *report, int i)
{
    const struct mt_choice *choice = &report->plan->choices[i];
    if (measured_choice(report, choice))
        return false;
    for (int k = 0; k < i; k++) {
        const struct mt_choice *other = &report->plan->choices[k];
        if (other->prediction.seconds <= choice->prediction.seconds &&
            other->nodes <= choice->nodes && other->cost <= choice->cost &&
            other->joules <= choice->joules && is_no_surer(report, choice, other))
            return true;
    }
    return false;
}

void mt_plan_view(struct mt_view *view, const struct mt_plan_report *report, bool shown)
{
    *view = (struct mt_view){.columns = columns, .ncolumns = COLUMNS};
    for (int i = 0; i < report->plan->count; i++)
        if (!shown || report->all || !is_dominated(report, i))
            add_choice(view, report, i + 1);
    if (!any_measured(report))
        mt_view_hide(view, MEASURED);
    mt_costs_hide(view, COSTS, report->predictor->problem.cluster);
    if (!mt_question_limits(report->question))
        mt_view_hide(view, CHANCE);
}

static void print_proof(FILE *stream, const struct mt_plan_report *report)
{
    const struct mt_plan *plan = report->plan;
    const enum mt_objective objective = report->question->objective;
    const char *better = mt_objective_words(objective)->better;
    const int digits = plan->configurations < 1e12 ? 12 : 3;
    if (report->all)
        fprintf(stream, "all %.*g configurations tried: %d are allowed\n", digits,
                plan->configurations, plan->count);
    else if (plan->exact && report->predictor->models.kind == MT_MODEL_NT)
        fprintf(stream,
                "proven: of %.*g configurations that have a model, no allowed one is "
                "predicted %s\n",
                digits, plan->configurations, better);
    else if (plan->exact)
        fprintf(stream,
                "proven: of %.*g configurations, no allowed one is predicted %s\n",
                digits, plan->configurations, better);
    else
        fprintf(stream,
                mt_plan_gap(plan, objective) < 1
                    ? "not proven: of %.*g configurations, one may be predicted %s, by "
                      "up to %.2g %%\n"
                    : "not proven: of %.*g configurations, one may be predicted %s; "
                      "by how much is unknown, as the models have no bound\n",
                digits, plan->configurations, better,
                100 * mt_plan_gap(plan, objective));
}

static void print_launch(const struct mt_plan_report *report)
{
    if (report->launch)
        printf("launch: %s\n", report->launch);
    else
        printf("launch: not from here: %s\n", report->why_not);
    if (report->script)
        printf("job script: %s\n", report->script);
    else if (report->launch &&
             mt_program_has_folder(report->predictor->problem.program))
        puts("(in a folder with its input files filled in; 'motley run' does all of "
             "it)");
    else if (report->launch && !report->hostfile)
        puts("(--hostfile hostfile writes its hostfile; 'motley run' does all of it)");
}

/* Whether a choice is ranked behind others that are not predicted to be better. */
static bool any_behind(const struct mt_plan_report *report)
{
    const struct mt_plan *plan = report->plan;
    return plan->choices[plan->count - 1].behind && !plan->choices[0].behind;
}

/* Print the chance of keeping the limits. */
static void print_chance(FILE *stream, const struct mt_plan_report *report)
{
    const struct mt_question *question = report->question;
    char text[MT_QUANTITY_TEXT];
    const double chance = chance_of(report, &report->plan->choices[0]);
    const int limits =
        (question->deadline > 0) + (question->budget > 0) + (question->efficiency > 0);
    const char *what = limits > 1               ? "the limits"
                       : question->deadline > 0 ? "the deadline"
                       : question->budget > 0   ? "the budget"
                                                : "the efficiency";
    if (!mt_question_limits(question))
        return;
    if (isnan(chance))
        fprintf(stream, "the chance that the first one keeps %s is not known\n", what);
    else
        fprintf(stream,
                "the first one keeps %s with a chance of %s (wanted: %.3g %%)\n", what,
                mt_format_percent(text, chance),
                question->confidence > 0 ? 100 * question->confidence : 50);
}

/* Warn of a wide interval of the first choice, which users rely on. */
static void print_doubt(FILE *stream, const struct mt_plan_report *report)
{
    const struct mt_choice *first = &report->plan->choices[0];
    const double ratio = first->prediction.high / first->prediction.low;
    if (ratio < MT_WIDE_INTERVAL || measured_choice(report, first))
        return;
    if (isfinite(ratio))
        fprintf(stream,
                "little is known of the first one: the ends of its interval are a "
                "factor of %.1f apart\n",
                ratio);
    else
        fputs("nothing is known of how far off the first one's prediction may be\n",
              stream);
}

static void print_left_out(FILE *stream, const struct mt_plan_report *report)
{
    int count = 0;
    for (int i = 0; i < report->plan->count; i++)
        count += is_dominated(report, i);
    if (count > 0 && !report->all)
        fprintf(stream,
                "left out: %d that %s longer on no fewer nodes, and %s no less%s\n",
                count, count == 1 ? "takes" : "take", count == 1 ? "costs" : "cost",
                report->on_page ? "" : "; --all lists them");
}

void mt_plan_print_notes(const struct mt_plan_report *report, FILE *stream)
{
    const struct mt_problem *problem = &report->predictor->problem;
    const bool is_auto = report->predictor->models.kind == MT_MODEL_AUTO;
    struct mt_prediction_marks marks = {0};
    bool too_good = false;
    for (int i = 0; i < report->plan->count; i++) {
        if (!report->all && is_dominated(report, i))
            continue;
        mt_prediction_marks_take(&marks, &report->plan->choices[i].prediction);
        too_good |= mt_plan_efficiency(report->predictor, &report->plan->choices[i],
                                       report->question->size) > 1;
    }
    mt_prediction_marks_print(&marks, stream);
    if (too_good)
        fputs("efficiency above 100 %: faster than these nodes were ever measured "
              "alone\n",
              stream);
    if (any_behind(report))
        fputs(report->question->ran_first
                  ? "configurations that have not run at this size rank behind those "
                    "that have\n"
                  : "guesses rank behind configurations that ran at this size\n",
              stream);
    print_left_out(stream, report);
    print_doubt(stream, report);
    print_chance(stream, report);
    mt_slow_node_print(problem->cluster, problem->program->name, mt_common.db,
                       report->on_page ? "" : ": see 'motley show lateness'", stream);
    if (is_auto && any_measured(report))
        fputs("configurations that ran at this size are ranked by the median of their "
              "runs\n",
              stream);
    print_proof(stream, report);
}

static bool is_vague(const struct mt_prediction *prediction)
{
    return prediction->high > vague * prediction->low;
}

/* The reason why a better rival is not the first choice. */
static const char *why_not(const struct mt_plan_report *report,
                           const struct mt_choice *rival)
{
    if (!mt_choice_allowed(rival, report->predictor, report->question))
        return "ruled out by the limits";
    return rival->prediction.unseen ? "a guess" : "not run at this size";
}

/* Print the gain of the first choice over a rival called `name`. */
static bool print_gain(FILE *stream, const struct mt_plan_report *report,
                       const struct mt_choice *rival, const char *name, bool is_first)
{
    const struct mt_question *question = report->question;
    const struct mt_choice *first = &report->plan->choices[0];
    const double gain = 1 - mt_choice_value(first, question->objective) /
                                mt_choice_value(rival, question->objective);
    const char *what = mt_objective_words(question->objective)->what;
    const bool rough = is_vague(&first->prediction) || is_vague(&rival->prediction);
    if (rival->nodes == 0 || !isfinite(gain))
        return false;
    fputs(is_first ? ": " : ", ", stream);
    if (mt_configuration_equal(&first->configuration, &rival->configuration))
        fprintf(stream, "the same as %s", name);
    else if (fabs(gain) < 0.005)
        fprintf(stream, "as much %s as %s", what, name);
    else
        fprintf(stream, "%s%.0f %% %s %s than %s", rough ? "about " : "",
                100 * fabs(gain), gain > 0 ? "less" : "more", what, name);
    if (gain <= -0.005)
        fprintf(stream, " (%s)", why_not(report, rival));
    else if (rival->prediction.unseen)
        fputs(" (a guess)", stream);
    return true;
}

void mt_plan_print_gains(const struct mt_plan_report *report, FILE *stream)
{
    const struct mt_cluster *cluster = report->predictor->problem.cluster;
    struct mt_rivals rivals;
    mt_rivals_find(&rivals, report->predictor, report->question->size);
    bool is_first = !print_gain(stream, report, &rivals.all, "all nodes", true);
    char name[128];
    snprintf(name, sizeof name, "all of %s", cluster->groups[rivals.only_group].name);
    is_first &= !print_gain(stream, report, &rivals.group, name, is_first);
    print_gain(stream, report, &rivals.last, "what ran last", is_first);
}

void mt_plan_print_choices(const struct mt_plan_report *report)
{
    const struct mt_problem *problem = &report->predictor->problem;
    struct mt_view view;
    mt_plan_view(&view, report, true);
    printf("%s on %s, N = %.15g, %s by %s models%s", problem->program->name,
           problem->cluster->name, report->question->size,
           mt_objective_words(report->question->objective)->best,
           mt_model_kind_name(report->predictor->models.kind),
           mt_cluster_simulated(problem->cluster) ? " (simulated)" : "");
    mt_plan_print_gains(report, stdout);
    puts("");
    mt_view_print(&view, stdout);
    mt_plan_print_notes(report, stdout);
}

void mt_plan_print_table(const struct mt_plan_report *report)
{
    mt_plan_print_choices(report);
    print_launch(report);
}

void mt_plan_print_json(const struct mt_plan_report *report, json_t *verification)
{
    const struct mt_problem *problem = &report->predictor->problem;
    const struct mt_plan *plan = report->plan;
    struct mt_view view;
    mt_plan_view(&view, report, false);
    json_t *choices = mt_view_to_json(&view);
    mt_document_print(
        "motley/plan", 1,
        json_pack(
            "{s:b, s:s, s:s, s:o, s:s, s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:s?, s:s?, "
            "s:s?, s:o}",
            "simulated", (int)mt_cluster_simulated(problem->cluster), "cluster",
            problem->cluster->name, "program", problem->program->name, "size",
            mt_json_number(report->question->size), "model",
            mt_model_kind_name(report->predictor->models.kind), "objective",
            mt_objective_name(report->question->objective), "exact", (int)plan->exact,
            "bound", mt_json_number(plan->bound), "gap",
            mt_json_number(mt_plan_gap(plan, report->question->objective)),
            "configurations", mt_json_number(plan->configurations), "evaluated",
            mt_json_number(plan->evaluated), "verification", verification, "launch",
            report->launch, "hostfile", report->hostfile, "sbatch", report->script,
            "choices", choices),
        stdout);
}
