/* SPDX-License-Identifier: BSD-3-Clause */
#include "weighing.h"

#include "lib/base/options.h"
#include "planning.h"

#include <stdlib.h>

static int read_configuration(struct mt_configuration *given,
                              const struct mt_inputs *inputs, double size,
                              const char *text, struct mt_error *err)
{
    const struct mt_cluster *cluster = &inputs->cluster;
    int status = mt_configuration_parse(given, cluster, text, err);
    if (status == MT_OK)
        status = mt_configuration_check(given, cluster, err);
    status = mt_option_blame(status, "--configuration", err);
    if (status == MT_OK)
        status = mt_configuration_find_nodes(given, cluster, err);
    if (status == MT_OK &&
        !mt_program_valid(&inputs->program, size, mt_configuration_ranks(given)))
        return mt_fail(err, MT_EINVAL,
                       "program '%s' may not run at N = %.15g on '%s': its 'valid' "
                       "excludes it",
                       inputs->program.name, size, text);
    return status;
}

int mt_weighing_make(struct mt_weighing *weighing, const struct mt_inputs *inputs,
                     double size, const char *configuration, struct mt_error *err)
{
    const struct mt_question question = {.size = size};
    struct mt_predictor predictor = {0};
    struct mt_configuration given = {{{0}}};
    int status = configuration
                     ? read_configuration(&given, inputs, size, configuration, err)
                     : MT_OK;
    if (status == MT_OK)
        status = mt_planning_ready(&predictor, inputs, MT_MODEL_AUTO, &question, err);
    if (status == MT_OK)
        status = mt_weights_find(&weighing->weights, &predictor, size,
                                 configuration ? &given : NULL, err);
    if (status == MT_OK)
        status =
            mt_weights_list(&weighing->list, &weighing->ranks, &weighing->weights, err);
    mt_predictor_clear(&predictor);
    return status;
}

void mt_weighing_clear(struct mt_weighing *weighing)
{
    free(weighing->list);
    *weighing = (struct mt_weighing){0};
}
