/* SPDX-License-Identifier: BSD-3-Clause */
#include "models_json.h"
#include "cli/common/json.h"

#include <stdio.h>

/* A list of {term, coefficient, serial}; NULL: memory is short. `serial` may be NULL.
 */
static json_t *terms_json(const struct mt_terms *terms, const double *coefficients,
                          const bool *serial)
{
    json_t *list = json_array();
    for (int i = 0; terms && i < mt_terms_count(terms); i++)
        json_array_append_new(list, json_pack("{s:s, s:o, s:b}", "term",
                                              mt_terms_text(terms, i), "coefficient",
                                              mt_json_number(coefficients[i]), "serial",
                                              serial && serial[i]));
    return list;
}

static json_t *model_json(const struct mt_model *model)
{
    return json_pack(
        "{s:s*, s:s*, s:i, s:i, s:i, s:[o,o], s:[i,i], s:o, s:o, s:o, s:o*}",
        "configuration", model->configuration, "group", model->group, "processes",
        model->processes, "split", model->split, "runs", model->runs, "sizes",
        mt_json_number(model->size_low), mt_json_number(model->size_high), "ranks",
        model->ranks_low, model->ranks_high, "residual",
        mt_json_number(model->residual), "cross_validated",
        mt_json_number(model->cross_validated), "terms",
        terms_json(model->terms, model->coefficients, model->serial), "reference",
        model->reference_terms
            ? terms_json(model->reference_terms, model->reference_coefficients, NULL)
            : NULL);
}

static json_t *head_json(const struct mt_models_origin *origin, enum mt_model_kind kind)
{
    return json_pack("{s:s, s:s, s:b, s:s}", "cluster", origin->cluster, "program",
                     origin->program, "simulated", (int)origin->simulated, "model",
                     mt_model_kind_name(kind));
}

static json_t *options_json(const struct mt_fit_options *options)
{
    json_t *sizes = json_array();
    for (int i = 0; i < options->nsizes; i++)
        json_array_append_new(sizes, mt_json_number(options->sizes[i]));
    return json_pack("{s:s?, s:b, s:o, s:o, s:i, s:b}", "terms", options->terms,
                     "no_split", (int)options->no_split, "training_sizes", sizes,
                     "glitch_k", mt_json_number(options->glitch_k), "glitch_tolerance",
                     options->glitch_tolerance, "refuse_negative",
                     (int)options->refuse_negative);
}

static json_t *refusal_json(const struct mt_refusal *refusal)
{
    return json_pack("{s:s, s:s}", "subject", refusal->subject, "reason",
                     refusal->reason);
}

static json_t *dropped_json(const struct mt_dropped *run)
{
    return json_pack("{s:s, s:o, s:o, s:s}", "configuration", run->configuration,
                     "size", mt_json_number(run->size), "seconds",
                     mt_json_number(run->seconds), "reason", run->reason);
}

json_t *mt_models_to_json(const struct mt_models *models,
                          const struct mt_models_origin *origin)
{
    json_t *fitted = json_array(), *refused = json_array(), *dropped = json_array();
    int failed = 0;
    for (int i = 0; i < models->count; i++)
        failed |= json_array_append_new(fitted, model_json(&models->models[i]));
    for (int i = 0; i < models->nrefused; i++)
        failed |= json_array_append_new(refused, refusal_json(&models->refused[i]));
    for (int i = 0; i < models->ndropped; i++)
        failed |= json_array_append_new(dropped, dropped_json(&models->dropped[i]));
    json_t *object = head_json(origin, models->kind);
    failed |=
        json_object_set_new(object, "newest_run", json_integer(models->newest_run)) |
        json_object_set_new(object, "options", options_json(&models->options)) |
        json_object_set_new(object, "models", fitted) |
        json_object_set_new(object, "refused", refused) |
        json_object_set_new(object, "dropped", dropped);
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *predicted_json(const struct mt_predicted *predicted)
{
    const struct mt_prediction *prediction = &predicted->prediction;
    json_t *object =
        json_pack("{s:s, s:o, s:o}", "configuration", predicted->configuration, "size",
                  mt_json_number(predicted->size), "measured",
                  mt_json_number(predicted->measured));
    if (predicted->known)
        json_object_update_new(
            object, json_pack("{s:o, s:o, s:o, s:b}", "seconds",
                              mt_json_number(prediction->seconds), "low",
                              mt_json_number(prediction->low), "high",
                              mt_json_number(prediction->high), "extrapolated",
                              (int)prediction->extrapolated));
    return object;
}

int mt_predictions_print_json(const struct mt_predictions *predictions,
                              const struct mt_inputs *inputs, struct mt_error *err)
{
    json_t *list = json_array();
    for (int i = 0; i < predictions->count; i++)
        json_array_append_new(list, predicted_json(&predictions->all[i]));
    const struct mt_models_origin origin = {.cluster = inputs->cluster.name,
                                            .program = inputs->program.name,
                                            .simulated =
                                                mt_cluster_simulated(&inputs->cluster)};
    json_t *object = head_json(&origin, predictions->kind);
    if (json_object_set_new(object, "corrections",
                            json_integer(predictions->corrections)) != 0 ||
        json_object_set_new(object, "predictions", list) != 0) {
        json_decref(object);
        object = NULL;
    }
    return mt_json_print(object, stdout, err);
}
