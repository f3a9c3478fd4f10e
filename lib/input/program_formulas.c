/* SPDX-License-Identifier: BSD-3-Clause */
#include "program_file.h"

#include "formula.h"

#include <stdlib.h>

enum {
    MOST_RANKS = 256,  /* up to this P formulas must have values */
    MOST_PROCESSES = 8 /* and up to this M */
};

/* Check the formula at one size, for every P and M that are likely. */
static int check_size(const struct mt_formula *formula,
                      const struct mt_program *program, double size, double *row,
                      const struct mt_yaml *yaml, struct mt_error *err)
{
    int processes = formula->allowed & MT_USES_M ? MOST_PROCESSES : 1;
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        if (formula->expr != &program->valid && !mt_program_valid(program, size, ranks))
            continue;
        for (int m = 1; m <= processes && m <= ranks; m++) {
            const double values[MT_NVARIABLES] = {
                [MT_N] = size, [MT_P] = ranks, [MT_M] = m, [MT_T] = 1};
            int status = mt_formula_check(formula, values, row, yaml, err);
            if (status)
                return status;
        }
    }
    return MT_OK;
}

static int check_values(const struct mt_formula *formula,
                        const struct mt_program *program, const struct mt_yaml *yaml,
                        struct mt_error *err)
{
    double *row = calloc((size_t)mt_formula_count(formula), sizeof *row);
    if (!row)
        return mt_fail(err, MT_ENOMEM, "no memory for the terms of a model");
    int status = MT_OK;
    for (int i = 0; i < program->nmeasure_sizes && !status; i++)
        status =
            check_size(formula, program, program->measure_sizes[i], row, yaml, err);
    for (int i = 0; i < program->nplan_sizes && !status; i++)
        status = check_size(formula, program, program->plan_sizes[i], row, yaml, err);
    free(row);
    return status;
}

static int read_formulas(const struct mt_formula *formulas, size_t count,
                         const struct mt_program *program, const struct mt_yaml *yaml,
                         struct mt_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (!formulas[i].text)
            continue;
        int status = mt_formula_parse(&formulas[i], yaml, err);
        if (!status)
            status = check_values(&formulas[i], program, yaml, err);
        if (status)
            return status;
    }
    return MT_OK;
}

/* What a surface is made of; one process is on each node then. */
static int read_surface(struct mt_program *program, const struct file_surface *from,
                        const struct mt_yaml *yaml, struct mt_error *err)
{
    const int root = mt_yaml_root(yaml), map = mt_yaml_member(yaml, root, "surface");
    struct mt_shape *shape = &program->shape;
    const struct mt_formula formulas[] = {
        {"steps", map, from->steps, MT_USES_N | MT_USES_P, true, &shape->steps, NULL},
        {"working_set", map, from->working_set, MT_USES_N | MT_USES_P, true,
         &shape->working_set, NULL},
        {"imbalance", map, from->imbalance, MT_USES_N | MT_USES_P, true,
         &shape->imbalance, NULL},
        {"messages", map, from->messages, MT_USES_N | MT_USES_P, true, &shape->messages,
         NULL},
        {"bytes", map, from->bytes, MT_USES_N | MT_USES_P, true, &shape->bytes, NULL},
        {"mean_bytes", map, from->mean_bytes, MT_USES_N | MT_USES_P, true,
         &shape->mean_bytes, NULL},
    };
    const struct mt_shape known = {
        .work = program->work, .memory = program->memory, .valid = program->valid};
    if (map && !program->work)
        return mt_yaml_fail(yaml, map, err, "'surface' needs the key 'work'");
    if (map && program->memory && mt_expr_uses(program->memory, MT_M))
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, root, "memory"), err,
                            "'memory' cannot depend on M where 'surface' is given");
    if (!from->messages != !from->bytes)
        return mt_yaml_fail(yaml, map, err, "'surface' has '%s' but not '%s'",
                            from->messages ? "messages" : "bytes",
                            from->messages ? "bytes" : "messages");
    if (from->mean_bytes && !from->bytes)
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "mean_bytes"), err,
                            "'mean_bytes' needs the key 'bytes'");
    int status = mt_shape_copy(shape, &known, err);
    if (!status)
        status = read_formulas(formulas, sizeof formulas / sizeof *formulas, program,
                               yaml, err);
    return status;
}

int mt_program_read_formulas(struct mt_program *program,
                             const struct file_program *from,
                             const struct mt_yaml *yaml, struct mt_error *err)
{
    const int root = mt_yaml_root(yaml), terms = mt_yaml_member(yaml, root, "terms");
    const struct mt_formula formulas[] = {
        /* first, because the others need values only where it holds */
        {"valid", root, from->valid, MT_USES_N | MT_USES_P, false, &program->valid,
         NULL},
        {"split", root, from->split, MT_USES_N | MT_USES_P, false, &program->split,
         NULL},
        {"work", root, from->work, MT_USES_N, true, &program->work, NULL},
        {"memory", root, from->memory, MT_USES_N | MT_USES_P | MT_USES_M, true,
         &program->memory, NULL},
        {"n-t", terms, from->terms.nt, MT_USES_N, false, NULL, &program->terms_nt},
        {"p-t", terms, from->terms.pt, MT_USES_P | MT_USES_T, false, NULL,
         &program->terms_pt},
        {"np-t", terms, from->terms.npt, MT_USES_N | MT_USES_P, false, NULL,
         &program->terms_npt},
        {"auto", terms, from->terms.automatic, MT_USES_N | MT_USES_P | MT_USES_M, false,
         NULL, &program->terms_auto},
    };
    int status =
        read_formulas(formulas, sizeof formulas / sizeof *formulas, program, yaml, err);
    return status ? status : read_surface(program, &from->surface, yaml, err);
}
