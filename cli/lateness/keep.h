/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * keep.h - the report of a run: the file that its ranks write, taken into the store.
 */
#ifndef MT_CLI_LATENESS_KEEP_H
#define MT_CLI_LATENESS_KEEP_H

#include "motley/store.h"

/* Where runs write their reports, one after the other. Zeroed: nowhere. */
struct mt_report_place {
    char *folder, *file; /* owned */
    bool refused;        /* there is none to be had */
};

/* Make a folder below the current one, which goes with the session, unless there is
   one. Where there is none to be had, that is said on stderr, once. */
void mt_report_place_make(struct mt_report_place *place);
void mt_report_place_clear(struct mt_report_place *place);

/* Keep in the store what the run has written, and empty the place. That it has written
   nothing is said of the first one that succeeded, by MT_ENOTFOUND. */
MT_MUST_CHECK int mt_report_keep(const struct mt_report_place *place,
                                 struct mt_store *store, const struct mt_run *run,
                                 struct mt_error *err);

#endif
