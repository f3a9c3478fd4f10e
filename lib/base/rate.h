/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rate.h - units of rates as programs print them: "GFLOPS", "Mop/s", "MiB/s".
 */
#ifndef MT_RATE_H
#define MT_RATE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether the first `length` letters of `unit` are a unit: FLOPS, FLOP/s, OPS, OP/s,
 * LUPS, UPS, TEPS, byte/s, bit/s, in large or small letters, B/s, Bps, bps (bits) or
 * 1/s, with k, K, M, G, T, P, E (powers of 1000) or Ki, Mi, Gi, Ti (powers of 1024)
 * before it. `*factor` is how many a second it stands for, of bits how many bytes.
 */
bool mt_rate_unit(double *factor, const char *unit, size_t length);

#endif
