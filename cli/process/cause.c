/* SPDX-License-Identifier: BSD-3-Clause */
#include "cause.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Lines that are printed: so many of the beginning, and of the end. */
enum { FIRST_LINES = 3, LAST_LINES = 3 };
/* Open MPI explains itself at length between two lines of dashes: what is special comes
   first. */
enum { BLOCK_LINES = 4 };
/* The hyphens of such a line. */
enum { FENCE_LENGTH = 74 };

/* Where one is in the output, line by line. */
struct reader {
    const char *next;
    bool all;       /* also what tells nothing */
    bool fenced;    /* in a block between fences */
    bool skips;     /* in one that tells nothing */
    int block_line; /* lines of the block so far */
    const char *line;
    size_t length;
};

static bool contains(const struct reader *reader, const char *phrase)
{
    return memmem(reader->line, reader->length, phrase, strlen(phrase)) != NULL;
}

static bool begins(const struct reader *reader, const char *phrase)
{
    const size_t length = strlen(phrase);
    return reader->length >= length && memcmp(reader->line, phrase, length) == 0;
}

static bool is_made_of(const struct reader *reader, char sign)
{
    size_t same = 0;
    while (same < reader->length && reader->line[same] == sign)
        same++;
    return same == reader->length;
}

static bool is_fence(const struct reader *reader)
{
    return reader->length == FENCE_LENGTH && is_made_of(reader, '-');
}

static bool has_prefix(const char *at, const char *phrase)
{
    return strncmp(at, phrase, strlen(phrase)) == 0;
}

/* What is behind blanks and a number; NULL: there is no number. */
static const char *behind_number(const char *at)
{
    const char *number = at + strspn(at, " "), *end = number;
    while (isdigit((unsigned char)*end))
        end++;
    return end > number ? end : NULL;
}

/* Open MPI's "[host:123] [ 0] ..." and what it has around that. */
static bool is_of_openmpi(const struct reader *reader)
{
    const char *end = memchr(reader->line, ']', reader->length);
    const char *colon =
        end ? memchr(reader->line, ':', (size_t)(end - reader->line)) : NULL;
    if (!begins(reader, "[") || !colon || behind_number(colon + 1) != end ||
        end[1] != ' ')
        return false;
    const char *said = end + 2,
               *frame = said[0] == '[' ? behind_number(said + 1) : NULL;
    return (frame && has_prefix(frame, "] ")) ||
           has_prefix(said, "*** Process received signal ***") ||
           has_prefix(said, "*** End of error message ***");
}

/* glibc's and gfortran's "#0  0x7f0 in ...", SimGrid's "->  0# ...". */
static bool is_frame(const struct reader *reader)
{
    const char *at = reader->line + strspn(reader->line, " ");
    const bool of_simgrid = has_prefix(at, "->");
    if (of_simgrid)
        at += 2 + strspn(at + 2, " ");
    const char *end = behind_number(at + (at[0] == '#'));
    if (!end)
        return false;
    return of_simgrid ? at[0] == '#' || end[0] == '#'
                      : at[0] == '#' && has_prefix(end + strspn(end, " "), "0x");
}

/* That of UCX, under MPICH: " 3  /lib/libc.so.6(+0x3c050) [0x7f64d465a050]". */
static bool is_of_ucx(const struct reader *reader)
{
    const char *path = behind_number(reader->line);
    return begins(reader, "==== backtrace (tid:") ||
           (path && has_prefix(path, "  ") && contains(reader, ") [0x") &&
            reader->line[reader->length - 1] == ']');
}

static bool is_backtrace(const struct reader *reader)
{
    return is_of_openmpi(reader) || is_of_ucx(reader) || is_frame(reader);
}

/* What a launcher says of any program that fails. */
static bool is_ceremony(const struct reader *reader)
{
    static const char *const beginnings[] = {
        "[mpiexec@",
        "[proxy:",
        "=   ",
        "This typically refers to a problem with your application",
        "Please see the FAQ page",
        "srun: Job step aborted",
        "srun: Terminating",
        "srun: launch/slurm: _step_signal",
        "srun: job ",
        "slurmstepd: error: *** STEP"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (begins(reader, beginnings[i]))
            return true;
    if (is_made_of(reader, '='))
        return true;
    return begins(reader, "srun: error: ") && contains(reader, ": Exited with exit");
}

/* The first line of a block that follows any failure of its kind. */
static bool begins_ceremony(const struct reader *reader)
{
    static const char *const phrases[] = {
        "was unable to reliably start one or more daemons",
        "does not know how to route a message", "job  terminated normally, but",
        "detected that one or more processes exited", "MPI_ABORT was invoked on rank"};
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
        if (contains(reader, phrases[i]))
            return true;
    return false;
}

/* Whether the line that was read tells something. */
static bool tells(struct reader *reader)
{
    if (reader->length == 0)
        return false;
    if (is_fence(reader)) {
        /* One ends, and the next may begin by a fence of its own. */
        reader->fenced = !reader->fenced || reader->block_line == 0;
        reader->skips = false;
        reader->block_line = 0;
        return false;
    }
    if (reader->fenced && reader->block_line++ == 0)
        reader->skips = begins_ceremony(reader);
    return !reader->skips && (!reader->fenced || reader->block_line <= BLOCK_LINES) &&
           !is_ceremony(reader) && !is_backtrace(reader);
}

/* Go to the next line that tells something; false: there is none. */
static bool read_on(struct reader *reader)
{
    while (*reader->next) {
        reader->line = reader->next;
        reader->length = strcspn(reader->line, "\n");
        reader->next += reader->length + (reader->line[reader->length] == '\n');
        while (reader->length > 0 &&
               isspace((unsigned char)reader->line[reader->length - 1]))
            reader->length--;
        if (reader->all ? reader->length > 0 : tells(reader))
            return true;
    }
    return false;
}

/* A reader at the beginning, of all lines if none tells anything. */
static struct reader begin(const char *output, int *lines)
{
    struct reader reader = {.next = output ? output : ""};
    for (*lines = 0; read_on(&reader);)
        ++*lines;
    reader = (struct reader){.next = output ? output : "", .all = *lines == 0};
    if (reader.all) {
        struct reader all = reader;
        while (read_on(&all))
            ++*lines;
    }
    return reader;
}

void mt_cause_line(char *line, size_t size, const char *output)
{
    int lines;
    struct reader reader = begin(output, &lines);
    if (read_on(&reader))
        snprintf(line, size, "%.*s", (int)reader.length, reader.line);
    else
        line[0] = '\0';
}

void mt_cause_print(const char *output, FILE *stream)
{
    int lines;
    struct reader reader = begin(output, &lines);
    const bool whole = lines <= FIRST_LINES + LAST_LINES;
    for (int i = 0; read_on(&reader); i++)
        if (whole || i < FIRST_LINES || i >= lines - LAST_LINES)
            fprintf(stream, "    %.*s\n", (int)reader.length, reader.line);
        else if (i == FIRST_LINES)
            fputs("    ...\n", stream);
}
