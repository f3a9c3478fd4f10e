/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cluster_file.h - a cluster file as it is written, before its values are checked and
 * understood. What is not given is NULL or 0.
 */
#ifndef MT_CLUSTER_FILE_H
#define MT_CLUSTER_FILE_H

#include "yaml_file.h"

#include "motley/cluster.h"
#include "motley/error.h"

#include <cyaml/cyaml.h>

struct file_link {
    char *latency;
    char *bandwidth;
};

struct file_cache {
    char *size;
    double slowdown;
    char *gradual;
};

struct file_odd {
    int node;
    double slowdown;
    double link_slowdown;
};

struct file_simulate {
    char *flops;
    int cores;
    struct file_cache *caches;
    unsigned ncaches;
    char *memory_bandwidth;
    double oversubscription;
    double noise;
    struct file_link loopback;
    struct file_odd odd;
};

struct file_testbed {
    char *bandwidth;
};

struct file_group {
    char *name;
    char *hosts;
    int nodes;
    int *processes;
    unsigned nprocesses;
    char *memory;
    double price;
    double watts;
    double cores;
    struct file_testbed testbed;
    char *network_switch;
    struct file_simulate simulate;
};

struct file_dip {
    char *from;
    char *to;
    double slowdown;
};

struct file_network {
    char *topology;
    char *protocol;
    char *duplex;
    char *latency;
    char *bandwidth;
    char *switch_bandwidth;
    int switch_ports;
    struct file_link trunk;
    struct file_link hop;
    struct file_dip dip;
};

struct file_glitches {
    int count;
    double slowdown;
};

struct file_cluster {
    char *name;
    char *launcher;
    char **launch;
    unsigned nlaunch;
    char *remote_shell;
    struct file_group *groups;
    unsigned ngroups;
    struct file_network network;
    struct file_glitches glitches;
};

/* Of a pointer to struct file_cluster. */
extern const struct cyaml_schema_value mt_cluster_schema;

/*
 * Check the values of a group, which is the node `map` of the file, and bring them into
 * `group`. Takes strings and arrays out of `from`. On failure `group` holds what was
 * done so far.
 */
MT_MUST_CHECK int mt_cluster_read_group(struct mt_group *group, struct file_group *from,
                                        const struct mt_yaml *yaml, int map,
                                        bool simulated, struct mt_error *err);
/* The same for what simulates the `nodes` nodes of a group. */
MT_MUST_CHECK int mt_cluster_read_simulate(struct mt_simulated_node *node, int nodes,
                                           const struct file_simulate *from,
                                           const struct mt_yaml *yaml, int map,
                                           struct mt_error *err);
/*
 * The same for the cluster's network: the switches of its groups, which have been read,
 * and what connects them.
 */
MT_MUST_CHECK int mt_cluster_read_network(struct mt_cluster *cluster,
                                          const struct file_cluster *from,
                                          const struct mt_yaml *yaml,
                                          struct mt_error *err);
/* The same for what the links of the nodes lead to, after their groups' switches and
   the quantities of `map`, the network. */
MT_MUST_CHECK int mt_cluster_read_topology(struct mt_cluster *cluster,
                                           const struct file_network *from,
                                           const struct mt_yaml *yaml, int map,
                                           struct mt_error *err);

#endif
