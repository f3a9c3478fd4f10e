/* SPDX-License-Identifier: BSD-3-Clause */
#include "judge.h"

#include "cli/common/table.h"
#include "outlier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double clock_tolerance = 0.1; /* seconds */
/* A share of the cores; but half a process is what is left of one that ended. */
static const double load_share = 0.1, least_load = 0.5;

static int judge_absent(struct mt_check *check, struct mt_error *err)
{
    struct mt_suspects suspects;
    int status = mt_suspects_begin(&suspects, check, err);
    if (status != MT_OK)
        return status;
    for (int i = 0; i < check->nnodes; i++)
        if (!check->nodes[i].answers)
            mt_suspects_add(&suspects, i, "%s", "");
    return mt_suspects_end(&suspects, check, MT_FOUND_ABSENT, err, "no answer from");
}

/* How many of the nodes say the same of themselves as this one. */
static int count_same_host(const struct mt_check *check, int node)
{
    const char *host = check->nodes[node].host;
    int same = 0;
    for (int i = 0; i < check->nnodes; i++)
        same += check->nodes[i].host && !strcmp(check->nodes[i].host, host);
    return same;
}

static int count_same_mpi(const struct mt_check *check, int node)
{
    const char *mpi = check->nodes[node].mpi;
    int same = 0;
    for (int i = 0; i < check->nnodes; i++)
        same += check->nodes[i].mpi && !strcmp(check->nodes[i].mpi, mpi);
    return same;
}

static int judge_hosts(struct mt_check *check, struct mt_error *err)
{
    struct mt_suspects suspects;
    int status = mt_suspects_begin(&suspects, check, err);
    if (status != MT_OK)
        return status;
    for (int i = 0; i < check->nnodes; i++)
        if (check->nodes[i].host && count_same_host(check, i) > 1)
            mt_suspects_add(&suspects, i, " (calls itself %s)", check->nodes[i].host);
    return mt_suspects_end(&suspects, check, MT_FOUND_HOST, err,
                           "one computer in place of several");
}

/* The first node of those that have the most common MPI; -1: none was probed. */
static int find_common_mpi(const struct mt_check *check)
{
    int common = -1, most = 0;
    for (int i = 0; i < check->nnodes; i++) {
        const int same = check->nodes[i].mpi ? count_same_mpi(check, i) : 0;
        if (same > most) {
            most = same;
            common = i;
        }
    }
    return common;
}

static int judge_mpi(struct mt_check *check, struct mt_error *err)
{
    struct mt_suspects suspects;
    const int common = find_common_mpi(check);
    if (common < 0)
        return MT_OK;
    int status = mt_suspects_begin(&suspects, check, err);
    if (status != MT_OK)
        return status;
    const struct mt_checked_node *usual = &check->nodes[common];
    for (int i = 0; i < check->nnodes; i++)
        if (check->nodes[i].mpi && strcmp(check->nodes[i].mpi, usual->mpi) != 0)
            mt_suspects_add(&suspects, i, " (%s)", check->nodes[i].mpi);
    return mt_suspects_end(&suspects, check, MT_FOUND_MPI, err,
                           "another MPI than that of %s (%s)", usual->name, usual->mpi);
}

static void add_clocks(struct mt_suspects *suspects, const double *clocks,
                       const bool *out, double median)
{
    for (int i = 0; i < suspects->check->nnodes; i++) {
        char text[32];
        const double ahead = clocks[i] - median;
        /* How long the answer took is how wrong the comparison may be. */
        if (out[i] &&
            fabs(ahead) > clock_tolerance / 2 + suspects->check->nodes[i].clock_error)
            mt_suspects_add(suspects, i, " (%s %s)",
                            mt_format_seconds(text, fabs(ahead)),
                            ahead > 0 ? "ahead" : "behind");
    }
}

static int judge_clocks_with(struct mt_check *check, double *clocks, bool *out,
                             struct mt_error *err)
{
    struct mt_suspects suspects;
    double median;
    int status = mt_suspects_begin(&suspects, check, err);
    if (status != MT_OK)
        return status;
    for (int i = 0; i < check->nnodes; i++)
        clocks[i] = check->nodes[i].clock;
    mt_outliers(out, &median, clocks, check->nnodes, clock_tolerance);
    add_clocks(&suspects, clocks, out, median);
    return mt_suspects_end(&suspects, check, MT_FOUND_CLOCK, err,
                           "clocks that are off");
}

static int judge_clocks(struct mt_check *check, struct mt_error *err)
{
    double *clocks = calloc((size_t)check->nnodes, sizeof *clocks);
    bool *out = calloc((size_t)check->nnodes, sizeof *out);
    const int status = clocks && out ? judge_clocks_with(check, clocks, out, err)
                                     : mt_fail(err, MT_ENOMEM, "no memory for clocks");
    free(out);
    free(clocks);
    return status;
}

static int judge_load(struct mt_check *check, struct mt_error *err)
{
    struct mt_suspects suspects;
    int status = mt_suspects_begin(&suspects, check, err);
    if (status != MT_OK)
        return status;
    for (int i = 0; i < check->nnodes; i++) {
        const struct mt_checked_node *node = &check->nodes[i];
        if (node->load > fmax(load_share * node->cores, least_load))
            mt_suspects_add(&suspects, i, " (load %.2f on %g %s)", node->load,
                            node->cores, node->cores == 1 ? "core" : "cores");
    }
    return mt_suspects_end(&suspects, check, MT_FOUND_LOAD, err,
                           "computing for others in the last minute");
}

static int judge_end(struct mt_check *check, struct mt_error *err)
{
    struct mt_suspects suspects;
    int status = mt_suspects_begin(&suspects, check, err);
    if (status != MT_OK)
        return status;
    for (int i = 0; i < check->nnodes; i++)
        if (check->endless && check->nodes[i].answers)
            mt_suspects_add(&suspects, i, "%s", "");
    return mt_suspects_end(&suspects, check, MT_FOUND_END, err,
                           "a program that was through did not end (MPI_Finalize) on");
}

int mt_check_judge_facts(struct mt_check *check, struct mt_error *err)
{
    int status = judge_absent(check, err);
    if (status == MT_OK)
        status = judge_hosts(check, err);
    if (status == MT_OK)
        status = judge_mpi(check, err);
    if (status == MT_OK)
        status = judge_clocks(check, err);
    if (status == MT_OK)
        status = judge_load(check, err);
    if (status == MT_OK)
        status = judge_end(check, err);
    return status;
}
