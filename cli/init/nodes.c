/* SPDX-License-Identifier: BSD-3-Clause */
#include "nodes.h"

#include "lib/base/array.h"
#include "lib/base/hostlist.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* Where the node of a host is: the list moves as it grows. */
struct place {
    const char *host; /* borrowed */
    int node;
};

static int compare_hosts(const void *left, const void *right)
{
    return strcmp(((const struct place *)left)->host,
                  ((const struct place *)right)->host);
}

static int add_place(struct mt_found_nodes *found, const char *host, int node,
                     struct mt_error *err)
{
    struct place *place = malloc(sizeof *place);
    if (place) {
        *place = (struct place){host, node};
        if (tsearch(place, &found->by_host, compare_hosts))
            return MT_OK;
    }
    free(place);
    return mt_fail(err, MT_ENOMEM, "no memory for a node");
}

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
        (node->partitions && !copy->partitions))
        status = mt_fail(err, MT_ENOMEM, "no memory for a node");
    if (status == MT_OK)
        status = add_place(found, copy->host, found->count, err);
    if (status == MT_OK)
        found->count++;
    else
        node_clear(copy);
    return status;
}

struct mt_found_node *mt_found_find(const struct mt_found_nodes *found,
                                    const char *host)
{
    struct place *const *place =
        tfind(&(struct place){.host = host}, &found->by_host, compare_hosts);
    return place ? &found->nodes[(*place)->node] : NULL;
}

void mt_found_clear(struct mt_found_nodes *found)
{
    for (int i = 0; i < found->count; i++)
        node_clear(&found->nodes[i]);
    tdestroy(found->by_host, free);
    free(found->nodes);
    *found = (struct mt_found_nodes){0};
}
