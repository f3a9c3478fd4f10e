/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output.h - what a running program prints: the beginning and the end of it are kept,
 * however much there is, every line is searched for the program's time, and for what
 * its launcher says while the job is pending, that is, waits for its nodes.
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
    MT_OUTPUT_KEPT = 8192,  /* and of the end, that are kept */
    MT_OUTPUT_LINE = 4096,  /* what of a line is searched */
    MT_OUTPUT_NUMBER = 64   /* longest text of a time */
};

/* Zeroed is empty, without a pattern. A plain value that owns nothing. */
struct mt_output {
    const regex_t *pattern; /* borrowed; NULL: no time is looked for */
    char begin[MT_OUTPUT_BEGIN];
    size_t begin_length;
    char end[MT_OUTPUT_KEPT]; /* of what comes after it */
    size_t end_length;
    size_t left_out; /* bytes between them that are not kept */
    char line[MT_OUTPUT_LINE + 1];
    size_t line_length;
    bool found;                    /* a line matched */
    int matches;                   /* how many lines did */
    char number[MT_OUTPUT_NUMBER]; /* the first group of the last that did */
};

void mt_output_eat(struct mt_output *output, const char *bytes, size_t count);
/* The output has ended: the last line may lack its line end. */
void mt_output_finish(struct mt_output *output);
/* What was printed as valid UTF-8, other bytes and control characters replaced by '?'.
   Long output keeps lines of the beginning and of the end, and between them a line says
   how many bytes are left out. The caller frees it; NULL: nothing was printed, or
   memory is short. */
char *mt_output_text(const struct mt_output *output);

/* Read the number that matched, a time or a rate. MT_EINVAL: not one above 0. */
MT_MUST_CHECK int mt_output_number(const struct mt_output *output, double *number,
                                   struct mt_error *err);

/* If several come at once, the last of this list counts. */
enum mt_pending_news {
    MT_PENDING_NOTHING,
    MT_PENDING_WAITS,    /* other jobs have the nodes */
    MT_PENDING_STARTS,   /* it has waited, and has the nodes now */
    MT_PENDING_HOPELESS, /* the nodes cannot be had as things are */
};

/* What a launcher prints then: how the line begins, and parts of the rest, each list
   ended by NULL. That it is hopeless comes before that it waits, and only then it can
   be stopped. */
struct mt_pending_phrases {
    const char *begin;
    const char *const *waits, *const *starts;
    const char *const *hopeless; /* as nodes are down */
    const char *const *refuses; /* what is asked for, not a fault of the nodes: it ends,
                                   or waits until somebody allows it */
};

/* Zeroed except for the phrases, it is at the beginning of the output. */
struct mt_pending {
    const struct mt_pending_phrases
        *phrases;   /* borrowed; NULL: the launcher never waits */
    char line[256]; /* the beginning of the line that is printed */
    size_t length;
    bool hopeless;  /* it said so */
    bool refused;   /* it said so */
    char said[256]; /* the line that told so, or that it waits; empty: none did */
};

/* What the lines that end in these bytes tell. */
enum mt_pending_news mt_pending_eat(struct mt_pending *pending, const char *bytes,
                                    size_t count);

/*
 * Which lines of a failed program's output tell why it failed: not what launchers say
 * around any failure (that a process has failed, how to look further, backtraces),
 * unless they say nothing else. Copy the first; "" when none does. What does not fit is
 * cut off. `output` is clean text (lib/base/text.h) or NULL.
 */
void mt_cause_line(char *line, size_t size, const char *output);
/* Print them, indented; of many, the first and the last. */
void mt_cause_print(const char *output, FILE *stream);

#endif
