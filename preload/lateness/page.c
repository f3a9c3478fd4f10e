/* SPDX-License-Identifier: BSD-3-Clause */
#include "findings.h"
#include "hints.h"
#include "words.h"

#include <inttypes.h>
#include <string.h>

enum { LISTED_SITES = 10, WIDTH = 79 };

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

static void print_hints(FILE *page, const struct findings *findings)
{
    struct hints hints;
    hints_find(&hints, findings);
    for (int i = 0; i < hints.count; i++)
        print_wrapped(page, hints.text[i]);
    hints_free(&hints);
}

void report_page(FILE *page, const struct findings *findings)
{
    print_heading(page, findings);
    if (findings->verdict == CORES_SHARED)
        print_hints(page, findings);
    print_totals(page, findings);
    if (findings->verdict != NOBODY_LATE) {
        if (findings->worst[0] >= 0)
            print_worst_ranks(page, findings);
        print_sites(page, findings);
    }
    if (findings->verdict != CORES_SHARED)
        print_hints(page, findings);
}
