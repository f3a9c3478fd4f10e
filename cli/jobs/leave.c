/* SPDX-License-Identifier: BSD-3-Clause */
#include "leave.h"

#include "cli/common/ask.h"
#include "cli/launch/queue.h"
#include "cli/process/folders.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* That a job which is cancelled may take to end. */
enum { MOST_SECONDS = 10 };

/* The folders of their runs, which those of them write into that have not ended. */
static void remove_run_folders(const struct mt_handed_list *list)
{
    for (int i = 0; i < list->count; i++) {
        char *folder = mt_handed_run_folder(&list->jobs[i]);
        if (!folder)
            continue;
        struct mt_queued job = {.job = list->jobs[i].job, .state = MT_QUEUE_RUNNING};
        for (int seconds = 0; seconds < MOST_SECONDS; seconds++) {
            if (mt_queue_look(&job, 1, NULL) != MT_OK || job.state != MT_QUEUE_RUNNING)
                break;
            sleep(1);
        }
        mt_folder_remove(folder);
        free(folder);
    }
}

static int cancel_all(struct mt_handed_list *list, struct mt_error *err)
{
    const int count = list->count;
    long *jobs = calloc((size_t)count, sizeof *jobs);
    if (!jobs)
        return mt_fail(err, MT_ENOMEM, "no memory for %d jobs", count);
    for (int i = 0; i < count; i++)
        jobs[i] = list->jobs[i].job;
    const int status = mt_queue_cancel(jobs, count, err);
    free(jobs);
    if (status == MT_OK)
        remove_run_folders(list);
    while (status == MT_OK && list->count > 0)
        mt_handed_remove(list, list->count - 1);
    if (status == MT_OK)
        fprintf(stderr, "motley: %d job%s cancelled\n", count,
                count == 1 ? " was" : "s were");
    return status;
}

void mt_leave_tell(const struct mt_handed_list *list)
{
    const int count = list->count;
    if (count > 0)
        fprintf(
            stderr,
            "motley: %d job%s in Slurm's queue; the next 'motley measure', 'run' or "
            "'plan' of this cluster and program keeps what has ended by then\n",
            count, count == 1 ? " stays" : "s stay");
}

int mt_leave_jobs(struct mt_handed_list *list, bool cancel, struct mt_error *err)
{
    const int count = list->count;
    if (count == 0)
        return MT_OK;
    if (cancel || mt_ask("%d job%s in Slurm's queue: cancel %s", count,
                         count == 1 ? " is" : "s are", count == 1 ? "it" : "them"))
        return cancel_all(list, err);
    mt_leave_tell(list);
    return MT_OK;
}

/* A node may come back at once, as after it was started again; later, when the queue is
   looked at less often, these are minutes. */
bool mt_leave_in_vain(const struct mt_handed_list *list)
{
    enum { LOOKS = 5 };
    for (int i = 0; i < list->count; i++)
        if (list->jobs[i].vain < LOOKS)
            return false;
    return list->count > 0;
}

int mt_leave_vain_jobs(struct mt_handed_list *list, bool cancel,
                       const struct mt_cluster *cluster, struct mt_error *err)
{
    const struct mt_handed *first = &list->jobs[0];
    struct mt_error why;
    char *text = mt_configuration_format(&first->task.configuration, cluster);
    mt_fail(&why, MT_EINFEASIBLE, "job %ld (%.80s, N = %.15g) %s", first->job,
            text ? text : "?", first->task.size, first->told);
    free(text);
    const int status = mt_leave_jobs(list, cancel, err);
    if (status != MT_OK)
        return status;
    return mt_fail(err, MT_EINFEASIBLE,
                   list->count > 0
                       ? "%s, which does not pass by itself; give the same command "
                         "again when it has, or with --cancel to take the job out of "
                         "the queue"
                       : "%s, which would not have passed by itself",
                   why.text);
}
