/* SPDX-License-Identifier: BSD-3-Clause */
#include "places.h"

#include "pins.h"
#include "start.h"

#include <math.h>
#include <string.h>

static struct mt_learn_place without_steps(const struct mt_learn_place *like)
{
    struct mt_learn_place bare = *like;
    bare.form.ncaches = 0;
    memset(bare.form.pins, 0, sizeof bare.form.pins);
    return bare;
}

/* Steps at those of the machine's caches that are in `mask`; false: they are none, or
   too many. */
static bool pin_steps(struct mt_learn_place *pinned, const struct mt_learn_data *data,
                      unsigned mask)
{
    struct mt_learn_form *form = &pinned->form;
    struct mt_learn_values *values = &pinned->values;
    for (int i = 0; i < data->ncaches; i++) {
        if (!(mask >> i & 1))
            continue;
        if (form->ncaches == MT_MAX_CACHE_STEPS)
            return false;
        const int step = form->ncaches++;
        form->pins[step] = (signed char)(i + 1);
        mt_learn_pin(values, step, data->caches[i]);
        if (step == 0)
            continue;
        const double gap = values->begins[step] - values->begins[step - 1];
        values->widths[step - 1] = fmin(values->widths[step - 1], 0.9 * gap);
    }
    return form->ncaches > 0;
}

/* One step more, anywhere. */
static int add_step(struct mt_learn_place *more, const struct mt_learn_data *data,
                    struct mt_error *err)
{
    struct mt_learn_form *form = &more->form;
    const struct mt_learn_values before = more->values;
    const int last = form->ncaches++;
    const int status = mt_learn_add_cache(&more->values, form, data, err);
    int place = 0;
    while (place < last && more->values.begins[place] == before.begins[place])
        place++;
    memmove(&form->pins[place + 1], &form->pins[place], (size_t)(last - place));
    form->pins[place] = 0;
    return status;
}

/* Keep it, and with one more step. */
static int keep(struct mt_learn_place *found, int *count, struct mt_learn_place tried,
                const struct mt_learn_data *data, struct mt_error *err)
{
    found[(*count)++] = tried;
    if (tried.form.ncaches == MT_MAX_CACHE_STEPS)
        return MT_OK;
    const int status = add_step(&tried, data, err);
    if (status == MT_OK)
        found[(*count)++] = tried;
    return status;
}

int mt_learn_find_places(struct mt_learn_place *found, int *count,
                         const struct mt_learn_place *like,
                         const struct mt_learn_data *data, struct mt_error *err)
{
    struct mt_learn_place pair = without_steps(like);
    pair.form.ncaches = 2;
    *count = 0;
    bool placed = false;
    int status = mt_learn_place_pair(&pair.values, &placed, &pair.form, data, err);
    if (status == MT_OK && placed)
        status = keep(found, count, pair, data, err);
    for (unsigned mask = 1; mask < 1u << data->ncaches && status == MT_OK; mask++) {
        struct mt_learn_place pinned = without_steps(like);
        if (pin_steps(&pinned, data, mask))
            status = keep(found, count, pinned, data, err);
    }
    return status;
}
