/* SPDX-License-Identifier: BSD-3-Clause */
#include "strassen.h"

#include "campaign.h"
#include "cli/common/command.h"
#include "cli/measure/absent.h"
#include "cli/measure/campaign.h"
#include "cli/measure/campaign_print.h"
#include "dry_run.h"
#include "tasks.h"

#include <math.h>
#include <stdlib.h>

enum { USUAL_REPEAT = 3 };
static const double usual_sizes[] = {1000, 2000, 3000};

/* What is measured. */
struct measurement {
    struct mt_cluster cluster;
    struct mt_campaign campaign; /* without a program */
    double *sizes;               /* owned; of products */
    int nsizes;
    int repeat;
};

static void clear(struct measurement *measurement)
{
    mt_store_close(measurement->campaign.store);
    mt_cluster_clear(&measurement->cluster);
    free(measurement->sizes);
}

static int read_sizes(struct measurement *measurement, struct mt_error *err)
{
    int status = MT_OK;
    if (mt_strassen_options.sizes)
        status = mt_sizes_parse(&measurement->sizes, &measurement->nsizes,
                                mt_strassen_options.sizes, err);
    for (int i = 0; status == MT_OK && i < measurement->nsizes; i++)
        if (measurement->sizes[i] != floor(measurement->sizes[i]))
            status = mt_fail(err, MT_EINVAL, "--sizes are whole numbers, not '%.15g'",
                             measurement->sizes[i]);
    return status;
}

static int read_options(struct measurement *measurement, struct mt_error *err)
{
    if (mt_strassen_options.repeat < 0)
        return mt_fail(err, MT_EINVAL, "--repeat must be at least 1, not %d",
                       mt_strassen_options.repeat);
    measurement->repeat =
        mt_strassen_options.repeat > 0 ? mt_strassen_options.repeat : USUAL_REPEAT;
    return read_sizes(measurement, err);
}

static int plan_part(struct mt_strassen_part *part,
                     const struct measurement *measurement,
                     enum mt_strassen_probe probe, struct mt_error *err)
{
    const bool usual = !measurement->sizes;
    const int nusual = sizeof usual_sizes / sizeof *usual_sizes;
    int status = mt_strassen_probe_program(&part->program, probe, err);
    if (status == MT_OK)
        status = mt_strassen_tasks(&part->tasks, probe, &measurement->cluster,
                                   usual ? usual_sizes : measurement->sizes,
                                   usual ? nusual : measurement->nsizes,
                                   measurement->repeat, err);
    return status;
}

static int measure_part(struct measurement *measurement, enum mt_strassen_probe probe,
                        struct mt_campaign_result *sum, struct mt_error *err)
{
    struct mt_strassen_part part = {.count = 0};
    struct mt_campaign_result result = {0};
    struct mt_campaign campaign = measurement->campaign;
    campaign.program = &part.program;
    int status = plan_part(&part, measurement, probe, err);
    if (status == MT_OK)
        status = mt_campaign_run(&campaign, &part.tasks, &result, err);
    sum->done += result.done;
    sum->failed += result.failed;
    sum->skipped += result.skipped;
    sum->left_out += result.left_out;
    sum->interrupted = result.interrupted;
    mt_strassen_part_clear(&part);
    return status;
}

static int measure(struct measurement *measurement, int *exit_status,
                   struct mt_error *err)
{
    struct mt_campaign_result sum = {0};
    struct mt_cluster *cluster = &measurement->cluster;
    struct mt_store **store = &measurement->campaign.store;
    int status = mt_strassen_open(&measurement->campaign, cluster, err);
    if (status == MT_OK)
        status = mt_absent_ask_again(cluster, *store, err);
    if (status == MT_OK)
        status = mt_absent_leave_out(cluster, *store, NULL, err);
    for (int probe = 0; status == MT_OK && !sum.interrupted && probe < MT_PROBES;
         probe++)
        status = measure_part(measurement, probe, &sum, err);
    if (status == MT_OK)
        status =
            mt_campaign_print(&sum, mt_cluster_simulated(cluster), mt_common.json, err);
    if (sum.interrupted)
        *exit_status = EXIT_SIGNALLED + sum.interrupted;
    else
        *exit_status = sum.failed > 0 ? EXIT_FAILED : EXIT_FINE;
    return status;
}

/* Nothing is written; the store need not be there. */
static int show(struct measurement *measurement, struct mt_error *err)
{
    struct mt_strassen_part parts[MT_PROBES] = {{.count = 0}};
    struct mt_store **store = &measurement->campaign.store;
    int status = mt_store_open(store, mt_common.db, MT_STORE_READ, err);
    if (status == MT_OK)
        status = mt_absent_leave_out(&measurement->cluster, *store, NULL, err);
    else if (status == MT_ENOTFOUND)
        status = MT_OK;
    measurement->campaign.cluster = &measurement->cluster;
    for (int probe = 0; status == MT_OK && probe < MT_PROBES; probe++) {
        status = plan_part(&parts[probe], measurement, probe, err);
        if (status == MT_OK)
            status = mt_strassen_part_left(&parts[probe], &measurement->campaign, err);
    }
    if (status == MT_OK)
        status = mt_strassen_dry_run(parts, MT_PROBES, &measurement->cluster, err);
    for (int probe = 0; probe < MT_PROBES; probe++)
        mt_strassen_part_clear(&parts[probe]);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct measurement measurement = {.nsizes = 0};
    int exit_status = EXIT_FINE;
    int status = mt_cluster_input(&measurement.cluster, arguments[0], err);
    if (status == MT_OK)
        status = read_options(&measurement, err);
    if (status == MT_OK)
        status = mt_strassen_options.dry_run ? show(&measurement, err)
                                             : measure(&measurement, &exit_status, err);
    clear(&measurement);
    return status == MT_OK ? exit_status : mt_exit_status(status);
}

static const char *const options[] = {"sizes", "repeat", "dry-run", "quiet", "timeout",
                                      "seed",  "db",     "json",    NULL};

const struct mt_action mt_strassen_measure = {
    .name = "measure",
    .arguments = "CLUSTER",
    .summary = "how fast its nodes multiply, and how long a matrix is on its way",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
