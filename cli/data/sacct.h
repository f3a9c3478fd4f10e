/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sacct.h - runs from the output of Slurm's sacct -P, line by line.
 */
#ifndef MT_CLI_DATA_SACCT_H
#define MT_CLI_DATA_SACCT_H

#include "motley/error.h"
#include "rows.h"

#include <stdbool.h>

struct mt_sacct;

/* Whether these columns are sacct's, and the user has no rule for the seconds. */
bool mt_sacct_knows(const struct mt_source *source, char *const *names, int count);
/* `rows`, which gets the names and the rules of --columns, must outlive `*sacct`; each
   job's runs are added to its runs once the job has been read. The caller also ends
   `*sacct` after a failure. MT_EPARSE: the cluster file is missing, or --columns has
   other rules. */
MT_MUST_CHECK int mt_sacct_begin(struct mt_sacct **sacct, struct mt_rows *rows,
                                 char *const *names, int count, struct mt_error *err);
/* Take a line, with a cell for each name. */
MT_MUST_CHECK int mt_sacct_add(struct mt_sacct *sacct, char *const *cells,
                               struct mt_error *err);
/* Fail if a row of a table read without sacct's rules is a step of a job, since it
   would count as a run of its own, unless --where chooses the rows. */
MT_MUST_CHECK int mt_sacct_refuse_step(const struct mt_rows *rows, char *const *cells,
                                       struct mt_error *err);
/* Add the runs of the last job unless `status` is a failure, report on stderr what was
   left out, and free `sacct`. Returns `status`, unless something fails. */
MT_MUST_CHECK int mt_sacct_end(struct mt_sacct *sacct, int status,
                               struct mt_error *err);

#endif
