/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher.h"

#include "lib/base/argv.h"

#include <stdlib.h>

static const char *const executables[] = {"srun", NULL};

/* One line a rank: what srun reads for an arbitrary distribution. */
static int write_hostfile(const struct mt_launch *launch, FILE *stream,
                          struct mt_error *err)
{
    (void)err;
    for (int g = 0; g < launch->cluster->ngroups; g++) {
        const struct mt_use use = launch->configuration->use[g];
        for (int rank = 0; rank < use.nodes * use.processes; rank++)
            fprintf(stream, "%s\n",
                    launch->cluster->groups[g].hosts[rank / use.processes]);
    }
    return MT_OK;
}

/* Values of --export end at a comma, which MOTLEY_BALANCE may have: it goes by srun's
   own environment. */
static int pass_on(struct mt_job *job, struct mt_error *err)
{
    int status =
        mt_argv_add(&job->argv, err, "--export=ALL,LD_PRELOAD=%s", job->library);
    if (status == MT_OK)
        status = mt_argv_add(&job->env, err, "MOTLEY_BALANCE=%s", job->balance);
    return status;
}

/* srun takes the nodes from SLURM_HOSTFILE; with -w beside it, it would not. */
static int build(const struct mt_launch *launch, const char *hostfile,
                 char *const *command, struct mt_job *job, struct mt_error *err)
{
    const struct mt_configuration *configuration = launch->configuration;
    int status = mt_argv_add(&job->env, err, "SLURM_HOSTFILE=%s", hostfile);
    if (status == MT_OK)
        status = mt_argv_add(&job->argv, err, "--ntasks=%d",
                             mt_configuration_ranks(configuration));
    if (status == MT_OK)
        status = mt_argv_add(&job->argv, err, "--nodes=%d",
                             mt_configuration_nodes(configuration));
    if (status == MT_OK)
        status = mt_argv_add_all(&job->argv, err, "--distribution=arbitrary",
                                 "--kill-on-bad-exit=1", NULL);
    if (status == MT_OK && !getenv("SLURM_MPI_TYPE")) /* srun's own way to say it */
        status = mt_argv_add(&job->argv, err, "--mpi=pmi2");
    /* Outside of an allocation srun would then get only one processor of each node. */
    if (status == MT_OK && getenv("SLURM_JOB_ID") &&
        mt_oversubscribed(launch->cluster, configuration))
        status = mt_argv_add(&job->argv, err, "--overcommit");
    if (status == MT_OK && job->library)
        status = pass_on(job, err);
    if (status == MT_OK)
        status = mt_argv_append(&job->argv, command, err);
    return status;
}

/* Outside of an allocation. Hopeless: a node is down, drained or reserved, or is asked
   for more processes than it has processors; srun would wait until that changes. */
static const struct mt_pending_phrases pending_phrases = {
    .begin = "srun: ",
    .waits = "queued and waiting for resources",
    .starts = "has been allocated resources",
    .hopeless = "Required node not available",
};

const struct mt_launcher_ops mt_launcher_slurm = {
    .name = "slurm",
    .executables = executables,
    .package = "slurm-client",
    .apps = "mpich", /* which srun starts by pmi2 */
    .pending = &pending_phrases,
    .write_hostfile = write_hostfile,
    .build = build,
};

const struct mt_launcher_ops mt_launcher_slurm_pmix = {
    .name = "slurm",
    .executables = executables,
    .package = "slurm-client",
    .apps = "openmpi", /* Debian's MPICH does not know pmix */
    .pending = &pending_phrases,
    .write_hostfile = write_hostfile,
    .build = build,
};
