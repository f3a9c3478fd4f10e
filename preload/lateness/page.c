/* SPDX-License-Identifier: BSD-3-Clause */
#include "findings.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED_SITES = 10, WIDTH = 79 };

/* Room for a number with its unit. */
struct text {
    char s[32];
};

/* Room for a call site. */
struct place {
    char s[160];
};

struct unit {
    const char *name;
    double size;
};

/* The number in the largest unit that it fills; `units` ends with the smallest. */
static struct text in_units(double number, const struct unit *units)
{
    struct text text;
    while (fabs(number) < units->size && units[1].name)
        units++;
    const double shown = number / units->size;
    snprintf(text.s, sizeof text.s, "%.*f %s",
             fabs(shown) < 9.95 && units[1].name ? 1 : 0, shown, units->name);
    return text;
}

static struct text in_time(int64_t ns)
{
    static const struct unit units[] = {{"d", 86400e9}, {"h", 3600e9}, {"min", 60e9},
                                        {"s", 1e9},     {"ms", 1e6},   {"us", 1e3},
                                        {"ns", 1},      {NULL, 0}};
    return in_units((double)ns, units);
}

static struct text in_bytes(int64_t bytes)
{
    static const struct unit units[] = {{"TiB", 0x1p40}, {"GiB", 0x1p30},
                                        {"MiB", 0x1p20}, {"KiB", 0x1p10},
                                        {"B", 1},        {NULL, 0}};
    return in_units((double)bytes, units);
}

static struct text percent(int64_t part, int64_t whole)
{
    struct text text;
    const double percents = whole > 0 ? 100 * (double)part / (double)whole : 0;
    snprintf(text.s, sizeof text.s, "%.*f %%",
             fabs(percents) < 9.95 && part != 0 ? 1 : 0, percents);
    return text;
}

static int64_t mean_lateness(const struct rank_lateness *late)
{
    return late->late > 0 ? late->sum / late->late : 0;
}

/* Without the domain, which nodes of a cluster have in common; an address stays. */
static struct text short_node(const struct findings *findings, int rank)
{
    struct text text;
    const char *name = findings_node_of(findings, rank);
    const bool address = *name >= '0' && *name <= '9';
    const int length = address ? (int)strlen(name) : (int)strcspn(name, ".");
    snprintf(text.s, sizeof text.s, "%.*s", length, name);
    return text;
}

static void print_broadcasts(FILE *page, const struct counts *counts)
{
    fprintf(page, "  %" PRId64 " broadcasts of %s together", counts->calls,
            in_bytes(counts->bytes).s);
    if (counts->watched < counts->calls)
        fprintf(page, ", %" PRId64 " watched", counts->watched);
    fputs("\n", page);
}

static void print_heading(FILE *page, const struct findings *findings)
{
    const struct counts *counts = findings->counts;
    const char *simulated = findings->simulated ? " (simulated)" : "";
    if (counts->all_calls)
        fprintf(page, "motley-balance: waiting in all calls%s\n", simulated);
    else
        fprintf(page, "motley-balance: waiting in MPI_Bcast on %.26s%s\n",
                *findings->name ? findings->name : "a nameless communicator",
                simulated);
    fprintf(page, "  %d ranks on %d node%s\n", counts->size, findings->nodes,
            findings->nodes == 1 ? "" : "s");
    if (!counts->all_calls)
        print_broadcasts(page, counts);
    if (counts->heard < counts->size)
        fprintf(page, "  %d ranks were short of memory and are left out\n",
                counts->size - counts->heard);
}

static void print_share(FILE *page, const struct findings *findings, const char *what,
                        int64_t time)
{
    fprintf(page, "  %-34s%10s  %6s\n", what, in_time(time).s,
            percent(time, findings->counts->lifetime).s);
}

static void print_totals(FILE *page, const struct findings *findings)
{
    const struct counts *counts = findings->counts;
    fprintf(page, "  %-34s%10s\n", "time of all ranks together",
            in_time(counts->lifetime).s);
    print_share(page, findings, counts->all_calls ? "in these calls" : "in MPI_Bcast",
                findings->time);
    if (counts->all_calls)
        print_share(page, findings, "  of it waiting", findings->waited);
    print_share(page, findings, "  of it waiting for late ranks", findings->waiting);
    if (findings->adaptive)
        fprintf(page, "  %-34s%10s  %6s\n", "saved by this library",
                in_time(counts->saved).s,
                percent(counts->saved, counts->lifetime + counts->saved).s);
}

static void print_worst_ranks(FILE *page, const struct findings *findings)
{
    fprintf(page, "\n  %-28s%7s%12s%12s%18s\n", "worst ranks", "late", "on average",
            "at most", "cost to others");
    for (int i = 0; i < WORST_RANKS && findings->worst[i] >= 0; i++) {
        const int rank = findings->worst[i];
        const struct rank_lateness *late = &findings->of[rank];
        char who[64];
        snprintf(who, sizeof who, "%d on %s", rank, short_node(findings, rank).s);
        fprintf(page, "  %-28.28s%7s%12s%12s%10s%8s\n", who,
                percent(late->late, late->seen).s, in_time(mean_lateness(late)).s,
                in_time(late->max).s, in_time(late->cost).s,
                percent(late->cost, findings->waiting).s);
    }
}

static struct place place_of(const struct site *site)
{
    struct place place;
    if (!*site->object)
        snprintf(place.s, sizeof place.s, "all other call sites");
    else if (*site->line && *site->function)
        snprintf(place.s, sizeof place.s, "%s, %s", site->line, site->function);
    else if (*site->line)
        snprintf(place.s, sizeof place.s, "%s", site->line);
    else if (*site->function)
        snprintf(place.s, sizeof place.s, "0x%" PRIx64 " %s, %s", site->address,
                 site->object, site->function);
    else
        snprintf(place.s, sizeof place.s, "0x%" PRIx64 " %s", site->address,
                 site->object);
    return place;
}

static void print_broadcast_site(FILE *page, const struct findings *findings, int index)
{
    const struct site *site = &findings->counts->site[index];
    const int worst = findings_worst_at(findings, site, -1);
    char rank[16] = "-";
    if (worst >= 0)
        snprintf(rank, sizeof rank, "%d", worst);
    fprintf(page, "  %-29.29s %10" PRId64 "%9s%10s%10s%8s\n", place_of(site).s,
            site->calls, in_bytes(site->calls > 0 ? site->bytes / site->calls : 0).s,
            in_time(findings_time_at(site)).s,
            in_time(findings_waiting_at(findings, index)).s, rank);
}

/* The two ranks that others waited for most there. */
static void print_late_ranks(FILE *page, const struct findings *findings,
                             const struct site *site)
{
    int rank = -1;
    for (int i = 0; i < 2; i++) {
        rank = findings_worst_at(findings, site, rank);
        if (rank < 0 || site->of[rank].late == 0)
            return;
        const struct rank_lateness *late = &site->of[rank];
        fprintf(page,
                "    rank %d: %s late in %" PRId64 " of %" PRId64
                " calls, which cost the others %s\n",
                rank, in_time(mean_lateness(late)).s, late->late, late->seen,
                in_time(late->cost).s);
    }
}

static void print_site(FILE *page, const struct findings *findings, int index)
{
    const struct site *site = &findings->counts->site[index];
    if (!findings->counts->all_calls) {
        print_broadcast_site(page, findings, index);
        return;
    }
    char what[200];
    snprintf(what, sizeof what, "%s %s", call_names[site->call] + strlen("MPI_"),
             place_of(site).s);
    fprintf(page, "  %-46.46s %10" PRId64 "%10s%10s\n", what, site->calls,
            in_time(findings_time_at(site)).s,
            in_time(findings_waiting_at(findings, index)).s);
    print_late_ranks(page, findings, site);
}

static void print_site_heading(FILE *page, const struct findings *findings)
{
    if (findings->counts->all_calls)
        fprintf(page, "\n  %-47s%10s%10s%10s\n", "call site", "calls", "time",
                "waiting");
    else
        fprintf(page, "\n  %-30s%10s%9s%10s%10s%8s\n", "call site", "calls", "message",
                "time", "waiting", "worst");
}

/* The sites with the most waiting, the most costly first. */
static void print_sites(FILE *page, const struct findings *findings)
{
    const int sites = findings->counts->sites;
    bool printed[MAX_SITES + 1] = {false};
    const int most = findings->counts->all_calls ? LISTED_SITES / 2 : LISTED_SITES;
    print_site_heading(page, findings);
    for (int line = 0; line < sites && line < most; line++) {
        int worst = 0;
        while (printed[worst])
            worst++;
        for (int i = worst + 1; i < sites; i++)
            if (!printed[i] &&
                findings_waiting_at(findings, i) > findings_waiting_at(findings, worst))
                worst = i;
        printed[worst] = true;
        print_site(page, findings, worst);
    }
    if (sites > most)
        fprintf(page, "  and %d more\n", sites - most);
}

/* The words of the text, in lines that fit the page. */
static void print_wrapped(FILE *page, const char *text)
{
    int column = 0;
    for (const char *word = text + strspn(text, " "); *word;
         word += strspn(word, " ")) {
        const int length = (int)strcspn(word, " ");
        if (column > 0 && column + 1 + length > WIDTH)
            column = 0;
        fprintf(page, "%s%.*s", column == 0 ? "\n  " : " ", length, word);
        column += length + (column == 0 ? 2 : 1);
        word += length;
    }
    fputs("\n", page);
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
            "the rest of this page says little.",
            percent(counts->delay, counts->lifetime).s);
}

static void print_root_hint(FILE *text, const struct findings *findings)
{
    const int rank = findings->worst[0];
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
   their calls than the others, as a part of what these take; -1: not known. */
static double extra_work(const struct findings *findings, bool of_node)
{
    const int size = findings->counts->size;
    const double lifetime = (double)findings->counts->lifetime / size;
    double work[2] = {0};
    int ranks[2] = {0};
    for (int rank = 0; rank < size; rank++) {
        const bool worst = of_node ? findings->node[rank] == findings->worst_node
                                   : rank == findings->worst[0];
        work[worst] += lifetime - (double)findings->of[rank].time;
        ranks[worst]++;
    }
    if (ranks[0] == 0 || ranks[1] == 0 || work[0] <= 0)
        return -1;
    return work[1] / ranks[1] / (work[0] / ranks[0]) - 1;
}

/* Of all calls: why it is late, and what to do. */
static void print_cure(FILE *text, const struct findings *findings, bool of_node)
{
    const double extra = extra_work(findings, of_node);
    if (!findings->counts->all_calls || extra < 0.01)
        return;
    fprintf(text,
            " Between its calls it takes %.0f %% longer than the others: it is slower, "
            "or has more to do. Give it less, or plan without it.",
            100 * extra);
}

/* Of all calls: where most of the waiting is. */
static void print_worst_site(FILE *text, const struct findings *findings)
{
    const struct counts *counts = findings->counts;
    int worst = 0;
    for (int i = 1; i < counts->sites; i++)
        if (findings_waiting_at(findings, i) > findings_waiting_at(findings, worst))
            worst = i;
    if (!counts->all_calls || counts->sites == 0)
        return;
    fprintf(text, " Of all waiting %s is in %s at %s.",
            percent(findings_waiting_at(findings, worst), findings->waited).s,
            call_names[counts->site[worst].call], place_of(&counts->site[worst]).s);
}

static void print_rank_hint(FILE *text, const struct findings *findings)
{
    const int rank = findings->worst[0];
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

static void print_hint(FILE *text, const struct findings *findings)
{
    switch (findings->verdict) {
    case CORES_SHARED:
        print_cores_hint(text, findings);
        return;
    case NOBODY_LATE:
        fputs("Nobody was late to speak of.", text);
        return;
    case ROOT_LATE:
        print_root_hint(text, findings);
        return;
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
    print_worst_site(text, findings);
    if (!findings->adaptive && !findings->counts->all_calls)
        fputs(
            " MOTLEY_BALANCE=bcast,report lets the others wait less, and says how much "
            "less.",
            text);
}

static void print_wrapped_hint(FILE *page, const struct findings *findings)
{
    char *hint = NULL;
    size_t size;
    FILE *text = open_memstream(&hint, &size);
    if (!text)
        return;
    print_hint(text, findings);
    if (fclose(text) == 0)
        print_wrapped(page, hint);
    free(hint);
}

void report_page(FILE *page, const struct findings *findings)
{
    print_heading(page, findings);
    if (findings->verdict == CORES_SHARED)
        print_wrapped_hint(page, findings);
    print_totals(page, findings);
    if (findings->verdict != NOBODY_LATE) {
        print_worst_ranks(page, findings);
        print_sites(page, findings);
    }
    if (findings->verdict != CORES_SHARED)
        print_wrapped_hint(page, findings);
}
