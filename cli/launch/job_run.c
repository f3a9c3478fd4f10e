/* SPDX-License-Identifier: BSD-3-Clause */
#include "job_run.h"

int mt_job_run(const struct mt_job *job, struct mt_process *process, int *interrupted,
               struct mt_error *err)
{
    struct mt_watch watch;
    process->argv = job->argv;
    process->env = job->env;
    process->queue.words = job->queue;
    int status = mt_watch_begin(&watch, err);
    if (status != MT_OK)
        return status;
    status = mt_process_start(process, err);
    while (status == MT_OK && !process->ended) {
        status = mt_watch_wait(&watch, &process, 1, process->timeout, err);
        if ((watch.interrupted || status != MT_OK) && !process->ended)
            mt_process_stop(process);
    }
    mt_watch_end(&watch);
    *interrupted = watch.interrupted;
    return status;
}
