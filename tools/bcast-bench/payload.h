/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * payload.h - what a broadcast carries, so that a wrong byte shows.
 *
 * The bytes depend on the call, the root and where they lie. A message of up to 4 KiB
 * is written and looked at as a whole, of a larger one a thousand bytes and the last.
 */
#ifndef MT_BENCH_PAYLOAD_H
#define MT_BENCH_PAYLOAD_H

#include <stdbool.h>

void payload_write(unsigned char *buffer, int bytes, int root, int call);
/* Whether these bytes are what payload_write() wrote. */
bool payload_matches(const unsigned char *buffer, int bytes, int root, int call);

#endif
