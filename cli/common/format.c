/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as people read them. */
#include "format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char *format_unknown(char buffer[MT_QUANTITY_TEXT])
{
    snprintf(buffer, MT_QUANTITY_TEXT, "-");
    return buffer;
}

const char *mt_format_date(char buffer[MT_QUANTITY_TEXT], int64_t seconds)
{
    const time_t moment = (time_t)seconds;
    struct tm date;
    if (!gmtime_r(&moment, &date) ||
        strftime(buffer, MT_QUANTITY_TEXT, "%Y-%m-%d %H:%M", &date) == 0)
        return format_unknown(buffer);
    return buffer;
}

static const char *format_long_time(char buffer[MT_QUANTITY_TEXT], double seconds)
{
    const long whole = lround(seconds), minutes = lround(seconds / 60),
               hours = lround(seconds / 3600);
    if (whole < 3600)
        snprintf(buffer, MT_QUANTITY_TEXT, "%ld min %02ld s", whole / 60, whole % 60);
    else if (minutes < 24L * 60)
        snprintf(buffer, MT_QUANTITY_TEXT, "%ld h %02ld min", minutes / 60,
                 minutes % 60);
    else
        snprintf(buffer, MT_QUANTITY_TEXT, "%ld d %02ld h", hours / 24, hours % 24);
    return buffer;
}

const char *mt_format_seconds(char buffer[MT_QUANTITY_TEXT], double seconds)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
    enum { UNITS = sizeof units / sizeof *units };

    if (!(seconds >= 0) || isinf(seconds))
        return format_unknown(buffer);
    if (seconds < 1e-12 || seconds >= 1e9) {
        snprintf(buffer, MT_QUANTITY_TEXT, "%.4g s", seconds);
        return buffer;
    }
    if (seconds >= 599.95) /* which four digits show as 600.0 */
        return format_long_time(buffer, seconds);
    int unit = 0; /* 0.99995 of a unit is printed as 1.000 of it */
    while (unit < UNITS - 1 && seconds < 0.99995 * units[unit].seconds)
        unit++;
    const double value = seconds / units[unit].seconds;
    const int decimals = value < 9.9995 ? 3 : value < 99.995 ? 2 : 1;
    snprintf(buffer, MT_QUANTITY_TEXT, "%.*f %s", decimals, value, units[unit].name);
    return buffer;
}

const char *mt_format_bytes(char buffer[MT_QUANTITY_TEXT], double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
    int unit = 0;
    if (isnan(bytes))
        return format_unknown(buffer);
    for (; bytes >= 1024 && unit < 3; unit++)
        bytes /= 1024;
    snprintf(buffer, MT_QUANTITY_TEXT, "%.4g %s", bytes, units[unit]);
    return buffer;
}

const char *mt_format_rate(char buffer[MT_QUANTITY_TEXT], double rate, const char *unit)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    int prefix = 0;
    if (isnan(rate))
        return format_unknown(buffer);
    for (; rate >= 999.5 && prefix < 5; prefix++)
        rate /= 1000;
    snprintf(buffer, MT_QUANTITY_TEXT, "%.*f %s%s",
             rate < 9.995   ? 2
             : rate < 99.95 ? 1
                            : 0,
             rate, prefixes[prefix], unit);
    return buffer;
}

/* "0.0 %" has no sign, even if rounded from a negative number. */
static const char *format_share(char buffer[MT_QUANTITY_TEXT], double share,
                                const char *format)
{
    if (isnan(share))
        return format_unknown(buffer);
    if (fabs(share) < 0.0005)
        snprintf(buffer, MT_QUANTITY_TEXT, "0.0 %%");
    else
        snprintf(buffer, MT_QUANTITY_TEXT, format, 100 * share);
    return buffer;
}

const char *mt_format_percent(char buffer[MT_QUANTITY_TEXT], double share)
{
    return format_share(buffer, share, "%.1f %%");
}

const char *mt_format_change(char buffer[MT_QUANTITY_TEXT], double share)
{
    return format_share(buffer, share, "%+.1f %%");
}

const char *mt_format_count(char buffer[MT_QUANTITY_TEXT], double count)
{
    if (isnan(count))
        return format_unknown(buffer);
    snprintf(buffer, MT_QUANTITY_TEXT, "%.15g", count);
    return buffer;
}

const char *mt_format_number(char buffer[MT_QUANTITY_TEXT], double number)
{
    if (isnan(number))
        return format_unknown(buffer);
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, MT_QUANTITY_TEXT, "%.*g", digits, number);
        if (strtod(buffer, NULL) == number)
            break;
    }
    return buffer;
}
