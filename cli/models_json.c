/* SPDX-License-Identifier: BSD-3-Clause */
#include "models_json.h"
#include "run_json.h"

#include <jansson.h>
#include <stdio.h>

/* A list of {term, coefficient}; NULL: memory is short. */
static json_t *terms_json(const struct mt_terms *terms, const double *coefficients)
{
    json_t *list = json_array();
    for (int i = 0; terms && i < mt_terms_count(terms); i++)
        json_array_append_new(list, json_pack("{s:s, s:o}", "term",
                                              mt_terms_text(terms, i), "coefficient",
                                              mt_json_number(coefficients[i])));
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
        terms_json(model->terms, model->coefficients), "reference",
        model->reference_terms
            ? terms_json(model->reference_terms, model->reference_coefficients)
            : NULL);
}

static json_t *head_json(const struct mt_inputs *inputs, enum mt_model_kind kind)
{
    return json_pack("{s:s, s:s, s:b, s:s}", "cluster", inputs->cluster.name, "program",
                     inputs->program.name, "simulated",
                     (int)mt_cluster_simulated(&inputs->cluster), "model",
                     mt_model_kind_name(kind));
}

int mt_models_print_json(const struct mt_models *models, const struct mt_inputs *inputs,
                         struct mt_error *err)
{
    json_t *fitted = json_array(), *refused = json_array(), *dropped = json_array();
    for (int i = 0; i < models->count; i++)
        json_array_append_new(fitted, model_json(&models->models[i]));
    for (int i = 0; i < models->nrefused; i++)
        json_array_append_new(refused, json_pack("{s:s, s:s}", "subject",
                                                 models->refused[i].subject, "reason",
                                                 models->refused[i].reason));
    for (int i = 0; i < models->ndropped; i++) {
        const struct mt_dropped *run = &models->dropped[i];
        json_array_append_new(
            dropped, json_pack("{s:s, s:f, s:f, s:s}", "configuration",
                               run->configuration, "size", mt_json_number(run->size),
                               "seconds", run->seconds, "reason", run->reason));
    }
    json_t *object = head_json(inputs, models->kind);
    const int failed = json_object_set_new(object, "models", fitted) |
                       json_object_set_new(object, "refused", refused) |
                       json_object_set_new(object, "dropped", dropped);
    if (failed) {
        json_decref(object);
        object = NULL;
    }
    return mt_json_print(object, stdout, err);
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
            object, json_pack("{s:f, s:f, s:f, s:b}", "seconds", prediction->seconds,
                              "low", prediction->low, "high", prediction->high,
                              "extrapolated", (int)prediction->extrapolated));
    return object;
}

int mt_predictions_print_json(const struct mt_predictions *predictions,
                              const struct mt_inputs *inputs, struct mt_error *err)
{
    json_t *list = json_array();
    for (int i = 0; i < predictions->count; i++)
        json_array_append_new(list, predicted_json(&predictions->all[i]));
    json_t *object = head_json(inputs, predictions->kind);
    if (json_object_set_new(object, "predictions", list) != 0) {
        json_decref(object);
        object = NULL;
    }
    return mt_json_print(object, stdout, err);
}
