/* SPDX-License-Identifier: BSD-3-Clause */
/* motley strassen measure: the measurements that a plan of a product needs. */
#include "lib/design/internal.h"
#include "strassen.h"

#include "cli/common/command.h"
#include "cli/common/inputs.h"
#include "cli/measure/print.h"
#include "cli/run/down.h"

#include <math.h>
#include <stdlib.h>

/* The quarters of the smallest are large enough for a level's cost to be that in larger
   products. */
static const double usual_sizes[] = {1200, 2000, 3000};

/* What is measured. */
struct strassen_measurement {
    struct mt_cluster cluster;
    struct mt_campaign campaign; /* without a program */
    double *given;               /* owned; sizes of products; NULL: the usual ones */
    const double *sizes;         /* borrowed */
    int nsizes;
    int repeat;
};

static void clear_measurement(struct strassen_measurement *measurement)
{
    mt_store_close(measurement->campaign.store);
    mt_cluster_clear(&measurement->cluster);
    free(measurement->given);
}

static int read_sizes(struct strassen_measurement *measurement, struct mt_error *err)
{
    measurement->sizes = usual_sizes;
    measurement->nsizes = sizeof usual_sizes / sizeof *usual_sizes;
    if (!mt_strassen_options.sizes)
        return MT_OK;
    int status = mt_sizes_option(&measurement->given, &measurement->nsizes, "--sizes",
                                 mt_strassen_options.sizes, err);
    measurement->sizes = measurement->given;
    for (int i = 0; status == MT_OK && i < measurement->nsizes; i++)
        if (measurement->sizes[i] != floor(measurement->sizes[i]) ||
            measurement->sizes[i] > MT_STRASSEN_LARGEST)
            status = mt_fail(err, MT_EINVAL,
                             "--sizes: '%.15g' is not a whole number from 1 to %d",
                             measurement->sizes[i], MT_STRASSEN_LARGEST);
    return status;
}

static int add_tasks(struct mt_tasks *tasks,
                     const struct mt_configuration *configuration, const double *sizes,
                     int nsizes, int repeat, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; i < nsizes; i++)
        for (int r = 1; status == MT_OK && r <= repeat; r++) {
            const struct mt_task task = {
                .configuration = *configuration, .size = sizes[i], .repetition = r};
            status = mt_tasks_add(tasks, &task, err);
        }
    return status;
}

/* Measure products on one node of each group, with each number of processes. */
static int add_products(struct mt_tasks *tasks,
                        const struct strassen_measurement *measurement,
                        struct mt_error *err)
{
    const struct mt_cluster *cluster = &measurement->cluster;
    int status = MT_OK;
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct mt_group *group = &cluster->groups[g];
        const int counts = group->nodes > 0 ? group->nlayouts : 0;
        for (int i = 0; status == MT_OK && i < counts; i++) {
            const struct mt_configuration alone =
                mt_strassen_alone(g, group->layouts[i].processes);
            status = add_tasks(tasks, &alone, measurement->sizes, measurement->nsizes,
                               measurement->repeat, err);
        }
    }
    return status;
}

static int add_messages(struct mt_tasks *tasks,
                        const struct strassen_measurement *measurement,
                        enum mt_strassen_probe probe, struct mt_error *err)
{
    static const double sizes[] = {MT_STRASSEN_LARGE, MT_STRASSEN_SMALL};
    const int nsizes = probe == MT_PROBE_OVERLAP || probe == MT_PROBE_AGAIN ? 1 : 2;
    const struct mt_strassen_pairs pairs = mt_strassen_pairs(&measurement->cluster);
    int status = MT_OK;
    for (int i = 0; status == MT_OK && i < pairs.count; i++)
        status =
            add_tasks(tasks, &pairs.pairs[i], sizes, nsizes, measurement->repeat, err);
    return status;
}

static int measure_probe(struct strassen_measurement *measurement,
                         enum mt_strassen_probe probe, struct mt_campaign_result *sum,
                         struct mt_error *err)
{
    struct mt_program program = {0};
    struct mt_tasks tasks = {0};
    struct mt_campaign_result result = {0};
    struct mt_campaign campaign = measurement->campaign;
    campaign.program = &program;
    mt_strassen_probe_program(&program, probe);
    int status = probe == MT_PROBE_PRODUCT || probe == MT_PROBE_STRASSEN
                     ? add_products(&tasks, measurement, err)
                     : add_messages(&tasks, measurement, probe, err);
    if (status == MT_OK)
        status = mt_campaign_run(&campaign, &tasks, &result, err);
    sum->done += result.done;
    sum->failed += result.failed;
    sum->skipped += result.skipped;
    sum->left_out += result.left_out;
    sum->interrupted = result.interrupted;
    mt_tasks_clear(&tasks);
    mt_program_clear(&program);
    return status;
}

static int measure(struct strassen_measurement *measurement, int *exit_status,
                   struct mt_error *err)
{
    struct mt_campaign_result sum = {0};
    struct mt_cluster *cluster = &measurement->cluster;
    struct mt_store **store = &measurement->campaign.store;
    int status = mt_strassen_campaign_open(&measurement->campaign, cluster, err);
    if (status == MT_OK)
        status = mt_down_ping_again(cluster, *store, err);
    if (status == MT_OK)
        status = mt_down_leave_out(cluster, *store, NULL, err);
    for (int probe = 0; status == MT_OK && !sum.interrupted && probe < MT_PROBES;
         probe++)
        status = measure_probe(measurement, probe, &sum, err);
    if (status == MT_OK)
        mt_campaign_print(&sum, mt_cluster_simulated(cluster));
    if (sum.interrupted)
        *exit_status = EXIT_SIGNALLED + sum.interrupted;
    else
        *exit_status = sum.failed > 0 ? EXIT_FAILED : EXIT_FINE;
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct strassen_measurement measurement = {
        .repeat = (int)mt_strassen_options.repeat.value};
    int exit_status = EXIT_FINE;
    int status = mt_cluster_input(&measurement.cluster, arguments[0], err);
    if (status == MT_OK)
        status = read_sizes(&measurement, err);
    if (status == MT_OK)
        status = measure(&measurement, &exit_status, err);
    clear_measurement(&measurement);
    return status == MT_OK ? exit_status : mt_exit_status(status);
}

static const char *const options[] = {"sizes", "repeat", "quiet", "timeout",
                                      "seed",  "db",     "json",  NULL};

const struct mt_action mt_strassen_measure = {
    .name = "measure",
    .arguments = "CLUSTER",
    .summary = "how fast its nodes multiply, and how long a matrix is on its way",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
