/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h - what the benchmark's options ask for.
 */
#ifndef MT_BENCH_SETTINGS_H
#define MT_BENCH_SETTINGS_H

#include "lib/base/options.h"
#include "pattern.h"
#include "units.h"
#include "way.h"

#include <stdbool.h>

#define BENCH_NAME "motley-bcast-bench"

/* The options that have a word behind them, as typed; owned, NULL: not given. */
struct settings_words {
    char *sizes, *arrival, *ways, *delay, *delay_by, *root;
    struct mt_number_option calls, warm_up, repetitions, random, seed;
};

struct settings {
    /* As popt reads them: */
    struct settings_words words;
    int no_barrier; /* before each call */
    char *json;     /* owned; the file, or NULL */

    /* What the words come to: */
    int calls;   /* in a row, of each way */
    int warm_up; /* of them are not counted */
    int repetitions;
    int random; /* patterns of arrival */
    int seed;   /* of these */
    int *sizes; /* owned; of messages, in bytes */
    int nsizes;
    struct pattern *patterns; /* owned */
    int npatterns;
    enum way ways[WAYS];
    int nways;
    struct delay delay;
    bool spin;    /* delays keep the processor busy */
    int root;     /* of the first call */
    bool rotates; /* the next rank is the root of the next call */
};

/* Whether the options make sense on this many ranks; reads the words. */
bool settings_check(struct settings *settings);
void settings_clear(struct settings *settings);

#endif
