/* SPDX-License-Identifier: BSD-3-Clause */
#include "nodes.h"

#include <stdlib.h>
#include <string.h>

static void node_clear(struct mt_found_node *node)
{
    free(node->host);
    free(node->features);
    free(node->partitions);
    *node = (struct mt_found_node){0};
}

int mt_found_add(struct mt_found_nodes *found, const struct mt_found_node *node,
                 struct mt_error *err)
{
    size_t count = (size_t)found->count;
    struct mt_found_node *nodes = realloc(found->nodes, (count + 1) * sizeof *nodes);
    if (!nodes)
        return mt_fail(err, MT_ENOMEM, "no memory for %zu nodes", count + 1);
    found->nodes = nodes;
    nodes[count] = *node;
    nodes[count].host = strdup(node->host);
    nodes[count].features = node->features ? strdup(node->features) : NULL;
    nodes[count].partitions = node->partitions ? strdup(node->partitions) : NULL;
    if (!nodes[count].host || (node->features && !nodes[count].features) ||
        (node->partitions && !nodes[count].partitions)) {
        node_clear(&nodes[count]);
        return mt_fail(err, MT_ENOMEM, "no memory for %zu nodes", count + 1);
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
