/* SPDX-License-Identifier: BSD-3-Clause */
/* Locates the control groups of testbeds, and the processes in them. */
#include "place.h"

#include <stdlib.h>
#include <string.h>

const char mt_holder_name[] = "motley-node";

int mt_place_set(struct mt_testbed_place *place, const char *testbed, const char *node,
                 struct mt_error *err)
{
    if (strlen(testbed) > NAME_MAX || strlen(node) > NAME_MAX)
        return mt_fail(err, MT_EINVAL, "a name is longer than %d characters: '%s'",
                       NAME_MAX, strlen(node) > NAME_MAX ? node : testbed);
    *place = (struct mt_testbed_place){0};
    memcpy(place->testbed, testbed, strlen(testbed));
    memcpy(place->node, node, strlen(node));
    return MT_OK;
}

void mt_place_path(char path[MT_PLACE_PATH], const struct mt_hierarchy *hierarchy,
                   const struct mt_testbed_place *place, const char *file)
{
    snprintf(path, MT_PLACE_PATH, "%s/" MT_GROUPS_FOLDER "%s%s%s%s%s%s",
             hierarchy->folder, place->testbed[0] ? "/" : "", place->testbed,
             place->node[0] ? "/" : "", place->node, file[0] ? "/" : "", file);
}

/* The path in a line "1:cpu,cpuacct:/motley-testbed/x/fast-1" with "cpu" in its list,
   or in version 2's "0::/motley-testbed/x/fast-1"; or NULL. */
static const char *path_of_group(char *line)
{
    char *controllers = strchr(line, ':');
    char *path = controllers ? strchr(++controllers, ':') : NULL;
    if (!path)
        return NULL;
    *path++ = '\0';
    path[strcspn(path, "\n")] = '\0';
    return !*controllers || mt_hierarchy_has(controllers, "cpu") ? path : NULL;
}

static bool parse_place(struct mt_testbed_place *place, const char *path)
{
    static const char mark[] = "/" MT_GROUPS_FOLDER "/";
    const char *testbed = strstr(path, mark); /* a container prefixes its own */
    if (!testbed)
        return false;
    testbed += strlen(mark);
    const size_t length = strcspn(testbed, "/");
    if (!testbed[length] || length > NAME_MAX)
        return false;
    snprintf(place->testbed, sizeof place->testbed, "%.*s", (int)length, testbed);
    snprintf(place->node, sizeof place->node, "%s", testbed + length + 1);
    place->node[strcspn(place->node, "/")] = '\0';
    return place->node[0];
}

bool mt_place_read(struct mt_testbed_place *place, FILE *groups)
{
    bool found = false;
    char *line = NULL;
    size_t size = 0;
    while (!found && getline(&line, &size, groups) > 0) {
        const char *path = path_of_group(line);
        found = path && parse_place(place, path);
    }
    free(line);
    return found;
}

bool mt_place_own(struct mt_testbed_place *place)
{
    FILE *groups = fopen("/proc/self/cgroup", "re");
    bool found = groups && mt_place_read(place, groups);
    if (groups)
        fclose(groups);
    return found;
}

int mt_group_processes(pid_t **pids, int *count, const char *folder,
                       struct mt_error *err)
{
    char path[MT_PLACE_PATH + sizeof "/cgroup.procs"];
    pid_t *list = NULL;
    int length = 0, pid, status = MT_OK;
    snprintf(path, sizeof path, "%s/cgroup.procs", folder);
    FILE *stream = fopen(path, "re");
    while (stream && fscanf(stream, "%d", &pid) == 1) {
        pid_t *longer = realloc(list, ((size_t)length + 1) * sizeof *longer);
        if (!longer) {
            status = mt_fail(err, MT_ENOMEM, "no memory for the numbers of processes");
            break;
        }
        list = longer;
        list[length++] = pid;
    }
    if (stream)
        fclose(stream);
    if (status != MT_OK) {
        free(list);
        return status;
    }
    *pids = list;
    *count = length;
    return MT_OK;
}

int mt_place_processes(pid_t **pids, int *count, const struct mt_hierarchy *hierarchy,
                       const struct mt_testbed_place *place, struct mt_error *err)
{
    char folder[MT_PLACE_PATH];
    mt_place_path(folder, hierarchy, place, "");
    return mt_group_processes(pids, count, folder, err);
}

static bool is_holder(pid_t pid)
{
    char path[64], name[32] = "";
    snprintf(path, sizeof path, "/proc/%d/comm", pid);
    FILE *stream = fopen(path, "re");
    bool found = stream && fgets(name, sizeof name, stream);
    if (stream)
        fclose(stream);
    name[strcspn(name, "\n")] = '\0';
    return found && !strcmp(name, mt_holder_name);
}

int mt_place_holder(pid_t *pid, const struct mt_hierarchy *hierarchy,
                    const struct mt_testbed_place *place, struct mt_error *err)
{
    pid_t *pids = NULL;
    int count = 0;
    int status = mt_place_processes(&pids, &count, hierarchy, place, err);
    if (status != MT_OK)
        return status;
    int i = 0;
    while (i < count && !is_holder(pids[i]))
        i++;
    if (i < count)
        *pid = pids[i];
    else
        status = mt_fail(err, MT_ENOTFOUND, "node '%s' of testbed '%s' is not up",
                         place->node, place->testbed);
    free(pids);
    return status;
}
