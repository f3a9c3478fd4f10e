/* SPDX-License-Identifier: BSD-3-Clause */
#include "output.h"

#include "lib/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of what comes after the beginning. */
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
    snprintf(output->matched, sizeof output->matched, "%.*s", MT_OUTPUT_MATCHED - 1,
             output->line);
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

/* Write what was kept, in whole lines where something between is left out. */
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
        if (text[i] != '\r' || text[i + 1] != '\n') /* ssh ends its lines by both */
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
