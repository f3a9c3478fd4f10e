/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/store.h"

#include "sql.h"

#include <stdlib.h>
#include <string.h>

static int take_run(struct mt_samples *samples, const struct mt_run *run,
                    const struct mt_cluster *cluster)
{
    struct mt_sample *sample = &samples->samples[samples->count];
    const int status = mt_configuration_parse(&sample->configuration, cluster,
                                              run->configuration, NULL);
    if (status == MT_ENOMEM)
        return status;
    if (run->id > samples->newest_run)
        samples->newest_run = run->id;
    if (status != MT_OK) {
        samples->left_out++;
        return MT_OK;
    }
    sample->size = run->size;
    sample->seconds = run->seconds;
    samples->count++;
    return MT_OK;
}

static int take_failed_run(struct mt_samples *samples, const struct mt_run *run,
                           const struct mt_cluster *cluster)
{
    struct mt_sample *sample = &samples->failed[samples->nfailed];
    if (run->down)
        return MT_OK;
    const int status = mt_configuration_parse(&sample->configuration, cluster,
                                              run->configuration, NULL);
    sample->size = run->size;
    samples->nfailed += status == MT_OK;
    return status == MT_ENOMEM ? status : MT_OK;
}

static int take_runs(struct mt_samples *samples, const struct mt_runs *runs,
                     const struct mt_cluster *cluster)
{
    int status = MT_OK;
    samples->samples = calloc((size_t)runs->count + 1, sizeof *samples->samples);
    samples->failed = calloc((size_t)runs->count + 1, sizeof *samples->failed);
    if (!samples->samples || !samples->failed || !samples->store)
        return MT_ENOMEM;
    for (int i = 0; i < runs->count && status == MT_OK; i++) {
        const struct mt_run *run = &runs->runs[i];
        status = run->outcome == MT_RUN_OK ? take_run(samples, run, cluster)
                                           : take_failed_run(samples, run, cluster);
    }
    return status;
}

int mt_store_samples(struct mt_store *store, struct mt_samples *samples,
                     const struct mt_cluster *cluster, const char *program,
                     struct mt_error *err)
{
    const struct mt_run_filter filter = {.cluster = cluster->name, .program = program};
    struct mt_runs runs = {0};
    int status = mt_store_runs(store, &runs, &filter, err);
    if (status != MT_OK)
        return status;
    struct mt_samples loaded = {.store = strdup(store->path)};
    status = take_runs(&loaded, &runs, cluster);
    mt_runs_clear(&runs);
    if (status != MT_OK) {
        mt_samples_clear(&loaded);
        return mt_fail(err, status, "no memory for the runs");
    }
    status = mt_store_links(store, &loaded.links, cluster->name, err);
    if (status != MT_OK)
        mt_samples_clear(&loaded);
    else
        *samples = loaded;
    return status;
}
