/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * results.h - what is measured of a size and an arrival pattern, and how it is shown:
 * as a table on stdout and as JSON objects, one a line.
 */
#ifndef MT_BENCH_RESULTS_H
#define MT_BENCH_RESULTS_H

#include "measure.h"
#include "outcome.h"

#include <stdio.h>

struct results {
    const struct settings *settings; /* borrowed */
    int ranks;
    bool one_clock, checked;
    struct load load;
    struct outcome outcomes[WAYS];         /* of the settings' ways */
    struct tally all[WAYS], learned[WAYS]; /* of the size so far */
};

bool results_have(const struct results *results, enum way way);

/* What holds for all that follows; then each pattern of arrival; then a size's tally.
 */
void table_start(const struct results *results);
void table_pattern(const struct results *results);
void table_tally(const struct results *results);

void json_pattern(FILE *file, const struct results *results);
void json_tally(FILE *file, const struct results *results);

#endif
