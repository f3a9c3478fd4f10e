/* SPDX-License-Identifier: BSD-3-Clause */
/* Those functions of wrap_fortran.c that have no work of their own. */
#include "wrap.h"

#include "family.h"
#include "fortran_calls.h"

#define WRAP(Name, name, NAME, n) \
    ENTRY void ompi_##name##_f(ADDRESSES_##n); \
    void ompi_##name##_f(ADDRESSES_##n) \
    { \
        const mpi_function call = \
            family_fortran_call(CALL_##Name, __builtin_return_address(0)); \
        ((void (*)(ADDRESSES_##n))call)(NAMES_##n); \
    } \
    ENTRY __attribute__(( \
        alias("ompi_" #name "_f"))) __typeof__(ompi_##name##_f) mpi_##name, \
        mpi_##name##_, mpi_##name##__, MPI_##NAME;
FORTRAN_CALLS(WRAP)
