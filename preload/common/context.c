/* SPDX-License-Identifier: BSD-3-Clause */
/* Duplicates the program's communicator for our messages; finds ranks on one node. */
#include "preload/common/context.h"

#include <stdlib.h>

static bool all_agree(bool mine, MPI_Comm comm)
{
    int here = mine, everywhere = 0;
    return PMPI_Allreduce(&here, &everywhere, 1, MPI_INT, MPI_LAND, comm) ==
               MPI_SUCCESS &&
           everywhere;
}

bool context_agrees(const struct context *context, bool mine)
{
    return all_agree(mine, context->comm);
}

/*
 * A communicator of all ranks, made from their group: a duplicate would call the
 * program's attribute copy functions. The program's handler must not see an error if no
 * communicators are left: then the calls stay with the MPI.
 */
static int create_quietly(MPI_Comm comm, MPI_Group group, MPI_Errhandler handler,
                          MPI_Comm *created)
{
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    int status = PMPI_Comm_create(comm, group, created);
    if (status == MPI_SUCCESS)
        status = PMPI_Comm_set_errhandler(*created, MPI_ERRORS_RETURN);
    PMPI_Comm_set_errhandler(comm, handler);
    return status;
}

/* The lowest rank on the node of each rank. */
static bool find_nodes(const struct context *context)
{
    MPI_Comm node = MPI_COMM_NULL;
    int lowest = context->rank;
    const int status = PMPI_Comm_split_type(context->comm, MPI_COMM_TYPE_SHARED,
                                            context->rank, MPI_INFO_NULL, &node);
    bool found = all_agree(status == MPI_SUCCESS, context->comm) &&
                 PMPI_Bcast(&lowest, 1, MPI_INT, 0, node) == MPI_SUCCESS;
    if (node != MPI_COMM_NULL)
        PMPI_Comm_free(&node);
    return all_agree(found, context->comm) &&
           PMPI_Allgather(&lowest, 1, MPI_INT, context->node, 1, MPI_INT,
                          context->comm) == MPI_SUCCESS;
}

/* Steps that can fail on one rank alone come before the ranks agree, collective ones
   after it. */
bool context_init(struct context *context, MPI_Comm comm)
{
    struct context made = {.comm = MPI_COMM_NULL};
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Group group = MPI_GROUP_NULL;
    PMPI_Comm_rank(comm, &made.rank);
    PMPI_Comm_size(comm, &made.size);
    made.node = malloc((size_t)made.size * sizeof(*made.node));
    bool fine = made.node && PMPI_Comm_get_errhandler(comm, &handler) == MPI_SUCCESS &&
                PMPI_Comm_group(comm, &group) == MPI_SUCCESS;
    if ((fine = all_agree(fine, comm)))
        fine = create_quietly(comm, group, handler, &made.comm) == MPI_SUCCESS;
    if ((fine = all_agree(fine, comm)))
        fine = all_agree(find_nodes(&made), comm);
    if (group != MPI_GROUP_NULL)
        PMPI_Group_free(&group);
    if (handler != MPI_ERRHANDLER_NULL)
        PMPI_Errhandler_free(&handler);
    if (fine)
        *context = made;
    else
        context_free(&made);
    return fine;
}

void context_free(struct context *context)
{
    free(context->node);
    if (context->node && context->comm != MPI_COMM_NULL)
        PMPI_Comm_free(&context->comm);
    *context = (struct context){0};
}
