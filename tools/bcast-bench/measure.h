/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure.h - blocks of calls, and how long each of them took.
 */
#ifndef MT_BENCH_MEASURE_H
#define MT_BENCH_MEASURE_H

#include "outcome.h"
#include "settings.h"

/* What is broadcast, and who is late for it. */
struct load {
    int bytes;
    const struct pattern *pattern;
    double late; /* seconds of the longest delay */
};

/* One rank's place of work. */
struct bench {
    const struct settings *settings; /* borrowed */
    int rank, ranks;
    bool one_clock; /* all ranks read the same */
    bool checked;   /* the data of the size that is measured, by every rank */
    unsigned char *buffer;
    MPI_Request *requests;             /* [ranks] */
    double *in_call, *started, *ended; /* [calls] */
};

void bench_init(struct bench *bench, const struct settings *settings);
void bench_clear(struct bench *bench);

/* Make room for messages of so many bytes, instead of the ones before. */
void bench_resize(struct bench *bench, int bytes);

/* Make a block of calls on a communicator of its own, and put what they took into the
   series' part for `repetition`. Collective. */
void bench_block(struct bench *bench, const struct load *load, enum way way,
                 int repetition, struct series *series);

#endif
