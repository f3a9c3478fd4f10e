/* SPDX-License-Identifier: BSD-3-Clause */
#include "print.h"

#include "cli/common/json.h"
#include "cli/common/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void mt_plan_report_measured(struct mt_plan_report *report)
{
    const struct mt_samples *samples = &report->predictor->samples;
    for (int i = 0; i < samples->count; i++) {
        const struct mt_sample *sample = &samples->samples[i];
        const int g = mt_configuration_only_group(&sample->configuration);
        const double speed =
            mt_program_work(report->predictor->problem.program, sample->size) /
            sample->seconds;
        if (g >= 0 && sample->configuration.use[g].nodes == 1 &&
            speed > report->alone[g])
            report->alone[g] = speed;
    }
}

/* Operations per second; NaN when the program's work is unknown. */
static double speed_of(const struct mt_plan_report *report,
                       const struct mt_choice *choice)
{
    const double work =
        mt_program_work(report->predictor->problem.program, report->question->size);
    return work > 0 ? work / choice->prediction.seconds : NAN;
}

/* The speed relative to that of all its nodes alone; NaN when that is unknown. */
static double efficiency_of(const struct mt_plan_report *report,
                            const struct mt_choice *choice)
{
    double ideal = 0;
    for (int g = 0; g < report->predictor->problem.cluster->ngroups; g++) {
        const int nodes = choice->configuration.use[g].nodes;
        if (nodes > 0 && report->alone[g] == 0)
            return NAN;
        ideal += nodes * report->alone[g];
    }
    return speed_of(report, choice) / ideal;
}

static bool has_prices(const struct mt_cluster *cluster)
{
    for (int g = 0; g < cluster->ngroups; g++) {
        if (cluster->groups[g].price > 0)
            return true;
    }
    return false;
}

static bool has_watts(const struct mt_cluster *cluster)
{
    for (int g = 0; g < cluster->ngroups; g++) {
        if (cluster->groups[g].watts > 0)
            return true;
    }
    return false;
}

/* The cells of a row, and their texts. */
struct row {
    const char *cells[MT_MAX_COLUMNS];
    char texts[MT_MAX_COLUMNS][80];
    int count;
};

MT_PRINTF(2, 3)
static void add_cell(struct row *row, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row->texts[row->count], sizeof row->texts[0], format, arguments);
    va_end(arguments);
    row->cells[row->count] = row->texts[row->count];
    row->count++;
}

/* What a choice took at this size; NULL: it never ran. */
static const struct mt_measured *measured_of(const struct mt_plan_report *report,
                                             const struct mt_choice *choice)
{
    return mt_measured_at(&report->predictor->measured, &choice->configuration,
                          report->question->size);
}

static void add_header(struct mt_table *table, const struct mt_plan_report *report)
{
    const struct mt_cluster *cluster = report->predictor->problem.cluster;
    const char *cells[MT_MAX_COLUMNS] = {">rank",  "configuration", ">P",
                                         ">nodes", ">predicted",    ">90 % interval  "};
    int count = 6;
    if (report->plan->corrected)
        cells[count++] = ">measured";
    cells[count++] = ">Gflop/s";
    cells[count++] = ">efficiency";
    if (has_prices(cluster))
        cells[count++] = ">cost";
    if (has_watts(cluster))
        cells[count++] = ">energy";
    table->columns = count;
    mt_table_add_row(table, cells);
}

static void add_measured(struct row *row, const struct mt_plan_report *report,
                         const struct mt_choice *choice)
{
    char seconds[32];
    const struct mt_measured *measured = measured_of(report, choice);
    if (!measured)
        add_cell(row, "-");
    else if (measured->runs == 1)
        add_cell(row, "%s", mt_format_seconds(seconds, measured->seconds));
    else
        add_cell(row, "%d x %s", measured->runs,
                 mt_format_seconds(seconds, measured->seconds));
}

static int add_choice(struct mt_table *table, const struct mt_plan_report *report,
                      int rank, struct mt_error *err)
{
    const struct mt_cluster *cluster = report->predictor->problem.cluster;
    const struct mt_choice *choice = &report->plan->choices[rank - 1];
    const struct mt_prediction *prediction = &choice->prediction;
    const double speed = speed_of(report, choice);
    const double efficiency = efficiency_of(report, choice);
    char seconds[32], low[32], high[32];
    char *configuration = mt_configuration_format(&choice->configuration, cluster);
    if (!configuration)
        return mt_fail(err, MT_ENOMEM, "no memory for a configuration's text");

    struct row row = {.count = 0};
    add_cell(&row, "%d", rank);
    add_cell(&row, "%s", "");
    row.cells[1] = configuration;
    add_cell(&row, "%d", choice->ranks);
    add_cell(&row, "%d", choice->nodes);
    add_cell(&row, "%s", mt_format_seconds(seconds, prediction->seconds));
    add_cell(&row, "%s - %s%s", mt_format_seconds(low, prediction->low),
             mt_format_seconds(high, prediction->high),
             prediction->extrapolated ? " *" : "  ");
    if (report->plan->corrected)
        add_measured(&row, report, choice);
    add_cell(&row, isnan(speed) ? "-" : "%.4g", speed / 1e9);
    add_cell(&row, isnan(efficiency) ? "-" : "%.1f %%", 100 * efficiency);
    if (has_prices(cluster))
        add_cell(&row, "%.4g", choice->cost);
    if (has_watts(cluster))
        add_cell(&row, "%.4g kJ", choice->joules / 1000);
    mt_table_add_row(table, row.cells);
    free(configuration);
    return MT_OK;
}

/* What corrected the models, and what was corrected. */
static void print_correction(const struct mt_plan_report *report)
{
    const struct mt_plan *plan = report->plan;
    const int runs = report->predictor->corrections;
    printf("corrected by %d %s beyond the training, %d of them at this size: ", runs,
           runs == 1 ? "run" : "runs",
           mt_predictor_corrections_at(report->predictor, report->question->size));
    if (!plan->exact)
        printf("the best of those that the models put first, of %.3g configurations\n",
               plan->configurations);
    else if (report->all)
        printf("%d configurations are allowed\n", plan->count);
    else
        printf("the best of %.12g configurations by what is expected now\n",
               plan->configurations);
}

static void print_proof(const struct mt_plan_report *report)
{
    const struct mt_plan *plan = report->plan;
    const bool cheapest = report->question->objective == MT_CHEAPEST;
    const char *better = cheapest ? "cheaper" : "faster";
    const int digits = plan->configurations < 1e12 ? 12 : 3;
    if (report->all)
        printf("all %.*g configurations tried: %d are allowed\n", digits,
               plan->configurations, plan->count);
    else if (plan->exact && report->predictor->models.kind == MT_MODEL_NT)
        printf("proven: of %.*g configurations that have a model, none that is "
               "allowed is predicted %s\n",
               digits, plan->configurations, better);
    else if (plan->exact)
        printf("proven: of %.*g configurations, none that is allowed is predicted "
               "%s\n",
               digits, plan->configurations, better);
    else
        printf(
            "not proven: of %.*g configurations, one may be predicted %s, by up "
            "to %.1f %%\n",
            digits, plan->configurations, better,
            100 * (1 - plan->bound / (cheapest ? plan->choices[0].cost
                                               : plan->choices[0].prediction.seconds)));
}

static void print_launch(const struct mt_plan_report *report)
{
    if (report->launch)
        printf("launch: %s\n", report->launch);
    else
        printf("launch: not from here: %s\n", report->why_not);
    if (report->launch && !report->hostfile)
        puts("(--hostfile hostfile writes its hostfile; 'motley run' does all of it)");
}

int mt_plan_print_choices(const struct mt_plan_report *report, struct mt_error *err)
{
    const struct mt_problem *problem = &report->predictor->problem;
    struct mt_table table = {0};
    bool extrapolated = false, too_good = false;
    int status = MT_OK;
    printf("%s on %s, N = %.15g, %s by %s models%s\n", problem->program->name,
           problem->cluster->name, report->question->size,
           report->question->objective == MT_CHEAPEST ? "cheapest" : "fastest",
           mt_model_kind_name(report->predictor->models.kind),
           mt_cluster_simulated(problem->cluster) ? " (simulated)" : "");
    add_header(&table, report);
    for (int i = 0; i < report->plan->count && status == MT_OK; i++) {
        status = add_choice(&table, report, i + 1, err);
        extrapolated |= report->plan->choices[i].prediction.extrapolated;
        too_good |= efficiency_of(report, &report->plan->choices[i]) > 1;
    }
    if (status == MT_OK)
        status = mt_table_print(&table, stdout, err);
    if (status != MT_OK)
        return status;
    if (extrapolated)
        puts("* extrapolated: N or P lies outside the runs behind the model");
    if (too_good)
        puts(
            "efficiency above 100 %: faster than these nodes were ever measured alone");
    if (report->plan->corrected)
        print_correction(report);
    else
        print_proof(report);
    return MT_OK;
}

int mt_plan_print_table(const struct mt_plan_report *report, struct mt_error *err)
{
    const int status = mt_plan_print_choices(report, err);
    if (status == MT_OK)
        print_launch(report);
    return status;
}

static json_t *choice_json(const struct mt_plan_report *report,
                           const struct mt_choice *choice)
{
    const struct mt_measured *measured = measured_of(report, choice);
    const struct mt_cluster *cluster = report->predictor->problem.cluster;
    const struct mt_prediction *prediction = &choice->prediction;
    char *configuration = mt_configuration_format(&choice->configuration, cluster);
    json_t *json = json_pack(
        "{s:s, s:i, s:i, s:o, s:o, s:o, s:b, s:o, s:i, s:o, s:o, s:o, s:o}",
        "configuration", configuration, "ranks", choice->ranks, "nodes", choice->nodes,
        "seconds", mt_json_number(prediction->seconds), "low",
        mt_json_number(prediction->low), "high", mt_json_number(prediction->high),
        "extrapolated", (int)prediction->extrapolated, "measured",
        mt_json_number(measured ? measured->seconds : NAN), "runs",
        measured ? measured->runs : 0, "speed",
        mt_json_number(speed_of(report, choice)), "efficiency",
        mt_json_number(efficiency_of(report, choice)), "cost",
        mt_json_number(has_prices(cluster) ? choice->cost : NAN), "joules",
        mt_json_number(has_watts(cluster) ? choice->joules : NAN));
    free(configuration);
    return json;
}

static json_t *choices_json(const struct mt_plan_report *report)
{
    json_t *choices = json_array();
    for (int i = 0; choices && i < report->plan->count; i++) {
        if (json_array_append_new(choices,
                                  choice_json(report, &report->plan->choices[i]))) {
            json_decref(choices);
            return NULL;
        }
    }
    return choices;
}

int mt_plan_print_json(const struct mt_plan_report *report, struct mt_error *err)
{
    const struct mt_problem *problem = &report->predictor->problem;
    const struct mt_plan *plan = report->plan;
    const bool cheapest = report->question->objective == MT_CHEAPEST;
    return mt_json_print(
        json_pack(
            "{s:b, s:s, s:s, s:o, s:s, s:s, s:b, s:o, s:o, s:o, s:i, s:i, s:o, "
            "s:s?, s:s?, s:o}",
            "simulated", (int)mt_cluster_simulated(problem->cluster), "cluster",
            problem->cluster->name, "program", problem->program->name, "size",
            mt_json_number(report->question->size), "model",
            mt_model_kind_name(report->predictor->models.kind), "objective",
            cheapest ? "cheapest" : "fastest", "exact", (int)plan->exact, "bound",
            mt_json_number(plan->bound), "configurations",
            mt_json_number(plan->configurations), "evaluated",
            mt_json_number(plan->evaluated), "corrections",
            report->predictor->corrections, "corrections_at_size",
            mt_predictor_corrections_at(report->predictor, report->question->size),
            "verification",
            mt_verification_json(report->verification, problem->cluster), "launch",
            report->launch, "hostfile", report->hostfile, "choices",
            choices_json(report)),
        stdout, err);
}
