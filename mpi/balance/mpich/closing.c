/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPICH before 4.2, on UCX, closes its connections at the end of MPI_Finalize, and then
 * waits for the other ranks in a read from its process manager. A rank that closes
 * later needs answers of those that are in that read, where nobody gives any: all wait
 * for ever. Over TCP, with ranks that share cores, that is every other run. (MPICH's
 * own remedy is to drop the wait: pull request 6596.)
 *
 * So here the read from the process manager lets UCX answer until there is something to
 * read.
 */
#include "../wrap.h"

#include <dlfcn.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

/* Handles of UCX are pointers. */
ENTRY int ucp_worker_create(void *context, const void *parameters, void **made);
ENTRY void ucp_worker_destroy(void *destroyed);
ENTRY void *ucp_disconnect_nb(void *endpoint);
ENTRY ssize_t read(int descriptor, void *buffer, size_t size);

enum { PAUSE_MILLISECONDS = 1 };

static void *worker; /* MPICH's first, which its process manager's answers concern */
static bool closing; /* the worker's connections */
static int manager;  /* descriptor of the process manager's socket */
static unsigned (*progress)(void *worker);
static ssize_t (*next_read)(int descriptor, void *buffer, size_t size);

/* As early as can be: a signal handler may read, and must not look for symbols. */
__attribute__((constructor)) static void find_read(void)
{
    *(void **)&next_read = dlsym(RTLD_NEXT, "read");
}

/* UCX's function of that name; Python and others load it where it is not the next. */
static void *find_next(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (function)
        return function;
    void *library = dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD);
    function = library ? dlsym(library, name) : NULL;
    if (library)
        dlclose(library);
    return function;
}

int ucp_worker_create(void *context, const void *parameters, void **made)
{
    int (*next)(void *, const void *, void **);
    *(void **)&next = find_next("ucp_worker_create");
    *(void **)&progress = find_next("ucp_worker_progress");
    const int status = next(context, parameters, made);
    if (status == 0 && !worker)
        worker = *made;
    return status;
}

void ucp_worker_destroy(void *destroyed)
{
    void (*next)(void *);
    *(void **)&next = find_next("ucp_worker_destroy");
    if (destroyed == worker) {
        worker = NULL;
        closing = false;
    }
    next(destroyed);
}

void *ucp_disconnect_nb(void *endpoint)
{
    void *(*next)(void *);
    *(void **)&next = find_next("ucp_disconnect_nb");
    const char *descriptor = getenv("PMI_FD");
    if (worker && progress && descriptor && !closing) {
        manager = atoi(descriptor);
        closing = true;
    }
    return next(endpoint);
}

ssize_t read(int descriptor, void *buffer, size_t size)
{
    if (closing && descriptor == manager) {
        struct pollfd answer = {.fd = descriptor, .events = POLLIN};
        while (poll(&answer, 1, PAUSE_MILLISECONDS) == 0)
            progress(worker);
    }
    if (!next_read)
        find_read();
    return next_read(descriptor, buffer, size);
}
