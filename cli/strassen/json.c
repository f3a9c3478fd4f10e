/* SPDX-License-Identifier: BSD-3-Clause */
#include "print.h"

#include "cli/common/json.h"
#include "rows.h"

#include <stdio.h>

json_t *mt_strassen_question_json(const struct mt_strassen_question *question)
{
    const struct mt_partition_product *product = &question->product;
    return json_pack("{s:b, s:o, s:o, s:i, s:i, s:i}", "simulated",
                     (int)mt_cluster_simulated(&question->cluster), "cluster",
                     mt_json_text(question->cluster.name), "configuration",
                     mt_json_text(question->text), "m", product->m, "n", product->n,
                     "k", product->k);
}

/* What is known of the groups and of what is between them. */
static json_t *known_json(const struct mt_strassen_question *question)
{
    const struct mt_partition_network *network = &question->machine.network;
    json_t *groups = json_array();
    for (int r = 0; r < question->machine.ranks; r++) {
        const struct mt_strassen_speed *speed = &question->speeds[r];
        const int group = question->groups[r];
        if (r > 0 && group == question->groups[r - 1])
            continue;
        json_array_append_new(
            groups,
            json_pack("{s:o, s:o, s:o, s:o}", "group",
                      mt_json_text(question->cluster.groups[group].name), "flops",
                      mt_json_number(speed->flops), "half", mt_json_number(speed->half),
                      "bandwidth", mt_json_number(speed->bandwidth)));
    }
    return json_pack("{s:o, s:{s:o, s:o, s:o}}", "groups", groups, "network", "latency",
                     mt_json_number(network->latency), "bandwidth",
                     mt_json_number(network->bandwidth), "exchange",
                     mt_json_number(network->exchange));
}

static json_t *times_json(const struct mt_partition_times *times)
{
    return json_pack("{s:o, s:o, s:o}", "computing", mt_json_number(times->compute),
                     "communication", mt_json_number(times->communication), "waiting",
                     mt_json_number(times->waiting));
}

json_t *mt_strassen_ranks_json(const struct mt_strassen_question *question,
                               const struct mt_strassen_choice *choice,
                               const struct mt_partition_times *actual)
{
    json_t *ranks = json_array();
    for (int r = 0; r < choice->partition.ranks; r++) {
        json_t *rank =
            json_pack("{s:i, s:o, s:o, s:o}", "rank", r, "group",
                      mt_json_text(question->cluster.groups[question->groups[r]].name),
                      "share", mt_json_number(mt_strassen_share(&choice->partition, r)),
                      "predicted", times_json(&choice->forecast.ranks[r]));
        if (actual)
            json_object_set_new(rank, "measured", times_json(&actual[r]));
        json_array_append_new(ranks, rank);
    }
    return ranks;
}

static json_t *choice_json(const struct mt_strassen_choice *choice,
                           const struct mt_strassen_question *question, double equal)
{
    const struct mt_partition_forecast *forecast = &choice->forecast;
    json_t *object = json_pack(
        "{s:s, s:o, s:o, s:o, s:i, s:i, s:i, s:o, s:o, s:o}", "cut",
        mt_partition_kind_name(choice->partition.kind), "seconds",
        mt_json_number(forecast->seconds), "flops",
        mt_json_number(mt_strassen_flops(question, forecast->seconds)), "gain",
        mt_json_number(equal / forecast->seconds - 1), "blocks",
        choice->partition.ntiles, "panels", choice->partition.panels, "subpanels",
        choice->partition.subpanels, "bytes", mt_json_number(forecast->bytes), "bound",
        mt_json_number(forecast->bound), "ranks",
        mt_strassen_ranks_json(question, choice, NULL));
    if (choice->partition.kind == MT_PARTITION_AUTO) {
        json_object_set_new(object, "perimeters",
                            mt_json_number(mt_strassen_perimeters(&choice->partition)));
        json_object_set_new(
            object, "least_perimeters",
            mt_json_number(mt_strassen_least_perimeters(&choice->partition)));
    }
    return object;
}

int mt_strassen_plan_json(const struct mt_strassen_choice *choices,
                          const struct mt_strassen_question *question,
                          struct mt_error *err)
{
    const struct mt_partition_forecast *equal = &choices[MT_PARTITION_EQUAL].forecast;
    const struct mt_strassen_ideal ideal = mt_strassen_ideal(equal);
    json_t *partitions = json_array(), *plan = mt_strassen_question_json(question);
    for (int kind = 0; kind < MT_PARTITION_KINDS; kind++)
        json_array_append_new(partitions,
                              choice_json(&choices[kind], question, equal->seconds));
    json_object_set_new(
        plan, "best", mt_json_text(mt_partition_kind_name(mt_strassen_best(choices))));
    json_object_set_new(plan, "ideal",
                        json_pack("{s:o, s:o, s:o}", "gain", mt_json_number(ideal.gain),
                                  "heterogeneity", mt_json_number(ideal.heterogeneity),
                                  "communication",
                                  mt_json_number(ideal.communication)));
    json_object_set_new(plan, "known", known_json(question));
    json_object_set_new(plan, "cuts", partitions);
    return mt_json_print(plan, stdout, err);
}
