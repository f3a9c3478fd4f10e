/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * view.h - what `motley check` shows: tables and findings, JSON, a picture.
 */
#ifndef MT_CLI_CHECK_VIEW_H
#define MT_CLI_CHECK_VIEW_H

#include "nodes.h"

MT_MUST_CHECK int mt_check_print(const struct mt_check *check, struct mt_error *err);
MT_MUST_CHECK int mt_check_print_json(const struct mt_check *check,
                                      struct mt_error *err);
/* Draw bandwidth over the size of messages into `target`, as plot.h has it. */
MT_MUST_CHECK int mt_check_plot(const struct mt_check *check, const char *target,
                                struct mt_error *err);

#endif
