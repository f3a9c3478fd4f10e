/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mapping.h - which columns of a file say what about a run: those that have our names,
 * or what the user says of a file that others wrote,
 * "size=N,seconds=time:ms,ranks=P*Q".
 *
 * Each of these is one of our columns, or nodes, ppn (processes per node), ranks or
 * group, of which a configuration is made; '='; and a column of the file, a number, or
 * a product of these, with a unit behind ':' where it is not seconds or just a number.
 * "ignore=NAME" names a column that is known to say nothing.
 */
#ifndef MT_CLI_DATA_MAPPING_H
#define MT_CLI_DATA_MAPPING_H

#include "formats.h"

enum { MT_MAPPING_RULES = 32, MT_MAPPING_FACTORS = 4 };

/* Where one thing about a run is to be found. */
struct mt_mapping_rule {
    int target;
    char *text;    /* owned: what stands behind '=' */
    bool optional; /* it is no failure when the file has no such column */
    /* As mt_mapping_bind() has found it. */
    struct {
        int place;     /* of the column in the file; -1: a number */
        double number; /* that it is */
    } factors[MT_MAPPING_FACTORS];
    int nfactors; /* 0: there is no such column */
    double unit;
};

/* Zeroed is empty. */
struct mt_mapping {
    struct mt_mapping_rule rules[MT_MAPPING_RULES];
    int count;
};

void mt_mapping_clear(struct mt_mapping *mapping);
/* Add what the user says. MT_EINVAL names what is wrong. */
MT_MUST_CHECK int mt_mapping_parse(struct mt_mapping *mapping, const char *text,
                                   struct mt_error *err);
/* Add an optional rule, unless there is one for `target` already, or it is no name of
   ours. */
MT_MUST_CHECK int mt_mapping_default(struct mt_mapping *mapping, const char *target,
                                     const char *text, struct mt_error *err);
/* Whether what is said of `target` begins with the column `name`. */
bool mt_mapping_uses(const struct mt_mapping *mapping, const char *target,
                     const char *name);

/* Find the columns in a file that has these; one that is not there fails, and the
   reason lists those that are. */
MT_MUST_CHECK int mt_mapping_bind(struct mt_mapping *mapping,
                                  const struct mt_source *source, char *const *names,
                                  int count, struct mt_error *err);
/* Whether anything was found for `target`. */
bool mt_mapping_has(const struct mt_mapping *mapping, const char *target);
/* Whether anything is taken from the column, or it is ignored on purpose. */
bool mt_mapping_takes(const struct mt_mapping *mapping, int place);

/*
 * Set what the cells of a line, one a column, say about a run. What group it was is
 * said by the file's column, by the source, or else by `region`, in this order; NULL:
 * the last one does not. MT_EPARSE names the line.
 */
MT_MUST_CHECK int mt_mapping_read(const struct mt_mapping *mapping,
                                  const struct mt_source *source, char *const *cells,
                                  const char *region, struct mt_run *run,
                                  struct mt_error *err);

#endif
