/* SPDX-License-Identifier: BSD-3-Clause */
#include "testbed.h"
#include "testbed_groups.h"
#include "testbed_holder.h"
#include "testbed_links.h"

#include <string.h>
#include <unistd.h>

/* Find the group of the node, or with "" of the testbed, that this process may remove:
   it is there, and this process is not in it. */
static int find_group(struct mt_hierarchy *hierarchy, struct mt_place *place,
                      const char *testbed, const char *node, struct mt_error *err)
{
    struct mt_place own;
    if (geteuid() != 0)
        return mt_fail(err, MT_EIO, "only root may take a testbed down");
    if (!mt_place_set(place, testbed, node))
        return mt_fail(err, MT_EINVAL, "the name of a node is too long: '%s'", node);
    if (mt_place_own(&own) && !strcmp(own.testbed, testbed) &&
        (!node[0] || !strcmp(own.node, node)))
        return mt_fail(err, MT_EBUSY,
                       "what is to be taken down is where this command runs: '%s'",
                       own.node);
    int status = mt_hierarchy_find(hierarchy, err);
    if (status == MT_OK && !mt_group_exists(hierarchy, place))
        return mt_fail(err, MT_ENOTFOUND, "%s'%s' is not up",
                       node[0] ? "node " : "testbed ", node[0] ? node : testbed);
    return status;
}

int mt_testbed_down(const char *name, struct mt_error *err)
{
    struct mt_hierarchy hierarchy;
    struct mt_place place;
    int status = find_group(&hierarchy, &place, name, "", err);
    return status ? status : mt_group_remove(&hierarchy, &place, err);
}

int mt_testbed_node_down(const struct mt_testbed *testbed,
                         const struct mt_testbed_node *node, struct mt_error *err)
{
    struct mt_hierarchy hierarchy;
    struct mt_place place, head;
    pid_t holder = 0;
    int status = find_group(&hierarchy, &place, testbed->name, node->name, err);
    if (status != MT_OK)
        return status;
    if (node->number == 0)
        return mt_fail(err, MT_EINVAL, "the head goes down with the whole testbed");
    if (mt_place_set(&head, testbed->name, testbed->nodes[0].name) &&
        mt_holder_find(&holder, &hierarchy, &head, NULL) == MT_OK)
        status = mt_links_cut(node, holder, err);
    return status ? status : mt_group_remove(&hierarchy, &place, err);
}
