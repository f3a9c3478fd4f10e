/* SPDX-License-Identifier: BSD-3-Clause */
#include "sources.h"

#include "cli/launch/environment.h"
#include "cli/launch/launcher.h"
#include "cli/process/child.h"
#include "lib/base/argv.h"
#include "lib/base/line.h"
#include "lib/base/number.h"

#include <errno.h>
#include <hwloc.h>
#include <hwloc/cpukinds.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The launcher that is installed, Open MPI before MPICH; Open MPI when none is. */
static enum mt_launcher installed_launcher(void)
{
    const enum mt_launcher known[] = {MT_LAUNCH_OPENMPI, MT_LAUNCH_MPICH};
    for (int i = 0; i < 2; i++) {
        char *path = NULL;
        if (mt_find_launcher(&path, mt_launcher_find(known[i]), NULL) == MT_OK) {
            free(path);
            return known[i];
        }
    }
    return MT_LAUNCH_OPENMPI;
}

/* Of a node, of all nodes, and of the lines that they stand on. */
enum { MAX_SLOTS = 100000, MAX_NODES = 100000, MAX_LINES = 1000000 };

/* The next word of `*rest`, or NULL; blanks and '=' stand between words. */
static char *next_word(char **rest)
{
    char *word;
    while ((word = strsep(rest, " \t\r\n=")))
        if (*word)
            return word;
    return NULL;
}

static int parse_slots(int *slots, const char *text, struct mt_error *err)
{
    double number;
    const char *end = text ? mt_number_read(text, &number) : NULL;
    if (!end || *end || !(number >= 1 && number <= MAX_SLOTS) ||
        number != floor(number))
        return mt_fail(err, MT_EPARSE, "slots must be a number from 1 to %d, not '%s'",
                       MAX_SLOTS, text ? text : "");
    *slots = (int)number;
    return MT_OK;
}

/* Add what a file says of a node that is not known yet. */
static int add_node(struct mt_found_nodes *found, const struct mt_found_node *node,
                    struct mt_error *err)
{
    if (node->slots > MAX_SLOTS || node->cores > MAX_SLOTS)
        return mt_fail(err, MT_EPARSE, "'%.60s' has more than %d slots", node->host,
                       MAX_SLOTS);
    if (found->count == MAX_NODES)
        return mt_fail(err, MT_EPARSE, "more than %d nodes", MAX_NODES);
    return mt_found_add(found, node, err);
}

/* A host that comes again has more slots. */
static int add_slots(struct mt_found_nodes *found, char *host, int slots,
                     struct mt_error *err)
{
    struct mt_found_node *known = mt_found_find(found, host);
    if (!known)
        return add_node(found, &(struct mt_found_node){.host = host, .slots = slots},
                        err);
    if (slots > MAX_SLOTS - known->slots)
        return mt_fail(err, MT_EPARSE, "'%.60s' has more than %d slots", host,
                       MAX_SLOTS);
    known->slots += slots;
    return MT_OK;
}

/* Ansible keeps hosts in files of sections ("[old]", "[old:vars]") or of YAML, which
   begin with a key ("all:"). */
static bool is_inventory(const char *line, bool begins)
{
    const char *word = line + strspn(line, " \t");
    const size_t length = strcspn(word, " \t\r\n");
    const bool alone = word[length + strspn(word + length, " \t\r\n")] == '\0';
    const bool section =
        length > 2 && word[0] == '[' && word[length - 1] == ']' && !strstr(word, "::");
    const bool key = begins && length > 1 && word[length - 1] == ':';
    return (alone && (section || key)) || strncmp(line, "---", 3) == 0 ||
           strstr(line, " ansible_");
}

/* The slots behind the colon of "host:4", which is cut off. */
static int cut_slots(int *slots, char *host, char *colon, struct mt_error *err)
{
    if (strchr(colon + 1, ':'))
        return mt_fail(err, MT_EPARSE,
                       "'%.60s' looks like an IPv6 address: write the host's name",
                       host);
    if (colon[1] == '\0')
        return mt_fail(err, MT_EPARSE,
                       "'%.60s' has no slots behind the colon: write '%.*s:2' or "
                       "'%.*s slots=2'",
                       host, (int)(colon - host), host, (int)(colon - host), host);
    *colon = '\0';
    return parse_slots(slots, colon + 1, err);
}

static bool is_number(const char *word)
{
    return word[strspn(word, "0123456789")] == '\0';
}

/* The line's own way of writing slots tells whose hostfile it is. */
static int read_hostfile_line(struct mt_found_nodes *found, char *line, bool *told,
                              struct mt_error *err)
{
    line[strcspn(line, "#")] = '\0';
    if (is_inventory(line, found->count == 0))
        return mt_fail(err, MT_EPARSE,
                       "this is an Ansible inventory, which is not read: write its "
                       "hosts one a line; 'ansible all --list-hosts' prints them");
    char *rest = line, *host = next_word(&rest), *word;
    int slots = 1, status = MT_OK;
    if (!host)
        return MT_OK;
    char *colon = strchr(host, ':');
    if (colon) {
        status = cut_slots(&slots, host, colon, err);
        found->launcher = MT_LAUNCH_MPICH;
        *told = true;
    }
    for (int nth = 1; status == MT_OK && (word = next_word(&rest)); nth++) {
        if (nth == 1 && is_number(word))
            status = parse_slots(&slots, word, err);
        if (strcmp(word, "slots") != 0)
            continue;
        status = parse_slots(&slots, next_word(&rest), err);
        found->launcher = MT_LAUNCH_OPENMPI;
        *told = true;
    }
    return status == MT_OK ? add_slots(found, host, slots, err) : status;
}

static int read_hostfile(struct mt_found_nodes *found, FILE *file, const char *path,
                         struct mt_error *err)
{
    struct mt_line line = {0};
    struct mt_error reason;
    bool told = false;
    int number = 0, status;
    do {
        status = mt_line_read(&line, file, &reason);
        if (++number > MAX_LINES && status == MT_OK)
            status = mt_fail(&reason, MT_EPARSE, "more than %d lines", MAX_LINES);
        if (status == MT_OK && !line.ended)
            status = read_hostfile_line(found, line.text, &told, &reason);
    } while (status == MT_OK && !line.ended);
    if (status == MT_EIO)
        mt_fail(err, status, "cannot read '%s': %s", path, strerror(errno));
    else if (status != MT_OK)
        mt_fail(err, status, "%s:%d: %s", path, number, reason.text);
    else if (found->count == 0)
        status = mt_fail(err, MT_EPARSE, "no hosts in '%s'", path);
    if (!told)
        found->launcher = installed_launcher();
    mt_line_clear(&line);
    return status;
}

int mt_init_from_hostfile(struct mt_found_nodes *found, const char *path,
                          struct mt_error *err)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return mt_fail(err, MT_EIO, "cannot read '%s': %s", path, strerror(errno));
    const int status = read_hostfile(found, file, path, err);
    fclose(file);
    return status;
}

/* It is in several partitions: a line for each, in their order. */
static int add_partition(struct mt_found_node *node, const char *name,
                         struct mt_error *err)
{
    char *names;
    if (asprintf(&names, "%s,%s", node->partitions, name) < 0)
        return mt_fail(err, MT_ENOMEM, "no memory for the partitions of a node");
    free(node->partitions);
    node->partitions = names;
    return MT_OK;
}

/* "x01 32 2 8 64000 batch xeon,ib": node, processors, sockets, cores of a socket, MB of
   memory, partition, features. */
static int read_sinfo_line(struct mt_found_nodes *found, const char *line,
                           struct mt_error *err)
{
    char host[256], partition[256], features[256];
    int processors, sockets, cores;
    double megabytes;
    if (sscanf(line, "%255s %d %d %d %lf %255s %255s", host, &processors, &sockets,
               &cores, &megabytes, partition, features) != 7 ||
        processors < 1 || sockets < 1 || cores < 1 || !(megabytes >= 0) ||
        sockets > MAX_SLOTS || cores > MAX_SLOTS / sockets || !isfinite(megabytes))
        return mt_fail(err, MT_EIO, "'sinfo' prints what is not understood: '%.*s'",
                       (int)strcspn(line, "\n"), line);
    struct mt_found_node *known = mt_found_find(found, host);
    if (known)
        return add_partition(known, partition, err);
    const struct mt_found_node node = {
        .host = host,
        .slots = processors,
        .cores = sockets * cores,
        /* 1 is what Slurm takes for a node whose memory nobody told it. */
        .memory = megabytes > 1 ? megabytes * 1024 * 1024 : 0,
        .features = strcmp(features, "(null)") == 0 ? NULL : features,
        .partitions = partition};
    return add_node(found, &node, err);
}

static int read_sinfo(struct mt_found_nodes *found, FILE *stream, struct mt_error *err)
{
    struct mt_line line = {0};
    rewind(stream);
    int status = mt_line_read(&line, stream, err);
    while (status == MT_OK && !line.ended) {
        status = read_sinfo_line(found, line.text, err);
        if (status == MT_OK)
            status = mt_line_read(&line, stream, err);
    }
    mt_line_clear(&line);
    if (status == MT_OK && found->count == 0)
        status = mt_fail(err, MT_EIO, "'sinfo' lists no nodes");
    return status;
}

int mt_init_from_slurm(struct mt_found_nodes *found, struct mt_error *err)
{
    char name[] = "sinfo", no_header[] = "-h", by_node[] = "-N", sort[] = "-S",
         keys[] = "N,P", print[] = "-o", format[] = "%N %c %X %Y %m %P %f";
    char *const argv[] = {name, no_header, by_node, sort, keys, print, format, NULL};
    FILE *nothing = tmpfile(), *output = tmpfile(), *messages = tmpfile();
    char **env = NULL;
    int status = mt_environment_without(&env, "SINFO_", err);
    if (status == MT_OK && !(nothing && output && messages))
        status = mt_fail(err, MT_EIO, "cannot make temporary files for sinfo");
    if (status == MT_OK)
        status = mt_child_run(argv, env, nothing, output, messages, err);
    mt_argv_free(env);
    if (status == MT_OK)
        status = read_sinfo(found, output, err);
    found->launcher = MT_LAUNCH_SLURM;
    FILE *const files[] = {nothing, output, messages};
    for (int i = 0; i < 3; i++)
        if (files[i])
            fclose(files[i]);
    return status;
}

/* hwloc sorts the kinds of cores by their efficiency: the last one is the fastest. */
static int count_fast_cores(hwloc_topology_t topology)
{
    int kinds = hwloc_cpukinds_get_nr(topology, 0), cores = 0;
    hwloc_bitmap_t fast = hwloc_bitmap_alloc();
    if (fast && kinds > 1 &&
        hwloc_cpukinds_get_info(topology, (unsigned)kinds - 1, fast, NULL, NULL, NULL,
                                0) == 0)
        cores = hwloc_get_nbobjs_inside_cpuset_by_type(topology, fast, HWLOC_OBJ_CORE);
    hwloc_bitmap_free(fast);
    return cores;
}

static int read_topology(struct mt_found_nodes *found, hwloc_topology_t topology,
                         struct mt_error *err)
{
    char host[] = "localhost";
    struct mt_found_node node = {.host = host};
    if (hwloc_topology_load(topology) < 0)
        return mt_fail(err, MT_EIO, "hwloc cannot tell what this machine is");
    node.cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
    if (node.cores < 1) /* virtual machines may hide them */
        node.cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
    if (node.cores > MAX_SLOTS)
        return mt_fail(err, MT_EIO, "hwloc counts %d cores, more than %d", node.cores,
                       MAX_SLOTS);
    node.slots = node.cores;
    node.fast_cores = count_fast_cores(topology);
    node.memory = (double)hwloc_get_root_obj(topology)->total_memory;
    return mt_found_add(found, &node, err);
}

int mt_init_from_machine(struct mt_found_nodes *found, struct mt_error *err)
{
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) < 0)
        return mt_fail(err, MT_ENOMEM, "no memory for hwloc");
    int status = read_topology(found, topology, err);
    hwloc_topology_destroy(topology);
    found->launcher = installed_launcher();
    return status;
}
