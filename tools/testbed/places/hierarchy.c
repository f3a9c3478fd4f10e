/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds and checks this machine's control group hierarchy, version 1 or 2. */
#include "hierarchy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool mt_hierarchy_has(const char *list, const char *word)
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

/* A line "36 35 0:31 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu": the
   mounted group, the place, the type and options; false: not a mount line. */
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
            !strcmp(mount.type, "cgroup") && mt_hierarchy_has(mount.options, "cpu");
        const bool second = !strcmp(mount.type, "cgroup2");
        if (!first && !(second && !found.folder[0]))
            continue;
        /* Use version 1's place of the controller, else version 2's. */
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
    if (mt_hierarchy_has(controllers, "cpu"))
        return MT_OK;
    return mt_fail(err, MT_ENOTFOUND,
                   "control groups at '%s' cannot limit processor time: 'cpu' is not "
                   "among their controllers",
                   hierarchy->folder);
}
