/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuning.h - the constants that decide which components are learned from runs, which
 * runs are proposed next, and which warnings are given.
 *
 * Where they come from: [simulated] chosen by looking at the simulated machines of
 * development; [chosen] chosen by hand, from no measurement. The sensitivity to none of
 * them was measured. Errors and misfits are relative.
 */
#ifndef MT_LEARN_TUNING_H
#define MT_LEARN_TUNING_H

/*
 * The choice of a form by cross-validation (choose.c).
 */

/* Two errors count as equal if they differ by less than chance explains, or by less
   than this share, or by less than same_error. [simulated] */
static const double same_share = 0.1, same_error = 3e-4;

/* The law of the wiring is dropped if its error is larger by the first factor, and
   steps at the machine's caches if it is larger by the second. [simulated] */
static const double clearly_worse = 2, clearly_worse_steps = 1.5;

/* An error that no form of the right kind has. [simulated] */
static const double bad = 0.01;

/* A form whose misfit is this many times the smallest cross-validated error is not
   validated. [simulated] */
static const double hopeless = 2;

/* A fit from another start is better if its misfit is at most this factor of the
   other's. [simulated] */
static const double clearly_less = 0.98;

/* Folds (folds.c): the most numbers of ranks that are left out in turn, and the parts
   that the working sets are divided into. [chosen] */
enum { FOLDS_OF_RANKS = 6, PARTS_OF_SETS = 4 };

/* Factor on the error of the fit, in place of the error of a fold whose remaining runs
   do not determine the form. [chosen] */
static const double untold = 1.5;

/*
 * The fit of a form (fit.c, start.c, form.c).
 */

/* Scale of the pseudo-Huber loss: quadratic for smaller relative errors, linear for
   larger ones, so that a few outliers, as where parts are uneven, do not move the fit.
   The starts weigh errors likewise. [chosen] */
static const double far_error = 0.01;

/* Where other work disturbs the runs, the weight of times above the fit. About a
   quarter of the times is then below it: the expectile of 1 to 3. [chosen] */
static const double disturbed_share = 1 / 3.0;

/* A latency or a byte's time that takes a smaller share of every run counts as none.
   [chosen] */
static const double invisible = 1e-4;

/* The most knots where steps may begin and end: for one step more, for pairs of steps,
   and for moving existing steps. More take more time. [chosen] */
enum { MOST_KNOTS = 16, KNOTS_OF_PAIRS = 10, KNOTS_OF_MOVES = 12 };

/* The most rounds, with overlap, to settle which runs compute longer than they
   communicate. [chosen] */
enum { ROUNDS_OF_OVERLAP = 4 };

/* Starts of a fit: exponents of contention, and its strengths if it saturates. [chosen]
 */
static const double tried_exponents[] = {0.125, 0.25, 0.5, 0.75, 1, 1.5, 2, 3};
static const double tried_strengths[] = {0.1, 0.3, 0.5, 0.7, 0.85, 0.95};

/* The gap left between the parts of a split cache, relative to its width: the minimiser
   works on logarithms and cannot open a gap of 0. [chosen] */
static const double split_gap = 0.1;

/* Largest logarithm of the width of a cache step: no cache helps working sets 150 (e^5)
   times its size. [chosen] */
static const double widest = 5;

/*
 * Prior knowledge (pins.c), as factors.
 */

/* Where steps begin, over the cache's size (other data are in it, too); how far they
   reach from there (caches replace lines about at random); and one standard deviation
   of each. [chosen] */
static const double begins_at = 0.7, begins_within = 1.5;
static const double lasts = 4, lasts_within = 2;

/* One standard deviation of a byte's measured time between two nodes, as a factor.
   [chosen] */
static const double link_within = 1.05;

/* Standard deviation of a coefficient's logarithm before the runs (confidence.c): wide
   enough to have no effect. */
static const double prior_sd = 10;

/* Runs repeat no better than this (confidence.c). [chosen] */
static const double least_noise = 1e-4;

/*
 * Whether the runs determine a form (tells.c).
 */

/* An exponent of contention below it counts as none. [simulated] */
static const double flattest = 0.01;

/* The largest exponents that a network can have. The worst network is a bus for all
   messages, on which they slow down as P. (ln P)^e exceeds P somewhere if e exceeds
   Euler's number; a power of P may be 1, and a little more is noise. The limit of
   saturating contention is [simulated]. */
static const double steepest_saturating = 8, steepest_logarithm = 2.718,
                    steepest_power = 1.1;

/* Numbers of messages that differ by less than this share count as equal. [simulated]
 */
static const double same_number = 0.1;

/* Uneven runs that are needed, and by which share the lengths of their messages differ
   at least. [simulated] */
enum { ENOUGH_UNEVEN = 3 };
static const double differs = 0.01;

/* Link times (lengths.c): points are left out as long as the others predict their times
   to this accuracy, which is relaxed by the factor until the rest fits. Times this
   close to proportional to the length count as proportional. [chosen] */
static const double told_within = 0.01, relaxed = 1.5, in_proportion = 0.05;

/* Some messages shorter than short_bytes take a latency, all shorter than shortest do.
   [chosen] */
static const double short_bytes = 1024, shortest = 128;

/*
 * Runs to propose (confidence.c, around.c).
 */

/* Candidates: numbers of ranks and of sizes. Then the sizes whose times are to be
   predicted, and the most runs proposed. [chosen] */
enum { MOST_RANKS = 12, CANDIDATE_SIZES = 24, TARGET_SIZES = 8, MOST_WANTED = 6 };

/* Predictions are wanted, and two laws are compared (findings.c), up to this many times
   the nodes of the runs. [simulated] */
static const double beyond_nodes = 32;

/* A run is worth its time if it removes this share of the variance of the predictions,
   unless their relative error is below known_within already. [chosen] */
static const double least_gain = 0.05, known_within = 0.003;

/* Sizes around a step, from `outside` times below it to `outside` times above it; and
   sizes in a gap between working sets, if a step costs some_growth times as much behind
   it. A proposed working set counts as measured within the ratio same_set; measured
   ones within next_set_ratio have no gap between them. [chosen] */
enum { SIZES_OF_STEP = 5, SIZES_IN_GAP = 3 };
static const double outside = 1.5, same_set = 1.1, some_growth = 1.1,
                    next_set_ratio = 1.01;

/*
 * Findings and warnings (findings.c).
 */

/* The runs say nothing about a parameter whose logarithm has a larger standard
   deviation. [chosen] */
static const double unknown = 3;

/* Two laws count as the same if no run on `beyond_nodes` times the nodes differs by
   more. [simulated] */
static const double same_law = 0.1;

/* Warn that contention may end at the largest number of nodes of the runs if some run
   would then take less than this share of its predicted time on `beyond_nodes` times
   the nodes. [simulated] */
static const double same_growth = 0.67;

/* Warn if the runs on some number of nodes, at least FEW_RUNS, are off by this on
   average. [simulated] */
static const double far_off = 0.055;
enum { FEW_RUNS = 3 };

/* A further cache step seems to exist if the misfit is at least large_misfit, and the
   step multiplies it by less than clear_step. [simulated] */
static const double clear_step = 0.7, large_misfit = 0.015;

/* Warn of a cross-validated error above it. [simulated] */
static const double poor = 0.03;

/* Warn of a step that grows the costs by more, where it may be anywhere between two
   working sets. [simulated] */
static const double large_step = 1.3;

/* Working sets needed to see a cache step: two before it and two beyond. */
enum { ENOUGH_SETS = 4 };

#endif
