/* SPDX-License-Identifier: BSD-3-Clause */
#include "fit_views.h"
#include "surface.h"

#include "lib/base/argv.h"
#include "lib/base/hostlist.h"

#include <errno.h>
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int count_sharing_cores(hwloc_topology_t topology, hwloc_obj_t cache)
{
    int cores =
        hwloc_get_nbobjs_inside_cpuset_by_type(topology, cache->cpuset, HWLOC_OBJ_CORE);
    return cores > 0 ? cores : 1; /* virtual machines may hide them */
}

static void list_caches(struct mt_fit_report *report, hwloc_topology_t topology)
{
    static const hwloc_obj_type_t levels[MT_MAX_MACHINE_CACHES] = {
        HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE,
        HWLOC_OBJ_L5CACHE};
    for (int i = 0; i < MT_MAX_MACHINE_CACHES; i++) {
        hwloc_obj_t cache = hwloc_get_obj_by_type(topology, levels[i], 0);
        if (cache && cache->attr->cache.size > 0)
            report->caches[report->ncaches++] = (struct mt_machine_cache){
                .level = i + 1,
                .bytes = (double)cache->attr->cache.size,
                .cores = count_sharing_cores(topology, cache)};
    }
}

/* The caches of this machine mean nothing for a simulated one. It is no failure if
   hwloc finds none. */
static void find_caches(struct mt_fit_report *report)
{
    hwloc_topology_t topology;
    if (mt_cluster_simulated(&report->inputs.cluster) ||
        hwloc_topology_init(&topology) < 0)
        return;
    if (hwloc_topology_load(topology) == 0)
        list_caches(report, topology);
    hwloc_topology_destroy(topology);
}

/* Whether this machine is the cluster's only node. */
static bool is_here(const struct mt_cluster *cluster)
{
    const struct mt_group *group = &cluster->groups[0];
    return cluster->ngroups == 1 && group->nodes == 1 && group->hosts &&
           mt_is_this_host(group->hosts[0]);
}

/* Let steps be looked for at this machine's caches: at the largest of them, should
   there be more than steps. */
static void know_caches(struct mt_fit_report *report)
{
    const int most = MT_MAX_CACHE_STEPS;
    const int first = report->ncaches > most ? report->ncaches - most : 0;
    for (int i = first; i < report->ncaches; i++)
        report->fit.caches[report->fit.ncaches++] = report->caches[i].bytes;
}

/* Read the machine file that --output names, if it is there. */
static int read_machine(struct mt_machine *machine, const char *path,
                        struct mt_error *err)
{
    if (!path || access(path, F_OK) != 0)
        return MT_OK;
    /* Renaming over a file needs a writable folder only, but a read-only file should
       stay. */
    if (access(path, W_OK) != 0)
        return mt_fail(err, MT_EIO, "cannot write '%s': %s", path, strerror(errno));
    const int status = mt_machine_load(machine, path, err);
    if (status != MT_OK)
        return mt_fail(err, status, "--output: what is there is left as it is: %s",
                       err->text);
    return MT_OK;
}

static int learn(struct mt_fit_report *report, struct mt_error *err)
{
    const struct mt_surface_options *options = &mt_surface_options;
    struct mt_surface_runs runs = {0};
    double speed = 0;
    report->output = options->output;
    find_caches(report);
    int status = mt_positive_option(&speed, "--speed", options->speed, MT_FLOPS, err);
    if (status == MT_OK)
        status = read_machine(&report->fit.machine, options->output, err);
    if (status == MT_OK)
        status = mt_surface_runs_read(&runs, &report->inputs,
                                      &report->inputs.program.shape, err);
    if (status == MT_OK && is_here(&report->inputs.cluster))
        know_caches(report);
    if (status == MT_OK)
        status =
            mt_machine_fit_make(&report->fit, &runs.samples, &runs.query, speed, err);
    mt_surface_runs_clear(&runs);
    return status;
}

/* "512,1024": the sizes that are wanted on so many ranks. NULL: memory is short. */
static char *list_sizes(const struct mt_learned *learned, int ranks)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    const char *separator = "";
    for (int i = 0; i < learned->nwanted; i++) {
        if (learned->wanted[i].ranks != ranks)
            continue;
        fprintf(stream, "%s%.15g", separator, learned->wanted[i].size);
        separator = ",";
    }
    if (fclose(stream) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* The words after "motley measure" that make the wanted runs of so many ranks. */
static int make_words(char ***words, const struct mt_machine_fit *fit,
                      struct mt_use use, int ranks, const char **arguments,
                      struct mt_error *err)
{
    char *sizes = list_sizes(&fit->learned, ranks);
    int status = sizes ? MT_OK : mt_fail(err, MT_ENOMEM, "no memory for a command");
    if (status == MT_OK && strcmp(mt_common.db, "motley.db") != 0)
        status = mt_argv_add_all(words, err, "--db", mt_common.db, NULL);
    if (status == MT_OK)
        status = mt_argv_add_all(words, err, "--configuration", NULL);
    if (status == MT_OK)
        status = mt_argv_add(words, err, "%s:%dx%d",
                             fit->cluster->groups[fit->runs.group].name, use.nodes,
                             use.layout.processes);
    if (status == MT_OK)
        status = mt_argv_add_all(words, err, "--sizes", sizes, arguments[0],
                                 arguments[1], NULL);
    free(sizes);
    return status;
}

/* The command that makes the wanted runs of so many ranks, if the group has them. */
static int add_command(struct mt_fit_report *report, int ranks, const char **arguments,
                       struct mt_error *err)
{
    const struct mt_use use = mt_machine_fit_use(&report->fit, ranks);
    char **words = NULL;
    if (!use.nodes)
        return MT_OK;
    int status = make_words(&words, &report->fit, use, ranks, arguments, err);
    char *line = status == MT_OK ? mt_argv_format(words) : NULL;
    if (status == MT_OK)
        status = line ? mt_argv_add(&report->measure, err, "motley measure %s", line)
                      : mt_fail(err, MT_ENOMEM, "no memory for a command");
    free(line);
    mt_argv_free(words);
    return status;
}

static bool is_first_of_ranks(const struct mt_learned *learned, int i)
{
    for (int j = 0; j < i; j++)
        if (learned->wanted[j].ranks == learned->wanted[i].ranks)
            return false;
    return true;
}

static int list_commands(struct mt_fit_report *report, const char **arguments,
                         struct mt_error *err)
{
    const struct mt_learned *learned = &report->fit.learned;
    int status = MT_OK;
    for (int i = 0; i < learned->nwanted && status == MT_OK; i++)
        if (is_first_of_ranks(learned, i))
            status = add_command(report, learned->wanted[i].ranks, arguments, err);
    return status;
}

static int put_out(const struct mt_fit_report *report, struct mt_error *err)
{
    mt_surface_warn(report->fit.warnings);
    return mt_common.json ? mt_fit_report_print_json(report, err)
                          : mt_fit_report_print(report, err);
}

static int run(const char **arguments, struct mt_error *err)
{
    struct mt_fit_report report = {0};
    int status = mt_inputs_load(&report.inputs, arguments, err);
    if (status == MT_OK)
        status = learn(&report, err);
    if (status == MT_OK)
        status = list_commands(&report, arguments, err);
    if (status == MT_OK && report.output)
        status = mt_machine_fit_write(&report.fit, report.output, err);
    if (status == MT_OK)
        status = put_out(&report, err);
    mt_argv_free(report.measure);
    mt_machine_fit_clear(&report.fit);
    mt_inputs_clear(&report.inputs);
    return mt_exit_status(status);
}

static const char *const options[] = {"nodes",  "size", "group", "processes", "speed",
                                      "output", "db",   "json",  NULL};

const struct mt_action mt_surface_fit = {
    .name = "fit",
    .arguments = "CLUSTER PROGRAM",
    .summary = "learn what computation and messages cost from runs on few nodes",
    .least = 2,
    .most = 2,
    .options = options,
    .run = run,
};
