/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * columns.h - the columns of a run: the names of its members in show, export and
 * import, how to show them, and how to read them.
 */
#ifndef MT_CLI_DATA_COLUMNS_H
#define MT_CLI_DATA_COLUMNS_H

#include "cli/common/view.h"
#include "motley/error.h"
#include "motley/store.h"

#include <jansson.h>
#include <stdio.h>

/* Begin a view of the runs. `ids`: with their numbers in this store. The caller clears
   it, before the runs. */
void mt_runs_view(struct mt_view *view, const struct mt_runs *runs, bool ids);
/* Print the runs as CSV, without their numbers. */
void mt_runs_print_csv(const struct mt_runs *runs, FILE *stream);
/* A new object {"simulated": whether any is, "runs": [...]}. Members that a run lacks,
   such as a reason, are not in its object. */
json_t *mt_runs_to_json(const struct mt_runs *runs, bool ids);

/* Read `text` as a number; false: it is not one. */
bool mt_parse_number(double *number, const char *text);

/* Above the number of each column. */
enum { MT_RUN_COLUMNS = 32 };
/* The column with this name in files; -1 if none. */
int mt_run_column_find(const char *key);
/* Its name in files. */
const char *mt_run_column_name(int column);
/* Whether it holds a number. */
bool mt_run_column_counts(int column);
/* Set the column's member to a number (`text`: its spelling, for messages), to a text
   (empty: unset), or to a JSON value (null: unset). MT_EPARSE names the column and the
   error. */
MT_MUST_CHECK int mt_run_set_number(struct mt_run *run, int column, double number,
                                    const char *text, struct mt_error *err);
MT_MUST_CHECK int mt_run_set_text(struct mt_run *run, int column, const char *text,
                                  struct mt_error *err);
MT_MUST_CHECK int mt_run_set_json(struct mt_run *run, int column, const json_t *value,
                                  struct mt_error *err);

#endif
