/* SPDX-License-Identifier: BSD-3-Clause */
/* Derives costs, the worst ranks and nodes, and the verdict from the merged counts; the
   verdict and its cure as sentences, for the JSON and in short for stderr. */
#include "findings.h"

#include "lib/base/text.h"
#include "preload/tuning.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static int64_t watched_cost(const struct site *site, int size)
{
    int64_t cost = 0;
    for (int rank = 0; rank < size; rank++)
        cost += site->of[rank].cost;
    return cost;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* The largest average cost of a call: all others wait for the late rank. */
static double worst_case(const struct site *site, int size)
{
    double lateness = 0;
    for (int rank = 0; rank < size; rank++)
        if (site->of[rank].seen > 0)
            lateness += (double)site->of[rank].sum / (double)site->of[rank].seen;
    return lateness * (size - 1);
}

/*
 * The factor from the costs in watched calls to those of all calls. A token makes ranks
 * wait for each other, so calls without one show the waiting due to lateness when not
 * watched. If there are few of these, use the watched ones.
 */
static double scale_of(const struct site *site, int size)
{
    const double cost = (double)watched_cost(site, size);
    const double unwatched = (double)(site->calls - site->watched);
    if (site->watched == 0 || cost <= 0)
        return 1;
    if (unwatched < ENOUGH_CALLS) {
        const double rest = cost * unwatched / (double)site->watched;
        return 1 + smaller(rest, (double)site->time_unwatched) / cost;
    }
    const double waited = (double)site->waits_unwatched / unwatched;
    return smaller(waited, worst_case(site, size)) * (double)site->calls / cost;
}

int64_t findings_time_at(const struct site *site)
{
    const int64_t unwatched = site->calls - site->watched;
    if (unwatched < ENOUGH_CALLS)
        return site->time;
    return (int64_t)((double)site->time_unwatched * (double)site->calls /
                     (double)unwatched);
}

static void add_site(struct findings *findings, const struct site *site, double scale)
{
    findings->time += findings_time_at(site);
    for (int rank = 0; rank < findings->counts->size; rank++) {
        const struct rank_lateness *here = &site->of[rank];
        struct rank_lateness *all = &findings->of[rank];
        findings->waited += here->waited;
        all->calls += here->calls;
        all->time += here->time;
        all->waited += here->waited;
        all->seen += here->seen;
        all->late += here->late;
        all->sum += here->sum;
        all->max = here->max > all->max ? here->max : all->max;
        all->cost += (int64_t)((double)here->cost * scale);
        all->as_root += (int64_t)((double)here->as_root * scale);
        all->alone += (int64_t)((double)here->alone * scale);
    }
}

static int find_worst_rank(const struct findings *findings)
{
    int worst = -1;
    int64_t most = 0;
    for (int rank = 0; rank < findings->counts->size; rank++)
        if (findings->of[rank].cost > most) {
            worst = rank;
            most = findings->of[rank].cost;
        }
    return worst;
}

static int find_worst_node(struct findings *findings)
{
    const int size = findings->counts->size;
    int64_t *cost = calloc((size_t)size, sizeof *cost);
    if (!cost)
        return -1;
    findings->worst_node = -1;
    for (int rank = 0; rank < size; rank++) {
        const int node = findings->node[rank];
        findings->nodes += node == rank;
        cost[node] += findings->of[rank].cost;
    }
    for (int rank = 0; rank < size; rank++)
        if (cost[rank] > findings->worst_node_cost) {
            findings->worst_node = rank;
            findings->worst_node_cost = cost[rank];
        }
    for (int rank = 0; rank < size; rank++)
        findings->worst_node_ranks += findings->node[rank] == findings->worst_node;
    free(cost);
    return 0;
}

/* Codes whose ranks work alone in turn, such as factorisations, have none. */
static int find_alone(const struct findings *findings)
{
    double all = 0;
    int most = 0;
    for (int rank = 0; rank < findings->counts->size; rank++) {
        all += (double)findings->of[rank].alone;
        if (findings->of[rank].alone > findings->of[most].alone)
            most = rank;
    }
    const double alone = (double)findings->of[most].alone;
    return alone > all / 2 && alone > speak_of_alone * (double)findings->waiting &&
                   alone > speak_of * (double)findings->counts->lifetime
               ? most
               : -1;
}

bool findings_crowded(const struct counts *counts)
{
    return counts->crowd.ranks * 1000 > counts->crowd.millicores;
}

/* Ranks that do not poll while they wait, or never wait, do no harm. */
static bool lacks_cores(const struct findings *findings)
{
    const struct counts *counts = findings->counts;
    const double lifetime = (double)counts->lifetime;
    if (counts->patient == counts->heard)
        return false;
    return (double)counts->delay > speak_of_delay * lifetime ||
           (findings_crowded(counts) && (double)findings->time > speak_of * lifetime);
}

static enum verdict judge(const struct findings *findings)
{
    const double waiting = (double)findings->waiting;
    double as_root = 0;
    if (lacks_cores(findings))
        return CORES_SHARED;
    const double worth_it = speak_of * (double)findings->counts->lifetime;
    if (findings->worst < 0 || waiting < worth_it)
        return (double)findings->waited < worth_it ? NOBODY_LATE : NOT_KNOWN;
    for (int rank = 0; rank < findings->counts->size; rank++)
        as_root += (double)findings->of[rank].as_root;
    const double rank_cost = (double)findings->of[findings->worst].cost;
    const double node_cost = (double)findings->worst_node_cost;
    if (as_root > waiting / 2)
        return ROOT_LATE;
    if (node_cost > waiting * 2 / 3 && rank_cost < node_cost * 2 / 3 &&
        findings->nodes > 1)
        return NODE_LATE;
    return rank_cost > waiting / 2 ? RANK_LATE : SPREAD;
}

int findings_init(struct findings *findings, const struct counts *counts,
                  const int *node, const char *name)
{
    *findings = (struct findings){.counts = counts, .node = node, .name = name};
    findings->scale = calloc((size_t)counts->sites + 1, sizeof *findings->scale);
    findings->of = calloc((size_t)counts->size, sizeof *findings->of);
    if (!findings->scale || !findings->of) {
        findings_free(findings);
        return -1;
    }
    for (int i = 0; i < counts->sites; i++) {
        findings->scale[i] = scale_of(&counts->site[i], counts->size);
        add_site(findings, &counts->site[i], findings->scale[i]);
    }
    for (int rank = 0; rank < counts->size; rank++)
        findings->waiting += findings->of[rank].cost;
    findings->worst = find_worst_rank(findings);
    findings->alone = find_alone(findings);
    if (find_worst_node(findings)) {
        findings_free(findings);
        return -1;
    }
    findings->verdict = judge(findings);
    return 0;
}

void findings_free(struct findings *findings)
{
    free(findings->scale);
    free(findings->of);
    *findings = (struct findings){0};
}

int64_t findings_waiting_at(const struct findings *findings, int site)
{
    const struct counts *counts = findings->counts;
    if (counts->all_calls) {
        int64_t waited = 0;
        for (int rank = 0; rank < counts->size; rank++)
            waited += counts->site[site].of[rank].waited;
        return waited;
    }
    return (int64_t)((double)watched_cost(&counts->site[site], counts->size) *
                     findings->scale[site]);
}

const char *findings_node_of(const struct findings *findings, int rank)
{
    const char *name = findings->counts->node_name[findings->node[rank]];
    return name ? name : "?";
}

/* Room for a number with its unit, or a node's name. */
struct text {
    char s[32];
};

/* Room for a call site. */
struct place {
    char s[160];
};

/* ns in the largest unit that they fill, as "1.2 ms". */
static struct text in_time(int64_t ns)
{
    static const struct unit {
        const char *name;
        double size;
    } units[] = {{"d", 86400e9}, {"h", 3600e9}, {"min", 60e9}, {"s", 1e9},
                 {"ms", 1e6},    {"us", 1e3},   {"ns", 1},     {NULL, 0}};
    const struct unit *unit = units;
    struct text text;
    while (fabs((double)ns) < unit->size && unit[1].name)
        unit++;
    const double shown = (double)ns / unit->size;
    snprintf(text.s, sizeof text.s, "%.*f %s",
             fabs(shown) < 9.95 && unit[1].name ? 1 : 0, shown, unit->name);
    return text;
}

static struct text percent(int64_t part, int64_t whole)
{
    struct text text;
    const double percents = whole > 0 ? 100 * (double)part / (double)whole : 0;
    snprintf(text.s, sizeof text.s, "%.*f %%",
             fabs(percents) < 9.95 && part != 0 ? 1 : 0, percents);
    return text;
}

/* A rank's mean lateness in the calls to which it was late; ns. */
static int64_t mean_lateness(const struct rank_lateness *late)
{
    return late->late > 0 ? late->sum / late->late : 0;
}

/* The name without the domain, which a cluster's nodes share; an address stays
   whole. */
static struct text short_node(const struct findings *findings, int rank)
{
    struct text text;
    const char *name = findings_node_of(findings, rank);
    snprintf(text.s, sizeof text.s, "%.*s", (int)mt_text_short_host(name), name);
    return text;
}

/* The line and function, as far as known. */
static struct place place_of(const struct site *site)
{
    struct place place;
    char address[128] = "";
    if (!*site->line)
        snprintf(address, sizeof address, "0x%" PRIx64 " %s", site->address,
                 site->object);
    if (!*site->object)
        snprintf(place.s, sizeof place.s, "all other call sites");
    else
        snprintf(place.s, sizeof place.s, "%s%s%s", *site->line ? site->line : address,
                 *site->function ? ", " : "", site->function);
    return place;
}

static void print_cores_hint(FILE *text, const struct findings *findings)
{
    const struct counts *counts = findings->counts;
    const struct crowd *crowd = &counts->crowd;
    fputs("Cores are shared: ", text);
    if (findings_crowded(counts))
        fprintf(text, "%" PRId64 " ranks have %.3g core%s on node %s, and ",
                crowd->ranks, (double)crowd->millicores * 1e-3,
                crowd->millicores == 1000 ? "" : "s",
                short_node(findings, (int)crowd->node).s);
    fprintf(text,
            "the ranks lacked a core for %s of the time. Ranks that wait take cores "
            "from those that work: start the program with 'motley patient'. Until then "
            "this report says little.",
            percent(counts->delay, counts->lifetime).s);
}

static void print_root_hint(FILE *text, const struct findings *findings)
{
    const int rank = findings->worst;
    const struct rank_lateness *late = &findings->of[rank];
    fprintf(text, "Most of the waiting is for the root of the broadcast%s itself",
            findings->counts->all_calls ? " or scatter" : "");
    if (late->cost > findings->waiting / 2)
        fprintf(text,
                ", above all rank %d on node %s, which came %s after the others on "
                "average",
                rank, short_node(findings, rank).s, in_time(mean_lateness(late)).s);
    fputs(". No order of the ranks helps against that: let the root start the "
          "broadcast earlier, or do less other work before it.",
          text);
}

static void print_node_hint(FILE *text, const struct findings *findings)
{
    const int rank = findings->worst_node;
    fprintf(text,
            "Node %s, with %d ranks, causes %s of the waiting; the others waited %s of "
            "rank time for it. It is slower than the other nodes, or has more to do: "
            "give its ranks less work, or run fewer of them there.",
            short_node(findings, rank).s, findings->worst_node_ranks,
            percent(findings->worst_node_cost, findings->waiting).s,
            in_time(findings->worst_node_cost).s);
}

/* How much longer the ranks of the worst node, or the worst rank alone, take between
   their calls than the others, as a share of the others' time; -1: unknown. */
static double extra_work(const struct findings *findings, bool of_node)
{
    const int size = findings->counts->size;
    const double lifetime = (double)findings->counts->lifetime / size;
    double work[2] = {0};
    int ranks[2] = {0};
    for (int rank = 0; rank < size; rank++) {
        const bool worst = of_node ? findings->node[rank] == findings->worst_node
                                   : rank == findings->worst;
        work[worst] += lifetime - (double)findings->of[rank].time;
        ranks[worst]++;
    }
    if (ranks[0] == 0 || ranks[1] == 0 || work[0] <= 0)
        return -1;
    return work[1] / ranks[1] / (work[0] / ranks[0]) - 1;
}

/* Print, for all calls, why a rank or node is late and what to do. */
static void print_cure(FILE *text, const struct findings *findings, bool of_node)
{
    const double extra = extra_work(findings, of_node);
    if (!findings->counts->all_calls || extra < 0.01 ||
        findings->alone == findings->worst)
        return;
    fprintf(text,
            " Between its calls it takes %.0f %% longer than the others: it is slower, "
            "or has more to do. Give it less, or plan without it.",
            100 * extra);
}

static void print_rank_hint(FILE *text, const struct findings *findings)
{
    const int rank = findings->worst;
    const struct rank_lateness *late = &findings->of[rank];
    fprintf(text, "Rank %d on node %s came late in %s of the calls%s, %s after ", rank,
            short_node(findings, rank).s, percent(late->late, late->seen).s,
            findings->counts->all_calls ? ""
                                        : " in which others got the message from it",
            in_time(mean_lateness(late)).s);
    fprintf(text, "%s on average; that cost %s of rank time.",
            findings->counts->all_calls ? "the others" : "them", in_time(late->cost).s);
}

static void print_spread_hint(FILE *text, const struct findings *findings)
{
    fputs("The waiting is for many ranks", text);
    if (findings->nodes > 1)
        fprintf(text, "; those on node %s cause %s of it, more than those on others",
                short_node(findings, findings->worst_node).s,
                percent(findings->worst_node_cost, findings->waiting).s);
    fputs(".", text);
}

static void print_verdict(FILE *text, const struct findings *findings)
{
    switch (findings->verdict) {
    case CORES_SHARED:
        print_cores_hint(text, findings);
        break;
    case NOBODY_LATE:
        fputs("No rank was notably late.", text);
        break;
    case NOT_KNOWN:
        fprintf(text,
                "The ranks wait for %s of their time. It is unknown for which rank: "
                "the calls do not say which rank's message they waited for.",
                percent(findings->waited, findings->counts->lifetime).s);
        break;
    case ROOT_LATE:
        print_root_hint(text, findings);
        break;
    case NODE_LATE:
        print_node_hint(text, findings);
        print_cure(text, findings, true);
        break;
    case RANK_LATE:
        print_rank_hint(text, findings);
        print_cure(text, findings, false);
        break;
    case SPREAD:
        print_spread_hint(text, findings);
        break;
    }
}

/* Print, for all calls, the rank that works while the others are idle. */
static void print_alone(FILE *text, const struct findings *findings)
{
    const struct counts *counts = findings->counts;
    const int rank = findings->alone;
    int worst = 0;
    if (rank < 0 || findings->verdict == CORES_SHARED)
        return;
    for (int i = 1; i < counts->sites; i++)
        if (counts->site[i].of[rank].alone > counts->site[worst].of[rank].alone)
            worst = i;
    const struct site *site = &counts->site[worst];
    fprintf(
        text,
        "Rank %d on node %s works alone while the others wait, for %s of rank time, "
        "%s of it ahead of %s at %s (%" PRId64 " call%s). If it reads input or "
        "writes output there, let every rank do a part of that; else share out "
        "what it does.",
        rank, short_node(findings, rank).s, in_time(findings->of[rank].alone).s,
        percent(site->of[rank].alone, findings->of[rank].alone).s,
        call_names[site->call], place_of(site).s, site->calls,
        site->calls == 1 ? "" : "s");
}

/* Print advice if ranks wait, and not for roots. */
static void print_advice(FILE *text, const struct findings *findings)
{
    const bool ranks_are_late =
        findings->verdict == NOT_KNOWN || findings->verdict == NODE_LATE ||
        findings->verdict == RANK_LATE || findings->verdict == SPREAD;
    if (ranks_are_late && !findings->adaptive && !findings->counts->all_calls)
        fputs("MOTLEY_BALANCE=bcast,report lets the others wait less, and says how "
              "much less.",
              text);
}

/* Add the text that `print` writes, unless it is empty or memory is short. */
static void add(struct hints *hints, void (*print)(FILE *, const struct findings *),
                const struct findings *findings)
{
    char *words = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&words, &size);
    if (text)
        print(text, findings);
    if (text && fclose(text) == 0 && words && size > 0)
        hints->text[hints->count++] = words;
    else
        free(words);
}

void hints_find(struct hints *hints, const struct findings *findings)
{
    *hints = (struct hints){0};
    if (findings->verdict != ROOT_LATE || findings->alone != findings->worst)
        add(hints, print_verdict, findings);
    add(hints, print_alone, findings);
    add(hints, print_advice, findings);
}

void hints_free(struct hints *hints)
{
    for (int i = 0; i < hints->count; i++)
        free(hints->text[i]);
    *hints = (struct hints){0};
}

/* The possible gain. */
static void put_totals(FILE *text, const struct findings *findings)
{
    const struct counts *counts = findings->counts;
    fputs("motley-balance: waiting in ", text);
    if (counts->all_calls)
        fputs("all calls", text);
    else
        fprintf(text, "MPI_Bcast on %.26s",
                *findings->name ? findings->name : "a nameless communicator");
    fprintf(text, "%s: %d ranks on %d node%s, ",
            findings->simulated ? " (simulated)" : "", counts->size, findings->nodes,
            findings->nodes == 1 ? "" : "s");
    fprintf(text, "%s of %s together in these calls, ", in_time(findings->time).s,
            in_time(counts->lifetime).s);
    fprintf(text, "%s (%s) waiting for late ranks", in_time(findings->waiting).s,
            percent(findings->waiting, counts->lifetime).s);
    if (findings->adaptive)
        fprintf(text, ", %s saved by this library", in_time(counts->saved).s);
    fputs("\n", text);
}

void hints_put(FILE *text, const struct findings *findings)
{
    struct hints hints;
    hints_find(&hints, findings);
    put_totals(text, findings);
    if (hints.count > 0)
        fprintf(text, "motley-balance: %s\n", hints.text[0]);
    if (findings->counts->all_calls)
        fputs("motley-balance: 'motley show lateness' says more of runs that motley "
              "starts, and with --report FILE of MOTLEY_BALANCE=report=FILE\n",
              text);
    hints_free(&hints);
}
