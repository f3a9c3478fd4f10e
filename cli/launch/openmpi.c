/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher.h"

#include "lib/base/argv.h"
#include "places.h"

#include <unistd.h>

static const char *const executables[] = {"mpirun", "mpiexec", "mpirun.openmpi", NULL};

/* Ranks that have not equally many threads are bound one by one. A single thread is
   bound, or not, as Open MPI does it. */
static bool needs_rankfile(const struct mt_launch *launch)
{
    const enum mt_bind bind = mt_launch_bind(launch);
    return (bind == MT_BIND_DEFAULT || bind == MT_BIND_CORE) &&
           !mt_has_equal_threads(launch);
}

static int write_hostfile(const struct mt_launch *launch, FILE *stream,
                          struct mt_error *err)
{
    (void)err;
    if (needs_rankfile(launch))
        mt_write_rankfile(launch, stream);
    else
        mt_write_hosts(launch, " slots=", stream);
    return MT_OK;
}

/* To the ranks, wherever they are, and not to mpirun. */
static int pass_settings_on(struct mt_job *job, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; status == MT_OK && job->settings && job->settings[i]; i++)
        status = mt_argv_add_all(&job->argv, err, "-x", job->settings[i], NULL);
    return status;
}

static int pass_library_on(struct mt_job *job, struct mt_error *err)
{
    int status = mt_argv_add(&job->argv, err, "-x");
    if (status == MT_OK)
        status = mt_argv_add(&job->argv, err, "LD_PRELOAD=%s", job->library);
    if (status == MT_OK && job->balance)
        status = mt_argv_add(&job->argv, err, "-x");
    if (status == MT_OK && job->balance)
        status = mt_argv_add(&job->argv, err, "MOTLEY_BALANCE=%s", job->balance);
    return status;
}

/* Where the ranks go, and which cores they get. */
static int place(const struct mt_launch *launch, const char *hostfile, int threads,
                 struct mt_job *job, struct mt_error *err)
{
    const enum mt_bind bind = mt_launch_bind(launch);
    const bool by_core = bind == MT_BIND_CORE || (!bind && threads > 1);
    int status = MT_OK;
    if (needs_rankfile(launch))
        status = mt_argv_add_all(&job->argv, err, "--rankfile", hostfile, NULL);
    else
        status =
            mt_argv_add_all(&job->argv, err, "--hostfile", hostfile, "--map-by", NULL);
    if (status == MT_OK && !needs_rankfile(launch))
        status = by_core && threads > 1
                     ? mt_argv_add(&job->argv, err, "slot:PE=%d", threads)
                     : mt_argv_add(&job->argv, err, "slot");
    if (status == MT_OK && by_core && !needs_rankfile(launch))
        status =
            mt_argv_add_all(&job->argv, err, "--bind-to",
                            mt_uses_hyperthreads(launch) ? "hwthread" : "core", NULL);
    if (status == MT_OK && bind == MT_BIND_NUMA)
        status = mt_argv_add_all(&job->argv, err, "--bind-to", "numa", NULL);
    if (status == MT_OK && mt_uses_hyperthreads(launch))
        status = mt_argv_add(&job->argv, err, "--use-hwthread-cpus");
    return status;
}

/* The ranks of a block, and what they run. */
static int add_ranks(const struct mt_launch *launch, const struct mt_rank_block *block,
                     char *const *command, struct mt_job *job, struct mt_error *err)
{
    int status = MT_OK;
    if (mt_tells_threads(launch))
        status = mt_argv_add(&job->argv, err, "-x");
    if (status == MT_OK && mt_tells_threads(launch))
        status = mt_argv_add(&job->argv, err, "OMP_NUM_THREADS=%d", block->threads);
    if (status == MT_OK)
        status = pass_settings_on(job, err);
    if (status == MT_OK && job->library)
        status = pass_library_on(job, err);
    return status == MT_OK ? mt_add_program(&job->argv, launch, block, command, err)
                           : status;
}

static int add_count(int ranks, struct mt_job *job, struct mt_error *err)
{
    const int status = mt_argv_add(&job->argv, err, "-np");
    return status == MT_OK ? mt_argv_add(&job->argv, err, "%d", ranks) : status;
}

static int build(const struct mt_launch *launch, const char *hostfile,
                 char *const *command, struct mt_job *job, struct mt_error *err)
{
    const char *shell = launch->cluster->remote_shell;
    struct mt_rank_block blocks[MT_MAX_GROUPS];
    const int nblocks = mt_rank_blocks(blocks, launch);

    int status = nblocks > 1 ? mt_check_words(command, err) : MT_OK;
    if (status == MT_OK)
        status = place(launch, hostfile, blocks[0].threads, job, err);
    if (status == MT_OK)
        status = add_count(blocks[0].ranks, job, err);
    /* Open MPI takes the slots at their word, and binds a rank of up to two to a core.
       The nodes of a testbed see all processors of this machine, each as its own. */
    if (status == MT_OK && mt_oversubscribed(launch->cluster, launch->configuration))
        status = mt_argv_add_all(&job->argv, err, "--oversubscribe", "--bind-to",
                                 "none", "--mca", "mpi_yield_when_idle", "1", NULL);
    else if (status == MT_OK && mt_launch_bind(launch) == MT_BIND_NONE)
        status = mt_argv_add_all(&job->argv, err, "--bind-to", "none", NULL);
    /* Not by a scheduler, then, but by what is called rsh until Open MPI 4, ssh since.
     */
    if (status == MT_OK && shell)
        status = mt_argv_add_all(&job->argv, err, "--mca", "plm", "^slurm,tm,lsf,alps",
                                 "--mca", "plm_rsh_agent", shell, NULL);
    for (int i = 0; i < nblocks && status == MT_OK; i++) {
        if (i > 0)
            status = mt_argv_add(&job->argv, err, ":");
        if (i > 0 && status == MT_OK)
            status = add_count(blocks[i].ranks, job, err);
        if (status == MT_OK)
            status = add_ranks(launch, &blocks[i], command, job, err);
    }
    if (status == MT_OK && geteuid() == 0) /* it refuses root unless asked twice */
        status = mt_argv_add_all(&job->env, err, "OMPI_ALLOW_RUN_AS_ROOT=1",
                                 "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", NULL);
    return status;
}

const struct mt_launcher_ops mt_launcher_openmpi = {
    .name = "openmpi",
    .executables = executables,
    .version_mark = "open-mpi.org",
    .package = "openmpi-bin",
    .apps = "openmpi",
    .write_hostfile = write_hostfile,
    .build = build,
};
