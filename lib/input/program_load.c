/* SPDX-License-Identifier: BSD-3-Clause */
#include "keys.h"
#include "yaml_read.h"

#include "motley/program.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_RANKS = 256,  /* up to this P formulas must have values */
    MOST_PROCESSES = 8 /* and up to this M */
};

/* The pattern must compile and have a group, whose text is the time. */
static int check_pattern(const struct mt_program *program, const struct mt_yaml *yaml,
                         struct mt_error *err)
{
    const int time = mt_yaml_member(yaml, mt_yaml_root(yaml), "time");
    const int node = mt_yaml_member(yaml, time, "match");
    regex_t regex;
    if (!program->time_match)
        return MT_OK;
    const int failure = regcomp(&regex, program->time_match, REG_EXTENDED);
    if (failure) {
        char reason[100];
        regerror(failure, &regex, reason, sizeof reason);
        return mt_yaml_fail(yaml, node, err, "'match' is not a pattern: %s", reason);
    }
    const size_t groups = regex.re_nsub;
    regfree(&regex);
    if (groups == 0)
        return mt_yaml_fail(yaml, node, err,
                            "'match' has no group ( ) around the seconds: '%.60s'",
                            program->time_match);
    return MT_OK;
}

static int check_sizes(const double *sizes, int count, const char *key,
                       const struct mt_yaml *yaml, struct mt_error *err)
{
    const int map = mt_yaml_member(yaml, mt_yaml_root(yaml), "sizes");
    const int list = mt_yaml_member(yaml, map, key);
    for (int i = 1; i < count; i++)
        if (sizes[i] <= sizes[i - 1])
            return mt_yaml_fail(yaml, mt_yaml_item(yaml, list, i), err,
                                "sizes in '%s' must grow: %g after %g", key, sizes[i],
                                sizes[i - 1]);
    return MT_OK;
}

/* Check the formula at one size, for every P and M that are likely. */
static int check_size(const struct mt_formula *formula,
                      const struct mt_program *program, double size, double *row,
                      struct mt_error *err)
{
    const int processes = formula->variables & MT_USES_M ? MOST_PROCESSES : 1;
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        if (formula->expr != &program->valid && !mt_program_valid(program, size, ranks))
            continue;
        for (int m = 1; m <= processes && m <= ranks; m++) {
            const double values[MT_NVARIABLES] = {
                [MT_N] = size, [MT_P] = ranks, [MT_M] = m, [MT_T] = 1};
            const int status = mt_formula_check(formula, values, row, err);
            if (status != MT_OK)
                return status;
        }
    }
    return MT_OK;
}

/* It must have values at all sizes of the program, wherever it may run. */
static int check_formula(const struct mt_formula *formula, void *object,
                         const void *context, struct mt_error *err)
{
    const struct mt_program *program = context;
    double *row = calloc((size_t)mt_formula_count(formula), sizeof *row);
    (void)object;
    if (!row)
        return mt_fail(err, MT_ENOMEM, "no memory for the terms of a model");
    int status = MT_OK;
    for (int i = 0; i < program->nmeasure_sizes && status == MT_OK; i++)
        status = check_size(formula, program, program->measure_sizes[i], row, err);
    for (int i = 0; i < program->nplan_sizes && status == MT_OK; i++)
        status = check_size(formula, program, program->plan_sizes[i], row, err);
    free(row);
    return status;
}

/* What a surface needs; one process is on each node there. */
static int check_surface(const struct mt_program *program, const struct mt_yaml *yaml,
                         struct mt_error *err)
{
    const int root = mt_yaml_root(yaml), map = mt_yaml_member(yaml, root, "surface");
    const struct mt_shape *shape = &program->shape;
    if (map && !program->work)
        return mt_yaml_fail(yaml, map, err, "'surface' needs the key 'work'");
    if (map && mt_expr_uses(program->work, MT_P))
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, root, "work"), err,
                            "'work' cannot depend on P where 'surface' is given");
    if (map && program->memory && mt_expr_uses(program->memory, MT_M))
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, root, "memory"), err,
                            "'memory' cannot depend on M where 'surface' is given");
    if (!shape->messages != !shape->bytes)
        return mt_yaml_fail(yaml, map, err, "'surface' has '%s' but not '%s'",
                            shape->messages ? "messages" : "bytes",
                            shape->messages ? "bytes" : "messages");
    if (shape->mean_bytes && !shape->bytes)
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "mean_bytes"), err,
                            "'mean_bytes' needs the key 'bytes'");
    return MT_OK;
}

/* The shape has copies of the keys that stand outside of `surface`. */
static int complete_shape(struct mt_program *program, struct mt_error *err)
{
    struct mt_shape copy = {0}, whole = program->shape;
    whole.work = program->work;
    whole.memory = program->memory;
    whole.valid = program->valid;
    const int status = mt_shape_copy(&copy, &whole, err);
    if (status == MT_OK) {
        mt_shape_clear(&program->shape);
        program->shape = copy;
    }
    return status;
}

/* What no key says of itself. */
static int complete_program(struct mt_program *program, const struct mt_yaml *yaml,
                            struct mt_error *err)
{
    int status = check_pattern(program, yaml, err);
    if (status == MT_OK)
        status = check_sizes(program->measure_sizes, program->nmeasure_sizes, "measure",
                             yaml, err);
    if (status == MT_OK)
        status =
            check_sizes(program->plan_sizes, program->nplan_sizes, "plan", yaml, err);
    if (status == MT_OK)
        status = mt_yaml_visit_formulas(program, yaml, mt_program_keys, check_formula,
                                        program, err);
    if (status == MT_OK)
        status = check_surface(program, yaml, err);
    if (status == MT_OK)
        status = complete_shape(program, err);
    return status;
}

int mt_program_load(struct mt_program *program, const char *path, struct mt_error *err)
{
    struct mt_program loaded = {.path = strdup(path)};
    struct mt_yaml *yaml = NULL;
    int status = MT_OK;
    if (!loaded.path)
        status = mt_fail(err, MT_ENOMEM, "no memory to read '%s'", path);
    if (status == MT_OK)
        status = mt_yaml_open(&yaml, path, err);
    if (status == MT_OK)
        status = mt_yaml_read(&loaded, yaml, mt_program_keys, err);
    if (status == MT_OK)
        status = complete_program(&loaded, yaml, err);
    mt_yaml_close(yaml);
    if (status == MT_OK)
        *program = loaded;
    else
        mt_program_clear(&loaded);
    return status;
}
