/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of YAML files that are expressions. */
#include "formula.h"

#include "lib/expr/internal.h"

#include <math.h>
#include <stdio.h>

static const char variable_names[MT_NVARIABLES] = {
    [MT_N] = 'N', [MT_P] = 'P', [MT_M] = 'M', [MT_T] = 'T'};

static int parse(const struct mt_formula *formula, struct mt_error *err)
{
    const char *text = mt_yaml_text(formula->yaml, formula->node);
    struct mt_error reason;
    const int status = formula->terms ? mt_terms_parse(formula->terms, text, &reason)
                                      : mt_expr_parse(formula->expr, text, &reason);
    if (status == MT_ENOMEM)
        return mt_fail(err, status, "%s", reason.text);
    if (status != MT_OK)
        return mt_yaml_fail(formula->yaml, formula->node, err, "%s: %s",
                            formula->subject, reason.text);
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

static int check_variables(const struct mt_formula *formula, struct mt_error *err)
{
    for (int i = 0; i < mt_formula_count(formula); i++)
        for (int variable = 0; variable < MT_NVARIABLES; variable++)
            if (uses(formula, i, variable) && !(formula->variables & 1 << variable))
                return mt_yaml_fail(formula->yaml, formula->node, err,
                                    "%s cannot depend on %c", formula->subject,
                                    variable_names[variable]);
    return MT_OK;
}

int mt_formula_parse(const struct mt_formula *formula, struct mt_error *err)
{
    int status = parse(formula, err);
    if (status == MT_OK)
        status = check_variables(formula, err);
    return status;
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
                     struct mt_error *err)
{
    const char *problem = problem_at(formula, values, row);
    if (!problem)
        return MT_OK;
    char point[80];
    int used = snprintf(point, sizeof point, "N = %.10g", values[MT_N]);
    if (formula->variables & MT_USES_P)
        used += snprintf(point + used, sizeof point - (size_t)used, ", P = %.10g",
                         values[MT_P]);
    if (formula->variables & MT_USES_M)
        snprintf(point + used, sizeof point - (size_t)used, ", M = %.10g",
                 values[MT_M]);
    return mt_yaml_fail(formula->yaml, formula->node, err, "%s %s at %s",
                        formula->subject, problem, point);
}
