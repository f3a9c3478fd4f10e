/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds faults of a cluster, with remedies: a function for each kind of finding.
 * Numbers that should be equal are compared with their median; messages with smaller
 * and larger ones.
 */
#include "check.h"

#include "cli/common/format.h"
#include "cli/process/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A share of the cores; half a process may be left over from one that ended. */
static const double load_share = 0.1, least_load = 0.5;
static const double speed_tolerance = 0.1; /* of the median */
/* A message is late or slow if it takes this many times as long as others. */
static const double bandwidth_factor = 1.5, latency_factor = 2;

static int count_at_most(const double *values, int count, double limit)
{
    int found = 0;
    for (int i = 0; i < count; i++)
        found += values[i] <= limit;
    return found;
}

/* The value at index `rank` of the sorted values; NaN if there are fewer. Needs no
   memory, and is fast enough for few values. */
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

static const struct kind {
    const char *name, *advice;
    bool measured;
} kinds[] = {
    [MT_FOUND_DOWN] = {"absent",
                       "See that it is up and that the launcher may start programs "
                       "there without asking for a password; it was left out of the "
                       "rest.",
                       .measured = false},
    [MT_FOUND_HOST] = {"host",
                       "Give each computer one name in the cluster file, and see that "
                       "the launcher starts one process on each node.",
                       .measured = false},
    [MT_FOUND_MPI] = {"mpi",
                      "Install the same version everywhere, or have it found first "
                      "there.",
                      .measured = false},
    [MT_FOUND_LOAD] = {"load",
                       "Measure when the node runs nothing else; a check or a run that "
                       "has just ended counts for a minute. Other findings may come "
                       "from it.",
                       .measured = false},
    [MT_FOUND_COMPUTE] = {"compute",
                          "Look for other processes, heat and power-saving settings; "
                          "or make it a group of its own, as plans take the nodes of a "
                          "group for equal.",
                          .measured = true},
    [MT_FOUND_MEMORY] = {"memory",
                         "Look for other processes, and for memory modules that are "
                         "missing or in the wrong slots; or make it a group of its "
                         "own.",
                         .measured = true},
    [MT_FOUND_LINK] = {"link",
                       "Look at its network card, its cable and the switch's port, and "
                       "at the rate that they have agreed on.",
                       .measured = true},
    [MT_FOUND_DIP] = {"dip",
                      "Look for a newer driver of the network card, at its buffers and "
                      "interrupt settings, or give the MPI another limit for eager "
                      "messages.",
                      .measured = true},
    [MT_FOUND_MTU] = {"mtu",
                      "Set one MTU on all nodes and on the ports of the switch between "
                      "them, and try which one is faster.",
                      .measured = false},
    [MT_FOUND_EAGER] = {"eager",
                        "Give the MPI the same settings everywhere: look for "
                        "configuration files of its own on single nodes.",
                        .measured = false},
    [MT_FOUND_END] = {"end",
                      "Other programs will not end, either: take another version of "
                      "the MPI, or another transport of it (UCX_TLS, FI_PROVIDER).",
                      .measured = false},
};

/*
 * A finding that is being written: faulty nodes are added one by one. Every draft that
 * is begun must be finished.
 */
struct draft {
    struct mt_check *check;
    struct mt_finding finding;
    FILE *stream; /* owned; writes `text` */
    char *text;   /* owned; "node (...), node (...)" */
    size_t length;
};

static void begin(struct draft *draft, struct mt_check *check,
                  enum mt_finding_kind kind)
{
    *draft = (struct draft){.check = check,
                            .finding = {.kind = kind,
                                        .name = kinds[kind].name,
                                        .advice = kinds[kind].advice,
                                        .measured = kinds[kind].measured}};
    draft->finding.nodes =
        mt_calloc((size_t)check->nnodes + 1, sizeof *draft->finding.nodes);
    draft->stream = mt_memory_open(&draft->text, &draft->length);
}

/* Mark a node as named in the text about another one. */
static void include(struct draft *draft, int node)
{
    struct mt_finding *finding = &draft->finding;
    for (int i = 0; i < finding->nnodes; i++)
        if (finding->nodes[i] == node)
            return;
    finding->nodes[finding->nnodes++] = node;
}

/* A node with its state in parentheses: "NAME (late)". */
MT_PRINTF(3, 4)
static void name(struct draft *draft, int node, const char *format, ...)
{
    va_list arguments;
    fprintf(draft->stream, "%s%s", draft->finding.nnodes > 0 ? ", " : "",
            draft->check->nodes[node].name);
    va_start(arguments, format);
    vfprintf(draft->stream, format, arguments);
    va_end(arguments);
    include(draft, node);
}

/* Add the finding, if it names any node: "HEAD: node (...), node (...)". */
MT_PRINTF(2, 3)
static void finish(struct draft *draft, const char *head, ...)
{
    struct mt_finding *finding = &draft->finding;
    struct mt_findings *findings = &draft->check->findings;
    va_list arguments;
    mt_memory_close(draft->stream, &draft->text);
    if (finding->nnodes > 0) {
        size_t length;
        FILE *stream = mt_memory_open(&finding->text, &length);
        va_start(arguments, head);
        vfprintf(stream, head, arguments);
        va_end(arguments);
        fprintf(stream, ": %s", draft->text);
        mt_memory_close(stream, &finding->text);
        mt_array_extend(&findings->list, findings->count, sizeof *findings->list);
        findings->list[findings->count++] = *finding;
    } else {
        free(finding->nodes);
    }
    free(draft->text);
}

static void find_down(struct mt_check *check)
{
    struct draft draft;
    begin(&draft, check, MT_FOUND_DOWN);
    for (int i = 0; i < check->nnodes; i++)
        if (!check->nodes[i].answers) {
            const char *reason = check->nodes[i].reason;
            name(&draft, i, reason ? " (%s)" : "%s", reason ? reason : "");
        }
    finish(&draft, "no answer from");
}

static int count_hosts(const struct mt_check *check, const char *host)
{
    int same = 0;
    for (int i = 0; i < check->nnodes; i++)
        same += check->nodes[i].host && !strcmp(check->nodes[i].host, host);
    return same;
}

static void find_shared_hosts(struct mt_check *check)
{
    struct draft draft;
    begin(&draft, check, MT_FOUND_HOST);
    for (int i = 0; i < check->nnodes; i++) {
        const struct mt_checked_node *node = &check->nodes[i];
        if (node->host && count_hosts(check, node->host) > 1)
            name(&draft, i, " (calls itself %s)", node->host);
    }
    finish(&draft, "one computer in place of several");
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

static void find_other_mpis(struct mt_check *check)
{
    struct draft draft;
    const struct mt_checked_node *usual = find_common_mpi(check);
    if (!usual)
        return;
    begin(&draft, check, MT_FOUND_MPI);
    for (int i = 0; i < check->nnodes; i++) {
        const struct mt_checked_node *node = &check->nodes[i];
        if (node->mpi && strcmp(node->mpi, usual->mpi) != 0)
            name(&draft, i, " (%s)", node->mpi);
    }
    finish(&draft, "another MPI than that of %s (%s)", usual->name, usual->mpi);
}

static void find_load(struct mt_check *check)
{
    struct draft draft;
    begin(&draft, check, MT_FOUND_LOAD);
    for (int i = 0; i < check->nnodes; i++) {
        const struct mt_checked_node *node = &check->nodes[i];
        if (node->load > fmax(load_share * node->cores, least_load))
            name(&draft, i, " (load %.2f on %g %s)", node->load, node->cores,
                 node->cores == 1 ? "core" : "cores");
    }
    finish(&draft, "computing for others in the last minute");
}

/* A setting of nodes in bytes that should be the same everywhere. */
struct setting {
    enum mt_finding_kind kind;
    double (*of)(const struct mt_checked_node *node);
    const char *words;
};

static double mtu_of(const struct mt_checked_node *node)
{
    return node->mtu;
}

static double eager_limit_of(const struct mt_checked_node *node)
{
    return node->eager;
}

static double buffer_of(const struct mt_checked_node *node)
{
    return node->buffer;
}

/* Names the nodes that differ from the median, the value of most nodes. */
static void find_setting(struct mt_check *check, const struct setting *setting)
{
    double *values = mt_calloc((size_t)check->nnodes, sizeof *values), median;
    bool *out = mt_calloc((size_t)check->nnodes, sizeof *out);
    struct draft draft;
    for (int i = 0; i < check->nnodes; i++)
        values[i] = setting->of(&check->nodes[i]);
    mt_outliers(out, &median, values, check->nnodes, 0);
    begin(&draft, check, setting->kind);
    for (int i = 0; i < check->nnodes; i++)
        if (out[i])
            name(&draft, i, " (%.0f B)", values[i]);
    finish(&draft, "unequal %s", setting->words);
    free(out);
    free(values);
}

static void find_settings(struct mt_check *check)
{
    static const struct setting all[] = {
        {MT_FOUND_MTU, mtu_of, "MTUs of network interfaces"},
        {MT_FOUND_EAGER, eager_limit_of, "eager limits of the MPI"},
        {MT_FOUND_EAGER, buffer_of, "TCP buffers of the MPI"}};
    for (size_t s = 0; s < sizeof all / sizeof *all; s++)
        find_setting(check, &all[s]);
}

static void find_endless(struct mt_check *check)
{
    struct draft draft;
    begin(&draft, check, MT_FOUND_END);
    for (int i = 0; i < check->nnodes; i++)
        if (check->endless && check->nodes[i].answers)
            name(&draft, i, "%s", "");
    finish(&draft, "a program that was through did not end (MPI_Finalize) on");
}

/* A speed of nodes, and its wording. */
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
static void find_unequal(struct mt_check *check, const struct node_speed *speed,
                         int group)
{
    double *speeds = mt_calloc((size_t)check->nnodes, sizeof *speeds), median;
    bool *out = mt_calloc((size_t)check->nnodes, sizeof *out);
    struct draft draft;
    char text[MT_QUANTITY_TEXT];
    for (int i = 0; i < check->nnodes; i++)
        speeds[i] =
            check->nodes[i].group == group ? log(speed->of(&check->nodes[i])) : NAN;
    mt_outliers(out, &median, speeds, check->nnodes, log(1 + speed_tolerance));
    begin(&draft, check, speed->kind);
    for (int i = 0; i < check->nnodes; i++)
        if (out[i])
            name(&draft, i, " (%s, %+.0f %%)",
                 mt_format_rate(text, exp(speeds[i]), speed->unit),
                 100 * (exp(speeds[i] - median) - 1));
    finish(&draft, "unequal nodes in group '%s', which %s %s (median)",
           check->cluster->groups[group].name, speed->words,
           mt_format_rate(text, exp(median), speed->unit));
    free(out);
    free(speeds);
}

static void find_unequal_nodes(struct mt_check *check)
{
    static const struct node_speed all[] = {
        {MT_FOUND_COMPUTE, speed_of_processor, "computes at", "f"},
        {MT_FOUND_MEMORY, speed_of_memory, "moves data in memory at", "B/s"}};
    for (size_t s = 0; s < sizeof all / sizeof *all; s++)
        for (int g = 0; g < check->cluster->ngroups; g++)
            find_unequal(check, &all[s], g);
}

/* A speed, in messages or bytes per second: larger is better. */
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

static const char *format_latency(char buffer[MT_QUANTITY_TEXT], double frequency)
{
    return mt_format_seconds(buffer, 1 / frequency);
}

static const char *format_bandwidth(char buffer[MT_QUANTITY_TEXT], double bandwidth)
{
    return mt_format_rate(buffer, bandwidth, "B/s");
}

/* The best of the node's links, since a bad partner is not the node's fault. */
static double best_of_node(const struct mt_check *check, int node,
                           double (*of)(const struct mt_curve *curve))
{
    double best = NAN;
    for (int i = 0; i < check->nlinks; i++)
        if (check->links[i].from == node || check->links[i].to == node)
            best = fmax(best, of(&check->links[i].curve));
    return best;
}

static void find_slow(struct mt_check *check, const struct link_speed *speed, int group)
{
    double *best = mt_calloc((size_t)check->nnodes, sizeof *best), most;
    bool *out = mt_calloc((size_t)check->nnodes, sizeof *out);
    struct draft draft;
    char text[MT_QUANTITY_TEXT];
    for (int i = 0; i < check->nnodes; i++)
        best[i] =
            check->nodes[i].group == group ? best_of_node(check, i, speed->of) : NAN;
    mt_laggards(out, &most, best, check->nnodes, speed->factor);
    begin(&draft, check, MT_FOUND_LINK);
    for (int i = 0; i < check->nnodes; i++)
        if (out[i])
            name(&draft, i, " (%s)", speed->format(text, best[i]));
    finish(&draft, "a slow connection in group '%s', where %s %s",
           check->cluster->groups[group].name, speed->words, speed->format(text, most));
    free(out);
    free(best);
}

static void find_slow_links(struct mt_check *check)
{
    static const struct link_speed all[] = {
        {messages_per_second, latency_factor, "short messages take", format_latency},
        {mt_curve_last_bandwidth, bandwidth_factor, "long messages go at",
         format_bandwidth}};
    for (size_t s = 0; s < sizeof all / sizeof *all; s++)
        for (int g = 0; g < check->cluster->ngroups; g++)
            find_slow(check, &all[s], g);
}

/* A dip with the groups of its link: links of the same two groups often have the same
   dip. */
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

/* Add the place's links to the draft. */
static void finish_place(struct draft *draft, struct mt_check *check,
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
        finish(draft,
               "messages of %s to %s are slower than smaller and "
               "larger ones in group '%s'",
               smallest, largest, low->name);
    else
        finish(draft,
               "messages of %s to %s are slower than smaller and larger "
               "ones between groups '%s' and '%s'",
               smallest, largest, low->name, high->name);
}

/* Report the place at the first of its links. */
static void report_place(struct mt_check *check, const struct dip_place *place,
                         int first)
{
    struct draft draft;
    struct mt_curve_dip dip;
    for (int i = 0; i < first; i++)
        if (find_dip(&dip, check, &check->links[i], place))
            return;
    begin(&draft, check, MT_FOUND_DIP);
    for (int i = first; i < check->nlinks; i++) {
        const struct mt_checked_link *link = &check->links[i];
        char lowest[MT_QUANTITY_TEXT], around[MT_QUANTITY_TEXT];
        if (!find_dip(&dip, check, link, place))
            continue;
        name(&draft, link->from, " to %s (%s, around it %s)",
             check->nodes[link->to].name, mt_format_rate(lowest, dip.lowest, "B/s"),
             mt_format_rate(around, dip.around, "B/s"));
        include(&draft, link->to);
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

void mt_findings_clear(struct mt_findings *findings)
{
    for (int i = 0; i < findings->count; i++) {
        free(findings->list[i].nodes);
        free(findings->list[i].text);
    }
    free(findings->list);
    *findings = (struct mt_findings){0};
}

void mt_check_diagnose(struct mt_check *check)
{
    mt_findings_clear(&check->findings);
    find_down(check);
    find_shared_hosts(check);
    find_other_mpis(check);
    find_load(check);
    find_settings(check);
    find_endless(check);
    find_unequal_nodes(check);
    find_slow_links(check);
    find_dips(check);
}
