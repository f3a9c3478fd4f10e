/* SPDX-License-Identifier: BSD-3-Clause */
#include "cut_parcels.h"

#include <stdlib.h>
#include <string.h>

/*
 * For A, `along` is the rows, and k runs along its columns; for B it is the other way
 * round. Otherwise they are alike, and what follows does one of them at a time.
 */
enum operand { OPERAND_A, OPERAND_B, OPERANDS };

/* What a tile has of A or B. */
struct owned {
    struct mt_cut_range along, depth;
    int first_band, end_band;
};

/* Rows of A, or columns of B, that a rank needs in all phases of a turn. */
struct span {
    int rank, turn;
    struct mt_cut_range along;
};

/* A message, before those of a phase and a rank are brought together. */
struct message {
    size_t place; /* phase * ranks + the rank that gets it */
    int from;
    enum operand operand;
    double bytes;
};

struct finder {
    struct mt_cut_work *work;
    const struct mt_cut *cut;
    const struct mt_cut_product *product;
    enum operand operand;
    struct owned *owned; /* of every tile */
    struct span *spans;
    int nspans;
    /* Between two neighbouring edges of tiles there is a band; the tiles in each: */
    int *edges, nbands;
    int *band_starts, *band_tiles;
    int *first_panels; /* of every rank */
    struct message *messages;
    size_t nmessages, room;
};

static int size_of(struct mt_cut_range range)
{
    return range.end - range.first;
}

static struct mt_cut_range common(struct mt_cut_range a, struct mt_cut_range b)
{
    return (struct mt_cut_range){a.first > b.first ? a.first : b.first,
                                 a.end < b.end ? a.end : b.end};
}

static struct mt_cut_range between(double first, double end, int size)
{
    return (struct mt_cut_range){mt_cut_edge(first, size), mt_cut_edge(end, size)};
}

static int compare_ints(const void *a, const void *b)
{
    const int one = *(const int *)a, other = *(const int *)b;
    return (one > other) - (one < other);
}

static int compare_spans(const void *a, const void *b)
{
    const struct span *one = a, *other = b;
    const int differences[] = {one->rank - other->rank, one->turn - other->turn,
                               one->along.first - other->along.first,
                               one->along.end - other->along.end};
    for (int i = 0; i < 4; i++)
        if (differences[i] != 0)
            return differences[i];
    return 0;
}

static void find_owned(struct finder *finder)
{
    const struct mt_cut_product *product = finder->product;
    const int size = finder->operand == OPERAND_A ? product->m : product->n;
    for (int i = 0; i < finder->cut->ntiles; i++) {
        const struct mt_cut_tile *tile = &finder->cut->tiles[i];
        struct owned *owned = &finder->owned[i];
        if (finder->operand == OPERAND_A) {
            owned->along = between(tile->top, tile->bottom, size);
            owned->depth = between(tile->left, tile->right, product->k);
        } else {
            owned->along = between(tile->left, tile->right, size);
            owned->depth = between(tile->top, tile->bottom, product->k);
        }
    }
}

static void find_spans(struct finder *finder)
{
    const struct mt_cut *cut = finder->cut;
    finder->nspans = 0;
    for (int i = 0; i < cut->ntiles; i++) {
        const struct mt_cut_tile *tile = &cut->tiles[i];
        const struct mt_cut_product *product = finder->product;
        const bool is_empty =
            size_of(between(tile->top, tile->bottom, product->m)) == 0 ||
            size_of(between(tile->left, tile->right, product->n)) == 0;
        if (!is_empty)
            finder->spans[finder->nspans++] =
                (struct span){tile->rank, tile->turn, finder->owned[i].along};
    }
    qsort(finder->spans, (size_t)finder->nspans, sizeof *finder->spans, compare_spans);
    int kept = 0;
    for (int i = 0; i < finder->nspans; i++)
        if (kept == 0 || compare_spans(&finder->spans[kept - 1], &finder->spans[i]))
            finder->spans[kept++] = finder->spans[i];
    finder->nspans = kept;
}

/* The first band that begins at the edge or after it. */
static int find_band(const struct finder *finder, int edge)
{
    int low = 0, high = finder->nbands;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (finder->edges[middle] < edge)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int find_bands(struct finder *finder, struct mt_error *err)
{
    const int ntiles = finder->cut->ntiles;
    finder->nbands = 0;
    for (int i = 0; i < ntiles; i++)
        finder->edges[i] = finder->owned[i].along.first;
    qsort(finder->edges, (size_t)ntiles, sizeof *finder->edges, compare_ints);
    for (int i = 0; i < ntiles; i++)
        if (i == 0 || finder->edges[i] != finder->edges[finder->nbands - 1])
            finder->edges[finder->nbands++] = finder->edges[i];

    size_t count = 0;
    memset(finder->band_starts, 0, ((size_t)ntiles + 1) * sizeof *finder->band_starts);
    for (int i = 0; i < ntiles; i++) {
        struct owned *owned = &finder->owned[i];
        owned->first_band = find_band(finder, owned->along.first);
        owned->end_band = find_band(finder, owned->along.end);
        for (int band = owned->first_band; band < owned->end_band; band++, count++)
            finder->band_starts[band + 1]++;
    }
    free(finder->band_tiles);
    finder->band_tiles = calloc(count + 1, sizeof *finder->band_tiles);
    if (!finder->band_tiles)
        return mt_fail(err, MT_ENOMEM, "no memory for the edges of %d tiles", ntiles);
    for (int band = 0; band < finder->nbands; band++)
        finder->band_starts[band + 1] += finder->band_starts[band];
    for (int i = ntiles - 1; i >= 0; i--) /* fills each band from its end */
        for (int band = finder->owned[i].first_band; band < finder->owned[i].end_band;
             band++)
            finder->band_tiles[--finder->band_starts[band + 1]] = i;
    /* band_starts[band + 1] is now where band starts */
    memmove(finder->band_starts, finder->band_starts + 1,
            (size_t)finder->nbands * sizeof *finder->band_starts);
    finder->band_starts[finder->nbands] = (int)count;
    return MT_OK;
}

static int add_message(struct finder *finder, const struct message *message,
                       struct mt_error *err)
{
    if (finder->nmessages == finder->room) {
        const size_t room = finder->room > 0 ? 2 * finder->room : 1024;
        struct message *messages = realloc(finder->messages, room * sizeof *messages);
        if (!messages)
            return mt_fail(err, MT_ENOMEM, "no memory for %zu messages", room);
        finder->messages = messages;
        finder->room = room;
    }
    finder->messages[finder->nmessages++] = *message;
    return MT_OK;
}

/* The i-th part of k in the phases of a turn. */
static struct mt_cut_range find_part(const struct finder *finder, int turn, int part)
{
    const struct mt_cut *cut = finder->cut;
    return turn == 0 ? mt_cut_panel_range(cut, part, finder->product->k)
                     : mt_cut_subpanel_range(cut, part / cut->subpanels,
                                             part % cut->subpanels, finder->product->k);
}

/* The phase in which a rank takes the part. */
static int find_phase(const struct finder *finder, const struct span *span, int part)
{
    const struct mt_cut *cut = finder->cut;
    const int parts = span->turn == 0 ? 1 : cut->subpanels;
    const int first = finder->first_panels[span->rank];
    const int step = (part / parts - first + cut->panels) % cut->panels;
    return step * mt_cut_phases_per_step(cut) +
           (span->turn == 0 ? 0 : 1 + part % parts);
}

/* What a tile of another rank has of the span: a message in each phase that needs it.
 */
static int visit_tile(struct finder *finder, const struct span *span, int tile,
                      struct mt_error *err)
{
    const struct owned *owned = &finder->owned[tile];
    const int from = finder->cut->tiles[tile].rank, k = finder->product->k;
    const int width = size_of(common(span->along, owned->along));
    const int parts =
        finder->cut->panels * (span->turn == 0 ? 1 : finder->cut->subpanels);
    if (from == span->rank || width <= 0 || size_of(owned->depth) <= 0)
        return MT_OK;
    int part = (int)((long)owned->depth.first * parts / k);
    while (part > 0 && find_part(finder, span->turn, part).first > owned->depth.first)
        part--;
    int status = MT_OK;
    for (; part < parts && !status; part++) {
        const struct mt_cut_range range = find_part(finder, span->turn, part);
        if (range.first >= owned->depth.end)
            break;
        const int length = size_of(common(range, owned->depth));
        const size_t phase = (size_t)find_phase(finder, span, part);
        const struct message message = {
            .place = phase * (size_t)finder->work->ranks + (size_t)span->rank,
            .from = from,
            .operand = finder->operand,
            .bytes = (double)sizeof(double) * width * length,
        };
        if (length > 0)
            status = add_message(finder, &message, err);
    }
    return status;
}

static int visit_span(struct finder *finder, const struct span *span,
                      struct mt_error *err)
{
    const int first = find_band(finder, span->along.first);
    const int end = find_band(finder, span->along.end);
    int status = MT_OK;
    for (int band = first; band < end; band++)
        for (int i = finder->band_starts[band];
             i < finder->band_starts[band + 1] && !status; i++) {
            const int tile = finder->band_tiles[i];
            const int its_first = finder->owned[tile].first_band;
            if (band == (its_first > first ? its_first : first)) /* not seen before */
                status = visit_tile(finder, span, tile, err);
        }
    return status;
}

/* Sort the messages by place; those of a place stay in order: of A, then of B. `next`
   is where the place's next one goes. */
static void sort_messages(struct message *sorted, int *next,
                          const struct finder *finder)
{
    int *starts = finder->work->starts;
    const size_t places = (size_t)finder->work->phases * (size_t)finder->work->ranks;
    for (size_t i = 0; i < finder->nmessages; i++)
        starts[finder->messages[i].place + 1]++;
    for (size_t place = 0; place < places; place++) {
        next[place] = starts[place];
        starts[place + 1] += starts[place];
    }
    for (size_t i = 0; i < finder->nmessages; i++)
        sorted[next[finder->messages[i].place]++] = finder->messages[i];
}

/* Bring messages from the same rank, of the same operand, at the same place together.
   `seen` is where the last parcel of a rank ends. */
static void pack(struct mt_cut_work *work, const struct message *sorted, int *seen)
{
    const size_t places = (size_t)work->phases * (size_t)work->ranks;
    int kept = 0;
    for (size_t place = 0, i = 0; place < places; place++) {
        const size_t end = (size_t)work->starts[place + 1];
        int begin = work->starts[place] = kept;
        for (; i < end; i++) {
            const struct message *message = &sorted[i];
            if (kept > begin && message->operand != sorted[i - 1].operand)
                begin = kept;
            int *last = &seen[message->from];
            if (*last <= begin) {
                work->parcels[kept++] = (struct mt_cut_parcel){.from = message->from};
                *last = kept;
            }
            work->parcels[*last - 1].messages++;
            work->parcels[*last - 1].bytes += message->bytes;
        }
    }
    work->starts[places] = kept;
}

static int gather(struct finder *finder, struct mt_error *err)
{
    struct mt_cut_work *work = finder->work;
    const size_t places = (size_t)work->phases * (size_t)work->ranks;
    work->starts = calloc(places + 1, sizeof *work->starts);
    work->parcels = calloc(finder->nmessages + 1, sizeof *work->parcels);
    struct message *sorted = calloc(finder->nmessages + 1, sizeof *sorted);
    int *next = calloc(places, sizeof *next);
    int *seen = calloc((size_t)work->ranks, sizeof *seen);
    int status = MT_OK;
    if (work->starts && work->parcels && sorted && next && seen) {
        sort_messages(sorted, next, finder);
        pack(work, sorted, seen);
    } else {
        status =
            mt_fail(err, MT_ENOMEM, "no memory for %zu messages", finder->nmessages);
    }
    free(seen);
    free(next);
    free(sorted);
    return status;
}

static int find_messages(struct finder *finder, struct mt_error *err)
{
    find_owned(finder);
    find_spans(finder);
    int status = find_bands(finder, err);
    for (int i = 0; i < finder->nspans && !status; i++)
        status = visit_span(finder, &finder->spans[i], err);
    return status;
}

int mt_cut_find_parcels(struct mt_cut_work *work, const struct mt_cut *cut,
                        const struct mt_cut_product *product, struct mt_error *err)
{
    const size_t tiles = (size_t)cut->ntiles;
    struct finder finder = {
        .work = work,
        .cut = cut,
        .product = product,
        .owned = calloc(tiles, sizeof *finder.owned),
        .spans = calloc(tiles, sizeof *finder.spans),
        .edges = calloc(tiles, sizeof *finder.edges),
        .band_starts = calloc(tiles + 1, sizeof *finder.band_starts),
        .first_panels = calloc((size_t)cut->ranks, sizeof *finder.first_panels),
    };
    int status = MT_OK;
    if (!finder.owned || !finder.spans || !finder.edges || !finder.band_starts ||
        !finder.first_panels) {
        status = mt_fail(err, MT_ENOMEM, "no memory for %zu tiles", tiles);
        goto done;
    }
    for (int rank = 0; rank < cut->ranks; rank++)
        finder.first_panels[rank] = mt_cut_panel(cut, rank, 0);
    for (int operand = 0; operand < OPERANDS && !status; operand++) {
        finder.operand = (enum operand)operand;
        status = find_messages(&finder, err);
    }
    if (!status)
        status = gather(&finder, err);
done:
    free(finder.messages);
    free(finder.first_panels);
    free(finder.band_tiles);
    free(finder.band_starts);
    free(finder.edges);
    free(finder.spans);
    free(finder.owned);
    return status;
}
