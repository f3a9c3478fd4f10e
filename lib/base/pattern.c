/* SPDX-License-Identifier: BSD-3-Clause */
/* Regular expressions from files, with bounds on the memory and time they may take. */
#include "pattern.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Limits above any pattern written by hand. Compiled, a pattern has about as many nodes
   as it has characters when all repetitions are written out. */
enum { MOST_CHARACTERS = 1000, MOST_NODES = 600, MOST_NESTING = 30 };

/* The state of scanning a pattern. */
struct reader {
    const char *at;
    double nodes[MOST_NESTING + 1]; /* of the groups that are open, and of all */
    double last;                    /* of the part that a repetition would repeat */
    int depth;
    const char *problem; /* NULL: none so far */
};

/* Advance past [...], in which ] may come first or in [:alpha:]. */
static void skip_bracket(struct reader *reader)
{
    const char *at = reader->at + 1;
    at += *at == '^';
    at += *at == ']';
    while (*at && *at != ']') {
        const char kind = at[1];
        if (*at == '[' && (kind == ':' || kind == '.' || kind == '=')) {
            const char end[] = {kind, ']', 0};
            const char *found = strstr(at + 2, end);
            at = found ? found + 1 : at;
        }
        at++;
    }
    reader->at = *at ? at + 1 : at;
}

/* Advance past {n}, {n,} or {n,m}; returns the number of repetitions. */
static double read_interval(struct reader *reader)
{
    char *end;
    double times = strtod(reader->at + 1, &end);
    if (*end == ',') {
        const char *second = end + 1;
        const double most = strtod(second, &end);
        times = end == second ? times + 1 : most;
    }
    reader->at = *end == '}' ? end + 1 : reader->at + 1;
    return times > 1 ? times : 1;
}

static void add_atom(struct reader *reader, double nodes)
{
    reader->nodes[reader->depth] += nodes;
    reader->last = nodes;
}

static void repeat_last(struct reader *reader, double times)
{
    reader->nodes[reader->depth] += (times - 1) * reader->last;
    reader->last *= times;
}

static void open_group(struct reader *reader)
{
    reader->at++;
    if (reader->depth == MOST_NESTING)
        reader->problem = "its groups are nested too deeply";
    else
        reader->nodes[++reader->depth] = 1;
}

static void close_group(struct reader *reader)
{
    reader->at++;
    if (reader->depth == 0) {
        add_atom(reader, 1);
        return;
    }
    const double nodes = reader->nodes[reader->depth--];
    add_atom(reader, nodes);
}

static void read_next(struct reader *reader)
{
    switch (*reader->at) {
    case '\\':
        if (isdigit((unsigned char)reader->at[1]))
            reader->problem = "it refers back to a group";
        reader->at += reader->at[1] ? 2 : 1;
        add_atom(reader, 1);
        break;
    case '[':
        skip_bracket(reader);
        add_atom(reader, 1);
        break;
    case '(':
        open_group(reader);
        break;
    case ')':
        close_group(reader);
        break;
    case '{':
        repeat_last(reader, read_interval(reader));
        break;
    case '+':
        repeat_last(reader, 2);
        reader->at++;
        break;
    case '*':
    case '?':
        repeat_last(reader, 1);
        reader->at++;
        break;
    default:
        reader->at++;
        add_atom(reader, 1);
    }
}

/* Which limit the pattern exceeds; NULL: none. */
static const char *find_problem(const char *text)
{
    struct reader reader = {.at = text};
    if (strlen(text) > MOST_CHARACTERS)
        return "it is longer than 1000 characters";
    while (*reader.at && !reader.problem) {
        read_next(&reader);
        if (reader.nodes[reader.depth] > MOST_NODES)
            return "its repetitions multiply to more than 600 characters";
    }
    return reader.problem;
}

int mt_pattern_compile(regex_t *pattern, const char *text, struct mt_error *err)
{
    const char *problem = find_problem(text);
    if (problem)
        return mt_fail(err, MT_EPARSE, "the pattern '%.60s' is refused: %s", text,
                       problem);
    const int code = regcomp(pattern, text, REG_EXTENDED);
    if (code != 0) {
        char reason[128];
        regerror(code, pattern, reason, sizeof reason);
        return mt_fail(err, MT_EPARSE, "the pattern '%.60s' does not parse: %s", text,
                       reason);
    }
    if (pattern->re_nsub == 0) {
        regfree(pattern);
        return mt_fail(err, MT_EPARSE, "the pattern '%.60s' has no group ( )", text);
    }
    return MT_OK;
}
