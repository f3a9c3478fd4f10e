/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the runs distinguish a form from simpler ones. */
#include "tells.h"
#include "lib/machine/internal.h"

#include "pins.h"
#include "start.h"
#include "tuning.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static struct mt_learn_place without_steps(const struct mt_learn_place *like)
{
    struct mt_learn_place bare = *like;
    bare.form.ncaches = 0;
    memset(bare.form.pins, 0, sizeof bare.form.pins);
    return bare;
}

/* Steps at those of the machine's caches that are in `mask`; false: none, or too
   many. */
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

static const double steepest[MT_NCONTENTIONS] = {
    [MT_CONTENTION_SATURATING] = steepest_saturating,
    [MT_CONTENTION_LOGARITHMIC] = steepest_logarithm,
    [MT_CONTENTION_POWER] = steepest_power,
};

/* Whether steps take most of a run's time. */
static bool computes(const struct mt_learn_sample *sample,
                     const struct mt_learn_form *form,
                     const struct mt_learn_values *values)
{
    struct mt_learn_sample computation = *sample;
    computation.demand.messages = 0;
    return mt_learn_seconds(form, values, &computation, NULL) > sample->seconds / 2;
}

/* Two distinct working sets of runs that compute, on a plateau between cache steps. */
struct plateau {
    double low, high;  /* logarithms of working sets */
    double set, other; /* 0: not seen */
};

static void add_to_plateau(struct plateau *plateau, double set)
{
    const double slack = 1e-3;
    if (log(set) < plateau->low - slack || log(set) > plateau->high + slack)
        return;
    if (plateau->set == 0)
        plateau->set = set;
    else if (set != plateau->set)
        plateau->other = set;
}

bool mt_learn_tells_steps(const struct mt_learn_data *data,
                          const struct mt_learn_form *form,
                          const struct mt_learn_values *values, int sets_before)
{
    if (form->ncaches == 0)
        return true;
    const int last = form->ncaches - 1;
    /* prior knowledge of a step at a cache of the machine determines half of it */
    const double known = form->pins[last] ? values->widths[last] / 2 : 0;
    struct plateau first = {-INFINITY, values->begins[0], 0, 0};
    struct plateau beyond = {values->begins[last] + values->widths[last] - known,
                             INFINITY, 0, 0};
    struct plateau between = beyond;
    if (last > 0)
        between = (struct plateau){values->begins[last - 1] + values->widths[last - 1],
                                   values->begins[last], 0, 0};
    for (int i = 0; i < data->count; i++) {
        const double set = data->samples[i].demand.working_set;
        if (set > 0 && computes(&data->samples[i], form, values)) {
            add_to_plateau(&first, set);
            add_to_plateau(&between, set);
            add_to_plateau(&beyond, set);
        }
    }
    return (sets_before < 2 ? first.set : first.other) > 0 &&
           (beyond.other > 0 || between.other > 0);
}

/* Whether some switches pass more than `strength` messages, and others do not. If all
   are congested, the strength is part of the bandwidth, unless a lone message was
   measured. */
static bool sees_switches(const struct mt_learn_data *data, double strength)
{
    double least = data->link.byte > 0 ? 1 : INFINITY, most = 0;
    for (int i = 0; i < data->count; i++) {
        const struct mt_meeting *meeting = &data->samples[i].meeting;
        if (data->samples[i].demand.messages == 0)
            continue;
        for (int k = 1; k <= meeting->most; k++)
            if (meeting->shares[k] > 0)
                least = fmin(least, k);
        most = fmax(most, meeting->most);
    }
    return strength > 1 && strength > least && strength < most;
}

/* Whether there are both congested trunks and messages that pass none, or one that is
   not congested. */
static bool sees_trunks(const struct mt_learn_data *data, double strength)
{
    bool sees_tight = false, sees_free = data->link.byte > 0;
    for (int i = 0; i < data->count; i++) {
        const struct mt_meeting *meeting = &data->samples[i].meeting;
        if (data->samples[i].demand.messages == 0)
            continue;
        for (int k = 0; k <= meeting->most; k++) {
            sees_tight = sees_tight || (meeting->shares[k] > 0 && k > strength);
            sees_free = sees_free || (meeting->shares[k] > 0 && k < strength);
        }
    }
    return sees_tight && sees_free;
}

/* Whether the time of a byte of a lone message is plausible: if it was measured, close
   to that. */
static bool may_be_alone(const struct mt_learn_data *data, double byte)
{
    return data->link.byte == 0 ||
           fabs(log(byte / data->link.byte)) < log(1 + same_number);
}

bool mt_learn_tells_law(const struct mt_learn_data *data,
                        const struct mt_learn_form *form,
                        const struct mt_learn_values *values)
{
    if (!form->messages || form->contention == MT_CONTENTION_NONE || form->room > 0)
        return true;
    if (form->contention == MT_CONTENTION_TRUNKS)
        return sees_trunks(data, values->strength);
    if (form->contention == MT_CONTENTION_STAGES)
        return form->proportional ? may_be_alone(data, values->byte)
                                  : sees_switches(data, values->strength);
    if (mt_contention_has_exponent(form->contention))
        return values->exponent > flattest &&
               values->exponent < steepest[form->contention];
    double most = 0, second = 0, fewest = INFINITY;
    for (int i = 0; i < data->count; i++) {
        const double together = mt_together(&data->samples[i].demand);
        if (together > 1)
            fewest = fmin(fewest, together);
        if (together > most) {
            second = most;
            most = together;
        } else if (together < most) {
            second = fmax(second, together);
        }
    }
    if (form->contention == MT_CONTENTION_LIMITED &&
        values->strength < fewest * (1 + same_number))
        return false;
    return values->strength <= second * (1 + same_number);
}

bool mt_learn_tells_lengths(const struct mt_learn_data *data)
{
    int uneven = 0;
    for (int i = 0; i < data->count; i++) {
        const struct mt_demand *demand = &data->samples[i].demand;
        uneven +=
            demand->messages > 0 && demand->mean_bytes < demand->bytes * (1 - differs);
    }
    return uneven >= ENOUGH_UNEVEN;
}
