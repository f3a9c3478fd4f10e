/* SPDX-License-Identifier: BSD-3-Clause */
#include "surface_cases.h"

#include "lib/machine/internal.h"

#include <stdio.h>
#include <stdlib.h>

enum { KIB = 1024, MIB = 1024 * 1024 };

const struct shape_texts multiplication_a = {
    .work = "2*N^3",
    .memory = "24*N^2/P",
    .valid = "N >= P",
    .steps = "N^3/P",
    .working_set = "24*N^2/P",
    .imbalance = "P*ceil(N/P)/N",
    .messages = "P - 1",
    .bytes = "8*N^2/P",
};

const struct mt_components ap1000_components = {
    .ncaches = 1,
    .costs = {0.71e-6, 1.20e-6},
    .caches = {{256 * KIB, 768 * KIB}},
    .bandwidth = {.base = 2e6},
};

const struct mt_components cenju3_components = {
    .ncaches = 2,
    .costs = {0.25e-6, 0.27e-6, 0.36e-6},
    .caches = {{16 * KIB, 48 * KIB}, {MIB, 3 * MIB}},
    .bandwidth = {.base = 8 / 0.015e-3,
                  .contention = MT_CONTENTION_SATURATING,
                  .strength = 0.0238 / 0.015,
                  .exponent = 1.5},
};

static void parse(struct mt_expr **expr, const char *text)
{
    struct mt_error err;
    if (text && mt_expr_parse(expr, text, &err) != MT_OK) {
        fprintf(stderr, "'%s': %s\n", text, err.text);
        abort();
    }
}

void surface_case_make(struct surface_case *made, const struct shape_texts *texts,
                       const struct mt_components *components, double speed,
                       double memory)
{
    struct mt_error err;
    *made = (struct surface_case){
        .machine = {.nodes = 512, .speed = speed, .memory = memory},
        .algorithm = {.components = *components},
    };
    struct mt_shape *shape = &made->algorithm.shape;
    parse(&shape->work, texts->work);
    parse(&shape->memory, texts->memory);
    parse(&shape->valid, texts->valid);
    parse(&shape->steps, texts->steps);
    parse(&shape->near_steps, texts->near_steps);
    parse(&shape->working_set, texts->working_set);
    parse(&shape->imbalance, texts->imbalance);
    parse(&shape->messages, texts->messages);
    parse(&shape->bytes, texts->bytes);
    if (mt_components_check(components, &err) != MT_OK ||
        mt_surface_make(&made->surface, &made->machine, &made->algorithm, &err) !=
            MT_OK) {
        fprintf(stderr, "%s\n", err.text);
        abort();
    }
}

void surface_case_ap1000(struct surface_case *made)
{
    surface_case_make(made, &multiplication_a, &ap1000_components, 2.78e6, 16 * MIB);
}

void surface_case_cenju3(struct surface_case *made)
{
    surface_case_make(made, &multiplication_a, &cenju3_components, 23.13e6, 64 * MIB);
}

void surface_case_clear(struct surface_case *made)
{
    mt_surface_free(made->surface);
    mt_shape_clear(&made->algorithm.shape);
    *made = (struct surface_case){0};
}
