/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher.h"

#include "words.h"

#include <string.h>
#include <unistd.h>

static const char *const executables[] = {"mpirun", "mpiexec", "mpirun.openmpi", NULL};

static int write_hostfile(const struct mt_launch *launch, FILE *stream,
                          struct mt_error *err)
{
    (void)err;
    mt_write_hosts(launch, " slots=", stream);
    return MT_OK;
}

/* Whether a node that is this machine gets more processes than it has processors: Open
   MPI takes the slots at their word, and ranks would wait for each other by spinning.
 */
static bool oversubscribes(const struct mt_launch *launch)
{
    char own[256] = "";
    gethostname(own, sizeof own - 1);
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    for (int g = 0; g < launch->cluster->ngroups; g++) {
        const struct mt_use use = launch->configuration->use[g];
        for (int i = 0; i < use.nodes; i++) {
            const char *host = launch->cluster->groups[g].hosts[i];
            bool here = !strcmp(host, "localhost") || !strcmp(host, own);
            if (here && use.processes > processors)
                return true;
        }
    }
    return false;
}

static int build(const struct mt_launch *launch, const char *hostfile,
                 char *const *command, struct mt_job *job, struct mt_error *err)
{
    const char *shell = launch->cluster->remote_shell;
    char ranks[16];
    snprintf(ranks, sizeof ranks, "%d", mt_configuration_ranks(launch->configuration));

    int status = mt_words_add_all(&job->argv, err, "--hostfile", hostfile, "--map-by",
                                  "slot", "-np", ranks, NULL);
    if (status == MT_OK && oversubscribes(launch))
        status = mt_words_add_all(&job->argv, err, "--oversubscribe", "--bind-to",
                                  "none", "--mca", "mpi_yield_when_idle", "1", NULL);
    /* Not by a scheduler, then, but by what is called rsh until Open MPI 4, ssh since.
     */
    if (status == MT_OK && shell)
        status = mt_words_add_all(&job->argv, err, "--mca", "plm", "^slurm,tm,lsf,alps",
                                  "--mca", "plm_rsh_agent", shell, NULL);
    if (status == MT_OK)
        status = mt_words_append(&job->argv, command, err);
    if (status == MT_OK && geteuid() == 0) /* it refuses root unless asked twice */
        status = mt_words_add_all(&job->env, err, "OMPI_ALLOW_RUN_AS_ROOT=1",
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
