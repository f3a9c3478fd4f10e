/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuning.h - the constants that decide which runs of a store the models are fitted to.
 * Chosen by hand, sensitivity not measured.
 */
#ifndef MT_STORE_TUNING_H
#define MT_STORE_TUNING_H

/* With more than MANY_RUNS runs, FEW_REPETITIONS of each configuration and size tell as
   much as all. */
enum { MANY_RUNS = 4000, FEW_REPETITIONS = 3 };

#endif
