/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transfer - messages along trees built by hand: their data, types and late children.
 *
 * Run by mpiexec on any number of ranks; exits with 1 and prints the error if a message
 * does not arrive as it was sent.
 */
#include "preload/bcast/transfer/transfer.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum shape { FLAT, CHAIN, BINOMIAL, NSHAPES };
enum kind { INTS, PAIRS, STRIDED, NESTED, GAPS, NKINDS };

static int rank, size;
static int failures;

static void fail(const char *what, size_t bytes, int root, int shape, size_t segment)
{
    failures++;
    fprintf(stderr, "rank %d of %d: %s: %zu bytes, root %d, shape %d, segment %zu\n",
            rank, size, what, bytes, root, shape, segment);
}

static void *must(void *memory)
{
    if (!memory)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return memory;
}

/* Place p of the order is rank (root + 7 p) mod size, with 7 p mod size a permutation
   for the sizes that are not its multiples. */
static int rank_at(int place, int root)
{
    const int step = size % 7 == 0 ? 1 : 7;
    return (root + step * place) % size;
}

static int parent_place(int place, enum shape shape)
{
    if (place == 0)
        return -1;
    if (shape == FLAT)
        return 0;
    return shape == CHAIN ? place - 1 : place & (place - 1);
}

/* Later places are served first, like the biggest subtrees in a binomial tree. */
static void tree_make(struct tree *tree, enum shape shape, int root, bool late,
                      size_t segment)
{
    const size_t n = (size_t)size;
    *tree = (struct tree){
        .size = size,
        .parent = must(malloc(n * sizeof(int))),
        .first = must(malloc(n * sizeof(int))),
        .next = must(malloc(n * sizeof(int))),
        .late = must(calloc(n, sizeof(bool))),
        .segment = segment,
    };
    for (int i = 0; i < size; i++)
        tree->first[i] = tree->next[i] = -1;
    for (int place = 0; place < size; place++) {
        const int child = rank_at(place, root), above = parent_place(place, shape);
        tree->parent[child] = above < 0 ? -1 : rank_at(above, root);
        if (above < 0)
            continue;
        tree->next[child] = tree->first[tree->parent[child]];
        tree->first[tree->parent[child]] = child;
        tree->late[child] = late && place % 3 != 1;
    }
}

static void tree_clear(struct tree *tree)
{
    free(tree->parent);
    free(tree->first);
    free(tree->next);
    free(tree->late);
}

/* The same 2 n ints in one of several layouts; `count` of `type` in a buffer. */
struct sample {
    int *buffer;
    size_t ints; /* of the buffer: there may be gaps in it */
    int count;
    MPI_Datatype type;
};

static MPI_Datatype type_make(enum kind kind, int n)
{
    MPI_Datatype type = MPI_DATATYPE_NULL, inner = MPI_DATATYPE_NULL;
    switch (kind) {
    case PAIRS:
        MPI_Type_contiguous(2, MPI_INT, &type);
        break;
    case STRIDED:
        MPI_Type_vector(2 * n, 1, 2, MPI_INT, &type);
        break;
    case NESTED:
        MPI_Type_contiguous(2, MPI_INT, &inner);
        MPI_Type_dup(inner, &type);
        MPI_Type_free(&inner);
        break;
    case GAPS:
        MPI_Type_contiguous(2, MPI_INT, &inner);
        MPI_Type_create_resized(inner, 0, 3 * sizeof(int), &type);
        MPI_Type_free(&inner);
        break;
    default:
        return MPI_INT;
    }
    MPI_Type_commit(&type);
    return type;
}

static struct sample message_make(enum kind kind, int n)
{
    struct sample message = {.ints = 4 * (size_t)n, .type = type_make(kind, n)};
    message.count = kind == INTS ? 2 * n : kind == STRIDED ? 1 : n;
    message.buffer = must(malloc(message.ints * sizeof(int)));
    memset(message.buffer, 0xee, message.ints * sizeof(int));
    return message;
}

/* Where int i of the message is in its buffer. */
static size_t position(enum kind kind, size_t i)
{
    return kind == STRIDED ? 2 * i : kind == GAPS ? i / 2 * 3 + i % 2 : i;
}

static void message_fill(struct sample *message, enum kind kind, int n, int seed)
{
    for (size_t i = 0; i < 2 * (size_t)n; i++)
        message->buffer[position(kind, i)] = (int)i * 31 + seed;
}

/* Check that the message's ints are there, and nothing else was written. */
static bool message_is(const struct sample *message, enum kind kind, int n, int seed)
{
    size_t touched = 0;
    for (size_t i = 0; i < message->ints; i++)
        touched += message->buffer[i] != (int)0xeeeeeeee;
    for (size_t i = 0; i < 2 * (size_t)n; i++) {
        if (message->buffer[position(kind, i)] != (int)i * 31 + seed)
            return false;
    }
    return touched == 2 * (size_t)n;
}

static void message_free(struct sample *message, enum kind kind)
{
    free(message->buffer);
    if (kind != INTS)
        MPI_Type_free(&message->type);
}

/* Each rank takes another layout when `kind` is NKINDS. */
static void check(struct transfer *transfer, enum shape shape, int root, bool late,
                  size_t segment, enum kind kind, int n)
{
    static int seed;
    seed += 1000003;
    if (kind == NKINDS)
        kind = (enum kind)(rank % NKINDS);
    struct tree tree;
    tree_make(&tree, shape, root, late, segment);
    struct sample message = message_make(kind, n);
    if (rank == root)
        message_fill(&message, kind, n, seed);
    const struct message sent = {
        .buffer = message.buffer,
        .count = message.count,
        .type = message.type,
        .bytes = 2 * (size_t)n * sizeof(int),
    };
    struct bcast_timing timing = {-1, -1};
    if (transfer_bcast(transfer, &sent, &tree, &timing) != MPI_SUCCESS)
        fail("error code", sent.bytes, root, shape, segment);
    if (!message_is(&message, kind, n, seed))
        fail("wrong data", sent.bytes, root, shape, segment);
    if (timing.waited < 0 || timing.in_call < timing.waited ||
        (rank == root && timing.waited != 0))
        fail("wrong timing", sent.bytes, root, shape, segment);
    memset(message.buffer, 0x11, message.ints * sizeof(int)); /* copies must not care */
    message_free(&message, kind);
    tree_clear(&tree);
}

/* Every seventh case on many ranks, where waiting ranks keep the others from working.
 */
static void check_all(struct transfer *transfer)
{
    const int stride = size > 2 ? 7 : 1;
    static const int lengths[] = {1, 500, 5000, 100000};
    static const size_t segments[] = {0, 8192, 10007};
    int turn = 0;
    for (int shape = 0; shape < NSHAPES; shape++)
        for (int length = 0; length < 4; length++)
            for (int segment = 0; segment < 3; segment++)
                for (int kind = 0; kind <= NKINDS; kind++) {
                    if (turn++ % stride != 0)
                        continue;
                    check(transfer, (enum shape)shape, turn % size, turn % 2 == 0,
                          segments[segment], (enum kind)kind, lengths[length]);
                }
}

/* Late ranks get packed bytes of structs of two types, with gaps. */
static void check_structs(struct transfer *transfer)
{
    enum { N = 20000 };
    struct {
        short a;
        int b;
    } *pairs = must(calloc(N, sizeof *pairs));
    struct tree tree;
    tree_make(&tree, FLAT, 0, true, 0);
    for (int i = 0; i < N && rank == 0; i++) {
        pairs[i].a = (short)i;
        pairs[i].b = i;
    }
    const struct message sent = {
        .buffer = pairs,
        .count = N,
        .type = MPI_SHORT_INT,
        .bytes = N * (sizeof(short) + sizeof(int)),
    };
    struct bcast_timing timing;
    if (transfer_bcast(transfer, &sent, &tree, &timing) != MPI_SUCCESS)
        fail("error code for structs", sent.bytes, 0, FLAT, 0);
    for (int i = 0; i < N; i++)
        if (pairs[i].a != (short)i || pairs[i].b != i) {
            fail("wrong structs", sent.bytes, 0, FLAT, 0);
            break;
        }
    free(pairs);
    tree_clear(&tree);
}

/* All others leave before rank 1 comes, and the copies still reach it. */
static void check_late(struct transfer *transfer, size_t segment)
{
    enum { CALLS = 20, INTS_EACH = 40000 };
    int *buffer = must(calloc(INTS_EACH, sizeof *buffer));
    struct tree tree;
    tree_make(&tree, FLAT, 0, false, segment);
    if (size > 1)
        tree.late[1] = true;
    int done = 0;
    MPI_Request gone = MPI_REQUEST_NULL;
    if (rank == 1) /* comes only after the root has reported leaving the last call */
        MPI_Recv(&done, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < CALLS; i++) {
        for (int j = 0; j < INTS_EACH && rank == 0; j++)
            buffer[j] = i * INTS_EACH + j;
        const struct message sent = {.buffer = buffer,
                                     .count = INTS_EACH,
                                     .type = MPI_INT,
                                     .bytes = INTS_EACH * sizeof *buffer};
        struct bcast_timing timing;
        if (transfer_bcast(transfer, &sent, &tree, &timing) != MPI_SUCCESS)
            fail("error code", sent.bytes, 0, FLAT, segment);
        for (int j = 0; j < INTS_EACH; j++)
            if (buffer[j] != i * INTS_EACH + j) {
                fail("wrong data of a late rank", sent.bytes, 0, FLAT, segment);
                break;
            }
    }
    if (rank == 0 && size > 1)
        MPI_Isend(&done, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &gone);
    MPI_Wait(&gone, MPI_STATUS_IGNORE);
    free(buffer);
    tree_clear(&tree);
}

/* More than may be kept: the root waits for the late rank instead. */
static void check_limit(struct transfer *transfer, size_t segment)
{
    enum { CALLS = 5, BYTES = 20 << 20 };
    char *buffer = must(malloc(BYTES));
    struct tree tree;
    tree_make(&tree, FLAT, 0, true, segment);
    for (int i = 0; i < CALLS; i++) {
        memset(buffer, rank == 0 ? 'a' + i : '-', BYTES);
        const struct message sent = {
            .buffer = buffer, .count = BYTES, .type = MPI_CHAR, .bytes = BYTES};
        struct bcast_timing timing;
        if (rank > 0 && i == 0)
            usleep(20000);
        if (transfer_bcast(transfer, &sent, &tree, &timing) != MPI_SUCCESS)
            fail("error code", BYTES, 0, FLAT, segment);
        if (buffer[0] != 'a' + i || memcmp(buffer, buffer + 1, BYTES - 1) != 0)
            fail("wrong data of a big message", BYTES, 0, FLAT, segment);
        if (transfer->deferred_bytes > 64 << 20)
            fail("too many copies", transfer->deferred_bytes, 0, FLAT, segment);
    }
    free(buffer);
    tree_clear(&tree);
}

/* The first child, which is not expected late, unlike perhaps the others, comes only
   after they have reported having the message. */
static void check_unexpected(struct transfer *transfer, bool late, size_t segment)
{
    enum { BYTES = 1 << 20 };
    char *buffer = must(calloc(1, BYTES));
    struct tree tree;
    tree_make(&tree, FLAT, 0, false, segment);
    const int absent = size > 2 ? tree.first[0] : -1;
    for (int i = 1; i < size; i++)
        tree.late[i] = late && i != absent;
    for (int i = 1; i < size && rank == absent; i++)
        if (i != absent)
            MPI_Recv(NULL, 0, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    memset(buffer, rank == 0 ? 'b' : '-', BYTES);
    const struct message sent = {
        .buffer = buffer, .count = BYTES, .type = MPI_CHAR, .bytes = BYTES};
    struct bcast_timing timing;
    if (transfer_bcast(transfer, &sent, &tree, &timing) != MPI_SUCCESS)
        fail("error code", BYTES, 0, FLAT, segment);
    if (buffer[0] != 'b' || memcmp(buffer, buffer + 1, BYTES - 1) != 0)
        fail("wrong data while one is absent", BYTES, 0, FLAT, segment);
    if (rank != 0 && rank != absent && absent >= 0)
        MPI_Send(NULL, 0, MPI_INT, absent, 0, MPI_COMM_WORLD);
    free(buffer);
    tree_clear(&tree);
}

/*
 * Long messages go to one child on another node after another. All of these children
 * except the last have not come, and are not expected late. The last, which has come,
 * is still served: the others come only after it has reported having the message, or
 * give up after some seconds.
 */
static void check_staggered(struct transfer *transfer)
{
    enum { BYTES = 1 << 20, HAS_IT = 5, LOOKS = 3000 };
    char *buffer = must(calloc(1, BYTES));
    struct tree tree;
    tree_make(&tree, FLAT, 0, false, 0);
    int last = -1, there = 0;
    for (int child = tree.first[0]; child >= 0; child = tree.next[child])
        if (transfer->context->node[child] != 0)
            last = child;
    const bool absent = transfer->context->node[rank] != 0 && rank != last;
    for (int look = 0; absent && look < LOOKS && !there; look++) {
        usleep(1000);
        MPI_Iprobe(last, HAS_IT, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    }
    if (absent && !there)
        fail("a child that has come waits for one that has not", BYTES, 0, FLAT, 0);
    const struct message sent = {
        .buffer = buffer, .count = BYTES, .type = MPI_CHAR, .bytes = BYTES};
    struct bcast_timing timing;
    if (transfer_bcast(transfer, &sent, &tree, &timing) != MPI_SUCCESS)
        fail("error code", BYTES, 0, FLAT, 0);
    for (int other = 0; other < size && rank == last; other++)
        if (transfer->context->node[other] != 0 && other != last)
            MPI_Send(NULL, 0, MPI_INT, other, HAS_IT, MPI_COMM_WORLD);
    if (absent)
        MPI_Recv(NULL, 0, MPI_INT, last, HAS_IT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(buffer);
    tree_clear(&tree);
}

/* The next check releases a copy that its late receiver has taken, without waiting for
   others. */
static void check_release(struct transfer *transfer)
{
    enum { COUNT = 100, LOOKS = 5000 };
    int buffer[COUNT] = {0};
    struct tree tree;
    tree_make(&tree, FLAT, 0, false, 0);
    if (size > 1)
        tree.late[1] = true;
    const struct message sent = {.buffer = buffer,
                                 .count = COUNT,
                                 .type = MPI_INT,
                                 .bytes = COUNT * sizeof *buffer};
    struct bcast_timing timing;
    if (transfer_bcast(transfer, &sent, &tree, &timing) != MPI_SUCCESS)
        fail("error code", sent.bytes, 0, FLAT, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int look = 0; look < LOOKS && transfer->oldest; look++) {
        transfer_progress(transfer);
        if (transfer->oldest)
            usleep(1000);
    }
    if (transfer->oldest || transfer->deferred_bytes != 0)
        fail("a copy that was taken is kept", sent.bytes, 0, FLAT, 0);
    tree_clear(&tree);
}

/* A buffer that is too small is an error on its rank, with its own error class, and on
   those that get the message from it: they do not wait for the lost message, which
   would hang. */
static void check_truncation(struct transfer *transfer, enum shape shape,
                             size_t segment)
{
    int buffer[2000] = {0};
    struct tree tree;
    tree_make(&tree, shape, 0, false, segment);
    const bool is_short = tree.parent[rank] == 0;
    const int count = is_short ? 1100 : 2000;
    const struct message sent = {.buffer = buffer,
                                 .count = count,
                                 .type = MPI_INT,
                                 .bytes = (size_t)count * sizeof(int)};
    struct bcast_timing timing;
    alarm(60);
    int code = transfer_bcast(transfer, &sent, &tree, &timing), class = MPI_SUCCESS;
    alarm(0);
    MPI_Error_class(code, &class);
    if (class != (rank == 0 ? MPI_SUCCESS : MPI_ERR_TRUNCATE))
        fail("truncation is not told", sent.bytes, 0, shape, segment);
    tree_clear(&tree);
}

/* Untaken segments are left behind, so this test is the last there. MPICH raises errors
   of MPI_Waitany on MPI_COMM_WORLD. */
static void check_truncated_segments(const struct context *context)
{
    struct context own = *context;
    MPI_Comm_dup(context->comm, &own.comm);
    MPI_Comm_set_errhandler(own.comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    struct transfer transfer;
    if (transfer_init(&transfer, &own) != 0)
        fail("no memory", 0, 0, CHAIN, 1000);
    check_truncation(&transfer, CHAIN, 1000);
    if (transfer_finish(&transfer) != MPI_SUCCESS)
        fail("not finished", 0, 0, CHAIN, 1000);
    MPI_Comm_free(&own.comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct context context = {.comm = MPI_COMM_NULL};
    MPI_Comm_dup(MPI_COMM_WORLD, &context.comm);
    MPI_Comm_set_errhandler(context.comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(context.comm, &rank);
    MPI_Comm_size(context.comm, &size);
    context.rank = rank;
    context.size = size;
    context.node = must(malloc((size_t)size * sizeof *context.node));
    for (int i = 0; i < size; i++)
        context.node[i] = i / 2 * 2; /* pretends that two ranks share each node */

    struct transfer transfer;
    if (transfer_init(&transfer, &context) != 0)
        fail("no memory", 0, 0, 0, 0);
    check_all(&transfer);
    check_structs(&transfer);
    check_late(&transfer, 0);
    check_late(&transfer, 8192);
    if (size <= 5) { /* memory */
        check_limit(&transfer, 0);
        check_limit(&transfer, 1 << 20);
    }
    for (int late = 0; late < 2; late++) {
        check_unexpected(&transfer, late, 0);
        check_unexpected(&transfer, late, 10007);
    }
    check_staggered(&transfer);
    check_release(&transfer);
    for (int shape = 0; shape < NSHAPES; shape++)
        check_truncation(&transfer, (enum shape)shape, 0);
    check_truncated_segments(&context);
    if (transfer_finish(&transfer) != MPI_SUCCESS || transfer.oldest ||
        transfer.deferred_bytes != 0)
        fail("not finished", 0, 0, 0, 0);

    int all = 0;
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    free(context.node);
    MPI_Comm_free(&context.comm);
    MPI_Finalize();
    return all > 0;
}
