/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that a simulated program is linked with instead, whose arguments are words
   here: mpi.h would say something else. */
#include "wrap.h"
#include "wrap_simulated.h"

#define WRAP(Name, name, NAME, n, ...) \
    int PMPI_##Name(WORDS_##n); \
    int MPI_##Name(WORDS_##n) \
    { \
        const struct core *core = simulated_core(); \
        if (!core) \
            return PMPI_##Name(NAMES_##n); \
        struct watched watched = {.call = CALL_##Name, \
                                  .site = __builtin_return_address(0)}; \
        const call_word arguments[] = {NAMES_##n}; \
        int status; \
        core->before(&watched, arguments); \
        if (!IS_TAKEN(watched.call) || !core->instead(&status, &watched, arguments)) \
            status = PMPI_##Name(NAMES_##n); \
        core->after(&watched); \
        return status; \
    }
PASSED_CALLS(WRAP)
