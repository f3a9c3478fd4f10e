/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * surface.h - the efficiency surface E(N, P) of an algorithm on a machine.
 *
 * E = V / V_ref with V = W / (P T), the operations per second of one node, and V_ref
 * the speed of a node at its best (Furuichi et al. 1997, equation 3; their N is our P,
 * and their n our N).
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
   it. It caches results, so only one thread at a time may use it. The caller frees it
   by mt_surface_free(); NULL is allowed. */
MT_MUST_CHECK int mt_surface_make(struct mt_surface **surface,
                                  const struct mt_machine *machine,
                                  const struct mt_algorithm *algorithm,
                                  struct mt_error *err);
void mt_surface_free(struct mt_surface *surface);

struct mt_surface_point {
    double work;    /* W */
    double seconds; /* T; NaN, as the other numbers, where it is not valid */
    double compute, communicate; /* T_c, T_o */
    double speed;                /* V, operations per second of a node */
    double efficiency;           /* E */
    double memory;               /* bytes of a process; 0: unknown */
    bool valid;                  /* `valid` holds, and all expressions have values */
    bool fits;                   /* into a node's memory; true if unknown */
};

/* The point at (size, nodes), for searches: messages are not followed, as in grids of
   many points. Where it does not fit, the numbers are for a machine with enough
   memory. */
struct mt_surface_point mt_surface_at(const struct mt_surface *surface, double size,
                                      double nodes);

/* Kinds of speed-up over one node at a base size. */
enum mt_speedup {
    MT_SPEEDUP_FIXED_SIZE,     /* the same size */
    MT_SPEEDUP_FIXED_TIME,     /* the size that takes as long as the base on one node */
    MT_SPEEDUP_MEMORY_BOUNDED, /* the size that needs as much memory of each node */
    MT_NSPEEDUPS
};

/* "fixed size", "fixed time", "memory bounded". */
const char *mt_speedup_name(enum mt_speedup kind);

/* A place where a small step loses more than 10 % of the efficiency: a size that is 10
   % larger, or by one, or the next number of nodes, if that is not further. Consecutive
   steps are one cliff, trimmed at both ends. */
struct mt_cliff {
    bool along_nodes;     /* the nodes grow and the size stays; else vice versa */
    double other;         /* the size or the number of nodes that stays */
    double from, to;      /* the number that grows */
    double before, after; /* efficiency at from and to */
};
/* Empty if zeroed. */
struct mt_cliffs {
    struct mt_cliff *cliffs; /* owned */
    int count;
};

/*
 * A survey of an efficiency surface: on a grid of sizes and numbers of nodes, with the
 * best sizes, the cliffs, the speed-ups and the sizes of equal efficiency.
 */

/* The sizes, or the numbers of nodes, at which a surface is looked at. */

/* Whole numbers from 1 on, ascending. Empty if zeroed. */
struct mt_axis {
    double *values; /* owned */
    int count;
};

/*
 * Read an axis:
 *   "32"             one number
 *   "1,10,100"       these
 *   "1:512"          from, twice as much each, to
 *   "64:4096:x1.5"   from, each 1.5 times the one before, to
 *   "64:1024:64"     from, each 64 more than the one before, to
 * MT_EINVAL for anything else, and for more than 4096 numbers; the message
 * begins with the text. `axis` must be empty, here and below.
 */
MT_MUST_CHECK int mt_axis_parse(struct mt_axis *axis, const char *text,
                                struct mt_error *err);
/* The same for numbers of nodes, which are at most MT_MOST_NODES. */
MT_MUST_CHECK int mt_axis_parse_nodes(struct mt_axis *axis, const char *text,
                                      struct mt_error *err);
/* A single number; MT_EINVAL for several of them, too. */
MT_MUST_CHECK int mt_axis_parse_single(double *number, const char *text,
                                       struct mt_error *err);
void mt_axis_clear(struct mt_axis *axis);

/* What to survey. Zeroed: defaults that suit the machine. All borrowed. */
struct mt_survey_request {
    const struct mt_axis *nodes; /* NULL: 1, 2, 4, ... as many as the machine has */
    const struct mt_axis *sizes; /* NULL: round sizes that suit the machine */
    double base;                 /* of the speed-ups: a size; 0: none are wanted */
    const double *levels;        /* efficiencies whose sizes are wanted */
    int nlevels;
};

/* The best size on a number of nodes. */
struct mt_ridge_point {
    bool found;
    double size;
    struct mt_surface_point point;
};

/* The speed-ups on a number of nodes over one, by kind, and their sizes. */
struct mt_speedup_row {
    double speedups[MT_NSPEEDUPS], sizes[MT_NSPEEDUPS];
};

/* The sizes on a number of nodes that reach an efficiency. */
struct mt_iso_row {
    double efficiency, nodes;
    bool found;
    struct mt_span sizes;
};

/* Empty if zeroed. Pointers are owned except `surface`. */
struct mt_survey {
    const struct mt_surface *surface;
    struct mt_axis sizes, nodes;
    struct mt_span span;             /* of sizes, searched for the best */
    struct mt_surface_point *points; /* by size, and for each by nodes */
    struct mt_ridge_point *ridge;    /* by nodes */
    struct mt_cliffs cliffs;         /* at all these nodes, then at all these sizes */
    double base;                     /* of the speed-ups; 0: they were not asked for */
    struct mt_speedup_row *speedups; /* by nodes */
    struct mt_iso_row *isos;         /* by level, and for each by nodes */
    int nisos;
};

/*
 * Survey the surface, which must outlive the survey. Numbers of nodes that were not
 * asked for, and on which nothing runs, are left out. `survey` must be empty. MT_EINVAL
 * when no sizes were asked for and the machine does not say which make sense.
 */
MT_MUST_CHECK int mt_survey_make(struct mt_survey *survey,
                                 const struct mt_surface *surface,
                                 const struct mt_survey_request *request,
                                 struct mt_error *err);
void mt_survey_clear(struct mt_survey *survey);

MT_C_END

#endif
