/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * diagnose.h - find out what is wrong with a cluster from what is known of its nodes
 * and links.
 */
#ifndef MT_CLI_CHECK_DIAGNOSE_H
#define MT_CLI_CHECK_DIAGNOSE_H

#include "nodes.h"

/* Look for all kinds of findings, and list them anew in `check->findings`. */
MT_MUST_CHECK int mt_check_diagnose(struct mt_check *check, struct mt_error *err);

#endif
