/* SPDX-License-Identifier: BSD-3-Clause */
/* A recursive-descent parser, and the builder that it puts expressions together with.
   Functions that parse a part of the text return its node, or NONE after an error. */
#include "parse.h"

#include "code.h"
#include "lib/base/number.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* The index of a node equal to `node`, which is added if it is missing. */
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

static int build_operation(struct mt_builder *builder, enum mt_operator op, int left,
                           int right);

static int build_constant(struct mt_builder *builder, double constant)
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
        return build_operation(builder, MT_OP_MULTIPLY, half, half);
    }
    int less = build_product(builder, base, exponent - 1);
    return build_operation(builder, MT_OP_MULTIPLY, less, base);
}

static int build_power(struct mt_builder *builder, int base, double exponent)
{
    if (exponent == 0.5)
        return build_operation(builder, MT_OP_SQRT, base, base);
    int product = build_product(builder, base, (int)fabs(exponent));
    if (exponent > 0)
        return product;
    return build_operation(builder, MT_OP_DIVIDE, build_constant(builder, 1), product);
}

static bool is_simple_power(const struct mt_node *exponent)
{
    if (exponent->kind != MT_NODE_CONSTANT)
        return false;
    double size = fabs(exponent->constant);
    return exponent->constant == 0.5 ||
           (size == floor(size) && size >= 1 && size <= LARGEST_PRODUCT);
}

/* The replacement for an operation that rounds: its operand, or a root of it. */
static int build_unrounded(struct mt_builder *builder, enum mt_operator op, int left,
                           int right)
{
    if (op != MT_OP_DIMS)
        return left;
    const int count = mt_dims_count(builder->nodes[right].constant);
    return build_operation(builder, MT_OP_POWER, left,
                           build_constant(builder, 1.0 / count));
}

static bool rounds(enum mt_operator op)
{
    return op == MT_OP_CEIL || op == MT_OP_FLOOR || op == MT_OP_DIMS;
}

static int build_operation(struct mt_builder *builder, enum mt_operator op, int left,
                           int right)
{
    if (builder->smooth && rounds(op))
        return build_unrounded(builder, op, left, right);
    const struct mt_node *a = &builder->nodes[left], *b = &builder->nodes[right];
    if (a->kind == MT_NODE_CONSTANT && b->kind == MT_NODE_CONSTANT) {
        double value = mt_operator_value(op, a->constant, b->constant);
        if (isfinite(value))
            return build_constant(builder, value);
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

enum { NONE = -1, MAX_DEPTH = 200, MAX_LENGTH = 10000 };

struct parser {
    struct mt_builder *builder;
    const char *text;
    const char *at; /* the next token */
    int depth;      /* of nested operands */
    struct mt_error *err;
};

static const char *const variables[MT_NVARIABLES] = {
    [MT_N] = "N", [MT_P] = "P", [MT_M] = "M", [MT_T] = "T"};

static const struct function {
    const char *name;
    enum mt_operator op;
    int arguments;
} functions[] = {
    {"log", MT_OP_LOG, 1},   {"log2", MT_OP_LOG2, 1},   {"sqrt", MT_OP_SQRT, 1},
    {"ceil", MT_OP_CEIL, 1}, {"floor", MT_OP_FLOOR, 1}, {"min", MT_OP_MIN, 2},
    {"max", MT_OP_MAX, 2},   {"dims", MT_OP_DIMS, 3},
};

enum level { LEVEL_OR, LEVEL_AND, LEVEL_COMPARISON, LEVEL_SUM, LEVEL_PRODUCT, LEVELS };

/* A sign comes before its own prefixes: "<=" before "<". */
static const struct binary {
    const char *sign;
    enum level level;
    enum mt_operator op;
    bool swap; /* the operands */
} binaries[] = {
    {"||", LEVEL_OR, MT_OP_OR, false},
    {"&&", LEVEL_AND, MT_OP_AND, false},
    {"==", LEVEL_COMPARISON, MT_OP_EQUAL, false},
    {"!=", LEVEL_COMPARISON, MT_OP_UNEQUAL, false},
    {"<=", LEVEL_COMPARISON, MT_OP_AT_MOST, false},
    {">=", LEVEL_COMPARISON, MT_OP_AT_MOST, true},
    {"<", LEVEL_COMPARISON, MT_OP_LESS, false},
    {">", LEVEL_COMPARISON, MT_OP_LESS, true},
    {"+", LEVEL_SUM, MT_OP_ADD, false},
    {"-", LEVEL_SUM, MT_OP_SUBTRACT, false},
    {"*", LEVEL_PRODUCT, MT_OP_MULTIPLY, false},
    {"/", LEVEL_PRODUCT, MT_OP_DIVIDE, false},
    {"%", LEVEL_PRODUCT, MT_OP_REMAINDER, false},
};

#define COUNT_OF(array) (int)(sizeof(array) / sizeof(array)[0])

static int column(const struct parser *parser)
{
    return (int)(parser->at - parser->text) + 1;
}

static void skip_blanks(struct parser *parser)
{
    parser->at += strspn(parser->at, " \t\r\n");
}

/* Step over a token that ends at `end`. */
static void step_to(struct parser *parser, const char *end)
{
    parser->at = end;
    skip_blanks(parser);
}

/* Whether the next token is `sign`, which is stepped over. */
static bool accept(struct parser *parser, const char *sign)
{
    size_t length = strlen(sign);
    if (strncmp(parser->at, sign, length) != 0)
        return false;
    step_to(parser, parser->at + length);
    return true;
}

static int word_length(const char *text)
{
    int length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

/* Report an unexpected token at the current position. */
static int unexpected(struct parser *parser, const char *expected)
{
    const char *at = parser->at;
    if (!*at)
        mt_fail(parser->err, MT_EPARSE, "the text ends at column %d: expected %s",
                column(parser), expected);
    else if (!isprint((unsigned char)*at))
        mt_fail(parser->err, MT_EPARSE,
                "a character that is not ASCII at column %d: expected %s",
                column(parser), expected);
    else
        mt_fail(parser->err, MT_EPARSE, "unexpected '%.*s' at column %d: expected %s",
                word_length(at) > 0 ? word_length(at) : 1, at, column(parser),
                expected);
    return NONE;
}

static int parse_level(struct parser *parser, enum level level);

static int parse_number(struct parser *parser)
{
    double number = 0;
    const char *end = mt_number_read(parser->at, &number);
    if (!end)
        return unexpected(parser, "a number, a name or '('");
    if (!isfinite(number)) {
        mt_fail(parser->err, MT_EPARSE, "number too large at column %d: '%.*s'",
                column(parser), (int)(end - parser->at), parser->at);
        return NONE;
    }
    step_to(parser, end);
    return build_constant(parser->builder, number);
}

/* Parse a constant expression whose value is a whole number from 1 to `most`; 0: the
   text has something else. */
static int parse_whole(struct parser *parser, int most)
{
    const int at_column = column(parser);
    const int node = parse_level(parser, LEVEL_OR);
    if (node == NONE)
        return 0;
    const struct mt_node *built = &parser->builder->nodes[node];
    if (built->kind == MT_NODE_CONSTANT)
        for (int whole = 1; whole <= most; whole++)
            if (built->constant == whole)
                return whole;
    mt_fail(parser->err, MT_EPARSE, "expected a whole number from 1 to %d at column %d",
            most, at_column);
    return 0;
}

/* Parse the rest of "dims(total, count, place)": the constant that selects the factor.
 */
static int parse_dims(struct parser *parser)
{
    if (!accept(parser, ","))
        return unexpected(parser, "',' and the number of factors");
    const int count = parse_whole(parser, MT_DIMS_MOST);
    if (count == 0)
        return NONE;
    if (!accept(parser, ","))
        return unexpected(parser, "',' and which of the factors");
    const int place = parse_whole(parser, count);
    if (place == 0)
        return NONE;
    return build_constant(parser->builder, mt_dims_pack(count, place));
}

static int parse_call(struct parser *parser, const struct function *function)
{
    if (!accept(parser, "("))
        return unexpected(parser, "'(' after the name of a function");
    int first = parse_level(parser, LEVEL_OR);
    int second = first;
    if (first != NONE && function->op == MT_OP_DIMS) {
        second = parse_dims(parser);
    } else if (first != NONE && function->arguments == 2) {
        if (!accept(parser, ","))
            return unexpected(parser, "',' and a second argument");
        second = parse_level(parser, LEVEL_OR);
    }
    if (first == NONE || second == NONE)
        return NONE;
    if (!accept(parser, ")"))
        return unexpected(parser, "an operator or ')'");
    return build_operation(parser->builder, function->op, first, second);
}

static bool is_word(const char *text, int length, const char *word)
{
    return strlen(word) == (size_t)length && strncmp(text, word, (size_t)length) == 0;
}

static int parse_name(struct parser *parser)
{
    const char *name = parser->at;
    const int length = word_length(name);
    for (int i = 0; i < MT_NVARIABLES; i++)
        if (is_word(name, length, variables[i])) {
            step_to(parser, name + length);
            return i;
        }
    for (int i = 0; i < COUNT_OF(functions); i++)
        if (is_word(name, length, functions[i].name)) {
            step_to(parser, name + length);
            return parse_call(parser, &functions[i]);
        }
    mt_fail(parser->err, MT_EPARSE,
            "unknown name '%.*s' at column %d: there are N, P, M, T and log, log2, "
            "sqrt, ceil, floor, min, max, dims",
            length, name, column(parser));
    return NONE;
}

static int parse_primary(struct parser *parser)
{
    if (isalpha((unsigned char)*parser->at) || *parser->at == '_')
        return parse_name(parser);
    if (!accept(parser, "("))
        return parse_number(parser);
    int inner = parse_level(parser, LEVEL_OR);
    if (inner != NONE && !accept(parser, ")"))
        return unexpected(parser, "an operator or ')'");
    return inner;
}

static int parse_operand(struct parser *parser);

static int parse_power(struct parser *parser)
{
    int base = parse_primary(parser);
    if (base == NONE || !accept(parser, "^"))
        return base;
    int exponent = parse_operand(parser);
    if (exponent == NONE)
        return NONE;
    return build_operation(parser->builder, MT_OP_POWER, base, exponent);
}

static int parse_signed(struct parser *parser)
{
    enum mt_operator op = *parser->at == '-' ? MT_OP_NEGATE : MT_OP_NOT;
    if (!accept(parser, "-") && !accept(parser, "!"))
        return parse_power(parser);
    int operand = parse_operand(parser);
    if (operand == NONE)
        return NONE;
    return build_operation(parser->builder, op, operand, operand);
}

/* Every recursion comes through here, so that no text can overrun the stack. */
static int parse_operand(struct parser *parser)
{
    if (parser->depth == MAX_DEPTH) {
        mt_fail(parser->err, MT_EPARSE, "nested more than %d deep at column %d: '%.1s'",
                MAX_DEPTH, column(parser), parser->at);
        return NONE;
    }
    parser->depth++;
    int node = parse_signed(parser);
    parser->depth--;
    return node;
}

/* The binary operator of that level that comes next, which is stepped over, or NULL. */
static const struct binary *accept_binary(struct parser *parser, enum level level)
{
    for (int i = 0; i < COUNT_OF(binaries); i++)
        if (binaries[i].level == level && accept(parser, binaries[i].sign))
            return &binaries[i];
    return NULL;
}

/* The node, unless another comparison follows: a < b < c is rarely what is meant. */
static int refuse_chain(struct parser *parser, int node)
{
    const int at_column = column(parser);
    const struct binary *binary = accept_binary(parser, LEVEL_COMPARISON);
    if (!binary)
        return node;
    mt_fail(parser->err, MT_EPARSE, "comparisons do not chain at column %d: '%s'",
            at_column, binary->sign);
    return NONE;
}

static int parse_level(struct parser *parser, enum level level)
{
    if (level == LEVELS)
        return parse_operand(parser);
    int left = parse_level(parser, level + 1);
    const struct binary *binary = NULL;
    while (left != NONE && (binary = accept_binary(parser, level))) {
        int right = parse_level(parser, level + 1);
        if (right == NONE)
            return NONE;
        left = binary->swap ? build_operation(parser->builder, binary->op, right, left)
                            : build_operation(parser->builder, binary->op, left, right);
        if (level == LEVEL_COMPARISON)
            return refuse_chain(parser, left);
    }
    return left;
}

static int parse_expression(struct parser *parser, struct mt_parsed *parsed)
{
    parsed->begin = parser->at;
    parsed->node = parse_level(parser, LEVEL_OR);
    if (parsed->node == NONE)
        return MT_EPARSE;
    parsed->end = parser->at;
    while (isspace((unsigned char)parsed->end[-1]))
        parsed->end--;
    if (parser->builder->full)
        return mt_fail(parser->err, MT_EPARSE,
                       "too long: more than %d operations and numbers before column %d",
                       MT_CODE_MAX_SLOTS - MT_NVARIABLES, column(parser));
    return MT_OK;
}

int mt_parse_list(struct mt_builder *builder, const char *text, int most,
                  struct mt_parsed *parsed, int *count, struct mt_error *err)
{
    const int longest = most * MAX_LENGTH;
    if (strnlen(text, (size_t)longest + 1) > (size_t)longest)
        return mt_fail(err, MT_EPARSE, "too long: more than %d characters", longest);
    struct parser parser = {.builder = builder, .text = text, .at = text, .err = err};
    skip_blanks(&parser);
    int n = 0;
    do {
        int status = parse_expression(&parser, &parsed[n++]);
        if (status != MT_OK)
            return status;
    } while (n < most && accept(&parser, ","));
    if (most > 1 && *parser.at == ',')
        return mt_fail(err, MT_EPARSE, "more than %d terms at column %d", most,
                       column(&parser));
    if (*parser.at) {
        unexpected(&parser,
                   most > 1 ? "an operator, ',' or the end" : "an operator or the end");
        return MT_EPARSE;
    }
    *count = n;
    return MT_OK;
}
