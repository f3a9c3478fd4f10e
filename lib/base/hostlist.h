/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hostlist.h - lists of host names as Slurm and pdsh write them: "x[01-08,12],login".
 */
#ifndef MT_HOSTLIST_H
#define MT_HOSTLIST_H

#include "motley/error.h"

#include <stdbool.h>

/* Host names in the order in which they were given. Empty if zeroed. */
struct mt_hostlist {
    char **hosts; /* owned, and each string too */
    int count;
};

/*
 * Expand `text`: names separated by commas outside brackets, each with any number of
 * brackets that hold numbers and ranges; the first number's leading zeros give the
 * width. MT_EPARSE, with the column, for text that does not parse, a range that runs
 * backwards, or more than 200,000 hosts or 4,000,000 characters of their names; and,
 * with its name, for a host that comes twice. `list` must be empty.
 */
MT_MUST_CHECK int mt_hostlist_parse(struct mt_hostlist *list, const char *text,
                                    struct mt_error *err);
/*
 * The text of `count` hosts; neighbours that differ in one number only are folded into
 * a bracket. The order of the hosts is kept, so that parsing the text gives the same
 * list. Returns a string that the caller frees, or NULL when memory is short.
 */
char *mt_hostlist_format(char *const *hosts, int count);
/* Whether it is the name of a host: letters, digits, '-', '_' and '.', at most 255,
   which begin with a letter, a digit or '_', and no "..". So it is neither an option
   nor a path wherever it is written. */
bool mt_is_host_name(const char *name);
/* Whether one of the hosts is this machine, by its own name or "localhost". */
bool mt_any_is_this_host(char *const *hosts, int count);
void mt_hostlist_clear(struct mt_hostlist *list);

#endif
