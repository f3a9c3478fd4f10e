/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuning.h - the constants that decide which runs are made, and when they are enough.
 *
 * Where they come from: [chosen] chosen by hand, sensitivity not measured; otherwise
 * the comment says. Times are in any unit: only ratios and shares matter here.
 */
#ifndef MT_DESIGN_TUNING_H
#define MT_DESIGN_TUNING_H

/*
 * The budget of a design (design.c).
 */

/* The usual time of a design, as a share of the time of all candidates, unless as many
   runs as it may make take longer on average. Chosen on simulated clusters, where more
   time made the plans no better; sensitivity not measured. It is less than a tenth of
   the time of the candidates on several nodes, which the papers' models need. */
static const double usual_share = 0.05;

/* Without a limit, the most that a design takes, as a multiple of the usual time.
   [chosen] */
static const double most_usual = 2;

/* The longest run, as a share of the time that is left, without the run's start.
   [chosen] */
static const double most_of_rest = 1 / 3.0;

/* Runs kept for probes of several groups: a share of all runs, and bounds. [chosen] */
static const double share_of_probes = 1 / 3.0;
enum { FEWEST_PROBES = 3, MOST_PROBES = 12 };

/* The most runs of one kind, with repeats: one disturbed run does not move the median
   of three. */
enum { MT_MOST_RUNS = 3 };

/*
 * The first runs of a design (base.c).
 */

/* Sizes of a configuration, and how many it gets even if they exceed the budget.
   [chosen] */
enum { BASE_SIZES = 4, FEWEST_SIZES = 3 };

/* Shapes, best first: classes up to a level, at a number of sizes. The base takes the
   first shape that needs no more than a share of the runs; the second share holds for
   clusters with a single group. [chosen] */
static const struct shape {
    int level, sizes;
} shapes[] = {{2, 4}, {2, 3}, {1, 3}, {1, 2}, {0, 3}, {0, 2}};
static const double share_of_runs = 0.4, share_of_one_group = 0.7;

/* Two sizes with a smaller ratio can stand for each other. [chosen] */
static const double near_ratio = 1.35;

/* Multiples of this size are avoided: rows of N doubles are then a multiple of 512
   bytes apart, and planes of N^2 a multiple of 32 KiB, so they map to few sets of a
   cache. */
static const double conflict_size = 64;

/* Shares of the time: kept for further runs while the base is made, and the most that
   runs at corners take together. [chosen] */
static const double kept_share = 0.4, corner_share = 0.3;

/*
 * The next run of a design (next.c).
 */

/* The planned sizes that runs are chosen for, as positions in their list, from the
   smallest (0) to the largest (1). Small sizes are cheap to run. [chosen] */
static const double aims[] = {1, 0.75, 0.5, 0.25, 0};

/* Configurations that may be the best, at each of these sizes: of all, and of each set
   of groups. Then the most candidates that are compared for one run. More of each cost
   time. [chosen] */
enum { TARGETS = 12, OF_GROUPS = 3, MOST_COMPARED = 250 };

/* The design has settled when better choices are expected to save no more than this
   share of the time. [chosen] */
static const double small_gain = 0.002;

/* A run is repeated when its time differs from what all others predict by a relative
   large_error, by errors_apart times the usual error, and by deviations_apart of its
   standard deviations. At most this share of the runs are repeats. [chosen] */
static const double large_error = 0.1, errors_apart = 5, deviations_apart = 2.5,
                    share_of_repeats = 0.2;

/*
 * How well the best is known (outlook.c).
 */

/* A configuration is as good as the best if it is slower by no more than this share:
   the worst regret that experiments/targets.tsv wants of verified plans. */
static const double mt_as_good = 0.036;

/* Draws from the joint posterior. The standard error of a probability p is
   sqrt(p (1 - p) / 2000), at most 1.1 %. */
enum { DRAWS = 2000 };

/*
 * Verification (verify.c).
 */

/* The most runs towards a goal, and the usual goal: the probability that the best is
   known. [chosen] */
enum { MT_VERIFY_MOST = 24 };
static const double mt_verify_goal = 0.9;

/* A run is given up when it takes this many times as long as the best. [chosen] */
static const double mt_verify_give_up = 10;

/* Candidates: the most promising configurations of all, and of each set of groups.
   Configurations that rank lower have no expected improvement. [chosen] */
enum { MOST_OF_ALL = 200, MOST_OF_GROUPS = 16 };

/* The smallest expected improvement that is worth a run, as a share of the best time.
   [chosen] */
static const double small_improvement = 0.005;

/* Candidates expected to take no more than this many times the best are repeated, in
   case one of them is the best, or run for the first time with their groups. [chosen]
 */
static const double near_best = 1.1;

/* Contenders that the confidence counts, and the smallest probability of one to be
   better. [chosen] */
enum { COUNTED_CONTENDERS = 128 };
static const double least_chance = 1e-4;

/* The expected improvement of the first run with a set of groups counts this many times
   as much: runs tell little about groups that they do not use. [chosen] */
static const double first_of_groups = 3;

/* The least number of configurations measured at a size for the fastest of them to be
   an anchor. [chosen] */
enum { SEVERAL = 3 };

/* Runs kept for repeats. [chosen] */
enum { REPEATS = 2 };

/* Two runs whose logarithms differ by more need a third. [chosen] */
static const double disagreement = 0.2;

#endif
