/* SPDX-License-Identifier: BSD-3-Clause */
#include "evaluation_output.h"

#include "cli/common/json.h"

static json_t *pack_verdict(const struct mt_verdict *verdict)
{
    return json_pack("{s:o, s:s, s:o, s:o, s:s, s:o, s:o, s:o, s:i, s:o, s:s?}", "size",
                     mt_json_number(verdict->size), "predicted_best", verdict->chosen,
                     "predicted_seconds", mt_json_number(verdict->predicted_seconds),
                     "predicted_best_seconds", mt_json_number(verdict->chosen_seconds),
                     "true_best", verdict->best, "true_best_seconds",
                     mt_json_number(verdict->best_seconds), "regret_percent",
                     mt_json_number(100 * mt_verdict_regret(verdict)), "error_percent",
                     mt_json_number(100 * mt_verdict_error(verdict)), "measured",
                     verdict->measured, "possible", mt_json_number(verdict->possible),
                     "unmeasured_plan", verdict->unmeasured);
}

static json_t *pack_summary(const struct mt_evaluation *evaluation, int first)
{
    const struct mt_summary summary = mt_evaluation_summary(evaluation, first);
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "from_size",
                     mt_json_number(evaluation->verdicts[first].size),
                     "worst_regret_percent", mt_json_number(100 * summary.worst_regret),
                     "mean_regret_percent", mt_json_number(100 * summary.mean_regret),
                     "worst_error_percent", mt_json_number(100 * summary.worst_error),
                     "mean_error_percent", mt_json_number(100 * summary.mean_error));
}

static json_t *pack_evaluation(const struct mt_evaluation *evaluation)
{
    json_t *sizes = json_array();
    for (int v = 0; v < evaluation->count; v++)
        json_array_append_new(sizes, pack_verdict(&evaluation->verdicts[v]));
    return json_pack("{s:s, s:i, s:o, s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o}", "model",
                     mt_model_kind_name(evaluation->kind), "training_runs",
                     evaluation->training_runs, "training_seconds",
                     mt_json_number(evaluation->training_seconds), "fitted_models",
                     evaluation->fitted, "refused_models", evaluation->refused,
                     "dropped_runs", evaluation->dropped, "fit_seconds",
                     mt_json_number(evaluation->fit_seconds), "choose_seconds",
                     mt_json_number(evaluation->choose_seconds), "sizes", sizes,
                     "all_sizes", pack_summary(evaluation, 0), "upper_half",
                     pack_summary(evaluation, mt_evaluation_upper_half(evaluation)));
}

int mt_evaluations_print_json(const struct mt_evaluations *all, FILE *stream,
                              struct mt_error *err)
{
    const struct mt_truth *truth = all->truth;
    json_t *models = json_array();
    for (int i = 0; i < all->count; i++)
        json_array_append_new(models, pack_evaluation(&all->evaluations[i]));
    return mt_json_print(
        json_pack("{s:o, s:o, s:b, s:o}", "cluster", mt_json_text(truth->cluster->name),
                  "program", mt_json_text(truth->program->name), "simulated",
                  (int)mt_cluster_simulated(truth->cluster), "models", models),
        stream, err);
}
