/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher.h"

#include "lib/base/argv.h"

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

static int build(const struct mt_launch *launch, const char *hostfile,
                 char *const *command, struct mt_job *job, struct mt_error *err)
{
    const char *shell = launch->cluster->remote_shell;
    char ranks[16];
    snprintf(ranks, sizeof ranks, "%d", mt_configuration_ranks(launch->configuration));

    int status = mt_argv_add_all(&job->argv, err, "-f", hostfile, "-n", ranks, NULL);
    if (status == MT_OK && shell)
        status = mt_argv_add_all(&job->argv, err, "-launcher", "ssh", "-launcher-exec",
                                 shell, NULL);
    if (status == MT_OK)
        status = pass_settings_on(job, err);
    if (status == MT_OK && job->library) /* not to mpiexec */
        status = mt_argv_add_all(&job->argv, err, "-genv", "LD_PRELOAD", job->library,
                                 "-genv", "MOTLEY_BALANCE", job->balance, NULL);
    if (status == MT_OK)
        status = mt_argv_append(&job->argv, command, err);
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
