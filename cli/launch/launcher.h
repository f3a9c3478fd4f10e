/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launcher.h - how a program is started on a configuration of a cluster: one file for
 * each launcher, named after it.
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

/* What is to be started. All borrowed. */
struct mt_launch {
    const struct mt_cluster *cluster;
    const struct mt_program *program;
    const struct mt_configuration *configuration;
    double size;
    const double *weights; /* of each rank; NULL: all are 1 */
    unsigned seed;         /* of the simulated noise */
    enum mt_patience patience;
    bool unbound; /* a rank may run on every core of its node, however few ranks it has:
                     what asks a node how many cores there are must not be bound to one
                   */
    bool immediate;     /* it fails soon where it would have to wait for its nodes */
    bool script;        /* it is started by the script of a job of its own (script.h) */
    const char *folder; /* where the launcher may put its files (hostfile, platform);
                           NULL: nothing is written, the job is only to be shown */
    const char *hostfile; /* path of the launcher's file; NULL: in the folder */
    const char *report; /* path of the file that libmotley-balance is to write, if it is
                           to report; NULL: it writes none */
};

/* A command ready to be started. Zeroed is empty. The vectors are those of argv.h. */
struct mt_job {
    char **argv;     /* owned, NULL-terminated */
    char **env;      /* owned, NULL-terminated "NAME=value": added to the caller's */
    char **settings; /* owned; likewise, of the ranks' environment */
    char *library; /* owned; the ranks' LD_PRELOAD, which is theirs alone; NULL: none */
    char *balance; /* owned; their MOTLEY_BALANCE, likewise; NULL: none */
    char *preloaded; /* owned; what that is, for people: "patient, bcast"; NULL: nothing
                      */
    const struct mt_pending_phrases *pending; /* borrowed; the launcher's */
    const char *mpi; /* that the program loads (loaded_mpi.h); NULL: unknown */
    bool joins;      /* the program loads an MPI, which may be the launcher's */
};

struct mt_launcher_ops {
    const char *name; /* as in cluster files */
    /* Names of its executable, tools on PATH in this order, ended by NULL. NULL:
       the first word of the cluster's template. */
    const char *const *executables;
    /* What `EXECUTABLE --version` prints, because several MPIs install a 'mpirun';
       NULL: not asked. */
    const char *version_mark;
    const char *package; /* Debian's name, for the message when it is missing */
    const char *apps;    /* folder of motley's own apps that fit; NULL: none */
    /* What it says when its nodes are not free; NULL: it never waits for them. */
    const struct mt_pending_phrases *pending;
    bool simulated;
    /* Write the launcher's own file for this configuration (hostfile, platform). */
    void (*write_hostfile)(const struct mt_launch *launch, FILE *stream);
    /* Add to `job`, whose argv has the launcher's executable already, after `hostfile`
       (a path) has been written. `command` is the program's argument vector: the
       executable's path, and placeholders filled. Passes the job's `settings`,
       `library` and `balance` on to the ranks. */
    int (*build)(const struct mt_launch *launch, const char *hostfile,
                 char *const *command, struct mt_job *job, struct mt_error *err);
};

/* One for each name in cluster files; and what Slurm's becomes where pmix is asked
   for. */
#define X(launcher, name) extern const struct mt_launcher_ops mt_launcher_##name;
MT_LAUNCHER_LIST(X)
#undef X
extern const struct mt_launcher_ops mt_launcher_slurm_pmix;

/* For write_hostfile: "HOST<between>PROCESSES" for every node that is used, in the
   order of the ranks. */
void mt_write_hosts(const struct mt_launch *launch, const char *between, FILE *stream);

const struct mt_launcher_ops *mt_launcher_find(enum mt_launcher launcher);
/* How srun is to start MPI programs: what the cluster file says, else SLURM_MPI_TYPE,
   srun's own variable; NULL: neither does. */
const char *mt_slurm_mpi(const struct mt_cluster *cluster);
/* That of a cluster. Slurm's is that of Open MPI where pmix is asked for, otherwise
   MPICH's. */
const struct mt_launcher_ops *mt_launcher_of(const struct mt_cluster *cluster);

/* The path of the launcher's executable, which the caller frees. MT_ENOTFOUND names the
   package that brings it. Asks an executable for its version once in a process. */
MT_MUST_CHECK int mt_find_launcher(char **path, const struct mt_launcher_ops *launcher,
                                   struct mt_error *err);
/* The version of the MPICH whose mpiexec is on PATH: 400 for 4.0.2; 0: unknown. Asks
   once in a process. */
int mt_mpich_version(void);
/* The MPI whose launcher the executable is, "openmpi" or "mpich"; NULL: it is none. One
   that has the name of a launcher is asked for its version, which takes as long as a
   short run, unless it is a link to Open MPI's orterun; srun starts that of
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
 * cores. If a group does not say how many it has, only a node that is this machine can
 * be known: it has the cores that motley may use.
 */
bool mt_oversubscribed(const struct mt_cluster *cluster,
                       const struct mt_configuration *configuration);

#endif
