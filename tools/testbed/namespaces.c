/* SPDX-License-Identifier: BSD-3-Clause */
#include "namespaces.h"

#include "groups.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int mt_namespace_enter(pid_t pid, const char *kind, struct mt_error *err)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/ns/%s", pid, kind);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    int status = MT_OK;
    if (descriptor < 0 || setns(descriptor, 0) != 0)
        status = mt_fail(err, MT_EIO, "cannot enter the namespace '%s': %s", path,
                         strerror(errno));
    if (descriptor >= 0)
        close(descriptor);
    return status;
}

/* All that a node has of its own. */
static int enter_namespaces(pid_t pid, struct mt_error *err)
{
    static const char *const kinds[] = {"net", "uts", "ipc", "mnt", NULL};
    /* Threads of libraries, which share the current folder, would be in the way. */
    int status = unshare(CLONE_FS) == 0
                     ? MT_OK
                     : mt_fail(err, MT_EIO, "cannot unshare: %s", strerror(errno));
    for (int i = 0; status == MT_OK && kinds[i]; i++)
        status = mt_namespace_enter(pid, kinds[i], err);
    return status;
}

static int enter_place(const struct mt_hierarchy *hierarchy,
                       const struct mt_testbed_place *place, struct mt_error *err)
{
    pid_t holder = 0;
    int group = -1;
    char *folder = getcwd(NULL, 0); /* entering the namespace of mounts leaves it */
    if (!folder)
        return mt_fail(err, MT_EIO, "the current folder is unknown: %s",
                       strerror(errno));
    int status = mt_place_holder(&holder, hierarchy, place, err);
    if (status == MT_OK)
        status = mt_group_open(&group, hierarchy, place, err);
    if (status == MT_OK)
        status = enter_namespaces(holder, err);
    if (status == MT_OK)
        status = mt_group_join(group, err);
    if (status == MT_OK && chdir(folder) != 0)
        status = mt_fail(err, MT_EIO, "no folder '%s' on node '%s': %s", folder,
                         place->node, strerror(errno));
    if (group >= 0)
        close(group);
    free(folder);
    return status;
}

int mt_testbed_join(const struct mt_testbed_place *place, struct mt_error *err)
{
    struct mt_hierarchy hierarchy;
    if (geteuid() != 0)
        return mt_fail(err, MT_EIO, "only root may enter the nodes of a testbed");
    int status = mt_hierarchy_find(&hierarchy, err);
    return status == MT_OK ? enter_place(&hierarchy, place, err) : status;
}
