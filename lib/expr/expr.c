/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions and lists of terms, and their values on a grid of N and P. */
#include "motley/expr.h"

#include "code.h"
#include "list.h"
#include "parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void clear_list(struct mt_expr_list *list)
{
    for (int i = 0; list->texts && i < list->code.nresults; i++)
        free(list->texts[i]);
    free(list->texts);
    mt_code_clear(&list->code);
    *list = (struct mt_expr_list){0};
}

static bool copy_texts(struct mt_expr_list *list, const struct mt_parsed *parsed,
                       int count)
{
    list->texts = calloc((size_t)count, sizeof *list->texts);
    for (int i = 0; list->texts && i < count; i++) {
        list->texts[i] =
            strndup(parsed[i].begin, (size_t)(parsed[i].end - parsed[i].begin));
        if (!list->texts[i])
            return false;
    }
    return list->texts;
}

static int parse_list(struct mt_expr_list *list, const char *text, int most,
                      bool smooth, struct mt_error *err)
{
    struct mt_builder *builder = malloc(sizeof *builder);
    if (!builder)
        return mt_fail(err, MT_ENOMEM, "no memory to read '%s'", text);
    mt_builder_init(builder);
    builder->smooth = smooth;

    struct mt_parsed parsed[MT_LONGEST_LIST];
    int nodes[MT_LONGEST_LIST], count = 0;
    int status = mt_parse_list(builder, text, most, parsed, &count, err);
    for (int i = 0; i < count; i++)
        nodes[i] = parsed[i].node;
    if (status == MT_OK && (!mt_build_code(builder, nodes, count, &list->code) ||
                            !copy_texts(list, parsed, count))) {
        clear_list(list);
        status = mt_fail(err, MT_ENOMEM, "no memory to read '%s'", text);
    }
    free(builder);
    return status;
}

int mt_expr_parse(struct mt_expr **expr, const char *text, struct mt_error *err)
{
    struct mt_expr *parsed = calloc(1, sizeof *parsed);
    if (!parsed)
        return mt_fail(err, MT_ENOMEM, "no memory to read '%s'", text);
    int status = parse_list(&parsed->list, text, 1, false, err);
    if (status != MT_OK) {
        free(parsed);
        return status;
    }
    *expr = parsed;
    return MT_OK;
}

void mt_expr_free(struct mt_expr *expr)
{
    if (expr)
        clear_list(&expr->list);
    free(expr);
}

const char *mt_expr_text(const struct mt_expr *expr)
{
    return expr->list.texts[0];
}

bool mt_expr_uses(const struct mt_expr *expr, enum mt_variable variable)
{
    return expr->list.code.uses[0] >> variable & 1;
}

double mt_expr_value(const struct mt_expr *expr, const double values[MT_NVARIABLES])
{
    double value;
    mt_code_values(&expr->list.code, values, &value);
    return value;
}

struct mt_range mt_expr_range(const struct mt_expr *expr,
                              const struct mt_range box[MT_NVARIABLES])
{
    struct mt_range range;
    mt_code_ranges(&expr->list.code, box, &range);
    return range;
}

static int parse_terms(struct mt_terms **terms, const char *text, bool smooth,
                       struct mt_error *err)
{
    struct mt_terms *parsed = calloc(1, sizeof *parsed);
    if (!parsed)
        return mt_fail(err, MT_ENOMEM, "no memory to read '%s'", text);
    int status = parse_list(&parsed->list, text, MT_LONGEST_LIST, smooth, err);
    if (status != MT_OK) {
        free(parsed);
        return status;
    }
    *terms = parsed;
    return MT_OK;
}

int mt_terms_parse(struct mt_terms **terms, const char *text, struct mt_error *err)
{
    return parse_terms(terms, text, false, err);
}

int mt_terms_parse_smooth(struct mt_terms **terms, const char *text,
                          struct mt_error *err)
{
    return parse_terms(terms, text, true, err);
}

void mt_terms_free(struct mt_terms *terms)
{
    if (terms)
        clear_list(&terms->list);
    free(terms);
}

int mt_terms_count(const struct mt_terms *terms)
{
    return terms->list.code.nresults;
}

const char *mt_terms_text(const struct mt_terms *terms, int i)
{
    return terms->list.texts[i];
}

bool mt_terms_use(const struct mt_terms *terms, int i, enum mt_variable variable)
{
    return terms->list.code.uses[i] >> variable & 1;
}

void mt_terms_values(const struct mt_terms *terms, const double values[MT_NVARIABLES],
                     double *row)
{
    mt_code_values(&terms->list.code, values, row);
}

void mt_terms_ranges(const struct mt_terms *terms,
                     const struct mt_range box[MT_NVARIABLES], struct mt_range *row)
{
    mt_code_ranges(&terms->list.code, box, row);
}

enum { USES_N = 1 << MT_N, USES_P = 1 << MT_P };

static void fill(struct mt_tile *tile, int slot, double value)
{
    for (int i = 0; i < MT_OPERANDS; i++)
        tile->values[slot][i] = value;
}

/* Operations without P are the same in all columns. */
static void compute(struct mt_tile *tile, int slot,
                    const struct mt_operation *operation)
{
    const enum mt_operator op = (enum mt_operator)operation->op;
    const double *left = tile->values[operation->left];
    const double *right = tile->values[operation->right];
    if (tile->uses[slot] & USES_P)
        mt_operator_values(op, left, right, tile->values[slot]);
    else
        fill(tile, slot, mt_operator_value(op, left[0], right[0]));
}

void mt_tile_begin(struct mt_tile *tile, const struct mt_terms *terms,
                   const double *ranks, int columns)
{
    const struct mt_code *code = &terms->list.code;
    tile->code = code;
    for (int i = 0; i < MT_NVARIABLES; i++)
        tile->uses[i] = (uint8_t)(1 << i);
    for (int i = 0; i < MT_OPERANDS; i++) /* columns beyond the last repeat it */
        tile->values[MT_P][i] = ranks[i < columns ? i : columns - 1];
    fill(tile, MT_M, 1);
    fill(tile, MT_T, NAN);

    int slot = MT_NVARIABLES;
    for (int i = 0; i < code->nconstants; i++, slot++) {
        tile->uses[slot] = 0;
        fill(tile, slot, code->constants[i]);
    }
    for (int i = 0; i < code->noperations; i++, slot++) {
        const struct mt_operation *operation = &code->operations[i];
        tile->uses[slot] = tile->uses[operation->left] | tile->uses[operation->right];
        if (!(tile->uses[slot] & USES_N))
            compute(tile, slot, operation);
    }
}

void mt_tile_row(struct mt_tile *tile, double size)
{
    const struct mt_code *code = tile->code;
    fill(tile, MT_N, size);
    for (int i = 0; i < code->noperations; i++) {
        const int slot = MT_NVARIABLES + code->nconstants + i;
        if (tile->uses[slot] & USES_N)
            compute(tile, slot, &code->operations[i]);
    }
}

const double *mt_tile_values(const struct mt_tile *tile, int i)
{
    return tile->values[tile->code->results[i]];
}
