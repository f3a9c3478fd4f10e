/* SPDX-License-Identifier: BSD-3-Clause */
#include "program_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MOST_RANKS = 256,  /* up to this P formulas must have values */
    MOST_PROCESSES = 8 /* and up to this M */
};

enum { USES_N = 1 << MT_N, USES_P = 1 << MT_P, USES_M = 1 << MT_M, USES_T = 1 << MT_T };

static const char variable_names[MT_NVARIABLES] = {
    [MT_N] = 'N', [MT_P] = 'P', [MT_M] = 'M', [MT_T] = 'T'};

/* A key of the file whose value is an expression or a list of them. */
struct formula {
    const char *key;
    int map;                 /* node around the key */
    const char *text;        /* NULL: not given */
    int allowed;             /* the variables that it may depend on, USES_... */
    bool counts;             /* its value is a number of things: not negative */
    struct mt_expr **expr;   /* where an expression goes */
    struct mt_terms **terms; /* where a list goes; NULL: it is one expression */
};

/* Where the formula stands in the file. */
static int node_of(const struct formula *formula, const struct mt_yaml *yaml)
{
    return mt_yaml_member(yaml, formula->map, formula->key);
}

static int parse(const struct formula *formula, const struct mt_yaml *yaml,
                 struct mt_error *err)
{
    struct mt_error reason;
    int status = formula->terms ? mt_terms_parse(formula->terms, formula->text, &reason)
                                : mt_expr_parse(formula->expr, formula->text, &reason);
    if (status == MT_ENOMEM)
        return mt_fail(err, status, "%s", reason.text);
    if (status)
        return mt_yaml_fail(yaml, node_of(formula, yaml), err, "'%s': %s", formula->key,
                            reason.text);
    return MT_OK;
}

static int count(const struct formula *formula)
{
    return formula->terms ? mt_terms_count(*formula->terms) : 1;
}

static bool uses(const struct formula *formula, int i, enum mt_variable variable)
{
    return formula->terms ? mt_terms_use(*formula->terms, i, variable)
                          : mt_expr_uses(*formula->expr, variable);
}

static int check_variables(const struct formula *formula, const struct mt_yaml *yaml,
                           struct mt_error *err)
{
    for (int i = 0; i < count(formula); i++)
        for (int variable = 0; variable < MT_NVARIABLES; variable++)
            if (uses(formula, i, variable) && !(formula->allowed & 1 << variable))
                return mt_yaml_fail(yaml, node_of(formula, yaml), err,
                                    "'%s' cannot depend on %c", formula->key,
                                    variable_names[variable]);
    return MT_OK;
}

/* What is wrong with the formula at a point, or NULL; `row` is a place for its values.
 */
static const char *problem_at(const struct formula *formula,
                              const double values[MT_NVARIABLES], double *row)
{
    if (formula->terms)
        mt_terms_values(*formula->terms, values, row);
    else
        row[0] = mt_expr_value(*formula->expr, values);
    for (int i = 0; i < count(formula); i++) {
        if (!isfinite(row[i]))
            return "has no value";
        if (formula->counts && row[i] < 0)
            return "is negative";
    }
    return NULL;
}

static int fail_at(const struct formula *formula, const struct mt_yaml *yaml,
                   const char *problem, const double values[MT_NVARIABLES],
                   struct mt_error *err)
{
    char point[80];
    int used = snprintf(point, sizeof point, "N = %g", values[MT_N]);
    if (formula->allowed & USES_P)
        used += snprintf(point + used, sizeof point - (size_t)used, ", P = %g",
                         values[MT_P]);
    if (formula->allowed & USES_M)
        snprintf(point + used, sizeof point - (size_t)used, ", M = %g", values[MT_M]);
    return mt_yaml_fail(yaml, node_of(formula, yaml), err, "'%s' %s at %s",
                        formula->key, problem, point);
}

/* Check the formula at one size, for every P and M that are likely. */
static int check_size(const struct formula *formula, const struct mt_program *program,
                      double size, double *row, const struct mt_yaml *yaml,
                      struct mt_error *err)
{
    int processes = formula->allowed & USES_M ? MOST_PROCESSES : 1;
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        if (formula->expr != &program->valid && !mt_program_valid(program, size, ranks))
            continue;
        for (int m = 1; m <= processes && m <= ranks; m++) {
            const double values[MT_NVARIABLES] = {
                [MT_N] = size, [MT_P] = ranks, [MT_M] = m, [MT_T] = 1};
            const char *problem = problem_at(formula, values, row);
            if (problem)
                return fail_at(formula, yaml, problem, values, err);
        }
    }
    return MT_OK;
}

static int check_values(const struct formula *formula, const struct mt_program *program,
                        const struct mt_yaml *yaml, struct mt_error *err)
{
    double *row = calloc((size_t)count(formula), sizeof *row);
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

int mt_program_read_formulas(struct mt_program *program,
                             const struct file_program *from,
                             const struct mt_yaml *yaml, struct mt_error *err)
{
    const int root = mt_yaml_root(yaml), terms = mt_yaml_member(yaml, root, "terms");
    const struct formula formulas[] = {
        /* first, because the others need values only where it holds */
        {"valid", root, from->valid, USES_N | USES_P, false, &program->valid, NULL},
        {"split", root, from->split, USES_N | USES_P, false, &program->split, NULL},
        {"work", root, from->work, USES_N, true, &program->work, NULL},
        {"memory", root, from->memory, USES_N | USES_P | USES_M, true, &program->memory,
         NULL},
        {"n-t", terms, from->terms.nt, USES_N, false, NULL, &program->terms_nt},
        {"p-t", terms, from->terms.pt, USES_P | USES_T, false, NULL,
         &program->terms_pt},
        {"np-t", terms, from->terms.npt, USES_N | USES_P, false, NULL,
         &program->terms_npt},
        {"auto", terms, from->terms.automatic, USES_N | USES_P | USES_M, false, NULL,
         &program->terms_auto},
    };
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        const struct formula *formula = &formulas[i];
        if (!formula->text)
            continue;
        int status = parse(formula, yaml, err);
        if (!status)
            status = check_variables(formula, yaml, err);
        if (!status)
            status = check_values(formula, program, yaml, err);
        if (status)
            return status;
    }
    return MT_OK;
}
