/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * axis.h - the sizes, or the numbers of nodes, at which a surface is looked at.
 */
#ifndef MT_AXIS_H
#define MT_AXIS_H

#include "motley/error.h"
#include "motley/surface.h"

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

#endif
