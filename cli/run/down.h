/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * down.h - nodes that are down, that is, do not answer: detected after a failed run,
 * recorded in the store, and left out of the cluster until they answer again. A node
 * answers when the cluster's own launcher can start a process on it. Simulated nodes
 * always answer.
 */
#ifndef MT_CLI_DOWN_H
#define MT_CLI_DOWN_H

#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/store.h"

#include <stdbool.h>

/* A node to ask, and the result. */
struct mt_asked_node {
    const char *host; /* borrowed */
    bool answers;
    char reason[160]; /* the launcher's message if it does not; may be empty */
};

/*
 * Ask the nodes, `count` in number. One job asks all; only if it does not succeed
 * within a time-out, each node gets a job of its own, in parallel. A signal that asks
 * motley to stop ends it early and takes effect when it returns; nodes that had not
 * answered by then count as if they had. Fails like mt_job_make() when no job can be
 * made; the answers of nodes may have changed then.
 */
MT_MUST_CHECK int mt_ping(struct mt_asked_node *nodes, int count,
                          const struct mt_cluster *cluster, struct mt_error *err);

/* Leave out of the cluster the nodes that the store lists as down, and report it on
   stderr. `*count`, unless NULL, becomes the number of these nodes. */
MT_MUST_CHECK int mt_down_leave_out(struct mt_cluster *cluster, struct mt_store *store,
                                    int *count, struct mt_error *err);
/* The same by the store of --db, if there is one. */
MT_MUST_CHECK int mt_down_leave_out_known(struct mt_cluster *cluster,
                                          struct mt_error *err);

/* Ask the cluster's nodes that are down again; those that answer are up again, which is
   reported on stderr. */
MT_MUST_CHECK int mt_down_ping_again(const struct mt_cluster *cluster,
                                     struct mt_store *store, struct mt_error *err);

/* The same by the store of --db, if there is one. */
MT_MUST_CHECK int mt_down_ping_known(const struct mt_cluster *cluster,
                                     struct mt_error *err);

/*
 * After `run` has failed: ask the nodes of its configuration. Those that do not answer,
 * `*gone` in number, are down, in the store and in the cluster, and are named in
 * `run->down` and at the end of `run->reason`. If none of them answers, and no other
 * node either, the fault may be on this side: then the run notes it, but none is left
 * out.
 */
MT_MUST_CHECK int mt_down_find(struct mt_run *run, int *gone,
                               struct mt_cluster *cluster, struct mt_store *store,
                               const struct mt_configuration *configuration,
                               struct mt_error *err);

#endif
