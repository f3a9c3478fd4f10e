/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every collective call has the results of the MPI's own: the receive buffer, with the
 * bytes around the message, and the status are the same. Integers only, because sums of
 * other numbers depend on their order, which is the MPI's choice.
 */
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_RANKS = 8, ROOM = 1 << 20 }; /* bytes */

static char *sent, *received, *expected; /* ROOM bytes each */
static int rank, ranks;                  /* in the communicator of the moment */
static int remote;                       /* those that messages come from and go to */
static bool between_groups, more_come_than_go;
static const char *where;
static size_t filled; /* bytes of the messages of the moment, and some more */

static MPI_Datatype vector, matrix;
static MPI_Op times;

static void fill(void)
{
    message_fill(sent, filled, (uint32_t)rank + 1);
    message_fill(received, filled, (uint32_t)rank + 100);
}

/* Call it by both names. What it receives is within `bytes`. */
#define COMPARE(bytes, ...) \
    do { \
        fill(); \
        const int right = PMPI_##__VA_ARGS__; \
        memcpy(expected, received, bytes); \
        fill(); \
        const int status = MPI_##__VA_ARGS__; \
        check(status == right, "%s: MPI_%s: status %d, not %d", where, #__VA_ARGS__, \
              status, right); \
        check(memcmp(received, expected, bytes) == 0, "%s: MPI_%s differs", where, \
              #__VA_ARGS__); \
    } while (0)

/* Messages of n elements of a type; those of various lengths have up to n of them. */
struct message {
    int n;
    MPI_Datatype type;
    size_t block; /* bytes that one rank's take */
    size_t all;
    /* in elements, bytes, and for each rank */
    int counts[MAX_RANKS], places[MAX_RANKS], offsets[MAX_RANKS];
    MPI_Aint long_offsets[MAX_RANKS];
    MPI_Datatype types[MAX_RANKS];
};

static struct message messages_of(int n, MPI_Datatype type)
{
    struct message m = {.n = n, .type = type};
    MPI_Aint lb, extent;
    MPI_Type_get_extent(type, &lb, &extent);
    m.block = (size_t)n * (size_t)extent;
    m.all = (m.block + 64) * MAX_RANKS;
    filled = m.all;
    if (m.all > ROOM)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < MAX_RANKS; i++) {
        m.counts[i] = n;
        m.places[i] = n * i;
        m.offsets[i] = (int)m.block * i;
        m.long_offsets[i] = (MPI_Aint)m.block * i;
        m.types[i] = type;
    }
    return m;
}

/* Rank i sends j and receives from j what both compute: nothing at times. */
static int between(int i, int j, int n)
{
    return (i + j) % 3 ? n / (1 + (i * j) % 4) : 0;
}

static void to_all_of_various(const struct message *m, MPI_Comm comm)
{
    int counts[MAX_RANKS] = {0};
    for (int i = 0; i < remote; i++)
        counts[i] = between(rank, i, m->n);
    COMPARE(m->all, Alltoallv(sent, counts, m->places, m->type, received, counts,
                              m->places, m->type, comm));
    COMPARE(m->all, Alltoallw(sent, counts, m->offsets, m->types, received, counts,
                              m->offsets, m->types, comm));
    if (between_groups)
        return;
    COMPARE(m->all, Alltoallv(MPI_IN_PLACE, counts, m->places, m->type, received,
                              counts, m->places, m->type, comm));
    COMPARE(m->all, Alltoallw(MPI_IN_PLACE, counts, m->offsets, m->types, received,
                              counts, m->offsets, m->types, comm));
}

static void to_all(const struct message *m, MPI_Comm comm)
{
    COMPARE(m->all, Allgather(sent, m->n, m->type, received, m->n, m->type, comm));
    COMPARE(m->all, Allgatherv(sent, m->n, m->type, received, m->counts, m->places,
                               m->type, comm));
    COMPARE(m->all, Alltoall(sent, m->n, m->type, received, m->n, m->type, comm));
    to_all_of_various(m, comm);
}

static void to_all_in_place(const struct message *m, MPI_Comm comm)
{
    COMPARE(m->all, Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, received, m->n,
                              m->type, comm));
    COMPARE(m->all, Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, received, m->counts,
                               m->places, m->type, comm));
    COMPARE(m->all, Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, received, m->n,
                             m->type, comm));
}

/* Between the root, which may be MPI_ROOT or MPI_PROC_NULL, and all. */
static void rooted(const struct message *m, int root, MPI_Comm comm)
{
    int counts[MAX_RANKS] = {0};
    for (int i = 0; i < remote; i++)
        counts[i] = between(i, 0, m->n);
    const int mine = between(rank, 0, m->n);
    COMPARE(m->all, Bcast(received, m->n, m->type, root, comm));
    COMPARE(m->all, Gather(sent, m->n, m->type, received, m->n, m->type, root, comm));
    COMPARE(m->all, Gatherv(sent, mine, m->type, received, counts, m->places, m->type,
                            root, comm));
    COMPARE(m->all, Scatter(sent, m->n, m->type, received, m->n, m->type, root, comm));
    COMPARE(m->all, Scatterv(sent, counts, m->places, m->type, received, mine, m->type,
                             root, comm));
}

static void rooted_in_place(const struct message *m, int root, MPI_Comm comm)
{
    const bool here = rank == root;
    COMPARE(m->all, Gather(here ? MPI_IN_PLACE : sent, m->n, m->type, received, m->n,
                           m->type, root, comm));
    COMPARE(m->all, Gatherv(here ? MPI_IN_PLACE : sent, m->n, m->type, received,
                            m->counts, m->places, m->type, root, comm));
    COMPARE(m->all, Scatter(sent, m->n, m->type, here ? MPI_IN_PLACE : received, m->n,
                            m->type, root, comm));
    COMPARE(m->all,
            Scatterv(sent, m->counts, m->places, m->type,
                     here ? MPI_IN_PLACE : received, m->n, m->type, root, comm));
}

static void reductions(const struct message *m, MPI_Op op, MPI_Comm comm)
{
    int counts[MAX_RANKS];
    for (int i = 0; i < MAX_RANKS; i++)
        counts[i] = between(i, i, m->n);
    COMPARE(m->all, Allreduce(sent, received, m->n, m->type, op, comm));
    COMPARE(m->all, Reduce_scatter_block(sent, received, m->n, m->type, op, comm));
    if (between_groups)
        return;
    COMPARE(m->all, Reduce_scatter(sent, received, counts, m->type, op, comm));
    COMPARE(m->all, Scan(sent, received, m->n, m->type, op, comm));
    COMPARE(m->all, Exscan(sent, received, m->n, m->type, op, comm));
    COMPARE(m->all, Allreduce(MPI_IN_PLACE, received, m->n, m->type, op, comm));
    COMPARE(m->all, Scan(MPI_IN_PLACE, received, m->n, m->type, op, comm));
    COMPARE(m->all, Exscan(MPI_IN_PLACE, received, m->n, m->type, op, comm));
    /* The bytes after the result may change. */
    COMPARE(m->block,
            Reduce_scatter_block(MPI_IN_PLACE, received, m->n, m->type, op, comm));
    const size_t mine = (size_t)counts[rank] * (m->block / (size_t)(m->n ? m->n : 1));
    COMPARE(mine, Reduce_scatter(MPI_IN_PLACE, received, counts, m->type, op, comm));
}

static void reduction_to(const struct message *m, MPI_Op op, int root, MPI_Comm comm)
{
    COMPARE(m->all, Reduce(sent, received, m->n, m->type, op, root, comm));
#ifdef MPICH /* which crashes */
    if (root > 0 && m->n > 300)
        return;
#endif
    if (!between_groups)
        COMPARE(m->all, Reduce(rank == root ? MPI_IN_PLACE : sent, received, m->n,
                               m->type, op, root, comm));
}

/* Products of 2 x 2 matrices depend on the order of the ranks. */
static void multiply(void *left, void *right, int *n, MPI_Datatype *type)
{
    (void)type;
    const unsigned(*a)[4] = left;
    unsigned(*b)[4] = right;
    for (int i = 0; i < *n; i++) {
        const unsigned product[4] = {a[i][0] * b[i][0] + a[i][1] * b[i][2],
                                     a[i][0] * b[i][1] + a[i][1] * b[i][3],
                                     a[i][2] * b[i][0] + a[i][3] * b[i][2],
                                     a[i][2] * b[i][1] + a[i][3] * b[i][3]};
        memcpy(b[i], product, sizeof product);
    }
}

static void all_types(int n, MPI_Comm comm, void (*f)(const struct message *, MPI_Comm))
{
    const MPI_Datatype types[] = {MPI_INT, vector};
    for (int t = 0; t < 2; t++) {
        const struct message m = messages_of(n, types[t]);
        f(&m, comm);
    }
}

static void all_reductions(int n, MPI_Comm comm)
{
    const struct message ints = messages_of(n, MPI_INT),
                         matrices = messages_of(n / 4, matrix);
    reductions(&ints, MPI_SUM, comm);
    reductions(&ints, MPI_BXOR, comm);
    reductions(&matrices, times, comm);
    for (int root = 0; root < ranks; root += 2) {
        reduction_to(&ints, MPI_MAX, root, comm);
        reduction_to(&matrices, times, root, comm);
    }
}

static void rooted_at_each(const struct message *m, MPI_Comm comm)
{
    for (int root = 0; root<ranks; root += ranks> 3 ? 3 : 1) {
        rooted(m, root, comm);
        rooted_in_place(m, root, comm);
    }
}

static const int lengths[] = {0, 1, 7, 300, 5000};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

static void on_communicator(MPI_Comm comm, const char *name)
{
    where = name;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    remote = ranks;
    check(MPI_Barrier(comm) == MPI_SUCCESS, "%s: MPI_Barrier", where);
    for (int i = 0; i < LENGTHS; i++) {
        all_types(lengths[i], comm, rooted_at_each);
        all_types(lengths[i], comm, to_all);
        all_types(lengths[i], comm, to_all_in_place);
        all_reductions(lengths[i], comm);
    }
}

#if MPI_VERSION >= 4
/* Some ranks count in integers of another type than others. */
static void on_large_counts(MPI_Comm comm)
{
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const struct message m = messages_of(300, MPI_INT);
    MPI_Count counts[MAX_RANKS];
    MPI_Aint places[MAX_RANKS];
    for (int i = 0; i < MAX_RANKS; i++) {
        counts[i] = m.counts[i];
        places[i] = m.places[i];
    }
    where = "large counts";
    if (rank % 2) {
        COMPARE(m.all, Bcast(received, m.n, m.type, 0, comm));
        COMPARE(m.all, Allreduce(sent, received, m.n, m.type, MPI_SUM, comm));
        COMPARE(m.all, Allgatherv(sent, m.n, m.type, received, m.counts, m.places,
                                  m.type, comm));
        COMPARE(m.all, Alltoallv(sent, m.counts, m.places, m.type, received, m.counts,
                                 m.places, m.type, comm));
    } else {
        COMPARE(m.all, Bcast_c(received, m.n, m.type, 0, comm));
        COMPARE(m.all, Allreduce_c(sent, received, m.n, m.type, MPI_SUM, comm));
        COMPARE(m.all, Allgatherv_c(sent, m.n, m.type, received, counts, places, m.type,
                                    comm));
        COMPARE(m.all, Alltoallv_c(sent, counts, places, m.type, received, counts,
                                   places, m.type, comm));
    }
}
#endif

static void neighbours(const struct message *m, MPI_Comm comm)
{
    COMPARE(m->all,
            Neighbor_allgather(sent, m->n, m->type, received, m->n, m->type, comm));
    COMPARE(m->all, Neighbor_allgatherv(sent, m->n, m->type, received, m->counts,
                                        m->places, m->type, comm));
    COMPARE(m->all,
            Neighbor_alltoall(sent, m->n, m->type, received, m->n, m->type, comm));
    COMPARE(m->all, Neighbor_alltoallv(sent, m->counts, m->places, m->type, received,
                                       m->counts, m->places, m->type, comm));
#ifdef MPICH /* whose own call writes out of bounds */
    if (more_come_than_go)
        return;
#endif
    COMPARE(m->all,
            Neighbor_alltoallw(sent, m->counts, m->long_offsets, m->types, received,
                               m->counts, m->long_offsets, m->types, comm));
}

static void on_topology(MPI_Comm comm, const char *name)
{
    if (comm == MPI_COMM_NULL)
        return;
    where = name;
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < LENGTHS; i++)
        all_types(lengths[i], comm, neighbours);
    MPI_Comm_free(&comm);
}

static void on_topologies(void)
{
    MPI_Comm comm;
    int dims[2] = {0}, both[2] = {1, 1}, none[2] = {0}, size, me;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, none, 0, &comm);
    on_topology(comm, "a row");
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, both, 0, &comm);
    on_topology(comm, "a ring");
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, both, 0, &comm);
    on_topology(comm, "a torus");
    /* All ranks send to rank 0, which sends nothing. */
    int sources[MAX_RANKS], weights[MAX_RANKS] = {0}, zero = 0;
    for (int i = 0; i < size; i++)
        sources[i] = i;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, me ? 0 : size - 1, sources + 1,
                                   weights, me ? 1 : 0, &zero, weights, MPI_INFO_NULL,
                                   0, &comm);
    more_come_than_go = true;
    on_topology(comm, "a star");
    more_come_than_go = false;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, sources, weights, 0, sources,
                                   weights, MPI_INFO_NULL, 0, &comm);
    on_topology(comm, "a graph without edges");
}

static void on_intercommunicator(void)
{
    int me, size;
    MPI_Comm half, inter;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2)
        return;
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - me % 2, 5, &inter);
    where = "an intercommunicator";
    between_groups = true;
    MPI_Comm_rank(inter, &rank);
    MPI_Comm_size(inter, &ranks);
    MPI_Comm_remote_size(inter, &remote);
    check(MPI_Barrier(inter) == MPI_SUCCESS, "%s: MPI_Barrier", where);
    for (int i = 0; i < LENGTHS; i++) {
        const struct message m = messages_of(lengths[i], MPI_INT);
        const int root = me % 2 ? 0 : rank ? MPI_PROC_NULL : MPI_ROOT;
        rooted(&m, root, inter);
        reduction_to(&m, MPI_SUM, root, inter);
        to_all(&m, inter);
        COMPARE(m.all, Allreduce(sent, received, m.n, m.type, MPI_SUM, inter));
    }
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

/* With an empty type, the counts of both sides may differ. A message for it would match
   a later call, or be waited for. */
static void empty_types(MPI_Comm comm)
{
    enum { MOST = 8 };
    const int ones[MOST] = {1, 1, 1, 1, 1, 1, 1, 1}, zeros[MOST] = {0};
    MPI_Datatype empty, empties[MOST], ints[MOST];
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
    for (int i = 0; i < MOST; i++) {
        empties[i] = empty;
        ints[i] = MPI_INT;
    }
    MPI_Alltoallv(sent, ones, zeros, empty, received, zeros, zeros, MPI_INT, comm);
    MPI_Alltoallv(sent, zeros, zeros, MPI_INT, received, ones, zeros, empty, comm);
    MPI_Alltoallw(sent, ones, zeros, empties, received, zeros, zeros, ints, comm);
    MPI_Alltoallw(sent, zeros, zeros, ints, received, ones, zeros, empties, comm);
    MPI_Type_free(&empty);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    sent = malloc(ROOM);
    received = malloc(ROOM);
    expected = malloc(ROOM);
    if (!sent || !received || !expected)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Type_vector(2, 1, 2, MPI_INT, &vector);
    MPI_Type_commit(&vector);
    MPI_Type_contiguous(4, MPI_UNSIGNED, &matrix);
    MPI_Type_commit(&matrix);
    MPI_Op_create(multiply, 0, &times);

    MPI_Comm comm;
    int me;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    empty_types(MPI_COMM_WORLD);
    on_communicator(MPI_COMM_WORLD, "MPI_COMM_WORLD");
    on_communicator(MPI_COMM_SELF, "MPI_COMM_SELF");
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, -me, &comm);
    on_communicator(comm, "half, in reverse order");
    MPI_Comm_free(&comm);
#if MPI_VERSION >= 4
    on_large_counts(MPI_COMM_WORLD);
#endif
    on_topologies();
    on_intercommunicator();

    MPI_Op_free(&times);
    MPI_Type_free(&matrix);
    MPI_Type_free(&vector);
    free(expected);
    free(received);
    free(sent);
    return check_finish();
}
