/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * formats.h - runs as text that other tools write and read: a file for each format,
 * listed in formats.c.
 */
#ifndef MT_CLI_FORMATS_H
#define MT_CLI_FORMATS_H

#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/program.h"
#include "motley/store.h"

#include <stdbool.h>
#include <stdio.h>

/* A file to read runs from. All borrowed; zero members mean defaults. */
struct mt_source {
    FILE *stream;
    const char *path;               /* for messages */
    int line;                       /* that was read last; 0: not known */
    int run;                        /* likewise, where lines are not known */
    const char *cluster, *program;  /* of runs without one; or NULL */
    const char *group;              /* likewise, "NAME" or "NAME:xM"; or NULL */
    const char *columns;            /* the text of --columns; or NULL */
    const char *where;              /* the text of --where; or NULL */
    const struct mt_cluster *hosts; /* with the groups of the runs' hosts; or NULL */
    const struct mt_program *work;  /* to turn rates into times; or NULL */
    bool bare; /* runs without a size or processes per node have 1 */
    /* Takes over runs when there are many, to save memory; or NULL. */
    int (*take)(void *context, struct mt_runs *runs, struct mt_error *err);
    void *context;
    void *repetitions; /* owned by mt_source_read(): the last of each, for tsearch() */
};

/* Detect the file's format from its beginning, and add its runs to `runs`, which on
   failure has the runs before the error, except those taken over. Runs without a
   repetition number follow those above them. */
MT_MUST_CHECK int mt_source_read(struct mt_source *source, struct mt_runs *runs,
                                 struct mt_error *err);

/* A format that runs are written in. */
struct mt_format {
    const char *name;
    /* Failures of the stream are left to the caller. */
    void (*write)(FILE *stream, const struct mt_runs *runs);
};
extern const struct mt_format mt_format_csv, mt_format_json;
/* The format of that name; MT_EINVAL lists the names. */
MT_MUST_CHECK int mt_format_find(const struct mt_format **format, const char *name,
                                 struct mt_error *err);

/* For readers: fail with MT_EPARSE and "PATH:LINE: ", "PATH: run NUMBER: " or "PATH: "
   before the reason. */
MT_PRINTF(3, 4)
int mt_source_fail(const struct mt_source *source, struct mt_error *err,
                   const char *format, ...);
/*
 * For readers: check `run`, set its cluster and program if missing, and move it to the
 * end of `runs`. On failure it is still the caller's.
 */
MT_MUST_CHECK int mt_source_add(struct mt_source *source, struct mt_runs *runs,
                                struct mt_run *run, struct mt_error *err);

/* The readers, each of which adds the runs of a kind of file. */
MT_MUST_CHECK int mt_table_read(struct mt_source *source, struct mt_runs *runs,
                                struct mt_error *err);
MT_MUST_CHECK int mt_json_read(struct mt_source *source, struct mt_runs *runs,
                               struct mt_error *err);
struct mt_log; /* the values to find in the output of one benchmark */
MT_MUST_CHECK int mt_log_read(struct mt_source *source, struct mt_runs *runs,
                              const struct mt_log *log, struct mt_error *err);
/* The benchmark whose output begins like this; NULL: none. */
const struct mt_log *mt_log_find(const char *head);

#endif
