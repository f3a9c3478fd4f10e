/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions in threads, each on a communicator of its own; between groups; and behind
 * mistakes whose error handler does not return. */
#include "check.h"

#include <pthread.h>
#include <setjmp.h>
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

static void late_sums(MPI_Comm comm, uint64_t *state, int n)
{
    for (int i = 0; i < n; i++) {
        const uint32_t late = draw(state, (uint32_t)size), us = draw(state, 400);
        const int root = i % 5 ? 0 : (int)draw(state, (uint32_t)size);
        if (rank == (int)late)
            usleep(us);
        sum(comm, root, i);
    }
}

static void *run(void *argument)
{
    struct thread *thread = argument;
    uint64_t state = thread->number;
    if (rank == size - 1)
        usleep(1000000);
    late_sums(thread->comm, &state, 400);
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
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i].id, NULL);
        MPI_Comm_free(&threads[i].comm);
    }
}

/* Ranks of even numbers, and of odd, whose sum rank 0 gets. */
static void between_groups(void)
{
    MPI_Comm part, between;
    double mine[COUNT] = {rank}, all[COUNT] = {-1};
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &part);
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &between);
    const int odd = size / 2, root = rank % 2 || rank == 0 ? 0 : MPI_PROC_NULL;
    for (int i = 0; i < 200; i++)
        MPI_Reduce(mine, all, COUNT, MPI_DOUBLE, MPI_SUM, rank ? root : MPI_ROOT,
                   between);
    check(rank || all[0] == odd * odd, "the sum between groups is %g", all[0]);
    MPI_Comm_free(&between);
    MPI_Comm_free(&part);
}

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    longjmp(before, 1);
}

/* A rank makes a call of its own that is wrong, as if it had made none. */
static void mistakes(void)
{
    double mine[COUNT] = {0}, all[COUNT];
    uint64_t state = 3;
    MPI_Errhandler errhandler;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(handler, &errhandler);
    MPI_Comm_set_errhandler(comm, errhandler);
    for (int i = 0; i < 40; i++) {
        late_sums(comm, &state, 10);
        if (rank == i % size && setjmp(before) == 0) {
            MPI_Reduce(mine, all, COUNT, MPI_DATATYPE_NULL, MPI_SUM, 0, comm);
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
