/* SPDX-License-Identifier: BSD-3-Clause */
#include "rate.h"

#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    double factor;
} prefixes[] = {{"", 1},        {"k", 1e3},     {"K", 1e3},     {"M", 1e6},
                {"G", 1e9},     {"T", 1e12},    {"P", 1e15},    {"E", 1e18},
                {"Ki", 0x1p10}, {"Mi", 0x1p20}, {"Gi", 0x1p30}, {"Ti", 0x1p40}};

static bool is_counted(const char *name, size_t length)
{
    static const char *const words[] = {"FLOPS", "FLOP/s", "FLOPs/s", "OPS",
                                        "OP/s",  "OPs/s",  "LUPS",    "LUP/s",
                                        "UPS",   "UP/s",   "TEPS",    "1/s"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && strncasecmp(words[i], name, length) == 0)
            return true;
    return length == 3 && strncmp(name, "B/s", length) == 0; /* b is a bit */
}

bool mt_rate_unit(double *factor, const char *unit, size_t length)
{
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        const size_t skipped = strlen(prefixes[i].name);
        if (skipped < length && strncmp(unit, prefixes[i].name, skipped) == 0 &&
            is_counted(unit + skipped, length - skipped)) {
            *factor = prefixes[i].factor;
            return true;
        }
    }
    return false;
}
