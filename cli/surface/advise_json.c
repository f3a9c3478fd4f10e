/* SPDX-License-Identifier: BSD-3-Clause */
#include "advise.h"

#include "cli/common/json.h"
#include "text.h"

#include <math.h>

static json_t *place_json(const struct mt_place *place)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:b, s:b}", "size",
                     mt_json_number(place->size), "nodes", mt_json_number(place->nodes),
                     "seconds", mt_json_number(place->point.seconds), "speed",
                     mt_json_number(place->point.speed), "efficiency",
                     mt_json_number(place->point.efficiency), "fits",
                     (int)place->point.fits, "valid", (int)place->point.valid);
}

static json_t *falls_json(const struct mt_advice *advice)
{
    static const char *const reasons[] = {
        [MT_LOSS_CACHE] = "cache",
        [MT_LOSS_IMBALANCE] = "imbalance",
        [MT_LOSS_MESSAGES] = "messages",
    };
    json_t *array = json_array();
    for (int i = 0; array && i < advice->nfalls; i++) {
        const struct mt_fall *fall = &advice->falls[i];
        if (json_array_append_new(array, json_pack("{s:o, s:o, s:o, s:o, s:s}", "from",
                                                   mt_json_number(fall->from), "to",
                                                   mt_json_number(fall->to), "before",
                                                   mt_json_number(fall->before),
                                                   "after", mt_json_number(fall->after),
                                                   "reason", reasons[fall->loss]))) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static json_t *growth_json(const struct mt_advice *advice)
{
    json_t *array = json_array();
    for (int i = 0; array && i < advice->ngrowth; i++)
        if (json_array_append_new(array, place_json(&advice->growth[i]))) {
            json_decref(array);
            return NULL;
        }
    return array;
}

/* 0 stands for none. */
static json_t *number_or_null(double number)
{
    return mt_json_number(number > 0 ? number : NAN);
}

int mt_advice_print_json(const struct mt_advice *advice, struct mt_error *err)
{
    json_t *object = mt_surface_json(advice->surface);
    json_t *found = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "nodes",
        mt_json_number(advice->nodes), "best", place_json(&advice->best), "close",
        place_json(&advice->close), "chosen", place_json(&advice->chosen), "worthwhile",
        place_json(&advice->enough), "all", place_json(&advice->all), "best_nodes",
        number_or_null(advice->best_nodes), "memory_limit",
        number_or_null(advice->memory_limit), "falls", falls_json(advice), "growth",
        growth_json(advice));
    if (!object || json_object_update_missing(object, found)) {
        json_decref(object);
        object = NULL;
    }
    json_decref(found);
    return mt_json_print(object, stdout, err);
}
