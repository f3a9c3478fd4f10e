/* SPDX-License-Identifier: BSD-3-Clause */
#include "check_text.h"

#include <math.h>
#include <stdio.h>

const char *mt_format_bytes(char buffer[MT_QUANTITY_TEXT], double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
    int unit = 0;
    for (; bytes >= 1024 && unit < 3; unit++)
        bytes /= 1024;
    snprintf(buffer, MT_QUANTITY_TEXT, "%.4g %s", bytes, units[unit]);
    return buffer;
}

const char *mt_format_rate(char buffer[MT_QUANTITY_TEXT], double rate, const char *unit)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    int prefix = 0;
    if (isnan(rate)) {
        snprintf(buffer, MT_QUANTITY_TEXT, "-");
        return buffer;
    }
    for (; rate >= 999.5 && prefix < 5; prefix++)
        rate /= 1000;
    snprintf(buffer, MT_QUANTITY_TEXT, "%.*f %s%s",
             rate < 9.995   ? 2
             : rate < 99.95 ? 1
                            : 0,
             rate, prefixes[prefix], unit);
    return buffer;
}
