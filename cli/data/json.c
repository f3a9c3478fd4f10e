/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads JSON: ours, {..., "runs": [{...}, ...]}, and other programs' reports, as
   tables. */
#include "cli/process/memory.h"
#include "lib/store/internal.h"
#include "rows.h"

#include <stdlib.h>
#include <string.h>

static int set_member(struct mt_run *run, const char *key, const json_t *value,
                      struct mt_error *err)
{
    const int column = mt_run_column_find(key);
    return column < 0 ? mt_fail(err, MT_EPARSE, "unknown member '%s'", key)
                      : mt_run_set_json(run, column, value, err);
}

static int read_object(struct mt_source *source, struct mt_run *run, json_t *object,
                       struct mt_error *err)
{
    struct mt_error reason;
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return mt_source_fail(source, err, "it is not an object");
    json_object_foreach(object, key, value)
    {
        if (set_member(run, key, value, &reason) != MT_OK)
            return mt_source_fail(source, err, "%s", reason.text);
    }
    return MT_OK;
}

/* jansson has line numbers only while parsing, so errors give the run's place in the
   list. */
static int read_ours(struct mt_source *source, struct mt_runs *runs, const json_t *root,
                     struct mt_error *err)
{
    const json_t *list = json_object_get(root, "runs");
    json_t *object;
    size_t i;
    int status = json_is_array(list)
                     ? MT_OK
                     : mt_source_fail(source, err, "it has no list \"runs\"");
    json_array_foreach(list, i, object)
    {
        struct mt_run run = {0};
        source->run = (int)i + 1;
        if (status == MT_OK)
            status = read_object(source, &run, object, err);
        if (status == MT_OK)
            status = mt_source_add(source, runs, &run, err);
        mt_run_clear(&run);
    }
    return status;
}

/* Reports of other programs: runs are the elements of `list`, or of the list `sub` in
   each of these. A run has several results, each of which becomes a row: numbers;
   objects with a name, a value and a unit; or lists of a value, ... and a unit by
   name. */
static const struct kind {
    const char *mark; /* a member unique to these reports */
    const char *list, *sub, *results[2];
    const char *rules; /* the default rules of columns */
} kinds[] = {
    {"results",
     "results",
     NULL,
     {"times", "times"},
     "seconds=times,outcome=exit_codes"},
    {"session_info",
     "runs",
     "testcases",
     {"perfvalues", "perfvars"},
     "seconds=perf.value,ranks=num_tasks,ppn=num_tasks_per_node,outcome=result"},
};

/* A table under construction, with the names of all rows. */
struct report {
    const struct kind *kind;
    struct mt_rows rows;
    char **names, **cells; /* owned */
    int count;
    bool begun; /* all names are known: rows are added */
};

/* Takes the text over. */
static void set_cell(struct report *report, const char *name, char *text)
{
    int i = 0;
    while (i < report->count && strcmp(report->names[i], name) != 0)
        i++;
    if (i == report->count) {
        mt_array_extend(&report->names, i, sizeof *report->names);
        mt_array_extend(&report->cells, i, sizeof *report->cells);
        report->names[i] = mt_strdup(name);
        report->cells[report->count++] = NULL;
    }
    free(report->cells[i]);
    report->cells[i] = text;
}

static char *text_of(const json_t *value)
{
    return json_is_string(value) ? mt_strdup(json_string_value(value))
           : !value || json_is_null(value)
               ? mt_strdup("")
               : mt_need(json_dumps(value, JSON_ENCODE_ANY));
}

/* Members of members are called "MEMBER.MEMBER". A list of `count` elements yields its
   element `i`. */
static void set_cells(struct report *report, const char *name, json_t *value, size_t i,
                      size_t count)
{
    const char *key;
    json_t *member;
    if (!json_is_object(value)) {
        if (json_is_array(value) && json_array_size(value) == count)
            value = json_array_get(value, i);
        set_cell(report, name, text_of(value));
    }
    json_object_foreach(value, key, member)
    {
        char *path = mt_asprintf("%s%s%s", name, *name ? "." : "", key);
        set_cells(report, path, member, i, count);
        free(path);
    }
}

/* A result as "perf.name" and "perf.value", with the unit. */
static void set_result(struct report *report, const char *name, const json_t *value,
                       const json_t *unit)
{
    const char *colon = strrchr(name, ':'); /* behind the system and the partition */
    char *number = text_of(value), *of = text_of(unit);
    set_cell(report, "perf.name", mt_strdup(colon ? colon + 1 : name));
    set_cell(report, "perf.value",
             *number ? mt_asprintf("%s %s", number, of) : mt_strdup(""));
    free(number);
    free(of);
}

/* The run's results: a row each, or one row without. */
static int read_run(struct report *report, json_t *run, struct mt_error *err)
{
    enum { VALUE = 0, UNIT = 4 }; /* in ReFrame's lists */
    json_t *results = json_object_get(run, report->kind->results[0]);
    if (!results)
        results = json_object_get(run, report->kind->results[1]);
    const bool named = json_is_object(results);
    const size_t count = named ? json_object_size(results) : json_array_size(results);
    void *at = named ? json_object_iter(results) : NULL;
    int status = MT_OK;
    for (size_t i = 0; status == MT_OK && (i < count || i == 0); i++) {
        json_t *result =
            named ? json_object_iter_value(at) : json_array_get(results, i);
        const json_t *name = json_object_get(result, "name");
        for (int k = 0; k < report->count; k++)
            set_cell(report, report->names[k], mt_strdup(""));
        set_cells(report, "", run, i, json_is_number(result) ? count : 0);
        if (json_is_array(result))
            set_result(report, json_object_iter_key(at), json_array_get(result, VALUE),
                       json_array_get(result, UNIT));
        else if (json_is_string(name))
            set_result(report, json_string_value(name),
                       json_object_get(result, "value"),
                       json_object_get(result, "unit"));
        report->rows.source->run++;
        if (report->begun)
            status = mt_rows_add(&report->rows, report->cells, err);
        at = at ? json_object_iter_next(results, at) : NULL;
    }
    return status;
}

static int read_runs(struct report *report, const json_t *root, struct mt_error *err)
{
    const char *sub = report->kind->sub;
    json_t *element, *run;
    size_t i, k;
    int status = MT_OK;
    report->rows.source->run = 0;
    json_array_foreach(json_object_get(root, report->kind->list), i, element)
    {
        if (!sub && status == MT_OK)
            status = read_run(report, element, err);
        json_array_foreach(sub ? json_object_get(element, sub) : NULL, k, run)
        {
            if (status == MT_OK)
                status = read_run(report, run, err);
        }
    }
    return status;
}

/* Two passes, the first for the names. */
static int read_report(struct report *report, const json_t *root, struct mt_error *err)
{
    struct mt_source *source = report->rows.source;
    int status = read_runs(report, root, err);
    source->run = 0;
    if (status == MT_OK)
        status = mt_rows_begin(&report->rows, report->names, report->count,
                               report->kind->rules, err);
    if (status == MT_OK && !source->where &&
        mt_column_place(&report->rows, "perf.name") >= 0)
        status = mt_source_fail(source, err,
                                "which result is the time is not said: "
                                "give '--where perf.name=NAME'");
    report->begun = true;
    if (status == MT_OK)
        status = read_runs(report, root, err);
    for (int i = 0; i < report->count; i++) {
        free(report->names[i]);
        free(report->cells[i]);
    }
    free(report->names);
    free(report->cells);
    return mt_rows_end(&report->rows, status, err);
}

int mt_json_read(struct mt_source *source, struct mt_runs *runs, struct mt_error *err)
{
    json_error_t error;
    json_t *root = json_loadf(source->stream, JSON_REJECT_DUPLICATES, &error);
    struct report report = {.rows = {.source = source, .runs = runs}};
    int status;
    if (!root) {
        source->line = error.line > 0 ? error.line : 0;
        return mt_source_fail(source, err, "%s", error.text);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (json_object_get(root, kinds[i].mark))
            report.kind = &kinds[i];
    if (report.kind)
        status = read_report(&report, root, err);
    else if (source->columns || source->where)
        status = mt_source_fail(source, err,
                                "--columns and --where say nothing about runs that "
                                "motley exported");
    else
        status = read_ours(source, runs, root, err);
    json_decref(root);
    return status;
}
