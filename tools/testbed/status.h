/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * status.h - which nodes of a testbed are up, and what runs on them.
 */
#ifndef MT_TESTBED_STATUS_H
#define MT_TESTBED_STATUS_H

#include "testbed.h"

/* Print a line a node, or one JSON object; `node` is not looked at. Returns an exit
   status: EXIT_FAILED where a node is down. */
int mt_testbed_print_status(const struct mt_testbed *testbed,
                            const struct mt_testbed_node *node, struct mt_error *err);

#endif
