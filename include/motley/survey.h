/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * survey.h - an efficiency surface looked at all over: at a grid of sizes and numbers
 * of nodes, with the best sizes, the cliffs, the speed-ups and the sizes of equal
 * efficiency; and two of them compared.
 */
#ifndef MT_SURVEY_H
#define MT_SURVEY_H

#include "motley/error.h"
#include "motley/surface.h"

#include <stdbool.h>

MT_C_BEGIN

/* The sizes, or the numbers of nodes, at which a surface is looked at. */

enum { MT_MAX_AXIS = 4096 };

/* Whole numbers from 1 on, ascending. Zeroed is empty. */
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
 * MT_EINVAL for anything else, and for more than MT_MAX_AXIS numbers; the message
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
/* From the first to the last. */
struct mt_span mt_axis_span(const struct mt_axis *axis);
MT_MUST_CHECK int mt_axis_copy(struct mt_axis *copy, const struct mt_axis *axis,
                               struct mt_error *err);
/* Replace what is between the first and the last by steps of that factor. On failure
   `axis` is unchanged. */
MT_MUST_CHECK int mt_axis_refine(struct mt_axis *axis, double factor,
                                 struct mt_error *err);
/* The index of the i-th number when at most `most`, at least 2, of `count` are taken:
   the first, the last, and others evenly between. */
int mt_axis_pick(int i, int count, int most);
/* Keep these alone. */
void mt_axis_thin(struct mt_axis *axis, int most);

/* 1, 2, 4, ... up to `most`. */
MT_MUST_CHECK int mt_axis_of_nodes(struct mt_axis *nodes, double most,
                                   struct mt_error *err);
/*
 * The sizes that make sense on up to so many nodes: from a sixteenth of what fits into
 * the memory of one to what fits into theirs; without a memory from the smallest that
 * the machine was learned from to four times the largest. MT_EINVAL when neither is
 * known.
 */
MT_MUST_CHECK int mt_sizes_of_interest(struct mt_span *span,
                                       const struct mt_surface *surface, double nodes,
                                       struct mt_error *err);
/* Round sizes that make sense, each about 1.4 times the one before. */
MT_MUST_CHECK int mt_axis_of_sizes(struct mt_axis *sizes,
                                   const struct mt_surface *surface, double nodes,
                                   struct mt_error *err);

/* The survey. */

/* What is surveyed. Zeroed: all that makes sense on the machine. All borrowed. */
struct mt_survey_request {
    const struct mt_axis *nodes; /* NULL: 1, 2, 4, ... as many as the machine has */
    const struct mt_axis *sizes; /* NULL: round ones that make sense */
    double base;                 /* of the speed-ups: a size; 0: none are wanted */
    const double *levels;        /* efficiencies whose sizes are wanted */
    int nlevels;
};

/* The best size on so many nodes. */
struct mt_ridge_point {
    bool found;
    double size;
    struct mt_surface_point point;
};

/* The speed-ups on so many nodes over one, by kind, and the sizes that they are of. */
struct mt_speedup_row {
    double speedups[MT_NSPEEDUPS], sizes[MT_NSPEEDUPS];
};

/* The sizes on so many nodes that reach an efficiency. */
struct mt_iso_row {
    double efficiency, nodes;
    bool found;
    struct mt_span sizes;
};

/* Zeroed is empty. Pointers are owned but for `surface`. */
struct mt_survey {
    const struct mt_surface *surface;
    struct mt_axis sizes, nodes;
    struct mt_span span;             /* of sizes, in which the best is sought */
    struct mt_surface_point *points; /* by size, and for each by nodes */
    struct mt_ridge_point *ridge;    /* by nodes */
    struct mt_cliffs cliffs;         /* at all these nodes, then at all these sizes */
    double base;                     /* of the speed-ups; 0: they were not asked for */
    struct mt_speedup_row *speedups; /* by nodes */
    struct mt_iso_row *isos;         /* by level, and for each by nodes */
    int nisos;
};

/*
 * Look at the surface, which must outlive the survey. Numbers of nodes that were not
 * asked for, and on which nothing runs, are left out. `survey` must be empty. MT_EINVAL
 * when no sizes were asked for and the machine does not say which make sense.
 */
MT_MUST_CHECK int mt_survey_make(struct mt_survey *survey,
                                 const struct mt_surface *surface,
                                 const struct mt_survey_request *request,
                                 struct mt_error *err);
void mt_survey_clear(struct mt_survey *survey);

/* From how many nodes on one machine or algorithm is faster than another. */

/* Which of two surfaces is faster (has the smaller T) from `nodes` on. */
struct mt_crossing {
    double nodes; /* the fewest from which on b is faster, or no longer faster */
    bool b_faster;
};
/* Zeroed is empty. */
struct mt_crossings {
    struct mt_crossing *crossings; /* owned, by ascending nodes; the first is where
                                      both are valid first, at the start of the span
                                      or later */
    int count;
};
/*
 * Where, as the nodes of both grow together at one size, one overtakes the other. Sizes
 * that do not fit count as if they did; numbers of nodes at which one is not valid are
 * passed over. MT_EINVAL when the two do not count the same work.
 */
MT_MUST_CHECK int mt_crossings_find(struct mt_crossings *crossings,
                                    const struct mt_surface *a,
                                    const struct mt_surface *b, double size,
                                    struct mt_span nodes, struct mt_error *err);
void mt_crossings_clear(struct mt_crossings *crossings);

/* Two surfaces at several sizes. Zeroed is empty. */
struct mt_comparison {
    const struct mt_surface *surfaces[2]; /* borrowed */
    struct mt_axis sizes, nodes;
    struct mt_crossings *crossings; /* owned; one for each size */
};
/*
 * Compare at those numbers of nodes and sizes; NULL: up to as many nodes as both
 * machines have, and sizes that make sense on the first, or else on the second.
 * `comparison` must be empty but for its surfaces. MT_EINVAL as for
 * mt_crossings_find(), or when neither machine says which sizes make sense.
 */
MT_MUST_CHECK int mt_comparison_make(struct mt_comparison *comparison,
                                     const struct mt_axis *nodes,
                                     const struct mt_axis *sizes, struct mt_error *err);
void mt_comparison_clear(struct mt_comparison *comparison);

MT_C_END

#endif
