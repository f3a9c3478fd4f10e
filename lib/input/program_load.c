/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a program file and checks what concerns several keys. */
#include "internal.h"
#include "keys.h"
#include "lib/base/array.h"
#include "lib/base/number.h"
#include "lib/base/pattern.h"
#include "lib/expr/internal.h"
#include "lib/yaml/yaml_read.h"
#include "program_run.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_RANKS = 256,  /* up to this P formulas must have values */
    MOST_PROCESSES = 8 /* and up to this M */
};

/* The pattern of `map` must compile and have a group. */
static int check_pattern(const char *pattern, const struct mt_yaml *yaml, int map,
                         struct mt_error *err)
{
    struct mt_error reason;
    regex_t regex;
    if (mt_pattern_compile(&regex, pattern, &reason) != MT_OK)
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "match"), err,
                            "'match': %s", reason.text);
    regfree(&regex);
    return MT_OK;
}

static int check_rate(const struct mt_program *program, const struct mt_yaml *yaml,
                      int map, struct mt_error *err)
{
    double factor;
    if (!mt_rate_unit(&factor, program->rate_unit, strlen(program->rate_unit)))
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "unit"), err,
                            "'unit' of 'rate' must be a unit as GFLOPS, Mop/s or MB/s, "
                            "not '%.60s'",
                            program->rate_unit);
    if (!program->rate_work && !program->work)
        return mt_yaml_fail(yaml, map, err,
                            "missing key 'work' in 'rate': how much a run does, as the "
                            "rate counts it");
    return check_pattern(program->rate_match, yaml, map, err);
}

/* There is a time or a rate. */
static int check_time(const struct mt_program *program, const struct mt_yaml *yaml,
                      struct mt_error *err)
{
    const int root = mt_yaml_root(yaml), time = mt_yaml_member(yaml, root, "time"),
              rate = mt_yaml_member(yaml, root, "rate");
    if (time && rate)
        return mt_yaml_fail(yaml, rate, err, "there is 'time' as well as 'rate'");
    if (!time && !rate)
        return mt_yaml_fail(yaml, root, err,
                            "missing key 'time': wall or {match: PATTERN}; or 'rate'");
    if (rate)
        return check_rate(program, yaml, rate, err);
    return program->time_match ? check_pattern(program->time_match, yaml, time, err)
                               : MT_OK;
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

/* The state of the checks: the program, and the characters of formulas evaluated so
   far. */
struct check {
    const struct mt_program *program;
    double *done;
};

/* Less than a second, whatever the file. */
static const double most_characters = 5e8;

/* Count the characters of the formula and of `valid` at all points. */
static int count_characters(const struct mt_formula *formula, const struct check *check,
                            struct mt_error *err)
{
    const struct mt_program *program = check->program;
    const char *text = mt_yaml_text(formula->yaml, formula->node);
    const double sizes = program->nmeasure_sizes + program->nplan_sizes,
                 points = formula->variables & MT_USES_M ? MOST_RANKS * MOST_PROCESSES
                                                         : MOST_RANKS;
    *check->done += sizes * points * (double)strlen(text);
    if (program->valid)
        *check->done +=
            sizes * MOST_RANKS * (double)strlen(mt_expr_text(program->valid));
    if (*check->done <= most_characters)
        return MT_OK;
    return mt_yaml_fail(formula->yaml, formula->node, err,
                        "%s: the formulas are too long to be checked at %.0f sizes",
                        formula->subject, sizes);
}

/* The formula must have values at all sizes of the program, wherever it may run. */
static int check_formula(const struct mt_formula *formula, void *object,
                         const void *context, struct mt_error *err)
{
    const struct check *check = context;
    const struct mt_program *program = check->program;
    (void)object;
    int status = count_characters(formula, check, err);
    if (status != MT_OK)
        return status;
    double *row = calloc((size_t)mt_formula_count(formula), sizeof *row);
    if (!row)
        return mt_fail(err, MT_ENOMEM, "no memory for the terms of a model");
    for (int i = 0; i < program->nmeasure_sizes && status == MT_OK; i++)
        status = check_size(formula, program, program->measure_sizes[i], row, err);
    for (int i = 0; i < program->nplan_sizes && status == MT_OK; i++)
        status = check_size(formula, program, program->plan_sizes[i], row, err);
    free(row);
    return status;
}

/* Whether the work is above 0 at one of these sizes, on any number of ranks. */
static bool works_at(const struct mt_program *program, const double *sizes, int count)
{
    for (int i = 0; i < count; i++)
        for (int ranks = 1; ranks <= MOST_RANKS; ranks++)
            if (mt_program_valid(program, sizes[i], ranks) &&
                mt_program_work(program, sizes[i], ranks) > 0)
                return true;
    return false;
}

static int check_work(const struct mt_program *program, const struct mt_yaml *yaml,
                      struct mt_error *err)
{
    if (!program->work || program->nmeasure_sizes + program->nplan_sizes == 0 ||
        works_at(program, program->measure_sizes, program->nmeasure_sizes) ||
        works_at(program, program->plan_sizes, program->nplan_sizes))
        return MT_OK;
    return mt_yaml_fail(yaml, mt_yaml_member(yaml, mt_yaml_root(yaml), "work"), err,
                        "'work' is 0 at every size in 'sizes'");
}

/* The keys that a surface needs; each node has one process there. */
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

/* The shape has copies of the keys outside `surface`. */
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

/* Sort the numbers under a key, none of which may come twice. */
static int sort_numbers(int *numbers, int count, const char *key,
                        const struct mt_yaml *yaml, struct mt_error *err)
{
    const int list = mt_yaml_member(yaml, mt_yaml_root(yaml), key);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if (numbers[j] == numbers[i])
                return mt_yaml_fail(yaml, mt_yaml_item(yaml, list, i), err,
                                    "%d comes twice in '%s'", numbers[i], key);
    if (count > 0)
        qsort(numbers, (size_t)count, sizeof *numbers, mt_compare_ints);
    return MT_OK;
}

static int compare_binds(const void *a, const void *b)
{
    const enum mt_bind *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

/* The file's words are those after the default. */
static int sort_binds(struct mt_program *program, const struct mt_yaml *yaml,
                      struct mt_error *err)
{
    const int list = mt_yaml_member(yaml, mt_yaml_root(yaml), "bind");
    for (int i = 0; i < program->nbinds; i++) {
        program->binds[i]++;
        for (int j = 0; j < i; j++)
            if (program->binds[j] == program->binds[i])
                return mt_yaml_fail(yaml, mt_yaml_item(yaml, list, i), err,
                                    "'%s' comes twice in 'bind'",
                                    mt_bind_name(program->binds[i]));
    }
    if (program->nbinds > 0)
        qsort(program->binds, (size_t)program->nbinds, sizeof *program->binds,
              compare_binds);
    return MT_OK;
}

/* Checks that concern several keys. */
static int complete_program(struct mt_program *program, const struct mt_yaml *yaml,
                            struct mt_error *err)
{
    double done = 0;
    const struct check check = {program, &done};
    int status = mt_yaml_check_line(yaml, "name", err);
    if (status == MT_OK)
        status = check_time(program, yaml, err);
    if (status == MT_OK)
        status =
            sort_numbers(program->threads, program->nthreads, "threads", yaml, err);
    if (status == MT_OK)
        status = sort_numbers(program->gpus, program->ngpus, "gpus", yaml, err);
    if (status == MT_OK)
        status = sort_binds(program, yaml, err);
    if (status == MT_OK)
        status = check_sizes(program->measure_sizes, program->nmeasure_sizes, "measure",
                             yaml, err);
    if (status == MT_OK)
        status =
            check_sizes(program->plan_sizes, program->nplan_sizes, "plan", yaml, err);
    if (status == MT_OK)
        status = mt_yaml_visit_formulas(program, yaml, mt_program_keys, check_formula,
                                        &check, err);
    if (status == MT_OK)
        status = mt_program_complete_run(program, yaml, err);
    if (status == MT_OK)
        status = check_work(program, yaml, err);
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
