/* SPDX-License-Identifier: BSD-3-Clause */
#include "groups.h"
#include "holder.h"
#include "namespaces.h"
#include "testbed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int enter(const struct mt_hierarchy *hierarchy, const struct mt_place *place,
                 struct mt_error *err)
{
    pid_t holder = 0;
    int group = -1;
    char *folder = getcwd(NULL, 0); /* entering the namespace of mounts leaves it */
    if (!folder)
        return mt_fail(err, MT_EIO, "the current folder is unknown: %s",
                       strerror(errno));
    int status = mt_holder_find(&holder, hierarchy, place, err);
    if (status == MT_OK)
        status = mt_group_open(&group, hierarchy, place, err);
    if (status == MT_OK)
        status = mt_namespaces_enter(holder, err);
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

int mt_testbed_join(const struct mt_place *place, struct mt_error *err)
{
    struct mt_hierarchy hierarchy;
    if (geteuid() != 0)
        return mt_fail(err, MT_EIO, "only root may enter the nodes of a testbed");
    int status = mt_hierarchy_find(&hierarchy, err);
    return status ? status : enter(&hierarchy, place, err);
}
