/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plot_script.h - write a script for gnuplot and let it draw, into a file or into the
 * terminal. plot.h, plot_field.h and plot_tiles.h decide what it draws.
 */
#ifndef MT_CLI_PLOT_SCRIPT_H
#define MT_CLI_PLOT_SCRIPT_H

#include "motley/error.h"

#include <stdio.h>

enum mt_plot_kind { MT_PLOT_SVG, MT_PLOT_PNG, MT_PLOT_TERM };

/* The kind of picture for `target`: a file that ends in ".svg" or ".png", or "term",
   which is stdout. MT_EINVAL lists these. */
MT_MUST_CHECK int mt_plot_kind_find(enum mt_plot_kind *kind, const char *target,
                                    struct mt_error *err);

/* A script that is being written. Empty if zeroed. */
struct mt_plot_script {
    FILE *file;         /* owned; write gnuplot's commands into it */
    const char *target; /* borrowed */
    enum mt_plot_kind kind;
    char title[256];
};

/* Begin a script for `target`. The caller closes it, also after a failure. */
MT_MUST_CHECK int mt_plot_script_open(struct mt_plot_script *script, const char *target,
                                      struct mt_error *err);
/* The size of a picture: of a file in pixels, in the terminal in letters. */
struct mt_plot_size {
    int width, height;
    int columns, lines; /* 0 columns: as wide as the terminal */
};
/* gnuplot's terminal for the script's kind of picture. */
void mt_plot_script_terminal(const struct mt_plot_script *script,
                             const struct mt_plot_size *size);
/* The title of the picture, and of the SVG document, which readers and screen readers
   show. */
void mt_plot_script_title(struct mt_plot_script *script, const char *title);
/* Let gnuplot draw. On failure an old picture stays. MT_ENOTFOUND, with the package to
   install: gnuplot is missing; MT_EIO, with its words, when it fails. */
MT_MUST_CHECK int mt_plot_script_run(const struct mt_plot_script *script,
                                     struct mt_error *err);
void mt_plot_script_close(struct mt_plot_script *script);

/* `text` as a string of gnuplot's, whatever it contains. */
void mt_plot_write_quoted(FILE *file, const char *text);
/* "set WHAT 'TEXT'". */
void mt_plot_write_setting(FILE *file, const char *what, const char *text);

#endif
