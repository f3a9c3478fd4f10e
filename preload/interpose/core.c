/* SPDX-License-Identifier: BSD-3-Clause */
#include "core.h"

#include "preload/bcast/bcast.h"
#include "preload/common/settings.h"
#include "preload/wait/fortran.h"
#include "preload/wait/yield.h"
#include "preload/wait/yielding.h"

static bool core_bcast(int *status, const struct bcast_words *words)
{
    const struct bcast_call call = {
        .message = {.buffer = words->buffer,
                    .count = words->count,
                    .type = (MPI_Datatype)(intptr_t)words->type},
        .root = words->root,
        .site = words->site,
    };
    return bcast(status, &call, (MPI_Comm)(intptr_t)words->comm);
}

static bool core_begin(void)
{
    const struct options *options = settings_agree();
    return yield_begin(options->yield, options->verbose);
}

#define STAND_IN(name, ...) [CALL_##name] = (mpi_function)yield_##name,
static const mpi_function yielding[CALLS] = {PLAIN_CALLS(STAND_IN) BCAST_CALLS(STAND_IN)
#if MPI_VERSION >= 4
                                                 LARGE_CALLS(STAND_IN)
                                                     LARGE_BCAST_CALLS(STAND_IN)
#endif
};

#ifdef OPEN_MPI
static struct bcast_words from_fortran(void *buffer, const int *count, const int *type,
                                       const int *root, const int *comm)
{
    return (struct bcast_words){
        .buffer = fortran_buffer(buffer),
        .count = *count,
        .type = PMPI_Type_f2c(*type),
        .root = *root,
        .comm = PMPI_Comm_f2c(*comm),
    };
}
#endif

extern const struct core motley_balance_core __attribute__((visibility("default")));
const struct core motley_balance_core = {
    .bcast = core_bcast,
    .pcontrol = bcast_switch,
    .begin = core_begin,
    .end = yield_end,
    .yielding = yielding,
#ifdef OPEN_MPI
    .from_fortran = from_fortran,
    .yielding_fortran = yielding_fortran,
#endif
};
