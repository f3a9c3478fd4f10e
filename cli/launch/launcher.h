/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launcher.h - starting a program on a configuration of a cluster: one file for each
 * launcher, named after it.
 */
#ifndef MT_CLI_LAUNCHER_H
#define MT_CLI_LAUNCHER_H

#include "cli/process/output.h"
#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/program.h"

#include <stdbool.h>
#include <stdio.h>

/* Whether ranks that share cores are patient: motley-patient(1). */
enum mt_patience { MT_PATIENCE_AUTO, MT_PATIENCE_NEVER };

/* A launch. All borrowed. */
struct mt_launch {
    const struct mt_cluster *cluster;
    const struct mt_program *program;
    const struct mt_configuration *configuration;
    double size;
    const double *weights; /* of each rank; NULL: all are 1 */
    unsigned seed;         /* of the simulated noise */
    enum mt_patience patience;
    bool unbound; /* a rank may run on all cores of its node, even if it has few ranks:
                     a program that counts cores must not be bound to one */
    bool immediate;       /* it fails soon instead of waiting for its nodes */
    bool script;          /* a job script of its own starts it (script.h) */
    const char *folder;   /* folder for the launcher's files (hostfile, platform); NULL:
                             nothing is written, the job is only shown */
    const char *hostfile; /* path of the launcher's file; NULL: in the folder */
    const char *report; /* path of libmotley-balance's report, if it is to report; NULL:
                           none */
};

/* A command ready to be started. Empty if zeroed. The vectors are those of argv.h. */
struct mt_job {
    char **argv;     /* owned, NULL-terminated */
    char **env;      /* owned, NULL-terminated "NAME=value": added to the caller's */
    char **settings; /* owned; likewise, of the ranks' environment */
    char *library;   /* owned; LD_PRELOAD of the ranks only; NULL: none */
    char *balance;   /* owned; their MOTLEY_BALANCE, likewise; NULL: none */
    char *preloaded; /* owned; the same for people: "patient, bcast"; NULL: none */
    const struct mt_pending_phrases *pending; /* borrowed; the launcher's */
    const char *mpi; /* that the program loads (loaded_mpi.h); NULL: unknown */
    bool joins;      /* the program loads an MPI, which may be the launcher's */
};

struct mt_launcher_ops {
    const char *name; /* as in cluster files */
    /* Names of its executable, tools on PATH in this order, ended by NULL. NULL:
       the first word of the cluster's template. */
    const char *const *executables;
    /* A text in the output of `EXECUTABLE --version`, since several MPIs install an
       'mpirun'; NULL: not checked. */
    const char *version_mark;
    const char *package; /* Debian's name, for the message when it is missing */
    const char *apps;    /* folder of motley's own apps that fit; NULL: none */
    /* Its messages when nodes are not free; NULL: it never waits for them. */
    const struct mt_pending_phrases *pending;
    bool simulated;
    /* Write the launcher's own file for this configuration (hostfile, platform). */
    void (*write_hostfile)(const struct mt_launch *launch, FILE *stream);
    /* Add words to `job`, whose argv has the launcher's executable already, after
       `hostfile` (a path) was written. `command` is the program's argument vector: the
       executable's path, and placeholders filled. Passes the job's `settings`,
       `library` and `balance` on to the ranks. */
    int (*build)(const struct mt_launch *launch, const char *hostfile,
                 char *const *command, struct mt_job *job, struct mt_error *err);
};

/* One for each name in cluster files; and Slurm's variant with pmix. */
#define X(launcher, name) extern const struct mt_launcher_ops mt_launcher_##name;
MT_LAUNCHER_LIST(X)
#undef X
extern const struct mt_launcher_ops mt_launcher_slurm_pmix;

/* For write_hostfile: "HOST<between>PROCESSES" for every node that is used, in the
   order of the ranks. */
void mt_write_hosts(const struct mt_launch *launch, const char *between, FILE *stream);

const struct mt_launcher_ops *mt_launcher_find(enum mt_launcher launcher);
/* The value of srun's --mpi: from the cluster file, else from SLURM_MPI_TYPE, srun's
   own variable; NULL: neither. */
const char *mt_slurm_mpi(const struct mt_cluster *cluster);
/* That of a cluster. Slurm's is Open MPI's with pmix, otherwise MPICH's. */
const struct mt_launcher_ops *mt_launcher_of(const struct mt_cluster *cluster);

/* The path of the launcher's executable, which the caller frees. MT_ENOTFOUND names the
   package that brings it. Asks an executable for its version once in a process. */
MT_MUST_CHECK int mt_find_launcher(char **path, const struct mt_launcher_ops *launcher,
                                   struct mt_error *err);
/* The version of the MPICH whose mpiexec is on PATH: 400 for 4.0.2; 0: unknown. Asks
   once in a process. */
int mt_mpich_version(void);
/* The MPI whose launcher the executable is, "openmpi" or "mpich"; NULL: it is none. An
   executable with a launcher's name is run with --version, which takes as long as a
   short run, unless it is a link to Open MPI's orterun. srun starts the MPI of
   SLURM_MPI_TYPE. */
const char *mt_mpi_of_launcher(char *path);

/*
 * The path of a program's executable, which the caller frees. A name without '/' is
 * looked up in the folder of the program's file, among motley's own apps for the
 * launcher, and on PATH. MT_ENOTFOUND lists these places. A program without a file is
 * one of motley's own, and never looked for in the current folder.
 */
MT_MUST_CHECK int mt_find_program(char **path, const char *name,
                                  const struct mt_program *program,
                                  const struct mt_launcher_ops *launcher,
                                  struct mt_error *err);

/*
 * Whether some node of the configuration gets more processes and threads than it has
 * cores. For a group without `cores`, only a node that is this machine is known: it has
 * the cores that motley may use.
 */
bool mt_oversubscribed(const struct mt_cluster *cluster,
                       const struct mt_configuration *configuration);

#endif
