/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * box.h - the nodes of a regular mesh of hexahedra, cut into boxes, one for each rank;
 * and the work and messages of a box. The halo of a box are the neighbouring boxes'
 * nodes that share an element with its own. Places in it are counted from the box's
 * first own node: the halo is at -1 and at `points`, where there is any.
 */
#ifndef MT_APPS_FEM_BOX_H
#define MT_APPS_FEM_BOX_H

#include "apps/common/parts.h"

#include <stdbool.h>
#include <stddef.h>

enum { FEM_BEFORE, FEM_AFTER };

/* The nodes around a node, including itself. */
enum { FEM_AROUND = 27 };

struct fem_box {
    int nodes[3];            /* of the whole mesh, along each axis */
    int parts[3];            /* even boxes that it is cut into */
    int rank;                /* even boxes are counted with the last axis fastest */
    int ranks;               /* uneven boxes that it is cut into */
    const struct box *boxes; /* borrowed; these; NULL: even ones */
    int first[3];            /* the box's first own node */
    int points[3];           /* own nodes */
    int halo[3][2];          /* 1: other nodes come before, after; 0: the mesh ends */
};

/*
 * Cut a mesh into `boxes` boxes along its first two or three axes: as nearly cubic as
 * possible, with most cuts across the first axis. (Not every MPI_Dims_create() finds 3
 * x 3 for nine.)
 */
void fem_box_cut(int boxes, int axes, int parts[3]);

/* The box of `rank` in a mesh that is cut into parts[0] x parts[1] x parts[2]. */
void fem_box_init(struct fem_box *box, const int nodes[3], const int parts[3],
                  int rank);
/* The box of `rank` in a mesh that is cut into these, which are borrowed. */
void fem_box_init_uneven(struct fem_box *box, const int nodes[3],
                         const struct box *boxes, int ranks, int rank);

/* Own nodes; all nodes, halo included. */
size_t fem_box_own(const struct fem_box *box);
size_t fem_box_all(const struct fem_box *box);
/* Index of a place in an array of all nodes or of the box's own; the last axis is the
   fastest. */
size_t fem_box_index(const struct fem_box *box, const int place[3]);
size_t fem_box_own_index(const struct fem_box *box, const int place[3]);
/* The place of the own node at `index`. */
void fem_box_own_place(const struct fem_box *box, size_t index, int place[3]);
/* The place of one of the 27 nodes around `place`, which need not exist. */
void fem_box_around(const int place[3], int which, int other[3]);
/* Whether a place is one of the box's, halo included; whether it is an own one. */
bool fem_box_contains(const struct fem_box *box, const int place[3]);
bool fem_box_owns(const struct fem_box *box, const int place[3]);

/* The largest number of boxes with nodes in one element. */
int fem_box_most_meeting(const struct fem_box *box);

/* Pairs of nodes that share an element, the node with itself among them: of own nodes
   with all nodes, and of own nodes with each other. */
size_t fem_box_couplings(const struct fem_box *box);
size_t fem_box_own_couplings(const struct fem_box *box);

/* The border between a box and a neighbour, as places in the box: it sends its own
   nodes and receives those of its halo. */
struct fem_border {
    int neighbour; /* rank */
    struct box own, halo;
};

/*
 * The border across `axis`, with the even box before or after this one; false: the mesh
 * ends there. It includes the halo of the axes before, which is up to date by then, so
 * that edges and corners travel, too.
 */
bool fem_box_find_face(const struct fem_box *box, int axis, int side,
                       struct fem_border *border);
/* Find the overlap with the uneven box of a rank; false: they do not touch. */
bool fem_box_find_overlap(const struct fem_box *box, int rank,
                          struct fem_border *border);

#endif
