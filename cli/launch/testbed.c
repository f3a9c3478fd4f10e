/* SPDX-License-Identifier: BSD-3-Clause */
#include "testbed.h"

#include "cli/process/folders.h"
#include "cli/process/memory.h"
#include "lib/input/internal.h"
#include "tools/testbed/places/nodes.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* Whether this process can start jobs on the testbed as it is. */
static bool is_inside(const struct mt_cluster *cluster)
{
    struct mt_testbed_place place;
    return mt_place_own(&place) && !strcmp(place.testbed, cluster->name);
}

int mt_testbed_begin_job(char ***argv, const struct mt_cluster *cluster,
                         struct mt_error *err)
{
    char folder[PATH_MAX];
    if (!mt_cluster_is_testbed(cluster) || is_inside(cluster))
        return MT_OK;
    if (!mt_own_folder(folder))
        return mt_fail(err, MT_EIO, "where motley's executable is, is unknown");
    mt_words_add(argv, "%s/motley", folder);
    mt_words_add_all(argv, "testbed", "exec", cluster->path, NULL);
    return MT_OK;
}

static int find_head(const struct mt_cluster *cluster, struct mt_error *err)
{
    struct mt_testbed testbed = {0};
    struct mt_hierarchy hierarchy;
    pid_t holder;
    int status = mt_testbed_init(&testbed, cluster, err);
    if (status != MT_OK)
        return status;
    status = mt_hierarchy_find(&hierarchy, err);
    if (status == MT_OK &&
        mt_place_holder(&holder, &hierarchy, &testbed.nodes[0].place, NULL) != MT_OK)
        status =
            mt_fail(err, MT_ENOTFOUND, "testbed '%s' is not up: motley testbed up %s",
                    cluster->name, cluster->path);
    mt_testbed_clear(&testbed);
    return status;
}

int mt_testbed_check(const struct mt_cluster *cluster, struct mt_error *err)
{
    if (!mt_cluster_is_testbed(cluster) || is_inside(cluster))
        return MT_OK;
    int status = find_head(cluster, err);
    if (status == MT_OK && geteuid() != 0)
        status = mt_fail(err, MT_EIO, "only root can start programs on testbed '%s'",
                         cluster->name);
    return status;
}
