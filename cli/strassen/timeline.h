/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline.h - what each rank of a product did when, as the app wrote it down.
 */
#ifndef MT_CLI_STRASSEN_TIMELINE_H
#define MT_CLI_STRASSEN_TIMELINE_H

#include "lib/partition/question.h"

enum mt_lap_work {
    MT_LAP_COMPUTING,
    MT_LAP_COMMUNICATION,
    MT_LAP_COPYING,
    MT_LAP_WAITING
};
enum { MT_LAP_WORKS = MT_LAP_WAITING + 1 };

struct mt_lap {
    int rank;
    enum mt_lap_work work;
    double begin, end; /* seconds since the product began; begin <= end */
};

/* Zeroed is empty. */
struct mt_timeline {
    struct mt_lap *laps; /* owned */
    int count, ranks;
    double seconds; /* the last end */
};

/* Read the app's file; lines of other ranks than 0 to `ranks` - 1, and what is no such
   line, are left out. MT_EIO when it cannot be read or has none. */
MT_MUST_CHECK int mt_timeline_read(struct mt_timeline *timeline, const char *path,
                                   int ranks, struct mt_error *err);
void mt_timeline_clear(struct mt_timeline *timeline);

/* Draw it into `target`, as mt_plot_check() knows it. */
MT_MUST_CHECK int mt_timeline_draw(const struct mt_timeline *timeline,
                                   const char *title,
                                   const struct mt_strassen_question *question,
                                   const char *target, struct mt_error *err);

#endif
