/* SPDX-License-Identifier: BSD-3-Clause */
#include "build.h"

#include "dims.h"

#include <math.h>
#include <stdlib.h>

enum { LARGEST_PRODUCT = 16 }; /* whole powers up to this become products */

void mt_builder_init(struct mt_builder *builder)
{
    builder->full = builder->smooth = false;
    builder->count = MT_NVARIABLES;
    for (int i = 0; i < MT_NVARIABLES; i++)
        builder->nodes[i] =
            (struct mt_node){.kind = MT_NODE_VARIABLE, .uses = (uint8_t)(1u << i)};
}

static bool equal_nodes(const struct mt_node *a, const struct mt_node *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == MT_NODE_CONSTANT)
        return a->constant == b->constant &&
               signbit(a->constant) == signbit(b->constant);
    return a->operation.op == b->operation.op &&
           a->operation.left == b->operation.left &&
           a->operation.right == b->operation.right;
}

/* The index of a node equal to `node`, which is added when there is none. */
static int intern(struct mt_builder *builder, struct mt_node node)
{
    for (int i = MT_NVARIABLES; i < builder->count; i++)
        if (equal_nodes(&builder->nodes[i], &node))
            return i;
    if (builder->count == MT_CODE_MAX_SLOTS) {
        builder->full = true;
        return 0;
    }
    builder->nodes[builder->count] = node;
    return builder->count++;
}

int mt_build_constant(struct mt_builder *builder, double constant)
{
    return intern(builder,
                  (struct mt_node){.kind = MT_NODE_CONSTANT, .constant = constant});
}

static bool commutes(enum mt_operator op)
{
    return op == MT_OP_ADD || op == MT_OP_MULTIPLY || op == MT_OP_EQUAL ||
           op == MT_OP_UNEQUAL;
}

/* x^n = (x^(n/2))^2, or x^(n-1) * x: the powers of one base share what they can. */
static int build_product(struct mt_builder *builder, int base, int exponent)
{
    if (exponent == 1)
        return base;
    if (exponent % 2 == 0) {
        int half = build_product(builder, base, exponent / 2);
        return mt_build_operation(builder, MT_OP_MULTIPLY, half, half);
    }
    int less = build_product(builder, base, exponent - 1);
    return mt_build_operation(builder, MT_OP_MULTIPLY, less, base);
}

static int build_power(struct mt_builder *builder, int base, double exponent)
{
    if (exponent == 0.5)
        return mt_build_operation(builder, MT_OP_SQRT, base, base);
    int product = build_product(builder, base, (int)fabs(exponent));
    if (exponent > 0)
        return product;
    return mt_build_operation(builder, MT_OP_DIVIDE, mt_build_constant(builder, 1),
                              product);
}

static bool is_simple_power(const struct mt_node *exponent)
{
    if (exponent->kind != MT_NODE_CONSTANT)
        return false;
    double size = fabs(exponent->constant);
    return exponent->constant == 0.5 ||
           (size == floor(size) && size >= 1 && size <= LARGEST_PRODUCT);
}

/* What takes the place of an operation that rounds: its operand, or the root of it. */
static int build_unrounded(struct mt_builder *builder, enum mt_operator op, int left,
                           int right)
{
    if (op != MT_OP_DIMS)
        return left;
    const int count = mt_dims_count(builder->nodes[right].constant);
    return mt_build_operation(builder, MT_OP_POWER, left,
                              mt_build_constant(builder, 1.0 / count));
}

static bool rounds(enum mt_operator op)
{
    return op == MT_OP_CEIL || op == MT_OP_FLOOR || op == MT_OP_DIMS;
}

int mt_build_operation(struct mt_builder *builder, enum mt_operator op, int left,
                       int right)
{
    if (builder->smooth && rounds(op))
        return build_unrounded(builder, op, left, right);
    const struct mt_node *a = &builder->nodes[left], *b = &builder->nodes[right];
    if (a->kind == MT_NODE_CONSTANT && b->kind == MT_NODE_CONSTANT) {
        double value = mt_operator_value(op, a->constant, b->constant);
        if (isfinite(value))
            return mt_build_constant(builder, value);
    }
    if (op == MT_OP_POWER && is_simple_power(b))
        return build_power(builder, left, b->constant);
    bool swap = commutes(op) && left > right;
    struct mt_operation operation = {.op = (uint8_t)op,
                                     .left = (uint16_t)(swap ? right : left),
                                     .right = (uint16_t)(swap ? left : right)};
    return intern(builder, (struct mt_node){.kind = MT_NODE_OPERATION,
                                            .operation = operation,
                                            .uses = a->uses | b->uses});
}

/* Mark the nodes that the results depend on. */
static void mark_needed(const struct mt_builder *builder, const int *results,
                        int nresults, bool *needed)
{
    for (int i = 0; i < nresults; i++)
        needed[results[i]] = true;
    for (int i = builder->count - 1; i >= 0; i--) {
        const struct mt_node *node = &builder->nodes[i];
        if (needed[i] && node->kind == MT_NODE_OPERATION)
            needed[node->operation.left] = needed[node->operation.right] = true;
    }
}

static int count_needed(const struct mt_builder *builder, const bool *needed,
                        enum mt_node_kind kind)
{
    int count = 0;
    for (int i = 0; i < builder->count; i++)
        count += needed[i] && builder->nodes[i].kind == kind;
    return count;
}

static bool allocate(struct mt_code *code, int nconstants, int noperations,
                     int nresults)
{
    /* one more than needed, for calloc(0) may return NULL */
    code->constants = calloc((size_t)nconstants + 1, sizeof *code->constants);
    code->operations = calloc((size_t)noperations + 1, sizeof *code->operations);
    code->results = calloc((size_t)nresults + 1, sizeof *code->results);
    code->uses = calloc((size_t)nresults + 1, sizeof *code->uses);
    return code->constants && code->operations && code->results && code->uses;
}

bool mt_build_code(const struct mt_builder *builder, const int *results, int nresults,
                   struct mt_code *code)
{
    bool needed[MT_CODE_MAX_SLOTS] = {false};
    mark_needed(builder, results, nresults, needed);
    const int nconstants = count_needed(builder, needed, MT_NODE_CONSTANT);
    const int noperations = count_needed(builder, needed, MT_NODE_OPERATION);
    if (!allocate(code, nconstants, noperations, nresults)) {
        mt_code_clear(code);
        return false;
    }
    uint16_t slot[MT_CODE_MAX_SLOTS] = {0}; /* of each node */
    for (int i = 0; i < builder->count; i++) {
        const struct mt_node *node = &builder->nodes[i];
        if (node->kind == MT_NODE_VARIABLE) {
            slot[i] = (uint16_t)i;
        } else if (needed[i] && node->kind == MT_NODE_CONSTANT) {
            slot[i] = (uint16_t)(MT_NVARIABLES + code->nconstants);
            code->constants[code->nconstants++] = node->constant;
        } else if (needed[i]) {
            slot[i] = (uint16_t)(MT_NVARIABLES + nconstants + code->noperations);
            code->operations[code->noperations++] =
                (struct mt_operation){.op = node->operation.op,
                                      .left = slot[node->operation.left],
                                      .right = slot[node->operation.right]};
        }
    }
    for (int i = 0; i < nresults; i++) {
        code->results[i] = slot[results[i]];
        code->uses[i] = builder->nodes[results[i]].uses;
    }
    code->nresults = nresults;
    return true;
}
