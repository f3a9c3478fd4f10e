/* SPDX-License-Identifier: BSD-3-Clause */
#include "handlers.h"

#include "yield.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void get(struct handlers *handlers, MPI_Comm comm)
{
    PMPI_Comm_get_errhandler(comm, &handlers->of_comm);
    PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &handlers->of_world);
}

static void forget(struct handlers *handlers)
{
    PMPI_Errhandler_free(&handlers->of_comm);
    PMPI_Errhandler_free(&handlers->of_world);
}

/* A handler of the program's is told the communicator. */
bool handlers_differ(MPI_Comm comm)
{
    if (comm == MPI_COMM_WORLD)
        return false;
    struct handlers handlers;
    pthread_mutex_lock(&lock); /* another thread may hold the program's */
    get(&handlers, comm);
    pthread_mutex_unlock(&lock);
    const bool differ = handlers.of_comm != handlers.of_world ||
                        (handlers.of_comm != MPI_ERRORS_ARE_FATAL &&
                         handlers.of_comm != MPI_ERRORS_RETURN);
    forget(&handlers);
    return differ;
}

void handlers_hold(struct handlers *held, MPI_Comm comm)
{
    pthread_mutex_lock(&lock);
    get(held, comm);
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
}

void handlers_release(struct handlers *held, MPI_Comm comm)
{
    PMPI_Comm_set_errhandler(comm, held->of_comm);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, held->of_world);
    forget(held);
    pthread_mutex_unlock(&lock);
}

int handlers_wait(MPI_Request *request, MPI_Comm comm, MPI_Status *status)
{
    if (!handlers_differ(comm))
        return yield_until_done(request, status);
    struct pause pause = {0};
    for (;;) {
        struct handlers held;
        int done = 0;
        handlers_hold(&held, comm);
        const int code = PMPI_Test(request, &done, status);
        handlers_release(&held, comm);
        if (code != MPI_SUCCESS)
            PMPI_Comm_call_errhandler(comm, code);
        if (code != MPI_SUCCESS || done)
            return code;
        yield_pause(&pause);
    }
}
