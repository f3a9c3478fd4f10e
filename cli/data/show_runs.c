/* SPDX-License-Identifier: BSD-3-Clause */
#include "show.h"

#include "cli/common/command.h"
#include "cli/common/json.h"
#include "cli/common/table.h"
#include "cli/plan/run_json.h"

#include <inttypes.h>

static void add_row(struct mt_table *table, const struct mt_run *run)
{
    char id[24], size[32], repetition[16], seconds[32] = "-", outcome[256];
    snprintf(id, sizeof id, "%" PRId64, run->id);
    snprintf(size, sizeof size, "%.15g", run->size);
    snprintf(repetition, sizeof repetition, "%d", run->repetition);
    snprintf(outcome, sizeof outcome, "%s%s%s", mt_outcome_name(run->outcome),
             run->reason ? ": " : "", run->reason ? run->reason : "");
    if (run->outcome == MT_RUN_OK)
        mt_format_seconds(seconds, run->seconds);
    mt_table_add(table, id, run->cluster, run->program, run->configuration, size,
                 repetition, seconds, run->simulated ? "simulated" : "measured",
                 run->launcher ? run->launcher : "-", outcome, NULL);
}

static int print_table(const struct mt_runs *runs, struct mt_error *err)
{
    struct mt_table table = {0};
    mt_table_add(&table, ">id", "cluster", "program", "configuration", ">N", ">rep",
                 ">seconds", "source", "launcher", "outcome", NULL);
    for (int i = 0; i < runs->count; i++)
        add_row(&table, &runs->runs[i]);
    return mt_table_print(&table, stdout, err);
}

/* The runs as for export, each with its id. */
static int print_json(const struct mt_runs *runs, struct mt_error *err)
{
    bool simulated = false;
    int failed = 0;
    json_t *list = json_array(), *object = NULL;
    for (int i = 0; i < runs->count; i++) {
        json_t *run = mt_run_to_json(&runs->runs[i]);
        simulated = simulated || runs->runs[i].simulated;
        failed |= json_object_set_new(run, "id", json_integer(runs->runs[i].id));
        failed |= json_array_append_new(list, run);
    }
    if (failed)
        json_decref(list);
    else
        object = json_pack("{s:b, s:o}", "simulated", simulated, "runs", list);
    return mt_json_print(object, stdout, err);
}

static void keep_failed(struct mt_runs *runs)
{
    int kept = 0;
    for (int i = 0; i < runs->count; i++)
        if (runs->runs[i].outcome != MT_RUN_OK)
            runs->runs[kept++] = runs->runs[i];
        else
            mt_run_clear(&runs->runs[i]);
    runs->count = kept;
}

int mt_show_runs(struct mt_store *store, const struct mt_run_filter *filter,
                 bool failed_only, struct mt_error *err)
{
    struct mt_runs runs = {0};
    int status = mt_store_runs(store, &runs, filter, err);
    if (status)
        return status;
    if (failed_only)
        keep_failed(&runs);
    status = mt_common.json ? print_json(&runs, err) : print_table(&runs, err);
    mt_runs_clear(&runs);
    return status;
}
