/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output.h - the output of a running program. Its beginning and end are kept, and every
 * line is searched for the program's time and for the launcher's messages while the job
 * is pending, that is, waits for its nodes.
 */
#ifndef MT_CLI_OUTPUT_H
#define MT_CLI_OUTPUT_H

#include "motley/error.h"

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum {
    MT_OUTPUT_BEGIN = 2048, /* bytes of the beginning, */
    MT_OUTPUT_KEPT = 8192,  /* and of the end, kept */
    MT_OUTPUT_LINE = 4096,  /* the searched part of a line */
    MT_OUTPUT_NUMBER = 64   /* longest text of a time */
};

/* Empty if zeroed, without a pattern. A plain value that owns nothing. */
struct mt_output {
    const regex_t *pattern; /* borrowed; NULL: no search for a time */
    char begin[MT_OUTPUT_BEGIN];
    size_t begin_length;
    char end[MT_OUTPUT_KEPT]; /* of the output after it */
    size_t end_length;
    size_t left_out; /* bytes between them that are not kept */
    char line[MT_OUTPUT_LINE + 1];
    size_t line_length;
    bool found;                    /* a line matched */
    int matches;                   /* how many lines did */
    char number[MT_OUTPUT_NUMBER]; /* the first group of the last match */
};

void mt_output_eat(struct mt_output *output, const char *bytes, size_t count);
/* The output has ended: the last line may lack its line end. */
void mt_output_finish(struct mt_output *output);
/* The output as valid UTF-8; other bytes and control characters become '?'. Long output
   is cut in the middle: a line there gives the number of bytes left out. The caller
   frees it; NULL: nothing was printed, or memory is short. */
char *mt_output_text(const struct mt_output *output);

/* Read the number that matched, a time or a rate. MT_EINVAL: not one above 0. */
MT_MUST_CHECK int mt_output_number(const struct mt_output *output, double *number,
                                   struct mt_error *err);

/* If several come at once, the last of this list counts. */
enum mt_pending_news {
    MT_PENDING_NOTHING,
    MT_PENDING_WAITS,    /* other jobs have the nodes */
    MT_PENDING_STARTS,   /* it has waited, and has the nodes now */
    MT_PENDING_HOPELESS, /* the nodes are not available */
};

/* A launcher's messages then: beginnings of the line, and parts of the rest, each list
   ended by NULL. "Hopeless" comes before "waits", and only then the launcher can be
   stopped. */
struct mt_pending_phrases {
    const char *begin;
    const char *const *waits, *const *starts;
    const char *const *hopeless; /* as nodes are down */
    const char *const *refuses;  /* a fault of the request, not of the nodes: the
                                    launcher ends, or waits until an administrator allows
                                    it */
};

/* Zeroed except for the phrases, it is at the beginning of the output. */
struct mt_pending {
    const struct mt_pending_phrases
        *phrases;   /* borrowed; NULL: the launcher never waits */
    char line[256]; /* the beginning of the current line */
    size_t length;
    bool hopeless;  /* it said so */
    bool refused;   /* it said so */
    char said[256]; /* the line with that message, or that it waits; empty: none */
};

/* The state by the lines that end in these bytes. */
enum mt_pending_news mt_pending_eat(struct mt_pending *pending, const char *bytes,
                                    size_t count);

/*
 * Find the lines of a failed program's output that give the cause: not those that
 * launchers print around any failure (that a process failed, how to find out more,
 * backtraces), unless it has only those. Copy the first, truncated if too long; "" if
 * none. `output` is clean text (lib/base/text.h) or NULL.
 */
void mt_cause_line(char *line, size_t size, const char *output);
/* Print them, indented; of many, the first and the last. */
void mt_cause_print(const char *output, FILE *stream);

#endif
