/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples.h"

#include <stdlib.h>

struct sample *samples_new(void)
{
    struct sample *samples = malloc(SAMPLES * sizeof *samples);
    for (int i = 0; samples && i < SAMPLES; i++)
        samples[i] = (struct sample){.key = NO_KEY};
    return samples;
}

void samples_put(struct sample *samples, const struct sample *sample)
{
    struct sample *slot = &samples[sample->key % SAMPLES];
    if (sample->key < slot->key)
        *slot = *sample;
}
