/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * components.h - what a step of computation and a message cost on a machine, each by a
 * small model of its own, and the time that these add up to; after Furuichi, Nagamatsu
 * and Deguchi, "An Estimation Model for Performance Evaluation of Highly Parallel
 * Computer" (1997), equations 6 to 8 and figures 4 and 5.
 *
 * Pure arithmetic: nothing here knows what the program is.
 */
#ifndef MT_COMPONENTS_H
#define MT_COMPONENTS_H

#include "motley/cluster.h"
#include "motley/error.h"

#include <stdbool.h>

MT_C_BEGIN

enum { MT_MAX_CACHE_STEPS = 3, MT_MAX_LENGTHS = 32 };

/* Where the cost of a step grows: all is hit up to `hit`, nothing from `miss` on; in
   between the cost grows with the logarithm of the working set. hit = miss: at once. */
struct mt_cache_step {
    double hit, miss; /* W_h, W_m: bytes of a process's working set */
};

/* A message of so many bytes takes as long as one of `as` bytes would if times were in
   proportion to lengths; between two such points, or none and the first, it is linear,
   and in proportion beyond the last. */
struct mt_length {
    double bytes, as;
};

/* How long a message of that length takes between two nodes, as measured. */
struct mt_link_point {
    double bytes, seconds;
};

/* How the processes get in each other's way; g(K) is the factor on a byte's time where
   K messages are under way together. */
enum mt_contention {
    MT_CONTENTION_NONE,        /* 1 */
    MT_CONTENTION_SATURATING,  /* 1 - strength K^-exponent: switches */
    MT_CONTENTION_SHARED,      /* min(K, strength) / strength: so many share a part */
    MT_CONTENTION_LOGARITHMIC, /* (ln K)^exponent */
    MT_CONTENTION_LIMITED,     /* max(1, K / strength): so many have room, the rest
                                  make all wait */
    MT_CONTENTION_POWER,       /* K^exponent: a bus has 1 */
    MT_CONTENTION_STAGES,      /* max(1, k / strength), where k is how many messages
                                  pass a switch of a multistage network */
    MT_CONTENTION_TRUNKS,      /* the same, of what connects a switch to the others */
    MT_NCONTENTIONS
};

/* "none", "saturating", "shared", "logarithmic", "limited", "power", "stages",
   "trunks". */
const char *mt_contention_name(enum mt_contention contention);
/* Whether the contention has these numbers, see struct mt_bandwidth. */
bool mt_contention_has_strength(enum mt_contention contention);
bool mt_contention_has_exponent(enum mt_contention contention);

/* 1/b(K, L) = g(K) (1 + L/half) / base, for K messages of L bytes together. */
struct mt_bandwidth {
    double base; /* bytes per second; 0: no messages */
    double half; /* bytes of the message at which it is down to half; 0: at none */
    enum mt_contention contention;
    double strength; /* of saturating, shared, limited, stages and trunks; else 0 */
    double exponent; /* of saturating, logarithmic and power; else 0 */
    bool evens_out;  /* where messages differ in length the mean counts, as on a bus;
                        else the longest, as each has its way to itself */
};

/* How the nodes are connected, as far as that says which messages meet. Zeroed: nothing
   is known. */
struct mt_wiring {
    enum mt_topology topology;
    int ports; /* of a switch of a multistage network, to each side; of switches, the
                  nodes on each, in their order, 0: all; else 0 */
    int nodes; /* of the machine */
    bool half_duplex; /* what a node sends and receives shares its connection */
    double bandwidth; /* of a node's connection, as its data sheet has it, bytes per
                         second; 0: not known */
    double switch_bandwidth; /* of the switch as a whole, likewise */
    double trunk_bandwidth;  /* of what connects a switch to the others, in each
                                direction, likewise */
    double header;           /* bytes that the network adds to each message */
};

/* Zeroed is valid: everything costs nothing. */
struct mt_components {
    int ncaches;                          /* 0 .. MT_MAX_CACHE_STEPS */
    double costs[MT_MAX_CACHE_STEPS + 1]; /* seconds of a step, ascending;
                                             costs[i] before caches[i] */
    double near_cost; /* seconds of a step that caches make no difference to */
    struct mt_cache_step caches[MT_MAX_CACHE_STEPS]; /* ascending */
    double latency;                                  /* of a message, seconds */
    double hop; /* seconds, added for each node that a message passes on a torus, or
                   from switch to switch */
    struct mt_bandwidth bandwidth;
    struct mt_length lengths[MT_MAX_LENGTHS]; /* ascending; L of `bandwidth` is `as` */
    int nlengths; /* 0: times are in proportion to lengths */
    struct mt_wiring wiring;
    bool overlap; /* messages travel while the process computes: T = max(T_c, T_o) */
};

/* What a run asks of the busiest process. */
struct mt_demand {
    double steps;       /* that it computes */
    double near_steps;  /* those of them that caches make no difference to */
    double working_set; /* bytes that it goes through again and again */
    double messages;    /* m, one after the other */
    double bytes;       /* L, of a message, of the longest where they differ */
    double mean_bytes;  /* the mean of those that are under way together; else L */
    double ranks;       /* P */
    double together;    /* K: messages under way together; 0: as many as ranks */
    double shift;       /* ranks from a sender to its receiver; 0: unknown */
    double across;      /* 1: of a square grid, from column to column; 0: none */
    double rows;        /* N/K: the messages are of so many whole parts of a problem, as
                           even as can be, where they differ; 0: they do not, or it is
                           not known */
};

/* Where the time goes, seconds. */
struct mt_elapsed {
    double compute, communicate; /* T_c, T_o */
    double total;                /* T_c + T_o; with overlap the larger of them */
};

/*
 * Whether the parameters make sense: no number negative or not finite, costs that grow,
 * caches in order (hit <= miss <= the next one's hit), lengths in order, a contention
 * whose factor is positive from two processes on, and whose exponent is at most 16.
 * MT_EINVAL names the parameter and its value.
 */
MT_MUST_CHECK int mt_components_check(const struct mt_components *components,
                                      struct mt_error *err);

/* Seconds of a step, a(w), for a working set of so many bytes (figure 4). */
double mt_step_cost(const struct mt_components *components, double working_set);
/* g(K), for `stages` and `trunks` of so many messages that pass one. One has nobody in
   its way: 1. */
double mt_contention_factor(const struct mt_bandwidth *bandwidth, double together);
/* Seconds of a byte, 1/b, of a message of so many bytes (figure 5); 0 when there are no
   messages. */
double mt_byte_time(const struct mt_bandwidth *bandwidth, double together,
                    double bytes);
/* T_c = a(w) steps, T_o = m (latency + hops + L/b) (equations 6 to 8), where L is
   `mean_bytes` if messages even out, else `bytes`, and the header besides; near steps
   have a cost of their own. Where processes get out of step each message is followed;
   see *contention* in motley-machine(5). */
struct mt_elapsed mt_components_time(const struct mt_components *components,
                                     const struct mt_demand *demand);

MT_C_END

#endif
