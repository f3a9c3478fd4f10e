/* SPDX-License-Identifier: BSD-3-Clause */
#include "preload/common/context.h"

#include <stdlib.h>

/*
 * Whether all ranks succeeded. A failure over a communicator of ours is returned; one
 * over the program's has been raised on its handler already.
 */
static int all_agree(bool success, MPI_Comm comm)
{
    int mine = success, all = 0;
    const int status = PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm);
    if (status != MPI_SUCCESS)
        return status;
    return all ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

/*
 * A communicator of all ranks by way of their group: a duplicate would call the
 * program's functions that copy attributes. The program's handler must not hear of it
 * when there is none left to be had: then the broadcasts are the MPI's.
 */
static int create_quietly(MPI_Comm comm, MPI_Comm *created)
{
    MPI_Errhandler handler;
    MPI_Group group;
    int status = PMPI_Comm_get_errhandler(comm, &handler);
    if (status != MPI_SUCCESS)
        return status;
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    status = PMPI_Comm_group(comm, &group);
    if (status == MPI_SUCCESS) {
        status = PMPI_Comm_create(comm, group, created);
        PMPI_Group_free(&group);
    }
    if (status == MPI_SUCCESS)
        status = PMPI_Comm_set_errhandler(*created, MPI_ERRORS_RETURN);
    PMPI_Comm_set_errhandler(comm, handler);
    PMPI_Errhandler_free(&handler);
    return status;
}

/* The lowest rank on the node of each rank. */
static int find_nodes(struct context *context)
{
    MPI_Comm node;
    int lowest = context->rank;
    int status = PMPI_Comm_split_type(context->comm, MPI_COMM_TYPE_SHARED,
                                      context->rank, MPI_INFO_NULL, &node);
    if (status != MPI_SUCCESS)
        return status;
    status = PMPI_Bcast(&lowest, 1, MPI_INT, 0, node);
    PMPI_Comm_free(&node);
    if (status != MPI_SUCCESS)
        return status;
    return PMPI_Allgather(&lowest, 1, MPI_INT, context->node, 1, MPI_INT,
                          context->comm);
}

int context_init(struct context *context, MPI_Comm comm)
{
    struct context made = {.comm = MPI_COMM_NULL};
    PMPI_Comm_rank(comm, &made.rank);
    PMPI_Comm_size(comm, &made.size);
    made.node = malloc((size_t)made.size * sizeof(*made.node));

    int status = all_agree(made.node, comm);
    if (status != MPI_SUCCESS) {
        context_free(&made);
        return status;
    }
    status = create_quietly(comm, &made.comm);
    if (status == MPI_SUCCESS)
        status = find_nodes(&made);
    status = all_agree(status == MPI_SUCCESS, comm);
    if (status == MPI_SUCCESS)
        *context = made;
    else
        context_free(&made);
    return status;
}

void context_free(struct context *context)
{
    free(context->node);
    if (context->node && context->comm != MPI_COMM_NULL)
        PMPI_Comm_free(&context->comm);
    *context = (struct context){0};
}
