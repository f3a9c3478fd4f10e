/* SPDX-License-Identifier: BSD-3-Clause */
/* motley evaluate: the models' choices compared with the measured best, as tables, JSON
   and a picture. */
#include "cli/common/command.h"
#include "cli/common/format.h"
#include "cli/common/inputs.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "cli/plot/plot.h"
#include "cli/process/memory.h"
#include "fit.h"
#include "lib/base/options.h"
#include "lib/base/text.h"
#include "lib/model/internal.h"
#include "lib/plan/evaluation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The output: evaluations of several kinds of models at the same sizes. All
   borrowed. */
struct evaluations {
    const struct mt_truth *truth;
    const struct mt_evaluation *evaluations;
    int count; /* at least 1 */
};

enum {
    SIZE,
    CHOSEN,
    PREDICTED,
    CHOSEN_TIME,
    BEST,
    BEST_TIME,
    REGRET,
    ERROR,
    MEASURED,
    POSSIBLE,
    SKIPPED,
    UNMEASURED,
    VERDICT_COLUMNS
};
static const struct mt_column verdict_columns[VERDICT_COLUMNS] = {
    [SIZE] = {"size", "size", MT_COLUMN_COUNT},
    [CHOSEN] = {"predicted_best", "predicted best", MT_COLUMN_TEXT},
    [PREDICTED] = {"predicted_seconds", "predicted", MT_COLUMN_SECONDS},
    [CHOSEN_TIME] = {"predicted_best_seconds", "its time", MT_COLUMN_SECONDS},
    [BEST] = {"true_best", "true best", MT_COLUMN_TEXT},
    [BEST_TIME] = {"true_best_seconds", "its time", MT_COLUMN_SECONDS},
    [REGRET] = {"regret_percent", "regret", MT_COLUMN_PERCENT},
    [ERROR] = {"error_percent", NULL, MT_COLUMN_CHANGE},
    [MEASURED] = {"measured", NULL, MT_COLUMN_COUNT},
    [POSSIBLE] = {"possible", NULL, MT_COLUMN_COUNT},
    [SKIPPED] = {"skipped", NULL, MT_COLUMN_COUNT},
    [UNMEASURED] = {"unmeasured_plan", NULL, MT_COLUMN_TEXT},
};

enum { KIND, SIZES, WORST, MEAN, WORST_ERROR, MEAN_ERROR, SUMMARY_COLUMNS };
static const struct mt_column summary_columns[SUMMARY_COLUMNS] = {
    [KIND] = {NULL, "model", MT_COLUMN_TEXT},
    [SIZES] = {"from_size", "sizes", MT_COLUMN_TEXT},
    [WORST] = {"worst_regret_percent", "worst regret", MT_COLUMN_PERCENT},
    [MEAN] = {"mean_regret_percent", "mean regret", MT_COLUMN_PERCENT},
    [WORST_ERROR] = {"worst_error_percent", "worst error", MT_COLUMN_CHANGE},
    [MEAN_ERROR] = {"mean_error_percent", "mean error", MT_COLUMN_PERCENT},
};

/* JSON has percent, as their keys say. */
static void set_percent(struct mt_view *view, int column, double share)
{
    char text[MT_QUANTITY_TEXT];
    const bool change = view->columns[column].unit == MT_COLUMN_CHANGE;
    mt_view_number(view, column, 100 * share);
    mt_view_show(view, column, "%s",
                 change ? mt_format_change(text, share)
                        : mt_format_percent(text, share));
}

static void add_verdict(struct mt_view *view, const struct mt_verdict *verdict)
{
    mt_view_row(view);
    mt_view_number(view, SIZE, verdict->size);
    mt_view_text(view, CHOSEN, verdict->chosen);
    mt_view_number(view, PREDICTED, verdict->predicted_seconds);
    mt_view_number(view, CHOSEN_TIME, verdict->chosen_seconds);
    mt_view_text(view, BEST, verdict->best);
    mt_view_number(view, BEST_TIME, verdict->best_seconds);
    set_percent(view, REGRET, mt_verdict_regret(verdict));
    set_percent(view, ERROR, mt_verdict_error(verdict));
    mt_view_number(view, MEASURED, verdict->measured);
    mt_view_number(view, POSSIBLE, verdict->possible);
    mt_view_number(view, SKIPPED, verdict->skipped);
    mt_view_text(view, UNMEASURED, verdict->unmeasured);
}

static void view_verdicts(struct mt_view *view, const struct mt_evaluation *evaluation)
{
    *view = (struct mt_view){.columns = verdict_columns, .ncolumns = VERDICT_COLUMNS};
    for (int i = 0; i < evaluation->count; i++)
        add_verdict(view, &evaluation->verdicts[i]);
}

/* Summarise the verdicts from `first` on. */
static void add_summary(struct mt_view *view, const struct mt_evaluation *evaluation,
                        int first)
{
    const struct mt_summary summary = mt_evaluation_summary(evaluation, first);
    const double size = evaluation->verdicts[first].size;
    mt_view_row(view);
    mt_view_text(view, KIND, mt_model_kind_name(evaluation->kind));
    mt_view_number(view, SIZES, size);
    if (first == 0)
        mt_view_show(view, SIZES, "all");
    else
        mt_view_show(view, SIZES, "N >= %.15g", size);
    set_percent(view, WORST, summary.worst_regret);
    set_percent(view, MEAN, summary.mean_regret);
    set_percent(view, WORST_ERROR, summary.worst_error);
    set_percent(view, MEAN_ERROR, summary.mean_error);
}

static json_t *summary_json(const struct mt_evaluation *evaluation, int first)
{
    struct mt_view view = {.columns = summary_columns, .ncolumns = SUMMARY_COLUMNS};
    add_summary(&view, evaluation, first);
    return mt_view_row_to_json(&view);
}

static json_t *evaluation_json(const struct mt_evaluation *evaluation)
{
    struct mt_view sizes;
    view_verdicts(&sizes, evaluation);
    return json_pack(
        "{s:s, s:i, s:o, s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o}", "model",
        mt_model_kind_name(evaluation->kind), "training_runs",
        evaluation->training_runs, "training_seconds",
        mt_json_number(evaluation->training_seconds), "fitted_models",
        evaluation->fitted, "refused_models", evaluation->refused, "dropped_runs",
        evaluation->dropped, "fit_seconds", mt_json_number(evaluation->fit_seconds),
        "choose_seconds", mt_json_number(evaluation->choose_seconds), "sizes",
        mt_view_to_json(&sizes), "all_sizes", summary_json(evaluation, 0), "upper_half",
        summary_json(evaluation, mt_evaluation_upper_half(evaluation)));
}

static void print_json(const struct evaluations *all)
{
    const struct mt_truth *truth = all->truth;
    json_t *models = json_array();
    for (int i = 0; i < all->count; i++)
        json_array_append_new(models, evaluation_json(&all->evaluations[i]));
    mt_document_print(
        "motley/evaluate", 1,
        json_pack("{s:o, s:o, s:b, s:o}", "cluster", mt_json_text(truth->cluster->name),
                  "program", mt_json_text(truth->program->name), "simulated",
                  (int)mt_cluster_simulated(truth->cluster), "models", models),
        stdout);
}

static void print_evaluation(const struct mt_evaluation *evaluation,
                             const struct mt_truth *truth)
{
    struct mt_view view;
    printf("%s on %s%s, models %s, fitted from %d runs", truth->program->name,
           truth->cluster->name,
           mt_cluster_simulated(truth->cluster) ? " (simulated)" : "",
           mt_model_kind_name(evaluation->kind), evaluation->training_runs);
    if (evaluation->dropped > 0)
        printf(", %d of them left out as glitches", evaluation->dropped);
    if (evaluation->refused > 0)
        printf("; %d models refused", evaluation->refused);
    putchar('\n');
    view_verdicts(&view, evaluation);
    mt_view_print(&view, stdout);
    putchar('\n');
}

static void print_tables(const struct evaluations *all)
{
    struct mt_view view = {.columns = summary_columns, .ncolumns = SUMMARY_COLUMNS};
    for (int i = 0; i < all->count; i++) {
        const struct mt_evaluation *evaluation = &all->evaluations[i];
        const int upper_half = mt_evaluation_upper_half(evaluation);
        print_evaluation(evaluation, all->truth);
        add_summary(&view, evaluation, 0);
        if (upper_half > 0)
            add_summary(&view, evaluation, upper_half);
    }
    mt_view_print(&view, stdout);
}

/* Add the times of one kind of models to the upper panel, and the loss to the lower
   one. */
static void draw_evaluation(struct mt_plot *plot,
                            const struct mt_evaluation *evaluation, int color)
{
    struct mt_panel *times = &plot->panels[0], *regrets = &plot->panels[1];
    const char *kind = mt_model_kind_name(evaluation->kind);
    char label[64];
    snprintf(label, sizeof label, "best of %s, predicted", kind);
    mt_panel_series(times, label, MT_SERIES_LINE, color);
    for (int i = 0; i < evaluation->count; i++)
        mt_panel_point(times, evaluation->verdicts[i].size,
                       evaluation->verdicts[i].predicted_seconds);
    snprintf(label, sizeof label, "best of %s, measured", kind);
    mt_panel_series(times, label, MT_SERIES_POINTS, color);
    for (int i = 0; i < evaluation->count; i++)
        mt_panel_point(times, evaluation->verdicts[i].size,
                       evaluation->verdicts[i].chosen_seconds);
    mt_panel_series(regrets, kind, MT_SERIES_LINE, color);
    for (int i = 0; i < evaluation->count; i++)
        mt_panel_point(regrets, evaluation->verdicts[i].size,
                       100 * mt_verdict_regret(&evaluation->verdicts[i]));
}

static int draw(const struct evaluations *all, const char *target, struct mt_error *err)
{
    const struct mt_truth *truth = all->truth;
    const struct mt_evaluation *any = &all->evaluations[0];
    struct mt_plot plot = {.x_label = "problem size N", .log_x = true, .count = 2};
    struct mt_panel *times = &plot.panels[0];
    plot.title = mt_asprintf("%s on %s", truth->program->name, truth->cluster->name);
    plot.subtitle =
        mt_strdup(mt_cluster_simulated(truth->cluster) ? "simulated" : NULL);
    times->y_label = mt_strdup("seconds");
    times->log_y = true;
    plot.panels[1].y_label = mt_strdup("regret [%]");
    /* Measured values come first, so that the models' symbols are drawn over them. */
    mt_panel_series(times, "true best, measured", MT_SERIES_LINE, MT_SERIES_BLACK);
    for (int i = 0; i < any->count; i++)
        mt_panel_point(times, any->verdicts[i].size, any->verdicts[i].best_seconds);
    for (int i = 0; i < all->count; i++)
        draw_evaluation(&plot, &all->evaluations[i], i);
    const int status = mt_plot_draw(&plot, target, err);
    mt_plot_clear(&plot);
    return status;
}

/* What the options say; popt writes here. */
static struct {
    const char *models;
    const char *sizes;
    const char *plot;
    int as_in_paper;
    struct mt_number_option group_nodes;
} wanted = {.group_nodes = {.least = 1, .most = MT_MOST_NODES}};

static const struct poptOption options[] = {
    {"model", 0, POPT_ARG_STRING, &wanted.models, 0,
     "kinds of models: auto, n-t, p-t, np-t (default: all that can be fitted)",
     "KIND,KIND"},
    {"sizes", 0, POPT_ARG_STRING, &wanted.sizes, 0,
     "problem sizes (default: the program's plan sizes)", "N,N"},
    {"max-group-nodes", 0, POPT_ARG_STRING, &wanted.group_nodes, MT_OPTION_NUMBER,
     "choose among configurations of no more nodes of any group", "NUMBER"},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_fit_option_table, 0, NULL, NULL},
    {"as-in-paper", 0, POPT_ARG_NONE, &wanted.as_in_paper, 0,
     "let n-t, p-t and np-t models choose configurations whose predicted time is not "
     "positive",
     NULL},
    {"plot", 0, POPT_ARG_STRING, &wanted.plot, 0,
     "draw into a file (.svg, .png) or, with 'term', in the terminal", "FILE|term"},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

/* The requested kinds, each once. */
struct kinds {
    enum mt_model_kind kinds[MT_NMODEL_KINDS];
    int count;
    bool required; /* named by the user, so a kind that cannot be fitted is an error */
};

static bool has_kind(const struct kinds *kinds, enum mt_model_kind kind)
{
    for (int i = 0; i < kinds->count; i++)
        if (kinds->kinds[i] == kind)
            return true;
    return false;
}

static int parse_kinds(struct kinds *kinds, const char *text, struct mt_error *err)
{
    *kinds = (struct kinds){.required = text != NULL};
    if (!text) {
        while (kinds->count < MT_NMODEL_KINDS) {
            kinds->kinds[kinds->count] = (enum mt_model_kind)kinds->count;
            kinds->count++;
        }
        return MT_OK;
    }
    const char *end;
    for (;; text = end + 1) {
        char name[16];
        enum mt_model_kind kind;
        end = strchrnul(text, ',');
        snprintf(name, sizeof name, "%.*s", (int)(end - text), text);
        const int status =
            mt_option_blame(mt_model_kind_parse(&kind, name, err), "--model", err);
        if (status != MT_OK)
            return status;
        if (!has_kind(kinds, kind))
            kinds->kinds[kinds->count++] = kind;
        if (!*end)
            return MT_OK;
    }
}

/* Drop the configurations that may not be chosen. */
static void drop_large(struct mt_measured_list *measured, int most)
{
    int kept = 0;
    for (int i = 0; i < measured->count; i++) {
        bool large = false;
        for (int g = 0; g < MT_MAX_GROUPS; g++)
            large |= measured->all[i].configuration.use[g].nodes > most;
        if (!large)
            measured->all[kept++] = measured->all[i];
    }
    measured->count = kept;
}

/* Collect the measurements at the requested sizes. */
static int find_measured(struct mt_measured_list *measured,
                         const struct mt_samples *samples,
                         const struct mt_program *program, struct mt_error *err)
{
    double *sizes = NULL;
    int count = 0, status = MT_OK;
    if (!wanted.sizes && program->nplan_sizes == 0)
        return mt_fail(err, MT_EINVAL,
                       "program '%s' names no plan sizes; give some by --sizes",
                       program->name);
    if (wanted.sizes)
        status = mt_sizes_option(&sizes, &count, "--sizes", wanted.sizes, err);
    if (status == MT_OK)
        status =
            mt_measured_find(measured, samples, sizes ? sizes : program->plan_sizes,
                             sizes ? count : program->nplan_sizes, err);
    free(sizes);
    if (status == MT_OK && wanted.group_nodes.text)
        drop_large(measured, (int)wanted.group_nodes.value);
    if (status == MT_OK && measured->count == 0)
        status =
            mt_fail(err, MT_ENOTFOUND,
                    "no runs of '%s' at %s sizes in '%s': 'motley measure "
                    "--configuration all --sizes N,N' makes them",
                    program->name, wanted.sizes ? "these" : "its plan", mt_common.db);
    return status;
}

/* Warn about incomplete measurements and skipped configurations. */
static void warn(const struct mt_evaluation *evaluation, bool first)
{
    for (int i = 0; i < evaluation->count; i++) {
        const struct mt_verdict *verdict = &evaluation->verdicts[i];
        if (first && verdict->measured < verdict->possible)
            fprintf(
                stderr,
                "motley: N = %.15g: only %d of %.15g configurations were measured\n",
                verdict->size, verdict->measured, verdict->possible);
        if (verdict->skipped > 0)
            fprintf(stderr,
                    "motley: N = %.15g: %s models skip %d of %d configurations, whose "
                    "predicted time is not positive; --as-in-paper does not\n",
                    verdict->size, mt_model_kind_name(evaluation->kind),
                    verdict->skipped, verdict->measured);
        if (verdict->unmeasured)
            fprintf(stderr,
                    "motley: N = %.15g: %s plans '%s', which was not measured; judged "
                    "is its best choice among those that were\n",
                    verdict->size, mt_model_kind_name(evaluation->kind),
                    verdict->unmeasured);
    }
}

static int put_out(const struct evaluations *all, struct mt_error *err)
{
    for (int i = 0; i < all->count; i++)
        warn(&all->evaluations[i], i == 0);
    if (mt_common.json)
        print_json(all);
    else
        print_tables(all);
    return wanted.plot ? draw(all, wanted.plot, err) : MT_OK;
}

/* Kinds that the user did not name and that cannot be fitted are left out, unless
   nothing else is left. */
static int evaluate_kinds(const struct mt_truth *truth, const struct kinds *kinds,
                          struct mt_fit_options fit, struct mt_error *err)
{
    struct mt_evaluation evaluations[MT_NMODEL_KINDS] = {0};
    struct evaluations all = {.truth = truth, .evaluations = evaluations};
    int status = MT_OK;
    for (int i = 0; i < kinds->count && status == MT_OK; i++) {
        struct mt_error reason;
        fit.kind = kinds->kinds[i];
        int result = mt_evaluate(&evaluations[all.count], truth, &fit, &reason);
        bool unfit = result == MT_ERANK || result == MT_ENOTFOUND;
        bool last_chance = all.count == 0 && i == kinds->count - 1;
        if (result == MT_OK)
            all.count++;
        else if (unfit && !kinds->required && !last_chance) {
            mt_text_clean_line(reason.text);
            fprintf(stderr, "motley: left out: %s\n", reason.text);
        } else
            status = mt_fail(err, reason.status, "%s", reason.text);
    }
    if (status == MT_OK)
        status = put_out(&all, err);
    for (int i = 0; i < all.count; i++)
        mt_evaluation_clear(&evaluations[i]);
    return status;
}

static int read_options(struct kinds *kinds, struct mt_fit_options *fit,
                        struct mt_error *err)
{
    int status = wanted.plot ? mt_plot_check(wanted.plot, mt_common.json, err) : MT_OK;
    if (status == MT_OK)
        status = parse_kinds(kinds, wanted.models, err);
    if (status == MT_OK)
        status = mt_fit_options_read(fit, err);
    if (status == MT_OK && fit->terms && kinds->count > 1)
        status = mt_fail(err, MT_EINVAL, "--terms needs --model with one kind");
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct kinds kinds = {0};
    struct mt_fit_options fit = {0};
    struct mt_inputs inputs = {0};
    struct mt_samples samples = {0};
    struct mt_measured_list measured = {0};
    const struct mt_truth truth = {&inputs.cluster, &inputs.program, &samples,
                                   &measured, wanted.as_in_paper};
    int status = read_options(&kinds, &fit, err);
    if (status == MT_OK)
        status = mt_inputs_load(&inputs, arguments, err);
    if (status == MT_OK)
        status = mt_samples_input(&samples, mt_common.db, &inputs, err);
    if (status == MT_OK)
        status = find_measured(&measured, &samples, &inputs.program, err);
    if (status == MT_OK)
        status = evaluate_kinds(&truth, &kinds, fit, err);
    mt_measured_clear(&measured);
    mt_samples_clear(&samples);
    mt_inputs_clear(&inputs);
    mt_fit_options_clear(&fit);
    return mt_exit_status(status);
}

const struct mt_command mt_command_evaluate = {
    .name = "evaluate",
    .arguments = "CLUSTER PROGRAM",
    .summary = "Compare what models choose with the measured best",
    .options = options,
    .run = run,
};
