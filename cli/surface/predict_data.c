/* SPDX-License-Identifier: BSD-3-Clause */
#include "predict.h"

#include "cli/common/json.h"
#include "text.h"

#include <math.h>
#include <stdio.h>

static double size_of(const struct mt_surface_prediction *prediction, int index)
{
    return prediction->sizes.values[index / prediction->nodes.count];
}

static double nodes_of(const struct mt_surface_prediction *prediction, int index)
{
    return prediction->nodes.values[index % prediction->nodes.count];
}

static int count_points(const struct mt_surface_prediction *prediction)
{
    return prediction->sizes.count * prediction->nodes.count;
}

/* Nothing for a number that is not known. */
static void print_number(double number)
{
    if (isnan(number))
        putchar(',');
    else
        printf("%.12g,", number);
}

void mt_surface_prediction_print_csv(const struct mt_surface_prediction *prediction)
{
    puts("size,nodes,seconds,compute,communicate,speed,efficiency,memory,fits,valid");
    for (int i = 0; i < count_points(prediction); i++) {
        const struct mt_surface_point *point = &prediction->points[i];
        printf("%.15g,%.15g,", size_of(prediction, i), nodes_of(prediction, i));
        print_number(point->seconds);
        print_number(point->compute);
        print_number(point->communicate);
        print_number(point->speed);
        print_number(point->efficiency);
        print_number(point->memory > 0 ? point->memory : NAN);
        printf("%s,%s\n", point->fits ? "true" : "false",
               point->valid ? "true" : "false");
    }
}

/* Make an array of what `make` returns for 0 .. count - 1. */
static json_t *list(const struct mt_surface_prediction *prediction, int count,
                    json_t *(*make)(const struct mt_surface_prediction *, int))
{
    json_t *array = json_array();
    for (int i = 0; array && i < count; i++)
        if (json_array_append_new(array, make(prediction, i))) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *size_json(const struct mt_surface_prediction *prediction, int i)
{
    return mt_json_number(prediction->sizes.values[i]);
}

static json_t *nodes_json(const struct mt_surface_prediction *prediction, int i)
{
    return mt_json_number(prediction->nodes.values[i]);
}

static json_t *point_json(const struct mt_surface_prediction *prediction, int i)
{
    const struct mt_surface_point *point = &prediction->points[i];
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b}", "size",
        mt_json_number(size_of(prediction, i)), "nodes",
        mt_json_number(nodes_of(prediction, i)), "seconds",
        mt_json_number(point->seconds), "compute", mt_json_number(point->compute),
        "communicate", mt_json_number(point->communicate), "speed",
        mt_json_number(point->speed), "efficiency", mt_json_number(point->efficiency),
        "memory", mt_json_number(point->memory > 0 ? point->memory : NAN), "fits",
        (int)point->fits, "valid", (int)point->valid);
}

static json_t *ridge_json(const struct mt_surface_prediction *prediction, int i)
{
    const struct mt_ridge_point *best = &prediction->ridge[i];
    if (!best->found)
        return json_pack("{s:o, s:n, s:n, s:n, s:n}", "nodes",
                         nodes_json(prediction, i), "size", "seconds", "speed",
                         "efficiency");
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "nodes", nodes_json(prediction, i),
                     "size", mt_json_number(best->size), "seconds",
                     mt_json_number(best->point.seconds), "speed",
                     mt_json_number(best->point.speed), "efficiency",
                     mt_json_number(best->point.efficiency));
}

static json_t *cliff_json(const struct mt_surface_prediction *prediction, int i)
{
    const struct mt_cliff *cliff = &prediction->cliffs.cliffs[i];
    return json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o}", "along",
        cliff->along_nodes ? "nodes" : "size", cliff->along_nodes ? "size" : "nodes",
        mt_json_number(cliff->other), "from", mt_json_number(cliff->from), "to",
        mt_json_number(cliff->to), "before", mt_json_number(cliff->before), "after",
        mt_json_number(cliff->after));
}

static json_t *speedup_json(const struct mt_surface_prediction *prediction, int i)
{
    static const char *const names[MT_NSPEEDUPS] = {
        [MT_SPEEDUP_FIXED_SIZE] = "fixed_size",
        [MT_SPEEDUP_FIXED_TIME] = "fixed_time",
        [MT_SPEEDUP_MEMORY_BOUNDED] = "memory_bounded",
    };
    const struct mt_speedup_row *row = &prediction->speedups[i];
    json_t *object = json_pack("{s:o}", "nodes", nodes_json(prediction, i));
    for (int kind = 0; object && kind < MT_NSPEEDUPS; kind++)
        json_object_set_new(object, names[kind],
                            json_pack("{s:o, s:o}", "speedup",
                                      mt_json_number(row->speedups[kind]), "size",
                                      mt_json_number(row->sizes[kind])));
    return object;
}

static json_t *iso_json(const struct mt_surface_prediction *prediction, int i)
{
    const struct mt_iso_row *row = &prediction->isos[i];
    const double nodes = nodes_of(prediction, i),
                 level = prediction->levels[i / prediction->nodes.count];
    const struct mt_surface *surface = prediction->surface;
    json_t *object = json_pack("{s:o, s:o}", "efficiency", mt_json_number(level),
                               "nodes", mt_json_number(nodes));
    if (object)
        json_object_update_new(
            object,
            row->found
                ? json_pack("{s:o, s:o, s:o, s:o}", "smallest",
                            mt_json_number(row->sizes.low), "largest",
                            mt_json_number(row->sizes.high), "smallest_work",
                            mt_json_number(
                                mt_surface_at(surface, row->sizes.low, nodes).work),
                            "largest_work",
                            mt_json_number(
                                mt_surface_at(surface, row->sizes.high, nodes).work))
                : json_pack("{s:n, s:n, s:n, s:n}", "smallest", "largest",
                            "smallest_work", "largest_work"));
    return object;
}

int mt_surface_prediction_print_json(const struct mt_surface_prediction *prediction,
                                     struct mt_error *err)
{
    const int nodes = prediction->nodes.count;
    json_t *object = mt_surface_json(prediction->surface);
    json_t *found = json_pack("{s:o, s:o, s:o, s:o, s:o}", "sizes",
                              list(prediction, prediction->sizes.count, size_json),
                              "nodes", list(prediction, nodes, nodes_json), "points",
                              list(prediction, count_points(prediction), point_json),
                              "ridge", list(prediction, nodes, ridge_json), "cliffs",
                              list(prediction, prediction->cliffs.count, cliff_json));
    if (prediction->base > 0)
        json_object_set_new(found, "speedups",
                            json_pack("{s:o, s:o}", "base",
                                      mt_json_number(prediction->base), "rows",
                                      list(prediction, nodes, speedup_json)));
    if (prediction->nlevels > 0)
        json_object_set_new(found, "iso_efficiency",
                            list(prediction, prediction->nlevels * nodes, iso_json));
    if (!object || json_object_update_missing(object, found)) {
        json_decref(object);
        object = NULL;
    }
    json_decref(found);
    return mt_json_print(object, stdout, err);
}
