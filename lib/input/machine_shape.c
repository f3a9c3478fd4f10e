/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine_file.h"

#include "formula.h"

#include <math.h>

/* Expressions must have values at the sizes that are these powers of two. */
enum { FIRST_POWER = 4, LAST_POWER = 20 };

/* Numbers of nodes that programs like, and all of them. */
static bool is_likely(int ranks, int nodes)
{
    const int root = (int)sqrt(ranks);
    return (ranks & (ranks - 1)) == 0 || root * root == ranks || ranks == nodes;
}

static int check_values(const struct mt_formula *formula, const struct mt_shape *shape,
                        int ranks, const struct mt_yaml *yaml, struct mt_error *err)
{
    for (int power = FIRST_POWER; power <= LAST_POWER; power++) {
        const double size = 1 << power;
        const double values[MT_NVARIABLES] = {
            [MT_N] = size, [MT_P] = ranks, [MT_M] = 1};
        double value;
        if (formula->expr != &shape->valid && !mt_shape_valid(shape, size, ranks))
            continue;
        int status = mt_formula_check(formula, values, &value, yaml, err);
        if (status)
            return status;
    }
    return MT_OK;
}

int mt_machine_read_shape(struct mt_shape *shape, const struct file_algorithm *from,
                          int nodes, const struct mt_yaml *yaml, int map,
                          struct mt_error *err)
{
    const struct file_compute *compute = &from->compute;
    const struct file_communication *communication = &from->communication;
    const int in_compute = mt_yaml_member(yaml, map, "compute");
    const int in_communication = mt_yaml_member(yaml, map, "communication");
    const int both = MT_USES_N | MT_USES_P;
    const struct mt_formula formulas[] = {
        /* first, because the others need values only where it holds */
        {"valid", map, from->valid, both, false, &shape->valid, NULL},
        {"work", map, from->work, MT_USES_N, true, &shape->work, NULL},
        {"memory", map, from->memory, both, true, &shape->memory, NULL},
        {"steps", in_compute, compute->steps, both, true, &shape->steps, NULL},
        {"working_set", in_compute, compute->working_set, both, true,
         &shape->working_set, NULL},
        {"imbalance", in_compute, compute->imbalance, both, true, &shape->imbalance,
         NULL},
        {"messages", in_communication, communication->messages, both, true,
         &shape->messages, NULL},
        {"bytes", in_communication, communication->bytes, both, true, &shape->bytes,
         NULL},
        {"mean_bytes", in_communication, communication->mean_bytes, both, true,
         &shape->mean_bytes, NULL},
    };
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        if (!formulas[i].text)
            continue;
        int status = mt_formula_parse(&formulas[i], yaml, err);
        for (int ranks = 1; ranks <= nodes && !status; ranks++)
            if (is_likely(ranks, nodes))
                status = check_values(&formulas[i], shape, ranks, yaml, err);
        if (status)
            return status;
    }
    return MT_OK;
}
