/* SPDX-License-Identifier: BSD-3-Clause */
#include "results.h"

bool results_have(const struct results *results, enum way way)
{
    const struct settings *settings = results->settings;
    for (int i = 0; i < settings->nways; i++)
        if (settings->ways[i] == way)
            return true;
    return false;
}

enum way results_best_rival(const struct results *results, enum way way,
                            enum metric metric)
{
    const struct settings *settings = results->settings;
    enum way best = WAYS;
    for (int i = 0; i < settings->nways; i++) {
        const enum way other = settings->ways[i];
        if (other != way &&
            (best == WAYS || results->outcomes[other].metric[metric].median <
                                 results->outcomes[best].metric[metric].median))
            best = other;
    }
    return best;
}
