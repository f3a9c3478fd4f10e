/* SPDX-License-Identifier: BSD-3-Clause */
#include "units.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit {
    const char *name;
    double factor;
};

/* Ascending; the last has no name. */
static const struct unit byte_units[] = {
    {"B", 1}, {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {NULL, 0}};
static const struct unit time_units[] = {
    {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {NULL, 0}};

enum { MAX_BYTES = 1 << 30 };

/* The unit's factor; 0: there is no such unit. */
static double factor(const struct unit *unit, const char *name)
{
    while (unit->name && strcmp(unit->name, name) != 0)
        unit++;
    return unit->factor;
}

bool count_read(int *count, const char *text)
{
    char *end;
    errno = 0;
    const long value = strtol(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end || errno || value > INT_MAX)
        return false;
    *count = (int)value;
    return true;
}

bool bytes_read(int *bytes, const char *text)
{
    char *unit;
    if (!isdigit((unsigned char)*text))
        return false;
    const double value =
        (double)strtoul(text, &unit, 10) * (*unit ? factor(byte_units, unit) : 1);
    if (value < 1 || value > MAX_BYTES)
        return false;
    *bytes = (int)value;
    return true;
}

bool delay_read(struct delay *delay, const char *text)
{
    char *unit;
    if (!isdigit((unsigned char)*text))
        return false;
    const double number = strtod(text, &unit);
    const bool relative = strcmp(unit, "x") == 0;
    const double scale = relative ? 1 : factor(time_units, unit);
    if (scale <= 0 || !isfinite(number))
        return false;
    *delay = (struct delay){.amount = number * scale, .relative = relative};
    return true;
}

void bytes_text(int bytes, char text[UNITS_TEXT])
{
    const struct unit *unit = byte_units;
    while (unit[1].name && fmod(bytes, unit[1].factor) == 0)
        unit++;
    snprintf(text, UNITS_TEXT, "%.0f %s", bytes / unit->factor, unit->name);
}

void seconds_text(double seconds, char text[UNITS_TEXT])
{
    const struct unit *unit = time_units;
    while (unit[1].name && seconds >= 0.9995 * unit[1].factor)
        unit++;
    snprintf(text, UNITS_TEXT, "%.4g %s", seconds / unit->factor, unit->name);
}
