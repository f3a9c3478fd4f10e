/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launcher.h - how a program is started on a configuration of a cluster: one file
 * launch_<name>.c for each launcher, listed in launcher.c.
 */
#ifndef MT_CLI_LAUNCHER_H
#define MT_CLI_LAUNCHER_H

#include "motley/cluster.h"
#include "motley/configuration.h"
#include "motley/error.h"
#include "motley/program.h"

#include <stdbool.h>
#include <stdio.h>

/* What is to be started. All borrowed. */
struct mt_launch {
    const struct mt_cluster *cluster;
    const struct mt_program *program;
    const struct mt_configuration *configuration;
    double size;
    unsigned seed;      /* of the simulated noise */
    const char *folder; /* where the launcher may put its files (hostfile, platform) */
};

/* A command ready to be started. Zeroed is empty. */
struct mt_job {
    char **argv; /* owned, NULL-terminated */
    char **env;  /* owned, NULL-terminated "NAME=value": set beside the caller's own */
};

struct mt_launcher_ops {
    const char *name; /* as in cluster files */
    const char
        *executable;     /* looked for on PATH; NULL: the template's own first word */
    const char *package; /* Debian's name, for the message when it is missing */
    bool simulated;
    /* Write the launcher's own file for this configuration (hostfile, platform). */
    int (*write_hostfile)(const struct mt_launch *launch, FILE *stream,
                          struct mt_error *err);
    /* Fill `job`, after `hostfile` (a path) has been written. `command` is the
       program's argument vector with its placeholders filled. */
    int (*build)(const struct mt_launch *launch, const char *hostfile,
                 char *const *command, struct mt_job *job, struct mt_error *err);
};

const struct mt_launcher_ops *mt_launcher_find(enum mt_launcher launcher);

/*
 * Make `job` for `launch`: writes the launcher's file into the folder, fills the
 * program's placeholders, finds the program (see motley-program(5)) and the launcher; a
 * launcher that is not installed is MT_ENOTFOUND with the package to install.
 */
MT_MUST_CHECK int mt_job_make(struct mt_job *job, const struct mt_launch *launch,
                              struct mt_error *err);
void mt_job_clear(struct mt_job *job);
/* The job as a line that can be typed into a shell, quoted where needed; the caller
   frees it. NULL: memory is short. */
char *mt_job_format(const struct mt_job *job);

#endif
