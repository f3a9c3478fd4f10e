/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that broadcast at the same time, each on its own communicator. */
#include "check.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS = 3 };

struct thread {
    pthread_t id;
    uint64_t number;
    MPI_Comm comm;
};

static void bcasts(MPI_Comm comm, uint64_t *state, uint32_t n)
{
    char buffer[20000];
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t late = draw(state, (uint32_t)ranks), us = draw(state, 500);
        const int root = i % 3 == 2 ? (int)draw(state, (uint32_t)ranks) : 0;
        const int bytes = 1 + (int)draw(state, i % 5 == 0 ? sizeof buffer : 100);
        if (rank == (int)late)
            usleep(us);
        check_bcast(buffer, bytes, root, comm, i);
    }
}

static void *run(void *argument)
{
    struct thread *thread = argument;
    uint64_t state = thread->number;
    bcasts(thread->comm, &state, 150);
    for (int i = 0; i < 5; i++) {
        MPI_Comm dup;
        MPI_Comm_dup(thread->comm, &dup);
        bcasts(dup, &state, 10);
        MPI_Comm_free(&dup);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        puts("no threads");
        return check_finish();
    }
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
    return check_finish();
}
