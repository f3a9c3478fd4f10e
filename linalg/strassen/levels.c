/* SPDX-License-Identifier: BSD-3-Clause */
#include "levels.h"

#include "linalg/kernel/kernel.h"
#include "motley/strassen_cost.h"
#include "product.h"

int mt_strassen_levels(const struct mt_strassen_tuning *tuning, int m, int n, int k,
                       double beta)
{
    const struct mt_strassen_cutoff *cutoff =
        beta == 0 ? &tuning->overwrite : &tuning->accumulate;
    int levels = 0;
    while (levels < MT_STRASSEN_MAX_LEVELS && m > 1 && n > 1 && k > 1 &&
           cutoff->rows / m + cutoff->columns / n + cutoff->depth / k <= 1) {
        levels++;
        m /= 2;
        n /= 2;
        k /= 2;
    }
    return levels;
}

static const struct mt_strassen_tuning *tuning_of(const struct mt_strassen_how *how)
{
    return how->tuning ? how->tuning : mt_strassen_tuned();
}

int mt_strassen_how_levels(const struct mt_strassen_how *how, int m, int n, int k,
                           double beta)
{
    static const struct mt_strassen_tuning always = {0};
    if (!how->levels)
        return mt_strassen_levels(tuning_of(how), m, n, k, beta);
    int most = mt_strassen_levels(&always, m, n, k, beta);
    return *how->levels < most ? *how->levels : most;
}

struct room mt_strassen_how_room(const struct mt_strassen_how *how, size_t m, size_t n,
                                 size_t k, int levels)
{
    struct room room = {.sums = mt_strassen_room(m, n, k, levels)};
    const size_t least_m = m >> levels, least_n = n >> levels, least_k = k >> levels;
    if (mt_kernel_suits(least_m, least_n, least_k) && tuning_of(how)->kernel &&
        mt_kernel_available())
        room.copies = mt_kernel_room(least_m, least_n, least_k);
    return room;
}

size_t mt_strassen_workspace(const struct mt_strassen_how *how, int m, int n, int k,
                             double beta)
{
    const int levels = mt_strassen_how_levels(how, m, n, k, beta);
    const struct room room =
        mt_strassen_how_room(how, (size_t)m, (size_t)n, (size_t)k, levels);
    return room.sums + room.copies;
}
