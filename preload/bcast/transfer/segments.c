/* SPDX-License-Identifier: BSD-3-Clause */
/* A long message in parts, each of which is forwarded as soon as it has arrived. */
#include "transfer.h"

/* Segment i is received in slot i % AHEAD, and sent from slot i % FLIGHT of a child. */
struct stream {
    MPI_Comm comm;
    char *data; /* the message's bytes */
    size_t bytes, segment, count;
    int parent;             /* -1: none */
    size_t posted, have;    /* segments: receives posted; arrived */
    struct child *children; /* [nchildren] borrowed; those served from `data` */
    int nchildren;
    MPI_Request *requests; /* the sends, then the receives */
    MPI_Request *sends, *receives;
    int nrequests;
    struct deferred *copy; /* for late children; NULL if none */
    size_t copied;         /* segments sent to late children */
};

static int length_of(const struct stream *stream, size_t i)
{
    const size_t left = stream->bytes - i * stream->segment;
    return (int)(left < stream->segment ? left : stream->segment);
}

/* Check which segments have arrived, and post receives for the next. */
static int receive_more(struct stream *stream)
{
    while (stream->have < stream->posted &&
           stream->receives[stream->have % AHEAD] == MPI_REQUEST_NULL)
        stream->have++;
    int status = MPI_SUCCESS;
    while (status == MPI_SUCCESS && stream->posted < stream->count &&
           stream->posted < stream->have + AHEAD) {
        const size_t i = stream->posted++;
        status = PMPI_Irecv(stream->data + i * stream->segment, length_of(stream, i),
                            MPI_PACKED, stream->parent, TAG_DATA, stream->comm,
                            &stream->receives[i % AHEAD]);
    }
    return status;
}

static int send_more(struct stream *stream, int which)
{
    struct child *child = &stream->children[which];
    MPI_Request *slots = &stream->sends[(size_t)which * FLIGHT];
    int status = MPI_SUCCESS;
    while (status == MPI_SUCCESS && child->sent < stream->have &&
           slots[child->sent % FLIGHT] == MPI_REQUEST_NULL) {
        const size_t i = child->sent++;
        status = PMPI_Isend(stream->data + i * stream->segment, length_of(stream, i),
                            MPI_PACKED, child->rank, TAG_DATA, stream->comm,
                            &slots[i % FLIGHT]);
    }
    return status;
}

/* One segment at a time, so that present children do not wait for copying. */
static int copy_one(struct stream *stream, const struct tree *tree, int rank)
{
    const size_t offset = stream->copied * stream->segment;
    const int bytes = length_of(stream, stream->copied);
    char *copy = deferred_data(stream->copy);
    int status = MPI_SUCCESS, packed = 0;
    if (copy != stream->data) /* by the MPI: it may be the memory of a device */
        status = PMPI_Pack(stream->data + offset, bytes, MPI_BYTE, copy + offset, bytes,
                           &packed, stream->comm);
    stream->copied++;
    for (int child = tree->first[rank]; child >= 0 && status == MPI_SUCCESS;
         child = tree->next[child]) {
        if (tree->late[child])
            status = deferred_send(stream->copy, offset, bytes, child, stream->comm);
    }
    return status;
}

/* Begin all receives and sends that are possible without waiting, and copy one
   segment. */
static int advance(struct stream *stream, const struct tree *tree, int rank)
{
    int status = receive_more(stream);
    for (int i = 0; i < stream->nchildren && status == MPI_SUCCESS; i++)
        status = send_more(stream, i);
    if (status == MPI_SUCCESS && stream->copy && stream->copied < stream->have)
        status = copy_one(stream, tree, rank);
    return status;
}

/* Waits for a request to be done, unless there is something to copy in the meantime.
   False: all are done. */
static int await(struct stream *stream, bool *more)
{
    int index = MPI_UNDEFINED, done = 1, status;
    MPI_Status got;
    if (stream->copy && stream->copied < stream->have) {
        status = PMPI_Testany(stream->nrequests, stream->requests, &index, &done, &got);
        *more = true;
    } else {
        status = PMPI_Waitany(stream->nrequests, stream->requests, &index, &got);
        *more = index != MPI_UNDEFINED;
    }
    if (status == MPI_SUCCESS && done && index >= stream->nchildren * FLIGHT)
        status = transfer_check(&got, MPI_PACKED);
    return status;
}

static int flow(struct stream *stream, const struct tree *tree, int rank,
                int64_t *arrived)
{
    int status = MPI_SUCCESS;
    for (bool more = true; more && status == MPI_SUCCESS;) {
        status = advance(stream, tree, rank);
        if (status == MPI_SUCCESS)
            status = await(stream, &more);
        if (stream->have == 0)
            *arrived = now();
    }
    if (status != MPI_SUCCESS) {
        requests_cancel(stream->receives, AHEAD);
        requests_abandon(stream->sends, stream->nchildren * FLIGHT);
    }
    return status;
}

/* Find the buffer of the bytes: the program's, the copy, or one of ours, which is
   returned in `own`. */
static int place(struct stream *stream, const struct message *message, char **own)
{
    if (message_is_plain(message->type)) {
        stream->data = message->buffer;
        return MPI_SUCCESS;
    }
    if (stream->copy)
        stream->data = deferred_data(stream->copy);
    else
        stream->data = *own = room_get(stream->bytes);
    if (!stream->data)
        return MPI_ERR_NO_MEM;
    return stream->parent < 0 ? message_pack(message, stream->data, stream->comm)
                              : MPI_SUCCESS;
}

static void prepare(struct stream *stream, struct transfer *transfer,
                    const struct tree *tree)
{
    const int rank = transfer->context->rank;
    int late = 0;
    for (int child = tree->first[rank]; child >= 0; child = tree->next[child])
        late += tree->late[child];
    if (late > 0)
        stream->copy =
            deferred_new(transfer, stream->bytes, (size_t)late * stream->count);
    stream->children = transfer->children;
    for (int child = tree->first[rank]; child >= 0; child = tree->next[child]) {
        if (!stream->copy || !tree->late[child])
            stream->children[stream->nchildren++] = (struct child){.rank = child};
    }
    stream->nrequests = AHEAD + stream->nchildren * FLIGHT;
    stream->requests = requests_get(transfer, stream->nrequests);
    stream->sends = stream->requests;
    stream->receives = stream->requests + (size_t)stream->nchildren * FLIGHT;
}

int segments_bcast(struct transfer *transfer, const struct message *message,
                   const struct tree *tree, int64_t *arrived)
{
    const int rank = transfer->context->rank;
    const size_t count = (message->bytes + tree->segment - 1) / tree->segment;
    struct stream stream = {
        .comm = transfer->context->comm,
        .bytes = message->bytes,
        .segment = tree->segment,
        .count = count,
        .parent = tree->parent[rank],
        .posted = tree->parent[rank] < 0 ? count : 0,
    };
    char *own = NULL;
    prepare(&stream, transfer, tree);
    int status = place(&stream, message, &own);
    if (status == MPI_SUCCESS)
        status = flow(&stream, tree, rank, arrived);
    if (status != MPI_SUCCESS)
        transfer_fail_children(transfer->context, tree);
    if (status == MPI_SUCCESS && stream.data != message->buffer && stream.parent >= 0)
        status = message_unpack(message, stream.data, stream.comm);
    if (status == MPI_SUCCESS)
        room_put(own); /* after an error, abandoned sends may still read it */
    return status;     /* NOLINT(clang-analyzer-unix.Malloc): `own` is leaked then */
}
