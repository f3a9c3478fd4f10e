/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/hostlist.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nine digits fit into an int. */
enum { MAX_HOSTS = 1000000, MAX_DIGITS = 9, MAX_BRACKETS = 8, MAX_LENGTH = 255 };

/* The place reached in the text that is expanded. */
struct reader {
    const char *text;
    const char *at;
    struct mt_error *err;
};

static int refuse(const struct reader *reader, const char *at, const char *what)
{
    return mt_fail(reader->err, MT_EPARSE, "%s at column %d of '%s'", what,
                   (int)(at - reader->text) + 1, reader->text);
}

static int add_host(struct mt_hostlist *list, const struct reader *reader,
                    const char *name)
{
    if (list->count == MAX_HOSTS)
        return refuse(reader, reader->at, "more than a million hosts");
    if ((list->count & (list->count - 1)) == 0) { /* a power of two: full, or empty */
        size_t room = list->count > 0 ? 2 * (size_t)list->count : 1;
        char **hosts = realloc(list->hosts, room * sizeof *hosts);
        if (!hosts)
            return mt_fail(reader->err, MT_ENOMEM, "no memory for the hosts '%s'",
                           reader->text);
        list->hosts = hosts;
    }
    char *copy = strdup(name);
    if (!copy)
        return mt_fail(reader->err, MT_ENOMEM, "no memory for the hosts '%s'",
                       reader->text);
    list->hosts[list->count++] = copy;
    return MT_OK;
}

/* Read a number at `at`; its width, or 0 when there is none or it is too long. */
static int read_number(const char *at, int *number)
{
    int width = 0;
    *number = 0;
    for (; width <= MAX_DIGITS && isdigit((unsigned char)at[width]); width++)
        if (width < MAX_DIGITS)
            *number = 10 * *number + (at[width] - '0');
    return width > MAX_DIGITS ? 0 : width;
}

/* A number, or a range of them, in a bracket. */
struct span {
    int low, high, width;
};

/* Read one at the place reached, and step over it. */
static int read_span(struct reader *reader, struct span *span)
{
    const char *at = reader->at;
    span->width = read_number(at, &span->low);
    if (span->width == 0)
        return refuse(reader, at, "a number of 1 to 9 digits is missing");
    at += span->width;
    span->high = span->low;
    if (*at == '-') {
        at++;
        int width = read_number(at, &span->high);
        if (width == 0)
            return refuse(reader, at, "a number of 1 to 9 digits is missing");
        if (span->high < span->low)
            return refuse(reader, reader->at, "a range that runs backwards");
        at += width;
    }
    reader->at = at;
    return MT_OK;
}

static bool belongs_to_name(char c)
{
    return isalnum((unsigned char)c) || c == '-' || c == '_' || c == '.';
}

static int expand(struct mt_hostlist *list, struct reader *reader, char *name,
                  size_t length, int brackets);

/* Add the hosts of a bracket that begins at the place reached, each with what follows
   the bracket; `name` holds the `length` characters before it. */
static int expand_bracket(struct mt_hostlist *list, struct reader *reader, char *name,
                          size_t length, int brackets)
{
    const char *close = strchr(reader->at, ']');
    if (!close)
        return refuse(reader, reader->at, "a bracket that is not closed");
    if (brackets == MAX_BRACKETS)
        return refuse(reader, reader->at, "more than 8 brackets in a name");
    const char *next = reader->at + 1;
    do {
        struct span span = {0};
        reader->at = next;
        int status = read_span(reader, &span);
        if (status != MT_OK)
            return status;
        next = reader->at;
        if (next != close && *next != ',')
            return refuse(reader, next, "not a number, ',' or ']' in brackets");
        next++; /* a comma, or the end */
        for (int number = span.low; number <= span.high; number++) {
            reader->at = close + 1;
            int width = snprintf(name + length, MAX_LENGTH + 1 - length, "%0*d",
                                 span.width, number);
            status = expand(list, reader, name, length + (size_t)width, brackets + 1);
            if (status != MT_OK)
                return status;
        }
    } while (next <= close);
    return MT_OK;
}

/* Add the hosts of the name at the place reached, whose first `length` characters are
   in `name` already, and step over it. */
static int expand(struct mt_hostlist *list, struct reader *reader, char *name,
                  size_t length, int brackets)
{
    for (; belongs_to_name(*reader->at) && length < MAX_LENGTH; reader->at++)
        name[length++] = *reader->at;
    if (length > MAX_LENGTH || belongs_to_name(*reader->at))
        return refuse(reader, reader->at, "a name longer than 255 characters");
    if (*reader->at == '[')
        return expand_bracket(list, reader, name, length, brackets);
    if (*reader->at && *reader->at != ',')
        return refuse(reader, reader->at, "a character that no host name has");
    if (length == 0)
        return refuse(reader, reader->at, "a host name is missing");
    name[length] = 0;
    return add_host(list, reader, name);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int check_distinct(const struct mt_hostlist *list, struct mt_error *err)
{
    const size_t count = (size_t)list->count;
    if (count < 2)
        return MT_OK;
    char **sorted = malloc(count * sizeof *sorted);
    if (!sorted)
        return mt_fail(err, MT_ENOMEM, "no memory for %d hosts", list->count);
    memcpy(sorted, list->hosts, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_names);
    int status = MT_OK;
    for (size_t i = 1; i < count && status == MT_OK; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            status =
                mt_fail(err, MT_EPARSE, "a host that comes twice: '%s'", sorted[i]);
    free(sorted);
    return status;
}

int mt_hostlist_parse(struct mt_hostlist *list, const char *text, struct mt_error *err)
{
    struct mt_hostlist parsed = {0};
    struct reader reader = {.text = text, .at = text, .err = err};
    char name[MAX_LENGTH + 1];
    int status = expand(&parsed, &reader, name, 0, 0);
    while (status == MT_OK && *reader.at == ',') {
        reader.at++;
        status = expand(&parsed, &reader, name, 0, 0);
    }
    if (status == MT_OK)
        status = check_distinct(&parsed, err);
    if (status != MT_OK) {
        mt_hostlist_clear(&parsed);
        return status;
    }
    *list = parsed;
    return MT_OK;
}

void mt_hostlist_clear(struct mt_hostlist *list)
{
    for (int i = 0; i < list->count; i++)
        free(list->hosts[i]);
    free(list->hosts);
    *list = (struct mt_hostlist){0};
}
