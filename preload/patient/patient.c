/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libmotley-patient.so - preloaded into an MPI program (LD_PRELOAD), it makes waiting
 * ranks yield their core to others that want it. It intercepts the functions with which
 * an MPI polls in any call: Open MPI's opal_progress(), the sched_yield() that it calls
 * when it has found nothing to do, and UCX's ucp_worker_progress(), with which MPICH
 * polls. It does not touch the MPI's calls.
 */
#include "patience.h"

#include "lib/base/cores.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ENTRY __attribute__((visibility("default")))
ENTRY void opal_progress(void);
ENTRY unsigned ucp_worker_progress(void *worker);

static __thread struct patience patience;

static struct thread_use get_use(void);
static bool has_quota(void);
static struct patience_system linux_system = {.get_use = get_use,
                                              .has_quota = has_quota};

/* Open MPI and Intel MPI ask for it in MPI_Init; other programs do not. */
__attribute__((constructor)) static void begin(void)
{
    const char *wanted = getenv("MOTLEY_PATIENT");
    linux_system.always = wanted && strcmp(wanted, "always") == 0;
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 1);
    setenv("I_MPI_THREAD_YIELD", "2", 0); /* by sched_yield(), unless told otherwise */
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static int64_t nanoseconds(struct timeval time)
{
    return time.tv_sec * INT64_C(1000000000) + time.tv_usec * INT64_C(1000);
}

static struct thread_use get_use(void)
{
    struct rusage usage = {.ru_nvcsw = 0};
    getrusage(RUSAGE_THREAD, &usage);
    return (struct thread_use){
        .processor = nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime),
        .waits = usage.ru_nvcsw,
    };
}

static bool has_quota(void)
{
    enum { UNKNOWN, NO, YES };
    static _Atomic int known = UNKNOWN;
    struct mt_quota quota;
    if (known == UNKNOWN)
        known = mt_quota_find(&quota, 1, "/proc/self") > 0 ? YES : NO;
    return known == YES;
}

/* The kernel may lengthen a sleep, by default by 50 us. */
static void sleep_for(int64_t length)
{
    static __thread bool exact;
    if (!exact)
        prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
    exact = true;
    nanosleep(&(struct timespec){.tv_nsec = length}, NULL);
}

static void found(bool something)
{
    if (something) {
        patience_end(&patience);
        return;
    }
    const int64_t length = patience_length(&patience, now(), &linux_system);
    if (length == PATIENCE_YIELD) {
        syscall(SYS_sched_yield);
        patience_yielded(&patience, now(), &linux_system);
    } else if (length > 0) {
        sleep_for(length);
        patience_slept(&patience, now());
    }
}

/* The next function of that name after ours. Python and others load their MPI
   privately, so it is not among the next ones, but visible to `caller`. */
static void *find(const char *name, const void *caller)
{
    Dl_info place;
    void *function = dlsym(RTLD_NEXT, name);
    void *user = !function && dladdr(caller, &place)
                     ? dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
                     : NULL;
    if (user) {
        function = dlsym(user, name);
        dlclose(user);
    }
    return function;
}

/* Whether this thread is in opal_progress(), which has found nothing. */
static __thread bool progressing, idle;

void opal_progress(void)
{
    static void (*progress)(void);
    if (!progress)
        *(void **)&progress = find("opal_progress", __builtin_return_address(0));
    const bool outermost = !progressing;
    progressing = true;
    idle = false;
    if (progress)
        progress();
    if (outermost) {
        progressing = false;
        found(!idle);
    }
}

ENTRY int sched_yield(void)
{
    idle = progressing;
    return idle ? 0 : (int)syscall(SYS_sched_yield);
}

unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*progress)(void *);
    if (!progress)
        *(void **)&progress = find("ucp_worker_progress", __builtin_return_address(0));
    const unsigned events = progress ? progress(worker) : 0;
    if (!progressing) /* Open MPI may use UCX, too */
        found(events > 0);
    return events;
}
