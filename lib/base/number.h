/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * number.h - decimal numbers in text, and units of rates as programs print them:
 * "GFLOPS", "Mop/s", "MiB/s".
 */
#ifndef MT_NUMBER_H
#define MT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Read the unsigned decimal number ("12", "0.5", ".5", "1e-3") at the start of `text`
 * and return its end; NULL: `text` starts with none. A number that is too large becomes
 * infinite.
 */
const char *mt_number_read(const char *text, double *value);

enum { MT_NUMBER_LENGTH = 32 };
/*
 * Write the decimal number with the fewest digits that, read and multiplied by `unit`,
 * is `value`, which is finite. False: no such number (never with a unit of 1).
 */
bool mt_number_write(char text[MT_NUMBER_LENGTH], double value, double unit);

/*
 * Whether the first `length` letters of `unit` are a unit: FLOPS, FLOP/s, OPS, OP/s,
 * LUPS, UPS, TEPS, byte/s, bit/s, in large or small letters, B/s, Bps, bps (bits) or
 * 1/s, with k, K, M, G, T, P, E (powers of 1000) or Ki, Mi, Gi, Ti (powers of 1024)
 * before it. `*factor` is its value in units a second, for bits in bytes a second.
 */
bool mt_rate_unit(double *factor, const char *unit, size_t length);

#endif
