/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings.h - what the benchmark's options ask for.
 */
#ifndef MT_BENCH_SETTINGS_H
#define MT_BENCH_SETTINGS_H

#include "apps/common/arguments.h"
#include "pattern.h"
#include "units.h"
#include "way.h"

#include <stdbool.h>
#include <stdint.h>

#define BENCH_NAME "motley-bcast-bench"

struct settings {
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
    bool barrier; /* before each call */
    int calls;    /* in a row, of each way */
    int warm_up;  /* of them are not counted */
    int repetitions;
    uint64_t seed;
    char *json; /* owned; the file, or NULL */
};

/* Collective over MPI_COMM_WORLD, whose rank 0 speaks; `settings` is cleared by
   settings_clear() whatever comes of it. */
enum arguments_outcome settings_read(struct settings *settings, int argc, char **argv);
void settings_clear(struct settings *settings);

#endif
