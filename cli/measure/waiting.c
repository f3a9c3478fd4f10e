/* SPDX-License-Identifier: BSD-3-Clause */
#include "waiting.h"

#include "cli/launch/queue.h"

#include <stdio.h>
#include <string.h>

/* The scheduler knows the reason a moment later; asking is work for it. */
static const double first_seconds = 2, next_seconds = 20;

static void give_up(struct mt_process *process, const struct mt_queued *job)
{
    struct mt_pending *pending = &process->pending;
    const bool nodes = strncmp(job->reason, "ReqNodeNotAvail", 15) == 0;
    pending->hopeless = pending->hopeless || nodes;
    pending->refused = pending->refused || !nodes;
    snprintf(pending->said, sizeof pending->said, "Slurm's job %ld waits in vain: %s",
             job->job, job->reason);
    mt_process_stop(process);
}

bool mt_waiting_look(struct mt_waiting *waiting, struct mt_process *process)
{
    const double now = mt_clock();
    struct mt_queued job = {0};
    if (!process->waits || process->pid == 0 || process->kill_at > 0 ||
        sscanf(process->pending.said, "srun: job %ld queued", &job.job) != 1)
        return false;
    if (waiting->began == 0)
        waiting->began = now;
    if (now < waiting->began + first_seconds ||
        (waiting->asked > 0 && now < waiting->asked + next_seconds))
        return false;
    waiting->asked = now;
    if (mt_queue_look(&job, 1, NULL) != MT_OK || job.state != MT_QUEUE_PENDING)
        return false;
    if (mt_queue_in_vain(&job))
        give_up(process, &job);
    char reason[sizeof waiting->reason];
    snprintf(reason, sizeof reason, "job %ld, %.90s", job.job, job.reason);
    if (strcmp(reason, waiting->reason) == 0)
        return false;
    snprintf(waiting->reason, sizeof waiting->reason, "%s", reason);
    return true;
}
