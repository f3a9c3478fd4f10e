/* SPDX-License-Identifier: BSD-3-Clause */
#include "strassen.h"

#include "choice.h"
#include "cli/common/command.h"
#include "cli/common/plot.h"
#include "partition_file.h"
#include "picture.h"
#include "print.h"

/* Print all, and write and draw the one that is wanted. */
static int show(const struct mt_strassen_choice *choices,
                const struct mt_strassen_question *question, struct mt_error *err)
{
    const enum mt_partition_kind wanted =
        question->any ? mt_strassen_best(choices) : question->kind;
    int status = MT_OK;
    if (mt_strassen_options.write)
        status = mt_strassen_write_partition(&choices[wanted].partition,
                                             mt_strassen_options.write, err);
    if (status == MT_OK)
        status = mt_common.json ? mt_strassen_plan_json(choices, question, err)
                                : mt_strassen_plan_print(choices, question, err);
    if (status == MT_OK && mt_strassen_options.plot)
        status =
            mt_strassen_draw(&choices[wanted], question, mt_strassen_options.plot, err);
    return status;
}

static int plan(const char *cluster, struct mt_error *err)
{
    struct mt_strassen_question question = {.most = 0};
    struct mt_strassen_choice choices[MT_PARTITION_KINDS] = {{.partition = {0}}};
    int status = mt_strassen_question_read(&question, cluster, err);
    if (status == MT_OK)
        status = mt_strassen_choose_all(choices, &question, err);
    if (status == MT_OK)
        status = show(choices, &question, err);
    for (int kind = 0; kind < MT_PARTITION_KINDS; kind++)
        mt_strassen_choice_clear(&choices[kind]);
    mt_strassen_question_clear(&question);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    int status = MT_OK;
    if (mt_strassen_options.plot)
        status = mt_plot_check(mt_strassen_options.plot, mt_common.json, err);
    if (status == MT_OK)
        status = plan(arguments[0], err);
    return mt_exit_status(status);
}

static const char *const options[] = {
    "size", "configuration", "most", "cut", "write", "plot", "db", "json", NULL};

const struct mt_action mt_strassen_plan = {
    .name = "plan",
    .arguments = "CLUSTER",
    .summary = "how long a product takes, cut in each of the ways, and which is best",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
