/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * While the error handlers of a communicator are changed for the moment of a look, no
 * other thread sees or changes them. Linked so that pthread_mutex_lock is the one
 * below: it counts, and sees what is done under the lock.
 */
#include "preload/wait/handlers.h"

#include <pthread.h>
#include <stdio.h>

/* The linker's names. NOLINTBEGIN(bugprone-reserved-identifier) */
int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __real_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);
/* NOLINTEND(bugprone-reserved-identifier) */

static int locked, locks, failures;
static MPI_Comm comm;

static void check(bool holds, const char *what)
{
    failures += !holds;
    if (!holds)
        fprintf(stderr, "not so: %s\n", what);
}

static bool returns_errors(void)
{
    MPI_Errhandler handler;
    MPI_Comm_get_errhandler(comm, &handler);
    const bool returns = handler == MPI_ERRORS_RETURN;
    MPI_Errhandler_free(&handler);
    return returns;
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
    check(locked == 0 && !returns_errors(), "the handlers are changed under the lock");
    locks++;
    locked++;
    return __real_pthread_mutex_lock(mutex);
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    check(!returns_errors(), "they are put back under the lock");
    locked--;
    return __real_pthread_mutex_unlock(mutex);
}

static void on_error(MPI_Comm *on, int *code, ...)
{
    (void)on, (void)code;
}

int main(int argc, char **argv)
{
    MPI_Errhandler own;
    struct handlers held;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(on_error, &own);
    MPI_Comm_set_errhandler(comm, own);

    check(handlers_differ(comm), "a handler of the program's differs");
    check(locks == 1 && locked == 0, "who reads the handlers takes the lock for that");
    handlers_hold(&held, comm);
    check(locks == 2 && locked == 1, "who holds the handlers holds the lock");
    check(returns_errors(), "errors are returned while the handlers are held");
    handlers_release(&held, comm);
    check(locked == 0, "who lets go of the handlers lets go of the lock");
    check(!returns_errors(), "the program's handler is back");

    MPI_Errhandler_free(&own);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return failures > 0;
}
