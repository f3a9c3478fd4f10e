/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * code.h - expressions, compiled: a list of operations on numbered slots.
 *
 * Slots 0 .. MT_NVARIABLES-1 hold the variables, the next ones the constants, and
 * operation i writes the slot after those of all operations before it. Equal
 * subexpressions are one operation, so a list of expressions has one code. The function
 * dims(total, count, place) gives the factors into which MPI_Dims_create() splits a
 * number of processes.
 */
#ifndef MT_EXPR_CODE_H
#define MT_EXPR_CODE_H

#include "internal.h"

#include <stdint.h>

enum { MT_CODE_MAX_SLOTS = 1024 };

enum mt_operator {
    MT_OP_OR,
    MT_OP_AND,
    MT_OP_EQUAL,
    MT_OP_UNEQUAL,
    MT_OP_LESS,
    MT_OP_AT_MOST,
    MT_OP_ADD,
    MT_OP_SUBTRACT,
    MT_OP_MULTIPLY,
    MT_OP_DIVIDE,
    MT_OP_REMAINDER,
    MT_OP_POWER,
    MT_OP_MIN,
    MT_OP_MAX,
    MT_OP_DIMS,   /* of the left; the right is a constant, from mt_dims_pack() */
    MT_OP_NEGATE, /* from here on of one operand, given as left and as right */
    MT_OP_NOT,
    MT_OP_LOG,
    MT_OP_LOG2,
    MT_OP_SQRT,
    MT_OP_CEIL,
    MT_OP_FLOOR
};

struct mt_operation {
    uint8_t op;           /* enum mt_operator */
    uint16_t left, right; /* slots */
};

/* Empty if zeroed; mt_code_clear() makes it empty again. All members are owned. */
struct mt_code {
    double *constants;
    int nconstants;
    struct mt_operation *operations;
    int noperations;
    uint16_t *results; /* the slot of each expression's value */
    uint8_t *uses;     /* for each expression a bit for each variable in it */
    int nresults;
};

void mt_code_clear(struct mt_code *code);

/* The value of one operation. */
double mt_operator_value(enum mt_operator op, double left, double right);
/* The values for MT_OPERANDS pairs of operands; `values` overlaps neither. */
enum { MT_OPERANDS = 64 };
void mt_operator_values(enum mt_operator op, const double *left, const double *right,
                        double *restrict values);
/* Write the value of each expression to row[0 .. nresults-1]. */
void mt_code_values(const struct mt_code *code, const double values[MT_NVARIABLES],
                    double *row);
/* Write bounds of each expression over a box of the variables, by interval arithmetic,
   to row[0 .. nresults-1]; in range.c. */
void mt_code_ranges(const struct mt_code *code,
                    const struct mt_range box[MT_NVARIABLES], struct mt_range *row);

enum { MT_DIMS_MOST = 3 }; /* factors */

/* Pack `place` and `count` of dims() into one constant, the operand `which` of the
   others. */
int mt_dims_pack(int count, int place);
/* The number of factors in such a constant. */
int mt_dims_count(double which);
double mt_dims_value(double total, double which);
/* Bounds of the value at the whole numbers of the range. */
struct mt_range mt_dims_range(struct mt_range total, double which);

#endif
