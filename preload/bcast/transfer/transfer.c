/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A whole message along a tree, in the types that the ranks gave: long ones that leave
 * a node go to its children in turn, and late children get theirs from a copy.
 */
#include "transfer.h"

/*
 * Messages that leave a node at the same time share its link, so all of them come late;
 * one after another, the first child has its message, and passes it on, while the
 * others wait. A child sends its parent an empty message (TAG_READY) when it has come;
 * the parent sends to those first, so that one that has not come holds up nobody.
 */
struct staggered {
    const struct context *context;
    const struct message *message;
    struct staggered_send *send; /* [n] borrowed; in the tree's order */
    int n, in_flight, moving;
    MPI_Request *requests; /* [2 n] borrowed; the sends, then what the children send */
};

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

/* Tell the parent that this rank has come, if sends of that many bytes are staggered.
 */
static int staggered_say_ready(const struct context *context, const struct tree *tree,
                               size_t bytes)
{
    const int parent = tree->parent[context->rank];
    if (bytes < LONG || !leaves_node(context, tree, context->rank) ||
        count_leaving(context, tree, parent) < 2)
        return MPI_SUCCESS;
    return PMPI_Send(NULL, 0, MPI_BYTE, parent, TAG_READY, context->comm);
}

/* Whether this child is one of those. */
static bool staggered_include(const struct staggered *sends, const struct tree *tree,
                              int child)
{
    return sends->n > 0 && leaves_node(sends->context, tree, child);
}

static int send_in_turn(struct staggered *sends, int i)
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
    return i < sends->n ? send_in_turn(sends, i) : MPI_SUCCESS;
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

/* The first send, if any are staggered; staggered_end() must follow, whatever comes of
   it. */
static int staggered_begin(struct staggered *sends, const struct transfer *transfer,
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

/* All other sends, until all these children have taken the message. */
static int staggered_take(struct staggered *sends)
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

/* After an error, let go of the messages that are on their way. */
static void staggered_end(struct staggered *sends)
{
    requests_abandon(sends->requests, sends->n);
    requests_cancel(sends->requests + sends->n, sends->n);
}

static int receive(const struct context *context, const struct message *message,
                   const struct tree *tree)
{
    int status = staggered_say_ready(context, tree, message->bytes);
    if (status != MPI_SUCCESS)
        return status;
    const int parent = tree->parent[context->rank];
    if (tree->late[context->rank] && !message_is_plain(message->type))
        return transfer_receive_packed(message, parent, context->comm);
    return transfer_receive(message, parent, context->comm);
}

/* Begin to send to those children that are, or are not, late; each has a request. */
static int send_to(const struct context *context, const struct message *message,
                   const struct tree *tree, const struct staggered *staggered,
                   bool late, MPI_Request *request)
{
    int status = MPI_SUCCESS;
    for (int child = tree->first[context->rank]; child >= 0 && status == MPI_SUCCESS;
         child = tree->next[child], request++) {
        if (tree->late[child] == late && !staggered_include(staggered, tree, child))
            status = PMPI_Isend(message->buffer, (int)message->count, message->type,
                                child, TAG_DATA, context->comm, request);
    }
    return status;
}

/* The signature of packed bytes matches whatever types the receivers give. */
static int send_copy(struct deferred *copy, const struct context *context,
                     const struct message *message, const struct tree *tree)
{
    int status = message_pack(message, deferred_data(copy), context->comm);
    for (int child = tree->first[context->rank]; child >= 0 && status == MPI_SUCCESS;
         child = tree->next[child]) {
        if (tree->late[child])
            status = deferred_send(copy, 0, (int)message->bytes, child, context->comm);
    }
    return status;
}

static int send_on(struct transfer *transfer, const struct message *message,
                   const struct tree *tree)
{
    const struct context *context = transfer->context;
    int children = 0, late = 0;
    for (int child = tree->first[context->rank]; child >= 0;
         child = tree->next[child]) {
        children++;
        late += tree->late[child];
    }
    if (children == 0)
        return MPI_SUCCESS;
    MPI_Request *requests = requests_get(transfer, children);
    struct staggered staggered;
    int status = staggered_begin(&staggered, transfer, message, tree);
    if (status == MPI_SUCCESS)
        status = send_to(context, message, tree, &staggered, false, requests);
    if (status == MPI_SUCCESS && late > 0) {
        struct deferred *copy = deferred_new(transfer, message->bytes, (size_t)late);
        status = copy ? send_copy(copy, context, message, tree)
                      : send_to(context, message, tree, &staggered, true, requests);
    }
    if (status == MPI_SUCCESS)
        status = staggered_take(&staggered);
    if (status == MPI_SUCCESS)
        status = requests_wait(requests, children);
    else
        requests_abandon(requests, children);
    staggered_end(&staggered);
    return status;
}

static int whole_bcast(struct transfer *transfer, const struct message *message,
                       const struct tree *tree, int64_t *arrived)
{
    if (tree->parent[transfer->context->rank] >= 0) {
        int status = receive(transfer->context, message, tree);
        if (status != MPI_SUCCESS) {
            transfer_fail_children(transfer->context, tree);
            return status;
        }
        *arrived = now();
    }
    return send_on(transfer, message, tree);
}

int transfer_bcast(struct transfer *transfer, const struct message *message,
                   const struct tree *tree, struct bcast_timing *timing)
{
    const int64_t entered = now();
    int64_t arrived = entered;
    transfer_progress(transfer);
    int status = tree->segment > 0 ? segments_bcast(transfer, message, tree, &arrived)
                                   : whole_bcast(transfer, message, tree, &arrived);
    timing->waited = arrived - entered;
    timing->in_call = now() - entered;
    return status;
}
