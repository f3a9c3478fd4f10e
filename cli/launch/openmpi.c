/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher.h"

#include "lib/base/argv.h"

#include <unistd.h>

static const char *const executables[] = {"mpirun", "mpiexec", "mpirun.openmpi", NULL};

static int write_hostfile(const struct mt_launch *launch, FILE *stream,
                          struct mt_error *err)
{
    (void)err;
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
    if (status == MT_OK)
        status = mt_argv_add(&job->argv, err, "-x");
    if (status == MT_OK)
        status = mt_argv_add(&job->argv, err, "MOTLEY_BALANCE=%s", job->balance);
    return status;
}

static int build(const struct mt_launch *launch, const char *hostfile,
                 char *const *command, struct mt_job *job, struct mt_error *err)
{
    const char *shell = launch->cluster->remote_shell;
    const bool oversubscribed =
        mt_oversubscribed(launch->cluster, launch->configuration);
    char ranks[16];
    snprintf(ranks, sizeof ranks, "%d", mt_configuration_ranks(launch->configuration));

    int status = mt_argv_add_all(&job->argv, err, "--hostfile", hostfile, "--map-by",
                                 "slot", "-np", ranks, NULL);
    /* Open MPI takes the slots at their word, and binds a rank of up to two to a core.
       The nodes of a testbed see all processors of this machine, each as its own. */
    if (status == MT_OK && oversubscribed)
        status = mt_argv_add_all(&job->argv, err, "--oversubscribe", "--bind-to",
                                 "none", "--mca", "mpi_yield_when_idle", "1", NULL);
    else if (status == MT_OK &&
             (launch->unbound || mt_cluster_is_testbed(launch->cluster)))
        status = mt_argv_add_all(&job->argv, err, "--bind-to", "none", NULL);
    /* Not by a scheduler, then, but by what is called rsh until Open MPI 4, ssh since.
     */
    if (status == MT_OK && shell)
        status = mt_argv_add_all(&job->argv, err, "--mca", "plm", "^slurm,tm,lsf,alps",
                                 "--mca", "plm_rsh_agent", shell, NULL);
    if (status == MT_OK)
        status = pass_settings_on(job, err);
    if (status == MT_OK && job->library)
        status = pass_library_on(job, err);
    if (status == MT_OK)
        status = mt_argv_append(&job->argv, command, err);
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
