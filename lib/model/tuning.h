/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuning.h - the constants that decide what the default model predicts.
 *
 * Where they come from: [tables] chosen by comparison on the tables castep-dna,
 * gromacs-1400k, openmc, umt-node, vlasiator-strong and five others, each with that
 * program left out; [heho] on the recorded clusters of that study; [guess] a first
 * guess that was never changed. experiments/sensitivity prints what halving and
 * doubling each of them does.
 */
#ifndef MT_MODEL_TUNING_H
#define MT_MODEL_TUNING_H

/* The share that a term other than compute has of the time of the largest runs:
   log-normal, median and deviation. [tables] */
static const double mt_share = 0.05, mt_share_sd = 1.2;

/* What a rank computes beyond a cache step takes longer by this share: log-normal,
   median and deviation. The step is as wide as this many doublings of its data.
   [guess] */
static const double mt_cache = 0.2, mt_cache_sd = 1.2, mt_step_width = 0.5;

/* Deviations of logarithms: of a group's speed [guess]; of the speed of a layout for
   each doubling of the processes on a node, and of its own [guess]; of a group's
   network [tables]; of the exponent of processes on a node in messages [heho]; of the
   exponent of the work, where it is not known [guess]. */
static const double mt_speed_sd = 1, mt_doubling_sd = 0.2, mt_own_sd = 0.2,
                    mt_network_sd = 1, mt_processes_sd = 0.3, mt_exponent_sd = 0.1;

/* Messages between groups that are apart over those inside them: log-normal, the
   logarithm's mean (twice as long) and deviation. Where links were checked, their
   ratio has an exponent with mean 1 and the last deviation. [guess] */
static const double mt_apart = 0.7, mt_apart_sd = 1, mt_checked_sd = 0.5;

/* Messages inside a node over those between nodes: log-normal. [guess] */
static const double mt_inside = 0.3, mt_inside_sd = 0.7;

/* The discrepancy: the reach of its kernel in doublings, the share of its variance that
   all configurations have in common, and doublings of the size for one of the work.
   [guess] */
static const double mt_reach = 8, mt_common = 0.5, mt_work_axis = 0.5;

/* Configurations of several groups: the deviation of their logarithm, log-normal, and
   the share of its variance that all of them have in common. [guess] */
static const double mt_mixed = 0.1, mt_mixed_sd = 0.8, mt_mixed_common = 0.5;

/* The deviation of the discrepancy for a doubling, and of a run's noise: log-normal.
   The medians: [tables], [guess]; the deviations: [guess]. */
static const double mt_tau = 0.05, mt_tau_sd = 0.8, mt_sigma = 0.02, mt_sigma_sd = 0.8;

/* The noise of a group's runs comes from its own repeats, and from all repeats, which
   count as mt_group_repeats of them. The noise of all runs begins as if
   mt_all_repeats repeats had scattered by mt_sigma. [guess] */
static const double mt_group_repeats = 4, mt_all_repeats = 2;

/* With runs at one size only, the deviation for each doubling of the size. [guess] */
static const double mt_other_size_sd = 1;

/* The grids of the deviation of the discrepancy, of a run's noise, and of
   configurations of several groups: steps of about a factor of two, from values that
   cannot be told from 0 to values that make a plan useless. [guess] */
static const double taus[] = {.01, .02, .04, .08, .16, .32};
static const double sigmas[] = {.005, .0125, .03, .07, .16};
static const double mixes[] = {.05, .1, .2, .4};

/* The exponents of the work that are tried where the program does not say its work.
   [guess] */
static const double exponents[] = {1, 1.5, 2, 3};

/* Parts of the posterior whose evidence is this many nats below the best are dropped:
   together they would change a prediction by less than a hundredth of its interval. */
static const double mt_cut = 5;

/* The most cells of a fit, whose cost grows with their third power: a thousand add
   little to five hundred. [guess] */
enum { MOST_CELLS = 500 };

/* Models of the papers: the least relative error of one that could not be
   cross-validated [guess], and the standard deviations from the median of a normal
   distribution to an end of its 90 % interval. */
static const double unseen_error = 0.1, errors_in_interval = 1.645;

#endif
