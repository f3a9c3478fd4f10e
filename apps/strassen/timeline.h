/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline.h - what a rank did when, and all of that in a file. */
#ifndef MT_APPS_STRASSEN_TIMELINE_H
#define MT_APPS_STRASSEN_TIMELINE_H

#include <motley/pdgemm.h>

/* What was done until when; seconds since the begin. */
struct strassen_lap {
    double work; /* enum mt_pdgemm_work, as it is sent */
    double until;
};

/* Zeroed is empty. */
struct strassen_timeline {
    double begin;              /* by MPI_Wtime() */
    struct strassen_lap *laps; /* owned */
    int count;
    bool is_short; /* there was no memory for more */
};

/* Begin now. */
void strassen_timeline_begin(struct strassen_timeline *timeline);
/* As mt_pdgemm() tells it. */
void strassen_timeline_note(struct strassen_timeline *timeline,
                            enum mt_pdgemm_work work, double until);
void strassen_timeline_clear(struct strassen_timeline *timeline);

/* Write those of all ranks into a file of rank 0, lines such as

       3 computing 0.25 1.5

   by rank, then by time: what it did, and from when to when in seconds since its own
   begin. Collective. */
MT_MUST_CHECK int strassen_timeline_write(const struct strassen_timeline *timeline,
                                          const char *path, struct mt_error *err);

#endif
