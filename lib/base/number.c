/* SPDX-License-Identifier: BSD-3-Clause */
/* Decimal numbers in text, whatever the locale, and units of rates. */
#include "number.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    double factor;
} prefixes[] = {{"", 1},        {"k", 1e3},     {"K", 1e3},     {"M", 1e6},
                {"G", 1e9},     {"T", 1e12},    {"P", 1e15},    {"E", 1e18},
                {"Ki", 0x1p10}, {"Mi", 0x1p20}, {"Gi", 0x1p30}, {"Ti", 0x1p40}};

/* The factor of the unit that the word names; 0: it is not a unit. */
static double find_word(const char *name, size_t length)
{
    static const struct {
        const char *name;
        double factor;
        bool as_it_is; /* not in other letters: B is a byte, b a bit */
    } words[] = {
        {"FLOPS", 1, false},       {"FLOP/s", 1, false},    {"FLOPs/s", 1, false},
        {"FLOP/sec", 1, false},    {"FLOPs/sec", 1, false}, {"OPS", 1, false},
        {"OP/s", 1, false},        {"OPs/s", 1, false},     {"LUPS", 1, false},
        {"LUP/s", 1, false},       {"UPS", 1, false},       {"UP/s", 1, false},
        {"TEPS", 1, false},        {"1/s", 1, false},       {"B/s", 1, true},
        {"B/sec", 1, true},        {"Bps", 1, true},        {"byte/s", 1, false},
        {"bytes/s", 1, false},     {"bps", 1 / 8.0, true},  {"bit/s", 1 / 8.0, false},
        {"bits/s", 1 / 8.0, false}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].name) == length &&
            (words[i].as_it_is ? strncmp(words[i].name, name, length)
                               : strncasecmp(words[i].name, name, length)) == 0)
            return words[i].factor;
    return 0;
}

bool mt_rate_unit(double *factor, const char *unit, size_t length)
{
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        const size_t skipped = strlen(prefixes[i].name);
        if (skipped >= length || strncmp(unit, prefixes[i].name, skipped) != 0)
            continue;
        const double word = find_word(unit + skipped, length - skipped);
        if (word > 0) {
            *factor = prefixes[i].factor * word;
            return true;
        }
    }
    return false;
}

static const char *skip_digits(const char *text)
{
    while (isdigit((unsigned char)*text))
        text++;
    return text;
}

const char *mt_number_read(const char *text, double *value)
{
    /* strtod() alone would also take signs, blanks, hexadecimal, "inf" and "nan" */
    const char *end = skip_digits(text);
    long digits = end - text;
    if (*end == '.') {
        const char *fraction = end + 1;
        end = skip_digits(fraction);
        digits += end - fraction;
    }
    if (digits == 0)
        return NULL;
    if (*end == 'e' || *end == 'E') {
        const char *exponent = end + 1;
        if (*exponent == '+' || *exponent == '-')
            exponent++;
        if (isdigit((unsigned char)*exponent))
            end = skip_digits(exponent);
    }
    char *read_to = NULL;
    double number = strtod(text, &read_to);
    if (read_to != end) /* "0x1" */
        number = 0;
    *value = number;
    return end;
}

bool mt_number_write(char text[MT_NUMBER_LENGTH], double value, double unit)
{
    enum { MOST_DIGITS = 17 }; /* of a double */
    const double number = value / unit;
    /* digits enough for those before the point: 710, not 7.1e+02 */
    const bool is_long = number >= 10 && number < 1e17;
    for (int digits = is_long ? (int)log10(number) + 1 : 1; digits <= MOST_DIGITS;
         digits++) {
        snprintf(text, MT_NUMBER_LENGTH, "%.*g", digits, number);
        if (strtod(text, NULL) * unit == value)
            return true;
    }
    return false;
}
