/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stored.h - the cluster and the program under the names that the store knows them by;
 * for commands that need the runs, but not the files that describe how they were made.
 */
#ifndef MT_CLI_STORED_H
#define MT_CLI_STORED_H

#include "motley/error.h"

/* Zeroed is empty. */
struct mt_stored {
    char *cluster, *program; /* owned; NULL: not given */
};

/*
 * What the arguments [CLUSTER [PROGRAM]] name: a path (it has a '/' or ends in ".yaml")
 * stands for the name in that file, anything else for itself.
 */
MT_MUST_CHECK int mt_stored_load(struct mt_stored *stored, const char **arguments,
                                 struct mt_error *err);
void mt_stored_clear(struct mt_stored *stored);

#endif
