/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses cells: numbers as people and programs write them, and states. */
#include "lib/base/number.h"
#include "lib/base/quantity.h"
#include "rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "0123456789", blanks[] = " \t";

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, blanks);
}

bool mt_cell_is_empty(const char *text)
{
    static const char *const words[] = {"", "-", "null", "NULL", "NA", "N/A", "None"};
    const char *word = skip_blanks(text);
    if (*word && !strchr("-nN", *word)) /* as most do */
        return false;
    const size_t length = strcspn(word, blanks);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && !strncmp(words[i], word, length))
            return !*skip_blanks(word + length);
    return false;
}

bool mt_cell_unit(double *factor, enum mt_cell_kind kind, const char *name)
{
    static const enum mt_quantity quantities[] = {[MT_CELL_SIZE] = MT_BYTES,
                                                  [MT_CELL_SECONDS] = MT_SECONDS,
                                                  [MT_CELL_RATE] = MT_FLOPS};
    char one[64];
    const char *slash = strrchr(name, '/');
    snprintf(one, sizeof one, "1 %s", name);
    if (kind == MT_CELL_COUNT)
        return false;
    if (mt_quantity_parse(factor, one, quantities[kind], NULL) == MT_OK)
        return true;
    if (kind != MT_CELL_RATE || mt_rate_unit(factor, name, strlen(name)))
        return kind == MT_CELL_RATE;
    /* "ns/day": the work is in ns */
    const bool known = slash && mt_cell_unit(factor, MT_CELL_SECONDS, slash + 1);
    *factor = 1 / *factor;
    return known;
}

/* "2:03:04", "1-02:03:04": days, hours, minutes, seconds. */
static bool read_clock(double *seconds, const char *text)
{
    unsigned days = 0, hours, minutes;
    double rest;
    const char *dash = strchr(text, '-');
    int used = 0;
    if (dash && (sscanf(text, "%7u-%n", &days, &used) != 1 || text + used != dash + 1))
        return false;
    text += used;
    if (text[strspn(text, "0123456789:. \t")] ||
        sscanf(text, "%7u:%2u:%lf %n", &hours, &minutes, &rest, &used) != 3 ||
        text[used] || minutes >= 60 || rest >= 60)
        return false;
    *seconds = ((days * 24.0 + hours) * 60 + minutes) * 60 + rest;
    return true;
}

/* "1h30m", "1m40.5s", "3 m". */
static bool read_parts(double *seconds, const char *text)
{
    static const char units[] = "hms";
    static const double lengths[] = {3600, 60, 1};
    const char *next = units;
    for (*seconds = 0; *text; next++) {
        char *end;
        const double part = strtod(text, &end);
        const char *unit = skip_blanks(end);
        if (!strchr(digits, *text) || !*unit || !(next = strchr(next, *unit)))
            return false;
        *seconds += part * lengths[next - units];
        text = skip_blanks(unit + 1);
    }
    return next > units;
}

/* A number with marks between its thousands, copied without them; returns where it
   ends. NULL: it has no such marks, or they are ambiguous ("1,234"). */
static const char *read_thousands(char copy[static 64], const char *text)
{
    enum { GROUP = 3, MOST = 40 };
    static const char *const marks[] = {
        ",", ".", "'", "_", " ", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x99"};
    const size_t first = strspn(text, digits);
    if (first == 0 || first > GROUP || *text == '0')
        return NULL;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const size_t width = strlen(marks[i]);
        const char *at = text + first;
        size_t length = first;
        memcpy(copy, text, first);
        for (; length < MOST && !strncmp(at, marks[i], width) &&
               strspn(at + width, digits) == GROUP;
             at += width + GROUP, length += GROUP)
            memcpy(copy + length, at + width, GROUP);
        if (length == first)
            continue;
        const bool is_point = *marks[i] == '.';
        const size_t fraction =
            *at == '.' && !is_point ? 1 + strspn(at + 1, digits) : 0;
        if (length == first + GROUP && (is_point || (*marks[i] == ',' && !fraction)))
            continue;
        snprintf(copy + length, 64 - length, "%.*s", (int)fraction, at);
        return at + fraction;
    }
    return NULL;
}

/* "12", "64 x 64 x 32"; returns what follows, or NULL. */
static const char *read_product(double *product, const char *text)
{
    static const char *const signs[] = {"x", "X", "*", "\xC3\x97"};
    *product = 1;
    for (;;) {
        char copy[64];
        const char *end = read_thousands(copy, text);
        char *stop;
        *product *= strtod(end ? copy : text, &stop);
        if (!end)
            end = stop;
        if (end == text)
            return NULL;
        text = skip_blanks(end);
        size_t i = 0, width = 0;
        for (; i < sizeof signs / sizeof *signs && width == 0; i++)
            width = strncmp(text, signs[i], strlen(signs[i])) ? 0 : strlen(signs[i]);
        if (width == 0)
            return text;
        text = skip_blanks(text + width);
    }
}

int mt_cell_number(double *number, const char *text, enum mt_cell_kind kind,
                   double unit, struct mt_error *err)
{
    const bool is_time = kind == MT_CELL_SECONDS;
    double value;
    if (mt_parse_number(&value, text) && isfinite(value)) {
        *number = value * unit;
        return MT_OK;
    }
    const char *end = NULL;
    text = skip_blanks(text);
    if (is_time && (read_clock(number, text) ||
                    mt_quantity_parse(number, text, MT_SECONDS, NULL) == MT_OK ||
                    read_parts(number, text)))
        return MT_OK;
    if (strchr(digits, *text) && *text)
        end = read_product(&value, text);
    if (end && (!*end || mt_cell_unit(&unit, kind, end))) {
        *number = value * unit;
        return MT_OK;
    }
    return mt_fail(err, MT_EPARSE, "no %s: '%s'%s", is_time ? "time" : "number", text,
                   strchr(text, ',') ? " (a point stands before fractions, "
                                       "and no comma in 1234)"
                   : is_time && strchr(text, ':') ? " (write h:mm:ss)"
                                                  : "");
}

int mt_cell_outcome(enum mt_outcome *outcome, const char *text, struct mt_error *err)
{
    static const char good[] = " COMPLETED pass success PASSED SUCCESSFUL ",
                      bad[] = " CANCELLED FAILED NODE_FAIL OUT_OF_MEMORY PREEMPTED"
                              " BOOT_FAIL DEADLINE fail failure error abort"
                              " UNSUCCESSFUL ";
    char word[32];
    text = skip_blanks(text);
    const int length = (int)strcspn(text, " +\t"); /* "CANCELLED by 1000" */
    snprintf(word, sizeof word, " %.*s ", length, text);
    if (strstr(good, word))
        *outcome = MT_RUN_OK;
    else if (strstr(bad, word))
        *outcome = MT_RUN_FAILED;
    else if (!strcmp(word, " TIMEOUT "))
        *outcome = MT_RUN_TIMEOUT;
    else if (*text && !text[strspn(text, digits)]) /* an exit status */
        *outcome = text[strspn(text, "0")] ? MT_RUN_FAILED : MT_RUN_OK;
    else {
        snprintf(word, sizeof word, "%.*s", length, text);
        if (mt_outcome_parse(outcome, word, NULL) != MT_OK)
            return mt_fail(err, MT_EPARSE,
                           "unknown outcome '%.40s': one of ok, failed, signalled, "
                           "timeout, unread, or a word of Slurm or ReFrame; "
                           "'ignore=COLUMN' in --columns leaves the column out",
                           text);
    }
    return MT_OK;
}
