/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the output of a running program, and searches it for its time and for the cause
   of a failure. */
#include "output.h"

#include "lib/base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keep the end of the output after the beginning. */
static void keep_end(struct mt_output *output, const char *bytes, size_t count)
{
    if (count > MT_OUTPUT_KEPT) {
        output->left_out += count - MT_OUTPUT_KEPT;
        bytes += count - MT_OUTPUT_KEPT;
        count = MT_OUTPUT_KEPT;
    }
    size_t room = MT_OUTPUT_KEPT - output->end_length;
    if (count > room) { /* the oldest bytes go */
        size_t drop = count - room;
        memmove(output->end, output->end + drop, output->end_length - drop);
        output->end_length -= drop;
        output->left_out += drop;
    }
    memcpy(output->end + output->end_length, bytes, count);
    output->end_length += count;
}

static void keep(struct mt_output *output, const char *bytes, size_t count)
{
    const size_t room = MT_OUTPUT_BEGIN - output->begin_length;
    const size_t first = count < room ? count : room;
    memcpy(output->begin + output->begin_length, bytes, first);
    output->begin_length += first;
    keep_end(output, bytes + first, count - first);
}

static void search_line(struct mt_output *output)
{
    regmatch_t match[2];
    output->line[output->line_length] = 0;
    output->line_length = 0;
    if (regexec(output->pattern, output->line, 2, match, 0) != 0 || match[1].rm_so < 0)
        return; /* the group may stand in an alternative that was not taken */
    output->found = true;
    output->matches++;
    snprintf(output->number, sizeof output->number, "%.*s",
             (int)(match[1].rm_eo - match[1].rm_so), output->line + match[1].rm_so);
}

static void search(struct mt_output *output, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] == '\n' || bytes[i] == '\r')
            search_line(output);
        else if (output->line_length < MT_OUTPUT_LINE)
            output->line[output->line_length++] = bytes[i] ? bytes[i] : ' ';
}

void mt_output_eat(struct mt_output *output, const char *bytes, size_t count)
{
    keep(output, bytes, count);
    if (output->pattern)
        search(output, bytes, count);
}

void mt_output_finish(struct mt_output *output)
{
    if (output->line_length > 0)
        search_line(output);
}

/* Write the kept output, in whole lines if a part is left out. */
static void write_kept(const struct mt_output *output, FILE *stream)
{
    size_t begin = output->begin_length, cut = 0;
    if (output->left_out == 0) {
        fwrite(output->begin, 1, begin, stream);
        fwrite(output->end, 1, output->end_length, stream);
        return;
    }
    const char *line_end = memrchr(output->begin, '\n', begin);
    if (line_end)
        begin = (size_t)(line_end + 1 - output->begin);
    line_end = memchr(output->end, '\n', output->end_length);
    if (line_end && line_end + 1 < output->end + output->end_length)
        cut = (size_t)(line_end + 1 - output->end);
    fwrite(output->begin, 1, begin, stream);
    fprintf(stream, "%s... %zu bytes are left out ...\n",
            output->begin[begin - 1] == '\n' ? "" : "\n",
            output->begin_length - begin + output->left_out + cut);
    fwrite(output->end + cut, 1, output->end_length - cut, stream);
}

char *mt_output_text(const struct mt_output *output)
{
    char *text = NULL;
    size_t length = 0;
    if (output->begin_length == 0)
        return NULL;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    write_kept(output, stream);
    const bool failed = ferror(stream);
    /* glibc's fclose() does not fail where it has no memory for the text: that is NULL.
     */
    if (fclose(stream) != 0 || failed || !text) {
        free(text);
        return NULL;
    }
    size_t kept = 0;
    for (size_t i = 0; i < length; i++)
        if (text[i] != '\r' || text[i + 1] != '\n') /* ssh ends lines with both */
            text[kept++] = text[i] ? text[i] : '?';
    text[kept] = 0;
    mt_text_clean(text);
    return text;
}

int mt_output_number(const struct mt_output *output, double *number,
                     struct mt_error *err)
{
    char *end;
    double value = strtod(output->number, &end);
    if (end == output->number || *end)
        return mt_fail(err, MT_EINVAL, "the time is not a number: '%s'",
                       output->number);
    if (!isfinite(value) || value <= 0)
        return mt_fail(err, MT_EINVAL, "the time is not a number above 0: '%s'",
                       output->number);
    *number = value;
    return MT_OK;
}

static bool has_one(const char *line, const char *const *phrases)
{
    for (; *phrases; phrases++)
        if (strstr(line, *phrases))
            return true;
    return false;
}

static bool is_in_vain(const struct mt_pending *pending)
{
    return pending->hopeless || pending->refused;
}

static void keep_line(struct mt_pending *pending)
{
    snprintf(pending->said, sizeof pending->said, "%s", pending->line);
    mt_text_clean_line(pending->said);
}

static enum mt_pending_news read_line(struct mt_pending *pending)
{
    const struct mt_pending_phrases *phrases = pending->phrases;
    if (strncmp(pending->line, phrases->begin, strlen(phrases->begin)) != 0)
        return MT_PENDING_NOTHING;
    const bool hopeless = has_one(pending->line, phrases->hopeless);
    const bool refused = !hopeless && has_one(pending->line, phrases->refuses);
    const bool waits = has_one(pending->line, phrases->waits);
    if (hopeless || refused || (waits && !is_in_vain(pending)))
        keep_line(pending);
    pending->hopeless = pending->hopeless || hopeless;
    pending->refused = pending->refused || refused;
    if (waits)
        return is_in_vain(pending) ? MT_PENDING_HOPELESS : MT_PENDING_WAITS;
    return has_one(pending->line, phrases->starts) ? MT_PENDING_STARTS
                                                   : MT_PENDING_NOTHING;
}

enum mt_pending_news mt_pending_eat(struct mt_pending *pending, const char *bytes,
                                    size_t count)
{
    enum mt_pending_news news = MT_PENDING_NOTHING;
    for (size_t i = 0; pending->phrases && i < count; i++) {
        if (bytes[i] == '\n') {
            pending->line[pending->length] = 0;
            pending->length = 0;
            const enum mt_pending_news told = read_line(pending);
            if (told > news)
                news = told;
        } else if (pending->length < sizeof pending->line - 1) {
            pending->line[pending->length++] = bytes[i];
        }
    }
    return news;
}

/* Lines that are printed from the beginning and from the end. */
enum { FIRST_LINES = 3, LAST_LINES = 3 };
/* Open MPI prints long explanations between two lines of dashes: the specific part
   comes first. */
enum { BLOCK_LINES = 4 };
/* The hyphens of such a line. */
enum { FENCE_LENGTH = 74 };

/* A reader of the output, line by line. */
struct reader {
    const char *next;
    bool all;       /* also what tells nothing */
    bool fenced;    /* in a block between fences */
    bool skips;     /* in an uninformative one */
    int block_line; /* lines of the block so far */
    const char *line;
    size_t length;
};

/* Lines that launchers print around any failure, and frames of backtraces; and first
   lines of blocks that follow any failure of their kind. */
enum ceremony_kind { A_LINE, A_BLOCK, CEREMONY_KINDS };
static const char *const ceremonies[CEREMONY_KINDS] = {
    [A_LINE] = "^=+$|^=   |^\\[mpiexec@|^\\[proxy:"
               "|^This typically refers to a problem with your application"
               "|^Please see the FAQ page"
               "|^srun: (Job step aborted|Terminating|launch/slurm: _step_signal|job )"
               "|^srun: error: .*: Exited with exit|^slurmstepd: error: \\*\\*\\* STEP"
               /* Open MPI's "[host:123] [ 0] ..." and the lines around it */
               "|^\\[[^]:]*: *[0-9]+\\] (\\[ *[0-9]+\\] |"
               "\\*\\*\\* (Process received signal|End of error message) \\*\\*\\*)"
               /* glibc's and gfortran's "#0  0x7f0 in ...", SimGrid's "->  0# ..." */
               "|^ *# *[0-9]+ +0x|^ *-> *(# *[0-9]+|[0-9]+#)"
               /* UCX's under MPICH: " 3  /lib/libc.so.6(+0x3c050) [0x7f64d465a050]" */
               "|^==== backtrace \\(tid:|^ *[0-9]+  .*\\) \\[0x.*]$",
    [A_BLOCK] =
        "was unable to reliably start one or more daemons"
        "|does not know how to route a message|job  terminated normally, but"
        "|detected that one or more processes exited|MPI_ABORT was invoked on rank"};

/* Whether the line has the pattern, which is compiled once. */
static bool matches(const struct reader *reader, enum ceremony_kind kind)
{
    static regex_t compiled[CEREMONY_KINDS];
    static bool is_compiled[CEREMONY_KINDS];
    regmatch_t line = {.rm_so = 0, .rm_eo = (regoff_t)reader->length};
    if (!is_compiled[kind] &&
        regcomp(&compiled[kind], ceremonies[kind], REG_EXTENDED) != 0)
        return false;
    is_compiled[kind] = true;
    return regexec(&compiled[kind], reader->line, 1, &line, REG_STARTEND) == 0;
}

static bool is_fence(const struct reader *reader)
{
    return reader->length == FENCE_LENGTH && strspn(reader->line, "-") == FENCE_LENGTH;
}

/* Whether the current line is informative. */
static bool tells(struct reader *reader)
{
    if (reader->length == 0)
        return false;
    if (is_fence(reader)) {
        /* The block ends, and the next may begin with a fence of its own. */
        reader->fenced = !reader->fenced || reader->block_line == 0;
        reader->skips = false;
        reader->block_line = 0;
        return false;
    }
    if (reader->fenced && reader->block_line++ == 0)
        reader->skips = matches(reader, A_BLOCK);
    return !reader->skips && (!reader->fenced || reader->block_line <= BLOCK_LINES) &&
           !matches(reader, A_LINE);
}

/* Go to the next informative line; false if none. */
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

/* A reader at the beginning, of all lines if none is informative. */
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
