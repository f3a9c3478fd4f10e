/* SPDX-License-Identifier: BSD-3-Clause */
/* Slurm's srun. */
#include "launcher.h"

#include "cli/process/memory.h"
#include "lib/base/draft.h"
#include "parts.h"
#include "places.h"
#include "script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const executables[] = {"srun", NULL};

/* One line a rank: what srun reads for an arbitrary distribution. */
static void write_hostfile(const struct mt_launch *launch, FILE *stream)
{
    for (int g = 0; g < launch->cluster->ngroups; g++) {
        const struct mt_use use = launch->configuration->use[g];
        for (int rank = 0; rank < use.nodes * use.layout.processes; rank++)
            fprintf(stream, "%s\n",
                    launch->cluster->groups[g].hosts[rank / use.layout.processes]);
    }
}

/* Values of --export end at a comma, which MOTLEY_BALANCE may contain, so it is passed
   in srun's own environment. */
static void pass_on(struct mt_job *job, const struct mt_launch *launch,
                    const struct mt_part *part)
{
    char threads[64] = "";
    if (mt_tells_threads(launch))
        snprintf(threads, sizeof threads, ",OMP_NUM_THREADS=%d", part->threads);
    if (job->library || *threads || job->settings) /* whatever SLURM_EXPORT_ENV says */
        mt_words_add(&job->argv, "--export=ALL%s%s%s", threads,
                     job->library ? ",LD_PRELOAD=" : "",
                     job->library ? job->library : "");
}

/* Add the number of processors of a rank, and its binding. */
static void add_places(struct mt_job *job, const struct mt_launch *launch,
                       const struct mt_part *part)
{
    static const char *const words[] = {
        [MT_BIND_CORE] = "cores", [MT_BIND_NUMA] = "ldoms", [MT_BIND_NONE] = "none"};
    const enum mt_bind bind = mt_asked_bind(launch);
    if (part->threads > 1 && !mt_oversubscribed(launch->cluster, launch->configuration))
        mt_words_add(&job->argv, "--cpus-per-task=%d", part->threads);
    if (part->gpus > 0)
        mt_words_add(&job->argv, "--gpus-per-task=%d", part->gpus);
    if (mt_uses_hyperthreads(launch))
        mt_words_add(&job->argv, "--hint=multithread");
    if (bind != MT_BIND_DEFAULT)
        mt_words_add(&job->argv, "--cpu-bind=%s",
                     bind == MT_BIND_CORE && mt_uses_hyperthreads(launch)
                         ? "threads"
                         : words[mt_launch_bind(launch)]);
}

/* A program that srun starts. All borrowed. */
struct step {
    const struct mt_launch *launch;
    const struct mt_parts *parts;
    const char *path; /* of the launcher's file */
    bool inside;      /* a job has the nodes already */
    bool hostfile;    /* SLURM_HOSTFILE lists them; one component only */
};

/* The host of each rank, as srun reads them for an arbitrary distribution. */
static int write_hosts(const struct mt_part *part, const char *path,
                       struct mt_error *err)
{
    struct mt_draft draft;
    int status = mt_draft_open(&draft, path, err);
    if (status != MT_OK)
        return status;
    for (int i = 0; i < part->ranks; i++)
        fprintf(draft.stream, "%s\n", part->hosts[i]);
    return mt_draft_close(&draft, MT_OK, err);
}

/* Add the component's nodes, or, if their numbers of ranks differ, a file of the ranks'
   hosts, as their list may be too long for an argument. srun takes a text with a '/'
   for a file name. */
static int add_nodelist(struct mt_job *job, const struct step *step, int component,
                        struct mt_error *err)
{
    const struct mt_part *part = &step->parts->parts[component];
    if (part->per_node > 0) {
        char *nodes = mt_part_nodes(part);
        mt_words_add(&job->argv, "--nodelist=%s", nodes);
        mt_words_add(&job->argv, "--ntasks-per-node=%d", part->per_node);
        free(nodes);
        return MT_OK;
    }
    if (step->launch->script) {
        mt_words_add(&job->argv, MT_SCRIPT_NODELIST "%d", component);
        return MT_OK;
    }
    char *path = mt_asprintf("%s%s-%d", strchr(step->path, '/') ? "" : "./", step->path,
                             component);
    mt_words_add(&job->argv, "--nodelist=%s", path);
    int status = MT_OK;
    if (step->launch->folder)
        status = write_hosts(part, path, err);
    free(path);
    return status;
}

/* Add the request to Slurm, and, inside a job, the way to start ranks there. */
static int add_options(struct mt_job *job, const struct step *step, int component,
                       struct mt_error *err)
{
    const struct mt_launch *launch = step->launch;
    const struct mt_part *part = &step->parts->parts[component];
    int status = MT_OK;
    if (part->number >= 0)
        mt_words_add(&job->argv, "--het-group=%d", part->number);
    if (!step->inside)
        mt_script_add_request(&job->argv, part->request);
    if (launch->immediate) /* within 10 seconds */
        mt_words_add(&job->argv, "--immediate=10");
    if (!step->hostfile)
        status = add_nodelist(job, step, component, err);
    mt_words_add(&job->argv, "--ntasks=%d", part->ranks);
    mt_words_add(&job->argv, "--nodes=%d", part->nodes);
    mt_words_add_all(&job->argv,
                     step->hostfile || part->per_node == 0 ? "--distribution=arbitrary"
                                                           : "--distribution=block",
                     "--kill-on-bad-exit=1", NULL);
    const char *mpi = mt_slurm_mpi(launch->cluster);
    if (!mpi || launch->script || launch->cluster->mpi)
        mt_words_add(&job->argv, "--mpi=%s", mpi ? mpi : "pmi2");
    /* Outside of an allocation srun would then get only one processor of each node. */
    if (step->inside && mt_oversubscribed(launch->cluster, launch->configuration))
        mt_words_add(&job->argv, "--overcommit");
    add_places(job, launch, part);
    pass_on(job, launch, part);
    return status;
}

static int add_step(struct mt_job *job, const struct step *step, char *const *command,
                    struct mt_error *err)
{
    const struct mt_parts *parts = step->parts;
    int status = MT_OK;
    for (int i = 0; i < parts->count && status == MT_OK; i++) {
        if (i > 0)
            mt_words_add(&job->argv, ":");
        status = add_options(job, step, i, err);
        mt_words_append(&job->argv, command);
    }
    return status;
}

/* A single component outside a heterogeneous job uses SLURM_HOSTFILE, with all ranks'
   hosts in order, which srun ignores if -w is given, too. */
static int build(const struct mt_launch *launch, const char *hostfile,
                 char *const *command, struct mt_job *job, struct mt_error *err)
{
    struct mt_allocation allocation = {0};
    struct mt_parts parts = {0};
    int status = launch->script ? MT_OK : mt_allocation_read(&allocation, err);
    if (status == MT_OK)
        status = mt_parts_make(&parts, launch, &allocation, err);
    for (int i = 0; launch->script && parts.count > 1 && i < parts.count; i++)
        parts.parts[i].number = i;
    const struct step step = {
        .launch = launch,
        .parts = &parts,
        .path = hostfile,
        .inside = launch->script || allocation.job,
        .hostfile = !launch->script && parts.count == 1 && parts.parts[0].number < 0 &&
                    (parts.parts[0].per_node == 0 || !parts.is_long),
    };
    if (step.hostfile)
        mt_words_add(&job->env, "SLURM_HOSTFILE=%s", hostfile);
    mt_words_append(&job->env, job->settings);
    if (job->balance)
        mt_words_add(&job->env, "MOTLEY_BALANCE=%s", job->balance);
    if (status == MT_OK)
        status = add_step(job, &step, command, err);
    mt_parts_clear(&parts);
    mt_allocation_clear(&allocation);
    return status;
}

/* Waiting for nodes, or, inside a job, for other steps of it. */
static const char *const waits[] = {"queued and waiting for resources",
                                    "step creation temporarily disabled, retrying",
                                    NULL};
static const char *const starts[] = {"has been allocated resources",
                                     "Step created for ", NULL};
/* A node is down, drained or reserved, and srun would wait until that changes; or it
   cannot start its ranks, for which srun's exit status may not be set. */
static const char *const hopeless[] = {"Required node not available",
                                       "Application launch failed", "Task launch for ",
                                       NULL};
/* The second half concerns jobs that wait until an administrator changes something. */
static const char *const refuses[] = {"Unable to allocate resources: ",
                                      "Unable to create step for job ",
                                      "Invalid generic resource",
                                      "Unable to confirm allocation",
                                      "Requested partition configuration not available",
                                      "Partition in ",
                                      "Job is in held state",
                                      "Job violates accounting/QOS policy",
                                      NULL};
static const struct mt_pending_phrases pending_phrases = {
    .begin = "srun: ",
    .waits = waits,
    .starts = starts,
    .hopeless = hopeless,
    .refuses = refuses,
};

/* The value of srun's --mpi for the MPI. */
#define SRUN_OF(mpi) \
    { \
        .name = "slurm", .executables = executables, .package = "slurm-client", \
        .apps = (mpi), .pending = &pending_phrases, .write_hostfile = write_hostfile, \
        .build = build \
    }

/* MPICH uses pmi2: Debian's MPICH does not know pmix. */
const struct mt_launcher_ops mt_launcher_slurm = SRUN_OF("mpich");
const struct mt_launcher_ops mt_launcher_slurm_pmix = SRUN_OF("openmpi");
