/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline.h"

#include "cli/common/format.h"
#include "cli/plot/plot_script.h"
#include "lib/base/array.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Colours by Okabe and Ito (2008), and letters for the terminal. */
static const struct {
    const char *name, *legend;
    unsigned color;
    char letter;
} works[MT_LAP_WORKS] = {
    [MT_LAP_COMPUTING] = {"computing", "computing", 0x0072b2, '#'},
    [MT_LAP_COMMUNICATION] = {"communication", "sending, receiving", 0xe69f00, '-'},
    [MT_LAP_COPYING] = {"copying", "copying", 0xd55e00, '+'},
    [MT_LAP_WAITING] = {"waiting", "waiting for others", 0xdddddd, '.'},
};

/* In points; more ranks than these are not numbered one by one. */
enum { WIDTH = 1000, MARGINS = 140, RANK_HEIGHT = 24, MOST_HEIGHT = 1000 };
enum { MOST_NUMBERED = 36 };
enum { COLUMNS = 65, LABEL = 24 }; /* in the terminal */

static bool read_lap(struct mt_lap *lap, const char *line, int ranks)
{
    char name[16];
    if (sscanf(line, "%d %15s %lf %lf", &lap->rank, name, &lap->begin, &lap->end) !=
            4 ||
        lap->rank < 0 || lap->rank >= ranks || !isfinite(lap->end) ||
        !(lap->begin >= 0 && lap->begin <= lap->end))
        return false;
    for (int work = 0; work < MT_LAP_WORKS; work++)
        if (strcmp(name, works[work].name) == 0) {
            lap->work = (enum mt_lap_work)work;
            return true;
        }
    return false;
}

static int add_lap(struct mt_timeline *timeline, const struct mt_lap *lap,
                   struct mt_error *err)
{
    const int status = mt_array_grow(&timeline->laps, timeline->count,
                                     sizeof *timeline->laps, "times", err);
    if (status == MT_OK) {
        timeline->laps[timeline->count++] = *lap;
        timeline->seconds = fmax(timeline->seconds, lap->end);
    }
    return status;
}

int mt_timeline_read(struct mt_timeline *timeline, const char *path, int ranks,
                     struct mt_error *err)
{
    struct mt_timeline made = {.ranks = ranks};
    struct mt_lap lap;
    char *line = NULL;
    size_t room = 0;
    int status = MT_OK;
    FILE *file = fopen(path, "re");
    if (!file)
        return mt_fail(err, MT_EIO, "cannot read '%s', which rank 0 writes: %s", path,
                       strerror(errno));
    while (status == MT_OK && getline(&line, &room, file) > 0)
        if (read_lap(&lap, line, ranks))
            status = add_lap(&made, &lap, err);
    free(line);
    fclose(file);
    if (status == MT_OK && !(made.seconds > 0))
        status = mt_fail(err, MT_EIO, "rank 0 wrote no times into '%s'", path);
    if (status == MT_OK)
        *timeline = made;
    else
        mt_timeline_clear(&made);
    return status;
}

void mt_timeline_clear(struct mt_timeline *timeline)
{
    free(timeline->laps);
    *timeline = (struct mt_timeline){.count = 0};
}

/* How much of the ranks' time goes there. */
static double share_of(const struct mt_timeline *timeline, enum mt_lap_work work)
{
    double sum = 0;
    for (int i = 0; i < timeline->count; i++)
        if (timeline->laps[i].work == work)
            sum += timeline->laps[i].end - timeline->laps[i].begin;
    return sum / timeline->ranks / timeline->seconds;
}

/* "computing, 81.2 %" */
static const char *write_legend(char legend[64], const struct mt_timeline *timeline,
                                enum mt_lap_work work)
{
    char percent[MT_QUANTITY_TEXT];
    snprintf(legend, 64, "%s, %s", works[work].legend,
             mt_format_percent(percent, share_of(timeline, work)));
    return legend;
}

/* The laps of a kind as rectangles. Empty data would be an error of gnuplot's. */
static void write_data(FILE *script, const struct mt_timeline *timeline,
                       enum mt_lap_work work)
{
    fprintf(script, "$work_%d << EOD\n", (int)work);
    fputs("0 -9 0 0 -9 -9\n", script); /* out of sight */
    for (int i = 0; i < timeline->count; i++) {
        const struct mt_lap *lap = &timeline->laps[i];
        if (lap->work == work && lap->begin < lap->end)
            fprintf(script, "%.9g %d %.9g %.9g %.9g %.9g\n",
                    (lap->begin + lap->end) / 2, lap->rank, lap->begin, lap->end,
                    lap->rank - 0.4, lap->rank + 0.4);
    }
    fputs("EOD\n", script);
}

static void write_axes(FILE *script, const struct mt_timeline *timeline,
                       const struct mt_strassen_question *question)
{
    fprintf(script,
            "set xrange [0:%.9g]\nset yrange [%g:-0.5]\nset xlabel 'seconds'\n"
            "set ylabel 'rank'\nset tics out nomirror\nset ytics scale 0\n"
            "unset border\nset key outside bottom center horizontal "
            "Left reverse\n",
            timeline->seconds, timeline->ranks - 0.5);
    if (timeline->ranks > MOST_NUMBERED)
        return;
    fputs("set ytics (", script);
    for (int rank = 0; rank < timeline->ranks; rank++) {
        const int group = question->groups[rank];
        char label[128];
        snprintf(label, sizeof label, "%s %d", question->cluster.groups[group].name,
                 rank);
        mt_plot_write_quoted(script, label);
        fprintf(script, " %d%s", rank, rank + 1 < timeline->ranks ? ", " : ")\n");
    }
}

static int draw_file(const struct mt_timeline *timeline, const char *title,
                     const struct mt_strassen_question *question, const char *target,
                     struct mt_error *err)
{
    const int height = MARGINS + RANK_HEIGHT * timeline->ranks;
    struct mt_plot_script script = {0};
    int status = mt_plot_script_open(&script, target, err);
    if (status == MT_OK) {
        mt_plot_script_terminal(&script, WIDTH,
                                height < MOST_HEIGHT ? height : MOST_HEIGHT);
        mt_plot_script_title(&script, title);
        for (int work = 0; work < MT_LAP_WORKS; work++)
            write_data(script.file, timeline, (enum mt_lap_work)work);
        write_axes(script.file, timeline, question);
        for (int work = 0; work < MT_LAP_WORKS; work++) {
            char legend[64];
            fprintf(script.file,
                    "%s $work_%d using 1:2:3:4:5:6 with boxxyerror fillstyle solid "
                    "noborder linecolor rgb '#%06x' title ",
                    work > 0 ? "," : "plot", work, works[work].color);
            mt_plot_write_quoted(
                script.file, write_legend(legend, timeline, (enum mt_lap_work)work));
        }
        fputc('\n', script.file);
        status = mt_plot_script_run(&script, err);
    }
    mt_plot_script_close(&script);
    return status;
}

/* Each letter is what the rank did longest in its part of the time. */
static void write_letters(char letters[COLUMNS + 1], const struct mt_timeline *timeline,
                          int rank)
{
    double spent[COLUMNS][MT_LAP_WORKS] = {{0}};
    const double width = timeline->seconds / COLUMNS;
    for (int i = 0; i < timeline->count; i++) {
        const struct mt_lap *lap = &timeline->laps[i];
        if (lap->rank != rank)
            continue;
        const int first = (int)(lap->begin / width);
        for (int c = first; c < COLUMNS && c * width < lap->end; c++)
            spent[c][lap->work] +=
                fmax(fmin(lap->end, (c + 1) * width) - fmax(lap->begin, c * width), 0);
    }
    for (int c = 0; c < COLUMNS; c++) {
        double most = 0;
        letters[c] = ' ';
        for (int work = 0; work < MT_LAP_WORKS; work++)
            if (spent[c][work] > most) {
                most = spent[c][work];
                letters[c] = works[work].letter;
            }
    }
    letters[COLUMNS] = 0;
}

static void print_letters(const struct mt_timeline *timeline, const char *title,
                          const struct mt_strassen_question *question)
{
    char letters[COLUMNS + 1], seconds[MT_QUANTITY_TEXT], legend[64];
    printf("\n%s\n\n", title);
    for (int rank = 0; rank < timeline->ranks; rank++) {
        const int group = question->groups[rank];
        write_letters(letters, timeline, rank);
        printf("%4d %-*.*s |%s|\n", rank, LABEL - 5, LABEL - 5,
               question->cluster.groups[group].name, letters);
    }
    mt_format_seconds(seconds, timeline->seconds);
    printf("%*s 0%*s\n\n", LABEL, "", COLUMNS, seconds);
    for (int work = 0; work < MT_LAP_WORKS; work++)
        printf("%c  %s\n", works[work].letter,
               write_legend(legend, timeline, (enum mt_lap_work)work));
}

int mt_timeline_draw(const struct mt_timeline *timeline, const char *title,
                     const struct mt_strassen_question *question, const char *target,
                     struct mt_error *err)
{
    enum mt_plot_kind kind;
    const int status = mt_plot_kind_find(&kind, target, err);
    if (status != MT_OK)
        return status;
    if (kind != MT_PLOT_TERM)
        return draw_file(timeline, title, question, target, err);
    print_letters(timeline, title, question);
    return MT_OK;
}
