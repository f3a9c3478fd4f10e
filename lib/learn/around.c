/* SPDX-License-Identifier: BSD-3-Clause */
/* Proposes runs around cache steps and in gaps where a step may be. */
#include "around.h"
#include "lib/machine/internal.h"

#include "pins.h"
#include "tuning.h"

#include <math.h>
#include <stdio.h>

/* Limits a bisection, which would not end beyond 2^53, where whole numbers are not all
   representable. */
enum { HALVINGS = 64 };

struct place {
    const struct mt_learn_data *data;
    const struct mt_shape *shape;
    int ranks;
    double largest; /* size */
};

static bool reaches(const struct place *place, double size, double working_set)
{
    struct mt_demand demand;
    return mt_shape_demand(&demand, place->shape, size, place->ranks, NULL) == MT_OK &&
           demand.working_set >= working_set;
}

/* The smallest whole size whose working set is at least that; 0: none. */
static double size_of(const struct place *place, double working_set)
{
    double low = 0, high = floor(place->largest);
    if (!reaches(place, high, working_set))
        return 0;
    for (int i = 0; i < HALVINGS && high - low > 1; i++) { /* high reaches it */
        const double middle = floor((low + high) / 2);
        if (reaches(place, middle, working_set))
            high = middle;
        else
            low = middle;
    }
    return mt_shape_valid(place->shape, high, place->ranks) ? high : 0;
}

static bool was_run(const struct place *place, double working_set)
{
    for (int i = 0; i < place->data->count; i++) {
        const double set = place->data->samples[i].demand.working_set;
        if (set > 0 && fabs(log(set / working_set)) < log(same_set))
            return true;
    }
    return false;
}

static void want(struct mt_learned *learned, const struct place *place,
                 double working_set, const char *why)
{
    const double size = size_of(place, working_set);
    bool known = size == 0 || was_run(place, working_set);
    for (int i = 0; i < learned->nwanted; i++)
        known = known || (learned->wanted[i].size == size &&
                          learned->wanted[i].ranks == place->ranks);
    if (known || learned->nwanted == MT_MAX_WANTED_RUNS)
        return;
    struct mt_wanted_run *run = &learned->wanted[learned->nwanted++];
    *run = (struct mt_wanted_run){.size = size, .ranks = place->ranks};
    snprintf(run->why, sizeof run->why, "%s", why);
}

static void want_step(struct mt_learned *learned, const struct place *place,
                      double begin, double end, const char *why)
{
    const double low = begin / outside, high = end * outside;
    for (int i = 0; i < SIZES_OF_STEP; i++)
        want(learned, place, low * pow(high / low, i / (SIZES_OF_STEP - 1.0)), why);
}

/* The next larger working set; infinite: none. */
static double next_set(const struct mt_learn_data *data, double set)
{
    double next = INFINITY;
    for (int i = 0; i < data->count; i++) {
        const double other = data->samples[i].demand.working_set;
        if (other > set * next_set_ratio && other < next)
            next = other;
    }
    return next;
}

struct mt_learn_gap mt_learn_find_gap(const struct mt_components *components,
                                      const struct mt_learn_data *data)
{
    struct mt_learn_gap gap = {0};
    double set = next_set(data, 0), next = next_set(data, set);
    for (; next < INFINITY; set = next, next = next_set(data, set)) {
        const double grows =
            mt_step_cost(components, next) / mt_step_cost(components, set);
        if (grows > gap.grows)
            gap = (struct mt_learn_gap){set, next, grows};
    }
    return gap;
}

static void want_gap(struct mt_learned *learned, const struct place *place)
{
    const struct mt_learn_gap gap =
        mt_learn_find_gap(&learned->components, place->data);
    for (int i = 1; gap.grows > some_growth && i <= SIZES_IN_GAP; i++)
        want(learned, place,
             gap.low * pow(gap.high / gap.low, i / (SIZES_IN_GAP + 1.0)),
             "tells where in between two sizes a cache step is");
}

void mt_learn_want_around(struct mt_learned *learned, const struct mt_learn_data *data,
                          const struct mt_shape *shape)
{
    struct place place = {data, shape, (int)data->samples[0].demand.ranks,
                          2 * learned->from.size_high};
    const struct mt_components *components = &learned->components;
    char why[sizeof learned->wanted[0].why];
    for (int i = 1; i < data->count; i++)
        if (data->samples[i].demand.ranks < place.ranks)
            place.ranks = (int)data->samples[i].demand.ranks;
    want_gap(learned, &place);
    if (data->ncaches == 0)
        return;
    for (int i = 0; i < data->ncaches; i++) {
        struct mt_learn_values values;
        mt_learn_pin(&values, 0, data->caches[i]);
        want_step(learned, &place, exp(values.begins[0]),
                  exp(values.begins[0] + values.widths[0]),
                  "tells what a cache of the machine does");
    }
    for (int i = 0; i < components->ncaches; i++) {
        snprintf(why, sizeof why, "tells where cache %d begins and ends", i + 1);
        want_step(learned, &place, components->caches[i].hit,
                  components->caches[i].miss, why);
    }
}
