/* SPDX-License-Identifier: BSD-3-Clause */
/* motley strassen run: make a product, and compare it with the prediction. */
#include "cli/process/memory.h"
#include "cli/process/scratch.h"
#include "lib/store/internal.h"
#include "strassen.h"

#include "cli/common/command.h"
#include "cli/common/format.h"
#include "cli/common/json.h"
#include "cli/run/submit.h"
#include "views.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A product to make. */
struct product_run {
    struct mt_strassen_question question;
    struct mt_strassen_choice choice;
    struct mt_run run;
    int interrupted; /* the signal that asked to stop; 0: none */
};

static void clear_launch(struct product_run *launch)
{
    mt_strassen_question_clear(&launch->question);
    mt_strassen_choice_clear(&launch->choice);
    mt_run_clear(&launch->run);
}

static int read_partition(struct product_run *launch, const char *path,
                          struct mt_error *err)
{
    struct mt_strassen_choice *choice = &launch->choice;
    int status = mt_strassen_read_partition(&choice->partition, path, err);
    if (status == MT_OK && choice->partition.ranks != launch->question.machine.ranks)
        return mt_fail(err, MT_EINVAL, "'%s' is for %d ranks, and '%s' has %d", path,
                       choice->partition.ranks, launch->question.text,
                       launch->question.machine.ranks);
    if (status == MT_OK)
        status = mt_partition_predict(&choice->forecast, &choice->partition,
                                      &launch->question.product,
                                      &launch->question.machine, err);
    return status;
}

/* The best of all kinds by prediction, which the product tests. */
static int choose_best(struct product_run *launch, struct mt_error *err)
{
    struct mt_strassen_choices choices = {.best = MT_PARTITION_EQUAL};
    const int status = mt_strassen_choose_all(&choices, &launch->question, err);
    if (status == MT_OK) {
        struct mt_strassen_choice *best = &choices.of[choices.promising];
        launch->choice = *best;
        *best = (struct mt_strassen_choice){.partition = {.ranks = 0}};
    }
    mt_strassen_choices_clear(&choices);
    return status;
}

static int choose(struct product_run *launch, struct mt_error *err)
{
    enum mt_partition_kind kind;
    bool given;
    if (mt_strassen_options.partition_file)
        return read_partition(launch, mt_strassen_options.partition_file, err);
    const int status = mt_strassen_kind_read(&kind, &given, err);
    if (status != MT_OK)
        return status;
    return given ? mt_strassen_choose(&launch->choice, kind, &launch->question, err)
                 : choose_best(launch, err);
}

/* Announce the product before it starts, as it may take long. */
static void announce(const struct product_run *launch, const struct mt_program *program)
{
    char seconds[MT_QUANTITY_TEXT], size[MT_STRASSEN_SIZE_TEXT];
    fprintf(stderr, "motley: starting %s, N = %s, on %s; predicted: %s%s\n",
            program->name, mt_strassen_size_text(size, &launch->question.product),
            launch->question.text,
            mt_format_seconds(seconds, launch->choice.forecast.seconds),
            mt_cluster_simulated(&launch->question.cluster) ? " (simulated)" : "");
}

static int make_run(struct product_run *launch, const struct mt_program *program,
                    struct mt_error *err)
{
    struct mt_campaign campaign = {.jobs = 0};
    struct mt_task task = {.configuration = launch->question.configuration,
                           .size = mt_strassen_size(&launch->question.product)};
    int status = mt_strassen_campaign_open(&campaign, &launch->question.cluster, err);
    campaign.program = program;
    campaign.quiet = true;
    campaign.once = true;
    if (status == MT_OK) {
        announce(launch, program);
        status =
            mt_single_run(&campaign, &task, &launch->run, &launch->interrupted, err);
    }
    mt_store_close(campaign.store);
    return status;
}

/* Start the app on the partition, in a file of that folder. */
static int start(struct product_run *launch, const char *folder, struct mt_error *err)
{
    const struct mt_partition *partition = &launch->choice.partition;
    struct mt_program program = {.name = NULL};
    char *path = NULL, name[32] = "strassen-cut-file";
    if (!mt_strassen_options.partition_file) /* partitions of others do not test ours */
        mt_strassen_product_name(name, partition->kind);
    path = mt_asprintf("%s/cut", folder);
    int status = mt_strassen_write_partition(partition, path, err);
    if (status == MT_OK)
        status = mt_strassen_partition_program(&program, name, path,
                                               &launch->question.product,
                                               !mt_strassen_options.no_check, err);
    if (status == MT_OK)
        status = make_run(launch, &program, err);
    mt_program_clear(&program);
    free(path);
    return status;
}

/* The app's report on the product. Empty if zeroed. */
struct report {
    double seconds;                   /* of the slowest rank */
    struct mt_partition_times *ranks; /* owned; of every rank; NaN: not known */
    int known;                        /* number of ranks with known times */
    double bytes;                     /* that these received */
    double difference;                /* of the check; NaN: not checked */
};

/* Read a line of the report; other lines are skipped. */
static void read_line(struct report *report, const char *line, int ranks)
{
    struct mt_partition_times times;
    double bytes;
    int rank;
    if (sscanf(line, "difference %lf", &report->difference) == 1)
        return;
    if (sscanf(line, "rank %d compute %lf communication %lf waiting %lf received %lf",
               &rank, &times.compute, &times.communication, &times.waiting,
               &bytes) != 5 ||
        rank < 0 || rank >= ranks)
        return;
    report->known += isnan(report->ranks[rank].compute);
    report->ranks[rank] = times;
    report->bytes += bytes;
}

/* Read the output of a run that succeeded. `report` must be empty. */
static void read_report(struct report *report, const struct mt_run *run, int ranks)
{
    report->ranks = mt_calloc((size_t)ranks, sizeof *report->ranks);
    for (int r = 0; r < ranks; r++)
        report->ranks[r] = (struct mt_partition_times){NAN, NAN, NAN};
    report->seconds = run->seconds;
    report->difference = NAN;
    for (const char *line = run->output; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        read_line(report, line, ranks);
    }
}

static void clear_report(struct report *report)
{
    free(report->ranks);
    *report = (struct report){.seconds = 0};
}

static int print_text(const struct report *report, const struct product_run *launch,
                      struct mt_error *err)
{
    const struct mt_strassen_question *question = &launch->question;
    const struct mt_strassen_choice *choice = &launch->choice;
    const double predicted = choice->forecast.seconds;
    char expected[MT_QUANTITY_TEXT], off[MT_QUANTITY_TEXT];
    char taken[MT_QUANTITY_TEXT];
    mt_strassen_print_question(question);
    printf("cut        %s\n", mt_partition_kind_name(choice->partition.kind));
    printf("predicted  %s, %s\n", mt_format_seconds(expected, predicted),
           mt_format_change(off, predicted / report->seconds - 1));
    printf("measured   %s%s, %.4g Gflop/s\n", mt_format_seconds(taken, report->seconds),
           launch->run.simulated ? " (simulated)" : "",
           mt_strassen_flops(question, report->seconds) / 1e9);
    if (isnan(report->difference))
        puts("check      none");
    else
        printf("check      passed, difference %.3g\n", report->difference);
    putchar('\n');
    return mt_strassen_ranks_compare(question, choice, report->ranks, err);
}

static void print_json(const struct report *report, const struct product_run *launch)
{
    const struct mt_strassen_question *question = &launch->question;
    const struct mt_strassen_choice *choice = &launch->choice;
    const struct mt_partition_forecast *forecast = &choice->forecast;
    json_t *object = mt_strassen_question_json(question);
    mt_json_merge(
        object, json_pack("{s:s, s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "cut",
                          mt_partition_kind_name(choice->partition.kind), "program",
                          launch->run.program, "run", (json_int_t)launch->run.id,
                          "seconds", mt_json_number(report->seconds), "flops",
                          mt_json_number(mt_strassen_flops(question, report->seconds)),
                          "predicted", mt_json_number(forecast->seconds), "difference",
                          mt_json_number(report->difference), "bytes",
                          mt_json_number(report->bytes), "predicted_bytes",
                          mt_json_number(forecast->bytes), "ranks",
                          mt_strassen_ranks_json(question, choice, report->ranks)));
    mt_document_print("motley/strassen-run", 1, object, stdout);
}

static int print_report(const struct report *report, const struct product_run *launch,
                        struct mt_error *err)
{
    const int ranks = launch->choice.partition.ranks;
    if (report->known < ranks)
        fprintf(stderr,
                "motley: of %d of %d ranks it is not known where the time went: "
                "their lines are not in the end of the output that is kept\n",
                ranks - report->known, ranks);
    if (mt_common.json) {
        print_json(report, launch);
        return MT_OK;
    }
    return print_text(report, launch, err);
}

/* Report the run next to its prediction. The cause of a failed run has been listed
   already. */
static int report_run(const struct product_run *launch, struct mt_error *err)
{
    struct report report = {.seconds = 0};
    if (launch->interrupted)
        return mt_fail(err, MT_EIO, "the run on '%s' was stopped and is not kept",
                       launch->question.text);
    if (launch->run.outcome != MT_RUN_OK)
        return mt_fail(err, MT_EIO, "the run on '%s' failed", launch->question.text);
    read_report(&report, &launch->run, launch->choice.partition.ranks);
    int status = print_report(&report, launch, err);
    clear_report(&report);
    return status;
}

static int carry_out(struct product_run *launch, struct mt_error *err)
{
    char *folder = NULL;
    int status = mt_scratch_make(&folder, err);
    if (status == MT_OK)
        status = start(launch, folder, err);
    mt_scratch_remove(folder);
    return status == MT_OK ? report_run(launch, err) : status;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct product_run launch = {.interrupted = 0};
    int status = MT_OK;
    if (mt_strassen_options.partition_file && mt_strassen_options.partition)
        status = mt_fail(err, MT_EINVAL, "--cut and --cut-file exclude each other");
    if (status == MT_OK)
        status = mt_strassen_question_read(&launch.question, arguments[0], err);
    if (status == MT_OK)
        status = choose(&launch, err);
    if (status == MT_OK)
        status = carry_out(&launch, err);
    const int interrupted = launch.interrupted;
    clear_launch(&launch);
    return interrupted ? EXIT_SIGNALLED + interrupted : mt_exit_status(status);
}

static const char *const options[] = {"size",     "configuration", "most",    "cut",
                                      "cut-file", "no-check",      "timeout", "seed",
                                      "db",       "json",          NULL};

const struct mt_action mt_strassen_run = {
    .name = "run",
    .arguments = "CLUSTER",
    .summary = "make a product, cut in the best way, and compare with the prediction",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
