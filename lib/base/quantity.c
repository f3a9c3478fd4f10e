/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers with a unit, such as "64 KiB" or "1.5 GB/s". */
#include "quantity.h"

#include "number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct unit {
    const char *name;
    double factor;
};

enum { MAX_UNITS = 16 };

/* The units of each quantity; a name of NULL ends the list. */
static const struct unit units[][MAX_UNITS] = {
    [MT_BYTES] = {{"B", 1},
                  {"kB", 1e3},
                  {"MB", 1e6},
                  {"GB", 1e9},
                  {"TB", 1e12},
                  {"KiB", 0x1p10},
                  {"MiB", 0x1p20},
                  {"GiB", 0x1p30},
                  {"TiB", 0x1p40}},
    [MT_SECONDS] =
        {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}},
    [MT_FLOPS] = {{"f", 1}, {"kf", 1e3}, {"Mf", 1e6}, {"Gf", 1e9}, {"Tf", 1e12}},
    [MT_BANDWIDTH] = {{"B/s", 1},
                      {"kB/s", 1e3},
                      {"MB/s", 1e6},
                      {"GB/s", 1e9},
                      {"TB/s", 1e12},
                      {"KiB/s", 0x1p10},
                      {"MiB/s", 0x1p20},
                      {"GiB/s", 0x1p30},
                      {"TiB/s", 0x1p40},
                      {"bps", 1 / 8.0},
                      {"kbps", 1e3 / 8},
                      {"Mbps", 1e6 / 8},
                      {"Gbps", 1e9 / 8}},
};

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

/* Write the names of the units, separated by blanks. */
static void list_units(const struct unit *unit, char *text, size_t size)
{
    size_t length = 0;
    for (text[0] = 0; unit->name && length < size; unit++)
        length += (size_t)snprintf(text + length, size - length, "%s%s",
                                   length > 0 ? " " : "", unit->name);
}

/* Synonyms, which are read but never written. */
static const struct unit other_names[][MAX_UNITS] = {
    [MT_SECONDS] = {{"sec", 1},
                    {"second", 1},
                    {"seconds", 1},
                    {"minute", 60},
                    {"minutes", 60},
                    {"hour", 3600},
                    {"hours", 3600},
                    {"d", 86400},
                    {"day", 86400},
                    {"days", 86400}},
    [MT_BANDWIDTH] = {{NULL, 0}}, /* as all others that have none */
};

static bool find_name(double *factor, const struct unit *unit, const char *name,
                      size_t length)
{
    for (; unit->name; unit++)
        if (strlen(unit->name) == length && strncmp(unit->name, name, length) == 0) {
            *factor = unit->factor;
            return true;
        }
    return false;
}

/* Whether the name of a rate counts what the quantity does. */
static bool counts(const char *name, size_t length, enum mt_quantity quantity)
{
    static const char *const words[] = {"b/s", "bps", "bit", "byte"};
    char word[16];
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    if (quantity == MT_FLOPS)
        return strcasestr(word, "flop") != NULL;
    for (size_t i = 0; quantity == MT_BANDWIDTH && i < sizeof words / sizeof *words;
         i++)
        if (strcasestr(word, words[i]))
            return true;
    return false;
}

static bool find_unit(double *factor, const char *name, size_t length,
                      enum mt_quantity quantity)
{
    return find_name(factor, units[quantity], name, length) ||
           find_name(factor, other_names[quantity], name, length) ||
           (counts(name, length, quantity) && mt_rate_unit(factor, name, length));
}

/* The text being read, and its possible units, for messages. */
struct reading {
    const char *text;
    enum mt_quantity quantity;
    char known[128];
};

/* A number with a unit of less than *factor, which becomes its own; advances *at past
   them and blanks. */
static int read_part(const struct reading *reading, const char **at, double *value,
                     double *factor, struct mt_error *err)
{
    const char *text = reading->text, *known = reading->known;
    double number = 0, own = 1;
    const char *end = mt_number_read(*at, &number);
    if (!end)
        return mt_fail(err, MT_EPARSE,
                       "not a positive number with a unit: '%s' (units: %s)", text,
                       known);
    const char *name = skip_blanks(end);
    const size_t length = strcspn(name, " \t0123456789");
    if (length == 0)
        return mt_fail(err, MT_EPARSE, "a unit is missing: '%s' (units: %s)", text,
                       known);
    if (!find_unit(&own, name, length, reading->quantity))
        return mt_fail(err, MT_EPARSE, "unknown unit '%.*s': '%s' (units: %s)",
                       (int)length, name, text, known);
    if (own >= *factor)
        return mt_fail(err, MT_EPARSE,
                       "'%.*s' after a unit that is no larger: '%s' (units: %s)",
                       (int)length, name, text, known);
    *value = number * own;
    *factor = own;
    *at = skip_blanks(name + length);
    return MT_OK;
}

int mt_quantity_parse(double *value, const char *text, enum mt_quantity quantity,
                      struct mt_error *err)
{
    struct reading reading = {.text = text, .quantity = quantity};
    const char *at = skip_blanks(text);
    double sum = 0, factor = INFINITY;
    list_units(units[quantity], reading.known, sizeof reading.known);
    do {
        double part = 0;
        const int status = read_part(&reading, &at, &part, &factor, err);
        if (status != MT_OK)
            return status;
        sum += part;
    } while (quantity == MT_SECONDS && *at >= '0' && *at <= '9');
    if (*at)
        return mt_fail(err, MT_EPARSE, "text after the unit: '%s' (units: %s)", text,
                       reading.known);
    if (!isfinite(sum))
        return mt_fail(err, MT_EPARSE, "too large: '%s' (units: %s)", text,
                       reading.known);
    *value = sum;
    return MT_OK;
}

void mt_quantity_format(char text[MT_QUANTITY_LENGTH], double value,
                        enum mt_quantity quantity)
{
    text[0] = 0;
    for (const struct unit *unit = units[quantity]; unit->name; unit++) {
        char number[MT_NUMBER_LENGTH];
        if (!mt_number_write(number, value, unit->factor))
            continue;
        if (!text[0] ||
            strlen(number) + strlen(" ") + strlen(unit->name) <= strlen(text))
            snprintf(text, MT_QUANTITY_LENGTH, "%s %s", number, unit->name);
    }
}
