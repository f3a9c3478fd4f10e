/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts waiting and lateness by call site; packs and merges the ranks' counts. */
#include "counts.h"
#include "preload/tuning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const call_names[CALLS] = {
#define NAME(Name, ...) [CALL_##Name] = "MPI_" #Name,
    WATCHED_CALLS(NAME)
#undef NAME
};

int counts_init(struct counts *counts, int size)
{
    *counts = (struct counts){.size = size, .heard = 1};
    counts->node_name = calloc((size_t)size, sizeof *counts->node_name);
    counts->timeline = calloc((size_t)size, sizeof *counts->timeline);
    if (counts->node_name && counts->timeline)
        return 0;
    free(counts->node_name);
    free(counts->timeline);
    *counts = (struct counts){0};
    return -1;
}

void counts_free(struct counts *counts)
{
    for (int i = 0; i < counts->sites; i++)
        free(counts->site[i].of);
    for (int rank = 0; rank < counts->size; rank++) {
        free(counts->node_name[rank]);
        free(counts->timeline[rank]);
    }
    free(counts->site);
    free(counts->node_name);
    free(counts->timeline);
    *counts = (struct counts){0};
}

struct site *counts_site(struct counts *counts, const char *object,
                         const char *function, uint64_t address)
{
    for (int i = 0; i < counts->sites; i++) {
        struct site *site = &counts->site[i];
        if (site->address == address && strcmp(site->object, object) == 0)
            return site;
    }
    if (counts->sites >= MAX_SITES && *object)
        return counts_site(counts, "", "", 0);

    const size_t sites = (size_t)counts->sites + 1;
    struct site *more = realloc(counts->site, sites * sizeof *more);
    if (!more)
        return NULL;
    counts->site = more;
    struct site *site = &more[counts->sites];
    *site = (struct site){.address = address};
    site->of = calloc((size_t)counts->size, sizeof *site->of);
    if (!site->of)
        return NULL;
    snprintf(site->object, sizeof site->object, "%s", object);
    snprintf(site->function, sizeof site->function, "%s", function);
    counts->sites++;
    return site;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* A rank sends its own shortest call and peer only. */
static void add_lateness(struct rank_lateness *of, const struct rank_lateness *more)
{
    of->calls += more->calls;
    of->time += more->time;
    of->waited += more->waited;
    of->seen += more->seen;
    of->late += more->late;
    of->sum += more->sum;
    of->max = larger(of->max, more->max);
    of->cost += more->cost;
    of->as_root += more->as_root;
    of->alone += more->alone;
    of->shortest += more->shortest;
    of->peer += more->peer;
}

void counts_join(struct counts *counts, int site, int other)
{
    struct site *to = &counts->site[site], *from = &counts->site[other];
    to->time += from->time;
    for (int rank = 0; rank < counts->size; rank++) {
        add_lateness(&to->of[rank], &from->of[rank]);
        to->calls = larger(to->calls, to->of[rank].calls);
    }
    to->watched = to->calls;
    free(from->of);
    *from = counts->site[--counts->sites];
}

static void settle_single(struct site *site, int rank, int64_t least)
{
    struct rank_lateness *of = &site->of[rank];
    const int64_t more = of->shortest - least;
    if (of->shortest == 0 || more < least + WORTH_BLAME)
        return;
    of->waited += more * of->calls;
    if (of->peer <= 0)
        return;
    struct rank_lateness *peer = &site->of[of->peer - 1];
    peer->late = larger(peer->late, of->calls);
    peer->seen = larger(peer->seen, of->calls);
    peer->sum += more * of->calls;
    peer->max = larger(peer->max, more);
    peer->cost += more * of->calls;
}

void counts_settle_singles(struct counts *counts)
{
    for (int i = 0; i < counts->sites; i++) {
        struct site *site = &counts->site[i];
        int64_t least = 0;
        for (int rank = 0; rank < counts->size; rank++)
            if (site->of[rank].shortest > 0 &&
                (least == 0 || site->of[rank].shortest < least))
                least = site->of[rank].shortest;
        for (int rank = 0; rank < counts->size; rank++)
            settle_single(site, rank, least);
    }
}

void counts_crowd(struct counts *counts, const struct crowd *crowd)
{
    const struct crowd *fullest = &counts->crowd;
    if (fullest->ranks == 0 ||
        crowd->ranks * fullest->millicores > fullest->ranks * crowd->millicores)
        counts->crowd = *crowd;
}

static void put(FILE *numbers, int64_t number)
{
    fwrite(&number, sizeof number, 1, numbers);
}

static void put_text(FILE *text, const char *string)
{
    fwrite(string, 1, strlen(string) + 1, text);
}

static bool is_known(const struct rank_lateness *of)
{
    return of->seen > 0 || of->cost > 0 || of->calls > 0;
}

/* Ranks without observations are left out. */
static void put_latenesses(FILE *numbers, const struct rank_lateness *of, int size)
{
    int64_t seen = 0;
    for (int rank = 0; rank < size; rank++)
        seen += is_known(&of[rank]);
    put(numbers, seen);
    for (int rank = 0; rank < size; rank++) {
        if (!is_known(&of[rank]))
            continue;
        put(numbers, rank);
        fwrite(&of[rank], sizeof of[rank], 1, numbers);
    }
}

static void put_timelines(FILE *numbers, const struct counts *counts)
{
    int64_t known = 0;
    for (int rank = 0; rank < counts->size; rank++)
        known += counts->timeline[rank] != NULL;
    put(numbers, known);
    for (int rank = 0; rank < counts->size; rank++) {
        const struct timeline *timeline = counts->timeline[rank];
        if (!timeline)
            continue;
        put(numbers, rank);
        put(numbers, timeline->doubled);
        fwrite(timeline->waited, sizeof timeline->waited, 1, numbers);
    }
}

static void put_counts(FILE *numbers, FILE *text, const struct counts *counts)
{
    const struct crowd *crowd = &counts->crowd;
    const int64_t head[] = {counts->heard,  counts->lifetime,  counts->saved,
                            counts->set_up, counts->delay,     counts->patient,
                            crowd->ranks,   crowd->millicores, crowd->node,
                            counts->sites};
    fwrite(head, sizeof head, 1, numbers);
    for (int i = 0; i < counts->sites; i++) {
        const struct site *site = &counts->site[i];
        put_text(text, site->object);
        put_text(text, site->function);
        put_text(text, site->path);
        const int64_t of_site[] = {
            (int64_t)site->address, site->call,           site->calls,
            site->watched,          site->bytes,          site->time,
            site->time_unwatched,   site->waits_unwatched};
        fwrite(of_site, sizeof of_site, 1, numbers);
        put_latenesses(numbers, site->of, counts->size);
    }
    put_timelines(numbers, counts);
    for (int rank = 0; rank < counts->size; rank++)
        if (counts->node_name[rank]) {
            put(numbers, rank);
            put_text(text, counts->node_name[rank]);
        }
}

int counts_pack(const struct counts *counts, struct packed *packed)
{
    *packed = (struct packed){0};
    char *bytes = NULL;
    size_t size = 0;
    FILE *numbers = open_memstream(&bytes, &size);
    FILE *text = open_memstream(&packed->text, &packed->bytes);
    if (numbers && text)
        put_counts(numbers, text, counts);
    const int numbers_failed = !numbers || fclose(numbers) != 0 || !bytes;
    const int text_failed = !text || fclose(text) != 0 || !packed->text;
    packed->numbers = (int64_t *)(void *)bytes;
    packed->count = size / sizeof *packed->numbers;
    if (!numbers_failed && !text_failed)
        return 0;
    packed_free(packed);
    return -1;
}

void packed_free(struct packed *packed)
{
    free(packed->numbers);
    free(packed->text);
    *packed = (struct packed){0};
}

/* The position in the text being read. */
struct cursor {
    const int64_t *number;
    const char *text;
};

static int64_t get(struct cursor *cursor)
{
    return *cursor->number++;
}

static const char *get_text(struct cursor *cursor)
{
    const char *text = cursor->text;
    cursor->text += strlen(text) + 1;
    return text;
}

static void add_latenesses(struct cursor *cursor, struct rank_lateness *of)
{
    for (int64_t left = get(cursor); left > 0; left--) {
        const int64_t rank = get(cursor);
        struct rank_lateness more;
        memcpy(&more, cursor->number, sizeof more);
        cursor->number += sizeof more / sizeof *cursor->number;
        add_lateness(&of[rank], &more);
    }
}

static int add_site(struct counts *counts, struct cursor *cursor)
{
    const char *object = get_text(cursor), *function = get_text(cursor);
    const char *path = get_text(cursor);
    struct site *site = counts_site(counts, object, function, (uint64_t)get(cursor));
    if (!site)
        return -1;
    if (!*site->path && *site->object)
        snprintf(site->path, sizeof site->path, "%s", path);
    site->call = (enum call_number)get(cursor);
    site->calls = larger(site->calls, get(cursor));
    site->watched = larger(site->watched, get(cursor));
    site->bytes = larger(site->bytes, get(cursor));
    site->time += get(cursor);
    site->time_unwatched += get(cursor);
    site->waits_unwatched += get(cursor);
    add_latenesses(cursor, site->of);
    return 0;
}

static void add_crowd(struct counts *counts, struct cursor *cursor)
{
    struct crowd crowd;
    crowd.ranks = get(cursor);
    crowd.millicores = get(cursor);
    crowd.node = get(cursor);
    counts_crowd(counts, &crowd);
}

static int add_timelines(struct counts *counts, struct cursor *cursor)
{
    for (int64_t left = get(cursor); left > 0; left--) {
        const int64_t rank = get(cursor);
        struct timeline *timeline = malloc(sizeof *timeline);
        if (!timeline)
            return -1;
        timeline->doubled = (int)get(cursor);
        for (int i = 0; i < INTERVALS; i++)
            timeline->waited[i] = get(cursor);
        free(counts->timeline[rank]);
        counts->timeline[rank] = timeline;
    }
    return 0;
}

int counts_add(struct counts *counts, const struct packed *packed)
{
    struct cursor cursor = {packed->numbers, packed->text};
    const int64_t *end = packed->numbers + packed->count;
    counts->heard += (int)get(&cursor);
    counts->lifetime += get(&cursor);
    counts->saved += get(&cursor);
    counts->set_up += get(&cursor);
    counts->delay += get(&cursor);
    counts->patient += (int)get(&cursor);
    add_crowd(counts, &cursor);
    for (int64_t left = get(&cursor); left > 0; left--)
        if (add_site(counts, &cursor))
            return -1;
    if (add_timelines(counts, &cursor))
        return -1;
    while (cursor.number < end) {
        const int64_t rank = get(&cursor);
        const char *name = get_text(&cursor);
        if (!counts->node_name[rank])
            counts->node_name[rank] = strdup(name);
    }
    return 0;
}

static const int64_t narrowest = INT64_C(1) << 20;

int64_t timeline_width(const struct timeline *timeline)
{
    return narrowest << timeline->doubled;
}

void timeline_widen(struct timeline *timeline, int doubled)
{
    for (; timeline->doubled < doubled; timeline->doubled++)
        for (int i = 0; i < INTERVALS; i++)
            timeline->waited[i] =
                2 * i + 1 < INTERVALS
                    ? timeline->waited[2 * i] + timeline->waited[2 * i + 1]
                    : 0;
}

void timeline_add(struct timeline *timeline, int64_t from, int64_t length,
                  int64_t waited)
{
    const int64_t end = from + length;
    while (end > INTERVALS * timeline_width(timeline))
        timeline_widen(timeline, timeline->doubled + 1);
    const int64_t width = timeline_width(timeline);
    for (int64_t at = from, next; at < end; at = next) {
        next = (at / width + 1) * width < end ? (at / width + 1) * width : end;
        timeline->waited[at / width] +=
            (int64_t)((double)waited * (double)(next - at) / (double)length);
    }
}
