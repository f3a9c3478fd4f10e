/* SPDX-License-Identifier: BSD-3-Clause */
/* Open MPI's mpirun. */
#include "launcher.h"

#include "cli/process/memory.h"
#include "lib/input/internal.h"
#include "places.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static const char *const executables[] = {"mpirun", "mpiexec", "mpirun.openmpi", NULL};

/* Ranks with different numbers of threads are bound one by one. For a single thread,
   Open MPI's default applies. */
static bool needs_rankfile(const struct mt_launch *launch)
{
    const enum mt_bind bind = mt_launch_bind(launch);
    struct mt_rank_block blocks[MT_MAX_GROUPS];
    const int count = mt_rank_blocks(blocks, launch);
    bool equal = true;
    for (int i = 1; i < count; i++)
        equal = equal && blocks[i].threads == blocks[0].threads;
    return (bind == MT_BIND_DEFAULT || bind == MT_BIND_CORE) && !equal;
}

/* Bind each rank to as many cores of its own as it has threads, from the node's first
   core on. */
static void write_rankfile(const struct mt_launch *launch, FILE *stream)
{
    int rank = 0;
    for (int g = 0; g < launch->cluster->ngroups; g++) {
        const struct mt_use use = launch->configuration->use[g];
        const int threads = mt_layout_threads(use.layout);
        for (int i = 0; i < use.nodes * use.layout.processes; i++) {
            const int first = i % use.layout.processes * threads;
            fprintf(stream, "rank %d=%s slot=%d", rank++,
                    launch->cluster->groups[g].hosts[i / use.layout.processes], first);
            if (threads > 1)
                fprintf(stream, "-%d", first + threads - 1);
            fputc('\n', stream);
        }
    }
}

static void write_hostfile(const struct mt_launch *launch, FILE *stream)
{
    if (needs_rankfile(launch))
        write_rankfile(launch, stream);
    else
        mt_write_hosts(launch, " slots=", stream);
}

/* Add the placement and binding of the ranks. */
static void place(const struct mt_launch *launch, const char *hostfile, int threads,
                  struct mt_job *job)
{
    const enum mt_bind bind = mt_launch_bind(launch);
    const bool by_core = bind == MT_BIND_CORE || (!bind && threads > 1);
    if (needs_rankfile(launch)) {
        mt_words_add_all(&job->argv, "--rankfile", hostfile, NULL);
    } else {
        mt_words_add_all(&job->argv, "--hostfile", hostfile, "--map-by", NULL);
        if (by_core && threads > 1)
            mt_words_add(&job->argv, "slot:PE=%d", threads);
        else
            mt_words_add(&job->argv, "slot");
        if (by_core)
            mt_words_add_all(&job->argv, "--bind-to",
                             mt_uses_hyperthreads(launch) ? "hwthread" : "core", NULL);
    }
    if (bind == MT_BIND_NUMA)
        mt_words_add_all(&job->argv, "--bind-to", "numa", NULL);
    if (mt_uses_hyperthreads(launch))
        mt_words_add(&job->argv, "--use-hwthread-cpus");
}

/* A variable of the ranks; NULL: it is not set. */
static void pass_on(char ***argv, const char *name, const char *value)
{
    if (!value)
        return;
    mt_words_add(argv, "-x");
    mt_words_add(argv, "%s=%s", name, value);
}

/* Add the ranks of a block: their command, and their environment, which mpirun itself
   does not get. */
static int add_ranks(const struct mt_launch *launch, const struct mt_rank_block *block,
                     char *const *command, struct mt_job *job, struct mt_error *err)
{
    char ***argv = &job->argv;
    if (mt_tells_threads(launch)) {
        mt_words_add(argv, "-x");
        mt_words_add(argv, "OMP_NUM_THREADS=%d", block->threads);
    }
    for (int i = 0; job->settings && job->settings[i]; i++)
        mt_words_add_all(argv, "-x", job->settings[i], NULL);
    pass_on(argv, "LD_PRELOAD", job->library);
    if (job->library)
        pass_on(argv, "MOTLEY_BALANCE", job->balance);
    return mt_add_program(argv, launch, block, command, err);
}

static int build(const struct mt_launch *launch, const char *hostfile,
                 char *const *command, struct mt_job *job, struct mt_error *err)
{
    const char *shell = launch->cluster->remote_shell;
    struct mt_rank_block blocks[MT_MAX_GROUPS];
    const int nblocks = mt_rank_blocks(blocks, launch);

    int status = MT_OK;
    place(launch, hostfile, blocks[0].threads, job);
    mt_add_count(job, "-np", blocks[0].ranks);
    /* Open MPI trusts the slots, and binds up to two ranks to cores. Each node of a
       testbed sees all processors of this machine as its own. */
    if (mt_oversubscribed(launch->cluster, launch->configuration))
        mt_words_add_all(&job->argv, "--oversubscribe", "--bind-to", "none", "--mca",
                         "mpi_yield_when_idle", "1", NULL);
    else if (mt_launch_bind(launch) == MT_BIND_NONE)
        mt_words_add_all(&job->argv, "--bind-to", "none", NULL);
    /* Start by ssh, called rsh up to Open MPI 4, not by a scheduler. */
    if (shell)
        mt_words_add_all(&job->argv, "--mca", "plm", "^slurm,tm,lsf,alps", "--mca",
                         "plm_rsh_agent", shell, NULL);
    for (int i = 0; i < nblocks && status == MT_OK; i++) {
        if (i > 0) {
            mt_words_add(&job->argv, ":");
            mt_add_count(job, "-np", blocks[i].ranks);
        }
        status = add_ranks(launch, &blocks[i], command, job, err);
    }
    if (geteuid() == 0) /* it refuses root unless asked twice */
        mt_words_add_all(&job->env, "OMPI_ALLOW_RUN_AS_ROOT=1",
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
