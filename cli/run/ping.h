/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ping.h - which nodes of a cluster are up: a node answers when the cluster's own
 * launcher can start a process on it.
 */
#ifndef MT_CLI_PING_H
#define MT_CLI_PING_H

#include "motley/cluster.h"
#include "motley/error.h"

#include <stdbool.h>

/* What came of asking a node. */
struct mt_answer {
    bool answers;
    char reason[160]; /* what the launcher said when it does not; may be empty */
};

/*
 * Ask `count` hosts: answers[i] becomes what hosts[i] answers. All are asked by one
 * job; only when that does not succeed within a time-out, each is asked by a job of its
 * own, side by side. The nodes of a simulated cluster all answer. A signal that asks
 * motley to stop ends it early, takes effect when it returns, and those that had not
 * answered by then count as if they had. Fails when no job can be made, as
 * mt_job_make(); `answers` may have changed then.
 */
MT_MUST_CHECK int mt_ping(struct mt_answer *answers, const struct mt_cluster *cluster,
                          char **hosts, int count, struct mt_error *err);

#endif
