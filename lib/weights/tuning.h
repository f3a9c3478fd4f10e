/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuning.h - the constants that decide which configurations get weights, and how uneven
 * these may be. All were chosen by hand, sensitivity not measured.
 */
#ifndef MT_WEIGHTS_TUNING_H
#define MT_WEIGHTS_TUNING_H

/* Configurations that are kept. */
enum { MOST_CANDIDATES = 50 };

/* Evaluations of a climb from each start, where not all configurations are tried. */
enum { EVALUATIONS = 6000 };

/* The smallest part of a rank, as a share of an equal one: programs do not expect ranks
   without work. */
static const double least_part = 1.0 / 64;

#endif
