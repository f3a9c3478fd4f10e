/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuning.h - which crossings hold on this machine, and where that is known from.
 */
#ifndef MT_TUNING_CHOICE_H
#define MT_TUNING_CHOICE_H

#include "machine.h"
#include "motley/error.h"
#include "motley/tuning.h"

#define TUNING_VARIABLE "MOTLEY_STRASSEN_CUTOFF"

enum tuning_source { TUNING_FORCED, TUNING_MEASURED, TUNING_GUESSED };

/*
 * The crossings on `machine`: those of the variable, which is said to be wrong on
 * stderr where it is; of the machine's file; or a guess. Then `err`, unless NULL, says
 * why there is nothing better.
 */
enum tuning_source tuning_choose(struct mt_strassen_tuning *tuning,
                                 const struct tuning_machine *machine,
                                 struct mt_error *err);

/* What is taken for true where nothing was measured. */
struct mt_strassen_tuning tuning_guess(int threads);

#endif
