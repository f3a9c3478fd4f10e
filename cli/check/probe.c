/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts motley-probe (tools/probe) on the nodes and reads what it prints. */
#include "check.h"

#include "cli/common/format.h"
#include "cli/launch/job.h"
#include "cli/process/memory.h"
#include "cli/process/process.h"
#include "cli/process/scratch.h"
#include "lib/base/argv.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Beyond this size, bandwidth does not change. */
#define MAX_BYTES "1048576"

static const double timeout_seconds = 30, timeout_seconds_per_link = 10;

/* "0-1,1-2": the links by ranks. The caller frees it. */
static char *format_pairs(const struct mt_check *check)
{
    char *text;
    size_t length;
    int *ranks = mt_calloc((size_t)check->nnodes, sizeof *ranks);
    FILE *stream = mt_memory_open(&text, &length);
    for (int rank = 0; rank < check->nanswer; rank++)
        ranks[mt_check_node_of_rank(check, rank)] = rank;
    for (int i = 0; i < check->nlinks; i++)
        fprintf(stream, "%s%d-%d", i > 0 ? "," : "", ranks[check->links[i].from],
                ranks[check->links[i].to]);
    mt_memory_close(stream, &text);
    free(ranks);
    return text;
}

/* The probe's argument vector. */
static char **make_command(const struct mt_check *check)
{
    char **command = NULL;
    mt_words_add_all(&command, "motley-probe", "--compute", NULL);
    if (check->nlinks > 0) {
        char *pairs = format_pairs(check);
        mt_words_add_all(&command, "--alltoall", "--max-bytes", MAX_BYTES, "--pairs",
                         pairs, NULL);
        free(pairs);
    }
    return command;
}

/* One process on each node that is left in the cluster. */
static int make_job(struct mt_job *job, const struct mt_check *check, char **command,
                    const char *folder, struct mt_error *err)
{
    char name[] = "motley-probe";
    const struct mt_program program = {.name = name, .command = command};
    struct mt_configuration all = {0};
    for (int g = 0; g < check->cluster->ngroups; g++)
        if (check->cluster->groups[g].nodes > 0)
            all.use[g] = (struct mt_use){.nodes = check->cluster->groups[g].nodes,
                                         .layout.processes = 1};
    const struct mt_launch launch = {.cluster = check->cluster,
                                     .program = &program,
                                     .configuration = &all,
                                     .size = 1,
                                     .unbound = true,
                                     .folder = folder};
    return mt_job_make(job, &launch, err);
}

/* null, a simulated node's value for what it lacks, becomes NaN. */
static bool read_number(double *number, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value) && !json_is_null(value))
        return false;
    *number = json_is_null(value) ? NAN : json_number_value(value);
    return true;
}

static bool read_positive(double *number, const json_t *object, const char *key)
{
    return read_number(number, object, key) && *number > 0;
}

/* The index of the node on which the rank runs, or -1. */
static int read_node(const struct mt_check *check, const json_t *object,
                     const char *key)
{
    const json_t *rank = json_object_get(object, key);
    const json_int_t number = json_integer_value(rank);
    if (!json_is_integer(rank) || number < 0 || number >= check->nanswer)
        return -1;
    return mt_check_node_of_rank(check, (int)number);
}

static bool read_text(char **text, const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    if (value && !*text)
        *text = mt_strdup(value);
    return value;
}

/* A second probe would see the load of the first, so the first value stays. */
static bool read_rank(struct mt_check *check, const json_t *object)
{
    const int index = read_node(check, object, "rank");
    if (index < 0)
        return false;
    struct mt_checked_node *node = &check->nodes[index];
    if (node->mpi)
        return true;
    return read_number(&node->cores, object, "cores") &&
           read_number(&node->load, object, "load") &&
           read_text(&node->host, object, "host") &&
           read_text(&node->mpi, object, "mpi");
}

static bool read_compute(struct mt_check *check, const json_t *object)
{
    const int index = read_node(check, object, "rank");
    double flops, bandwidth;
    if (index < 0 || !read_positive(&flops, object, "flops") ||
        !read_positive(&bandwidth, object, "bandwidth"))
        return false;
    struct mt_checked_node *node = &check->nodes[index];
    node->flops = fmax(node->flops, flops);
    node->bandwidth = fmax(node->bandwidth, bandwidth);
    return true;
}

static bool add_point(struct mt_curve *curve, const json_t *object)
{
    double bytes, seconds, median;
    return read_positive(&bytes, object, "bytes") &&
           read_positive(&seconds, object, "seconds") &&
           read_positive(&median, object, "median") &&
           mt_curve_add(curve, bytes, seconds, median);
}

/* NULL: not one of the links to check. */
static struct mt_checked_link *find_link(struct mt_check *check, const json_t *object)
{
    const int from = read_node(check, object, "from");
    const int to = read_node(check, object, "to");
    for (int i = 0; i < check->nlinks; i++)
        if (check->links[i].from == from && check->links[i].to == to)
            return &check->links[i];
    return NULL;
}

static bool read_pair(struct mt_check *check, const json_t *object)
{
    struct mt_checked_link *link = find_link(check, object);
    return link && add_point(&link->curve, object);
}

static bool read_between(struct mt_check *check, const json_t *object)
{
    struct mt_checked_link *link = find_link(check, object);
    return link && add_point(&link->between, object);
}

static bool read_network(struct mt_check *check, const json_t *object)
{
    const int index = read_node(check, object, "rank");
    if (index < 0)
        return false;
    struct mt_checked_node *node = &check->nodes[index];
    read_text(&node->interface, object, "interface"); /* not if it is unknown */
    return read_number(&node->mtu, object, "mtu") &&
           read_number(&node->eager, object, "eager") &&
           read_number(&node->buffer, object, "buffer");
}

static bool read_alltoall(struct mt_check *check, const json_t *object)
{
    check->said_all = true; /* it comes last */
    return add_point(&check->alltoall, object);
}

int mt_check_read(struct mt_check *check, const char *line, struct mt_error *err)
{
    static const struct {
        const char *test;
        bool (*read)(struct mt_check *check, const json_t *object);
    } tests[] = {{"rank", read_rank},       {"compute", read_compute},
                 {"pair", read_pair},       {"between", read_between},
                 {"network", read_network}, {"alltoall", read_alltoall}};

    if (strncmp(line, "{\"test\"", strlen("{\"test\"")) != 0)
        return MT_OK; /* the launcher's own words */
    json_t *object = json_loads(line, 0, NULL);
    const char *test = json_string_value(json_object_get(object, "test"));
    bool understood = false;
    for (size_t i = 0; test && i < sizeof tests / sizeof *tests; i++)
        if (!strcmp(tests[i].test, test))
            understood = tests[i].read(check, object);
    json_decref(object);
    if (!understood)
        return mt_fail(err, MT_EIO, "the probe's words make no sense: '%.*s'",
                       (int)strcspn(line, "\n"), line);
    return MT_OK;
}

/* The output after the last of the probe's own lines, which are JSON. */
static const char *skip_results(const char *text)
{
    const char *rest = text;
    for (const char *line = text; *line; line += *line == '\n') {
        const bool result = *line == '{';
        line += strcspn(line, "\n");
        if (result)
            rest = line;
    }
    return rest;
}

/* Why the probe failed. */
static int explain(const struct mt_process *process, struct mt_error *err)
{
    char limit[32], how[64], why[151] = "";
    if (process->timed_out)
        snprintf(how, sizeof how, "took longer than %s",
                 mt_format_seconds(limit, process->timeout));
    else if (process->signal != 0)
        snprintf(how, sizeof how, "was killed by signal %d", process->signal);
    else
        snprintf(how, sizeof how, "ended with exit status %d", process->exit_code);

    char *text = mt_output_text(&process->output);
    if (text)
        mt_cause_line(why, sizeof why, skip_results(text));
    mt_text_clean(why); /* of which a character may have been cut */
    mt_fail(err, MT_EIO, "the probe of the nodes %s%s%s", how, why[0] ? ": " : "", why);
    free(text);
    return MT_EIO;
}

static int read_all(struct mt_check *check, FILE *output, struct mt_error *err)
{
    char *line = NULL;
    size_t size = 0;
    int status = MT_OK;
    rewind(output);
    while (status == MT_OK && getline(&line, &size, output) > 0)
        status = mt_check_read(check, line, err);
    free(line);
    return status;
}

/* The name of a node that sent nothing; NULL if all did. */
static const char *find_silent(const struct mt_check *check)
{
    for (int i = 0; i < check->nnodes; i++)
        if (check->nodes[i].answers && !check->nodes[i].mpi)
            return check->nodes[i].name;
    return NULL;
}

/* Read the output of a job that has ended, even by a failure. */
static int take_in(struct mt_check *check, const struct mt_process *process,
                   FILE *output, struct mt_error *err)
{
    if (!process->timed_out && (process->signal != 0 || process->exit_code != 0))
        return explain(process, err);
    check->said_all = false;
    int status = read_all(check, output, err);
    if (process->timed_out && (status != MT_OK || !check->said_all))
        return explain(process, err);
    if (status == MT_OK && find_silent(check))
        return mt_fail(err, MT_EIO,
                       "the launcher started no probe on node '%s', or it said nothing",
                       find_silent(check));
    check->endless = check->endless || process->timed_out;
    return status;
}

static int run_probe(struct mt_check *check, char **command, const char *folder,
                     FILE *output, int *interrupted, struct mt_error *err)
{
    struct mt_job job = {0};
    struct mt_process *process = mt_calloc(1, sizeof *process);
    process->timeout = timeout_seconds + timeout_seconds_per_link * check->nlinks;
    process->echo = fileno(output);
    int status = make_job(&job, check, command, folder, err);
    mt_job_process(&job, process);
    if (status == MT_OK)
        status = mt_process_run(process, interrupted, err);
    if (status == MT_OK && *interrupted == 0)
        status = take_in(check, process, output, err);
    mt_job_clear(&job);
    free(process);
    return status;
}

int mt_check_probe(struct mt_check *check, int *interrupted, struct mt_error *err)
{
    char *folder = NULL;
    FILE *output = tmpfile();
    if (!output)
        return mt_fail(err, MT_EIO, "no room for the probe's output");
    char **command = make_command(check);
    int status = mt_scratch_make(&folder, err);
    if (status == MT_OK)
        status = run_probe(check, command, folder, output, interrupted, err);
    mt_argv_free(command);
    mt_scratch_remove(folder);
    fclose(output);
    return status;
}
