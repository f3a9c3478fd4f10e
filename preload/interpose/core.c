/* SPDX-License-Identifier: BSD-3-Clause */
#include "core.h"

#include "preload/bcast/bcast.h"
#include "preload/waits/waits.h"

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

static void core_before(struct watched *watched, const call_word *arguments)
{
    if (bcast_is_active())
        waits_before(watched, arguments);
}

#ifdef OPEN_MPI
/* Open MPI's names; absent where no Fortran is loaded. */
extern char mpi_fortran_bottom_ __attribute__((weak));
extern char mpi_fortran_in_place_ __attribute__((weak));

static void *buffer_of(void *buffer)
{
    if (buffer && buffer == &mpi_fortran_bottom_)
        return MPI_BOTTOM;
    if (buffer && buffer == &mpi_fortran_in_place_)
        return MPI_IN_PLACE;
    return buffer;
}

static struct bcast_words from_fortran(void *buffer, const int *count, const int *type,
                                       const int *root, const int *comm)
{
    return (struct bcast_words){
        .buffer = buffer_of(buffer),
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
    .before = core_before,
    .after = waits_after,
    .pcontrol = bcast_switch,
#ifdef OPEN_MPI
    .from_fortran = from_fortran,
#endif
};
