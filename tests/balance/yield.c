/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preloaded under MPICH, whose ranks do not give up the processor while they wait: with
 * more ranks than processors a test would take ten times as long. UCX's progress engine
 * is where they wait.
 */
#include <dlfcn.h>
#include <sched.h>

unsigned ucp_worker_progress(void *worker);
unsigned ucp_worker_progress(void *worker)
{
    unsigned (*progress)(void *);
    *(void **)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
    const unsigned events = progress(worker);
    if (events == 0)
        sched_yield();
    return events;
}
