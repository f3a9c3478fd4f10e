/* SPDX-License-Identifier: BSD-3-Clause */
#include "words.h"

#include "lib/base/text.h"

#include <inttypes.h>
#include <math.h>

struct unit {
    const char *name;
    double size;
};

/* The number in the largest unit that it fills; `units` ends with the smallest. */
static struct text in_units(double number, const struct unit *units)
{
    struct text text;
    while (fabs(number) < units->size && units[1].name)
        units++;
    const double shown = number / units->size;
    snprintf(text.s, sizeof text.s, "%.*f %s",
             fabs(shown) < 9.95 && units[1].name ? 1 : 0, shown, units->name);
    return text;
}

struct text in_time(int64_t ns)
{
    static const struct unit units[] = {{"d", 86400e9}, {"h", 3600e9}, {"min", 60e9},
                                        {"s", 1e9},     {"ms", 1e6},   {"us", 1e3},
                                        {"ns", 1},      {NULL, 0}};
    return in_units((double)ns, units);
}

struct text in_bytes(int64_t bytes)
{
    static const struct unit units[] = {{"TiB", 0x1p40}, {"GiB", 0x1p30},
                                        {"MiB", 0x1p20}, {"KiB", 0x1p10},
                                        {"B", 1},        {NULL, 0}};
    return in_units((double)bytes, units);
}

struct text percent(int64_t part, int64_t whole)
{
    struct text text;
    const double percents = whole > 0 ? 100 * (double)part / (double)whole : 0;
    snprintf(text.s, sizeof text.s, "%.*f %%",
             fabs(percents) < 9.95 && part != 0 ? 1 : 0, percents);
    return text;
}

int64_t mean_lateness(const struct rank_lateness *late)
{
    return late->late > 0 ? late->sum / late->late : 0;
}

struct text short_node(const struct findings *findings, int rank)
{
    struct text text;
    const char *name = findings_node_of(findings, rank);
    snprintf(text.s, sizeof text.s, "%.*s", (int)mt_text_short_host(name), name);
    return text;
}

struct place place_of(const struct site *site)
{
    struct place place;
    if (!*site->object)
        snprintf(place.s, sizeof place.s, "all other call sites");
    else if (*site->line && *site->function)
        snprintf(place.s, sizeof place.s, "%s, %s", site->line, site->function);
    else if (*site->line)
        snprintf(place.s, sizeof place.s, "%s", site->line);
    else if (*site->function)
        snprintf(place.s, sizeof place.s, "0x%" PRIx64 " %s, %s", site->address,
                 site->object, site->function);
    else
        snprintf(place.s, sizeof place.s, "0x%" PRIx64 " %s", site->address,
                 site->object);
    return place;
}
