/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPICH before 4.2, on UCX, closes its connections at the end of MPI_Finalize, and then
 * waits for the other ranks in a read from its process manager. A rank that closes
 * later needs answers from ranks that block in that read and give none: a deadlock.
 * Over TCP, with ranks that share cores, every other run hangs. (MPICH's own fix is to
 * drop the wait: pull request 6596.) So here the read from the process manager lets UCX
 * answer until there is something to read.
 */
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#define ENTRY __attribute__((visibility("default")))

/* Handles of UCX are pointers. */
ENTRY int ucp_worker_create(void *context, const void *parameters, void **made);
ENTRY void ucp_worker_destroy(void *destroyed);
ENTRY void *ucp_disconnect_nb(void *endpoint);

enum { PAUSE_MILLISECONDS = 1 };

static void *worker; /* MPICH's first, which its process manager's answers concern */
static unsigned (*progress)(void *worker);
static int manager;          /* descriptor of the process manager's socket */
static _Atomic bool closing; /* the worker's connections; all above is known then */
static ssize_t (*next_read)(int descriptor, void *buffer, size_t size);

/* As early as possible: a signal handler may read, and must not look up symbols. */
__attribute__((constructor)) static void find_read(void)
{
    *(void **)&next_read = dlsym(RTLD_NEXT, "read");
}

/* UCX's function of that name. If Python or others load it privately, it is not the
   next one, but visible to their MPI, the caller. */
static void *find_next(const char *name, const void *caller)
{
    Dl_info place;
    void *function = dlsym(RTLD_NEXT, name);
    if (function || !dladdr(caller, &place))
        return function;
    void *user = dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    function = user ? dlsym(user, name) : NULL;
    if (user)
        dlclose(user);
    return function;
}

/* Programs may use UCX for themselves, too, and in threads of their own. */
static bool is_mpi(const void *caller)
{
    Dl_info place, mpi;
    const void *function = dlsym(RTLD_DEFAULT, "PMPI_Init");
    return function && dladdr(function, &mpi) && dladdr(caller, &place) &&
           place.dli_fbase == mpi.dli_fbase;
}

int ucp_worker_create(void *context, const void *parameters, void **made)
{
    const void *caller = __builtin_return_address(0);
    int (*next)(void *, const void *, void **);
    *(void **)&next = find_next("ucp_worker_create", caller);
    const int status = next(context, parameters, made);
    if (status == 0 && !worker && is_mpi(caller)) {
        *(void **)&progress = find_next("ucp_worker_progress", caller);
        worker = *made;
    }
    return status;
}

void ucp_worker_destroy(void *destroyed)
{
    void (*next)(void *);
    *(void **)&next = find_next("ucp_worker_destroy", __builtin_return_address(0));
    if (destroyed == worker) {
        closing = false;
        worker = NULL;
    }
    next(destroyed);
}

void *ucp_disconnect_nb(void *endpoint)
{
    const void *caller = __builtin_return_address(0);
    void *(*next)(void *);
    *(void **)&next = find_next("ucp_disconnect_nb", caller);
    const char *descriptor = getenv("PMI_FD");
    if (!closing && worker && progress && descriptor && is_mpi(caller)) {
        manager = (int)strtol(descriptor, NULL, 10);
        closing = true;
    }
    return next(endpoint);
}

/* A signal must not stop this: a rank in the read would no longer answer. */
static void answer_until_readable(int descriptor)
{
    struct pollfd answer = {.fd = descriptor, .events = POLLIN};
    int found;
    while ((found = poll(&answer, 1, PAUSE_MILLISECONDS)) == 0 ||
           (found < 0 && errno == EINTR))
        progress(worker);
}

ENTRY ssize_t read(int fd, void *buf, size_t nbytes)
{
    if (closing && fd == manager)
        answer_until_readable(fd);
    if (!next_read)
        find_read();
    return next_read(fd, buf, nbytes);
}
