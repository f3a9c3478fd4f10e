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
enum { MT_MOST_NODES = 1000000 }; /* of a cluster, as of a machine */

struct mt_program;

/* Every launcher, with its name in cluster files. The command implements launcher NAME
   as struct mt_launcher_ops mt_launcher_NAME in cli/launch. */
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
    bool gradual;    /* work slightly larger than the cache still hits partly: see
                        apps/common/work.h */
};

/* The one simulated node of a group that differs from the others. Zeroed: none. */
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
   ones. Zeroed: none. */
struct mt_dip {
    double from, to; /* bytes: messages of `from` <= size < `to` */
    double slowdown; /* of the bandwidth; > 1 */
};

/* Extra seconds of an all-to-all with messages of at least `from` bytes. */
struct mt_incast_step {
    double from, delay; /* seconds; 0: nothing */
};

/* Incast in all-to-alls: when many nodes send to one, a switch with small buffers drops
   packets, which TCP resends after its timeout (Phanishayee et al., FAST 2008). Zeroed:
   none. */
struct mt_incast {
    int nodes;                    /* of a run: it happens from this many on */
    struct mt_incast_step *steps; /* owned; ascending */
    int nsteps;
};

/* How the links of a simulated cluster's nodes are connected. */
enum mt_topology {
    MT_TOPOLOGY_SWITCHES,  /* one switch, or several, each of some groups */
    MT_TOPOLOGY_BUS,       /* a medium that one message at a time can use */
    MT_TOPOLOGY_TORUS,     /* a ring of all nodes; messages go the shorter way */
    MT_TOPOLOGY_MULTISTAGE /* an omega network: stages of small switches */
};

/* The network of a simulated cluster: every node has one link, and the topology says
   how links are connected; with several switches, each has a trunk to a common core. */
struct mt_network {
    enum mt_topology topology;
    bool bare;               /* messages take exactly latency + bytes/bandwidth;
                                otherwise the times of MPI over TCP */
    bool half_duplex;        /* what a node sends and receives shares its bandwidth */
    double latency;          /* seconds, from node to node of a switch */
    double bandwidth;        /* of a node's link, bytes per second; in each direction
                                unless half duplex */
    double switch_bandwidth; /* of a switch as a whole, bytes/s; 0: never the limit */
    int switch_ports;        /* multistage network: ports of a switch; switches: nodes
                                on each switch, in order; else 0 */
    int switches;            /* how many; 0: one; not of a multistage network */
    double trunk_latency;    /* added for a message between switches, seconds */
    double trunk_bandwidth;  /* of a switch's link, each direction, bytes per second */
    double hop_latency;      /* added for each hop on a torus, seconds */
    double hop_bandwidth;    /* between them, each direction, bytes per second */
    struct mt_dip dip;
    struct mt_incast incast;
    bool offload; /* messages take no processor time */
};

/* Pairs (N, P) at which a program on a simulated cluster computes persistently slower,
   as by cache conflicts. Zeroed: none. */
struct mt_glitches {
    int count; /* for each program; the names of program and cluster select them */
    double slowdown; /* factor on the time of the computation; > 1 */
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

/* Slurm's options for a group's nodes, as srun and sbatch take them. All owned; NULL:
   Slurm's default. */
struct mt_slurm_request {
    char *partition, *account, *qos, *constraint, *gres;
};

/* A group of equal nodes. */
struct mt_group {
    char *name;   /* owned */
    char **hosts; /* owned; `nodes` names: as the file lists them, or NAME-1, NAME-2,
                     ... */
    int nodes;
    int down;                  /* nodes left out: their names come last in `hosts` */
    struct mt_layout *layouts; /* owned; the layouts to try, sorted by processes,
                                  threads, binding and GPUs, without duplicates; the
                                  cluster's file gives only the processes */
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
    char *network; /* owned; the name of the network that joins its nodes and those of
                      groups with the same name here; NULL: not said */
    bool alone;    /* never planned together with other groups */
    struct mt_slurm_request slurm;
    bool hyperthreads;  /* a core of `cores` is a hardware thread */
    int network_switch; /* that the nodes are connected to; 0 .. switches-1 */
    struct mt_simulated_node simulate;
};

/* Empty if zeroed; mt_cluster_clear() makes it empty again. All members are owned. */
struct mt_cluster {
    char *name;
    char *path; /* of the file, for messages */
    enum mt_launcher launcher;
    char **launch;      /* NULL-terminated template of the command launcher; or NULL */
    char *currency;     /* of the prices, as "EUR"; NULL: not said */
    char *note;         /* a note for readers of a page; NULL: nothing */
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
/* Whether runs on this cluster are simulated. */
bool mt_cluster_simulated(const struct mt_cluster *cluster);

/*
 * Give the groups of a newly loaded cluster the layouts of a program: all combinations
 * of its numbers of processes, threads and GPUs and of its bindings for which the nodes
 * have enough cores (with more than one thread) and GPUs. MT_EINVAL names a group
 * without `cores`, or with too few cores or GPUs for any layout; `cluster` is unchanged
 * then.
 */
MT_MUST_CHECK int mt_cluster_lay_out(struct mt_cluster *cluster,
                                     const struct mt_program *program,
                                     struct mt_error *err);
/* Cores of a node, also of a simulated one; 0: unknown. */
double mt_group_cores(const struct mt_group *group);
/* The binding's name; that of the default is empty. */
const char *mt_bind_name(enum mt_bind bind);

/* A message of one length, and how long it takes between two nodes, measured. */
struct mt_link_point {
    double bytes, seconds;
};

/*
 * Which nodes of a cluster a run uses: for every group the number of nodes and of
 * processes on each, written "xeon:8x2+celeron:8x1" (group:NODESxPROCESSES), with
 * threads "xeon:8x2t4" (tTHREADS of each process), with GPUs "xeon:8x2g1" (of each
 * process, too), with a binding "xeon:8x2@core"; or all of these, "xeon:8x2t4g1@core".
 * Groups left out are unused.
 */

/* How one group is used; zeroed: not at all. */
struct mt_use {
    int nodes;
    struct mt_layout layout; /* of each */
};

/* A plain value: copy it, zero it (uses nothing). Entry i belongs to group i. */
struct mt_configuration {
    struct mt_use use[MT_MAX_GROUPS];
};

/*
 * Read the text of a configuration of `cluster`, which may use nodes that were left
 * out. MT_EPARSE for text of another form or a group that comes twice, MT_EINVAL for a
 * group, a number of nodes, of processes per node or of GPUs that the cluster has not
 * got, and for more than 4096 threads of a process, or 65536 of a node; the reason says
 * which. Threads need not be among the group's layouts.
 */
MT_MUST_CHECK int mt_configuration_parse(struct mt_configuration *configuration,
                                         const struct mt_cluster *cluster,
                                         const char *text, struct mt_error *err);

/*
 * The canonical text (groups in the cluster's order): a string that the caller frees,
 * or NULL when memory is short. Uses nothing: "-".
 */
char *mt_configuration_format(const struct mt_configuration *configuration,
                              const struct mt_cluster *cluster);

/*
 * Find the file of a cluster, program or machine by its path, or, if it is shipped, by
 * its name alone.
 */

/* Whether the name is a path: it contains a '/' or ends in ".yaml". */
bool mt_named_by_path(const char *name);

/*
 * The path of the file called `name`: `name` itself if it is a path, otherwise
 * NAME.yaml in the folder `kind` ("clusters", "programs" or "machines") of the current
 * folder or in `shipped`, the folder of the files that come with motley (NULL: none).
 * The caller frees it. MT_EINVAL: two files match. MT_ENOTFOUND, or MT_EIO for a path:
 * no file matches; the reason suggests a similar name.
 */
MT_MUST_CHECK int mt_named_path(char **path, const char *kind, const char *name,
                                const char *shipped, struct mt_error *err);

MT_C_END

#endif
