/* SPDX-License-Identifier: BSD-3-Clause */
#include "evaluation_output.h"

#include "cli/common/table.h"
#include "cli/data/formats.h"

#include <errno.h>
#include <string.h>

/* "1.2 %"; the sign of what is nearly nothing is left out. */
static const char *format_percent(char buffer[32], double share, bool sign)
{
    double percent = 100 * share;
    if (percent > -0.05 && percent < 0.05)
        percent = 0;
    snprintf(buffer, 32, sign && percent != 0 ? "%+.1f %%" : "%.1f %%", percent);
    return buffer;
}

static void add_verdict(struct mt_table *table, const struct mt_verdict *verdict)
{
    char size[32], predicted[32], chosen[32], best[32], regret[32];
    snprintf(size, sizeof size, "%.15g", verdict->size);
    mt_table_add(table, size, verdict->chosen,
                 mt_format_seconds(predicted, verdict->predicted_seconds),
                 mt_format_seconds(chosen, verdict->chosen_seconds), verdict->best,
                 mt_format_seconds(best, verdict->best_seconds),
                 format_percent(regret, mt_verdict_regret(verdict), false), NULL);
}

static void add_summary(struct mt_table *table, const struct mt_evaluation *evaluation,
                        int first)
{
    char sizes[64], worst[32], mean[32], worst_error[32], mean_error[32];
    const struct mt_summary summary = mt_evaluation_summary(evaluation, first);
    if (first == 0)
        snprintf(sizes, sizeof sizes, "all");
    else
        snprintf(sizes, sizeof sizes, "N >= %.15g", evaluation->verdicts[first].size);
    mt_table_add(table, mt_model_kind_name(evaluation->kind), sizes,
                 format_percent(worst, summary.worst_regret, false),
                 format_percent(mean, summary.mean_regret, false),
                 format_percent(worst_error, summary.worst_error, true),
                 format_percent(mean_error, summary.mean_error, false), NULL);
}

static int print_summaries(const struct mt_evaluations *all, FILE *stream,
                           struct mt_error *err)
{
    struct mt_table table = {0};
    mt_table_add(&table, "model", "sizes", ">worst regret", ">mean regret",
                 ">worst error", ">mean error", NULL);
    for (int i = 0; i < all->count; i++) {
        int upper_half = mt_evaluation_upper_half(&all->evaluations[i]);
        add_summary(&table, &all->evaluations[i], 0);
        if (upper_half > 0)
            add_summary(&table, &all->evaluations[i], upper_half);
    }
    return mt_table_print(&table, stream, err);
}

int mt_evaluations_print(const struct mt_evaluations *all, FILE *stream,
                         struct mt_error *err)
{
    const struct mt_truth *truth = all->truth;
    for (int i = 0; i < all->count; i++) {
        const struct mt_evaluation *evaluation = &all->evaluations[i];
        fprintf(stream, "%s on %s%s, models %s, fitted from %d runs",
                truth->program->name, truth->cluster->name,
                mt_cluster_simulated(truth->cluster) ? " (simulated)" : "",
                mt_model_kind_name(evaluation->kind), evaluation->training_runs);
        if (evaluation->dropped > 0)
            fprintf(stream, ", %d of them left out as glitches", evaluation->dropped);
        if (evaluation->refused > 0)
            fprintf(stream, "; %d models refused", evaluation->refused);
        fputc('\n', stream);
        struct mt_table table = {0};
        mt_table_add(&table, ">size", "predicted best", ">predicted", ">its time",
                     "true best", ">its time", ">regret", NULL);
        for (int v = 0; v < evaluation->count; v++)
            add_verdict(&table, &evaluation->verdicts[v]);
        int status = mt_table_print(&table, stream, err);
        if (status != MT_OK)
            return status;
        fputc('\n', stream);
    }
    return print_summaries(all, stream, err);
}

static void write_verdict(FILE *file, const struct mt_evaluations *all,
                          enum mt_model_kind kind, const struct mt_verdict *verdict)
{
    fprintf(file, "%s,%.17g,", mt_model_kind_name(kind), verdict->size);
    mt_csv_write_cell(file, verdict->chosen);
    fprintf(file, ",%.9g,%.9g,", verdict->predicted_seconds, verdict->chosen_seconds);
    mt_csv_write_cell(file, verdict->best);
    fprintf(file, ",%.9g,%.6g,%.6g,%d,%.0f,", verdict->best_seconds,
            100 * mt_verdict_regret(verdict), 100 * mt_verdict_error(verdict),
            verdict->measured, verdict->possible);
    mt_csv_write_cell(file, verdict->unmeasured ? verdict->unmeasured : "");
    fprintf(file, ",%s\n",
            mt_cluster_simulated(all->truth->cluster) ? "true" : "false");
}

int mt_evaluations_write_csv(const struct mt_evaluations *all, const char *path,
                             struct mt_error *err)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return mt_fail(err, MT_EIO, "cannot write '%s': %s", path, strerror(errno));
    fputs("model,size,predicted_best,predicted_seconds,predicted_best_seconds,"
          "true_best,true_best_seconds,regret_percent,error_percent,measured,possible,"
          "unmeasured_plan,simulated\n",
          file);
    for (int i = 0; i < all->count; i++)
        for (int v = 0; v < all->evaluations[i].count; v++)
            write_verdict(file, all, all->evaluations[i].kind,
                          &all->evaluations[i].verdicts[v]);
    bool failed = ferror(file);
    failed = fclose(file) != 0 || failed;
    if (failed)
        return mt_fail(err, MT_EIO, "cannot write '%s'", path);
    return MT_OK;
}
