/* SPDX-License-Identifier: BSD-3-Clause */
#include "weights_lab.h"

#include "tests/unit/lib/model/made_posterior.h"
#include "tests/unit/test.h"

#include <stdlib.h>

static char names[MOST_GROUPS][2] = {"a", "b", "c", "d"};
static char lab_name[] = "lab", program_name[] = "toy";

void lab_init(struct lab *lab, unsigned terms, const double *coefficients)
{
    *lab = (struct lab){.cluster = {.name = lab_name, .groups = lab->groups},
                        .program = {.name = program_name},
                        .layouts = {{.processes = 1}, {.processes = 2}},
                        .terms = terms};
    for (int i = 0; i < __builtin_popcount(terms); i++)
        lab->coefficients[i] = coefficients[i];
    lab->predictor.problem =
        (struct mt_problem){&lab->cluster, &lab->program, &lab->predictor.models};
    lab->predictor.models.kind = MT_MODEL_AUTO;
}

void add_group(struct lab *lab, int nodes, int processes, double compute)
{
    const int g = lab->cluster.ngroups++;
    lab->groups[g] = (struct mt_group){.name = names[g],
                                       .nodes = nodes,
                                       .layouts = lab->layouts,
                                       .nlayouts = processes};
    for (int i = 0; i < processes; i++)
        lab->compute[lab->count++] = compute;
}

static void forget_models(struct lab *lab)
{
    mt_models_clear(&lab->predictor.models);
    lab->predictor.models.kind = MT_MODEL_AUTO;
}

void lab_clear(struct lab *lab)
{
    forget_models(lab);
    mt_expr_free(lab->program.memory);
    mt_expr_free(lab->program.valid);
}

static int weigh(struct mt_weights *weights, struct lab *lab,
                 const struct mt_configuration *given, struct mt_error *err)
{
    const enum mt_model_kind kind = lab->predictor.models.kind;
    forget_models(lab);
    lab->predictor.models.kind = kind;
    lab->predictor.models.posterior =
        make_posterior(&lab->cluster, &lab->program, LAB_SIZE);
    add_hypothesis(lab->predictor.models.posterior, lab->terms, 1, lab->compute,
                   lab->coefficients);
    return mt_weights_find(weights, &lab->predictor, LAB_SIZE, given, err);
}

struct mt_weights find(struct lab *lab, const char *given)
{
    struct mt_weights weights = {0};
    struct mt_configuration configuration;
    struct mt_error err = {0};
    if (given)
        assert_int_equal(
            mt_configuration_parse(&configuration, &lab->cluster, given, &err), MT_OK);
    if (weigh(&weights, lab, given ? &configuration : NULL, &err) != MT_OK)
        fail_msg("%s", err.text);
    return weights;
}

int refuse(struct lab *lab, struct mt_error *err)
{
    struct mt_weights weights;
    return weigh(&weights, lab, NULL, err);
}

void is_configuration(const struct lab *lab, const struct mt_weights *weights,
                      const char *expected)
{
    char *text = mt_configuration_format(&weights->configuration, &lab->cluster);
    assert_string_equal(text, expected);
    free(text);
}

double sum_of_shares(const struct mt_weights *weights)
{
    double sum = 0;
    for (int g = 0; g < MT_MAX_GROUPS; g++)
        sum += weights->share[g] * weights->configuration.use[g].nodes *
               weights->configuration.use[g].layout.processes;
    return sum;
}
