/* SPDX-License-Identifier: BSD-3-Clause */
/* One JSON object: {"simulated": ..., "runs": [{...}, ...]}. */
#include "cli/common/json.h"
#include "cli/plan/run_json.h"
#include "formats.h"

static int write_json(FILE *stream, const struct mt_runs *runs, int *left_out,
                      struct mt_error *err)
{
    *left_out = 0;
    bool simulated = false;
    json_t *list = json_array(), *object = NULL;
    int failed = 0;
    for (int i = 0; i < runs->count; i++) {
        simulated = simulated || runs->runs[i].simulated;
        failed |= json_array_append_new(list, mt_run_to_json(&runs->runs[i]));
    }
    if (failed)
        json_decref(list);
    else
        object = json_pack("{s:b, s:o}", "simulated", simulated, "runs", list);
    return mt_json_print(object, stream, err);
}

static int add_run(const struct mt_source *source, struct mt_runs *runs, size_t index,
                   json_t *object, struct mt_error *err)
{
    struct mt_run run = {0};
    struct mt_error reason = {0};
    int status = mt_run_from_json(&run, object, &reason);
    if (status)
        status = mt_source_fail(source, err, "run %zu: %s", index + 1, reason.text);
    else if ((status = mt_source_add(source, runs, &run, &reason)))
        status = mt_fail(err, status, "%s (run %zu)", reason.text, index + 1);
    mt_run_clear(&run);
    return status;
}

/* jansson knows the lines only while it parses: what is wrong with a run is said with
   the run's place in the list. */
static int read_json(struct mt_source *source, struct mt_runs *runs,
                     struct mt_error *err)
{
    json_error_t error;
    json_t *root = json_loadf(source->stream, JSON_REJECT_DUPLICATES, &error);
    if (!root) {
        source->line = error.line > 0 ? error.line : 0;
        return mt_source_fail(source, err, "%s", error.text);
    }
    const json_t *list = json_object_get(root, "runs");
    int status = MT_OK;
    if (!json_is_array(list))
        status = mt_source_fail(source, err, "there is no list \"runs\"");
    for (size_t i = 0; !status && i < json_array_size(list); i++)
        status = add_run(source, runs, i, json_array_get(list, i), err);
    json_decref(root);
    return status;
}

const struct mt_format mt_format_json = {"json", write_json, read_json};
