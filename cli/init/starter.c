/* SPDX-License-Identifier: BSD-3-Clause */
#include "starter.h"

#include "cli/launch/launcher.h"
#include "cli/process/folders.h"

#include <stdlib.h>
#include <string.h>

static void node_clear(struct mt_starter_node *node)
{
    free(node->host);
    free(node->features);
    free(node->partitions);
    *node = (struct mt_starter_node){0};
}

int mt_starter_add(struct mt_starter *starter, const struct mt_starter_node *node,
                   struct mt_error *err)
{
    size_t count = (size_t)starter->count;
    struct mt_starter_node *nodes =
        realloc(starter->nodes, (count + 1) * sizeof *nodes);
    if (!nodes)
        return mt_fail(err, MT_ENOMEM, "no memory for %zu nodes", count + 1);
    starter->nodes = nodes;
    nodes[count] = *node;
    nodes[count].host = strdup(node->host);
    nodes[count].features = node->features ? strdup(node->features) : NULL;
    nodes[count].partitions = node->partitions ? strdup(node->partitions) : NULL;
    if (!nodes[count].host || (node->features && !nodes[count].features) ||
        (node->partitions && !nodes[count].partitions)) {
        node_clear(&nodes[count]);
        return mt_fail(err, MT_ENOMEM, "no memory for %zu nodes", count + 1);
    }
    starter->count++;
    return MT_OK;
}

struct mt_starter_node *mt_starter_find(const struct mt_starter *starter,
                                        const char *host)
{
    for (int i = 0; i < starter->count; i++)
        if (strcmp(starter->nodes[i].host, host) == 0)
            return &starter->nodes[i];
    return NULL;
}

void mt_starter_clear(struct mt_starter *starter)
{
    for (int i = 0; i < starter->count; i++)
        node_clear(&starter->nodes[i]);
    free(starter->nodes);
    *starter = (struct mt_starter){0};
}

enum mt_launcher mt_starter_launcher(void)
{
    const enum mt_launcher known[] = {MT_LAUNCH_OPENMPI, MT_LAUNCH_MPICH};
    for (int i = 0; i < 2; i++) {
        char *path = NULL;
        if (mt_find_launcher(&path, mt_launcher_find(known[i]), NULL) == MT_OK) {
            free(path);
            return known[i];
        }
    }
    return MT_LAUNCH_OPENMPI;
}
