/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * testbed.h - jobs on a testbed: their launcher runs on its head, wherever motley
 * is started.
 */
#ifndef MT_CLI_LAUNCH_TESTBED_H
#define MT_CLI_LAUNCH_TESTBED_H

#include "motley/cluster.h"
#include "motley/error.h"

/* Begin the empty `*argv` by the words that start what follows on the head of the
   testbed; none when this process is on a node of it already, and for other clusters.
 */
MT_MUST_CHECK int mt_testbed_begin_job(char ***argv, const struct mt_cluster *cluster,
                                       struct mt_error *err);

/* Whether jobs can be started on the cluster as far as it is a testbed's: MT_ENOTFOUND
   says how to make it. */
MT_MUST_CHECK int mt_testbed_check(const struct mt_cluster *cluster,
                                   struct mt_error *err);

#endif
