/* SPDX-License-Identifier: BSD-3-Clause */
#include "number.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
