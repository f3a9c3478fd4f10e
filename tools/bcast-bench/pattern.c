/* SPDX-License-Identifier: BSD-3-Clause */
#include "pattern.h"

#include "units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
    [PATTERN_NONE] = "none",           [PATTERN_ONE] = "one",
    [PATTERN_ASCENDING] = "ascending", [PATTERN_DESCENDING] = "descending",
    [PATTERN_BELL] = "bell",           [PATTERN_RANDOM] = "random",
};

enum { KINDS = sizeof names / sizeof *names };

bool pattern_read(struct pattern *pattern, const char *text)
{
    const size_t length = strcspn(text, ":");
    const char *number = text[length] == ':' ? text + length + 1 : NULL;
    int kind = 0;
    while (kind < KINDS &&
           (strlen(names[kind]) != length || strncmp(names[kind], text, length) != 0))
        kind++;
    if (kind == KINDS)
        return false;
    struct pattern read = {.kind = (enum pattern_kind)kind};
    if (kind == PATTERN_ONE) {
        if (!number || !count_read(&read.place, number))
            return false;
    } else if (number) {
        if (kind != PATTERN_RANDOM || !count_read(&read.every, number) ||
            read.every == 0)
            return false;
    }
    *pattern = read;
    return true;
}

void pattern_text(const struct pattern *pattern, char text[PATTERN_TEXT])
{
    const char *name = names[pattern->kind];
    if (pattern->kind == PATTERN_ONE)
        snprintf(text, PATTERN_TEXT, "%s:%d", name, pattern->place);
    else if (pattern->every > 0)
        snprintf(text, PATTERN_TEXT, "%s:%d", name, pattern->every);
    else if (pattern->number > 0)
        snprintf(text, PATTERN_TEXT, "%s#%d", name, pattern->number);
    else
        snprintf(text, PATTERN_TEXT, "%s", name);
}

/* Steele, Lea and Flood's splitmix64: spreads a number over all 64 bits. */
static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

static double draw(uint64_t seed, uint64_t number, uint64_t turn, uint64_t place)
{
    return (double)(mix(mix(mix(mix(seed) + number) + turn) + place) >> 11) * 0x1p-53;
}

double pattern_share(const struct pattern *pattern, uint64_t seed, int place, int ranks,
                     int call)
{
    const double along = ranks > 1 ? (double)place / (ranks - 1) : 0;
    switch (pattern->kind) {
    case PATTERN_NONE:
        break;
    case PATTERN_ONE:
        return place == pattern->place;
    case PATTERN_ASCENDING:
        return along;
    case PATTERN_DESCENDING:
        return 1 - along;
    case PATTERN_BELL:
        return (1 - cos(2 * M_PI * along)) / 2;
    case PATTERN_RANDOM:
        return draw(seed, (uint64_t)pattern->number,
                    pattern->every > 0 ? (uint64_t)(call / pattern->every) : 0,
                    (uint64_t)place);
    }
    return 0;
}

double pattern_wait_for_root(const struct pattern *pattern, uint64_t seed, int ranks,
                             int call)
{
    const double root = pattern_share(pattern, seed, 0, ranks, call);
    double sum = 0;
    for (int place = 1; place < ranks; place++)
        sum += fmax(0, root - pattern_share(pattern, seed, place, ranks, call));
    return sum / ranks;
}
