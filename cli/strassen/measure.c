/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/design/internal.h"
#include "strassen.h"

#include "cli/common/command.h"
#include "cli/common/inputs.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "cli/measure/print.h"
#include "cli/run/down.h"
#include "programs.h"

#include <math.h>
#include <stdlib.h>

enum { USUAL_REPEAT = 3 };
/* The quarters of the smallest are large enough for linalg's kernel (600 of 560), so
   that a level costs what it costs in larger products. */
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

static int read_options(struct strassen_measurement *measurement, struct mt_error *err)
{
    measurement->repeat = (int)mt_strassen_options.repeat.value;
    return read_sizes(measurement, err);
}

/* A part of the measurement: a program, its runs, and which of them are left. Zeroed is
   empty. */
struct probe_part {
    struct mt_program program; /* owned */
    struct mt_tasks tasks;     /* owned */
    struct mt_remaining left;  /* of these; in their order */
};

static void clear_part(struct probe_part *part)
{
    mt_program_clear(&part->program);
    mt_tasks_clear(&part->tasks);
    mt_remaining_clear(&part->left);
    *part = (struct probe_part){.tasks = {0}};
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

/* On one node of each group, with each number of processes. */
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
    const int nsizes = probe == MT_PROBE_OVERLAP ? 1 : 2;
    const struct mt_strassen_pairs pairs = mt_strassen_pairs(&measurement->cluster);
    int status = MT_OK;
    for (int i = 0; status == MT_OK && i < pairs.count; i++)
        status =
            add_tasks(tasks, &pairs.pairs[i], sizes, nsizes, measurement->repeat, err);
    return status;
}

static int plan_part(struct probe_part *part,
                     const struct strassen_measurement *measurement,
                     enum mt_strassen_probe probe, struct mt_error *err)
{
    mt_strassen_probe_program(&part->program, probe);
    return probe == MT_PROBE_PRODUCT || probe == MT_PROBE_STRASSEN
               ? add_products(&part->tasks, measurement, err)
               : add_messages(&part->tasks, measurement, probe, err);
}

static int measure_part(struct strassen_measurement *measurement,
                        enum mt_strassen_probe probe, struct mt_campaign_result *sum,
                        struct mt_error *err)
{
    struct probe_part part = {.tasks = {0}};
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
    clear_part(&part);
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
        status = measure_part(measurement, probe, &sum, err);
    if (status == MT_OK)
        mt_campaign_print(&sum, mt_cluster_simulated(cluster));
    if (sum.interrupted)
        *exit_status = EXIT_SIGNALLED + sum.interrupted;
    else
        *exit_status = sum.failed > 0 ? EXIT_FAILED : EXIT_FINE;
    return status;
}

/* Find out which are left, by the campaign's store; where that is NULL: all. */
static int find_left(struct probe_part *part, const struct mt_campaign *campaign,
                     struct mt_error *err)
{
    part->left = (struct mt_remaining){
        .tasks = &part->tasks, .cluster = campaign->cluster, .program = &part->program};
    const int status =
        mt_remaining_find(&part->left, campaign->store, campaign->seed, err);
    if (status == MT_OK)
        mt_remaining_sort(&part->left);
    return status;
}

enum { PROGRAM, CONFIGURATION, SIZE, RUNS, REPETITION, COLUMNS };
static const struct mt_column columns[COLUMNS] = {
    [PROGRAM] = {"program", "program", MT_COLUMN_TEXT},
    [CONFIGURATION] = {"configuration", "configuration", MT_COLUMN_TEXT},
    [SIZE] = {"size", "N", MT_COLUMN_COUNT},
    [RUNS] = {NULL, "runs", MT_COLUMN_COUNT},
    [REPETITION] = {"repetition", NULL, MT_COLUMN_COUNT},
};

/* A row for each run that is left, or for the repetitions of each together. */
static void add_left(struct mt_view *view, const struct probe_part *part,
                     const struct mt_cluster *cluster)
{
    const struct mt_remaining *left = &part->left;
    for (int i = 0, runs; i < left->count; i += runs) {
        const struct mt_task *task = mt_remaining_at(left, i);
        runs = mt_common.json ? 1 : mt_remaining_repetitions(left, i);
        mt_view_row(view);
        mt_view_text(view, PROGRAM, part->program.name);
        mt_view_own_text(view, CONFIGURATION,
                         mt_configuration_format(&task->configuration, cluster));
        mt_view_number(view, SIZE, task->size);
        mt_view_number(view, RUNS, runs);
        mt_view_number(view, REPETITION, task->repetition);
    }
}

static void print_left(struct mt_view *view, int left, int all, bool simulated)
{
    if (mt_common.json) {
        mt_document_print("motley/strassen-dry-run", 1,
                          json_pack("{s:b, s:i, s:o}", "simulated", (int)simulated,
                                    "done_before", all - left, "runs",
                                    mt_view_to_json(view)),
                          stdout);
        return;
    }
    if (view->rows > 0)
        mt_view_print(view, stdout);
    printf("%d of %d runs left%s\n", left, all, simulated ? " (simulated)" : "");
}

static int dry_run(const struct probe_part *parts, const struct mt_cluster *cluster,
                   struct mt_error *err)
{
    (void)err;
    struct mt_view view = {.columns = columns, .ncolumns = COLUMNS};
    int all = 0, left = 0;
    for (int i = 0; i < MT_PROBES; i++) {
        add_left(&view, &parts[i], cluster);
        all += parts[i].tasks.count;
        left += parts[i].left.count;
    }
    print_left(&view, left, all, mt_cluster_simulated(cluster));
    return MT_OK;
}

/* Nothing is written; the store need not be there. */
static int show(struct strassen_measurement *measurement, struct mt_error *err)
{
    struct probe_part parts[MT_PROBES] = {{.tasks = {0}}};
    struct mt_store **store = &measurement->campaign.store;
    int status = mt_store_open(store, mt_common.db, MT_STORE_READ, err);
    if (status == MT_OK)
        status = mt_down_leave_out(&measurement->cluster, *store, NULL, err);
    else if (status == MT_ENOTFOUND)
        status = MT_OK;
    measurement->campaign.cluster = &measurement->cluster;
    for (int probe = 0; status == MT_OK && probe < MT_PROBES; probe++) {
        status = plan_part(&parts[probe], measurement, probe, err);
        if (status == MT_OK)
            status = find_left(&parts[probe], &measurement->campaign, err);
    }
    if (status == MT_OK)
        status = dry_run(parts, &measurement->cluster, err);
    for (int probe = 0; probe < MT_PROBES; probe++)
        clear_part(&parts[probe]);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct strassen_measurement measurement = {.nsizes = 0};
    int exit_status = EXIT_FINE;
    int status = mt_cluster_input(&measurement.cluster, arguments[0], err);
    if (status == MT_OK)
        status = read_options(&measurement, err);
    if (status == MT_OK)
        status = mt_strassen_options.dry_run ? show(&measurement, err)
                                             : measure(&measurement, &exit_status, err);
    clear_measurement(&measurement);
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
