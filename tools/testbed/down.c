/* SPDX-License-Identifier: BSD-3-Clause */
#include "groups.h"
#include "holder.h"
#include "links.h"
#include "testbed.h"

#include <string.h>
#include <unistd.h>

/* Whether this process may remove the group: it is there, and the process not in it. */
static int check_group(struct mt_hierarchy *hierarchy, const struct mt_place *place,
                       struct mt_error *err)
{
    struct mt_place own;
    if (geteuid() != 0)
        return mt_fail(err, MT_EIO, "only root may take a testbed down");
    if (mt_place_own(&own) && !strcmp(own.testbed, place->testbed) &&
        (!place->node[0] || !strcmp(own.node, place->node)))
        return mt_fail(err, MT_EBUSY,
                       "what is to be taken down is where this command runs: '%s'",
                       own.node);
    int status = mt_hierarchy_find(hierarchy, err);
    if (status == MT_OK && !mt_group_exists(hierarchy, place))
        return mt_fail(err, MT_ENOTFOUND, "%s'%s' is not up",
                       place->node[0] ? "node " : "testbed ",
                       place->node[0] ? place->node : place->testbed);
    return status;
}

int mt_testbed_down(const struct mt_testbed *testbed, struct mt_error *err)
{
    struct mt_hierarchy hierarchy;
    int status = check_group(&hierarchy, &testbed->place, err);
    return status ? status : mt_group_remove(&hierarchy, &testbed->place, err);
}

/* A node that was not completed, or whose holder died, may have no link any more. */
static int cut(const struct mt_testbed *testbed, const struct mt_testbed_node *node,
               const struct mt_hierarchy *hierarchy, struct mt_error *err)
{
    pid_t head = 0, holder = 0;
    if (mt_holder_find(&head, hierarchy, &testbed->nodes[0].place, NULL) != MT_OK)
        return MT_OK;
    const bool up = mt_holder_find(&holder, hierarchy, &node->place, NULL) == MT_OK;
    const int status = mt_links_cut(node, head, up ? err : NULL);
    return up ? status : MT_OK;
}

int mt_testbed_node_down(const struct mt_testbed *testbed,
                         const struct mt_testbed_node *node, struct mt_error *err)
{
    struct mt_hierarchy hierarchy;
    int status = check_group(&hierarchy, &node->place, err);
    if (status == MT_OK && node->number == 0)
        status =
            mt_fail(err, MT_EINVAL, "the head goes down with the whole testbed only");
    if (status == MT_OK)
        status = cut(testbed, node, &hierarchy, err);
    return status ? status : mt_group_remove(&hierarchy, &node->place, err);
}
