/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collective calls. All ranks must make the same one of the two calls, the MPI's own or
 * its nonblocking twin, so they decide by what all of them know. The twin raises errors
 * of arguments on the program's communicator, too.
 */
#include "handlers.h"
#include "yield.h"
#include "yielding.h"

#include <stdlib.h>

#ifdef OPEN_MPI
enum { is_openmpi = true };
#else
enum { is_openmpi = false };
#endif

/*
 * The blocking collective calls that have a nonblocking twin. X(Name, name, parameters,
 * arguments) is MPI_Name, whose twin is MPI_Iname. The last parameter is the
 * communicator, `comm`.
 *
 * MPI 4 has all that count twice: with C for counts and D for displacements being int
 * and, END of their names being _c, MPI_Count and MPI_Aint.
 */

/* Parameters that several of them share, and the same as arguments. */
#define OF_BLOCKS(C) \
    const void *send, C send_count, MPI_Datatype send_type, void *receive, \
        C receive_count, MPI_Datatype receive_type
#define BLOCKS send, send_count, send_type, receive, receive_count, receive_type

#define OF_VARIOUS_RECEIVED(C, D) \
    const void *send, C send_count, MPI_Datatype send_type, void *receive, \
        const C receive_counts[], const D displacements[], MPI_Datatype receive_type
#define VARIOUS_RECEIVED \
    send, send_count, send_type, receive, receive_counts, displacements, receive_type

#define OF_VARIOUS_SENT(C, D) \
    const void *send, const C send_counts[], const D displacements[], \
        MPI_Datatype send_type, void *receive, C receive_count, \
        MPI_Datatype receive_type
#define VARIOUS_SENT \
    send, send_counts, displacements, send_type, receive, receive_count, receive_type

#define OF_VARIOUS(C, D) \
    const void *send, const C send_counts[], const D send_places[], \
        MPI_Datatype send_type, void *receive, const C receive_counts[], \
        const D receive_places[], MPI_Datatype receive_type
#define VARIOUS \
    send, send_counts, send_places, send_type, receive, receive_counts, \
        receive_places, receive_type

#define OF_VARIOUS_TYPES(C, D) \
    const void *send, const C send_counts[], const D send_places[], \
        const MPI_Datatype send_types[], void *receive, const C receive_counts[], \
        const D receive_places[], const MPI_Datatype receive_types[]
#define VARIOUS_TYPES \
    send, send_counts, send_places, send_types, receive, receive_counts, \
        receive_places, receive_types

#define OF_OPERANDS(C) \
    const void *send, void *receive, C count, MPI_Datatype type, MPI_Op op
#define OPERANDS send, receive, count, type, op

#define OF_VARIOUS_OPERANDS(C) \
    const void *send, void *receive, const C counts[], MPI_Datatype type, MPI_Op op
#define VARIOUS_OPERANDS send, receive, counts, type, op

#define YIELDING_COLLECTIVES(X, C, D, END) \
    X(Bcast##END, bcast##END, \
      (void *buffer, C count, MPI_Datatype type, int root, MPI_Comm comm), \
      (buffer, count, type, root, comm)) \
    X(Gather##END, gather##END, (OF_BLOCKS(C), int root, MPI_Comm comm), \
      (BLOCKS, root, comm)) \
    X(Gatherv##END, gatherv##END, \
      (OF_VARIOUS_RECEIVED(C, D), int root, MPI_Comm comm), \
      (VARIOUS_RECEIVED, root, comm)) \
    X(Scatter##END, scatter##END, (OF_BLOCKS(C), int root, MPI_Comm comm), \
      (BLOCKS, root, comm)) \
    X(Scatterv##END, scatterv##END, (OF_VARIOUS_SENT(C, D), int root, MPI_Comm comm), \
      (VARIOUS_SENT, root, comm)) \
    X(Allgather##END, allgather##END, (OF_BLOCKS(C), MPI_Comm comm), (BLOCKS, comm)) \
    X(Allgatherv##END, allgatherv##END, (OF_VARIOUS_RECEIVED(C, D), MPI_Comm comm), \
      (VARIOUS_RECEIVED, comm)) \
    X(Alltoall##END, alltoall##END, (OF_BLOCKS(C), MPI_Comm comm), (BLOCKS, comm)) \
    X(Reduce##END, reduce##END, (OF_OPERANDS(C), int root, MPI_Comm comm), \
      (OPERANDS, root, comm)) \
    X(Allreduce##END, allreduce##END, (OF_OPERANDS(C), MPI_Comm comm), \
      (OPERANDS, comm)) \
    X(Reduce_scatter##END, reduce_scatter##END, \
      (OF_VARIOUS_OPERANDS(C), MPI_Comm comm), (VARIOUS_OPERANDS, comm)) \
    X(Reduce_scatter_block##END, reduce_scatter_block##END, \
      (OF_OPERANDS(C), MPI_Comm comm), (OPERANDS, comm)) \
    X(Scan##END, scan##END, (OF_OPERANDS(C), MPI_Comm comm), (OPERANDS, comm)) \
    X(Exscan##END, exscan##END, (OF_OPERANDS(C), MPI_Comm comm), (OPERANDS, comm)) \
    X(Neighbor_allgather##END, neighbor_allgather##END, (OF_BLOCKS(C), MPI_Comm comm), \
      (BLOCKS, comm)) \
    X(Neighbor_allgatherv##END, neighbor_allgatherv##END, \
      (OF_VARIOUS_RECEIVED(C, D), MPI_Comm comm), (VARIOUS_RECEIVED, comm))

#define VARIOUS_ALLTOALLS(X, C, D, END) \
    X(Alltoallv##END, alltoallv##END, (OF_VARIOUS(C, D), MPI_Comm comm), \
      (VARIOUS, comm), &send_type, &receive_type, false) \
    X(Alltoallw##END, alltoallw##END, (OF_VARIOUS_TYPES(C, D), MPI_Comm comm), \
      (VARIOUS_TYPES, comm), send_types, receive_types, true)

#define YIELDING_NEIGHBOR_ALLTOALLS(X, C, D, END) \
    X(Neighbor_alltoall##END, neighbor_alltoall##END, (OF_BLOCKS(C), MPI_Comm comm), \
      (BLOCKS, comm)) \
    X(Neighbor_alltoallv##END, neighbor_alltoallv##END, \
      (OF_VARIOUS(C, D), MPI_Comm comm), (VARIOUS, comm)) \
    X(Neighbor_alltoallw##END, neighbor_alltoallw##END, \
      (OF_VARIOUS_TYPES(C, MPI_Aint), MPI_Comm comm), (VARIOUS_TYPES, comm))

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
/* In Open MPI's twins the two messages from a rank that is a neighbour twice, as in
   a ring of two, get mixed up. */
#define DEFINE_NEIGHBOR_ALLTOALL(...) DEFINE_UNLESS(is_openmpi, __VA_ARGS__)

DEFINE(Barrier, barrier, (MPI_Comm comm), (comm))
YIELDING_COLLECTIVES(DEFINE, int, int, )
YIELDING_NEIGHBOR_ALLTOALLS(DEFINE_NEIGHBOR_ALLTOALL, int, int, )
#if MPI_VERSION >= 4
YIELDING_COLLECTIVES(DEFINE, MPI_Count, MPI_Aint, _c)
YIELDING_NEIGHBOR_ALLTOALLS(DEFINE_NEIGHBOR_ALLTOALL, MPI_Count, MPI_Aint, _c)
#endif

#ifndef OPEN_MPI
#define DEFINE_ALLTOALL(Name, name, parameters, arguments, ...) \
    DEFINE(Name, name, parameters, arguments)
VARIOUS_ALLTOALLS(DEFINE_ALLTOALL, int, int, )
#if MPI_VERSION >= 4
VARIOUS_ALLTOALLS(DEFINE_ALLTOALL, MPI_Count, MPI_Aint, _c)
#endif

#else
static bool is_empty(MPI_Datatype type)
{
    int size = 1;
    return type != MPI_DATATYPE_NULL && PMPI_Type_size(type, &size) == MPI_SUCCESS &&
           size == 0;
}

/*
 * MPI_Ialltoallv and MPI_Ialltoallw of Open MPI 4.1.4 hang or err in place. And they
 * send and receive what is counted, also where the type is empty: two ranks may count
 * the same nothing differently, and then one waits for ever. So what is empty is not
 * counted.
 */

/* The counts, 0 for what is empty; NULL: the program's are right, or memory is short.
   With `each` there is a type for each rank. */
static int *drop_empty(const int counts[], const MPI_Datatype types[], bool each,
                       MPI_Comm comm)
{
    int ranks = 0, *kept = NULL;
    PMPI_Comm_size(comm, &ranks);
    for (int i = 0; counts && types && i < ranks; i++) {
        if ((each || i == 0) && is_empty(types[i]) && !kept)
            kept = malloc((size_t)ranks * sizeof *kept);
    }
    for (int i = 0; kept && i < ranks; i++)
        kept[i] = is_empty(types[each ? i : 0]) ? 0 : counts[i];
    return kept;
}

#define DEFINE_ALLTOALL(Name, name, parameters, arguments, sent, received, each) \
    int yield_##Name parameters \
    { \
        if (send == MPI_IN_PLACE || !yield_everywhere(comm)) \
            return PMPI_##Name arguments; \
        int *const to_send = drop_empty(send_counts, sent, each, comm); \
        int *const to_receive = drop_empty(receive_counts, received, each, comm); \
        send_counts = to_send ? to_send : send_counts; \
        receive_counts = to_receive ? to_receive : receive_counts; \
        MPI_Request request; \
        int status = PMPI_I##name(LIST arguments, &request); \
        if (status == MPI_SUCCESS) \
            status = handlers_wait(&request, comm, MPI_STATUS_IGNORE); \
        free(to_receive); \
        free(to_send); \
        return status; \
    }
VARIOUS_ALLTOALLS(DEFINE_ALLTOALL, int, int, )
#endif
