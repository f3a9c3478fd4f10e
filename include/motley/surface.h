/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * surface.h - the efficiency surface E(N, P) of an algorithm on a machine.
 *
 * E = V / V_ref with V = W / (P T), the operations per second of one node, and V_ref
 * the speed of a node at its best (Furuichi et al. 1997, equation 3, where our P is
 * called N and our N is called n).
 */
#ifndef MT_SURFACE_H
#define MT_SURFACE_H

#include "motley/error.h"
#include "motley/machine.h"

#include <stdbool.h>

MT_C_BEGIN

/* A range of sizes, or of numbers of nodes; whole numbers, low <= high. */
struct mt_span {
    double low, high;
};

struct mt_surface;

/* Make the surface of an algorithm of the machine; both are borrowed, and must outlive
   it. It keeps what it has found, so that one thread at a time can use it. The caller
   frees it by mt_surface_free(); NULL is allowed. */
MT_MUST_CHECK int mt_surface_make(struct mt_surface **surface,
                                  const struct mt_machine *machine,
                                  const struct mt_algorithm *algorithm,
                                  struct mt_error *err);
void mt_surface_free(struct mt_surface *surface);
const struct mt_machine *mt_surface_machine(const struct mt_surface *surface);
const struct mt_algorithm *mt_surface_algorithm(const struct mt_surface *surface);

struct mt_surface_point {
    double work;    /* W */
    double seconds; /* T; NaN, as the other numbers, where it is not valid */
    double compute, communicate; /* T_c, T_o */
    double speed;                /* V, operations per second of a node */
    double efficiency;           /* E */
    double memory;               /* bytes of a process; 0: unknown */
    bool valid; /* the algorithm runs there, and its expressions have values */
    bool fits;  /* into the memory of a node; true where that is unknown */
};

/* The point at (size, nodes), for searches: messages are not followed, as in grids of
   many points. Numbers are those of a machine with memory enough, also where it does
   not fit. */
struct mt_surface_point mt_surface_at(const struct mt_surface *surface, double size,
                                      double nodes);
/*
 * The points at all sizes and nodes: points[i * nnodes + j] is that at (sizes[i],
 * nodes[j]). 512 x 512 of them take a few milliseconds. Of more than 1024 points those
 * whose messages would have to be followed (motley-machine(5)) are taken from a
 * formula.
 */
void mt_surface_grid(const struct mt_surface *surface, const double *sizes, int nsizes,
                     const double *nodes, int nnodes, struct mt_surface_point *points);
/* The largest whole size from `low` to `high` that fits into the memory of so many
   nodes; NaN: not even `low`. `high` where the memory is unknown. */
double mt_surface_memory_limit(const struct mt_surface *surface, double nodes,
                               double low, double high);

/*
 * What is read off an efficiency surface: the best sizes, speed-ups, sizes of equal
 * efficiency.
 *
 * Sizes and nodes are whole numbers. A size that does not fit into memory counts only
 * where it is said.
 */

/*
 * The ridge: the size of the span with the best efficiency on so many nodes, of those
 * that are valid and fit, and of equally good ones the largest. False when there is
 * none. Of up to 4096 sizes all are tried, else some in steps of a quarter of a
 * percent, and others around the best of them.
 */
bool mt_best_size(const struct mt_surface *surface, double nodes, struct mt_span sizes,
                  struct mt_surface_point *point, double *size);

enum mt_speedup {
    MT_SPEEDUP_FIXED_SIZE,     /* the same size */
    MT_SPEEDUP_FIXED_TIME,     /* the size that takes as long as the base on one node */
    MT_SPEEDUP_MEMORY_BOUNDED, /* the size that needs as much memory of each node */
    MT_NSPEEDUPS
};
/* "fixed size", "fixed time", "memory bounded". */
const char *mt_speedup_name(enum mt_speedup kind);
/*
 * The speed-up on so many nodes over one node at size `base`: the ratio of operations
 * per second of the whole machine. `*size` is the size that is run. As in the paper's
 * figure 1 the memory is taken to be enough. Of several sizes it is the largest. NaN
 * where there is none: not valid, or no size up to 2^53 takes longer or needs more.
 */
double mt_speedup(const struct mt_surface *surface, enum mt_speedup kind, double base,
                  double nodes, double *size);

/*
 * The iso-efficiency function W = f_E(P), in sizes: the smallest and the largest size
 * of the span, fitting into memory, at which the efficiency is at least that. False
 * when there is none. With efficiency = V / V_ref it is the iso-speed function.
 */
bool mt_iso_efficiency(const struct mt_surface *surface, double efficiency,
                       double nodes, struct mt_span sizes, struct mt_span *found);

/*
 * Where a small step over an efficiency surface, in size or in nodes, loses much of the
 * efficiency.
 */

/* A place where a small step loses more than `MT_CLIFF` of the efficiency: a size that
   is 10 % larger, or by one, or the next number of nodes, if it is no further. Steps
   that follow each other are one cliff, without what small steps reach before and
   behind it. */
#define MT_CLIFF 0.1
struct mt_cliff {
    bool along_nodes;     /* the nodes grow and the size stays; else vice versa */
    double other;         /* the size or the number of nodes that stays */
    double from, to;      /* the number that grows */
    double before, after; /* efficiency at from and to */
};
/* Zeroed is empty. */
struct mt_cliffs {
    struct mt_cliff *cliffs; /* owned */
    int count;
};
/* Add the cliffs for growing sizes on so many nodes, those beyond the memory left out.
 */
MT_MUST_CHECK int mt_cliffs_of_sizes(struct mt_cliffs *cliffs,
                                     const struct mt_surface *surface, double nodes,
                                     struct mt_span sizes, struct mt_error *err);
/* Add the cliffs for growing numbers of nodes at that size. */
MT_MUST_CHECK int mt_cliffs_of_nodes(struct mt_cliffs *cliffs,
                                     const struct mt_surface *surface, double size,
                                     struct mt_span nodes, struct mt_error *err);
void mt_cliffs_clear(struct mt_cliffs *cliffs);

MT_C_END

#endif
