/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tasks.h - what the program is started for: a product on all ranks, from the matrices
 * to its check (multiply.c), or what a plan has to know, times of products, of
 * messages, and of both together (measure.c).
 */
#ifndef MT_APPS_STRASSEN_TASKS_H
#define MT_APPS_STRASSEN_TASKS_H

#include "options.h"

#include <motley/error.h>

/* Whether all went well; if not, one rank has said why. Collective. */
bool strassen_multiply(const struct strassen_options *options);

/* Take the time that the task is about, and print it. Collective. */
MT_MUST_CHECK int strassen_measure(const struct strassen_options *options,
                                   struct mt_error *err);

/* Whether `status` is MT_OK on all ranks; if not, the first one where it is not prints
   its error. Collective. */
bool strassen_agree(int status, const struct mt_error *err);

#endif
