/* SPDX-License-Identifier: BSD-3-Clause */
#include "check_judge.h"

#include "check_outlier.h"
#include "check_text.h"

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

/* Room for a number and a mark of each node. */
struct room {
    double *speeds;
    bool *out;
};

/* Speeds are compared by their ratios, which are differences of logarithms. */
static int judge(struct mt_check *check, const struct speed *speed, int group,
                 const struct room *room, struct mt_error *err)
{
    struct mt_suspects suspects;
    double median;
    char text[MT_QUANTITY_TEXT];
    int status = mt_suspects_begin(&suspects, check, err);
    if (status != MT_OK)
        return status;
    for (int i = 0; i < check->nnodes; i++)
        room->speeds[i] =
            check->nodes[i].group == group ? log(speed->of(&check->nodes[i])) : NAN;
    mt_outliers(room->out, &median, room->speeds, check->nnodes, log(1 + tolerance));
    for (int i = 0; i < check->nnodes; i++)
        if (room->out[i])
            mt_suspects_add(&suspects, i, " (%s, %+.0f %%)",
                            mt_format_rate(text, exp(room->speeds[i]), speed->unit),
                            100 * (exp(room->speeds[i] - median) - 1));
    return mt_suspects_end(&suspects, check, speed->kind, err,
                           "unequal nodes in group '%s', which %s %s (median)",
                           check->cluster->groups[group].name, speed->words,
                           mt_format_rate(text, exp(median), speed->unit));
}

int mt_check_judge_speed(struct mt_check *check, struct mt_error *err)
{
    static const struct speed all[] = {
        {MT_FOUND_COMPUTE, processor, "computes at", "f"},
        {MT_FOUND_MEMORY, memory, "moves data in memory at", "B/s"}};
    const struct room room = {.speeds =
                                  calloc((size_t)check->nnodes, sizeof *room.speeds),
                              .out = calloc((size_t)check->nnodes, sizeof *room.out)};
    int status = room.speeds && room.out
                     ? MT_OK
                     : mt_fail(err, MT_ENOMEM, "no memory for speeds");
    for (size_t s = 0; s < sizeof all / sizeof *all; s++)
        for (int g = 0; g < check->cluster->ngroups && status == MT_OK; g++)
            status = judge(check, &all[s], g, &room, err);
    free(room.out);
    free(room.speeds);
    return status;
}
