/* SPDX-License-Identifier: BSD-3-Clause */
#include "report_gather.h"

#include <stdlib.h>
#include <string.h>

/* Receive the next message, which may have any length; NULL when memory is short: then
   it is cut short, so that its sender does not wait for ever. */
static void *receive(const struct context *context, int child, MPI_Datatype type,
                     size_t *count)
{
    MPI_Status status;
    int elements = 0, bytes_each = 0;
    PMPI_Probe(child, TAG_REPORT, context->comm, &status);
    PMPI_Get_count(&status, type, &elements);
    PMPI_Type_size(type, &bytes_each);
    void *message = malloc((size_t)elements * (size_t)bytes_each + 1);
    PMPI_Recv(message, message ? elements : 0, type, child, TAG_REPORT, context->comm,
              MPI_STATUS_IGNORE);
    *count = (size_t)elements;
    return message;
}

static void add_child(const struct context *context, int child, struct counts *counts)
{
    struct packed packed = {0};
    packed.numbers = receive(context, child, MPI_INT64_T, &packed.count);
    packed.text = receive(context, child, MPI_CHAR, &packed.bytes);
    if (packed.numbers && packed.text && packed.count > 0)
        (void)counts_add(counts, &packed);
    packed_free(&packed);
}

/* An empty message when memory is short. */
static void send(const struct context *context, int parent, const struct counts *counts)
{
    struct packed packed;
    (void)counts_pack(counts, &packed);
    PMPI_Send(packed.numbers, (int)packed.count, MPI_INT64_T, parent, TAG_REPORT,
              context->comm);
    PMPI_Send(packed.text, (int)packed.bytes, MPI_CHAR, parent, TAG_REPORT,
              context->comm);
    packed_free(&packed);
}

static void add_node_name(const struct context *context, struct counts *counts)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    int length;
    if (context->node[context->rank] != context->rank)
        return;
    PMPI_Get_processor_name(name, &length);
    counts->node_name[context->rank] = strdup(name);
}

/* Up a binomial tree: the parent of a rank is the rank without its lowest set bit. */
void report_gather(const struct context *context, struct counts *counts)
{
    const int rank = context->rank;
    add_node_name(context, counts);
    for (long step = 1; step < context->size; step *= 2) {
        if (rank & step) {
            send(context, (int)(rank - step), counts);
            return;
        }
        if (rank + step < context->size)
            add_child(context, (int)(rank + step), counts);
    }
}
