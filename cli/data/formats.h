/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * formats.h - runs as text that other tools write and read: a file for each format,
 * listed in formats.c.
 */
#ifndef MT_CLI_FORMATS_H
#define MT_CLI_FORMATS_H

#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/store.h"

#include <stdbool.h>
#include <stdio.h>

/* A file that runs are read from. All borrowed; zero members are what is usual. */
struct mt_source {
    FILE *stream;
    const char *path;               /* for messages */
    int line;                       /* that was read last; 0: not known */
    int run;                        /* likewise, where lines are not known */
    const char *cluster, *program;  /* of runs that do not say; or NULL */
    const char *group;              /* of --group, "NAME" or "NAME:xM"; or NULL */
    const char *columns;            /* what --columns says; or NULL */
    const struct mt_cluster *hosts; /* of --cluster, if it is a file; or NULL */
    bool bare; /* runs that say neither size nor processes per node have 1 of these */
    /* Takes runs over when there are many, so that not all have to be held; or NULL. */
    int (*take)(void *context, struct mt_runs *runs, struct mt_error *err);
    void *context;
    void *repetitions; /* owned by mt_format_read(): the last of each, for tsearch() */
};

struct mt_format {
    const char *name;
    /* Failures of the stream are left to the caller. */
    void (*write)(FILE *stream, const struct mt_runs *runs);
    /* What mt_format_read() does. */
    int (*read)(struct mt_source *source, struct mt_runs *runs, struct mt_error *err);
};

extern const struct mt_format mt_format_csv, mt_format_json;

/* The format of that name; MT_EINVAL lists the names. */
MT_MUST_CHECK int mt_format_find(const struct mt_format **format, const char *name,
                                 struct mt_error *err);

/* Add the runs of the file, none if it is empty, to `runs`, which on failure holds
   those before it, but for those that were taken. Those that do not say which
   repetition they are follow on those above them. */
MT_MUST_CHECK int mt_format_read(const struct mt_format *format,
                                 struct mt_source *source, struct mt_runs *runs,
                                 struct mt_error *err);

/* For readers: fail with MT_EPARSE and "PATH:LINE: ", "PATH: run NUMBER: " or "PATH: "
   before the reason. */
MT_PRINTF(3, 4)
int mt_source_fail(const struct mt_source *source, struct mt_error *err,
                   const char *format, ...);
/*
 * For readers: check `run`, give it the cluster and program if it does not say, and
 * move it to the end of `runs`. On failure it is still the caller's.
 */
MT_MUST_CHECK int mt_source_add(struct mt_source *source, struct mt_runs *runs,
                                struct mt_run *run, struct mt_error *err);

/*
 * For readers: which columns of a file say what about a run: those that have our names,
 * or what the user says of a file that others wrote,
 * "size=N,seconds=time:ms,ranks=P*Q".
 *
 * Each of these is one of our columns, or nodes, ppn (processes per node), ranks or
 * group, of which a configuration is made; '='; and a column of the file, a number, or
 * a product of these, with a unit behind ':' where it is not seconds or just a number.
 * "ignore=NAME" names a column that is known to say nothing. In mapping.c.
 */
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
    int outcome; /* the target of that name, when bound */
};

void mt_mapping_clear(struct mt_mapping *mapping);
/* Add what the user says. MT_EINVAL names what is wrong. */
MT_MUST_CHECK int mt_mapping_parse(struct mt_mapping *mapping, const char *text,
                                   struct mt_error *err);
/* Add an optional rule, unless there is one for `target` already, or it is no name of
   ours. */
MT_MUST_CHECK int mt_mapping_default(struct mt_mapping *mapping, const char *target,
                                     const char *text, struct mt_error *err);

/* Find the columns in a file that has these; one that is not there fails, and the
   reason lists those that are. */
MT_MUST_CHECK int mt_mapping_bind(struct mt_mapping *mapping,
                                  const struct mt_source *source, char *const *names,
                                  int count, struct mt_error *err);
/* Whether anything was found for `target`. */
bool mt_mapping_has(const struct mt_mapping *mapping, const char *target);
/* What a line has of `target`, a number; NaN: nothing, or no number. */
double mt_mapping_number(const struct mt_mapping *mapping, const char *target,
                         char *const *cells);
/* Whether anything is taken from the column, or it is ignored on purpose. */
bool mt_mapping_takes(const struct mt_mapping *mapping, int place);

/* Set the run's outcome to what a word means, also one of sacct ("CANCELLED by 1000")
   or of ReFrame. MT_EPARSE: it is unknown. */
MT_MUST_CHECK int mt_mapping_outcome(struct mt_run *run, const char *word,
                                     struct mt_error *err);

/*
 * Set what the cells of a line, one a column, say about a run. What group it was is
 * said by the file's column, or else by the source. MT_EPARSE names the line.
 */
MT_MUST_CHECK int mt_mapping_read(const struct mt_mapping *mapping,
                                  const struct mt_source *source, char *const *cells,
                                  struct mt_run *run, struct mt_error *err);

#endif
