/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * formats.h - runs as text that other tools write and read: a file for each format,
 * listed in formats.c.
 */
#ifndef MT_CLI_FORMATS_H
#define MT_CLI_FORMATS_H

#include "lib/base/line.h"
#include "motley/error.h"
#include "motley/store.h"

#include <stdbool.h>
#include <stdio.h>

/* A file that runs are read from. All borrowed; zero members are what is usual. */
struct mt_source {
    FILE *stream;
    const char *path;              /* for messages */
    int line;                      /* that was read last; 0: not known */
    const char *cluster, *program; /* of runs that do not say; or NULL */
    const char *group;             /* likewise, "NAME" or "NAME:xM"; or NULL */
    const char *columns;           /* what which column says, as mapping.h has it */
    char separator;                /* CSV: of columns; ' ': any blanks */
    const char *region;            /* Extra-P: the only call path to read; or NULL */
};

/* A file that runs are written to. */
struct mt_target {
    FILE *stream;  /* borrowed */
    bool no_guard; /* CSV: texts that a spreadsheet takes for formulas stay as they are
                    */
    int left_out;  /* runs that the format has no place for: write() sets it */
};

struct mt_format {
    const char *name;
    /* Write the runs. Failures of the stream itself are left to the caller. */
    int (*write)(struct mt_target *target, const struct mt_runs *runs,
                 struct mt_error *err);
    /* What mt_format_read() does, but for the repetitions. */
    int (*read)(struct mt_source *source, struct mt_runs *runs, struct mt_error *err);
};

extern const struct mt_format mt_format_csv, mt_format_json, mt_format_extrap,
    mt_format_extrap_jsonl;

/* The format of that name; MT_EINVAL lists the names. */
MT_MUST_CHECK int mt_format_find(const struct mt_format **format, const char *name,
                                 struct mt_error *err);

/* Add the runs of the file to `runs`, which on failure holds those before it. Those
   that do not say which repetition they are follow on those above them. */
MT_MUST_CHECK int mt_format_read(const struct mt_format *format,
                                 struct mt_source *source, struct mt_runs *runs,
                                 struct mt_error *err);

/* For readers: read the next line, and count it. */
MT_MUST_CHECK int mt_source_line(struct mt_source *source, struct mt_line *line,
                                 struct mt_error *err);
/* For readers: fail with MT_EPARSE and "PATH:LINE: " (or "PATH: ") before the reason.
 */
MT_PRINTF(3, 4)
int mt_source_fail(const struct mt_source *source, struct mt_error *err,
                   const char *format, ...);
/*
 * For readers: check `run`, give it the cluster and program if it does not say, and
 * move it to the end of `runs`. On failure it is still the caller's.
 */
MT_MUST_CHECK int mt_source_add(const struct mt_source *source, struct mt_runs *runs,
                                struct mt_run *run, struct mt_error *err);

/* For readers: the number that is all of `text`; false: it is none. */
bool mt_parse_number(double *number, const char *text);

#endif
