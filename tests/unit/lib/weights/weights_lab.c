/* SPDX-License-Identifier: BSD-3-Clause */
#include "weights_lab.h"

#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>

static char names[MOST_GROUPS][2] = {"a", "b", "c", "d"};
static char lab_name[] = "lab", program_name[] = "toy";

void lab_init(struct lab *lab, const char *terms, int processes)
{
    *lab = (struct lab){.cluster = {.name = lab_name, .groups = lab->groups},
                        .program = {.name = program_name},
                        .layouts = {{.processes = 1}, {.processes = 2}}};
    lab->predictor.problem =
        (struct mt_problem){&lab->cluster, &lab->program, &lab->predictor.models};
    lab->predictor.models =
        (struct mt_models){.kind = MT_MODEL_AUTO, .models = lab->models};
    for (int i = 0; i < MOST_GROUPS * processes; i++) {
        struct mt_model *model = &lab->models[i];
        model->terms_text = strdup(terms);
        model->coefficients = calloc(MOST_COEFFICIENTS, sizeof(double));
        model->serial = calloc(MOST_COEFFICIENTS, sizeof(bool));
        assert_int_equal(mt_terms_parse(&model->terms, terms, NULL), MT_OK);
    }
}

void add_group(struct lab *lab, int nodes, int processes, const double coefficients[],
               int count)
{
    const int g = lab->cluster.ngroups++;
    lab->groups[g] = (struct mt_group){.name = names[g],
                                       .nodes = nodes,
                                       .layouts = lab->layouts,
                                       .nlayouts = processes};
    for (int i = 0; i < processes; i++) {
        struct mt_model *model = &lab->models[lab->predictor.models.count++];
        model->group = names[g];
        model->layout = lab->layouts[i];
        model->split = -1;
        model->ranks_low = 1;
        model->ranks_high = 64;
        model->size_low = 1;
        model->size_high = 1e6;
        model->runs = 10;
        model->residual = model->cross_validated = 0.01;
        memcpy(model->coefficients, coefficients, (size_t)count * sizeof(double));
    }
}

void lab_clear(struct lab *lab)
{
    for (int i = 0; i < 2 * MOST_GROUPS; i++) {
        mt_terms_free(lab->models[i].terms);
        free(lab->models[i].terms_text);
        free(lab->models[i].coefficients);
        free(lab->models[i].serial);
    }
    mt_expr_free(lab->program.memory);
    mt_expr_free(lab->program.valid);
}

struct mt_weights find(struct lab *lab, double size, const char *given)
{
    struct mt_weights weights = {0};
    struct mt_configuration configuration;
    struct mt_error err = {0};
    if (given)
        assert_int_equal(
            mt_configuration_parse(&configuration, &lab->cluster, given, &err), MT_OK);
    const int status = mt_weights_find(&weights, &lab->predictor, size,
                                       given ? &configuration : NULL, &err);
    if (status != MT_OK)
        fail_msg("%s", err.text);
    return weights;
}

int refuse(struct lab *lab, double size, struct mt_error *err)
{
    struct mt_weights weights;
    return mt_weights_find(&weights, &lab->predictor, size, NULL, err);
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
