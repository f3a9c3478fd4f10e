/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * units.h - the numbers that people type, and the ones that they read. What is read is
 * left alone when it returns false: the text is no such number.
 */
#ifndef MT_BENCH_UNITS_H
#define MT_BENCH_UNITS_H

#include <stdbool.h>

/* A delay, as a time or as a multiple of how long a broadcast takes. */
struct delay {
    double amount; /* seconds, or how many times */
    bool relative;
};

enum { UNITS_TEXT = 24 };

/* A whole number from 0 on: "12". */
bool count_read(int *count, const char *text);
/* "64", "64B", "4KiB", "16MiB", up to 1 GiB. */
bool bytes_read(int *bytes, const char *text);
/* "10us", "1.5ms", "2s", or "10x". */
bool delay_read(struct delay *delay, const char *text);

/* "64 B", "4 KiB", "1000 B": the largest unit in which it is whole. */
void bytes_text(int bytes, char text[UNITS_TEXT]);
/* "12.34 us", four digits. */
void seconds_text(double seconds, char text[UNITS_TEXT]);

#endif
