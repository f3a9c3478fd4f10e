/* SPDX-License-Identifier: BSD-3-Clause */
#include "exact.h"

#include <stdbool.h>
#include <stddef.h>

static bool is_among(MPI_Datatype type, const MPI_Datatype *types, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (type == types[i])
            return true;
    return false;
}
#define IS_AMONG(type, ...) \
    is_among(type, (const MPI_Datatype[]){__VA_ARGS__}, \
             sizeof(MPI_Datatype[]){__VA_ARGS__} / sizeof(MPI_Datatype))

static bool is_integer_of_c(MPI_Datatype type)
{
    return IS_AMONG(type, MPI_INT, MPI_LONG, MPI_UNSIGNED, MPI_UNSIGNED_LONG,
                    MPI_LONG_LONG, MPI_UNSIGNED_LONG_LONG, MPI_SHORT,
                    MPI_UNSIGNED_SHORT, MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_INT8_T,
                    MPI_INT16_T, MPI_INT32_T, MPI_INT64_T, MPI_UINT8_T, MPI_UINT16_T,
                    MPI_UINT32_T, MPI_UINT64_T);
}

/* A Fortran type may be absent. */
static bool is_real(MPI_Datatype type)
{
    return IS_AMONG(type, MPI_DOUBLE, MPI_FLOAT, MPI_DOUBLE_PRECISION, MPI_REAL);
}

static bool is_arithmetic(MPI_Op op)
{
    return op == MPI_SUM || op == MPI_MAX || op == MPI_MIN || op == MPI_PROD;
}

static bool is_bitwise(MPI_Op op)
{
    return op == MPI_BAND || op == MPI_BOR || op == MPI_BXOR;
}

static bool is_logical(MPI_Op op)
{
    return op == MPI_LAND || op == MPI_LOR || op == MPI_LXOR;
}

/* Of real numbers also the largest depends on the order: of 0 and -0, say. */
enum exactness exactness_of(MPI_Op op, MPI_Datatype type)
{
    if (type == MPI_DATATYPE_NULL)
        return NOT_KNOWN;
    if (is_real(type))
        return is_arithmetic(op) ? UP_TO_ORDER : NOT_KNOWN;
    if (is_arithmetic(op) || is_bitwise(op))
        return is_integer_of_c(type) || type == MPI_INTEGER ? EXACT : NOT_KNOWN;
    return is_logical(op) && is_integer_of_c(type) ? EXACT : NOT_KNOWN;
}
