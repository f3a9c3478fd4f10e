/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine.h - a machine of equal nodes, and the cost of algorithms on it; read from a
 * YAML file, see motley-machine(5). The surface of surface.h is made of it.
 */
#ifndef MT_MACHINE_H
#define MT_MACHINE_H

#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/program.h"

#include <stdbool.h>

MT_C_BEGIN

/*
 * The cost of a step of computation and of a message on a machine, each by a small
 * model, and the total time; after Furuichi, Nagamatsu and Deguchi, "An Estimation
 * Model for Performance Evaluation of Highly Parallel Computer" (1997), equations 6 to
 * 8 and figures 4 and 5.
 *
 * Pure arithmetic: nothing here knows what the program is.
 */

enum { MT_MAX_CACHE_STEPS = 3, MT_MAX_LENGTHS = 32 };

/* Where the cost of a step grows: every access hits up to `hit` and misses from `miss`
   on; in between, the cost grows with the logarithm of the working set. hit = miss: a
   jump. */
struct mt_cache_step {
    double hit, miss; /* W_h, W_m: bytes of a process's working set */
};

/* A message of `bytes` bytes takes as long as one of `as` bytes would if time were
   proportional to length. `as` is linear between two points and from 0 to the first,
   and proportional to `bytes` beyond the last. */
struct mt_length {
    double bytes, as;
};

/* How messages contend; g(K) is the factor on a byte's time with K messages in
   flight. */
enum mt_contention {
    MT_CONTENTION_NONE,        /* 1 */
    MT_CONTENTION_SATURATING,  /* 1 - strength K^-exponent: switches */
    MT_CONTENTION_SHARED,      /* min(K, strength) / strength: shared by `strength` */
    MT_CONTENTION_LOGARITHMIC, /* (ln K)^exponent */
    MT_CONTENTION_LIMITED,     /* max(1, K / strength): `strength` fit, more slow all
                                  down */
    MT_CONTENTION_POWER,       /* K^exponent: a bus has 1 */
    MT_CONTENTION_STAGES,      /* max(1, k / strength), where k is how many messages
                                  pass a switch of a multistage network */
    MT_CONTENTION_TRUNKS,      /* the same, on a switch's trunk */
    MT_NCONTENTIONS
};

/* 1/b(K, L) = g(K) (1 + L/half) / base, for K messages of L bytes together. */
struct mt_bandwidth {
    double base; /* bytes per second; 0: no messages */
    double half; /* bytes of the message at which it is down to half; 0: at none */
    enum mt_contention contention;
    double strength; /* of saturating, shared, limited, stages and trunks; else 0 */
    double exponent; /* of saturating, logarithmic and power; else 0 */
    bool evens_out;  /* the mean of unequal lengths counts, as on a bus; else the
                        longest, as each message has a path of its own */
};

/* The wiring of the nodes, which decides which messages meet. Zeroed: unknown. */
struct mt_wiring {
    enum mt_topology topology;
    int ports; /* multistage network: ports on each side of a switch; switches: nodes on
                  each, in order, 0: all; else 0 */
    int nodes; /* of the machine */
    bool half_duplex; /* sending and receiving share a node's connection */
    double bandwidth; /* of a node's connection, as its data sheet has it, bytes per
                         second; 0: not known */
    double switch_bandwidth; /* of the switch as a whole, likewise */
    double trunk_bandwidth;  /* of a switch's trunk, in each direction, likewise */
    double header;           /* bytes that the network adds to each message */
};

/* Valid if zeroed: everything costs nothing. */
struct mt_components {
    int ncaches;                          /* 0 .. MT_MAX_CACHE_STEPS */
    double costs[MT_MAX_CACHE_STEPS + 1]; /* seconds of a step, ascending;
                                             costs[i] before caches[i] */
    double near_cost; /* seconds of a step that caches do not affect */
    struct mt_cache_step caches[MT_MAX_CACHE_STEPS]; /* ascending */
    double latency;                                  /* of a message, seconds */
    double hop; /* seconds, added for each hop on a torus, or between switches */
    struct mt_bandwidth bandwidth;
    struct mt_length lengths[MT_MAX_LENGTHS]; /* ascending; L of `bandwidth` is `as` */
    int nlengths; /* 0: times are in proportion to lengths */
    struct mt_wiring wiring;
    bool overlap; /* messages travel while the process computes: T = max(T_c, T_o) */
};

/* The runs that components were learned from. Zeroed: they were not learned. */
struct mt_learned_from {
    int runs;
    int nodes; /* the most that a run used */
    double size_low, size_high;
    double error; /* mean of |predicted / measured - 1| in cross-validation */
};

/* What one algorithm is and costs. All pointers are owned. */
struct mt_algorithm {
    char *name;
    struct mt_shape shape; /* `work` is always there */
    struct mt_components components;
    struct mt_learned_from learned;
};

/* Empty if zeroed; mt_machine_clear() makes it empty again. All members are owned. */
struct mt_machine {
    char *name;
    char *path;              /* of the file, for messages; NULL: none */
    bool simulated;          /* its parameters come from a simulated cluster */
    int nodes;               /* one process on each */
    double speed;            /* V_ref: of one node at its best, operations per second */
    double memory;           /* of a node, bytes; 0: unknown, everything fits */
    struct mt_wiring wiring; /* of the machine's nodes; copied to the components of all
                                algorithms */
    struct mt_algorithm *algorithms;
    int nalgorithms; /* at least 1 */
};

/*
 * Read and check the machine file at `path` into `machine`, which must be empty. Errors
 * as for mt_cluster_load(): unknown or doubled keys, wrong types, units that are
 * missing or of another kind, components that make no sense, expressions that do
 * not parse or have no value where the algorithm is valid.
 */
MT_MUST_CHECK int mt_machine_load(struct mt_machine *machine, const char *path,
                                  struct mt_error *err);
void mt_machine_clear(struct mt_machine *machine);
/* The algorithm of that name; NULL, the first. MT_EINVAL lists the names. */
MT_MUST_CHECK int mt_machine_find(const struct mt_algorithm **algorithm,
                                  const struct mt_machine *machine, const char *name,
                                  struct mt_error *err);

MT_C_END

#endif
