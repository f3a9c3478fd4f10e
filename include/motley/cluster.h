/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cluster.h - a cluster: groups of equal nodes and how programs are started on them,
 * read from a YAML file; see motley-cluster(5).
 */
#ifndef MT_CLUSTER_H
#define MT_CLUSTER_H

#include "motley/error.h"

#include <stdbool.h>

MT_C_BEGIN

enum { MT_MAX_GROUPS = 32 };

struct mt_program;

/* Every launcher, with its name in cluster files. The command starts NAME by the
   struct mt_launcher_ops mt_launcher_NAME in cli/launch. */
#define MT_LAUNCHER_LIST(X) \
    X(MT_LAUNCH_OPENMPI, openmpi) \
    X(MT_LAUNCH_MPICH, mpich) \
    X(MT_LAUNCH_SLURM, slurm) \
    X(MT_LAUNCH_SMPI, smpi) /* SimGrid: the cluster is simulated */ \
    X(MT_LAUNCH_COMMAND, command)

enum mt_launcher {
#define X(launcher, name) launcher,
    MT_LAUNCHER_LIST(X)
#undef X
        MT_LAUNCHERS /* how many */
};

/* A cache of each core of a simulated node. */
struct mt_cache {
    double bytes;
    double slowdown; /* time per operation once the work no longer fits, relative to
                        work that fits; >= 1 */
    bool gradual;    /* work that is a little too large still finds a part of its data:
                        see apps/common/work.h */
};

/* The one simulated node of a group that is not like the others. Zeroed: there is none.
 */
struct mt_odd_node {
    int number;           /* 1 .. nodes of the group; 0: none */
    double slowdown;      /* of its cores and memory; >= 1 */
    double link_slowdown; /* of its connection's bandwidth; >= 1 */
};

/* How a node of a simulated cluster behaves. Zeroed: not simulated. */
struct mt_simulated_node {
    double flops;            /* of one core, in the best case, per second */
    int cores;               /* processes beyond them share the cores */
    struct mt_cache *caches; /* owned; from the smallest to the largest */
    int ncaches;
    double memory_bandwidth; /* of the node, bytes per second; 0: never the limit */
    double oversubscription; /* share of the speed that is lost when more processes
                                than cores run; 0 <= x < 1 */
    double noise; /* relative standard deviation of a run's compute speed, common to
                     all nodes of the run; 0: none */
    double loopback_bandwidth; /* between processes of one node, bytes/s; 0: default */
    double loopback_latency;   /* seconds; 0: default */
    struct mt_odd_node odd;
};

/* Sizes of messages for which a simulated network is slower than for smaller and larger
   ones. Zeroed: there are none. */
struct mt_dip {
    double from, to; /* bytes: of messages of `from` and more, but less than `to` */
    double slowdown; /* of the bandwidth; > 1 */
};

/* What the links of a simulated cluster's nodes lead to. */
enum mt_topology {
    MT_TOPOLOGY_SWITCHES,  /* one switch, or several, each of some groups */
    MT_TOPOLOGY_BUS,       /* a medium that one message at a time can use */
    MT_TOPOLOGY_TORUS,     /* a ring of all nodes; messages go the shorter way */
    MT_TOPOLOGY_MULTISTAGE /* an omega network: stages of small switches */
};

/* The network of a simulated cluster: every node has one link, and all links meet as
   the topology says; where there are several switches, each has one to where they
   meet. */
struct mt_network {
    enum mt_topology topology;
    bool bare;               /* messages take latency + bytes/bandwidth; without it they
                                take what MPI over TCP makes of these */
    bool half_duplex;        /* what a node sends and receives shares its bandwidth */
    double latency;          /* seconds, from node to node of a switch */
    double bandwidth;        /* of a node's link, bytes per second; in each direction
                                unless half duplex */
    double switch_bandwidth; /* of a switch as a whole, bytes/s; 0: never the limit */
    int switch_ports;        /* of a switch of a multistage network; of switches, for
                                nodes, which are on them in their order; else 0 */
    int switches;            /* how many; 0: one; not of a multistage network */
    double trunk_latency;    /* what is added from switch to switch, seconds */
    double trunk_bandwidth;  /* of a switch's link, each direction, bytes per second */
    double hop_latency;      /* what is added from node to node of a torus, seconds */
    double hop_bandwidth;    /* between them, each direction, bytes per second */
    struct mt_dip dip;
};

/* Pairs (N, P) at which a program on a simulated cluster computes persistently slower,
   as by cache conflicts. Zeroed: there are none. */
struct mt_glitches {
    int count; /* for each program; which ones depends on its and the cluster's name */
    double slowdown; /* time of the computation relative to that without; > 1 */
};

/* Where a process may run on its node, with the words of files and configurations. */
#define MT_BIND_LIST(X) \
    X(MT_BIND_CORE, "core") /* on as many cores of its own as it has threads */ \
    X(MT_BIND_NUMA, "numa") /* on the cores of a NUMA domain */ \
    X(MT_BIND_NONE, "none") /* on every core */

enum mt_bind {
    MT_BIND_DEFAULT, /* as the launcher does it */
#define X(bind, name) bind,
    MT_BIND_LIST(X)
#undef X
        MT_BINDS /* how many */
};

/* How a node is used. */
struct mt_layout {
    int processes;
    int threads; /* of each process; 0: one, never written as 1 */
    enum mt_bind bind;
    int gpus; /* of each process */
};

/* What is asked of Slurm with a group's nodes, as options of srun and sbatch. All
   owned; NULL: Slurm's own default. */
struct mt_slurm_request {
    char *partition, *account, *qos, *constraint, *gres;
};

/* A group of equal nodes. */
struct mt_group {
    char *name;   /* owned */
    char **hosts; /* owned; `nodes` names: as the file lists them, or NAME-1, NAME-2,
                     ... */
    int nodes;
    int down; /* nodes that were left out: their names follow those of the others in
                   `hosts` */
    struct mt_layout *layouts; /* owned; that may be tried, in the order of
                                  mt_layout_compare(), none twice; the cluster's file
                                  says only the processes */
    int nlayouts;
    int gpus; /* of a node */
    double
        memory; /* of a node, bytes; 0: unknown, no configuration is left out for it */
    double price; /* of a node for an hour, in the file's currency; 0: none given */
    double watts; /* of a node; 0: none given */
    double cores; /* of a node, that processes may use; a share of one in a testbed; 0:
                     unknown */
    double testbed_bandwidth; /* of a testbed node's link, each direction, bytes/s; 0:
                                 not of a testbed */
    char *network; /* owned; the name of the network that joins its nodes, and those of
                      other groups that name the same; NULL: not said */
    bool alone;    /* never planned together with other groups */
    struct mt_slurm_request slurm;
    bool hyperthreads;  /* a core of `cores` is a hardware thread */
    int network_switch; /* that the nodes are connected to; 0 .. switches-1 */
    struct mt_simulated_node simulate;
};

/* Zeroed is empty; mt_cluster_clear() makes it empty again. All members are owned. */
struct mt_cluster {
    char *name;
    char *path; /* of the file, for messages */
    enum mt_launcher launcher;
    char **launch;      /* NULL-terminated template of the command launcher; or NULL */
    char *currency;     /* of the prices, as "EUR"; NULL: not said */
    char *note;         /* what readers of a page have to know; NULL: nothing */
    char *remote_shell; /* how a node is reached; NULL: the launcher's own way */
    char *mpi; /* how Slurm's srun starts MPI programs, as "pmix"; NULL: not said */
    struct mt_group *groups;
    int ngroups; /* 1 .. MT_MAX_GROUPS */
    struct mt_network network;
    struct mt_glitches glitches;
};

/*
 * Read and check the cluster file at `path` into `cluster`, which must be empty.
 * Unknown or doubled keys, wrong types and impossible values (no nodes, no processes,
 * host lists that do not parse, a host or a group name that comes twice) are errors
 * whose reason begins with "PATH:LINE: " and names the key. A file that is not there is
 * MT_ENOTFOUND, one that cannot be read MT_EIO. On failure `cluster` stays empty.
 */
MT_MUST_CHECK int mt_cluster_load(struct mt_cluster *cluster, const char *path,
                                  struct mt_error *err);
void mt_cluster_clear(struct mt_cluster *cluster);

/* The index of the group of that name, or -1. */
int mt_cluster_find_group(const struct mt_cluster *cluster, const char *name);
/* Whether it has a node of that name, which was not left out. */
bool mt_cluster_has_node(const struct mt_cluster *cluster, const char *host);
/*
 * Leave out the node of that name, which does not answer: its group has a node less,
 * and may have none. Configurations that were run with it can still be read. Returns
 * false when the cluster has no such node, or has left it out already.
 */
bool mt_cluster_leave_out(struct mt_cluster *cluster, const char *host);
/* Whether runs on this cluster are simulated. */
bool mt_cluster_simulated(const struct mt_cluster *cluster);
/* Whether its nodes are made on this machine, by 'motley testbed'. */
bool mt_cluster_is_testbed(const struct mt_cluster *cluster);
/*
 * Let the groups of a cluster that was just loaded have the layouts of a program: every
 * number of processes with every number of threads and of GPUs and every binding that
 * its file names, but more than one thread only as far as the nodes have cores, and
 * GPUs as far as they have these. MT_EINVAL names a group that does not say its cores,
 * or has too few of them, or of GPUs, for any layout; then `cluster` is as before.
 */
MT_MUST_CHECK int mt_cluster_lay_out(struct mt_cluster *cluster,
                                     const struct mt_program *program,
                                     struct mt_error *err);
/* Whether a layout has several threads, and leaves cores over that another one of the
   group with as many GPUs uses: it is measured only where that is asked for. */
bool mt_group_leaves_cores(const struct mt_group *group, struct mt_layout layout);
/* The threads that all processes of a configuration with this binding have to have, as
   MPICH binds all ranks to equally many cores: step from `*threads`, at first -1, to
   the next number, or once to 0 where groups may differ. Returns false after the last.
 */
bool mt_cluster_next_threads(const struct mt_cluster *cluster, enum mt_bind bind,
                             int *threads);
/* Cores of a node, also of a simulated one; 0: unknown. */
double mt_group_cores(const struct mt_group *group);
/* Threads of each process, at least 1; and of all processes of a node together. */
int mt_layout_threads(struct mt_layout layout);
int mt_layout_cores(struct mt_layout layout);
/* Below, at or above 0: by processes, then by threads, by binding, and by GPUs. */
int mt_layout_compare(struct mt_layout a, struct mt_layout b);
enum { MT_LAYOUT_LENGTH = 48 };
/* Write it as in a configuration's text behind the 'x': "8", with threads "8t16", with
   a GPU each "8g1", with a binding "8@core", or all: "8t16g1@core". Returns `text`. */
const char *mt_layout_format(char text[MT_LAYOUT_LENGTH], struct mt_layout layout);
/* Read what *text begins with, written so, and step over it. False, with both
   unchanged: it begins with no layout. Threads that are written as 0, which nothing may
   have, become -1. */
bool mt_layout_read(struct mt_layout *layout, const char **text);
/* Whether they differ in processes at most. */
bool mt_layout_alike(struct mt_layout a, struct mt_layout b);
/* The binding's name; that of the default is empty. */
const char *mt_bind_name(enum mt_bind bind);

/* The launcher's name as cluster files write it. */
const char *mt_launcher_name(enum mt_launcher launcher);
/* The topology's name, likewise. */
const char *mt_topology_name(enum mt_topology topology);

MT_C_END

#endif
