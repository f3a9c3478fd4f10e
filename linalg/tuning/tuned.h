/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuned.h - which crossings hold on this machine, and where that is known from.
 */
#ifndef MT_STRASSEN_TUNED_H
#define MT_STRASSEN_TUNED_H

#include "motley/error.h"
#include "motley/strassen.h"
#include "tuned_machine.h"

#define TUNED_VARIABLE "MOTLEY_STRASSEN_CUTOFF"

enum tuned_source { TUNED_FORCED, TUNED_MEASURED, TUNED_GUESSED };

/*
 * The crossings on `machine`: those of the variable, which is said to be wrong on
 * stderr where it is; of the machine's file; or a guess. Then `err`, unless NULL, says
 * why there is nothing better.
 */
enum tuned_source tuned_choose(struct mt_strassen_tuning *tuning,
                               const struct tuned_machine *machine,
                               struct mt_error *err);

/* What is taken for true where nothing was measured. */
struct mt_strassen_tuning tuned_guess(int threads);

#endif
