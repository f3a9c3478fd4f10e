/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * work_form.h - how a program's work grows with its size, where nobody says it.
 */
#ifndef MT_WORK_FORM_H
#define MT_WORK_FORM_H

#include "fit_models.h"

enum { MT_WORK_FORMS = 3 };

/*
 * Find forms N^i log2(N)^j in runs of one group each: of the exponents that Extra-P
 * tries (Calotoiu et al., SC 2013), those whose models predict the two largest sizes
 * best from the others, the best one first. The caller frees the texts; unused ones
 * stay as they are.
 */
MT_MUST_CHECK int mt_work_forms_find(char *works[MT_WORK_FORMS],
                                     const struct mt_fit_run *runs, int count,
                                     struct mt_error *err);

#endif
