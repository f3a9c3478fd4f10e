/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preloaded under MPICH, whose ranks do not give up the processor while they wait: with
 * more ranks than processors a test would take ten times as long. UCX's progress engine
 * is where they wait; those that do so for long sleep a little.
 */
#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>

enum { LOOKS = 300, NAP_US = 50 };

unsigned ucp_worker_progress(void *worker);
unsigned ucp_worker_progress(void *worker)
{
    static _Thread_local int idle;
    unsigned (*progress)(void *);
    *(void **)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
    const unsigned events = progress(worker);
    idle = events == 0 ? idle + 1 : 0;
    if (idle > LOOKS)
        usleep(NAP_US);
    else if (idle > 0)
        sched_yield();
    return events;
}
