/* SPDX-License-Identifier: BSD-3-Clause */
#include "gather.h"

#include "preload/wait/patient.h"

#include <stdlib.h>
#include <string.h>

/* NULL when memory is short: the message is then cut short, so that its sender does not
   wait for ever. */
static void *receive(const struct context *context, int child, MPI_Datatype type,
                     size_t bytes_each, int64_t count)
{
    void *message = malloc((size_t)count * bytes_each + 1);
    patient_Recv(message, message ? (int)count : 0, type, child, TAG_REPORT,
                 context->comm, MPI_STATUS_IGNORE);
    return message;
}

static void add_child(const struct context *context, int child, struct counts *counts)
{
    int64_t lengths[2] = {0};
    patient_Recv(lengths, 2, MPI_INT64_T, child, TAG_REPORT, context->comm,
                 MPI_STATUS_IGNORE);
    struct packed packed = {.count = (size_t)lengths[0], .bytes = (size_t)lengths[1]};
    packed.numbers =
        receive(context, child, MPI_INT64_T, sizeof *packed.numbers, lengths[0]);
    packed.text = receive(context, child, MPI_CHAR, 1, lengths[1]);
    if (packed.numbers && packed.text && packed.count > 0)
        (void)counts_add(counts, &packed);
    packed_free(&packed);
}

/* Empty messages when memory is short. */
static void send(const struct context *context, int parent, const struct counts *counts)
{
    struct packed packed;
    (void)counts_pack(counts, &packed);
    const int64_t lengths[2] = {(int64_t)packed.count, (int64_t)packed.bytes};
    patient_Send(lengths, 2, MPI_INT64_T, parent, TAG_REPORT, context->comm);
    patient_Send(packed.numbers, (int)packed.count, MPI_INT64_T, parent, TAG_REPORT,
                 context->comm);
    patient_Send(packed.text, (int)packed.bytes, MPI_CHAR, parent, TAG_REPORT,
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
