/* SPDX-License-Identifier: BSD-3-Clause */
/* MPICH's mpiexec, Hydra. */
#include "launcher.h"

#include "cli/process/memory.h"
#include "places.h"

#include <string.h>

static const char *const executables[] = {"mpiexec", "mpiexec.hydra", "mpiexec.mpich",
                                          NULL};

static void write_hostfile(const struct mt_launch *launch, FILE *stream)
{
    mt_write_hosts(launch, ":", stream);
}

/* Pass settings to the ranks, but not to mpiexec. */
static void pass_settings_on(struct mt_job *job)
{
    for (int i = 0; job->settings && job->settings[i]; i++) {
        const char *setting = job->settings[i];
        const int length = (int)strcspn(setting, "=");
        mt_words_add(&job->argv, "-genv");
        mt_words_add(&job->argv, "%.*s", length, setting);
        mt_words_add(&job->argv, "%s", setting + length + 1);
    }
}

/* Hydra binds all ranks to equally many cores: no configuration has others
   (mt_configuration_check()). */
static void bind_ranks(const struct mt_launch *launch, int threads, struct mt_job *job)
{
    const enum mt_bind bind = mt_launch_bind(launch);
    if (mt_asked_bind(launch) == MT_BIND_DEFAULT) /* which Hydra does not do */
        return;
    mt_words_add(&job->argv, "-bind-to");
    if (bind == MT_BIND_CORE)
        mt_words_add(&job->argv, "%s:%d",
                     mt_uses_hyperthreads(launch) ? "hwthread" : "core", threads);
    else
        mt_words_add(&job->argv, "%s", mt_bind_name(bind));
}

/* Add the command of a block's ranks. */
static int add_ranks(const struct mt_launch *launch, const struct mt_rank_block *block,
                     char *const *command, struct mt_job *job, struct mt_error *err)
{
    if (mt_tells_threads(launch)) {
        mt_words_add_all(&job->argv, "-env", "OMP_NUM_THREADS", NULL);
        mt_words_add(&job->argv, "%d", block->threads);
    }
    return mt_add_program(&job->argv, launch, block, command, err);
}

static int build(const struct mt_launch *launch, const char *hostfile,
                 char *const *command, struct mt_job *job, struct mt_error *err)
{
    const char *shell = launch->cluster->remote_shell;
    struct mt_rank_block blocks[MT_MAX_GROUPS];
    const int nblocks = mt_rank_blocks(blocks, launch);

    int status = MT_OK;
    mt_words_add_all(&job->argv, "-f", hostfile, NULL);
    bind_ranks(launch, blocks[0].threads, job);
    mt_add_count(job, "-n", blocks[0].ranks);
    if (shell)
        mt_words_add_all(&job->argv, "-launcher", "ssh", "-launcher-exec", shell, NULL);
    pass_settings_on(job);
    if (job->library) /* not to mpiexec */
        mt_words_add_all(&job->argv, "-genv", "LD_PRELOAD", job->library, NULL);
    if (job->balance)
        mt_words_add_all(&job->argv, "-genv", "MOTLEY_BALANCE", job->balance, NULL);
    for (int i = 0; i < nblocks && status == MT_OK; i++) {
        if (i > 0) {
            mt_words_add(&job->argv, ":");
            mt_add_count(job, "-n", blocks[i].ranks);
        }
        status = add_ranks(launch, &blocks[i], command, job, err);
    }
    return status;
}

const struct mt_launcher_ops mt_launcher_mpich = {
    .name = "mpich",
    .executables = executables,
    .version_mark = "HYDRA", /* MPICH's process manager */
    .package = "mpich",
    .apps = "mpich",
    .write_hostfile = write_hostfile,
    .build = build,
};
