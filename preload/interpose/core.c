/* SPDX-License-Identifier: BSD-3-Clause */
/* The core's entry points: turn the words of a call into MPI types and pass it on. */
#include "core.h"

#include "preload/bcast/bcast.h"
#include "preload/bcast/comm_state.h"
#include "preload/waits/waits.h"

static int core_bcast(const struct bcast_words *words, struct passing **passing)
{
    const struct bcast_call call = {
        .message = {.buffer = words->buffer,
                    .count = words->count,
                    .type = (MPI_Datatype)(intptr_t)words->type},
        .root = words->root,
        .site = words->site,
    };
    return bcast(&call, (MPI_Comm)(intptr_t)words->comm, passing);
}

static void core_leave(const void *comm)
{
    if (comm && *(const MPI_Comm *)comm != MPI_COMM_NULL)
        comm_state_leave(*(const MPI_Comm *)comm);
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

/* Three words of the arguments. */
#ifdef OPEN_MPI
static struct message message_from_fortran(const call_word *arguments)
{
    return (struct message){
        .buffer = buffer_of((void *)arguments[0]),
        .count = *(const int *)arguments[1],
        .type = PMPI_Type_f2c(*(const int *)arguments[2]),
    };
}
#endif
static struct message message_from(const struct watched *watched,
                                   const call_word *arguments)
{
#ifdef OPEN_MPI
    if (watched->fortran)
        return message_from_fortran(arguments);
#endif
    return (struct message){
        .buffer = (void *)arguments[0],
        .count = watched->large ? (MPI_Count)arguments[1] : (int)arguments[1],
        .type = (MPI_Datatype)arguments[2],
    };
}

static bool core_gather(int *status, const struct watched *watched,
                        const call_word *arguments)
{
    struct blocks blocks = {.own = message_from(watched, arguments),
                            .all = message_from(watched, arguments + 3),
                            .root = (int)arguments[6]};
    MPI_Comm comm = (MPI_Comm)arguments[7];
#ifdef OPEN_MPI
    if (watched->fortran) {
        blocks.root = *(const int *)arguments[6];
        comm = PMPI_Comm_f2c(*(const int *)arguments[7]);
    }
#endif
    return gather(status, &blocks, comm);
}

#ifdef OPEN_MPI
static struct reduction reduction_from_fortran(const call_word *arguments)
{
    return (struct reduction){
        .send = buffer_of((void *)arguments[0]),
        .receive = buffer_of((void *)arguments[1]),
        .count = *(const int *)arguments[2],
        .type = PMPI_Type_f2c(*(const int *)arguments[3]),
        .op = PMPI_Op_f2c(*(const int *)arguments[4]),
        .root = *(const int *)arguments[5],
    };
}
#endif

/* A count that does not fit an int goes to the MPI. */
static bool core_reduce(int *status, const struct watched *watched,
                        const call_word *arguments)
{
    struct reduction reduction = {
        .send = (const void *)arguments[0],
        .receive = (void *)arguments[1],
        .count = (int)arguments[2],
        .type = (MPI_Datatype)arguments[3],
        .op = (MPI_Op)arguments[4],
        .root = (int)arguments[5],
    };
    MPI_Comm comm = (MPI_Comm)arguments[6];
    if (watched->large && arguments[2] != reduction.count)
        return false;
#ifdef OPEN_MPI
    if (watched->fortran) {
        reduction = reduction_from_fortran(arguments);
        comm = PMPI_Comm_f2c(*(const int *)arguments[6]);
    }
#endif
    return reduce(status, &reduction, comm);
}

static bool core_instead(int *status, const struct watched *watched,
                         const call_word *arguments)
{
    return watched->call == CALL_Reduce ? core_reduce(status, watched, arguments)
                                        : core_gather(status, watched, arguments);
}

extern const struct core motley_balance_core __attribute__((visibility("default")));
const struct core motley_balance_core = {
    .begin = bcast_begin,
    .bcast = core_bcast,
    .before = waits_before,
    .after = waits_after,
    .instead = core_instead,
    .leave = core_leave,
    .end = comm_state_end,
    .pcontrol = comm_state_switch,
#ifdef OPEN_MPI
    .from_fortran = from_fortran,
#endif
};
