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

/* A range of sizes, or of numbers of nodes; whole numbers, low <= high. */
struct mt_span {
    double low, high;
};

struct mt_surface;

/* Make the surface of an algorithm of the machine; both are borrowed, and must outlive
   it. The caller frees it by mt_surface_free(); NULL is allowed. */
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

/* The point at (size, nodes). Numbers are those of a machine with memory enough, also
   where it does not fit. */
struct mt_surface_point mt_surface_at(const struct mt_surface *surface, double size,
                                      double nodes);
/*
 * The points at all sizes and nodes: points[i * nnodes + j] is that at (sizes[i],
 * nodes[j]). 512 x 512 of them take a few milliseconds.
 */
void mt_surface_grid(const struct mt_surface *surface, const double *sizes, int nsizes,
                     const double *nodes, int nnodes, struct mt_surface_point *points);
/* The largest whole size from `low` to `high` that fits into the memory of so many
   nodes; NaN: not even `low`. `high` where the memory is unknown. */
double mt_surface_memory_limit(const struct mt_surface *surface, double nodes,
                               double low, double high);

#endif
