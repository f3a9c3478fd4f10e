/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tune_line.h - what is known of a kind of machine, on stdout: a JSON object on a line.
 */
#ifndef MT_STRASSEN_TUNE_LINE_H
#define MT_STRASSEN_TUNE_LINE_H

#include "motley/strassen.h"
#include "tuned.h"

struct tune_line {
    const struct tuned_machine *machine;
    const struct mt_strassen_tuning *tuning;
    enum tuned_source source;
    const char *file; /* where it is kept, or would be */
    const char *why;  /* it is guessed */
};

void tune_line_print(const struct tune_line *line);

#endif
