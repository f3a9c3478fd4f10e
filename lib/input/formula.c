/* SPDX-License-Identifier: BSD-3-Clause */
#include "formula.h"

#include <math.h>
#include <stdio.h>

static const char variable_names[MT_NVARIABLES] = {
    [MT_N] = 'N', [MT_P] = 'P', [MT_M] = 'M', [MT_T] = 'T'};

/* Where the formula stands in the file. */
static int node_of(const struct mt_formula *formula, const struct mt_yaml *yaml)
{
    return mt_yaml_member(yaml, formula->map, formula->key);
}

static int parse(const struct mt_formula *formula, const struct mt_yaml *yaml,
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

int mt_formula_count(const struct mt_formula *formula)
{
    return formula->terms ? mt_terms_count(*formula->terms) : 1;
}

static bool uses(const struct mt_formula *formula, int i, enum mt_variable variable)
{
    return formula->terms ? mt_terms_use(*formula->terms, i, variable)
                          : mt_expr_uses(*formula->expr, variable);
}

static int check_variables(const struct mt_formula *formula, const struct mt_yaml *yaml,
                           struct mt_error *err)
{
    for (int i = 0; i < mt_formula_count(formula); i++)
        for (int variable = 0; variable < MT_NVARIABLES; variable++)
            if (uses(formula, i, variable) && !(formula->allowed & 1 << variable))
                return mt_yaml_fail(yaml, node_of(formula, yaml), err,
                                    "'%s' cannot depend on %c", formula->key,
                                    variable_names[variable]);
    return MT_OK;
}

int mt_formula_parse(const struct mt_formula *formula, const struct mt_yaml *yaml,
                     struct mt_error *err)
{
    int status = parse(formula, yaml, err);
    return status ? status : check_variables(formula, yaml, err);
}

/* What is wrong with the formula at a point, or NULL. */
static const char *problem_at(const struct mt_formula *formula,
                              const double values[MT_NVARIABLES], double *row)
{
    if (formula->terms)
        mt_terms_values(*formula->terms, values, row);
    else
        row[0] = mt_expr_value(*formula->expr, values);
    for (int i = 0; i < mt_formula_count(formula); i++) {
        if (!isfinite(row[i]))
            return "has no value";
        if (formula->counts && row[i] < 0)
            return "is negative";
    }
    return NULL;
}

int mt_formula_check(const struct mt_formula *formula,
                     const double values[MT_NVARIABLES], double *row,
                     const struct mt_yaml *yaml, struct mt_error *err)
{
    const char *problem = problem_at(formula, values, row);
    if (!problem)
        return MT_OK;
    char point[80];
    int used = snprintf(point, sizeof point, "N = %.10g", values[MT_N]);
    if (formula->allowed & MT_USES_P)
        used += snprintf(point + used, sizeof point - (size_t)used, ", P = %.10g",
                         values[MT_P]);
    if (formula->allowed & MT_USES_M)
        snprintf(point + used, sizeof point - (size_t)used, ", M = %.10g",
                 values[MT_M]);
    return mt_yaml_fail(yaml, node_of(formula, yaml), err, "'%s' %s at %s",
                        formula->key, problem, point);
}
