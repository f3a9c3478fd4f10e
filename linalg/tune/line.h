/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line.h - what is known of a kind of machine, on stdout: a JSON object on a line.
 */
#ifndef MT_TUNE_LINE_H
#define MT_TUNE_LINE_H

#include "linalg/tuning/tuning.h"
#include "motley/strassen.h"

struct tune_line {
    const struct tuning_machine *machine;
    const struct mt_strassen_tuning *tuning;
    enum tuning_source source;
    const char *file; /* where it is kept, or would be */
    const char *why;  /* it is guessed */
};

void tune_line_print(const struct tune_line *line);

#endif
