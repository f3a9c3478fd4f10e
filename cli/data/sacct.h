/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sacct.h - runs out of what Slurm's sacct -P prints, line by line.
 */
#ifndef MT_CLI_DATA_SACCT_H
#define MT_CLI_DATA_SACCT_H

#include "motley/error.h"
#include "rows.h"

#include <stdbool.h>

struct mt_sacct;

/* Whether columns of these names are sacct's, and the user does not say himself where
   the seconds are. */
bool mt_sacct_knows(const struct mt_source *source, char *const *names, int count);
/* `rows`, which gets the names and what --columns says, must outlive `*sacct`; their
   runs get those of each job once that has been read. On failure `*sacct` is to be
   ended, too. MT_EPARSE: the cluster file is missing, or --columns says something else.
 */
MT_MUST_CHECK int mt_sacct_begin(struct mt_sacct **sacct, struct mt_rows *rows,
                                 char *const *names, int count, struct mt_error *err);
/* Take a line, with a cell for each name. */
MT_MUST_CHECK int mt_sacct_add(struct mt_sacct *sacct, char *const *cells,
                               struct mt_error *err);
/* Fail if a row of a table that is read like any other is a step of a job, which would
   count as another run, unless --where chooses the rows. */
MT_MUST_CHECK int mt_sacct_refuse_step(const struct mt_rows *rows, char *const *cells,
                                       struct mt_error *err);
/* Add the runs of the last job, if all went well until now, say on stderr what was left
   out, and free `sacct`. Passes `status` on. */
MT_MUST_CHECK int mt_sacct_end(struct mt_sacct *sacct, int status,
                               struct mt_error *err);

#endif
