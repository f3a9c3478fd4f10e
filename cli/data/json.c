/* SPDX-License-Identifier: BSD-3-Clause */
/* One JSON object: {..., "simulated": ..., "runs": [{...}, ...]}. */
#include "cli/common/json.h"
#include "columns.h"
#include "formats.h"
#include "lib/store/internal.h"

static int write_json(struct mt_target *target, const struct mt_runs *runs,
                      struct mt_error *err)
{
    (void)err;
    mt_document_print("motley/runs", 1, mt_runs_to_json(runs, false), target->stream);
    return MT_OK;
}

static int set_members(struct mt_run *run, json_t *object, struct mt_error *err)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return mt_fail(err, MT_EPARSE, "it is no object");
    json_object_foreach(object, key, value)
    {
        const int column = mt_run_column_find(key);
        if (column < 0)
            return mt_fail(err, MT_EPARSE, "unknown member '%s'", key);
        const int status = mt_run_set_json(run, column, value, err);
        if (status != MT_OK)
            return status;
    }
    return MT_OK;
}

/* jansson knows the lines only while it parses: what is wrong with a run is said with
   the run's place in the list. */
static int read_run(const struct mt_source *source, struct mt_run *run, size_t index,
                    json_t *object, struct mt_error *err)
{
    struct mt_error reason;
    const int status = set_members(run, object, &reason);
    return status == MT_OK
               ? MT_OK
               : mt_source_fail(source, err, "run %zu: %s", index + 1, reason.text);
}

static int add_run(const struct mt_source *source, struct mt_runs *runs,
                   struct mt_run *run, size_t index, struct mt_error *err)
{
    struct mt_error reason;
    const int status = mt_source_add(source, runs, run, &reason);
    return status == MT_OK
               ? MT_OK
               : mt_fail(err, status, "%s (run %zu)", reason.text, index + 1);
}

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
    if (json_object_get(root, "results"))
        status = mt_source_fail(source, err,
                                "this is hyperfine's JSON: import what its option "
                                "--export-csv writes");
    else if (json_object_get(root, "session_info"))
        status = mt_source_fail(
            source, err, "this is ReFrame's report: import its perflogs, as CSV");
    else if (!json_is_array(list))
        status = mt_source_fail(source, err, "there is no list \"runs\"");
    for (size_t i = 0; status == MT_OK && i < json_array_size(list); i++) {
        struct mt_run run = {0};
        status = read_run(source, &run, i, json_array_get(list, i), err);
        if (status == MT_OK)
            status = add_run(source, runs, &run, i, err);
        mt_run_clear(&run);
    }
    json_decref(root);
    return status;
}

const struct mt_format mt_format_json = {"json", write_json, read_json};
