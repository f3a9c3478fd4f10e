/* SPDX-License-Identifier: BSD-3-Clause */
#include "needs.h"

/* What is counted of a phase, or of a step. */
struct count {
    const struct pdgemm_layout *layout;
    int phase;
    int span; /* the last one that was visited; -1: none */
    struct pdgemm_needs needs;
};

size_t pdgemm_values(const struct pdgemm_area *area)
{
    return (size_t)pdgemm_size(area->rows) * (size_t)pdgemm_size(area->columns);
}

bool pdgemm_is_own(const struct pdgemm_layout *layout, int phase,
                   const struct pdgemm_piece *piece)
{
    const struct pdgemm_area area =
        pdgemm_span_area(layout, &layout->needs.spans[piece->span], phase);
    return piece->from == layout->rank && pdgemm_same_area(&piece->area, &area);
}

bool pdgemm_has_gaps(const struct pdgemm_area *piece, const struct pdgemm_area *whole)
{
    return pdgemm_size(piece->rows) < pdgemm_size(whole->rows) &&
           pdgemm_size(piece->columns) > 1;
}

bool pdgemm_is_strided(const struct pdgemm_piece *piece)
{
    return pdgemm_has_gaps(&piece->area, &piece->home);
}

static int count_receive(void *context, const struct pdgemm_piece *piece)
{
    struct count *count = context;
    const struct pdgemm_layout *layout = count->layout;
    const struct pdgemm_area area =
        pdgemm_span_area(layout, &layout->needs.spans[piece->span], count->phase);
    if (piece->span != count->span && !pdgemm_is_own(layout, count->phase, piece))
        count->needs.panels += pdgemm_values(&area);
    count->span = piece->span;
    if (piece->from == layout->rank)
        return 0;
    if (pdgemm_has_gaps(&piece->area, &area))
        count->needs.scattered += pdgemm_values(&piece->area);
    count->needs.receives++;
    return 0;
}

static int count_send(void *context, const struct pdgemm_piece *piece)
{
    struct count *count = context;
    const size_t values = pdgemm_values(&piece->area);
    if (values > count->needs.longest)
        count->needs.longest = values;
    if (pdgemm_is_strided(piece)) {
        count->needs.packed += values;
        count->needs.packed_sends++;
    }
    count->needs.sends++;
    return 0;
}

static void keep_most(size_t *most, size_t number)
{
    if (number > *most)
        *most = number;
}

struct pdgemm_needs pdgemm_count_needs(const struct pdgemm_layout *layout)
{
    struct pdgemm_needs most = {0};
    struct count step = {.layout = layout};
    for (int phase = 0; phase < layout->phases; phase++) {
        struct count receives = {.layout = layout, .phase = phase, .span = -1};
        if (mt_partition_turn_of_phase(layout->partition, phase) == 0)
            step.needs = (struct pdgemm_needs){0};
        step.phase = phase;
        const int sends = step.needs.sends;
        pdgemm_visit_receives(layout, phase, count_receive, &receives);
        pdgemm_visit_sends(layout, phase, count_send, &step);
        keep_most(&most.panels, receives.needs.panels);
        keep_most(&most.scattered, receives.needs.scattered);
        keep_most(&most.packed, step.needs.packed);
        keep_most(&most.longest, step.needs.longest);
        if (receives.needs.receives > most.receives)
            most.receives = receives.needs.receives;
        if (step.needs.packed_sends > most.packed_sends)
            most.packed_sends = step.needs.packed_sends;
        most.sends += step.needs.sends - sends;
    }
    return most;
}
