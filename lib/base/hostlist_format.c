/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/hostlist.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIGITS = 9 };

/* A host name seen as a number between two texts: "x", 08, ".lab". */
struct numbered {
    const char *host;
    int prefix; /* length of what stands before the digits */
    int digits; /* how many there are; 0: the name has none that can be folded */
};

/* Take the run of digits around the place where `host` first differs from `other`. */
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

/* Whether both are the same but for the digits. */
static bool alike(struct numbered a, struct numbered b)
{
    return a.digits > 0 && b.digits > 0 && a.prefix == b.prefix &&
           strncmp(a.host, b.host, (size_t)a.prefix) == 0 &&
           strcmp(a.host + a.prefix + a.digits, b.host + b.prefix + b.digits) == 0;
}

/* `name` with its digits at the same place as those of `like`. */
static struct numbered split_like(const char *name, struct numbered like)
{
    struct numbered result = {.host = name, .prefix = like.prefix};
    if (strnlen(name, (size_t)like.prefix) < (size_t)like.prefix)
        return result;
    int digits = (int)strspn(name + like.prefix, "0123456789");
    result.digits = digits <= MAX_DIGITS ? digits : 0;
    return result;
}

/* Whether `next` is what a range that begins with `first` counts on to after `last`. */
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

/* Print `count` hosts that are alike as one name with a bracket. */
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
