/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuning.h - the constants that decide the results and marks of a surface.
 *
 * Where they come from: [chosen] chosen by hand, sensitivity not measured; otherwise
 * the comment says.
 */
#ifndef MT_SURFACE_TUNING_H
#define MT_SURFACE_TUNING_H

/* With more points, messages are not followed one by one (lib/machine/relay.h);
   searches over single points do not follow them either: that would take too long.
   [chosen] */
enum { MOST_EXACT = 1024 };

/* Sizes needed to tell a ridge from its two sides. */
enum { LEAST_SIZES = 3 };

/* Searches over a span try every value if there are at most EVERY_VALUE, and otherwise
   go on by one part in STEPS_OF_VALUE of the value. [chosen] */
enum { EVERY_VALUE = 4096, STEPS_OF_VALUE = 400 };

/* Parts that a search for a ridge divides the space around the best size into, again
   and again; and the ratio of the sizes that are tried for the largest one within a
   limit. [chosen] */
static const double ridge_pieces = 32, size_step = 1.01;

/* Warn of runs that are faster than a node at its best by more than this factor.
   [chosen] */
static const double same_speed = 1.005;

/* A cliff loses this share of the efficiency within a small step, which is a factor of
   at most small_step. [chosen] */
static const double MT_CLIFF = 0.1, small_step = 1.1;

/* On fewer nodes, one more node is not a small step: 1 / 10 is small_step - 1. */
enum { LEAST_NODES_OF_CLIFF = 10 };

/* Real runs that are off by a larger relative error may have been disturbed; this many
   repetitions are a remedy. [chosen] */
static const double noisy = 0.03;
enum { ENOUGH_REPETITIONS = 3 };

/* Numbers of nodes and sizes of a map that are examined for marks: more marks would
   blur. [chosen] */
enum { MARKED_NODES = 40, MARKED_SIZES = 30 };

/* Sizes of a map's row tried for the best one, rows tried to see whether a number of
   nodes is valid, and the most numbers of nodes tried in a column. [chosen] */
enum { SIZES_OF_ROW = 9, ROWS_TO_TRY = 12, NODES_TO_TRY = 512 };

#endif
