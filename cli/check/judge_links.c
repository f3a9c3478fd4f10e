/* SPDX-License-Identifier: BSD-3-Clause */
#include "judge.h"

#include "cli/common/check_text.h"
#include "cli/common/table.h"
#include "outlier.h"

#include <math.h>
#include <stdlib.h>

/* Messages are late or slow when they take so many times as long as others'. */
static const double bandwidth_factor = 1.5, latency_factor = 2;

static double largest_bandwidth(const struct mt_curve *curve)
{
    return curve->count > 0 ? mt_curve_bandwidth(curve, curve->count - 1) : NAN;
}

static double short_frequency(const struct mt_curve *curve)
{
    return 1 / mt_curve_latency(curve);
}

/* The best of the node's links: a bad partner is not the node's fault. */
static double best_of_node(const struct mt_check *check, int node,
                           double (*of)(const struct mt_curve *curve))
{
    double best = NAN;
    for (int i = 0; i < check->nlinks; i++)
        if (check->links[i].from == node || check->links[i].to == node)
            best = fmax(best, of(&check->links[i].curve));
    return best;
}

/* Of messages per second, and bytes per second, the larger is the better. */
struct quality {
    double (*of)(const struct mt_curve *curve);
    double factor;
    const char *words;
    const char *(*format)(char buffer[MT_QUANTITY_TEXT], double quality);
};

static const char *format_latency(char buffer[MT_QUANTITY_TEXT], double frequency)
{
    return mt_format_seconds(buffer, 1 / frequency);
}

static const char *format_bandwidth(char buffer[MT_QUANTITY_TEXT], double bandwidth)
{
    return mt_format_rate(buffer, bandwidth, "B/s");
}

static int judge(struct mt_check *check, const struct quality *quality, int group,
                 double *best, bool *out, struct mt_error *err)
{
    struct mt_suspects suspects;
    double most;
    char text[MT_QUANTITY_TEXT];
    int status = mt_suspects_begin(&suspects, check, err);
    if (status != MT_OK)
        return status;
    for (int i = 0; i < check->nnodes; i++)
        best[i] =
            check->nodes[i].group == group ? best_of_node(check, i, quality->of) : NAN;
    mt_laggards(out, &most, best, check->nnodes, quality->factor);
    for (int i = 0; i < check->nnodes; i++)
        if (out[i])
            mt_suspects_add(&suspects, i, " (%s)", quality->format(text, best[i]));
    return mt_suspects_end(&suspects, check, MT_FOUND_LINK, err,
                           "a slow connection in group '%s', where %s %s",
                           check->cluster->groups[group].name, quality->words,
                           quality->format(text, most));
}

static int judge_all(struct mt_check *check, double *best, bool *out,
                     struct mt_error *err)
{
    static const struct quality all[] = {
        {short_frequency, latency_factor, "short messages take", format_latency},
        {largest_bandwidth, bandwidth_factor, "long messages go at", format_bandwidth}};
    int status = MT_OK;
    for (size_t q = 0; q < sizeof all / sizeof *all; q++)
        for (int g = 0; g < check->cluster->ngroups && status == MT_OK; g++)
            status = judge(check, &all[q], g, best, out, err);
    return status;
}

int mt_check_judge_links(struct mt_check *check, struct mt_error *err)
{
    double *best = calloc((size_t)check->nnodes, sizeof *best);
    bool *out = calloc((size_t)check->nnodes, sizeof *out);
    const int status = best && out
                           ? judge_all(check, best, out, err)
                           : mt_fail(err, MT_ENOMEM, "no memory for connections");
    free(out);
    free(best);
    return status;
}
