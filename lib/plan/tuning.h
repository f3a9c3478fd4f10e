/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuning.h - the constants that decide which search answers a question, when it gives
 * up a proof, and which answers are shown.
 *
 * Where they come from: [time] chosen so that the work takes about the time that the
 * comment says, on the machine of development; [chosen] chosen by hand. The sensitivity
 * to none of them was measured.
 */
#ifndef MT_PLAN_TUNING_H
#define MT_PLAN_TUNING_H

/*
 * Which search (search.c).
 */

/* The most configurations that are all tried: less than a second. [time] */
static const double mt_plan_most_tried = 60000;

/* The most configurations that are tried where an exhaustive search is asked for.
   [time] */
static const double most_exhaustive = 1e7;

/* Evaluations of a climb, and of those before a search of intervals and before branch
   and bound: enough for the best configuration of most clusters. [chosen] */
enum { CLIMB_EVALUATIONS = 10000, BEFORE_INTERVALS = 10000, BEFORE_BRANCHES = 5000 };

/* Where the configurations are too many to list, this many P have a candidate.
   [chosen] */
enum { LISTED_CANDIDATES = 50 };

/* The largest P that is tried to find out why nothing was found. [time] */
enum { MOST_RANKS = 100000 };

/* Searches with tighter and tighter limits until one of the best SURE_CANDIDATES keeps
   them with the wanted chance. [chosen] */
enum { TIGHTER_ROUNDS = 8, SURE_CANDIDATES = 50 };

/* The ratio of numbers of nodes that are tried for the most that keep a limit with the
   wanted chance (node_count.c). [chosen] */
static const double node_step = 1.1;

/*
 * Branch and bound (branch.c, knapsack.c).
 */

/* Linear programs after which a search is given up: seconds. [time] */
static const double most_programs = 400000;

/* With more configurations, the search begins with what climbing finds. [time] */
static const double few = 1e6;

/* Tangents of a box: the first ones gain most. Then trials of a multiplier. [chosen] */
enum { TANGENTS = 4, TRIALS = 24 };

/*
 * The search of intervals (intervals.c).
 */

/* Intervals after which a search is given up: about a second. [time] */
enum { MOST_INTERVALS = 20000 };

/* Ways to fill nodes with P processes that are tried, for one configuration and in all:
   seconds. [time] */
enum { MOST_FILLINGS = 10000, ALL_FILLINGS = 1000 * MOST_FILLINGS };

/*
 * What is shown (front.c, decision_map.c, evaluation.c).
 */

/* The least gain in time from one point of a Pareto front to the next, as a share:
   where not all points are wanted, and where some nodes are free, unless that leaves
   too many points. [chosen] */
static const double least_share = 0.01, free_share = 0.1;

/* With more configurations, all points of a front would be far too many. [time] */
static const double most_exact = 1e9;

/* With more configurations, a decision map has the sizes alone. [time] */
static const double most_compared = 1e6;

/* Two sizes with a smaller ratio have at most one change of the answer between them.
   [chosen] */
static const double narrow = 1.01;

/* With more configurations, those that may run are not counted. [time] */
static const double MAX_COUNTED = 1e6;

#endif
