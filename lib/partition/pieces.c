/* SPDX-License-Identifier: BSD-3-Clause */
#include "pieces.h"

#include <stdlib.h>
#include <string.h>

int mt_partition_phases_per_step(const struct mt_partition *partition)
{
    return 1 + partition->subpanels;
}

int mt_partition_turn_of_phase(const struct mt_partition *partition, int phase)
{
    return phase % mt_partition_phases_per_step(partition) > 0 ? 1 : 0;
}

/*
 * For A, `along` is the rows, and k runs along its columns; for B it is the other way
 * round. Otherwise they are alike, and what follows does one of them at a time.
 */
enum operand { OPERAND_A, OPERAND_B, OPERANDS };

/* What a tile has of A or B. */
struct owned {
    struct mt_partition_range along, depth;
    int first_band, end_band;
};

/* Rows of A, or columns of B, that a rank needs in all phases of a turn. Ranks that
   need the same, beginning with the same panel, are a group. */
struct span {
    int turn;
    struct mt_partition_range along;
    int panel, rank;
    int holder; /* of turn 1: the rank that has it of turn 0, and sends it; -1: it comes
                   from its owners */
};

struct finder {
    const struct mt_partition *partition;
    const struct mt_partition_product *product;
    enum operand operand;
    struct owned *owned; /* of every tile */
    struct span *spans;  /* groups together, in order of rank */
    int nspans;
    int *others; /* of a group, but for an owner */
    /* Between two neighbouring edges of tiles there is a band; the tiles in each: */
    int *edges, nbands;
    int *band_starts, *band_tiles;
    int *first_panels; /* of every rank */
    mt_partition_visit_piece visit;
    void *context;
};

static int size_of(struct mt_partition_range range)
{
    return range.end - range.first;
}

static struct mt_partition_range common(struct mt_partition_range a,
                                        struct mt_partition_range b)
{
    return (struct mt_partition_range){a.first > b.first ? a.first : b.first,
                                       a.end < b.end ? a.end : b.end};
}

static struct mt_partition_range between(double first, double end, int size)
{
    return (struct mt_partition_range){mt_partition_edge(first, size),
                                       mt_partition_edge(end, size)};
}

static int compare_ints(const void *a, const void *b)
{
    const int one = *(const int *)a, other = *(const int *)b;
    return (one > other) - (one < other);
}

static int compare_spans(const void *a, const void *b)
{
    const struct span *one = a, *other = b;
    const int differences[] = {one->turn - other->turn,
                               one->along.first - other->along.first,
                               one->along.end - other->along.end,
                               one->panel - other->panel, one->rank - other->rank};
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++)
        if (differences[i] != 0)
            return differences[i];
    return 0;
}

static void find_owned(struct finder *finder)
{
    const struct mt_partition_product *product = finder->product;
    const int size = finder->operand == OPERAND_A ? product->m : product->n;
    for (int i = 0; i < finder->partition->ntiles; i++) {
        const struct mt_partition_tile *tile = &finder->partition->tiles[i];
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
    const struct mt_partition *partition = finder->partition;
    finder->nspans = 0;
    for (int i = 0; i < partition->ntiles; i++) {
        const struct mt_partition_tile *tile = &partition->tiles[i];
        const struct mt_partition_product *product = finder->product;
        const bool is_empty =
            size_of(between(tile->top, tile->bottom, product->m)) == 0 ||
            size_of(between(tile->left, tile->right, product->n)) == 0;
        if (!is_empty)
            finder->spans[finder->nspans++] =
                (struct span){tile->turn, finder->owned[i].along,
                              finder->first_panels[tile->rank], tile->rank, -1};
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
    const int ntiles = finder->partition->ntiles;
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

/* The i-th part of k in the phases of a turn. */
static struct mt_partition_range find_part(const struct finder *finder, int turn,
                                           int part)
{
    const struct mt_partition *partition = finder->partition;
    return turn == 0
               ? mt_partition_panel_range(partition, part, finder->product->k)
               : mt_partition_subpanel_range(partition, part / partition->subpanels,
                                             part % partition->subpanels,
                                             finder->product->k);
}

/* The phase in which the span's ranks take the part. */
static int find_phase(const struct finder *finder, const struct span *span, int part)
{
    const struct mt_partition *partition = finder->partition;
    const int parts = span->turn == 0 ? 1 : partition->subpanels;
    const int step =
        (part / parts - span->panel + partition->panels) % partition->panels;
    return step * mt_partition_phases_per_step(partition) +
           (span->turn == 0 ? 0 : 1 + part % parts);
}

/* The ranks of the group, but for the owner. */
static int list_others(struct finder *finder, const struct span *group, int size,
                       int owner)
{
    int count = 0;
    for (int i = 0; i < size; i++)
        if (group[i].rank != owner)
            finder->others[count++] = group[i].rank;
    return count;
}

/* Whether a span has all that another one needs, in the same step. */
static bool holds(const struct span *holder, const struct span *span)
{
    return holder->turn == 0 && holder->panel == span->panel &&
           holder->along.first <= span->along.first &&
           holder->along.end >= span->along.end;
}

/* Who had best send to a group of turn 1 what they hold: its own ranks, or else those
   that have nothing else to do in turn 1. */
enum suit { SUIT_MEMBER, SUIT_IDLE, SUIT_BUSY, SUITS };

static enum suit suit_of(const struct finder *finder, int first, int end, int rank)
{
    enum suit suit = SUIT_IDLE;
    for (int i = finder->nspans - 1; i >= 0 && finder->spans[i].turn == 1; i--)
        if (finder->spans[i].rank == rank) {
            if (i >= first && i < end)
                return SUIT_MEMBER;
            suit = SUIT_BUSY;
        }
    return suit;
}

static bool holds_itself(const struct finder *finder, const struct span *span)
{
    for (int i = 0; i < finder->nspans; i++)
        if (finder->spans[i].rank == span->rank && holds(&finder->spans[i], span))
            return true;
    return false;
}

/* Those of the group that hold it get nothing; the others get it in turn from those
   who suit best. */
static void deal_holders(struct finder *finder, int first, int end)
{
    struct span *spans = finder->spans;
    enum suit best = SUITS;
    for (int i = 0; i < first; i++)
        if (holds(&spans[i], &spans[first]) &&
            suit_of(finder, first, end, spans[i].rank) < best)
            best = suit_of(finder, first, end, spans[i].rank);
    int last = -1;
    for (int i = first; i < end && best != SUITS; i++) {
        spans[i].holder = spans[i].rank;
        if (holds_itself(finder, &spans[i]))
            continue;
        do
            last = (last + 1) % first;
        while (!holds(&spans[last], &spans[i]) ||
               suit_of(finder, first, end, spans[last].rank) != best);
        spans[i].holder = spans[last].rank;
    }
}

/* Each gets the piece from its holder, unless it has it. */
static int visit_held(const struct finder *finder, const struct span *group, int size,
                      struct mt_partition_piece *piece, struct mt_error *err)
{
    const int owner = piece->owner;
    int status = MT_OK;
    piece->count = 1;
    for (int i = 0; i < size && status == MT_OK; i++) {
        piece->owner = group[i].holder;
        piece->others = &group[i].rank;
        if (group[i].rank != owner && group[i].rank != piece->owner)
            status = finder->visit(finder->context, piece, err);
    }
    piece->owner = owner;
    return status;
}

/* What a tile has of the group's span: a piece in each phase that needs it. */
static int visit_tile(struct finder *finder, const struct span *group, int size,
                      int tile, struct mt_error *err)
{
    const struct owned *owned = &finder->owned[tile];
    const int k = finder->product->k;
    const int width = size_of(common(group->along, owned->along));
    const int parts = finder->partition->panels *
                      (group->turn == 0 ? 1 : finder->partition->subpanels);
    struct mt_partition_piece piece = {.operand = (int)finder->operand,
                                       .owner = finder->partition->tiles[tile].rank,
                                       .others = finder->others};
    if (width <= 0 || size_of(owned->depth) <= 0)
        return MT_OK;
    piece.count = list_others(finder, group, size, piece.owner);
    int part = (int)((long)owned->depth.first * parts / k);
    while (part > 0 && find_part(finder, group->turn, part).first > owned->depth.first)
        part--;
    int status = MT_OK;
    for (; part < parts && piece.count > 0 && status == MT_OK; part++) {
        const struct mt_partition_range range = find_part(finder, group->turn, part);
        if (range.first >= owned->depth.end)
            break;
        const int length = size_of(common(range, owned->depth));
        piece.phase = find_phase(finder, group, part);
        piece.bytes = (double)sizeof(double) * width * length;
        if (length > 0)
            status = group->holder >= 0 ? visit_held(finder, group, size, &piece, err)
                                        : finder->visit(finder->context, &piece, err);
    }
    return status;
}

static int visit_group(struct finder *finder, const struct span *group, int size,
                       struct mt_error *err)
{
    const int first = find_band(finder, group->along.first);
    const int end = find_band(finder, group->along.end);
    int status = MT_OK;
    for (int band = first; band < end; band++)
        for (int i = finder->band_starts[band];
             i < finder->band_starts[band + 1] && status == MT_OK; i++) {
            const int tile = finder->band_tiles[i];
            const int its_first = finder->owned[tile].first_band;
            if (band == (its_first > first ? its_first : first)) /* not seen before */
                status = visit_tile(finder, group, size, tile, err);
        }
    return status;
}

static bool same_group(const struct span *a, const struct span *b)
{
    return a->turn == b->turn && a->along.first == b->along.first &&
           a->along.end == b->along.end && a->panel == b->panel;
}

static int visit_operand(struct finder *finder, struct mt_error *err)
{
    find_owned(finder);
    find_spans(finder);
    int status = find_bands(finder, err);
    for (int i = 0, end; i < finder->nspans && status == MT_OK; i = end) {
        for (end = i + 1;
             end < finder->nspans && same_group(&finder->spans[i], &finder->spans[end]);
             end++)
            ;
        if (finder->spans[i].turn == 1 && !finder->partition->overlap)
            deal_holders(finder, i, end);
        status = visit_group(finder, &finder->spans[i], end - i, err);
    }
    return status;
}

int mt_partition_visit_pieces(const struct mt_partition *partition,
                              const struct mt_partition_product *product,
                              mt_partition_visit_piece visit, void *context,
                              struct mt_error *err)
{
    const size_t tiles = (size_t)partition->ntiles;
    struct finder finder = {
        .partition = partition,
        .product = product,
        .owned = calloc(tiles, sizeof *finder.owned),
        .spans = calloc(tiles, sizeof *finder.spans),
        .others = calloc(tiles, sizeof *finder.others),
        .edges = calloc(tiles, sizeof *finder.edges),
        .band_starts = calloc(tiles + 1, sizeof *finder.band_starts),
        .first_panels = calloc((size_t)partition->ranks, sizeof *finder.first_panels),
        .visit = visit,
        .context = context,
    };
    int status = MT_OK;
    if (!finder.owned || !finder.spans || !finder.others || !finder.edges ||
        !finder.band_starts || !finder.first_panels)
        status = mt_fail(err, MT_ENOMEM, "no memory for %zu tiles", tiles);
    for (int rank = 0; rank < partition->ranks && status == MT_OK; rank++)
        finder.first_panels[rank] = mt_partition_panel(partition, rank, 0);
    for (int operand = 0; operand < OPERANDS && status == MT_OK; operand++) {
        finder.operand = (enum operand)operand;
        status = visit_operand(&finder, err);
    }
    free(finder.first_panels);
    free(finder.band_tiles);
    free(finder.band_starts);
    free(finder.edges);
    free(finder.others);
    free(finder.spans);
    free(finder.owned);
    return status;
}
