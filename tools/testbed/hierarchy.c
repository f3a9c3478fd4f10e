/* SPDX-License-Identifier: BSD-3-Clause */
#include "groups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether a list, of words with commas or blanks between them, has the word. */
static bool has_word(const char *list, const char *word)
{
    static const char between[] = ", \n";
    const size_t length = strlen(word);
    for (const char *at = list; *at; at += strspn(at, between)) {
        size_t next = strcspn(at, between);
        if (next == length && !strncmp(at, word, length))
            return true;
        at += next;
    }
    return false;
}

/* A line "36 35 0:31 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu": where
   something of which type with which options is mounted; false: not such a line. */
struct mount_line {
    char folder[PATH_MAX], type[32], options[256];
};

static bool parse_mount(struct mount_line *mount, const char *line)
{
    const char *after = strstr(line, " - ");
    _Static_assert(PATH_MAX == 4096, "the format below is for such paths");
    return after && sscanf(line, "%*s %*s %*s %*s %4095s", mount->folder) == 1 &&
           sscanf(after, " - %31s %*s %255s", mount->type, mount->options) == 2;
}

int mt_hierarchy_read(struct mt_hierarchy *hierarchy, FILE *mountinfo,
                      struct mt_error *err)
{
    struct mt_hierarchy found = {0};
    struct mount_line mount;
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, mountinfo) > 0) {
        if (!parse_mount(&mount, line))
            continue;
        const bool first =
            !strcmp(mount.type, "cgroup") && has_word(mount.options, "cpu");
        const bool second = !strcmp(mount.type, "cgroup2");
        if (!first && !(second && !found.folder[0]))
            continue;
        /* The controller is where version 1 has it, else it is version 2's. */
        snprintf(found.folder, sizeof found.folder, "%s", mount.folder);
        found.unified = second;
        if (first)
            break;
    }
    free(line);
    if (!found.folder[0])
        return mt_fail(err, MT_ENOTFOUND,
                       "control groups of processor time (cpu) are not mounted");
    *hierarchy = found;
    return MT_OK;
}

int mt_hierarchy_find(struct mt_hierarchy *hierarchy, struct mt_error *err)
{
    FILE *mountinfo = fopen("/proc/self/mountinfo", "re");
    if (!mountinfo)
        return mt_fail(err, MT_EIO, "cannot read '/proc/self/mountinfo': %s",
                       strerror(errno));
    int status = mt_hierarchy_read(hierarchy, mountinfo, err);
    fclose(mountinfo);
    return status;
}

int mt_hierarchy_check(const struct mt_hierarchy *hierarchy, struct mt_error *err)
{
    if (access(hierarchy->folder, W_OK) != 0)
        return mt_fail(err, MT_ENOTFOUND,
                       "control groups cannot be changed below '%s': %s",
                       hierarchy->folder, strerror(errno));
    if (!hierarchy->unified)
        return MT_OK;
    char path[PATH_MAX + sizeof "/cgroup.controllers"], controllers[512] = "";
    snprintf(path, sizeof path, "%s/cgroup.controllers", hierarchy->folder);
    FILE *stream = fopen(path, "re");
    if (stream) {
        controllers[fread(controllers, 1, sizeof controllers - 1, stream)] = '\0';
        fclose(stream);
    }
    if (has_word(controllers, "cpu"))
        return MT_OK;
    return mt_fail(err, MT_ENOTFOUND,
                   "control groups at '%s' cannot limit processor time: 'cpu' is not "
                   "among their controllers",
                   hierarchy->folder);
}

/* What follows the controllers in a line "1:cpu,cpuacct:/motley-testbed/x/fast-1" when
   "cpu" is among them, or in version 2's "0::/motley-testbed/x/fast-1"; or NULL. */
static const char *path_of_group(char *line)
{
    char *controllers = strchr(line, ':');
    char *path = controllers ? strchr(++controllers, ':') : NULL;
    if (!path)
        return NULL;
    *path++ = '\0';
    path[strcspn(path, "\n")] = '\0';
    return !*controllers || has_word(controllers, "cpu") ? path : NULL;
}

static bool parse_place(struct mt_place *place, const char *path)
{
    static const char mark[] = "/" MT_GROUPS_FOLDER "/";
    const char *testbed = strstr(path, mark); /* a container puts its own before it */
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

bool mt_place_read(struct mt_place *place, FILE *groups)
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

bool mt_place_own(struct mt_place *place)
{
    FILE *groups = fopen("/proc/self/cgroup", "re");
    bool found = groups && mt_place_read(place, groups);
    if (groups)
        fclose(groups);
    return found;
}
