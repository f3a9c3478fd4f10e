/* SPDX-License-Identifier: BSD-3-Clause */
#include "judge.h"

#include "cli/common/check_text.h"
#include "outlier.h"

#include <math.h>
#include <stdlib.h>

static const double tolerance = 0.1; /* of the median */

/* A speed of nodes, and how it is spoken of. */
struct speed {
    enum mt_finding_kind kind;
    double (*of)(const struct mt_checked_node *node);
    const char *words, *unit;
};

static double processor(const struct mt_checked_node *node)
{
    return node->flops;
}

static double memory(const struct mt_checked_node *node)
{
    return node->bandwidth;
}

/* Speeds are compared by their ratios, which are differences of logarithms. */
static int judge(struct mt_check *check, const struct speed *speed, int group,
                 double *speeds, bool *out, struct mt_error *err)
{
    struct mt_suspects suspects;
    double median;
    char text[MT_QUANTITY_TEXT];
    int status = mt_suspects_begin(&suspects, check, err);
    if (status != MT_OK)
        return status;
    for (int i = 0; i < check->nnodes; i++)
        speeds[i] =
            check->nodes[i].group == group ? log(speed->of(&check->nodes[i])) : NAN;
    mt_outliers(out, &median, speeds, check->nnodes, log(1 + tolerance));
    for (int i = 0; i < check->nnodes; i++)
        if (out[i])
            mt_suspects_add(&suspects, i, " (%s, %+.0f %%)",
                            mt_format_rate(text, exp(speeds[i]), speed->unit),
                            100 * (exp(speeds[i] - median) - 1));
    return mt_suspects_end(&suspects, check, speed->kind, err,
                           "unequal nodes in group '%s', which %s %s (median)",
                           check->cluster->groups[group].name, speed->words,
                           mt_format_rate(text, exp(median), speed->unit));
}

static int judge_all(struct mt_check *check, double *speeds, bool *out,
                     struct mt_error *err)
{
    static const struct speed all[] = {
        {MT_FOUND_COMPUTE, processor, "computes at", "f"},
        {MT_FOUND_MEMORY, memory, "moves data in memory at", "B/s"}};
    int status = MT_OK;
    for (size_t s = 0; s < sizeof all / sizeof *all; s++)
        for (int g = 0; g < check->cluster->ngroups && status == MT_OK; g++)
            status = judge(check, &all[s], g, speeds, out, err);
    return status;
}

int mt_check_judge_speed(struct mt_check *check, struct mt_error *err)
{
    double *speeds = calloc((size_t)check->nnodes, sizeof *speeds);
    bool *out = calloc((size_t)check->nnodes, sizeof *out);
    const int status = speeds && out ? judge_all(check, speeds, out, err)
                                     : mt_fail(err, MT_ENOMEM, "no memory for speeds");
    free(out);
    free(speeds);
    return status;
}
