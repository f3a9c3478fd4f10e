/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses and prints host lists as Slurm writes them: "x[01-08,12],login". */
#include "hostlist.h"

#include "array.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Nine digits fit into an int. */
enum {
    MAX_HOSTS = 200000,
    MAX_CHARACTERS = 4000000, /* of all names */
    MAX_DIGITS = 9,
    MAX_BRACKETS = 8,
    MAX_LENGTH = 255
};

/* The text to expand, and the current position. */
struct reader {
    const char *text;
    const char *at;
    size_t characters; /* of the names so far */
    struct mt_error *err;
};

static int refuse(const struct reader *reader, const char *at, const char *what)
{
    return mt_fail(reader->err, MT_EPARSE, "%s at column %d of '%s'", what,
                   (int)(at - reader->text) + 1, reader->text);
}

static int add_host(struct mt_hostlist *list, struct reader *reader, const char *name)
{
    reader->characters += strlen(name);
    if (list->count == MAX_HOSTS || reader->characters > MAX_CHARACTERS)
        return refuse(reader, reader->at,
                      list->count == MAX_HOSTS
                          ? "more than 200,000 hosts"
                          : "more than 4,000,000 characters of names");
    const int status = mt_array_grow(&list->hosts, list->count, sizeof *list->hosts,
                                     "hosts", reader->err);
    if (status != MT_OK)
        return status;
    char *copy = strdup(name);
    if (!copy)
        return mt_fail(reader->err, MT_ENOMEM, "no memory for the hosts '%s'",
                       reader->text);
    list->hosts[list->count++] = copy;
    return MT_OK;
}

/* Read a number at `at`. Returns its width, or 0 if it is missing or too long. */
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

/* Read one at the current position, and advance past it. */
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

bool mt_is_host_name(const char *name)
{
    size_t length = 0;
    while (belongs_to_name(name[length]))
        length++;
    return length > 0 && length <= MAX_LENGTH && !name[length] && name[0] != '-' &&
           name[0] != '.' && !strstr(name, "..");
}

static int expand(struct mt_hostlist *list, struct reader *reader, char *name,
                  size_t length, int brackets);

/* Add the hosts of the bracket at the current position, each with the text behind the
   bracket; `name` holds the `length` characters before it. */
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

/* Add the hosts of the name at the current position, whose first `length` characters
   are in `name` already, and advance past it. */
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
    if (!mt_is_host_name(name))
        return refuse(reader, reader->at,
                      "a host name with '..', or '-' or '.' first,");
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
    char name[MAX_LENGTH + 1] = "";
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

/* A host name seen as a number between two texts: "x", 08, ".lab". */
struct numbered {
    const char *host;
    int prefix; /* length of what stands before the digits */
    int digits; /* how many there are; 0: the name has none that can be folded */
};

/* The run of digits around the first place where `host` differs from `other`. */
static struct numbered split(const char *host, const char *other)
{
    int begin = 0;
    while (host[begin] && host[begin] == other[begin])
        begin++;
    int end = begin;
    while (begin > 0 && isdigit((unsigned char)host[begin - 1]))
        begin--;
    while (isdigit((unsigned char)host[end]))
        end++;
    int digits = end - begin <= MAX_DIGITS ? end - begin : 0;
    return (struct numbered){.host = host, .prefix = begin, .digits = digits};
}

static long number_of(struct numbered name)
{
    return strtol(name.host + name.prefix, NULL, 10);
}

/* Whether both are the same except for the digits. */
static bool alike(struct numbered a, struct numbered b)
{
    return a.digits > 0 && b.digits > 0 && a.prefix == b.prefix &&
           strncmp(a.host, b.host, (size_t)a.prefix) == 0 &&
           strcmp(a.host + a.prefix + a.digits, b.host + b.prefix + b.digits) == 0;
}

/* Split `name` at the digits in the same place as those of `like`. */
static struct numbered split_like(const char *name, struct numbered like)
{
    struct numbered result = {.host = name, .prefix = like.prefix};
    if (strnlen(name, (size_t)like.prefix) < (size_t)like.prefix)
        return result;
    int digits = (int)strspn(name + like.prefix, "0123456789");
    result.digits = digits <= MAX_DIGITS ? digits : 0;
    return result;
}

/* Whether `next` continues the range from `first` to `last`. */
static bool counts_on(struct numbered first, struct numbered last, struct numbered next)
{
    char expected[MAX_DIGITS + 2];
    int digits =
        snprintf(expected, sizeof expected, "%0*ld", first.digits, number_of(last) + 1);
    return digits == next.digits &&
           strncmp(expected, next.host + next.prefix, (size_t)digits) == 0;
}

static void print_digits(FILE *out, struct numbered name)
{
    fprintf(out, "%.*s", name.digits, name.host + name.prefix);
}

/* Print `count` similar hosts as one name with a bracket. */
static void print_folded(FILE *out, char *const *hosts, int count,
                         struct numbered first)
{
    fprintf(out, "%.*s[", first.prefix, first.host);
    for (int i = 0; i < count;) {
        struct numbered low = split_like(hosts[i], first), high = low;
        if (i > 0)
            fputc(',', out);
        print_digits(out, low);
        while (++i < count && counts_on(low, high, split_like(hosts[i], first)))
            high = split_like(hosts[i], first);
        if (high.host != low.host) {
            fputc('-', out);
            print_digits(out, high);
        }
    }
    fprintf(out, "]%s", first.host + first.prefix + first.digits);
}

char *mt_hostlist_format(char *const *hosts, int count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (int begin = 0, end; begin < count; begin = end) {
        end = begin + 1;
        if (begin > 0)
            fputc(',', out);
        struct numbered first = split(hosts[begin], end < count ? hosts[end] : "");
        while (end < count && alike(first, split_like(hosts[end], first)))
            end++;
        if (end - begin > 1)
            print_folded(out, hosts + begin, end - begin, first);
        else
            fputs(hosts[begin], out);
    }
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

bool mt_any_is_this_host(char *const *hosts, int count)
{
    char own[256] = "";
    gethostname(own, sizeof own - 1);
    for (int i = 0; i < count; i++)
        if (!strcmp(hosts[i], "localhost") || !strcmp(hosts[i], own))
            return true;
    return false;
}
