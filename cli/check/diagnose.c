/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is wrong with a cluster: a function for each kind of finding. Numbers that
 * should be equal are compared with their median; messages with smaller and larger
 * ones.
 */
#include "check.h"

#include "cli/common/format.h"
#include "cli/process/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A share of the cores; but half a process is what is left of one that ended. */
static const double load_share = 0.1, least_load = 0.5;
static const double speed_tolerance = 0.1; /* of the median */
/* Messages are late or slow when they take so many times as long as others'. */
static const double bandwidth_factor = 1.5, latency_factor = 2;

static int count_at_most(const double *values, int count, double limit)
{
    int found = 0;
    for (int i = 0; i < count; i++)
        found += values[i] <= limit;
    return found;
}

/* The value that `rank` values are below of, were they sorted; NaN: there are not as
   many. They are few, and this needs no memory. */
static double of_rank(const double *values, int count, int rank)
{
    double found = NAN;
    for (int i = 0; i < count; i++)
        if (count_at_most(values, count, values[i]) > rank)
            found = fmin(found, values[i]);
    return found;
}

int mt_outliers(bool *out, double *median, const double *values, int count,
                double tolerance)
{
    const int known = count_at_most(values, count, INFINITY);
    const double above = of_rank(values, count, known / 2);
    const double below = of_rank(values, count, (known - 1) / 2);
    const double limit = known == 2 ? tolerance / 2 : tolerance;
    int outliers = 0;
    *median = 0.5 * (below + above);
    for (int i = 0; i < count; i++) {
        out[i] = fabs(values[i] - *median) > limit;
        outliers += out[i];
    }
    return outliers;
}

int mt_laggards(bool *out, double *most, const double *values, int count, double factor)
{
    const int known = count_at_most(values, count, INFINITY);
    int laggards = 0;
    *most = of_rank(values, count, known / 2);
    for (int i = 0; i < count; i++) {
        out[i] = values[i] * factor < *most;
        laggards += out[i];
    }
    return laggards;
}

/* A diagnosis that is being made, with room for a number and a mark for each node. */
struct diagnosis {
    struct mt_check *check;
    double *values; /* owned */
    bool *out;      /* owned */
};

static void begin(struct mt_draft *draft, const struct mt_check *check,
                  enum mt_finding_kind kind)
{
    mt_draft_begin(draft, kind, check->nnodes);
}

static void find_down(struct diagnosis *diagnosis)
{
    struct mt_check *check = diagnosis->check;
    struct mt_draft draft;
    begin(&draft, check, MT_FOUND_DOWN);
    for (int i = 0; i < check->nnodes; i++)
        if (!check->nodes[i].answers) {
            const char *reason = check->nodes[i].reason;
            mt_draft_name(&draft, i, check->nodes[i].name, reason ? " (%s)" : "%s",
                          reason ? reason : "");
        }
    mt_draft_finish(&draft, &check->findings, "no answer from");
}

static int count_hosts(const struct mt_check *check, const char *host)
{
    int same = 0;
    for (int i = 0; i < check->nnodes; i++)
        same += check->nodes[i].host && !strcmp(check->nodes[i].host, host);
    return same;
}

static void find_shared_hosts(struct diagnosis *diagnosis)
{
    struct mt_check *check = diagnosis->check;
    struct mt_draft draft;
    begin(&draft, check, MT_FOUND_HOST);
    for (int i = 0; i < check->nnodes; i++) {
        const struct mt_checked_node *node = &check->nodes[i];
        if (node->host && count_hosts(check, node->host) > 1)
            mt_draft_name(&draft, i, node->name, " (calls itself %s)", node->host);
    }
    mt_draft_finish(&draft, &check->findings, "one computer in place of several");
}

static int count_mpis(const struct mt_check *check, const char *mpi)
{
    int same = 0;
    for (int i = 0; i < check->nnodes; i++)
        same += check->nodes[i].mpi && !strcmp(check->nodes[i].mpi, mpi);
    return same;
}

/* The first node of those that have the most common MPI; NULL: none was probed. */
static const struct mt_checked_node *find_common_mpi(const struct mt_check *check)
{
    const struct mt_checked_node *common = NULL;
    int most = 0;
    for (int i = 0; i < check->nnodes; i++) {
        const struct mt_checked_node *node = &check->nodes[i];
        const int same = node->mpi ? count_mpis(check, node->mpi) : 0;
        if (same > most) {
            most = same;
            common = node;
        }
    }
    return common;
}

static void find_other_mpis(struct diagnosis *diagnosis)
{
    struct mt_check *check = diagnosis->check;
    struct mt_draft draft;
    const struct mt_checked_node *usual = find_common_mpi(check);
    if (!usual)
        return;
    begin(&draft, check, MT_FOUND_MPI);
    for (int i = 0; i < check->nnodes; i++) {
        const struct mt_checked_node *node = &check->nodes[i];
        if (node->mpi && strcmp(node->mpi, usual->mpi) != 0)
            mt_draft_name(&draft, i, node->name, " (%s)", node->mpi);
    }
    mt_draft_finish(&draft, &check->findings, "another MPI than that of %s (%s)",
                    usual->name, usual->mpi);
}

static void find_load(struct diagnosis *diagnosis)
{
    struct mt_check *check = diagnosis->check;
    struct mt_draft draft;
    begin(&draft, check, MT_FOUND_LOAD);
    for (int i = 0; i < check->nnodes; i++) {
        const struct mt_checked_node *node = &check->nodes[i];
        if (node->load > fmax(load_share * node->cores, least_load))
            mt_draft_name(&draft, i, node->name, " (load %.2f on %g %s)", node->load,
                          node->cores, node->cores == 1 ? "core" : "cores");
    }
    mt_draft_finish(&draft, &check->findings,
                    "computing for others in the last minute");
}

static void find_endless(struct diagnosis *diagnosis)
{
    struct mt_check *check = diagnosis->check;
    struct mt_draft draft;
    begin(&draft, check, MT_FOUND_END);
    for (int i = 0; i < check->nnodes; i++)
        if (check->endless && check->nodes[i].answers)
            mt_draft_name(&draft, i, check->nodes[i].name, "%s", "");
    mt_draft_finish(&draft, &check->findings,
                    "a program that was through did not end (MPI_Finalize) on");
}

/* A speed of nodes, and how it is spoken of. */
struct node_speed {
    enum mt_finding_kind kind;
    double (*of)(const struct mt_checked_node *node);
    const char *words, *unit;
};

static double speed_of_processor(const struct mt_checked_node *node)
{
    return node->flops;
}

static double speed_of_memory(const struct mt_checked_node *node)
{
    return node->bandwidth;
}

/* Speeds are compared by their ratios, which are differences of logarithms. */
static void find_unequal(struct diagnosis *diagnosis, const struct node_speed *speed,
                         int group)
{
    struct mt_check *check = diagnosis->check;
    double *speeds = diagnosis->values, median;
    struct mt_draft draft;
    char text[MT_QUANTITY_TEXT];
    for (int i = 0; i < check->nnodes; i++)
        speeds[i] =
            check->nodes[i].group == group ? log(speed->of(&check->nodes[i])) : NAN;
    mt_outliers(diagnosis->out, &median, speeds, check->nnodes,
                log(1 + speed_tolerance));
    begin(&draft, check, speed->kind);
    for (int i = 0; i < check->nnodes; i++)
        if (diagnosis->out[i])
            mt_draft_name(&draft, i, check->nodes[i].name, " (%s, %+.0f %%)",
                          mt_format_rate(text, exp(speeds[i]), speed->unit),
                          100 * (exp(speeds[i] - median) - 1));
    mt_draft_finish(&draft, &check->findings,
                    "unequal nodes in group '%s', which %s %s (median)",
                    check->cluster->groups[group].name, speed->words,
                    mt_format_rate(text, exp(median), speed->unit));
}

static void find_unequal_nodes(struct diagnosis *diagnosis)
{
    static const struct node_speed all[] = {
        {MT_FOUND_COMPUTE, speed_of_processor, "computes at", "f"},
        {MT_FOUND_MEMORY, speed_of_memory, "moves data in memory at", "B/s"}};
    for (size_t s = 0; s < sizeof all / sizeof *all; s++)
        for (int g = 0; g < diagnosis->check->cluster->ngroups; g++)
            find_unequal(diagnosis, &all[s], g);
}

/* Of messages per second, and bytes per second, the larger is the better. */
struct link_speed {
    double (*of)(const struct mt_curve *curve);
    double factor;
    const char *words;
    const char *(*format)(char buffer[MT_QUANTITY_TEXT], double speed);
};

static double messages_per_second(const struct mt_curve *curve)
{
    return 1 / mt_curve_latency(curve);
}

static double largest_bandwidth(const struct mt_curve *curve)
{
    return curve->count > 0 ? mt_curve_bandwidth(curve, curve->count - 1) : NAN;
}

static const char *format_latency(char buffer[MT_QUANTITY_TEXT], double frequency)
{
    return mt_format_seconds(buffer, 1 / frequency);
}

static const char *format_bandwidth(char buffer[MT_QUANTITY_TEXT], double bandwidth)
{
    return mt_format_rate(buffer, bandwidth, "B/s");
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

static void find_slow(struct diagnosis *diagnosis, const struct link_speed *speed,
                      int group)
{
    struct mt_check *check = diagnosis->check;
    double *best = diagnosis->values, most;
    struct mt_draft draft;
    char text[MT_QUANTITY_TEXT];
    for (int i = 0; i < check->nnodes; i++)
        best[i] =
            check->nodes[i].group == group ? best_of_node(check, i, speed->of) : NAN;
    mt_laggards(diagnosis->out, &most, best, check->nnodes, speed->factor);
    begin(&draft, check, MT_FOUND_LINK);
    for (int i = 0; i < check->nnodes; i++)
        if (diagnosis->out[i])
            mt_draft_name(&draft, i, check->nodes[i].name, " (%s)",
                          speed->format(text, best[i]));
    mt_draft_finish(
        &draft, &check->findings, "a slow connection in group '%s', where %s %s",
        check->cluster->groups[group].name, speed->words, speed->format(text, most));
}

static void find_slow_links(struct diagnosis *diagnosis)
{
    static const struct link_speed all[] = {
        {messages_per_second, latency_factor, "short messages take", format_latency},
        {largest_bandwidth, bandwidth_factor, "long messages go at", format_bandwidth}};
    for (size_t s = 0; s < sizeof all / sizeof *all; s++)
        for (int g = 0; g < diagnosis->check->cluster->ngroups; g++)
            find_slow(diagnosis, &all[s], g);
}

/* A dip with the place of its link: links of the same two groups often have the same.
 */
struct dip_place {
    int low_group, high_group;
    double smallest, largest; /* bytes */
};

static struct dip_place place_of_dip(const struct mt_check *check,
                                     const struct mt_checked_link *link,
                                     const struct mt_curve_dip *dip)
{
    const int a = check->nodes[link->from].group, b = check->nodes[link->to].group;
    return (struct dip_place){.low_group = a < b ? a : b,
                              .high_group = a < b ? b : a,
                              .smallest = link->curve.bytes[dip->first],
                              .largest = link->curve.bytes[dip->last]};
}

static bool is_same_place(const struct dip_place *a, const struct dip_place *b)
{
    return a->low_group == b->low_group && a->high_group == b->high_group &&
           a->smallest == b->smallest && a->largest == b->largest;
}

/* The link's dip at that place; false: it has none. */
static bool find_dip(struct mt_curve_dip *dip, const struct mt_check *check,
                     const struct mt_checked_link *link, const struct dip_place *place)
{
    for (int start = 0; mt_curve_next_dip(dip, &link->curve, start);
         start = dip->last + 1) {
        const struct dip_place here = place_of_dip(check, link, dip);
        if (is_same_place(&here, place))
            return true;
    }
    return false;
}

/* Add what the draft says of the place's links. */
static void finish_place(struct mt_draft *draft, struct mt_check *check,
                         const struct dip_place *place)
{
    char smallest[MT_QUANTITY_TEXT], largest[MT_QUANTITY_TEXT];
    const struct mt_group *low = &check->cluster->groups[place->low_group],
                          *high = &check->cluster->groups[place->high_group];
    mt_format_bytes(smallest, place->smallest);
    mt_format_bytes(largest, place->largest);
    draft->finding.smallest = place->smallest;
    draft->finding.largest = place->largest;
    if (low == high)
        mt_draft_finish(draft, &check->findings,
                        "messages of %s to %s are slower than smaller and "
                        "larger ones in group '%s'",
                        smallest, largest, low->name);
    else
        mt_draft_finish(draft, &check->findings,
                        "messages of %s to %s are slower than smaller and larger "
                        "ones between groups '%s' and '%s'",
                        smallest, largest, low->name, high->name);
}

/* Report the place at the first of its links. */
static void report_place(struct mt_check *check, const struct dip_place *place,
                         int first)
{
    struct mt_draft draft;
    struct mt_curve_dip dip;
    for (int i = 0; i < first; i++)
        if (find_dip(&dip, check, &check->links[i], place))
            return;
    mt_draft_begin(&draft, MT_FOUND_DIP, check->nnodes);
    for (int i = first; i < check->nlinks; i++) {
        const struct mt_checked_link *link = &check->links[i];
        char lowest[MT_QUANTITY_TEXT], around[MT_QUANTITY_TEXT];
        if (!find_dip(&dip, check, link, place))
            continue;
        mt_draft_name(&draft, link->from, check->nodes[link->from].name,
                      " to %s (%s, around it %s)", check->nodes[link->to].name,
                      mt_format_rate(lowest, dip.lowest, "B/s"),
                      mt_format_rate(around, dip.around, "B/s"));
        mt_draft_include(&draft, link->to);
    }
    finish_place(&draft, check, place);
}

static void find_dips(struct mt_check *check)
{
    for (int i = 0; i < check->nlinks; i++) {
        const struct mt_checked_link *link = &check->links[i];
        struct mt_curve_dip dip;
        for (int start = 0; mt_curve_next_dip(&dip, &link->curve, start);
             start = dip.last + 1) {
            const struct dip_place place = place_of_dip(check, link, &dip);
            report_place(check, &place, i);
        }
    }
}

void mt_check_diagnose(struct mt_check *check)
{
    static void (*const searches[])(struct diagnosis * diagnosis) = {
        find_down,    find_shared_hosts,  find_other_mpis, find_load,
        find_endless, find_unequal_nodes, find_slow_links};
    const size_t count = (size_t)check->nnodes;
    struct diagnosis diagnosis = {.check = check,
                                  .values = mt_calloc(count, sizeof(double)),
                                  .out = mt_calloc(count, sizeof(bool))};
    mt_findings_clear(&check->findings);
    for (size_t i = 0; i < sizeof searches / sizeof *searches; i++)
        searches[i](&diagnosis);
    find_dips(check);
    free(diagnosis.out);
    free(diagnosis.values);
}
