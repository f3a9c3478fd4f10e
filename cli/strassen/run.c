/* SPDX-License-Identifier: BSD-3-Clause */
#include "strassen.h"

#include "campaign.h"
#include "choice.h"
#include "cli/common/command.h"
#include "cli/common/table.h"
#include "cli/measure/single.h"
#include "cli/process/folders.h"
#include "partition_file.h"
#include "programs.h"
#include "report.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* A product that is made. */
struct launch {
    struct mt_strassen_question question;
    struct mt_strassen_choice choice;
    struct mt_run run;
    int interrupted; /* the signal that asked to stop; 0: none */
};

static void clear(struct launch *launch)
{
    mt_strassen_question_clear(&launch->question);
    mt_strassen_choice_clear(&launch->choice);
    mt_run_clear(&launch->run);
}

static int read_partition(struct launch *launch, const char *path, struct mt_error *err)
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

/* The best of all kinds. */
static int choose_best(struct launch *launch, struct mt_error *err)
{
    struct mt_strassen_choice choices[MT_PARTITION_KINDS] = {
        {.partition = {.ranks = 0}}};
    int status = mt_strassen_choose_all(choices, &launch->question, err);
    if (status == MT_OK) {
        struct mt_strassen_choice *best = &choices[mt_strassen_best(choices)];
        launch->choice = *best;
        *best = (struct mt_strassen_choice){.partition = {.ranks = 0}};
    }
    for (int kind = 0; kind < MT_PARTITION_KINDS; kind++)
        mt_strassen_choice_clear(&choices[kind]);
    return status;
}

static int choose(struct launch *launch, struct mt_error *err)
{
    if (mt_strassen_options.partition_file)
        return read_partition(launch, mt_strassen_options.partition_file, err);
    if (launch->question.any)
        return choose_best(launch, err);
    return mt_strassen_choose(&launch->choice, launch->question.kind, &launch->question,
                              err);
}

/* What is started, said before it may take long. */
static void announce(const struct launch *launch, const struct mt_program *program)
{
    char seconds[32], size[MT_STRASSEN_SIZE_TEXT];
    fprintf(stderr, "motley: starting %s, N = %s, on %s; predicted: %s%s\n",
            program->name, mt_strassen_size_text(size, &launch->question.product),
            launch->question.text,
            mt_format_seconds(seconds, launch->choice.forecast.seconds),
            mt_cluster_simulated(&launch->question.cluster) ? " (simulated)" : "");
}

static int make_run(struct launch *launch, const struct mt_program *program,
                    struct mt_error *err)
{
    struct mt_campaign campaign = {.jobs = 0};
    struct mt_task task = {.configuration = launch->question.configuration,
                           .size = mt_strassen_size(&launch->question.product)};
    int status = mt_strassen_open(&campaign, &launch->question.cluster, err);
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

/* Start the app on the partition, which is in a file of that folder. */
static int start(struct launch *launch, const char *folder, struct mt_error *err)
{
    const struct mt_partition *partition = &launch->choice.partition;
    struct mt_program program = {.name = NULL};
    char *path = NULL;
    if (asprintf(&path, "%s/cut", folder) < 0)
        return mt_fail(err, MT_ENOMEM, "no memory for a path");
    int status = mt_strassen_write_partition(partition, path, err);
    if (status == MT_OK)
        status = mt_strassen_partition_program(&program, partition->kind, path,
                                               &launch->question.product,
                                               !mt_strassen_options.no_check, err);
    if (status == MT_OK)
        status = make_run(launch, &program, err);
    mt_program_clear(&program);
    free(path);
    return status;
}

/* Why a run failed has been listed already. */
static int report(const struct launch *launch, struct mt_error *err)
{
    struct mt_strassen_report report = {.seconds = 0};
    if (launch->interrupted)
        return mt_fail(err, MT_EIO, "the run on '%s' was stopped and is not kept",
                       launch->question.text);
    if (launch->run.outcome != MT_RUN_OK)
        return mt_fail(err, MT_EIO, "the run on '%s' failed", launch->question.text);
    int status = mt_strassen_report_read(&report, &launch->run,
                                         launch->choice.partition.ranks, err);
    if (status == MT_OK)
        status = mt_strassen_report_print(&report, &launch->run, &launch->choice,
                                          &launch->question, err);
    mt_strassen_report_clear(&report);
    return status;
}

static int carry_out(struct launch *launch, struct mt_error *err)
{
    char *folder = NULL;
    int status = mt_scratch_make(&folder, err);
    if (status == MT_OK)
        status = start(launch, folder, err);
    mt_scratch_remove(folder);
    return status == MT_OK ? report(launch, err) : status;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct launch launch = {.interrupted = 0};
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
    clear(&launch);
    return interrupted ? EXIT_SIGNALLED + interrupted : mt_exit_status(status);
}

static const char *const options[] = {"size",     "configuration", "most",    "cut",
                                      "cut-file", "no-check",      "timeout", "seed",
                                      "db",       "json",          NULL};

const struct mt_action mt_strassen_run = {
    .name = "run",
    .arguments = "CLUSTER",
    .summary =
        "make a product, cut in the best way, and compare with what was expected",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
