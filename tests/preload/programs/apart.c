/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions and gathers in threads, each on a communicator of its own, while another
   switches them off and on; between groups; and after errors whose handler does not
   return. */
#include "check.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 3, COUNT = 400 };

struct thread {
    pthread_t id;
    uint64_t number;
    MPI_Comm comm;
};

static int rank, size;
static jmp_buf before;

static void sum(MPI_Comm comm, int root, int seed)
{
    double mine[COUNT], all[COUNT];
    for (int i = 0; i < COUNT; i++) {
        mine[i] = rank + seed + i;
        all[i] = -1;
    }
    MPI_Reduce(mine, all, COUNT, MPI_DOUBLE, MPI_SUM, root, comm);
    for (int i = 0; i < COUNT; i++) {
        const double right =
            rank == root ? size * (size - 1) / 2.0 + size * (seed + i) : -1;
        check(all[i] == right, "number %d is %g, not %g", i, all[i], right);
    }
}

/* Blocks of one size. */
static void collect(MPI_Comm comm, int root, int ints)
{
    int *all = malloc((size_t)size * (size_t)ints * sizeof *all);
    int own[COUNT];
    for (int i = 0; i < ints; i++)
        own[i] = rank + i;
    MPI_Gather(own, ints, MPI_INT, all, ints, MPI_INT, root, comm);
    for (int i = 0; i < size * ints && rank == root; i++)
        check(all[i] == i / ints + i % ints, "gathered %d", all[i]);
    free(all);
}

static void late_calls(MPI_Comm comm, uint64_t *state, int n)
{
    for (int i = 0; i < n; i++) {
        const uint32_t late = draw(state, (uint32_t)size), us = draw(state, 400);
        const int root = i % 5 ? 0 : (int)draw(state, (uint32_t)size);
        if (rank == (int)late)
            usleep(us);
        sum(comm, root, i);
        collect(comm, root, i % 4 ? COUNT : 10);
    }
}

/* So late that adapting the waiting calls pays. */
static void come_late(MPI_Comm comm)
{
    if (rank == size - 1)
        usleep(500000);
    sum(comm, 0, 1);
    if (rank == size - 1)
        usleep(500000);
    collect(comm, 0, COUNT);
}

static void *run(void *argument)
{
    struct thread *thread = argument;
    uint64_t state = thread->number;
    come_late(thread->comm);
    late_calls(thread->comm, &state, 400);
    return NULL;
}

static void in_threads(void)
{
    struct thread threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        threads[i].number = (uint64_t)i;
        MPI_Comm_dup(MPI_COMM_WORLD, &threads[i].comm);
    }
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i].id, NULL, run, &threads[i]) != 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < 400; i++) { /* also during setup */
        MPI_Pcontrol(i % 2);
        usleep(5000);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i].id, NULL);
        MPI_Comm_free(&threads[i].comm);
    }
}

/* Ranks of even numbers, and of odd, whose sum and numbers rank 0 gets. */
static void between_groups(void)
{
    MPI_Comm part, between;
    int *all_ranks = calloc((size_t)size, sizeof *all_ranks);
    double mine[COUNT] = {rank}, all[COUNT] = {-1};
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &part);
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &between);
    const int odd = size / 2;
    const int root = rank % 2 ? 0 : rank ? MPI_PROC_NULL : MPI_ROOT;
    for (int i = 0; i < 200; i++) {
        MPI_Reduce(mine, all, COUNT, MPI_DOUBLE, MPI_SUM, root, between);
        MPI_Gather(&rank, 1, MPI_INT, all_ranks, 1, MPI_INT, root, between);
    }
    check(rank || all[0] == odd * odd, "the sum between groups is %g", all[0]);
    for (int k = 0; k < odd && rank == 0; k++)
        check(all_ranks[k] == 2 * k + 1, "gathered %d between groups", all_ranks[k]);
    free(all_ranks);
    MPI_Comm_free(&between);
    MPI_Comm_free(&part);
}

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    longjmp(before, 1);
}

/* The handler of a rank that makes mistakes, as if it had made no call. */
static void no_type_to_reduce(MPI_Comm comm)
{
    double number = 0, sum;
    MPI_Reduce(&number, &sum, 1, MPI_DATATYPE_NULL, MPI_SUM, 0, comm);
}

static void no_type_to_gather(MPI_Comm comm)
{
    int all[8];
    MPI_Gather(&rank, 1, MPI_DATATYPE_NULL, all, 1, MPI_INT, (rank + 1) % size, comm);
}

static void no_count_to_gather(MPI_Comm comm)
{
    int all[8];
    MPI_Gather(&rank, 1, MPI_INT, all, -1, MPI_INT, rank, comm);
}

static void no_root_to_gather(MPI_Comm comm)
{
    int all[8];
    MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, size, comm);
}

static void (*const wrong_calls[])(MPI_Comm) = {no_type_to_reduce, no_type_to_gather,
                                                no_count_to_gather, no_root_to_gather};
enum { WRONG_CALLS = sizeof wrong_calls / sizeof wrong_calls[0] };

static void mistakes(void)
{
    uint64_t state = 3;
    MPI_Errhandler errhandler;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(handler, &errhandler);
    MPI_Comm_set_errhandler(comm, errhandler);
    come_late(comm);
    for (int i = 0; i < 40; i++) {
        late_calls(comm, &state, 10);
        if (rank == i % size && setjmp(before) == 0) {
            wrong_calls[i % WRONG_CALLS](comm);
            check(false, "the handler was not called");
        }
    }
    MPI_Errhandler_free(&errhandler);
    MPI_Comm_free(&comm);
}

/* MPICH with threads bears no handler that does not return. */
int main(int argc, char **argv)
{
    const bool threads = argc == 1;
    int provided;
    MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
                    &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!threads)
        mistakes();
    else if (provided == MPI_THREAD_MULTIPLE)
        in_threads();
    between_groups();
    return check_finish();
}
