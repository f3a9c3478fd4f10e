/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the calls of one collective: meets, picks our way or the MPI's, and times it.
 * Our way is, for reductions, a tree, up which a rank sends a copy of the sum of its
 * and its children's values; for gathers, a message from each rank to the root.
 */
#include "rooted.h"

#include "preload/common/message.h"
#include "preload/tuning.h"
#include "trial.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct adapted {
    const struct adapted_kind *kind;
    struct transfer *transfer;
    MPI_Comm comm; /* the program's */
    bool verbose;
    atomic_bool wanted_on; /* another thread may call MPI_Pcontrol */
    struct trial trial;
    int64_t met, spent;           /* ns: when the ranks last met, and for how long */
    struct trial_report *reports; /* owned; [size] */
    int64_t *arrival;             /* owned; [size] ns after the first */
    void *order;                  /* owned; memory for making the tree */
    struct tree tree;
    int root; /* of the tree; -1: it must be built */
};

struct adapted *adapted_new(const struct adapted_kind *kind, struct transfer *transfer,
                            MPI_Comm comm, bool verbose)
{
    const size_t size = (size_t)transfer->context->size;
    struct adapted *adapted = calloc(1, sizeof *adapted);
    bool complete = false;
    if (adapted) {
        *adapted = (struct adapted){.kind = kind,
                                    .transfer = transfer,
                                    .comm = comm,
                                    .verbose = verbose,
                                    .wanted_on = true,
                                    .met = now(),
                                    .reports = calloc(size, sizeof *adapted->reports),
                                    .arrival = calloc(size, sizeof *adapted->arrival),
                                    .order = malloc(size * TREE_REDUCE_BYTES),
                                    .root = -1};
        complete = adapted->reports && adapted->arrival && adapted->order &&
                   tree_init(&adapted->tree, transfer->context->size) == 0;
    }
    if (!context_agrees(transfer->context, complete)) {
        adapted_free(adapted);
        return NULL;
    }
    return adapted;
}

void adapted_free(struct adapted *adapted)
{
    if (!adapted)
        return;
    tree_free(&adapted->tree);
    free(adapted->order);
    free(adapted->arrival);
    free(adapted->reports);
    free(adapted);
}

void adapted_turn(struct adapted *adapted, bool on)
{
    if (adapted)
        adapted->wanted_on = on;
}

/* The rank that waited least came last. Each meeting has the weight of all those before
   it. */
static void note_arrivals(struct adapted *adapted)
{
    const int size = adapted->transfer->context->size;
    int64_t longest = 0;
    for (int rank = 0; rank < size; rank++)
        if (adapted->reports[rank].waited > longest)
            longest = adapted->reports[rank].waited;
    for (int rank = 0; rank < size; rank++) {
        const int64_t arrival = longest - adapted->reports[rank].waited;
        adapted->arrival[rank] = (adapted->arrival[rank] + arrival) / 2;
    }
}

static void say(const struct adapted *adapted, int message_class)
{
    const struct adapted_kind *kind = adapted->kind;
    const struct trial_class *class = &adapted->trial.classes[message_class];
    fprintf(stderr,
            "motley-balance: %s of up to %zu bytes: %s; ours take %.1f us, the MPI's "
            "%.1f us\n",
            kind->name, TRIAL_LEAST_BYTES << message_class,
            class->way == BY_US ? kind->way : "the MPI's",
            (double)class->mean[BY_US].mean / 1e3,
            (double)class->mean[BY_MPI].mean / 1e3);
}

/* All ranks meet and exchange their reports. */
static int meet(struct adapted *adapted)
{
    const struct context *context = adapted->transfer->context;
    struct trial *trial = &adapted->trial;
    const int compared = trial->compared;
    const int64_t entered = now();
    struct trial_report report = trial_report(trial);
    int status = PMPI_Barrier(context->comm);
    report.waited = now() - entered;
    report.spent = adapted->spent;
    report.since_last = entered - adapted->met;
    report.on = adapted->wanted_on;
    if (status == MPI_SUCCESS)
        status = PMPI_Allgather(&report, (int)sizeof report, MPI_BYTE, adapted->reports,
                                (int)sizeof report, MPI_BYTE, context->comm);
    if (status != MPI_SUCCESS)
        return status;
    note_arrivals(adapted);
    trial_next(trial, adapted->reports, context->size);
    adapted->root = -1;
    if (adapted->verbose && context->rank == 0 && compared)
        say(adapted, compared - 1);
    adapted->met = now();
    adapted->spent = adapted->met - entered;
    return MPI_SUCCESS;
}

/* The tree for the current arrival times. */
static const struct tree *tree_to(struct adapted *adapted, int root)
{
    if (adapted->root != root)
        tree_reduce(&adapted->tree, root, adapted->arrival, adapted->order);
    adapted->root = root;
    return &adapted->tree;
}

/* No message of ours is in transit here, since the program's handler may never
   return. */
static int fail(const struct adapted *adapted, int status)
{
    PMPI_Comm_call_errhandler(adapted->comm, status);
    return status;
}

static int carry(struct adapted *adapted, const void *call, enum way way)
{
    if (way == BY_MPI)
        return adapted->kind->by_mpi(call, adapted->comm);
    const int status = adapted->kind->by_us(adapted, call);
    return status == MPI_SUCCESS ? status : fail(adapted, status);
}

int adapted_carry(struct adapted *adapted, const void *call, size_t bytes)
{
    struct trial *trial = &adapted->trial;
    const int message_class = trial_class(bytes);
    transfer_progress(adapted->transfer);
    if (trial_meets(trial)) {
        const int status = meet(adapted);
        if (status != MPI_SUCCESS)
            return fail(adapted, status);
    }
    const enum way way = trial_take(trial, message_class);
    if (!trial_needs_time(trial, message_class, way))
        return carry(adapted, call, way);
    const int64_t entered = now();
    const int status = carry(adapted, call, way);
    trial_learn(trial, way, now() - entered);
    return status;
}

static int count_children(const struct tree *tree, int rank)
{
    int children = 0;
    for (int child = tree->first[rank]; child >= 0; child = tree->next[child])
        children++;
    return children;
}

/* All may arrive during the wait for the first. */
static int begin_to_receive(const struct context *context, const struct tree *tree,
                            char *theirs, size_t bytes, MPI_Request *requests)
{
    int status = MPI_SUCCESS;
    for (int child = tree->first[context->rank]; child >= 0 && status == MPI_SUCCESS;
         child = tree->next[child], theirs += bytes) {
        const struct message numbers = {
            .buffer = theirs, .count = (MPI_Count)bytes, .type = MPI_PACKED};
        status = transfer_begin_receive(&numbers, child, context->comm, requests++);
    }
    return status;
}

static int add(const struct reduction *reduction, MPI_Request *request,
               const char *theirs, void *sum)
{
    const int status = transfer_end_receive(request, MPI_PACKED);
    return status == MPI_SUCCESS ? PMPI_Reduce_local(theirs, sum, reduction->count,
                                                     reduction->type, reduction->op)
                                 : status;
}

/* Receive and discard numbers. (Open MPI 4.1 writes even into zero-size buffers.) */
static void drop(const struct context *context, int child)
{
    static char sink[TRIAL_MOST_BYTES];
    PMPI_Recv(sink, (int)sizeof sink, MPI_PACKED, child, TAG_DATA, context->comm,
              MPI_STATUS_IGNORE);
}

/* Add the children's numbers to those in `sum`, in the order of the tree; `theirs` has
   room for all of them. All are received even after an error, so that the next call
   does not find them. */
static int take_in(struct transfer *transfer, const struct reduction *reduction,
                   const struct tree *tree, char *theirs, void *sum)
{
    const struct context *context = transfer->context;
    const size_t bytes = reduction->bytes;
    MPI_Request *requests = requests_get(transfer, count_children(tree, context->rank));
    int status = theirs ? begin_to_receive(context, tree, theirs, bytes, requests)
                        : MPI_ERR_NO_MEM;
    size_t i = 0;
    for (int child = tree->first[context->rank]; child >= 0;
         child = tree->next[child], i++) {
        int code = MPI_SUCCESS;
        if (requests[i] != MPI_REQUEST_NULL)
            code = add(reduction, &requests[i], theirs + i * bytes, sum);
        else
            drop(context, child);
        if (status == MPI_SUCCESS)
            status = code;
    }
    return status;
}

static int send_up(struct transfer *transfer, const struct reduction *reduction,
                   int parent, const void *sum)
{
    const MPI_Comm comm = transfer->context->comm;
    struct deferred *copy = deferred_new(transfer, reduction->bytes, 1);
    if (!copy)
        return PMPI_Send(sum, (int)reduction->bytes, MPI_PACKED, parent, TAG_DATA,
                         comm);
    memcpy(deferred_data(copy), sum, reduction->bytes);
    return deferred_send(copy, 0, (int)reduction->bytes, parent, comm);
}

/* An empty message signals an error to a parent, as to a child in a broadcast. Ranks of
   the tree have few children, so their numbers and a sum fit: of 2^20 ranks, one has 31
   children. */
int climb(struct transfer *transfer, const struct reduction *reduction,
          const struct tree *tree)
{
    const size_t bytes = reduction->bytes;
    const int rank = transfer->context->rank, parent = tree->parent[rank];
    const int children = count_children(tree, rank);
    if (parent >= 0 && children == 0)
        return send_up(transfer, reduction, parent, reduction->send);
    char *room = room_get(((size_t)children + 1) * bytes);
    char *sum = parent < 0 ? reduction->receive : room;
    if (sum && reduction->send != MPI_IN_PLACE)
        memcpy(sum, reduction->send, bytes);
    int status = take_in(transfer, reduction, tree, room ? room + bytes : NULL, sum);
    if (parent >= 0 && status == MPI_SUCCESS)
        status = send_up(transfer, reduction, parent, sum);
    else if (parent >= 0)
        PMPI_Send(NULL, 0, MPI_PACKED, parent, TAG_DATA, transfer->context->comm);
    room_put(room);
    return status;
}

static int reduce_by_mpi(const void *call, MPI_Comm comm)
{
    const struct reduction *reduction = call;
    return PMPI_Reduce(reduction->send, reduction->receive, reduction->count,
                       reduction->type, reduction->op, reduction->root, comm);
}

static int reduce_by_us(struct adapted *adapted, const void *call)
{
    const struct reduction *reduction = call;
    return climb(adapted->transfer, reduction, tree_to(adapted, reduction->root));
}

const struct adapted_kind adapted_reductions = {.name = "reductions",
                                                .way = "by tree",
                                                .by_mpi = reduce_by_mpi,
                                                .by_us = reduce_by_us};

static int first_error(int status, int code)
{
    return status == MPI_SUCCESS ? code : status;
}

/* The state of a gather at the root. Block i is that of the (1 + i)-th rank after it,
   in slot i % at_once. */
struct collection {
    const struct context *context;
    const struct blocks *blocks;
    MPI_Aint stride; /* bytes from a rank's block to the next rank's */
    int at_once;     /* blocks requested */
    char *packed;    /* [at_once]; NULL: blocks arrive in place */
    MPI_Request requests[AT_ONCE];
};

static struct message block_of(const struct collection *collection, int rank)
{
    struct message block = collection->blocks->all;
    block.buffer = (char *)block.buffer + rank * collection->stride;
    block.bytes = collection->blocks->bytes;
    return block;
}

static int owner_of(const struct collection *collection, int i)
{
    return (collection->blocks->root + 1 + i) % collection->context->size;
}

static char *slot_of(const struct collection *collection, int i)
{
    return collection->packed +
           (size_t)(i % collection->at_once) * collection->blocks->bytes;
}

static int ask(struct collection *collection, int i)
{
    const int owner = owner_of(collection, i);
    struct message block = block_of(collection, owner);
    if (collection->packed)
        block = (struct message){.buffer = slot_of(collection, i),
                                 .count = (MPI_Count)block.bytes,
                                 .type = MPI_PACKED};
    return transfer_begin_receive(&block, owner, collection->context->comm,
                                  &collection->requests[i % collection->at_once]);
}

static int take(struct collection *collection, int i)
{
    MPI_Request *request = &collection->requests[i % collection->at_once];
    if (*request == MPI_REQUEST_NULL) /* it could not be requested */
        return MPI_SUCCESS;
    const struct message block = block_of(collection, owner_of(collection, i));
    const int status =
        transfer_end_receive(request, collection->packed ? MPI_PACKED : block.type);
    return status == MPI_SUCCESS && collection->packed
               ? message_unpack(&block, slot_of(collection, i),
                                collection->context->comm)
               : status;
}

/* All blocks are taken even after an error, so that the next call does not find
   them. */
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

/* The root's own block; some MPIs accept one that is in place already. */
static int move_own(const struct collection *collection)
{
    const struct context *context = collection->context;
    const struct message *own = &collection->blocks->own;
    const struct message to = block_of(collection, context->rank);
    if (own->buffer == MPI_IN_PLACE ||
        (own->buffer == to.buffer && own->type == to.type && own->count == to.count))
        return MPI_SUCCESS;
    return PMPI_Sendrecv(own->buffer, (int)own->count, own->type, context->rank,
                         TAG_SELF, to.buffer, (int)to.count, to.type, context->rank,
                         TAG_SELF, context->comm, MPI_STATUS_IGNORE);
}

/* Blocks of a type with gaps arrive packed (see transfer.c), and are then put in
   place. */
static int gather_at_root(const struct context *context, const struct blocks *blocks)
{
    const int others = context->size - 1;
    struct collection collection = {.context = context,
                                    .blocks = blocks,
                                    .at_once = others < AT_ONCE ? others : AT_ONCE};
    MPI_Aint lower = 0, extent = 0;
    PMPI_Type_get_extent(blocks->all.type, &lower, &extent);
    collection.stride = extent * (MPI_Aint)blocks->all.count;
    for (int slot = 0; slot < AT_ONCE; slot++)
        collection.requests[slot] = MPI_REQUEST_NULL;
    if (!message_is_plain(blocks->all.type))
        collection.packed = room_get((size_t)collection.at_once * blocks->bytes);
    const int own_status = move_own(&collection);
    const int status = first_error(own_status, collect(&collection));
    room_put(collection.packed);
    return status;
}

/* The signature of packed bytes matches whatever type the root gives. */
int blocks_gather(struct transfer *transfer, const struct blocks *blocks)
{
    const MPI_Comm comm = transfer->context->comm;
    struct message own = blocks->own;
    own.bytes = blocks->bytes;
    if (transfer->context->rank == blocks->root)
        return gather_at_root(transfer->context, blocks);
    struct deferred *copy = deferred_new(transfer, own.bytes, 1);
    if (copy && message_pack(&own, deferred_data(copy), comm) == MPI_SUCCESS)
        return deferred_send(copy, 0, (int)own.bytes, blocks->root, comm);
    return PMPI_Send(own.buffer, (int)own.count, own.type, blocks->root, TAG_DATA,
                     comm);
}

static int gather_by_mpi(const void *call, MPI_Comm comm)
{
    const struct blocks *blocks = call;
    const struct message *own = &blocks->own, *all = &blocks->all;
    return PMPI_Gather(own->buffer, (int)own->count, own->type, all->buffer,
                       (int)all->count, all->type, blocks->root, comm);
}

static int gather_by_us(struct adapted *adapted, const void *call)
{
    return blocks_gather(adapted->transfer, call);
}

const struct adapted_kind adapted_gathers = {.name = "gathers",
                                             .way = "straight",
                                             .by_mpi = gather_by_mpi,
                                             .by_us = gather_by_us};
