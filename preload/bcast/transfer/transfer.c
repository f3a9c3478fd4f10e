/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Single messages, received with their errors, and copied for late receivers; and a
 * whole message along a tree, in the types that the ranks gave: long ones that leave a
 * node go to its children in turn.
 */
#include "transfer.h"
#include "preload/tuning.h"

#include <stdlib.h>

/* The most bytes of copies that a transfer keeps. */
enum { LIMIT = 64 << 20 };

struct deferred {
    struct deferred *newer;
    size_t bytes; /* of this allocation: the message follows the requests */
    size_t max_sends, sends, taken;
    MPI_Request send[];
};

int transfer_init(struct transfer *transfer, const struct context *context)
{
    const size_t size = (size_t)context->size;
    *transfer = (struct transfer){
        .context = context,
        .requests = malloc((AHEAD + FLIGHT * size) * sizeof *transfer->requests),
        .children = malloc(size * sizeof *transfer->children),
        .staggered = malloc(2 * size * sizeof *transfer->staggered),
        .sends = malloc(size * sizeof *transfer->sends),
    };
    if (transfer->requests && transfer->children && transfer->staggered &&
        transfer->sends)
        return 0;
    transfer_finish(transfer);
    return -1;
}

struct deferred *deferred_new(struct transfer *transfer, size_t bytes, size_t max_sends)
{
    const size_t all =
        sizeof(struct deferred) + max_sends * sizeof(MPI_Request) + bytes;
    if (transfer->deferred_bytes + all > LIMIT)
        return NULL;
    struct deferred *deferred = malloc(all);
    if (!deferred)
        return NULL;
    *deferred = (struct deferred){.bytes = all, .max_sends = max_sends};

    if (transfer->oldest)
        transfer->newest->newer = deferred;
    else
        transfer->oldest = deferred;
    transfer->newest = deferred;
    transfer->deferred_bytes += all;
    return deferred;
}

char *deferred_data(struct deferred *deferred)
{
    return (char *)&deferred->send[deferred->max_sends];
}

int deferred_send(struct deferred *deferred, size_t offset, int bytes, int child,
                  MPI_Comm comm)
{
    int status = PMPI_Isend(deferred_data(deferred) + offset, bytes, MPI_PACKED, child,
                            TAG_DATA, comm, &deferred->send[deferred->sends]);
    if (status == MPI_SUCCESS)
        deferred->sends++;
    return status;
}

static void release_oldest(struct transfer *transfer)
{
    struct deferred *oldest = transfer->oldest;
    transfer->oldest = oldest->newer;
    transfer->deferred_bytes -= oldest->bytes;
    free(oldest);
}

/* The first pending request ends the search, so that it costs little. */
static bool is_taken(struct deferred *deferred)
{
    while (deferred->taken < deferred->sends) {
        int done = 0;
        if (PMPI_Test(&deferred->send[deferred->taken], &done, MPI_STATUS_IGNORE) !=
                MPI_SUCCESS ||
            !done)
            return false;
        deferred->taken++;
    }
    return true;
}

void transfer_progress(struct transfer *transfer)
{
    while (transfer->oldest && is_taken(transfer->oldest))
        release_oldest(transfer);
}

int transfer_finish(struct transfer *transfer)
{
    int status = MPI_SUCCESS;
    while (transfer->oldest) {
        struct deferred *oldest = transfer->oldest;
        int code = requests_wait(oldest->send, (int)oldest->sends);
        if (status == MPI_SUCCESS)
            status = code;
        release_oldest(transfer);
    }
    free(transfer->requests);
    free(transfer->children);
    free(transfer->staggered);
    free(transfer->sends);
    *transfer = (struct transfer){.context = transfer->context};
    return status;
}

MPI_Request *requests_get(struct transfer *transfer, int n)
{
    for (int i = 0; i < n; i++)
        transfer->requests[i] = MPI_REQUEST_NULL;
    return transfer->requests;
}

/* One by one, as MPI_Waitall would return MPI_ERR_IN_STATUS rather than the code. */
int requests_wait(MPI_Request *requests, int n)
{
    int status = MPI_SUCCESS;
    for (int i = 0; i < n; i++) {
        int code = PMPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        if (status == MPI_SUCCESS)
            status = code;
    }
    return status;
}

void requests_cancel(MPI_Request *requests, int n)
{
    for (int i = 0; i < n; i++) {
        if (requests[i] == MPI_REQUEST_NULL)
            continue;
        PMPI_Cancel(&requests[i]);
        PMPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
}

void requests_abandon(MPI_Request *requests, int n)
{
    for (int i = 0; i < n; i++) {
        if (requests[i] != MPI_REQUEST_NULL)
            PMPI_Request_free(&requests[i]);
    }
}

void transfer_fail_children(const struct context *context, const struct tree *tree)
{
    for (int child = tree->first[context->rank]; child >= 0; child = tree->next[child])
        PMPI_Send(NULL, 0, MPI_PACKED, child, TAG_DATA, context->comm);
}

int transfer_check(MPI_Status *got, MPI_Datatype type)
{
    int count = 1;
    const int status = PMPI_Get_count(got, type, &count);
    return status == MPI_SUCCESS && count == 0 ? MPI_ERR_TRUNCATE : status;
}

int transfer_receive(const struct message *message, int from, MPI_Comm comm)
{
    MPI_Status got;
    const int status = PMPI_Recv(message->buffer, (int)message->count, message->type,
                                 from, TAG_DATA, comm, &got);
    return status == MPI_SUCCESS ? transfer_check(&got, message->type) : status;
}

/* A persistent request, as MPICH raises errors of other nonblocking ones on
   MPI_COMM_WORLD. */
int transfer_begin_receive(const struct message *message, int from, MPI_Comm comm,
                           MPI_Request *request)
{
    int status = PMPI_Recv_init(message->buffer, (int)message->count, message->type,
                                from, TAG_DATA, comm, request);
    if (status != MPI_SUCCESS)
        *request = MPI_REQUEST_NULL;
    else if ((status = PMPI_Start(request)) != MPI_SUCCESS)
        PMPI_Request_free(request);
    return status;
}

int transfer_end_receive(MPI_Request *request, MPI_Datatype type)
{
    MPI_Status got;
    int status = PMPI_Wait(request, &got);
    if (status == MPI_SUCCESS)
        status = transfer_check(&got, type);
    if (*request != MPI_REQUEST_NULL) /* Open MPI frees those that fail */
        PMPI_Request_free(request);
    return status;
}

/* Copies for late ranks arrive as packed bytes. MPICH 4.0 fails on more than a few of
   them if it scatters them into a struct on arrival. If memory is short we do so
   anyway: the next call must not find this message. */
int transfer_receive_packed(const struct message *message, int from, MPI_Comm comm)
{
    char *packed = room_get(message->bytes);
    if (!packed)
        return transfer_receive(message, from, comm);
    MPI_Status got;
    int status =
        PMPI_Recv(packed, (int)message->bytes, MPI_PACKED, from, TAG_DATA, comm, &got);
    if (status == MPI_SUCCESS)
        status = transfer_check(&got, MPI_PACKED);
    if (status == MPI_SUCCESS)
        status = message_unpack(message, packed, comm);
    room_put(packed);
    return status;
}

/*
 * Messages that leave a node at the same time share its link, so all arrive late. One
 * after another, the first child gets its message and forwards it while the others
 * wait. A child sends its parent an empty message (TAG_READY) when it has arrived; the
 * parent sends to such children first, so that a late child delays no other.
 */
struct staggered {
    const struct context *context;
    const struct message *message;
    struct staggered_send *send; /* [n] borrowed; in the tree's order */
    int n, in_flight, moving;
    MPI_Request *requests; /* [2 n] borrowed; the sends, then the children's messages */
};

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

/* Tell the parent that this rank has arrived, if sends of that many bytes are
   staggered. */
static int staggered_say_ready(const struct context *context, const struct tree *tree,
                               size_t bytes)
{
    const int parent = tree->parent[context->rank];
    if (bytes < SENT_STAGGERED || !leaves_node(context, tree, context->rank) ||
        count_leaving(context, tree, parent) < 2)
        return MPI_SUCCESS;
    return PMPI_Send(NULL, 0, MPI_BYTE, parent, TAG_READY, context->comm);
}

/* Whether this child is ready. */
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

/* The first child not served yet, of the ready ones or of all; n: none. */
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

/* The first send, if any are staggered; staggered_end() must follow, also after an
   error. */
static int staggered_begin(struct staggered *sends, const struct transfer *transfer,
                           const struct message *message, const struct tree *tree)
{
    const struct context *context = transfer->context;
    *sends = (struct staggered){.context = context,
                                .message = message,
                                .send = transfer->sends,
                                .requests = transfer->staggered};
    if (message->bytes < SENT_STAGGERED)
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

/* Make all other sends; returns when all these children have taken the message. */
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
