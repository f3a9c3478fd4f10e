/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * store.h - the file that keeps every run and every fitted model (SQLite).
 *
 * A run is written in a transaction of its own the moment it ends, so that a killed
 * campaign loses nothing that had finished.
 */
#ifndef MT_STORE_H
#define MT_STORE_H

#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/model.h"

#include <stdbool.h>
#include <stdint.h>

MT_C_BEGIN

/* The record of one execution of a program on a configuration. */

enum mt_outcome {
    MT_RUN_OK,        /* seconds holds */
    MT_RUN_FAILED,    /* exited with a status other than 0, or could not be started */
    MT_RUN_SIGNALLED, /* killed by a signal */
    MT_RUN_TIMEOUT,   /* killed by motley after the program's time-out */
    MT_RUN_UNREAD     /* ended well, but its time could not be read from its output */
};

/* Empty if zeroed; mt_run_clear() makes it empty again. All strings are owned. */
struct mt_run {
    int64_t id; /* in the store; 0: not stored yet */
    char *cluster;
    char *program;
    char *configuration; /* canonical text */
    double size;
    int repetition; /* 1, 2, ... */
    enum mt_outcome outcome;
    double seconds; /* the program's time; 0 unless outcome is MT_RUN_OK */
    double wall;    /* from start to end, of the launcher's process, seconds */
    int exit_code;  /* of MT_RUN_FAILED; 127 and no output: it could not be started */
    int signal;     /* of MT_RUN_SIGNALLED */
    char *reason;   /* why it did not succeed; otherwise NULL */
    char *output;   /* the end of its output; NULL: none */
    char *down;     /* its nodes that did not answer afterwards, separated by blanks;
                       NULL: none, or not asked */
    char *launcher;
    bool simulated;  /* the seconds are those of a simulated cluster */
    int64_t started; /* seconds since 1970-01-01 UTC */
};

/* "ok", "failed", "signalled", "timeout", "unread": the word used in the store and in
   what is exported. */
const char *mt_outcome_name(enum mt_outcome outcome);
/* The outcome of that word; MT_EINVAL lists the words. */
MT_MUST_CHECK int mt_outcome_parse(enum mt_outcome *outcome, const char *name,
                                   struct mt_error *err);

struct mt_store;

enum mt_store_mode {
    MT_STORE_READ,  /* must exist */
    MT_STORE_WRITE, /* made when it does not exist */
};

/*
 * Open the store at `path`. The reason of a failure tells: no such file (MT_ENOTFOUND),
 * not a store of motley or not SQLite at all (MT_EINVAL), written by another version of
 * motley (MT_EVERSION), locked by another process (MT_EBUSY), not writable, or full
 * (MT_EIO).
 *
 * A store that is removed or replaced while it is open to write makes the next function
 * that writes fail (MT_EIO).
 */
MT_MUST_CHECK int mt_store_open(struct mt_store **store, const char *path,
                                enum mt_store_mode mode, struct mt_error *err);
void mt_store_close(struct mt_store *store);
/* Add `count` runs in one transaction: all of them, or none on failure. */
MT_MUST_CHECK int mt_store_add_runs(struct mt_store *store, struct mt_run *runs,
                                    int count, struct mt_error *err);

/* Runs out of the store. Empty if zeroed. */
struct mt_runs {
    struct mt_run *runs; /* owned */
    int count;
};

/* Which runs; NULL and zero members do not restrict. */
struct mt_run_filter {
    const char *cluster, *program, *configuration; /* borrowed */
    double size;
    bool succeeded_only, failed_only, simulated_only;
    int64_t from; /* the id of the first */
    int newest;   /* number of newest runs to take; 0: all */
};

/* The runs that pass the filter, in the order of their ids. `runs` must be empty. */
MT_MUST_CHECK int mt_store_runs(struct mt_store *store, struct mt_runs *runs,
                                const struct mt_run_filter *filter,
                                struct mt_error *err);
void mt_runs_clear(struct mt_runs *runs);

/*
 * The runs of a program on a cluster, as fits and plans see them: without
 * configurations that the cluster does not have, and without failures caused by a node
 * that did not answer; and the figures of the cluster's links. Finding none is not a
 * failure. Above 4000 runs, at most three of each configuration and size are taken,
 * spread evenly from the fastest to the slowest. `samples` must be empty.
 */
MT_MUST_CHECK int mt_store_samples(struct mt_store *store, struct mt_samples *samples,
                                   const struct mt_cluster *cluster,
                                   const char *program, struct mt_error *err);

/*
 * Replace the models of (cluster, program, kind) by `models`, together with the id of
 * the newest run that they were fitted from. MT_ERANK: `models` refuses a model that is
 * stored; the stored ones stay.
 */
MT_MUST_CHECK int mt_store_put_models(struct mt_store *store, const char *cluster,
                                      const char *program,
                                      const struct mt_models *models,
                                      struct mt_error *err);

/* A node that did not answer when it was last asked. */
struct mt_down_node {
    char *host;    /* owned */
    int64_t since; /* seconds since 1970-01-01 UTC */
};
/* Empty if zeroed. */
struct mt_down_nodes {
    struct mt_down_node *nodes; /* owned */
    int count;
};

void mt_down_nodes_clear(struct mt_down_nodes *list);
/* Leave out of the cluster the nodes that do not answer, as plans do; `left_out`, which
   must be empty, receives them. */
MT_MUST_CHECK int mt_store_leave_out_down(struct mt_store *store,
                                          struct mt_cluster *cluster,
                                          struct mt_down_nodes *left_out,
                                          struct mt_error *err);

/* Whether the store has anything of the cluster and, unless it is NULL, of the program
   on it; otherwise MT_ENOTFOUND, which suggests close names. */
MT_MUST_CHECK int mt_store_check_names(struct mt_store *store, const char *cluster,
                                       const char *program, struct mt_error *err);

MT_C_END

#endif
