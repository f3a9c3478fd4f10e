/* SPDX-License-Identifier: BSD-3-Clause */
#include "series.h"

#include <stdlib.h>

int series_init(struct series *series, int calls, int repetitions, int warm_up)
{
    const size_t all = (size_t)repetitions * (size_t)calls;
    *series = (struct series){
        .calls = calls,
        .repetitions = repetitions,
        .warm_up = warm_up,
        .in_call = calloc(all, sizeof(double)),
        .longest = calloc(all, sizeof(double)),
        .overall = calloc(all, sizeof(double)),
        .wall = calloc((size_t)repetitions, sizeof(double)),
        .scratch = calloc(all + (size_t)calls, sizeof(double)),
    };
    if (series->in_call && series->longest && series->overall && series->wall &&
        series->scratch)
        return 0;
    series_clear(series);
    return -1;
}

void series_clear(struct series *series)
{
    free(series->in_call);
    free(series->longest);
    free(series->overall);
    free(series->wall);
    free(series->scratch);
    *series = (struct series){.calls = 0};
}
