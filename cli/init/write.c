/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes that are alike become a group; the files, with comments that explain them. */
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

/* Nodes that are alike. */
struct group {
    char name[64];
    const struct mt_found_node *like; /* the first of them */
    char **hosts;                     /* owned, not the strings in it */
    int count;
};

static bool same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool alike(const struct mt_found_node *a, const struct mt_found_node *b)
{
    return a->slots == b->slots && a->cores == b->cores && a->memory == b->memory &&
           same_text(a->features, b->features) &&
           same_text(a->partitions, b->partitions);
}

/* The first feature; without features, what the hosts' names begin with, as "x" of
   "x01" and "x02". */
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

static int make_groups(struct group *groups, int *count,
                       const struct mt_found_nodes *found, struct mt_error *err)
{
    for (int n = 0; n < found->count; n++) {
        const struct mt_found_node *node = &found->nodes[n];
        int g = 0;
        while (g < *count && !alike(groups[g].like, node))
            g++;
        if (g == MT_MAX_GROUPS)
            return mt_fail(err, MT_EINVAL, "more than %d kinds of nodes",
                           MT_MAX_GROUPS);
        if (g == *count) {
            groups[g].like = node;
            groups[g].hosts = mt_calloc((size_t)found->count, sizeof *groups[g].hosts);
            (*count)++;
        }
        groups[g].hosts[groups[g].count++] = node->host;
    }
    for (int g = 0; g < *count; g++)
        name_group(groups, g);
    return MT_OK;
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

/* The default one of Slurm, which sinfo marks by '*', or the first that it lists; the
   others are told. */
static void write_partition(FILE *file, const char *partitions)
{
    if (!partitions)
        return;
    const char *mark = strchr(partitions, '*'), *chosen = partitions;
    while (mark && chosen + strcspn(chosen, ",") < mark)
        chosen += strcspn(chosen, ",") + 1;
    const int length = (int)strcspn(chosen, "*,");
    fprintf(file, "    partition: '%.*s'", length, chosen);
    const char *between = " # also in: ";
    for (const char *name = partitions; *name;) {
        const size_t size = strcspn(name, ",");
        if (name != chosen) {
            fprintf(file, "%s%.*s", between, (int)size, name);
            between = ", ";
        }
        name += size + (name[size] == ',');
    }
    fputc('\n', file);
}

static void write_cores(FILE *file, int cores)
{
    if (cores > 0)
        fprintf(file, "    cores: %d\n", cores);
    else
        fputs("    # cores: 8\n", file);
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
    write_partition(file, group->like->partitions);
    if (group->like->fast_cores > 0)
        fprintf(file, "    # %d of the %d cores are faster than the others\n",
                group->like->fast_cores, group->like->cores);
    write_processes(file, group->like);
    write_cores(file, group->like->cores);
    write_memory(file, group->like->memory);
    fputs("    # price: 0.10\n    # watts: 200\n", file);
    free(hosts);
}

/* The file's name without folder and ending, as it can stand in quotes. */
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
        return mt_fail(err, MT_EINVAL, "there is such a file already: '%s'", path);
    return mt_fail(err, MT_EIO, "cannot write '%s': %s", path, strerror(errno));
}

/* Close a file that was created. */
static int finish(FILE *file, const char *path, int status, struct mt_error *err)
{
    bool failed = ferror(file);
    failed = fclose(file) != 0 || failed;
    if (failed && status == MT_OK)
        status = mt_fail(err, MT_EIO, "cannot write '%s': %s", path, strerror(errno));
    return status;
}

static const char partition_comment[] =
    "#   partition: of Slurm that the nodes are asked of: its default one where they "
    "are\n"
    "#     in that, else the first. A run over several is a heterogeneous job. There "
    "are\n"
    "#     account, qos, constraint and gres, too.\n";

static int write_cluster(FILE *file, const struct mt_found_nodes *found,
                         const char *path, const char *origin, struct mt_error *err)
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
    struct group groups[MT_MAX_GROUPS] = {0};
    int count = 0;
    const int status = make_groups(groups, &count, found, err);
    for (int g = 0; g < count; g++) {
        if (status == MT_OK)
            write_group(file, &groups[g]);
        free(groups[g].hosts);
    }
    return status;
}

int mt_init_write_cluster(const struct mt_found_nodes *found, const char *path,
                          const char *origin, struct mt_error *err)
{
    FILE *file;
    int status = mt_init_create(&file, path, err);
    if (status != MT_OK)
        return status;
    status = write_cluster(file, found, path, origin, err);
    status = finish(file, path, status, err);
    struct mt_cluster cluster = {0};
    if (status == MT_OK)
        status = mt_cluster_load(&cluster, path, err);
    if (status != MT_OK)
        unlink(path);
    mt_cluster_clear(&cluster);
    return status;
}

int mt_init_finish_program(FILE *file, const char *path, struct mt_error *err)
{
    struct mt_program program = {0};
    int status = finish(file, path, MT_OK, err);
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
            "# the number of processes. A name without '/' is looked for beside this\n"
            "# file and on PATH.\n"
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
