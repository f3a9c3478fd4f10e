/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune_crossings.h"

#include "linalg/kernel/kernel.h"

/* From a little above the smallest that it takes, where both are as fast, to where
   another level will pay. */
static const struct tune_shape shapes[] = {
    {600, 600, 600, 0},  {770, 770, 770, 1},   {1025, 1025, 1025, 0},
    {601, 1601, 801, 0}, {1601, 601, 1025, 1}, {1601, 1601, 601, 1},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

int tune_kernel(bool *faster, const struct tune_plan *plan, struct mt_error *err)
{
    const struct mt_strassen_tuning kernel = {.kernel = true}, blas = {0};
    const int none = 0;
    const struct tune_ways ways = {{.tuning = &blas, .levels = &none},
                                   {.tuning = &kernel, .levels = &none}};
    /* It is for one thread. */
    const bool possible = plan->effort.one_thread && mt_kernel_available();
    int won = 0;
    for (int i = 0, lost = 0; i < SHAPES && possible && 2 * lost < SHAPES; i++) {
        double gain;
        const int status = tune_gain(&gain, &shapes[i], &ways, &plan->effort, err);
        if (status != MT_OK)
            return status;
        if (plan->tell)
            plan->tell(&shapes[i], "motley's own kernel", gain);
        won += gain >= 1;
        lost += gain < 1;
    }
    *faster = 2 * won > SHAPES;
    return MT_OK;
}
