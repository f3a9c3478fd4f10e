/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of a launcher; on a testbed it starts on the head, wherever motley
   runs. */
#include "job.h"

#include "cli/process/folders.h"
#include "cli/process/memory.h"
#include "fill.h"
#include "lib/base/argv.h"
#include "lib/base/draft.h"
#include "lib/input/internal.h"
#include "loaded_mpi.h"
#include "preload.h"
#include "tools/testbed/places/nodes.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int write_hostfile(const struct mt_launch *launch,
                          const struct mt_launcher_ops *ops, const char *path,
                          struct mt_error *err)
{
    struct mt_draft draft;
    const int status = mt_draft_open(&draft, path, err);
    if (status != MT_OK)
        return status;
    ops->write_hostfile(launch, draft.stream);
    return mt_draft_close(&draft, MT_OK, err);
}

/* Whether this process can start jobs on the testbed. */
static bool is_inside(const struct mt_cluster *cluster)
{
    struct mt_testbed_place place;
    return mt_place_own(&place) && !strcmp(place.testbed, cluster->name);
}

/* Begin the job with the words that start the rest on the testbed's head; none if this
   process is on a node of it already, and for other clusters. */
static int begin_on_testbed(struct mt_job *job, const struct mt_launch *launch,
                            struct mt_error *err)
{
    char folder[PATH_MAX];
    if (!mt_cluster_is_testbed(launch->cluster) || is_inside(launch->cluster))
        return MT_OK;
    if (!mt_own_folder(folder))
        return mt_fail(err, MT_EIO, "where motley's executable is, is unknown");
    const char *path = launch->cluster->path;
    char *absolute =
        mt_program_has_folder(launch->program) ? realpath(path, NULL) : mt_strdup(path);
    if (!absolute)
        return mt_fail(err, MT_EIO, "cannot find '%s'", path);
    mt_words_add(&job->argv, "%s/motley", folder);
    mt_words_add_all(&job->argv, "testbed", "exec", absolute, NULL);
    free(absolute);
    return MT_OK;
}

static int find_head(const struct mt_cluster *cluster, struct mt_error *err)
{
    struct mt_testbed testbed = {0};
    struct mt_hierarchy hierarchy;
    pid_t holder;
    int status = mt_testbed_init(&testbed, cluster, err);
    if (status != MT_OK)
        return status;
    status = mt_hierarchy_find(&hierarchy, err);
    if (status == MT_OK &&
        mt_place_holder(&holder, &hierarchy, &testbed.nodes[0].place, NULL) != MT_OK)
        status =
            mt_fail(err, MT_ENOTFOUND, "testbed '%s' is not up: motley testbed up %s",
                    cluster->name, cluster->path);
    mt_testbed_clear(&testbed);
    return status;
}

int mt_testbed_check(const struct mt_cluster *cluster, struct mt_error *err)
{
    if (!mt_cluster_is_testbed(cluster) || is_inside(cluster))
        return MT_OK;
    int status = find_head(cluster, err);
    if (status == MT_OK && geteuid() != 0)
        status = mt_fail(err, MT_EIO, "only root can start programs on testbed '%s'",
                         cluster->name);
    return status;
}

static const char *mpi_title(const char *mpi)
{
    return strcmp(mpi, "mpich") == 0 ? "MPICH" : "Open MPI";
}

/* Ranks of another MPI than the launcher's would not find each other, and each would
   run the whole program. The site decides which MPI srun starts. */
static int check_mpi(struct mt_job *job, const struct mt_launch *launch,
                     const struct mt_launcher_ops *ops, const char *path,
                     struct mt_error *err)
{
    /* A cache: a campaign starts the same program in most runs. */
    static struct mt_loaded_mpi mpi;
    static char known[PATH_MAX];
    const enum mt_launcher launcher = launch->cluster->launcher;
    if (ops->simulated)
        return MT_OK;
    if (strcmp(known, path) != 0) {
        mt_loaded_mpi(&mpi, path);
        snprintf(known, sizeof known, "%s", path);
    }
    job->mpi = mpi.name;
    job->joins = mpi.name && (!ops->apps || strcmp(mpi.name, ops->apps) == 0);
    if (!mpi.name || job->joins ||
        (launcher != MT_LAUNCH_OPENMPI && launcher != MT_LAUNCH_MPICH))
        return MT_OK;
    return mt_fail(err, MT_ENOTFOUND,
                   "program '%.60s': '%.150s' is built for %s (it loads '%s'), and "
                   "launcher '%s' is %s's: each rank would run by itself; build it by "
                   "%s's mpicc, or write 'launcher: %s' into the cluster file",
                   launch->program->name, path, mpi_title(mpi.name), mpi.library,
                   ops->name, mpi_title(ops->apps), mpi_title(ops->apps), mpi.name);
}

int mt_job_make(struct mt_job *job, const struct mt_launch *launch,
                struct mt_error *err)
{
    const struct mt_launcher_ops *ops = mt_launcher_of(launch->cluster);
    const struct mt_program *program = launch->program;
    char *executable = NULL, **command = NULL;
    char *hostfile =
        launch->hostfile
            ? mt_strdup(launch->hostfile)
            : mt_asprintf("%s/hostfile", launch->folder ? launch->folder : ".");
    int status = MT_OK;

    /* When only a script is written, the launcher may be missing here; it must be on
       PATH where the script runs. */
    if (ops->executables && launch->script &&
        mt_find_launcher(&executable, ops, NULL) == MT_ENOTFOUND)
        executable = mt_strdup(ops->executables[0]);
    else if (ops->executables && !executable)
        status = mt_find_launcher(&executable, ops, err);
    if (status == MT_OK)
        status =
            mt_fill_command(&command,
                            ops->simulated && program->simulated ? program->simulated
                                                                 : program->command,
                            launch, err);
    if (status == MT_OK)
        status = check_mpi(job, launch, ops, command[0], err);
    if (status == MT_OK && launch->folder)
        status = write_hostfile(launch, ops, hostfile, err);
    if (status == MT_OK)
        status = begin_on_testbed(job, launch, err);
    if (status == MT_OK && executable)
        mt_words_add(&job->argv, "%s", executable);
    if (status == MT_OK)
        mt_preload_choose(job, launch, ops);
    if (status == MT_OK)
        status = mt_fill_settings(&job->settings, launch, err);
    if (status == MT_OK)
        status = ops->build(launch, hostfile, command, job, err);
    if (status == MT_OK && mt_program_has_folder(launch->program))
        status = mt_path_from_root(&job->argv[0], err);
    job->pending = ops->pending;

    mt_argv_free(command);
    free(executable);
    free(hostfile);
    if (status != MT_OK)
        mt_job_clear(job);
    return status;
}

void mt_job_process(const struct mt_job *job, struct mt_process *process)
{
    process->argv = job->argv;
    process->env = job->env;
    process->pending.phrases = job->pending;
}

void mt_job_clear(struct mt_job *job)
{
    mt_argv_free(job->argv);
    mt_argv_free(job->env);
    mt_argv_free(job->settings);
    free(job->library);
    free(job->balance);
    free(job->preloaded);
    *job = (struct mt_job){0};
}

char *mt_job_format(const struct mt_job *job)
{
    char *line;
    size_t length;
    FILE *stream = mt_memory_open(&line, &length);
    for (int i = 0; job->env && job->env[i]; i++) {
        const size_t name = strcspn(job->env[i], "=") + 1;
        fprintf(stream, "%.*s", (int)name, job->env[i]);
        mt_print_shell_word(stream, job->env[i] + name);
        fputc(' ', stream);
    }
    for (int i = 0; job->argv && job->argv[i]; i++) {
        if (i > 0)
            fputc(' ', stream);
        mt_print_shell_word(stream, job->argv[i]);
    }
    mt_memory_close(stream, &line);
    return line;
}
