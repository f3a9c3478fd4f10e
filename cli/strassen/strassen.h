/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strassen.h - the actions of 'motley strassen'.
 */
#ifndef MT_CLI_STRASSEN_H
#define MT_CLI_STRASSEN_H

#include "cli/common/action.h"

/* Each is in the file of its name, and in the table of strassen.c. */
extern const struct mt_action mt_strassen_measure, mt_strassen_plan, mt_strassen_run;

#endif
