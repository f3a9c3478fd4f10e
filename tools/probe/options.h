/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.h - what the probe is asked for.
 */
#ifndef MT_PROBE_OPTIONS_H
#define MT_PROBE_OPTIONS_H

#include "lib/base/options.h"

#include <stdbool.h>

#define PROBE_NAME "motley-probe"

/* Two ranks that send each other messages. */
struct pair {
    int from, to;
};

/* As popt reads them. Zeroed is valid and empty. */
struct options {
    char *list;                        /* owned; of pairs, as typed */
    struct mt_number_option max_bytes; /* of a message */
    int compute, alltoall;             /* flags */

    struct pair *pairs; /* owned; those of the list */
    int npairs;
};

enum { OPTIONS_MAX_BYTES = 4 << 20 }; /* unless they say it */

/* Whether they make sense on this many ranks; reads the list of pairs. */
bool options_check(struct options *options);
void options_clear(struct options *options);

#endif
