/* SPDX-License-Identifier: BSD-3-Clause */
/* Which parts of A and B each rank needs in a step, and which of them pass between
 * ranks. */
#include "spans.h"

#include "lib/base/array.h"

#include <stdlib.h>
#include <string.h>

/*
 * For A, `along` is the rows, and k runs along its columns; for B it is the other way
 * round. Otherwise they are alike; the code below handles one of them at a time.
 */

/* The part of A or B in a tile. */
struct owned {
    struct mt_partition_range along, depth;
    int first_band, end_band;
};

struct finder {
    const struct mt_partition *partition;
    const struct mt_partition_product *product;
    enum mt_partition_operand operand;
    struct owned *owned; /* of every tile */
    struct mt_partition_spans spans;
    int *others; /* of a group, except an owner */
    /* Between two neighbouring edges of tiles there is a band; the tiles in each: */
    int *edges, nbands;
    int *band_starts, *band_tiles;
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

static void find_owned(struct finder *finder)
{
    const struct mt_partition_product *product = finder->product;
    const int size = finder->operand == MT_PARTITION_A ? product->m : product->n;
    for (int i = 0; i < finder->partition->ntiles; i++) {
        const struct mt_partition_tile *tile = &finder->partition->tiles[i];
        struct owned *owned = &finder->owned[i];
        if (finder->operand == MT_PARTITION_A) {
            owned->along = between(tile->top, tile->bottom, size);
            owned->depth = between(tile->left, tile->right, product->k);
        } else {
            owned->along = between(tile->left, tile->right, size);
            owned->depth = between(tile->top, tile->bottom, product->k);
        }
    }
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
    qsort(finder->edges, (size_t)ntiles, sizeof *finder->edges, mt_compare_ints);
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
    /* band_starts[band + 1] is now the start of the band */
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

/* The phase in which the span's ranks use the part. */
static int find_phase(const struct finder *finder, const struct mt_partition_span *span,
                      int part)
{
    const struct mt_partition *partition = finder->partition;
    const int parts = span->turn == 0 ? 1 : partition->subpanels;
    const int step =
        (part / parts - span->panel + partition->panels) % partition->panels;
    return step * mt_partition_phases_per_step(partition) +
           (span->turn == 0 ? 0 : 1 + part % parts);
}

/* The ranks of the group, except the owner. */
static int list_others(struct finder *finder, const struct mt_partition_span *group,
                       int size, int owner)
{
    int count = 0;
    for (int i = 0; i < size; i++)
        if (group[i].rank != owner)
            finder->others[count++] = group[i].rank;
    return count;
}

/* Each rank without the piece gets it from its holder. */
static int visit_held(const struct finder *finder,
                      const struct mt_partition_span *group, int size,
                      struct mt_partition_piece *piece, struct mt_error *err)
{
    const int owner = piece->owner;
    int status = MT_OK;
    piece->count = 1;
    for (int i = 0; i < size && status == MT_OK; i++) {
        piece->owner = finder->spans.spans[group[i].holder].rank;
        piece->others = &group[i].rank;
        if (group[i].rank != owner && group[i].rank != piece->owner)
            status = finder->visit(finder->context, piece, err);
    }
    piece->owner = owner;
    return status;
}

/* Visit the tile's part of the group's span: a piece in each phase that needs it. */
static int visit_tile(struct finder *finder, const struct mt_partition_span *group,
                      int size, int tile, struct mt_error *err)
{
    const struct owned *owned = &finder->owned[tile];
    const int k = finder->product->k;
    const int width = size_of(common(group->range, owned->along));
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

static int visit_group(struct finder *finder, const struct mt_partition_span *group,
                       int size, struct mt_error *err)
{
    const int first = find_band(finder, group->range.first);
    const int end = find_band(finder, group->range.end);
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

static int visit_operand(struct finder *finder, struct mt_error *err)
{
    const struct mt_partition_span *spans = finder->spans.spans;
    find_owned(finder);
    int status = find_bands(finder, err);
    for (int i = 0; i < finder->spans.count && status == MT_OK; i = spans[i].group.end)
        if (spans[i].operand == finder->operand)
            status = visit_group(finder, &spans[i], spans[i].group.end - i, err);
    return status;
}

static int visit_operands(struct finder *finder, struct mt_error *err)
{
    int status = mt_partition_spans_init(&finder->spans, finder->partition,
                                         finder->product, err);
    for (int operand = 0; operand < MT_PARTITION_OPERANDS && status == MT_OK;
         operand++) {
        finder->operand = (enum mt_partition_operand)operand;
        status = visit_operand(finder, err);
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
        .others = calloc(tiles, sizeof *finder.others),
        .edges = calloc(tiles, sizeof *finder.edges),
        .band_starts = calloc(tiles + 1, sizeof *finder.band_starts),
        .visit = visit,
        .context = context,
    };
    const int status =
        finder.owned && finder.others && finder.edges && finder.band_starts
            ? visit_operands(&finder, err)
            : mt_fail(err, MT_ENOMEM, "no memory for %zu tiles", tiles);
    mt_partition_spans_clear(&finder.spans);
    free(finder.band_tiles);
    free(finder.band_starts);
    free(finder.edges);
    free(finder.others);
    free(finder.owned);
    return status;
}

int mt_partition_phases_per_step(const struct mt_partition *partition)
{
    return 1 + partition->subpanels;
}

int mt_partition_turn_of_phase(const struct mt_partition *partition, int phase)
{
    return phase % mt_partition_phases_per_step(partition) > 0 ? 1 : 0;
}

struct mt_partition_range mt_partition_depth(const struct mt_partition *partition,
                                             int first, int phase, int k)
{
    const int step = phase / mt_partition_phases_per_step(partition);
    const int place = phase % mt_partition_phases_per_step(partition);
    const int panel = (int)(((long)first + step) % partition->panels);
    return place == 0 ? mt_partition_panel_range(partition, panel, k)
                      : mt_partition_subpanel_range(partition, panel, place - 1, k);
}

static bool is_empty(struct mt_partition_range range)
{
    return range.end <= range.first;
}

static struct mt_partition_range range_of(const struct mt_partition_tile *tile,
                                          const struct mt_partition_product *product,
                                          int operand)
{
    if (operand == MT_PARTITION_A)
        return (struct mt_partition_range){mt_partition_edge(tile->top, product->m),
                                           mt_partition_edge(tile->bottom, product->m)};
    return (struct mt_partition_range){mt_partition_edge(tile->left, product->n),
                                       mt_partition_edge(tile->right, product->n)};
}

/* A tile without rows or columns needs nothing. */
static bool needs_nothing(const struct mt_partition_tile *tile,
                          const struct mt_partition_product *product)
{
    return is_empty(range_of(tile, product, MT_PARTITION_A)) ||
           is_empty(range_of(tile, product, MT_PARTITION_B));
}

/* The span of an operand that a tile needs, without its group and holder. */
static struct mt_partition_span span_of(const struct mt_partition_tile *tile,
                                        const struct mt_partition_product *product,
                                        int operand, int panel)
{
    return (struct mt_partition_span){.rank = tile->rank,
                                      .turn = tile->turn,
                                      .operand = (enum mt_partition_operand)operand,
                                      .range = range_of(tile, product, operand),
                                      .panel = panel,
                                      .holder = -1};
}

static int compare_spans(const void *a, const void *b)
{
    const struct mt_partition_span *one = a, *other = b;
    const int differences[] = {one->turn - other->turn,
                               (int)one->operand - (int)other->operand,
                               one->range.first - other->range.first,
                               one->range.end - other->range.end,
                               one->panel - other->panel,
                               one->rank - other->rank};
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++)
        if (differences[i] != 0)
            return differences[i];
    return 0;
}

/* `panels` is the first panel of every rank. */
static void list_spans(struct mt_partition_spans *made,
                       const struct mt_partition *partition,
                       const struct mt_partition_product *product, const int *panels)
{
    struct mt_partition_span *spans = made->spans;
    int count = 0;
    for (int i = 0; i < partition->ntiles; i++) {
        const struct mt_partition_tile *tile = &partition->tiles[i];
        for (int operand = 0;
             operand < MT_PARTITION_OPERANDS && !needs_nothing(tile, product);
             operand++)
            spans[count++] = span_of(tile, product, operand, panels[tile->rank]);
    }
    qsort(spans, (size_t)count, sizeof *spans, compare_spans);
    for (int i = 0; i < count; i++)
        if (i == 0 || compare_spans(&spans[made->count - 1], &spans[i]) != 0)
            spans[made->count++] = spans[i];
}

static bool same_group(const struct mt_partition_span *a,
                       const struct mt_partition_span *b)
{
    return a->turn == b->turn && a->operand == b->operand &&
           a->range.first == b->range.first && a->range.end == b->range.end &&
           a->panel == b->panel;
}

static void set_groups(struct mt_partition_spans *made)
{
    struct mt_partition_span *spans = made->spans;
    for (int first = 0, end; first < made->count; first = end) {
        for (end = first; end < made->count && same_group(&spans[first], &spans[end]);
             end++)
            ;
        for (int i = first; i < end; i++)
            spans[i].group = (struct mt_partition_range){first, end};
    }
}

/* Whether a span contains everything that another one needs, in the same step. */
static bool holds(const struct mt_partition_span *holder,
                  const struct mt_partition_span *span)
{
    return holder->turn == 0 && holder->operand == span->operand &&
           holder->panel == span->panel && holder->range.first <= span->range.first &&
           holder->range.end >= span->range.end;
}

/* The preferred senders of held parts to a group of turn 1: its own ranks, then ranks
   idle in turn 1. */
enum suit { SUIT_MEMBER, SUIT_IDLE, SUIT_BUSY, SUITS };

static enum suit suit_of(const struct mt_partition_spans *made,
                         struct mt_partition_range group, int rank)
{
    enum suit suit = SUIT_IDLE;
    for (int i = made->count - 1; i >= 0 && made->spans[i].turn == 1; i--)
        if (made->spans[i].rank == rank) {
            if (i >= group.first && i < group.end)
                return SUIT_MEMBER;
            suit = SUIT_BUSY;
        }
    return suit;
}

/* The rank's own span that contains a span of turn 1; -1: none. */
static int find_own_holder(const struct mt_partition_spans *made,
                           const struct mt_partition_span *span)
{
    for (int i = 0; i < made->count; i++)
        if (made->spans[i].rank == span->rank && holds(&made->spans[i], span))
            return i;
    return -1;
}

/* Members that hold it receive nothing; the others receive it from the best senders in
   turn. */
static void deal_holders(struct mt_partition_spans *made,
                         struct mt_partition_range group)
{
    struct mt_partition_span *spans = made->spans;
    enum suit best = SUITS;
    for (int i = 0; i < group.first; i++)
        if (holds(&spans[i], &spans[group.first])) {
            const enum suit suit = suit_of(made, group, spans[i].rank);
            best = suit < best ? suit : best;
        }
    int last = -1;
    for (int i = group.first; i < group.end && best != SUITS; i++) {
        spans[i].holder = find_own_holder(made, &spans[i]);
        if (spans[i].holder >= 0)
            continue;
        do
            last = (last + 1) % group.first;
        while (!holds(&spans[last], &spans[i]) ||
               suit_of(made, group, spans[last].rank) != best);
        spans[i].holder = last;
    }
}

static void set_holders(struct mt_partition_spans *made)
{
    for (int i = 0; i < made->count; i = made->spans[i].group.end)
        if (made->spans[i].turn == 1)
            deal_holders(made, made->spans[i].group);
}

int mt_partition_spans_init(struct mt_partition_spans *spans,
                            const struct mt_partition *partition,
                            const struct mt_partition_product *product,
                            struct mt_error *err)
{
    const size_t most = MT_PARTITION_OPERANDS * (size_t)partition->ntiles;
    struct mt_partition_spans made = {.spans = calloc(most, sizeof *made.spans)};
    int *panels = calloc((size_t)partition->ranks, sizeof *panels);
    if (!made.spans || !panels) {
        free(panels);
        free(made.spans);
        return mt_fail(err, MT_ENOMEM, "no memory for a partition of %d tiles",
                       partition->ntiles);
    }
    for (int rank = 0; rank < partition->ranks; rank++)
        panels[rank] = mt_partition_panel(partition, rank, 0);
    list_spans(&made, partition, product, panels);
    set_groups(&made);
    if (!partition->overlap)
        set_holders(&made);
    free(panels);
    *spans = made;
    return MT_OK;
}

void mt_partition_spans_clear(struct mt_partition_spans *spans)
{
    free(spans->spans);
    *spans = (struct mt_partition_spans){0};
}

int mt_partition_spans_find(const struct mt_partition_spans *spans,
                            const struct mt_partition *partition,
                            const struct mt_partition_product *product,
                            const struct mt_partition_tile *tile,
                            enum mt_partition_operand operand)
{
    if (needs_nothing(tile, product))
        return -1;
    const int panel = mt_partition_panel(partition, tile->rank, 0);
    const struct mt_partition_span key = span_of(tile, product, operand, panel);
    const struct mt_partition_span *found =
        bsearch(&key, spans->spans, (size_t)spans->count, sizeof key, compare_spans);
    return (int)(found - spans->spans);
}
