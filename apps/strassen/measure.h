/* SPDX-License-Identifier: BSD-3-Clause */
/* measure.h - what a plan has to know: times of products and of messages. */
#ifndef MT_APPS_STRASSEN_MEASURE_H
#define MT_APPS_STRASSEN_MEASURE_H

#include "options.h"

#include <motley/error.h>

/* Take the time that the task is about, and print it. Collective. */
MT_MUST_CHECK int strassen_measure(const struct strassen_options *options,
                                   struct mt_error *err);

#endif
