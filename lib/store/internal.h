/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internal.h - what the rest of motley uses of the store beyond the public headers.
 */
#ifndef MT_STORE_INTERNAL_H
#define MT_STORE_INTERNAL_H

#include "motley/store.h"

#include <stdbool.h>
#include <stdint.h>

void mt_run_clear(struct mt_run *run);

/*
 * Claim the store, which must be open to write, for one measuring campaign until it is
 * closed or the process ends, however it ends. MT_EBUSY: another process measures into
 * it. Reading and planning remain possible.
 */
MT_MUST_CHECK int mt_store_claim(struct mt_store *store, struct mt_error *err);

/* Make calls of mt_store_add_runs() one transaction, and end it: the runs are kept if
   `status`, which is returned, is MT_OK. */
MT_MUST_CHECK int mt_store_begin(struct mt_store *store, struct mt_error *err);
MT_MUST_CHECK int mt_store_end(struct mt_store *store, int status,
                               struct mt_error *err);

/*
 * Add a run, in a transaction of its own; its id is set. A run (cluster, program,
 * configuration, size, repetition) that succeeded before is not replaced: both are
 * kept. MT_EINVAL: a run without a name, size or repetition > 0, or one that succeeded
 * without seconds > 0.
 */
MT_MUST_CHECK int mt_store_add_run(struct mt_store *store, struct mt_run *run,
                                   struct mt_error *err);

/*
 * Add a finished run, which cannot be measured again, as mt_store_add_run() does. On
 * failure (the store was removed, replaced or damaged, is locked or not writable, its
 * disk is full) `left`, which must be empty, becomes the owner of the runs that the
 * store does not have: this one and, when the store's file is gone, those added since
 * it was opened. `run` is then empty, unless there was no memory for the list.
 */
MT_MUST_CHECK int mt_store_keep_run(struct mt_store *store, struct mt_run *run,
                                    struct mt_runs *left, struct mt_error *err);
/* Before a store is closed: if its file is gone, hand back the runs added since it was
   opened in the same way. MT_OK: the file is still there. */
MT_MUST_CHECK int mt_store_settle(struct mt_store *store, struct mt_runs *left,
                                  struct mt_error *err);
/* The stored models of that kind; MT_ENOTFOUND: none. `models` must be empty. */
MT_MUST_CHECK int mt_store_get_models(struct mt_store *store, const char *cluster,
                                      const char *program, enum mt_model_kind kind,
                                      struct mt_models *models, struct mt_error *err);

/* Record that the node does not answer; if it is recorded already, the time stays. */
MT_MUST_CHECK int mt_store_set_down(struct mt_store *store, const char *cluster,
                                    const char *host, int64_t since,
                                    struct mt_error *err);
/* Record that the node answers again, if it did not. */
MT_MUST_CHECK int mt_store_set_up(struct mt_store *store, const char *cluster,
                                  const char *host, struct mt_error *err);
/* The cluster's nodes that do not answer, by name. `list` must be empty. */
MT_MUST_CHECK int mt_store_down_nodes(struct mt_store *store,
                                      struct mt_down_nodes *list, const char *cluster,
                                      struct mt_error *err);

/* Keep figures of links, each in place of an older one of the same cluster and groups.
 */
MT_MUST_CHECK int mt_store_put_links(struct mt_store *store,
                                     const struct mt_link_figures *links,
                                     struct mt_error *err);
/* Those of a cluster (NULL: of all), in the order of names. `links` must be empty. */
MT_MUST_CHECK int mt_store_links(struct mt_store *store, struct mt_link_figures *links,
                                 const char *cluster, struct mt_error *err);

/* The report of libmotley-balance on a run: motley-balance(7). Empty if zeroed. */
struct mt_lateness {
    int64_t id;                                       /* in the store */
    char *cluster, *program, *configuration, *report; /* owned; the report is JSON */
    double size;
    bool simulated;
    int64_t started; /* the run, seconds since 1970-01-01 UTC */
};
struct mt_lateness_list {
    struct mt_lateness *all; /* owned */
    int count;
};

/* Keep a report; its id does not count. */
MT_MUST_CHECK int mt_store_add_lateness(struct mt_store *store,
                                        const struct mt_lateness *lateness,
                                        struct mt_error *err);
/* The reports that match the filter's cluster, program, configuration and size, newest
   first, at most its `newest`; its other members are ignored. `list` must be empty. */
MT_MUST_CHECK int mt_store_latenesses(struct mt_store *store,
                                      struct mt_lateness_list *list,
                                      const struct mt_run_filter *filter,
                                      struct mt_error *err);
void mt_lateness_list_clear(struct mt_lateness_list *list);

/* Which models are in the store. Empty if zeroed. */
struct mt_fitted {
    char *cluster, *program; /* owned */
    enum mt_model_kind kind;
};
struct mt_fitted_list {
    struct mt_fitted *fitted; /* owned */
    int count;
};

/* The models that mt_store_get_models() would find, in the order of fitting; `cluster`
   and `program`, unless NULL, restrict it. `list` must be empty. */
MT_MUST_CHECK int mt_store_fitted(struct mt_store *store, struct mt_fitted_list *list,
                                  const char *cluster, const char *program,
                                  struct mt_error *err);
void mt_fitted_clear(struct mt_fitted_list *list);

#endif
