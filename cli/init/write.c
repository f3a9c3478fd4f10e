/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups equal nodes, and writes the files, with comments that explain them. */
#include "init.h"

#include "cli/process/memory.h"
#include "lib/base/hostlist.h"
#include "lib/base/text.h"
#include "lib/input/internal.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Equal nodes that one job can have. */
struct group {
    char name[64];
    const struct mt_found_node *like; /* the first of them */
    char **hosts;                     /* owned, not the strings in it */
    int count;
    char *partition; /* owned; the partition with all of them; NULL: no scheduler */
    char *others;    /* owned; partitions with some of them, for a comment; NULL:
                        none */
};

/* Empty if zeroed. In the order in which the nodes were found. */
struct groups {
    struct group *list; /* owned */
    int count;
};

static void group_clear(struct group *group)
{
    free(group->hosts);
    free(group->partition);
    free(group->others);
}

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

/* 0: of one kind. */
static int compare_kinds(const struct mt_found_node *a, const struct mt_found_node *b)
{
    int order = (a->slots > b->slots) - (a->slots < b->slots);
    if (order == 0)
        order = (a->cores > b->cores) - (a->cores < b->cores);
    if (order == 0)
        order = (a->threads > b->threads) - (a->threads < b->threads);
    if (order == 0)
        order = (a->memory > b->memory) - (a->memory < b->memory);
    if (order == 0)
        order = compare_texts(a->features, b->features);
    return order == 0 ? compare_texts(a->gres, b->gres) : order;
}

/* Sort by kind; nodes of a kind stay in the order in which they were found. */
static int compare_nodes(const void *a, const void *b)
{
    const struct mt_found_node *first = *(struct mt_found_node *const *)a,
                               *second = *(struct mt_found_node *const *)b;
    const int order = compare_kinds(first, second);
    return order == 0 ? (first > second) - (first < second) : order;
}

/* A partition, and the number of its nodes among some. */
struct partition {
    const char *name; /* borrowed; not NUL-terminated */
    int length;       /* of the name, without the mark */
    int nodes;
    bool usual; /* Slurm's default one, which sinfo marks by '*' */
};

/* The next name in a list of partitions, from `*at`, which moves on; empty at the
   end. */
static struct partition next_partition(const char **at)
{
    const int length = (int)strcspn(*at, ","), name = (int)strcspn(*at, "*,");
    const struct partition partition = {*at, name, 1, name < length};
    *at += length + ((*at)[length] == ',');
    return partition;
}

static bool same_partition(const struct partition *a, const struct partition *b)
{
    return a->length == b->length && strncmp(a->name, b->name, (size_t)a->length) == 0;
}

/* The partitions of any of the nodes, in order of occurrence. The caller frees them. */
static struct partition *list_partitions(int *count,
                                         const struct mt_found_node *const *nodes,
                                         int nnodes)
{
    struct partition *list = NULL;
    *count = 0;
    for (int n = 0; n < nnodes; n++)
        for (const char *at = nodes[n]->partitions; at && *at;) {
            const struct partition partition = next_partition(&at);
            int i = 0;
            while (i < *count && !same_partition(&list[i], &partition))
                i++;
            if (i < *count) {
                list[i].nodes++;
                continue;
            }
            mt_array_extend(&list, *count, sizeof *list);
            list[(*count)++] = partition;
        }
    return list;
}

static bool is_in(const struct mt_found_node *node, const struct partition *wanted)
{
    for (const char *at = node->partitions; at && *at;) {
        const struct partition partition = next_partition(&at);
        if (same_partition(&partition, wanted))
            return true;
    }
    return false;
}

/* The partition with most nodes; ties go to Slurm's default one. NULL if none. */
static const struct partition *choose_partition(const struct partition *list, int count)
{
    const struct partition *best = NULL;
    for (int i = 0; i < count; i++)
        if (!best || list[i].nodes > best->nodes ||
            (list[i].nodes == best->nodes && list[i].usual && !best->usual))
            best = &list[i];
    return best;
}

/* "debug, own01 (2 nodes)": the partitions of a group's nodes except the group's own.
   NULL if none. */
static char *format_others(const struct mt_found_node *const *nodes, int nnodes,
                           const struct partition *own)
{
    enum { SHOWN = 8 };
    char *text = NULL;
    size_t length;
    int count, shown = 0;
    struct partition *list = list_partitions(&count, nodes, nnodes);
    FILE *stream = count > 1 ? mt_memory_open(&text, &length) : NULL;
    for (int i = 0; stream && i < count; i++) {
        if (same_partition(&list[i], own) || shown++ >= SHOWN)
            continue;
        fprintf(stream, "%s%.*s", shown > 1 ? ", " : "", list[i].length, list[i].name);
        if (list[i].nodes < nnodes)
            fprintf(stream, " (%d node%s)", list[i].nodes,
                    list[i].nodes == 1 ? "" : "s");
    }
    if (shown > SHOWN)
        fprintf(stream, " and %d more", shown - SHOWN);
    if (stream)
        mt_memory_close(stream, &text);
    free(list);
    return text;
}

/* Make a group of the nodes, all of a kind, in the partition with most of them, since a
   job is in one partition. The others move to the front; returns their number. */
static int make_group(struct groups *groups, const struct mt_found_node **nodes,
                      int count)
{
    int partitions, left = 0;
    struct partition *list = list_partitions(&partitions, nodes, count);
    const struct partition *chosen = choose_partition(list, partitions);
    struct group group = {.hosts = mt_calloc((size_t)count, sizeof *group.hosts)};
    const struct mt_found_node **taken =
        mt_calloc((size_t)count, sizeof(struct mt_found_node *));
    for (int n = 0; n < count; n++) {
        if (chosen && !is_in(nodes[n], chosen)) {
            nodes[left++] = nodes[n];
            continue;
        }
        taken[group.count] = nodes[n];
        group.hosts[group.count++] = nodes[n]->host;
    }
    group.like = taken[0];
    if (chosen) {
        group.partition = mt_asprintf("%.*s", chosen->length, chosen->name);
        group.others = format_others(taken, group.count, chosen);
    }
    free(taken);
    free(list);
    mt_array_extend(&groups->list, groups->count, sizeof *groups->list);
    groups->list[groups->count++] = group;
    return left;
}

/* The first feature; without features, the common beginning of the hosts' names, as "x"
   of "x01" and "x02". */
static int length_of_name(const struct group *group, const char **text)
{
    const char *features = group->like->features;
    *text = features ? features : group->hosts[0];
    if (features)
        return (int)strcspn(features, ",:+ ");
    int length = (int)strcspn(*text, ".0123456789");
    for (int i = 1; i < group->count; i++)
        while (strncmp(*text, group->hosts[i], (size_t)length) != 0)
            length--;
    while (length > 0 && !isalnum((unsigned char)(*text)[length - 1]))
        length--;
    return length;
}

static void name_group(struct group *groups, int index)
{
    const char *text;
    struct group *group = &groups[index];
    int length = length_of_name(group, &text);
    snprintf(group->name, sizeof group->name, "%.*s", length, text);
    bool taken =
        !isalpha((unsigned char)group->name[0]) || !mt_is_host_name(group->name);
    for (int i = 0; i < index; i++)
        taken = taken || strcmp(groups[i].name, group->name) == 0;
    if (taken)
        snprintf(group->name, sizeof group->name, "group-%d", index + 1);
}

static int compare_found(const void *a, const void *b)
{
    const struct group *first = a, *second = b;
    return (first->like > second->like) - (first->like < second->like);
}

static int compare_counts(const void *a, const void *b)
{
    const struct group *first = a, *second = b;
    const int order = (first->count < second->count) - (first->count > second->count);
    return order == 0 ? compare_found(a, b) : order;
}

/* Keep the largest groups, at most as many as a cluster file may have. */
static void leave_out_small(struct groups *groups)
{
    const int kinds = groups->count;
    int nodes = 0;
    if (kinds <= MT_MAX_GROUPS)
        return;
    qsort(groups->list, (size_t)kinds, sizeof *groups->list, compare_counts);
    while (groups->count > MT_MAX_GROUPS) {
        nodes += groups->list[--groups->count].count;
        group_clear(&groups->list[groups->count]);
    }
    fprintf(stderr,
            "motley: %d kinds of nodes: the %d with most nodes are written, and %d "
            "node%s of the others left out\n",
            kinds, MT_MAX_GROUPS, nodes, nodes == 1 ? "" : "s");
}

static void make_groups(struct groups *groups, const struct mt_found_nodes *found)
{
    const struct mt_found_node **nodes =
        mt_calloc((size_t)found->count + 1, sizeof(struct mt_found_node *));
    for (int n = 0; n < found->count; n++)
        nodes[n] = &found->nodes[n];
    qsort(nodes, (size_t)found->count, sizeof(struct mt_found_node *), compare_nodes);
    for (int begin = 0, end; begin < found->count; begin = end) {
        end = begin + 1;
        while (end < found->count && compare_kinds(nodes[begin], nodes[end]) == 0)
            end++;
        for (int left = end - begin; left > 0;)
            left = make_group(groups, nodes + begin, left);
    }
    free(nodes);
    leave_out_small(groups);
    qsort(groups->list, (size_t)groups->count, sizeof *groups->list, compare_found);
    for (int g = 0; g < groups->count; g++)
        name_group(groups->list, g);
}

/* Powers of two below the slots, the fast cores, and all slots. */
static void write_processes(FILE *file, const struct mt_found_node *node)
{
    fputs("    processes: [", file);
    for (int processes = 1; processes < node->slots; processes *= 2) {
        fprintf(file, "%d, ", processes);
        if (node->fast_cores > processes && node->fast_cores < 2 * processes &&
            node->fast_cores < node->slots)
            fprintf(file, "%d, ", node->fast_cores);
    }
    fprintf(file, "%d]\n", node->slots);
}

static void write_partition(FILE *file, const struct group *group)
{
    if (group->partition)
        fprintf(file, "    partition: '%s'%s%s\n", group->partition,
                group->others ? " # also in: " : "",
                group->others ? group->others : "");
}

static void write_cores(FILE *file, const struct mt_found_node *node)
{
    if (node->cores == 0)
        fputs("    # cores: 8\n", file);
    else if (node->threads == 0)
        fprintf(file, "    cores: %d\n", node->cores);
    else
        fprintf(file,
                "    cores: %d # for ranks on all %d hardware threads: cores: %d, and "
                "hyperthreads: yes\n",
                node->cores, node->threads, node->threads);
}

static void write_memory(FILE *file, double bytes)
{
    const double mebi = 1024 * 1024, gibi = 1024 * mebi;
    const bool whole = bytes / gibi == floor(bytes / gibi);
    if (bytes > 0)
        fprintf(file, "    memory: %.0f %s\n", bytes / (whole ? gibi : mebi),
                whole ? "GiB" : "MiB");
    else
        fputs("    # memory: 16 GiB\n", file);
}

static void write_group(FILE *file, const struct group *group)
{
    char *hosts = mt_need(mt_hostlist_format(group->hosts, group->count));
    fprintf(file, "  - name: '%s'\n    hosts: '%s'\n", group->name, hosts);
    write_partition(file, group);
    if (group->like->fast_cores > 0)
        fprintf(file, "    # %d of the %d cores are faster than the others\n",
                group->like->fast_cores, group->like->cores);
    write_processes(file, group->like);
    write_cores(file, group->like);
    if (group->like->gpus > 0)
        fprintf(file, "    gpus: %d # %s\n", group->like->gpus, group->like->gres);
    write_memory(file, group->like->memory);
    fputs("    # price: 0.10\n    # watts: 200\n", file);
    free(hosts);
}

/* The file's name without folder and ending, escaped for quotes. */
static void name_of(char *name, size_t size, const char *path)
{
    const char *slash = strrchr(path, '/');
    snprintf(name, size, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot && dot != name)
        *dot = '\0';
    mt_text_clean_line(name);
    for (char *quote = name; (quote = strchr(quote, '\''));)
        *quote = '_';
}

int mt_init_create(FILE **file, const char *path, struct mt_error *err)
{
    *file = fopen(path, "wx");
    if (*file)
        return MT_OK;
    if (errno == EEXIST)
        return mt_fail(err, MT_EINVAL, "the file exists already: '%s'", path);
    return mt_fail(err, MT_EIO, "cannot write '%s': %s", path, strerror(errno));
}

/* Close a file that was created. */
static int finish(FILE *file, const char *path, struct mt_error *err)
{
    const bool failed = ferror(file);
    return fclose(file) != 0 || failed
               ? mt_fail(err, MT_EIO, "cannot write '%s': %s", path, strerror(errno))
               : MT_OK;
}

static const char partition_comment[] =
    "#   partition: of Slurm that the nodes are asked of. A run over several is a\n"
    "#     heterogeneous job. There are account, qos, constraint and gres, too.\n";

static void write_cluster(FILE *file, const struct mt_found_nodes *found,
                          const char *path, const char *origin)
{
    char name[64];
    name_of(name, sizeof name, path);
    fprintf(
        file,
        "# A cluster file, see motley-cluster(5); written by 'motley init' from\n"
        "# %s. Check it and change what you know better.\n\n"
        "name: '%s'\n"
        "# How programs are started: openmpi, mpich, slurm or command.\n"
        "launcher: %s\n\n"
        "# Groups of nodes that are alike.\n"
        "%s"
        "#   processes: how many on a node may be tried. Each is measured on every\n"
        "#     number of nodes, so a shorter list takes less time to measure.\n"
        "#   cores: of a node; processes beyond them share cores, and yield while they "
        "wait.\n"
        "#   memory: of a node; what does not fit is never planned.\n"
        "#   price: of a node for an hour, for 'motley plan --objective price'.\n"
        "#   watts: of a node, for 'motley plan --objective energy'.\n"
        "groups:\n",
        origin, name, mt_launcher_name(found->launcher),
        found->launcher == MT_LAUNCH_SLURM ? partition_comment : "");
    struct groups groups = {0};
    make_groups(&groups, found);
    for (int g = 0; g < groups.count; g++) {
        write_group(file, &groups.list[g]);
        group_clear(&groups.list[g]);
    }
    free(groups.list);
}

static void say_written(const struct mt_cluster *cluster)
{
    int nodes = 0;
    for (int g = 0; g < cluster->ngroups; g++)
        nodes += cluster->groups[g].nodes;
    printf("%s: %d node%s, launcher %s\n", cluster->path, nodes, nodes == 1 ? "" : "s",
           mt_launcher_name(cluster->launcher));
}

int mt_init_write_cluster(const struct mt_found_nodes *found, const char *path,
                          const char *origin, struct mt_error *err)
{
    FILE *file;
    int status = mt_init_create(&file, path, err);
    if (status != MT_OK)
        return status;
    write_cluster(file, found, path, origin);
    status = finish(file, path, err);
    struct mt_cluster cluster = {0};
    if (status == MT_OK)
        status = mt_cluster_load(&cluster, path, err);
    if (status != MT_OK)
        unlink(path);
    else
        say_written(&cluster);
    mt_cluster_clear(&cluster);
    return status;
}

int mt_init_finish_program(FILE *file, const char *path, struct mt_error *err)
{
    struct mt_program program = {0};
    int status = finish(file, path, err);
    if (status == MT_OK)
        status = mt_program_load(&program, path, err);
    if (status != MT_OK)
        unlink(path);
    mt_program_clear(&program);
    return status;
}

int mt_init_write_program(const char *path, struct mt_error *err)
{
    char name[64];
    name_of(name, sizeof name, path);
    FILE *file;
    int status = mt_init_create(&file, path, err);
    if (status != MT_OK)
        return status;
    fprintf(file,
            "# A program file, see motley-program(5); written by 'motley init'. Put\n"
            "# in what is true for your program.\n\n"
            "name: '%s'\n\n"
            "# Its words, not a line for a shell. {N} becomes the problem size, {P}\n"
            "# the number of processes. A name without '/' is looked for next to\n"
            "# this file and on PATH.\n"
            "command: ['%s', '{N}']\n\n"
            "# Where its seconds come from: 'wall' is the time from its start to its\n"
            "# end. Better is what the program says itself: the first group of a\n"
            "# regular expression in what it prints.\n"
            "# time: {match: 'time ([0-9.eE+-]+) ms', unit: ms}\n"
            "# Or from a rate, by the operations of a run:\n"
            "# rate: {match: '([0-9.eE+-]+) GFLOPS', unit: GFLOPS, work: 2/3*N^3}\n"
            "time: wall\n\n"
            "# Problem sizes, ascending. The small ones are measured, and models\n"
            "# fitted to them: five or more. The large ones are what you want to run.\n"
            "sizes:\n"
            "  measure: [400, 600, 800, 1200, 1600]\n"
            "  plan: [3200, 6400]\n\n"
            "# Formulas of N, P and M, the processes on a node.\n"
            "# work: 2/3*N^3      # operations of a run: plans tell the speed\n"
            "# memory: 8*N^2/P    # bytes that a process needs\n"
            "# valid: N >= P      # which runs are possible\n\n"
            "repeat: 1            # runs of each configuration and size\n"
            "timeout: 600 s       # a run that takes longer is stopped\n",
            name, name);
    return mt_init_finish_program(file, path, err);
}
