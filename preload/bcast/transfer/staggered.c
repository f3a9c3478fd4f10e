/* SPDX-License-Identifier: BSD-3-Clause */
#include "staggered.h"

/* Bytes. For shorter messages the children's TAG_READY costs more than sharing the
   link. */
enum { LONG = 128 << 10 };

static bool leaves_node(const struct context *context, const struct tree *tree,
                        int child)
{
    return !tree->late[child] &&
           context->node[child] != context->node[tree->parent[child]];
}

static int count_leaving(const struct context *context, const struct tree *tree,
                         int parent)
{
    int n = 0;
    for (int child = tree->first[parent]; child >= 0; child = tree->next[child])
        n += leaves_node(context, tree, child);
    return n;
}

int staggered_say_ready(const struct context *context, const struct tree *tree,
                        size_t bytes)
{
    const int parent = tree->parent[context->rank];
    if (bytes < LONG || !leaves_node(context, tree, context->rank) ||
        count_leaving(context, tree, parent) < 2)
        return MPI_SUCCESS;
    return PMPI_Send(NULL, 0, MPI_BYTE, parent, TAG_READY, context->comm);
}

bool staggered_include(const struct staggered *sends, const struct tree *tree,
                       int child)
{
    return sends->n > 0 && leaves_node(sends->context, tree, child);
}

static int send_to(struct staggered *sends, int i)
{
    const struct message *message = sends->message;
    int status = PMPI_Isend(message->buffer, (int)message->count, message->type,
                            sends->send[i].child, TAG_DATA, sends->context->comm,
                            &sends->requests[i]);
    if (status == MPI_SUCCESS) {
        sends->send[i].sent = true;
        sends->in_flight++;
        sends->moving += sends->send[i].ready;
    }
    return status;
}

/* The first child that has not been sent to, of those that are ready or of all; n:
   none. */
static int find_next(const struct staggered *sends, bool ready)
{
    int i = 0;
    while (i < sends->n && (sends->send[i].sent || (ready && !sends->send[i].ready)))
        i++;
    return i;
}

/* Send to one child if no other is known to be taking the message. */
static int send_next(struct staggered *sends)
{
    if (sends->moving > 0)
        return MPI_SUCCESS;
    int i = find_next(sends, true);
    if (i == sends->n && sends->in_flight == 0)
        i = find_next(sends, false);
    return i < sends->n ? send_to(sends, i) : MPI_SUCCESS;
}

static void note(struct staggered *sends, int index)
{
    struct staggered_send *send = &sends->send[index % sends->n];
    if (index < sends->n) {
        send->done = true;
        sends->in_flight--;
        sends->moving -= send->ready;
    } else {
        send->ready = true;
        sends->moving += send->sent && !send->done;
    }
}

int staggered_begin(struct staggered *sends, const struct transfer *transfer,
                    const struct message *message, const struct tree *tree)
{
    const struct context *context = transfer->context;
    *sends = (struct staggered){.context = context,
                                .message = message,
                                .send = transfer->sends,
                                .requests = transfer->staggered};
    if (message->bytes < LONG)
        return MPI_SUCCESS;
    const int n = count_leaving(context, tree, context->rank);
    if (n < 2)
        return MPI_SUCCESS;
    sends->n = n;
    for (int i = 0; i < 2 * n; i++)
        sends->requests[i] = MPI_REQUEST_NULL;
    int status = MPI_SUCCESS, i = 0;
    for (int child = tree->first[context->rank]; child >= 0 && status == MPI_SUCCESS;
         child = tree->next[child]) {
        if (!leaves_node(context, tree, child))
            continue;
        sends->send[i] = (struct staggered_send){.child = child};
        status = PMPI_Irecv(NULL, 0, MPI_BYTE, child, TAG_READY, context->comm,
                            &sends->requests[n + i++]);
    }
    return status == MPI_SUCCESS ? send_next(sends) : status;
}

int staggered_take(struct staggered *sends)
{
    while (sends->n > 0) {
        int index = MPI_UNDEFINED;
        int status =
            PMPI_Waitany(2 * sends->n, sends->requests, &index, MPI_STATUS_IGNORE);
        if (status != MPI_SUCCESS || index == MPI_UNDEFINED)
            return status;
        note(sends, index);
        status = send_next(sends);
        if (status != MPI_SUCCESS)
            return status;
    }
    return MPI_SUCCESS;
}

void staggered_end(struct staggered *sends)
{
    requests_abandon(sends->requests, sends->n);
    requests_cancel(sends->requests + sends->n, sends->n);
}
