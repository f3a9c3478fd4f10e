/* SPDX-License-Identifier: BSD-3-Clause */
/* How many cores this process may use: its affinity, and the CPU quota of its cgroups
   (v1 cpu.cfs_quota_us, v2 cpu.max). */
#include "cores.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first of the processors that share a core with this one, itself if unknown. */
static int first_sibling(int processor)
{
    char file[128];
    snprintf(file, sizeof file,
             "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", processor);
    FILE *stream = fopen(file, "r");
    int first = processor;
    if (stream && fscanf(stream, "%d", &first) != 1)
        first = processor;
    if (stream)
        fclose(stream);
    return first;
}

int mt_cores_count(const cpu_set_t *processors)
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, processors))
            CPU_SET(first_sibling(i), &cores);
    return CPU_COUNT(&cores);
}

enum { path_bytes = 4096, line_bytes = 3 * path_bytes };

/* Where a hierarchy of groups is mounted. */
struct mount {
    char root[path_bytes];  /* the group that is mounted ... */
    char point[path_bytes]; /* ... in this folder */
};

static bool has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",\n") == length && !strncmp(at, word, length))
            return true;
    return false;
}

/* A line is "id parent device root point options [tags...] - type source options". */
static bool read_mount(struct mount *mount, const char *line, int version)
{
    char type[32], options[1024];
    const char *rest = strstr(line, " - ");
    if (!rest || sscanf(rest, " - %31s %*s %1023s", type, options) != 2 ||
        sscanf(line, "%*s %*s %*s %4095s %4095s", mount->root, mount->point) != 2)
        return false;
    return version == 2 ? !strcmp(type, "cgroup2")
                        : !strcmp(type, "cgroup") && has_word(options, "cpu");
}

static bool find_mount(struct mount *mount, const char *proc, int version)
{
    char file[path_bytes], line[line_bytes];
    snprintf(file, sizeof file, "%s/mountinfo", proc);
    FILE *stream = fopen(file, "r");
    bool found = false;
    while (stream && !found && fgets(line, sizeof line, stream))
        found = read_mount(mount, line, version);
    if (stream)
        fclose(stream);
    return found;
}

/* A line is "number:controllers:group"; version 2 has the number 0. */
static bool read_group(char *group, char *line, int version)
{
    char *controllers = strchr(line, ':');
    char *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path)
        return false;
    *path++ = '\0';
    path[strcspn(path, "\n")] = '\0';
    snprintf(group, path_bytes, "%s", path);
    return version == 2 ? !strncmp(line, "0:", 2) : has_word(controllers + 1, "cpu");
}

static bool find_group(char *group, const char *proc, int version)
{
    char file[path_bytes], line[line_bytes];
    snprintf(file, sizeof file, "%s/cgroup", proc);
    FILE *stream = fopen(file, "r");
    bool found = false;
    while (stream && !found && fgets(line, sizeof line, stream))
        found = read_group(group, line, version);
    if (stream)
        fclose(stream);
    return found;
}

/* Read up to two words of a file in a folder; returns how many. */
static int read_words(char words[2][32], const char *folder, const char *name)
{
    char file[path_bytes + 32];
    snprintf(file, sizeof file, "%s/%s", folder, name);
    FILE *stream = fopen(file, "r");
    const int n = stream ? fscanf(stream, "%31s %31s", words[0], words[1]) : 0;
    if (stream)
        fclose(stream);
    return n;
}

/* 0: unlimited. */
static double cores_of(const char *folder, int version)
{
    char words[2][32];
    double quota = 0, period = 0;
    if (version == 2) {
        if (read_words(words, folder, "cpu.max") != 2)
            return 0;
        quota = strtod(words[0], NULL); /* "max": 0 */
        period = strtod(words[1], NULL);
    } else {
        if (read_words(words, folder, "cpu.cfs_quota_us") != 1)
            return 0;
        quota = strtod(words[0], NULL); /* unlimited: -1 */
        if (read_words(words, folder, "cpu.cfs_period_us") != 1)
            return 0;
        period = strtod(words[0], NULL);
    }
    return quota > 0 && period > 0 ? quota / period : 0;
}

/* Walk from the group's folder up to the mount point of its hierarchy. */
static int climb(struct mt_quota *quotas, int max, char *folder, size_t top,
                 int version)
{
    int n = 0;
    while (n < max && strlen(folder) >= top) {
        struct stat status;
        const double cores = cores_of(folder, version);
        if (cores > 0 && stat(folder, &status) == 0)
            quotas[n++] = (struct mt_quota){status.st_ino, cores};
        char *slash = strrchr(folder, '/');
        if (!slash)
            break;
        *slash = '\0';
    }
    return n;
}

static int find_in(struct mt_quota *quotas, int max, const char *proc, int version)
{
    struct mount mount;
    char group[path_bytes], folder[2 * path_bytes];
    if (!find_mount(&mount, proc, version) || !find_group(group, proc, version))
        return 0;
    /* In a container, nothing is visible above the root. */
    const size_t root = strcmp(mount.root, "/") ? strlen(mount.root) : 0;
    const bool inside = !strncmp(group, mount.root, root) &&
                        (group[root] == '/' || group[root] == '\0');
    snprintf(folder, sizeof folder, "%s%s", mount.point, inside ? group + root : "");
    const size_t length = strlen(folder);
    if (folder[length - 1] == '/')
        folder[length - 1] = '\0';
    return climb(quotas, max, folder, strlen(mount.point), version);
}

int mt_quota_find(struct mt_quota *quotas, int max, const char *proc)
{
    const int n = find_in(quotas, max, proc, 1);
    return n + find_in(quotas + n, max - n, proc, 2);
}

double mt_cores_here(void)
{
    enum { MOST_QUOTAS = 8 };
    cpu_set_t processors;
    struct mt_quota quotas[MOST_QUOTAS];
    if (sched_getaffinity(0, sizeof processors, &processors) != 0)
        return (double)sysconf(_SC_NPROCESSORS_ONLN);
    double cores = mt_cores_count(&processors);
    const int count = mt_quota_find(quotas, MOST_QUOTAS, "/proc/self");
    for (int i = 0; i < count; i++)
        if (quotas[i].cores < cores)
            cores = quotas[i].cores;
    return cores;
}
