/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform_parts.h"

/* The ring of routers, one for each node: all of them, or from the first node in use to
   the last one. */
struct ring {
    int nodes, hops; /* hop i is from node i to the next one */
};

static struct ring ring_of(const struct mt_launch *launch)
{
    const struct mt_group *group = &launch->cluster->groups[0];
    const int all = group->nodes + group->absent;
    const int used = launch->configuration->use[0].nodes;
    /* Within one half of the ring no message goes the other way round. */
    if (2 * (used - 1) <= all)
        return (struct ring){.nodes = used, .hops = used - 1};
    return (struct ring){.nodes = all, .hops = all};
}

static void write_hop_link(FILE *stream, const struct mt_network *network, int hop)
{
    fprintf(stream,
            "<link id=\"hop %d\" bandwidth=\"%.17gBps\" latency=\"%.17gs\" "
            "sharing_policy=\"SPLITDUPLEX\"/>\n",
            hop, network->hop_bandwidth, network->hop_latency);
}

static void write_node_routes(FILE *stream, int node)
{
    char name[MT_PLATFORM_NAME];
    mt_platform_name(name, 0, node);
    fprintf(stream,
            "<route src=\"%s\" dst=\"router %d\" symmetrical=\"NO\">"
            "<link_ctn id=\"link %s\" direction=\"UP\"/></route>\n"
            "<route src=\"router %d\" dst=\"%s\" symmetrical=\"NO\">"
            "<link_ctn id=\"link %s\" direction=\"DOWN\"/></route>\n",
            name, node, name, node, name, name);
}

static void write_hop_routes(FILE *stream, int from, int to)
{
    fprintf(stream,
            "<route src=\"router %d\" dst=\"router %d\" symmetrical=\"NO\">"
            "<link_ctn id=\"hop %d\" direction=\"UP\"/></route>\n"
            "<route src=\"router %d\" dst=\"router %d\" symmetrical=\"NO\">"
            "<link_ctn id=\"hop %d\" direction=\"DOWN\"/></route>\n",
            from, to, from, to, from, from);
}

void mt_platform_write_torus(FILE *stream, const struct mt_launch *launch)
{
    const struct ring ring = ring_of(launch);
    fputs("<zone id=\"torus\" routing=\"DijkstraCache\">\n", stream);
    mt_platform_write_nodes(stream, launch);
    for (int i = 0; i < ring.nodes; i++)
        fprintf(stream, "<router id=\"router %d\"/>\n", i);
    for (int i = 0; i < ring.hops; i++)
        write_hop_link(stream, &launch->cluster->network, i);
    mt_platform_write_loopbacks(stream, launch);
    for (int i = 0; i < launch->configuration->use[0].nodes; i++)
        write_node_routes(stream, i);
    for (int i = 0; i < ring.hops; i++)
        write_hop_routes(stream, i, (i + 1) % ring.nodes);
    fputs("</zone>\n", stream);
}
