/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Gather and MPI_Scatter directly between the root and each rank, with copies. */
#include "blocks.h"

#include "preload/bcast/transfer/exchange.h"

/* Blocks that the root of a gather is ready for at a time, together no more than
   MESSAGE_MOST_BYTES; late ranks seldom are more. The others' wait where they come
   from, in copies. And of those that the root of a scatter has no copies of, as many
   are on their way at a time. */
enum { AT_ONCE = 64 };

static int block_of(const struct blocks *blocks, int rank, struct message *block)
{
    MPI_Aint lower = 0, extent = 0;
    const int status = PMPI_Type_get_extent(blocks->all.type, &lower, &extent);
    *block = blocks->all;
    block->buffer = (char *)block->buffer + rank * extent * (MPI_Aint)block->count;
    block->bytes = blocks->bytes;
    return status;
}

/* The signature of packed bytes matches whatever type the receiver gives. Without a
   copy `request` is to be waited for. */
static int send_block(struct transfer *transfer, const struct message *block, int to,
                      MPI_Request *request)
{
    const MPI_Comm comm = transfer->context->comm;
    struct deferred *copy = deferred_new(transfer, block->bytes, 1);
    if (copy && message_pack(block, deferred_data(copy), comm) == MPI_SUCCESS)
        return deferred_send(copy, 0, (int)block->bytes, to, comm);
    return PMPI_Isend(block->buffer, (int)block->count, block->type, to, TAG_DATA, comm,
                      request);
}

/* Wrong, but some MPIs put up with it. */
static bool is_same(const struct message *one, const struct message *other)
{
    return one->buffer == other->buffer && one->type == other->type &&
           one->count == other->count;
}

/* The root's own. */
static int move_own(const struct context *context, const struct blocks *blocks,
                    bool gather)
{
    struct message all;
    if (blocks->own.buffer == MPI_IN_PLACE)
        return MPI_SUCCESS;
    const int status = block_of(blocks, blocks->root, &all);
    if (status != MPI_SUCCESS || is_same(&all, &blocks->own))
        return status;
    const struct message *from = gather ? &blocks->own : &all;
    const struct message *to = gather ? &all : &blocks->own;
    return PMPI_Sendrecv(from->buffer, (int)from->count, from->type, context->rank,
                         TAG_SELF, to->buffer, (int)to->count, to->type, context->rank,
                         TAG_SELF, context->comm, MPI_STATUS_IGNORE);
}

static int first_error(int status, int code)
{
    return status == MPI_SUCCESS ? code : status;
}

/* The root of a gather, at work. Block i is that of the rank 1 + i behind it, in slot
   i % at_once. */
struct collection {
    const struct context *context;
    const struct blocks *blocks;
    int at_once;  /* blocks that are asked for */
    char *packed; /* [at_once]; NULL: they come to where they belong */
    MPI_Request requests[AT_ONCE];
};

static int owner_of(const struct collection *collection, int i)
{
    return (collection->blocks->root + 1 + i) % collection->context->size;
}

/* What is received of block i, and where. */
static int received(const struct collection *collection, int i, struct message *block)
{
    const int status = block_of(collection->blocks, owner_of(collection, i), block);
    if (!collection->packed)
        return status;
    block->buffer =
        collection->packed + (size_t)(i % collection->at_once) * block->bytes;
    block->count = (MPI_Count)block->bytes;
    block->type = MPI_PACKED;
    return status;
}

static int ask(struct collection *collection, int i)
{
    struct message block;
    const int status = received(collection, i, &block);
    return status == MPI_SUCCESS
               ? transfer_begin_receive(&block, owner_of(collection, i),
                                        collection->context->comm,
                                        &collection->requests[i % collection->at_once])
               : status;
}

static int put_in_place(const struct collection *collection, int i)
{
    struct message block;
    const int status = block_of(collection->blocks, owner_of(collection, i), &block);
    if (status != MPI_SUCCESS || !collection->packed)
        return status;
    return message_unpack(
        &block, collection->packed + (size_t)(i % collection->at_once) * block.bytes,
        collection->context->comm);
}

static int take(struct collection *collection, int i)
{
    MPI_Request *request = &collection->requests[i % collection->at_once];
    if (*request == MPI_REQUEST_NULL) /* it could not be asked for */
        return MPI_SUCCESS;
    const int status = transfer_end_receive(
        request, collection->packed ? MPI_PACKED : collection->blocks->all.type);
    return status == MPI_SUCCESS ? put_in_place(collection, i) : status;
}

/* Also after an error all blocks are taken: the next call is not to find them. */
static int collect(struct collection *collection)
{
    const int others = collection->context->size - 1;
    int status = MPI_SUCCESS;
    for (int i = 0; i < collection->at_once; i++)
        status = first_error(status, ask(collection, i));
    for (int i = 0; i < others; i++) {
        status = first_error(status, take(collection, i));
        if (i + collection->at_once < others)
            status = first_error(status, ask(collection, i + collection->at_once));
    }
    return status;
}

/* Blocks of a type with gaps come packed (see transfer.c), and are put in place then.
 */
static void make_room(struct collection *collection)
{
    if (!message_is_plain(collection->blocks->all.type))
        collection->packed =
            room_get((size_t)collection->at_once * collection->blocks->bytes);
}

static int gather_at_root(const struct context *context, const struct blocks *blocks)
{
    const int others = context->size - 1;
    struct collection collection = {.context = context,
                                    .blocks = blocks,
                                    .at_once = others < AT_ONCE ? others : AT_ONCE};
    for (int slot = 0; slot < AT_ONCE; slot++)
        collection.requests[slot] = MPI_REQUEST_NULL;
    make_room(&collection);
    const int own_status = move_own(context, blocks, true);
    const int status = first_error(own_status, collect(&collection));
    room_put(collection.packed);
    return status;
}

static int settle(MPI_Request *request)
{
    return *request == MPI_REQUEST_NULL ? MPI_SUCCESS
                                        : PMPI_Wait(request, MPI_STATUS_IGNORE);
}

int blocks_gather(struct transfer *transfer, const struct blocks *blocks)
{
    if (transfer->context->rank == blocks->root)
        return gather_at_root(transfer->context, blocks);
    MPI_Request request = MPI_REQUEST_NULL;
    struct message own = blocks->own;
    own.bytes = blocks->bytes;
    const int status = send_block(transfer, &own, blocks->root, &request);
    return first_error(status, settle(&request));
}

static int receive_own(const struct context *context, const struct blocks *blocks)
{
    struct message own = blocks->own;
    own.bytes = blocks->bytes;
    return message_is_plain(own.type)
               ? transfer_receive(&own, blocks->root, context->comm)
               : transfer_receive_packed(&own, blocks->root, context->comm);
}

static int send_to(struct transfer *transfer, const struct blocks *blocks, int rank,
                   MPI_Request *request)
{
    struct message block;
    const int status = block_of(blocks, rank, &block);
    return status == MPI_SUCCESS ? send_block(transfer, &block, rank, request) : status;
}

/* Also after an error all others get their blocks: the next call is not to bring them.
 */
static int scatter_at_root(struct transfer *transfer, const struct blocks *blocks)
{
    const struct context *context = transfer->context;
    MPI_Request requests[AT_ONCE];
    int status = MPI_SUCCESS;
    for (int slot = 0; slot < AT_ONCE; slot++)
        requests[slot] = MPI_REQUEST_NULL;
    for (int i = 1; i < context->size; i++) {
        MPI_Request *request = &requests[i % AT_ONCE];
        const int rank = (blocks->root + i) % context->size;
        status = first_error(status, settle(request));
        status = first_error(status, send_to(transfer, blocks, rank, request));
    }
    status = first_error(status, move_own(context, blocks, false));
    for (int slot = 0; slot < AT_ONCE; slot++)
        status = first_error(status, settle(&requests[slot]));
    return status;
}

int blocks_scatter(struct transfer *transfer, const struct blocks *blocks)
{
    return transfer->context->rank == blocks->root
               ? scatter_at_root(transfer, blocks)
               : receive_own(transfer->context, blocks);
}

static int gather_by_mpi(const void *call, MPI_Comm comm)
{
    const struct blocks *blocks = call;
    const struct message *own = &blocks->own, *all = &blocks->all;
    return PMPI_Gather(own->buffer, (int)own->count, own->type, all->buffer,
                       (int)all->count, all->type, blocks->root, comm);
}

static int scatter_by_mpi(const void *call, MPI_Comm comm)
{
    const struct blocks *blocks = call;
    const struct message *own = &blocks->own, *all = &blocks->all;
    return PMPI_Scatter(all->buffer, (int)all->count, all->type, own->buffer,
                        (int)own->count, own->type, blocks->root, comm);
}

static int gather_by_us(struct adapted *adapted, const void *call)
{
    return blocks_gather(adapted_transfer(adapted), call);
}

static int scatter_by_us(struct adapted *adapted, const void *call)
{
    return blocks_scatter(adapted_transfer(adapted), call);
}

const struct adapted_kind adapted_gathers = {.name = "gathers",
                                             .way = "straight",
                                             .by_mpi = gather_by_mpi,
                                             .by_us = gather_by_us};
const struct adapted_kind adapted_scatters = {.name = "scatters",
                                              .way = "straight",
                                              .by_mpi = scatter_by_mpi,
                                              .by_us = scatter_by_us};
