/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective calls. All ranks must make the same one of the two calls, the MPI's own or
 * its nonblocking twin, so they decide by what all of them know. The twin raises errors
 * of arguments on the program's communicator, too.
 */
#include "collectives_list.h"
#include "handlers.h"
#include "yield.h"
#include "yielding.h"

#ifdef OPEN_MPI
enum { is_openmpi = true };
#else
enum { is_openmpi = false };
#endif

/* MPI_Ialltoallv and MPI_Ialltoallw of Open MPI 4.1.4 hang or err in place. */
static bool errs(const void *send)
{
    return is_openmpi && send == MPI_IN_PLACE;
}

#define LIST(...) __VA_ARGS__
#define DEFINE_UNLESS(twin_errs, Name, name, parameters, arguments) \
    int yield_##Name parameters \
    { \
        if ((twin_errs) || !yield_everywhere(comm)) \
            return PMPI_##Name arguments; \
        MPI_Request request; \
        const int status = PMPI_I##name(LIST arguments, &request); \
        if (status != MPI_SUCCESS) \
            return status; \
        return handlers_wait(&request, comm, MPI_STATUS_IGNORE); \
    }
#define DEFINE(...) DEFINE_UNLESS(false, __VA_ARGS__)
#define DEFINE_ALLTOALL(...) DEFINE_UNLESS(errs(send), __VA_ARGS__)
/* In Open MPI's twins the two messages from a rank that is a neighbour twice, as in
   a ring of two, get mixed up. */
#define DEFINE_NEIGHBOR_ALLTOALL(...) DEFINE_UNLESS(is_openmpi, __VA_ARGS__)

DEFINE(Barrier, barrier, (MPI_Comm comm), (comm))
YIELDING_COLLECTIVES(DEFINE, int, int, )
YIELDING_ALLTOALLS(DEFINE_ALLTOALL, int, int, )
YIELDING_NEIGHBOR_ALLTOALLS(DEFINE_NEIGHBOR_ALLTOALL, int, int, )
#if MPI_VERSION >= 4
YIELDING_COLLECTIVES(DEFINE, MPI_Count, MPI_Aint, _c)
YIELDING_ALLTOALLS(DEFINE_ALLTOALL, MPI_Count, MPI_Aint, _c)
YIELDING_NEIGHBOR_ALLTOALLS(DEFINE_NEIGHBOR_ALLTOALL, MPI_Count, MPI_Aint, _c)
#endif
