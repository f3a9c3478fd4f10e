/* SPDX-License-Identifier: BSD-3-Clause */
/* The progress bar of a campaign, and questions to the user. */
#include "progress.h"

#include "cli/process/clock.h"

#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR_WIDTH = 24, BAR_MOST = 64 };

static const double terminal_interval = 0.2, line_interval = 60;

/* "4 s", "1:05", "2:00:09": seconds, minutes, hours. */
static void format_left(char text[48], double seconds)
{
    if (isnan(seconds)) {
        snprintf(text, 48, "time left unknown");
    } else if (seconds < 60) {
        snprintf(text, 48, "%.0f s left", ceil(seconds));
    } else {
        long whole = seconds < 1e9 ? (long)seconds : 1000000000;
        if (whole < 3600)
            snprintf(text, 48, "%ld:%02ld left", whole / 60, whole % 60);
        else
            snprintf(text, 48, "%ld:%02ld:%02ld left", whole / 3600, whole / 60 % 60,
                     whole % 60);
    }
}

void mt_progress_format(char text[MT_PROGRESS_TEXT], int width,
                        const struct mt_progress_state *state)
{
    char bar[BAR_MOST + 1], failures[32] = "", left[48];
    if (width > BAR_MOST)
        width = BAR_MOST;
    const int full = (int)((double)width * state->ended / state->total);
    memset(bar, '#', (size_t)full);
    memset(bar + full, '.', (size_t)(width - full));
    bar[width] = 0;
    if (state->failed > 0)
        snprintf(failures, sizeof failures, ", %d failed", state->failed);
    format_left(left, state->seconds_left);
    snprintf(text, MT_PROGRESS_TEXT, "[%s] %d of %d runs%s, %s", bar, state->ended,
             state->total, failures, left);
}

void mt_progress_begin(struct mt_progress *progress, int total)
{
    *progress = (struct mt_progress){
        .shown = true, .terminal = isatty(STDERR_FILENO), .total = total};
    progress->next = mt_clock() + (progress->terminal ? 0 : line_interval);
}

bool mt_progress_due(const struct mt_progress *progress)
{
    return progress->shown && progress->total > 0 && mt_clock() >= progress->next;
}

void mt_progress_show(struct mt_progress *progress, int ended, int failed,
                      double seconds_left)
{
    char text[MT_PROGRESS_TEXT];
    const struct mt_progress_state state = {ended, failed, progress->total,
                                            seconds_left};
    mt_progress_format(text, BAR_WIDTH, &state);
    if (progress->terminal)
        dprintf(STDERR_FILENO, "\r%s\033[K", text); /* and clear the rest of the line */
    else
        fprintf(stderr, "%s\n", text);
    progress->next =
        mt_clock() + (progress->terminal ? terminal_interval : line_interval);
}

void mt_progress_end(struct mt_progress *progress)
{
    if (progress->shown && progress->terminal)
        dprintf(STDERR_FILENO, "\r\033[K");
}

bool mt_ask(const char *format, ...)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    char answer[16];
    va_list arguments;
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
        return false;
    fputs("motley: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("? [y/N] ", stderr);
    /* Unlike a read, this ends on a signal. */
    return poll(&input, 1, -1) == 1 && fgets(answer, sizeof answer, stdin) &&
           (answer[0] == 'y' || answer[0] == 'Y');
}
