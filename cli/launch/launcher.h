/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launcher.h - how a program is started on a configuration of a cluster: one file
 * launch_<name>.c for each launcher, listed in launcher.c.
 */
#ifndef MT_CLI_LAUNCHER_H
#define MT_CLI_LAUNCHER_H

#include "cli/process/queue.h"
#include "motley/cluster.h"
#include "motley/configuration.h"
#include "motley/error.h"
#include "motley/program.h"

#include <stdbool.h>
#include <stdio.h>

/* Whether ranks that share cores get the preload library, so that they wait patiently.
 */
enum mt_patience { MT_PATIENCE_AUTO, MT_PATIENCE_NEVER };

/* What is to be started. All borrowed. */
struct mt_launch {
    const struct mt_cluster *cluster;
    const struct mt_program *program;
    const struct mt_configuration *configuration;
    double size;
    unsigned seed; /* of the simulated noise */
    enum mt_patience patience;
    const char *folder;   /* where the launcher may put its files (hostfile, platform);
                             NULL: nothing is written, the job is only to be shown */
    const char *hostfile; /* path of the launcher's file; NULL: in the folder */
};

/* A command ready to be started. Zeroed is empty. The vectors are those of argv.h. */
struct mt_job {
    char **argv; /* owned, NULL-terminated */
    char **env;  /* owned, NULL-terminated "NAME=value": set beside the caller's own */
    char *library; /* owned; the ranks' LD_PRELOAD, which is theirs alone, as is ... */
    char *balance; /* owned; ... their MOTLEY_BALANCE. NULL: nothing is preloaded */
    const struct mt_queue_words *queue; /* borrowed; the launcher's */
};

struct mt_launcher_ops {
    const char *name; /* as in cluster files */
    /* Names of its executable, looked for on PATH in this order, ended by NULL. NULL:
       the first word of the cluster's template. */
    const char *const *executables;
    /* What `EXECUTABLE --version` prints, because several MPIs install a 'mpirun';
       NULL: not asked. */
    const char *version_mark;
    const char *package; /* Debian's name, for the message when it is missing */
    const char *apps;    /* folder of motley's own apps that fit; NULL: none */
    /* What it says when its nodes are not free; NULL: it never waits for them. */
    const struct mt_queue_words *queue;
    bool simulated;
    /* Write the launcher's own file for this configuration (hostfile, platform). */
    int (*write_hostfile)(const struct mt_launch *launch, FILE *stream,
                          struct mt_error *err);
    /* Add to `job`, whose argv has the launcher's executable already, after `hostfile`
       (a path) has been written. `command` is the program's argument vector: the
       executable's path, and placeholders filled. Passes the job's `library` and
       `balance` on to the ranks. */
    int (*build)(const struct mt_launch *launch, const char *hostfile,
                 char *const *command, struct mt_job *job, struct mt_error *err);
};

/* One launcher a file: cli/launch_<name>.c. */
extern const struct mt_launcher_ops mt_launcher_openmpi, mt_launcher_mpich,
    mt_launcher_slurm, mt_launcher_slurm_pmix, mt_launcher_smpi, mt_launcher_command;

/* For write_hostfile: "HOST<between>PROCESSES" for every node that is used, in the
   order of the ranks. */
void mt_write_hosts(const struct mt_launch *launch, const char *between, FILE *stream);

/* Slurm's is that of Open MPI where SLURM_MPI_TYPE asks for pmix, otherwise MPICH's. */
const struct mt_launcher_ops *mt_launcher_find(enum mt_launcher launcher);

/*
 * Make `job` for `launch`: writes the launcher's file into the folder, fills the
 * program's placeholders, finds the program (see motley-program(5)) and the launcher.
 * On a testbed the launcher is started on the head. MT_ENOTFOUND for a launcher that is
 * not installed, with the package to install, and for a program that is not there, with
 * the places looked at. `job` must be empty.
 */
MT_MUST_CHECK int mt_job_make(struct mt_job *job, const struct mt_launch *launch,
                              struct mt_error *err);
void mt_job_clear(struct mt_job *job);
/* The job as a line that can be typed into a shell, quoted where needed; the caller
   frees it. NULL: memory is short. */
char *mt_job_format(const struct mt_job *job);

#endif
