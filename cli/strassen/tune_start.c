/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune.h"

#include "cli/launch/job.h"
#include "cli/process/folders.h"
#include "cli/process/process.h"

#include <stdlib.h>
#include <string.h>

/* Large products, a few hundred of them. */
static const double timeout_seconds = 1800;

int mt_tune_here(char *const *command, FILE *output, struct mt_error *err)
{
    FILE *nothing = fopen("/dev/null", "re");
    if (!nothing)
        return mt_fail(err, MT_EIO, "/dev/null cannot be read");
    const int status = mt_child_run(command, nothing, output, NULL, err);
    fclose(nothing);
    return status;
}

/* One process on the first node of each group. */
static int make_job(struct mt_job *job, char **command,
                    const struct mt_cluster *cluster, const char *folder,
                    struct mt_error *err)
{
    char name[] = "motley-tune";
    const struct mt_program program = {.name = name, .command = command};
    struct mt_configuration firsts = {0};
    for (int g = 0; g < cluster->ngroups; g++)
        firsts.use[g] = (struct mt_use){1, 1};
    const struct mt_launch launch = {.cluster = cluster,
                                     .program = &program,
                                     .configuration = &firsts,
                                     .size = 1,
                                     .folder = folder};
    return mt_job_make(job, &launch, err);
}

/* Of what launchers and motley-tune say, its own words tell why. */
static int explain(const struct mt_process *process, struct mt_error *err)
{
    char *text = mt_output_text(&process->output), *rest = text;
    const char *last = NULL;
    for (char *line; (line = strsep(&rest, "\n"));)
        if (!strncmp(line, "motley-tune: ", strlen("motley-tune: ")) ||
            (!last && line[0]))
            last = line;
    mt_fail(err, MT_EIO, "motley-tune failed on the nodes%s%.200s",
            process->timed_out ? ": it took too long"
            : last             ? ": "
                               : "",
            last && !process->timed_out ? last : "");
    free(text);
    return MT_EIO;
}

static int run_and_keep(const struct mt_job *job, struct mt_process *process,
                        FILE *output, int *interrupted, struct mt_error *err)
{
    process->echo = fileno(output);
    process->timeout = timeout_seconds;
    const int status = mt_job_run(job, process, interrupted, err);
    if (status != MT_OK || *interrupted != 0)
        return status;
    if (process->timed_out || process->signal != 0 || process->exit_code != 0)
        return explain(process, err);
    return MT_OK;
}

int mt_tune_nodes(char **command, const struct mt_cluster *cluster, FILE *output,
                  int *interrupted, struct mt_error *err)
{
    struct mt_job job = {0};
    char *folder = NULL;
    struct mt_process *process = calloc(1, sizeof *process);
    if (!process)
        return mt_fail(err, MT_ENOMEM, "no memory for a process");
    int status = mt_scratch_make(&folder, err);
    if (status == MT_OK)
        status = make_job(&job, command, cluster, folder, err);
    if (status == MT_OK)
        status = run_and_keep(&job, process, output, interrupted, err);
    mt_job_clear(&job);
    mt_scratch_remove(folder);
    free(process);
    return status;
}
