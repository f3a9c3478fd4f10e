/* SPDX-License-Identifier: BSD-3-Clause */
#include "show.h"

#include "cli/common/command.h"
#include "cli/common/json.h"
#include "cli/plan/models_json.h"
#include "cli/plan/models_print.h"

#include <stdlib.h>

/* The models of one kind for one program on one cluster. */
struct shown {
    struct mt_models models;
    struct mt_models_origin origin;
};

static int print_json(const struct shown *shown, int count, struct mt_error *err)
{
    json_t *list = json_array(), *object = NULL;
    bool simulated = false;
    int failed = 0;
    for (int i = 0; i < count; i++) {
        simulated = simulated || shown[i].origin.simulated;
        failed |= json_array_append_new(
            list, mt_models_to_json(&shown[i].models, &shown[i].origin));
    }
    if (failed)
        json_decref(list);
    else
        object = json_pack("{s:b, s:o}", "simulated", simulated, "fits", list);
    return mt_json_print(object, stdout, err);
}

static int print_all(const struct shown *shown, int count, struct mt_error *err)
{
    if (mt_common.json)
        return print_json(shown, count, err);
    int status = MT_OK;
    for (int i = 0; !status && i < count; i++) {
        if (i > 0)
            putchar('\n');
        status = mt_models_print(&shown[i].models, &shown[i].origin, err);
    }
    return status;
}

/* Models are as simulated as the runs behind them. */
static int find_simulated(struct mt_store *store, struct mt_models_origin *origin,
                          struct mt_error *err)
{
    struct mt_runs runs = {0};
    const struct mt_run_filter filter = {
        .cluster = origin->cluster, .program = origin->program, .succeeded_only = true};
    int status = mt_store_runs(store, &runs, &filter, err);
    for (int i = 0; i < runs.count; i++)
        origin->simulated = origin->simulated || runs.runs[i].simulated;
    mt_runs_clear(&runs);
    return status;
}

static int load_shown(struct shown *shown, struct mt_store *store,
                      const struct mt_fitted *fitted, struct mt_error *err)
{
    shown->origin.cluster = fitted->cluster;
    shown->origin.program = fitted->program;
    int status = mt_store_get_models(store, fitted->cluster, fitted->program,
                                     fitted->kind, &shown->models, err);
    if (!status)
        status = find_simulated(store, &shown->origin, err);
    return status;
}

int mt_show_models(struct mt_store *store, const struct mt_stored *stored,
                   struct mt_error *err)
{
    struct mt_fitted_list list = {0};
    int status = mt_store_fitted(store, &list, stored->cluster, stored->program, err);
    if (status)
        return status;
    struct shown *shown = calloc((size_t)list.count + 1, sizeof *shown);
    if (!shown) {
        mt_fitted_clear(&list);
        return mt_fail(err, MT_ENOMEM, "no memory to show models");
    }
    for (int i = 0; !status && i < list.count; i++)
        status = load_shown(&shown[i], store, &list.fitted[i], err);
    if (!status)
        status = print_all(shown, list.count, err);
    for (int i = 0; i < list.count; i++)
        mt_models_clear(&shown[i].models);
    free(shown);
    mt_fitted_clear(&list);
    return status;
}
