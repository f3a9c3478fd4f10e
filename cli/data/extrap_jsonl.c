/* SPDX-License-Identifier: BSD-3-Clause */
/* Extra-P's JSON lines: an object a line, with the point, the region ("callpath"), the
   metric and its value or the list of its values. */
#include "cli/common/json.h"
#include "extrap.h"

#include <stdlib.h>
#include <string.h>

static json_t *point_to_json(const struct mt_extrap_value *value, int count)
{
    json_t *seconds = json_array();
    int failed = 0;
    for (int i = 0; i < count; i++)
        failed |= json_array_append_new(seconds, mt_json_number(value[i].seconds));
    if (failed) {
        json_decref(seconds);
        return NULL;
    }
    return json_pack("{s:{s:o, s:i}, s:o, s:s, s:o}", "params", "N",
                     mt_json_number(value->size), "P", value->ranks, "callpath",
                     mt_json_text(value->region), "metric",
                     mt_extrap_metric(value->simulated), "value", seconds);
}

static int write_lines(struct mt_target *target, const struct mt_runs *runs,
                       struct mt_error *err)
{
    struct mt_extrap_values values = {0};
    int status = mt_extrap_collect(&values, runs, err);
    if (status != MT_OK)
        return status;
    target->left_out = runs->count - values.count;
    for (int i = 0; status == MT_OK && i < values.count;) {
        int count = mt_extrap_alike(&values, i, true);
        json_t *object = point_to_json(&values.values[i], count);
        mt_json_write(object, 0, target->stream);
        json_decref(object);
        i += count;
    }
    free(values.values);
    return status;
}

static int read_point(const struct mt_source *source, struct mt_extrap_point *point,
                      json_t *parameters, struct mt_error *err)
{
    const char *name;
    json_t *value;
    json_object_foreach(parameters, name, value)
    {
        int status =
            json_is_number(value)
                ? mt_extrap_set(source, point, name, json_number_value(value), err)
                : mt_source_fail(source, err, "parameter '%s' is no number", name);
        if (status != MT_OK)
            return status;
    }
    return MT_OK;
}

static int read_object(struct mt_extrap_file *file, const struct mt_source *source,
                       json_t *object, struct mt_runs *runs, struct mt_error *err)
{
    json_t *parameters, *value;
    const char *callpath = "", *metric = "time";
    json_error_t error;
    if (json_unpack_ex(object, &error, JSON_STRICT, "{s:o, s?s, s?s, s:o}", "params",
                       &parameters, "callpath", &callpath, "metric", &metric, "value",
                       &value))
        return mt_source_fail(source, err, "%s", error.text);
    struct mt_extrap_point point = {.region = callpath, .metric = metric};
    int status = read_point(source, &point, parameters, err);
    const bool list = json_is_array(value);
    for (size_t i = 0; status == MT_OK && i < (list ? json_array_size(value) : 1);
         i++) {
        const json_t *seconds = list ? json_array_get(value, i) : value;
        status = json_is_number(seconds)
                     ? mt_extrap_add(file, source, runs, &point,
                                     json_number_value(seconds), err)
                     : mt_source_fail(source, err, "a value is no number");
    }
    return status;
}

static int read_line(struct mt_extrap_file *file, const struct mt_source *source,
                     const char *line, struct mt_runs *runs, struct mt_error *err)
{
    json_error_t error;
    if (!line[strspn(line, " \t\r\n")])
        return MT_OK;
    json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, &error);
    const int status = object ? read_object(file, source, object, runs, err)
                              : mt_source_fail(source, err, "%s", error.text);
    json_decref(object);
    return status;
}

static int read_lines(struct mt_source *source, struct mt_runs *runs,
                      struct mt_error *err)
{
    struct mt_extrap_file file = {.regions = NULL};
    struct mt_line line = {0};
    int status = mt_extrap_begin(&file, source, err);
    if (status == MT_OK)
        status = mt_source_line(source, &line, err);
    while (status == MT_OK && !line.ended) {
        status = read_line(&file, source, line.text, runs, err);
        if (status == MT_OK)
            status = mt_source_line(source, &line, err);
    }
    if (status == MT_OK)
        status = mt_extrap_end(&file, source, runs, err);
    mt_extrap_clear(&file);
    mt_line_clear(&line);
    return status;
}

const struct mt_format mt_format_extrap_jsonl = {"extra-p-jsonl", write_lines,
                                                 read_lines};
