/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format.h - numbers as people read them, one function a unit. Each writes into the
 * caller's `buffer` and returns it; an unknown value (NaN) is "-".
 */
#ifndef MT_CLI_FORMAT_H
#define MT_CLI_FORMAT_H

#include <stdint.h>

enum { MT_QUANTITY_TEXT = 32 };

/* Four significant digits below ten minutes: "62.67 s", "1.210 ms"; above that, "12 min
   05 s", "3 h 04 min", "2 d 03 h". Negative or infinite: "-". */
const char *mt_format_seconds(char buffer[MT_QUANTITY_TEXT], double seconds);

/* Seconds since 1970-01-01 UTC, as "2026-11-23 09:40" there. An impossible date:
   "-". */
const char *mt_format_date(char buffer[MT_QUANTITY_TEXT], int64_t seconds);

/* "64 KiB", "1.5 KiB". */
const char *mt_format_bytes(char buffer[MT_QUANTITY_TEXT], double bytes);

/* Three significant digits: "1.90 Gf", "117 MB/s" for the units "f", "B/s". */
const char *mt_format_rate(char buffer[MT_QUANTITY_TEXT], double rate,
                           const char *unit);

/* A share of one: "12.3 %" for 0.123. */
const char *mt_format_percent(char buffer[MT_QUANTITY_TEXT], double share);

/* The same of a change, with its sign: "+12.3 %", "-0.5 %", "0.0 %". */
const char *mt_format_change(char buffer[MT_QUANTITY_TEXT], double share);

/* A count or a given number, as a problem's size, with all digits: "3200". */
const char *mt_format_count(char buffer[MT_QUANTITY_TEXT], double count);

/* For other programs: the fewest digits that read back as the same number. */
const char *mt_format_number(char buffer[MT_QUANTITY_TEXT], double number);

#endif
