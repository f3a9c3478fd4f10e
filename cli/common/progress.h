/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * progress.h - the progress of a campaign, on stderr: a bar that is redrawn on a
 * terminal, elsewhere a line a minute.
 */
#ifndef MT_CLI_PROGRESS_H
#define MT_CLI_PROGRESS_H

#include <stdbool.h>

/* Zeroed shows nothing. */
struct mt_progress {
    bool shown;
    bool terminal;
    int total;
    double next; /* when to redraw it, on mt_clock() */
};

/* Set the progress; the total is above 0. */
struct mt_progress_state {
    int ended, failed, total;
    double seconds_left; /* NaN: not known */
};

void mt_progress_begin(struct mt_progress *progress, int total);
/* Whether to redraw it now. */
bool mt_progress_due(const struct mt_progress *progress);
/* `seconds_left` is NaN while unknown. */
void mt_progress_show(struct mt_progress *progress, int ended, int failed,
                      double seconds_left);
/* Remove the bar. */
void mt_progress_end(struct mt_progress *progress);

/* "[####......] 40 of 100 runs, 2 failed, 1:05 left", with a bar of `width` letters. */
enum { MT_PROGRESS_TEXT = 160 };
void mt_progress_format(char text[MT_PROGRESS_TEXT], int width,
                        const struct mt_progress_state *state);

/* Ask a question; returns whether the answer is yes. Without a terminal it is not asked
   and the answer is no, as it is when a signal arrives. */
bool mt_ask(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
