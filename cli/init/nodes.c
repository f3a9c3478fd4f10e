/* SPDX-License-Identifier: BSD-3-Clause */
#include "nodes.h"

#include "lib/base/array.h"
#include "lib/base/hostlist.h"

#include <stdlib.h>
#include <string.h>

static void node_clear(struct mt_found_node *node)
{
    free(node->host);
    free(node->features);
    free(node->partitions);
    *node = (struct mt_found_node){0};
}

/* What is no name would be an option, a list of hosts, or more than the YAML of one. */
static int check_host(const char *host, struct mt_error *err)
{
    return mt_is_host_name(host)
               ? MT_OK
               : mt_fail(err, MT_EPARSE, "'%.200s' is no name of a host", host);
}

int mt_found_add(struct mt_found_nodes *found, const struct mt_found_node *node,
                 struct mt_error *err)
{
    int status = check_host(node->host, err);
    if (status == MT_OK)
        status = mt_array_grow(&found->nodes, found->count, sizeof *found->nodes,
                               "nodes", err);
    if (status != MT_OK)
        return status;
    struct mt_found_node *copy = &found->nodes[found->count];
    *copy = *node;
    copy->host = strdup(node->host);
    copy->features = node->features ? strdup(node->features) : NULL;
    copy->partitions = node->partitions ? strdup(node->partitions) : NULL;
    if (!copy->host || (node->features && !copy->features) ||
        (node->partitions && !copy->partitions)) {
        node_clear(copy);
        return mt_fail(err, MT_ENOMEM, "no memory for a node");
    }
    found->count++;
    return MT_OK;
}

struct mt_found_node *mt_found_find(const struct mt_found_nodes *found,
                                    const char *host)
{
    for (int i = 0; i < found->count; i++)
        if (strcmp(found->nodes[i].host, host) == 0)
            return &found->nodes[i];
    return NULL;
}

void mt_found_clear(struct mt_found_nodes *found)
{
    for (int i = 0; i < found->count; i++)
        node_clear(&found->nodes[i]);
    free(found->nodes);
    *found = (struct mt_found_nodes){0};
}
