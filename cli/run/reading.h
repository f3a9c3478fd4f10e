/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reading.h - the time of a run as its program printed it, and whether it can be right.
 */
#ifndef MT_CLI_READING_H
#define MT_CLI_READING_H

#include "cli/process/process.h"
#include "motley/error.h"
#include "motley/program.h"

#include <stdbool.h>

/* All borrowed. */
struct mt_reading {
    const struct mt_program *program; /* it has a pattern, which matched */
    const struct mt_process *process; /* that has ended */
    double size;
    int ranks;
    bool simulated; /* the printed time is not that of the process */
};

/*
 * The seconds of the run. MT_EINVAL: what was printed is no number above 0, or is no
 * time that this run can have taken: more than from its start to its end, but for the
 * rounding of printed digits, or less than a millionth of it; the reason says which
 * unit it looks like.
 */
MT_MUST_CHECK int mt_reading_seconds(const struct mt_reading *reading, double *seconds,
                                     struct mt_error *err);

#endif
