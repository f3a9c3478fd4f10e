/* SPDX-License-Identifier: BSD-3-Clause */
/* Prior knowledge as extra samples: cache sizes, uncontended messages. */
#include "pins.h"
#include "tuning.h"

#include <math.h>
#include <string.h>

double mt_learn_link_weight(const struct mt_learn_form *form,
                            const struct mt_learn_data *data)
{
    const bool alone = form->messages && form->contention == MT_CONTENTION_STAGES &&
                       !form->proportional;
    return alone && data->link.byte > 0 ? 1 / log(link_within) : 0;
}

int mt_learn_npinned(const struct mt_learn_form *form, const struct mt_learn_data *data)
{
    int count = mt_learn_link_weight(form, data) > 0;
    for (int i = 0; i < form->ncaches; i++)
        count += form->pins[i] ? 2 : 0;
    return count;
}

void mt_learn_pin(struct mt_learn_values *values, int step, double bytes)
{
    values->begins[step] = log(begins_at * bytes);
    values->widths[step] = log(lasts);
}

void mt_learn_pins_off(double *off, double (*slopes)[MT_LEARN_MAX_COEFFICIENTS],
                       const struct mt_learn_form *form,
                       const struct mt_learn_values *values,
                       const struct mt_learn_data *data, double scale)
{
    const double begin_scale = scale / log(begins_within),
                 width_scale = scale / log(lasts_within);
    double moves[MT_LEARN_MAX_COEFFICIENTS] = {0}; /* of where a step begins */
    double end = 0;
    int count = 0;
    for (int i = 0; i < form->ncaches; i++) {
        const int place = 1 + form->ncaches + 2 * i;
        moves[place] = i == 0 ? 1 : values->begins[i] - end;
        if (form->pins[i]) {
            const double known = log(begins_at * data->caches[form->pins[i] - 1]);
            off[count] = begin_scale * (values->begins[i] - known);
            off[count + 1] = width_scale * log(values->widths[i] / log(lasts));
            if (slopes) {
                memset(slopes[count], 0, 2 * sizeof *slopes);
                for (int j = 0; j <= place; j++)
                    slopes[count][j] = begin_scale * moves[j];
                slopes[count + 1][place + 1] = width_scale;
            }
            count += 2;
        }
        moves[place + 1] = values->widths[i];
        end = values->begins[i] + values->widths[i];
    }
    const double link_scale = scale * mt_learn_link_weight(form, data);
    if (link_scale == 0)
        return;
    off[count] = link_scale * log(values->byte / data->link.byte);
    if (slopes) {
        memset(slopes[count], 0, sizeof *slopes);
        slopes[count][1 + 3 * form->ncaches + form->near] = link_scale;
    }
}
