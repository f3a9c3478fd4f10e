/* SPDX-License-Identifier: BSD-3-Clause */
/* The names and kinds of the MPI calls that the report watches. */
#include "calls.h"

const char *const call_names[CALLS] = {
#define NAME(Name, ...) [CALL_##Name] = "MPI_" #Name,
    WATCHED_CALLS(NAME)
#undef NAME
};

const enum call_kind call_kinds[CALLS] = {
#define KIND(Name, name, NAME, n, kind, ...) [CALL_##Name] = kind,
    WATCHED_CALLS(KIND)
#undef KIND
};
