/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sacct.h - runs out of what Slurm's sacct -P prints, line by line.
 */
#ifndef MT_CLI_DATA_SACCT_H
#define MT_CLI_DATA_SACCT_H

#include "formats.h"
#include "motley/error.h"
#include "motley/store.h"

#include <stdbool.h>

struct mt_sacct;

/* Whether columns of these names, ended by NULL, are sacct's, and the user does not say
   himself which group ran, or where the seconds are. */
bool mt_sacct_knows(const struct mt_source *source, char *const *names);
/* `*sacct` is to be ended also on failure; `runs` get the runs of each job once that
   has been read. MT_EPARSE: the cluster file is missing, or --columns says something
   else. */
MT_MUST_CHECK int mt_sacct_begin(struct mt_sacct **sacct, struct mt_source *source,
                                 char *const *names, struct mt_runs *runs,
                                 struct mt_error *err);
/* Take a line, with a cell for each name, and NULL behind the last. */
MT_MUST_CHECK int mt_sacct_add(struct mt_sacct *sacct, char *const *cells,
                               struct mt_error *err);
/* Add the runs of the last job, if all went well until now, say on stderr what was left
   out, and free `sacct`. Passes `status` on. */
MT_MUST_CHECK int mt_sacct_end(struct mt_sacct *sacct, int status,
                               struct mt_error *err);

#endif
