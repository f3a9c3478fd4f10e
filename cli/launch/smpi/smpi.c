/* SPDX-License-Identifier: BSD-3-Clause */
/* SimGrid's smpimain, by which simulated clusters run programs. */
#include "cli/launch/launcher.h"

#include "cli/process/config.h"
#include "cli/process/folders.h"
#include "cli/process/memory.h"
#include "lib/base/draft.h"
#include "platform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const executables[] = {MT_SMPIMAIN, NULL};

/* A line for each rank; the processes of a node follow each other. */
static void write_hostfile(const struct mt_launch *launch, FILE *stream)
{
    for (int g = 0; g < launch->cluster->ngroups; g++) {
        const struct mt_use *use = &launch->configuration->use[g];
        for (int rank = 0; rank < use->nodes * use->layout.processes; rank++) {
            char name[MT_PLATFORM_NAME];
            mt_platform_name(name, g, rank / use->layout.processes);
            fprintf(stream, "%s\n", name);
        }
    }
}

static int write_platform(const struct mt_launch *launch, const char *path,
                          struct mt_error *err)
{
    struct mt_draft draft;
    int status = mt_draft_open(&draft, path, err);
    if (status != MT_OK)
        return status;
    mt_platform_write(launch, draft.stream);
    return mt_draft_close(&draft, MT_OK, err);
}

/* Whether the program is one of ours: these need no global variables per rank, which
   saves SimGrid a copy of the program for each. */
static bool is_own_app(const char *path)
{
    char *own = mt_own_app("smpi", basename(path));
    const bool same = own && !strcmp(own, path);
    free(own);
    return same;
}

/* SMPI's default shares of the bandwidth, which stand for MPI's protocols: that of
   messages of more than `from` bytes. */
static const struct {
    double from, share;
} bandwidth_shares[] = {
    {0, 0.812084},    {257, 0.338112},   {732, 0.341987},
    {1426, 0.608902}, {3484, 0.77493},   {5776, 1.08739},
    {9376, 0.58729},  {15424, 0.697866}, {65472, 0.940694},
};

static double bandwidth_share(double bytes)
{
    double share = 1;
    for (size_t i = 0; i < sizeof bandwidth_shares / sizeof *bandwidth_shares; i++)
        if (bandwidth_shares[i].from <= bytes)
            share = bandwidth_shares[i].share;
    return share;
}

/* SMPI counts a message with its envelope of 16 bytes: a message of N bytes is the
   smallest of more than N + 15. */
enum { ENVELOPE = 15 };

/* No message is longer. */
static const double most_bytes = 1e15;

/* When some shares change, all must be given; SimGrid sorts them. */
static void add_dip(char ***argv, const struct mt_dip *dip)
{
    char text[512];
    const double from = ceil(fmin(dip->from, most_bytes)) + ENVELOPE,
                 to = ceil(fmin(dip->to, most_bytes)) + ENVELOPE;
    int used = snprintf(text, sizeof text, "%.0f:%.9g;%.0f:%.9g", from,
                        bandwidth_share(from) / dip->slowdown, to, bandwidth_share(to));
    for (size_t i = 0; i < sizeof bandwidth_shares / sizeof *bandwidth_shares; i++) {
        const double start = bandwidth_shares[i].from,
                     share = bandwidth_shares[i].share;
        if (start != from && start != to)
            used +=
                snprintf(text + used, sizeof text - (size_t)used, ";%.0f:%.9g", start,
                         from < start && start < to ? share / dip->slowdown : share);
    }
    mt_words_add(argv, "--cfg=smpi/bw-factor:%s", text);
}

/* Bare messages take latency plus bytes over their bandwidth: without SMPI's factors
   for MPI over TCP, without the cost of acknowledgements in the other direction, and
   without windows. */
static void add_network(char ***argv, const struct mt_network *network)
{
    if (network->bare)
        mt_words_add_all(argv, "--cfg=network/model:CM02",
                         "--cfg=network/crosstraffic:no", "--cfg=network/TCP-gamma:0",
                         NULL);
    else
        mt_words_add(argv, "--cfg=network/model:SMPI");
    if (network->dip.slowdown > 0)
        add_dip(argv, &network->dip);
}

/* The algorithms of collective operations. */
static void add_collectives(char ***argv)
{
    mt_words_add_all(
        argv, "--cfg=smpi/coll-selector:mpich",
        /* HPL's own broadcasts also send whole panels along a tree, which takes far
           fewer simulated messages than a scatter and an allgather. */
        "--cfg=smpi/bcast:binomial_tree",
        /* SMPI's selection for MPICH first finds out, in simulated time and with P * P
           messages, which ranks share a node. */
        "--cfg=smpi/allreduce:rdb", "--cfg=smpi/reduce:binomial",
        /* SimGrid's mpich alltoall fails for long messages between an even number of
           ranks that is not a power of two. */
        "--cfg=smpi/alltoall:mvapich2", NULL);
}

/* smpimain PROGRAM OPTIONS PLATFORM ARGUMENTS: the final command of the script
   smpirun. */
static int build(const struct mt_launch *launch, const char *hostfile,
                 char *const *command, struct mt_job *job, struct mt_error *err)
{
    char ***argv = &job->argv;
    for (int g = 0; g < launch->cluster->ngroups; g++)
        if (launch->configuration->use[g].layout.gpus > 0)
            return mt_fail(err, MT_EINVAL, "GPUs are not simulated: group '%s'",
                           launch->cluster->groups[g].name);
    if (strpbrk(hostfile, " ,\t\n")) /* which separate SimGrid's settings */
        return mt_fail(
            err, MT_EINVAL,
            "SimGrid takes no path with a blank or a comma: '%s'; set TMPDIR "
            "to another folder",
            hostfile);

    char *platform =
        mt_asprintf("%s/platform.xml", launch->folder ? launch->folder : ".");
    const int status = launch->folder ? write_platform(launch, platform, err) : MT_OK;
    mt_words_add(argv, "%s", command[0]);
    mt_words_add(argv, "--cfg=smpi/privatization:%s",
                 is_own_app(command[0]) ? "no" : "dlopen");
    mt_words_add(argv, "--cfg=smpi/hostfile:%s", hostfile);
    add_network(argv, &launch->cluster->network);
    mt_words_add(argv, "--cfg=smpi/simulate-computation:no");
    add_collectives(argv);
    mt_words_add_all(argv, "--log=root.thres:error", platform, NULL);
    mt_words_append(argv, command + 1);
    /* OpenBLAS would start threads as soon as it is loaded. */
    mt_words_add(&job->env, "OPENBLAS_NUM_THREADS=1");
    mt_words_append(&job->env, job->settings);
    free(platform);
    return status;
}

const struct mt_launcher_ops mt_launcher_smpi = {
    .name = "smpi",
    .executables = executables,
    .package = "libsimgrid-dev",
    .apps = "smpi",
    .simulated = true,
    .write_hostfile = write_hostfile,
    .build = build,
};
