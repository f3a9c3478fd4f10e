/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of the MPI that a simulated program is linked with instead. */
#include "preload/bcast/bcast.h"
#include "preload/bcast/comm_state.h"

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    const struct bcast_call call = {
        .message = {.buffer = buffer, .count = count, .type = type},
        .root = root,
        .site = __builtin_return_address(0),
    };
    int status;
    return bcast(&status, &call, comm) ? status
                                       : PMPI_Bcast(buffer, count, type, root, comm);
}

int MPI_Pcontrol(const int level, ...)
{
    bcast_switch(level);
    return MPI_SUCCESS;
}

/* SimGrid deletes the attributes of MPI_COMM_SELF when no message can be sent any more.
 */
int MPI_Finalize(void)
{
    comm_state_end();
    return PMPI_Finalize();
}
