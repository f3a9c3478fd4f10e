/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measured.h - the time of one way to carry out a call, from a few reports of its
 * ranks, and whether another way is faster.
 */
#ifndef MT_BALANCE_MEASURED_H
#define MT_BALANCE_MEASURED_H

#include "preload/tuning.h"

#include <stdbool.h>
#include <stdint.h>

struct samples {
    int count;
    int64_t time[MOST_SAMPLES]; /* ns, ascending */
};

/* No more samples than it holds are taken. */
void samples_add(struct samples *samples, int64_t time);
/* 0: of none. */
int64_t samples_median(const struct samples *samples);

struct measured {
    int64_t mean;  /* ns; 0: not known */
    int64_t noise; /* ns between successive reports */
    int64_t told;  /* how often it was */
};

/* Record a report. `same`: nothing has changed since the last one, so differences are
   noise. */
void measured_learn(struct measured *measured, int64_t time, bool same);
/* A value measured once may be chance. */
bool measured_is_known(const struct measured *measured);
/* Whether both are known, and `own` is less by more than a few per cent and the noise
   of both: only then our way replaces the MPI's. */
bool measured_is_less(const struct measured *own, const struct measured *native);

#endif
