/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/common/command.h"
#include "cli/common/inputs.h"
#include "cli/plot/plot.h"
#include "evaluation.h"
#include "fit_options.h"
#include "lib/base/options.h"
#include "lib/base/text.h"

#include <stdlib.h>
#include <string.h>

/* What the options say; popt writes here. */
static struct {
    const char *models;
    const char *sizes;
    const char *plot;
    const char *csv;
} wanted;

static const struct poptOption options[] = {
    {"model", 0, POPT_ARG_STRING, &wanted.models, 0,
     "kinds of models: auto, n-t, p-t, np-t (default: all that can be fitted)",
     "KIND,KIND"},
    {"sizes", 0, POPT_ARG_STRING, &wanted.sizes, 0,
     "problem sizes (default: the program's plan sizes)", "N,N"},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_fit_option_table, 0, NULL, NULL},
    {"plot", 0, POPT_ARG_STRING, &wanted.plot, 0,
     "draw into a file (.svg, .png) or, with 'term', in the terminal", "FILE|term"},
    {"csv", 0, POPT_ARG_STRING, &wanted.csv, 0, "write a line for each model and size",
     "FILE"},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

/* The kinds that are asked for, each once. */
struct kinds {
    enum mt_model_kind kinds[MT_NMODEL_KINDS];
    int count;
    bool required; /* named by the user, so that one that cannot be fitted fails */
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

/* What was measured at the sizes that are asked for. */
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
    if (status == MT_OK && measured->count == 0)
        status =
            mt_fail(err, MT_ENOTFOUND,
                    "no runs of '%s' at %s sizes in '%s': 'motley measure "
                    "--configuration all --sizes N,N' makes them",
                    program->name, wanted.sizes ? "these" : "its plan", mt_common.db);
    return status;
}

/* What a reader must know who takes the truth for the whole truth. */
static void warn(const struct mt_evaluation *evaluation, bool first)
{
    for (int i = 0; i < evaluation->count; i++) {
        const struct mt_verdict *verdict = &evaluation->verdicts[i];
        if (first && verdict->measured < verdict->possible)
            fprintf(
                stderr,
                "motley: N = %.15g: only %d of %.15g configurations were measured\n",
                verdict->size, verdict->measured, verdict->possible);
        if (verdict->unmeasured)
            fprintf(stderr,
                    "motley: N = %.15g: %s plans '%s', which was not measured; judged "
                    "is its best choice among those that were\n",
                    verdict->size, mt_model_kind_name(evaluation->kind),
                    verdict->unmeasured);
    }
}

static int put_out(const struct mt_evaluations *all, struct mt_error *err)
{
    for (int i = 0; i < all->count; i++)
        warn(&all->evaluations[i], i == 0);
    int status = mt_common.json ? mt_evaluations_print_json(all, stdout, err)
                                : mt_evaluations_print(all, stdout, err);
    if (status == MT_OK && wanted.csv)
        status = mt_evaluations_write_csv(all, wanted.csv, err);
    if (status == MT_OK && wanted.plot)
        status = mt_evaluations_plot(all, wanted.plot, err);
    return status;
}

/* Kinds that the user did not name and that cannot be fitted are left out, unless
   nothing else is left. */
static int evaluate_kinds(const struct mt_truth *truth, const struct kinds *kinds,
                          struct mt_fit_options fit, struct mt_error *err)
{
    struct mt_evaluation evaluations[MT_NMODEL_KINDS] = {0};
    struct mt_evaluations all = {.truth = truth, .evaluations = evaluations};
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
                                   &measured};
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
