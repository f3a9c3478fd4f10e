/* SPDX-License-Identifier: BSD-3-Clause */
#include "evaluate.h"

#include "cli/common/json.h"

static json_t *pack_pair(const struct mt_surface_pair *pair)
{
    return json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:b}", "nodes", pair->nodes,
                     "size", mt_json_number(pair->size), "seconds",
                     mt_json_number(pair->seconds), "predicted_seconds",
                     mt_json_number(pair->predicted_seconds), "efficiency",
                     mt_json_number(pair->efficiency), "predicted_efficiency",
                     mt_json_number(pair->predicted_efficiency), "error_percent",
                     mt_json_number(100 * pair->error), "fits", (int)pair->fits);
}

/* Null where there are no pairs. */
static json_t *pack_errors(const struct mt_surface_pair *pairs, int count)
{
    const struct mt_surface_errors errors = mt_surface_errors(pairs, count);
    if (count == 0)
        return json_null();
    return json_pack("{s:i, s:o, s:o, s:i, s:o}", "points", errors.points,
                     "mean_error_percent", mt_json_number(100 * errors.mean),
                     "worst_error_percent", mt_json_number(100 * errors.worst->error),
                     "worst_nodes", errors.worst->nodes, "worst_size",
                     mt_json_number(errors.worst->size));
}

static json_t *pack_ridge(const struct mt_surface_pair *pairs, int count)
{
    struct mt_surface_ridge ridge;
    if (!mt_surface_ridge(&ridge, pairs, count))
        return json_null();
    return json_pack("{s:o, s:o, s:i, s:o}", "size", mt_json_number(ridge.size),
                     "predicted_size", mt_json_number(ridge.predicted_size), "steps",
                     ridge.steps, "loss_percent", mt_json_number(100 * ridge.loss));
}

static json_t *pack_nodes(const struct mt_surface_evaluation *evaluation)
{
    json_t *list = json_array();
    for (int first = 0, count; first < evaluation->count; first += count) {
        const struct mt_surface_pair *pairs = evaluation->pairs + first;
        count = mt_surface_same_nodes(evaluation, first);
        json_array_append_new(list, json_pack("{s:i, s:o, s:o}", "nodes", pairs->nodes,
                                              "errors", pack_errors(pairs, count),
                                              "ridge", pack_ridge(pairs, count)));
    }
    return list;
}

static json_t *pack_worst(const struct mt_surface_evaluation *evaluation)
{
    const struct mt_surface_pair *worst[MT_WORST_PAIRS];
    const int count = mt_surface_worst(worst, evaluation);
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, pack_pair(worst[i]));
    return list;
}

static json_t *pack_pairs(const struct mt_surface_evaluation *evaluation)
{
    json_t *list = json_array();
    for (int i = 0; i < evaluation->count; i++)
        json_array_append_new(list, pack_pair(&evaluation->pairs[i]));
    return list;
}

/* Null for a machine that was not learned. */
static json_t *pack_learned_nodes(const struct mt_learned_from *learned)
{
    return learned->runs > 0 ? json_integer(learned->nodes) : json_null();
}

int mt_surface_evaluation_print_json(const struct mt_surface_evaluation *evaluation,
                                     FILE *stream, struct mt_error *err)
{
    const struct mt_inputs *inputs = &evaluation->inputs;
    const struct mt_algorithm *algorithm = evaluation->surface.algorithm;
    const int learned = mt_surface_learned_pairs(evaluation);
    const int within = algorithm->learned.runs > 0 ? learned : 0;
    return mt_json_print(
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
                  "s:o}",
                  "machine", mt_json_text(evaluation->surface.machine.name),
                  "algorithm", mt_json_text(algorithm->name), "cluster",
                  mt_json_text(inputs->cluster.name), "group",
                  mt_json_text(inputs->cluster.groups[evaluation->runs.group].name),
                  "program", mt_json_text(inputs->program.name), "simulated",
                  (int)mt_cluster_simulated(&inputs->cluster), "learned_nodes",
                  pack_learned_nodes(&algorithm->learned), "all",
                  pack_errors(evaluation->pairs, evaluation->count), "learned",
                  pack_errors(evaluation->pairs, within), "beyond",
                  pack_errors(evaluation->pairs + learned, evaluation->count - learned),
                  "nodes", pack_nodes(evaluation), "worst", pack_worst(evaluation),
                  "points", pack_pairs(evaluation), "warnings",
                  mt_json_words(evaluation->warnings)),
        stream, err);
}
