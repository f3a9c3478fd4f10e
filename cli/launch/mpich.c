/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher.h"

#include "lib/base/argv.h"
#include "places.h"

#include <string.h>

static const char *const executables[] = {"mpiexec", "mpiexec.hydra", "mpiexec.mpich",
                                          NULL};

static int write_hostfile(const struct mt_launch *launch, FILE *stream,
                          struct mt_error *err)
{
    (void)err;
    mt_write_hosts(launch, ":", stream);
    return MT_OK;
}

/* To the ranks, and not to mpiexec. */
static int pass_settings_on(struct mt_job *job, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; status == MT_OK && job->settings && job->settings[i]; i++) {
        const char *setting = job->settings[i];
        const int length = (int)strcspn(setting, "=");
        status = mt_argv_add(&job->argv, err, "-genv");
        if (status == MT_OK)
            status = mt_argv_add(&job->argv, err, "%.*s", length, setting);
        if (status == MT_OK)
            status = mt_argv_add(&job->argv, err, "%s", setting + length + 1);
    }
    return status;
}

/* Hydra binds all ranks to equally many cores: no configuration has others
   (mt_configuration_check()). */
static int bind_ranks(const struct mt_launch *launch, int threads, struct mt_job *job,
                      struct mt_error *err)
{
    const enum mt_bind bind = mt_launch_bind(launch);
    int status = MT_OK;
    if (mt_asked_bind(launch) == MT_BIND_DEFAULT) /* which Hydra does not do */
        return MT_OK;
    status = mt_argv_add(&job->argv, err, "-bind-to");
    if (status == MT_OK)
        status = bind == MT_BIND_CORE
                     ? mt_argv_add(&job->argv, err, "%s:%d",
                                   mt_uses_hyperthreads(launch) ? "hwthread" : "core",
                                   threads)
                     : mt_argv_add(&job->argv, err, "%s", mt_bind_name(bind));
    return status;
}

static int add_count(int ranks, struct mt_job *job, struct mt_error *err)
{
    const int status = mt_argv_add(&job->argv, err, "-n");
    return status == MT_OK ? mt_argv_add(&job->argv, err, "%d", ranks) : status;
}

/* What the ranks of a block run. */
static int add_ranks(const struct mt_launch *launch, const struct mt_rank_block *block,
                     char *const *command, struct mt_job *job, struct mt_error *err)
{
    int status = MT_OK;
    if (mt_tells_threads(launch))
        status = mt_argv_add_all(&job->argv, err, "-env", "OMP_NUM_THREADS", NULL);
    if (status == MT_OK && mt_tells_threads(launch))
        status = mt_argv_add(&job->argv, err, "%d", block->threads);
    return status == MT_OK ? mt_add_program(&job->argv, launch, block, command, err)
                           : status;
}

static int build(const struct mt_launch *launch, const char *hostfile,
                 char *const *command, struct mt_job *job, struct mt_error *err)
{
    const char *shell = launch->cluster->remote_shell;
    struct mt_rank_block blocks[MT_MAX_GROUPS];
    const int nblocks = mt_rank_blocks(blocks, launch);

    int status = nblocks > 1 ? mt_check_words(command, err) : MT_OK;
    if (status == MT_OK)
        status = mt_argv_add_all(&job->argv, err, "-f", hostfile, NULL);
    if (status == MT_OK)
        status = bind_ranks(launch, blocks[0].threads, job, err);
    if (status == MT_OK)
        status = add_count(blocks[0].ranks, job, err);
    if (status == MT_OK && shell)
        status = mt_argv_add_all(&job->argv, err, "-launcher", "ssh", "-launcher-exec",
                                 shell, NULL);
    if (status == MT_OK)
        status = pass_settings_on(job, err);
    if (status == MT_OK && job->library) /* not to mpiexec */
        status =
            mt_argv_add_all(&job->argv, err, "-genv", "LD_PRELOAD", job->library, NULL);
    if (status == MT_OK && job->balance)
        status = mt_argv_add_all(&job->argv, err, "-genv", "MOTLEY_BALANCE",
                                 job->balance, NULL);
    for (int i = 0; i < nblocks && status == MT_OK; i++) {
        if (i > 0)
            status = mt_argv_add(&job->argv, err, ":");
        if (i > 0 && status == MT_OK)
            status = add_count(blocks[i].ranks, job, err);
        if (status == MT_OK)
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
