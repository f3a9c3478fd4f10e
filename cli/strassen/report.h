/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strassen_report.h - what the app 'strassen' printed about a product, and what was
 * expected, side by side.
 */
#ifndef MT_CLI_STRASSEN_REPORT_H
#define MT_CLI_STRASSEN_REPORT_H

#include "choice.h"
#include "question.h"

#include "motley/error.h"
#include "motley/run.h"

#include <stdbool.h>

/* Zeroed is empty. */
struct mt_strassen_report {
    double seconds;                   /* of the slowest rank */
    struct mt_partition_times *ranks; /* owned; of every rank; NaN: not known */
    int known;                        /* of how many ranks the times are known */
    double bytes;                     /* that these received */
    double difference;                /* of the check; NaN: not checked */
};
/* Read the output of a run that succeeded. `report` must be empty. */
MT_MUST_CHECK int mt_strassen_report_read(struct mt_strassen_report *report,
                                          const struct mt_run *run, int ranks,
                                          struct mt_error *err);
void mt_strassen_report_clear(struct mt_strassen_report *report);

/* Print it beside the forecast, as --json asks, to stdout. */
MT_MUST_CHECK int mt_strassen_report_print(const struct mt_strassen_report *report,
                                           const struct mt_run *run,
                                           const struct mt_strassen_choice *choice,
                                           const struct mt_strassen_question *question,
                                           struct mt_error *err);

#endif
