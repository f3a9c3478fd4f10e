/* SPDX-License-Identifier: BSD-3-Clause */
#include "layout.h"

#include <stdlib.h>

int pdgemm_size(struct mt_partition_range range)
{
    return range.end > range.first ? range.end - range.first : 0;
}

bool pdgemm_is_empty(const struct pdgemm_area *area)
{
    return pdgemm_size(area->rows) == 0 || pdgemm_size(area->columns) == 0;
}

static bool same_range(struct mt_partition_range a, struct mt_partition_range b)
{
    return a.first == b.first && a.end == b.end;
}

bool pdgemm_same_area(const struct pdgemm_area *a, const struct pdgemm_area *b)
{
    return same_range(a->rows, b->rows) && same_range(a->columns, b->columns);
}

static struct mt_partition_range between(double first, double end, int size)
{
    return (struct mt_partition_range){mt_partition_edge(first, size),
                                       mt_partition_edge(end, size)};
}

int pdgemm_step(const struct pdgemm_layout *layout, int phase)
{
    return phase / (1 + layout->partition->subpanels);
}

int pdgemm_turn(const struct pdgemm_layout *layout, int phase)
{
    return phase % (1 + layout->partition->subpanels) != 0;
}

struct mt_partition_range pdgemm_depth(const struct pdgemm_layout *layout, int rank,
                                       int phase)
{
    const struct mt_partition *partition = layout->partition;
    const int panel = mt_partition_panel(partition, rank, pdgemm_step(layout, phase));
    const int place = phase % (1 + partition->subpanels);
    return place == 0 ? mt_partition_panel_range(partition, panel, layout->product->k)
                      : mt_partition_subpanel_range(partition, panel, place - 1,
                                                    layout->product->k);
}

struct pdgemm_area pdgemm_span_area(const struct pdgemm_layout *layout,
                                    const struct pdgemm_span *span, int phase)
{
    const struct mt_partition_range depth = pdgemm_depth(layout, span->rank, phase);
    return span->operand == PDGEMM_A ? (struct pdgemm_area){span->range, depth}
                                     : (struct pdgemm_area){depth, span->range};
}

static void set_areas(struct pdgemm_layout *layout)
{
    const struct mt_partition_product *product = layout->product;
    for (int i = 0; i < layout->partition->ntiles; i++) {
        const struct mt_partition_tile *tile = &layout->partition->tiles[i];
        layout->areas[PDGEMM_A][i] =
            (struct pdgemm_area){between(tile->top, tile->bottom, product->m),
                                 between(tile->left, tile->right, product->k)};
        layout->areas[PDGEMM_B][i] =
            (struct pdgemm_area){between(tile->top, tile->bottom, product->k),
                                 between(tile->left, tile->right, product->n)};
    }
}

static int compare_spans(const void *a, const void *b)
{
    const struct pdgemm_span *one = a, *other = b;
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

/* What a tile needs of an operand. */
static struct pdgemm_span span_of(const struct pdgemm_layout *layout, int tile,
                                  int operand)
{
    const struct mt_partition_tile *its = &layout->partition->tiles[tile];
    const struct pdgemm_area *area = &layout->areas[operand][tile];
    return (struct pdgemm_span){
        .rank = its->rank,
        .turn = its->turn,
        .operand = (enum pdgemm_operand)operand,
        .range = operand == PDGEMM_A ? area->rows : area->columns,
        .panel = mt_partition_panel(layout->partition, its->rank, 0),
        .holder = -1};
}

/* A tile without rows or columns needs nothing. */
static bool needs_spans(const struct pdgemm_layout *layout, int tile)
{
    return pdgemm_size(layout->areas[PDGEMM_A][tile].rows) > 0 &&
           pdgemm_size(layout->areas[PDGEMM_B][tile].columns) > 0;
}

static void set_spans(struct pdgemm_layout *layout)
{
    struct pdgemm_span *spans = layout->spans;
    int count = 0;
    for (int i = 0; i < layout->partition->ntiles; i++)
        for (int operand = 0; operand < PDGEMM_OPERANDS && needs_spans(layout, i);
             operand++)
            spans[count++] = span_of(layout, i, operand);
    qsort(spans, (size_t)count, sizeof *spans, compare_spans);
    for (int i = 0; i < count; i++)
        if (i == 0 || compare_spans(&spans[layout->nspans - 1], &spans[i]) != 0)
            spans[layout->nspans++] = spans[i];
}

static bool same_group(const struct pdgemm_span *a, const struct pdgemm_span *b)
{
    return a->turn == b->turn && a->operand == b->operand &&
           same_range(a->range, b->range) && a->panel == b->panel;
}

static void set_groups(struct pdgemm_layout *layout)
{
    struct pdgemm_span *spans = layout->spans;
    for (int first = 0, end; first < layout->nspans; first = end) {
        for (end = first;
             end < layout->nspans && same_group(&spans[first], &spans[end]); end++)
            ;
        for (int i = first; i < end; i++)
            spans[i].group = (struct mt_partition_range){first, end};
    }
}

/* Whether a span has all that another one needs, in the same step. */
static bool holds(const struct pdgemm_span *holder, const struct pdgemm_span *span)
{
    return holder->turn == 0 && holder->operand == span->operand &&
           holder->panel == span->panel && holder->range.first <= span->range.first &&
           holder->range.end >= span->range.end;
}

/* Who had best send to a group of turn 1 what they hold: its own ranks, or else those
   that have nothing else to do in turn 1. */
enum suit { SUIT_MEMBER, SUIT_IDLE, SUIT_BUSY, SUITS };

static enum suit suit_of(const struct pdgemm_layout *layout,
                         struct mt_partition_range group, int rank)
{
    enum suit suit = SUIT_IDLE;
    for (int i = layout->nspans - 1; i >= 0 && layout->spans[i].turn == 1; i--)
        if (layout->spans[i].rank == rank) {
            if (i >= group.first && i < group.end)
                return SUIT_MEMBER;
            suit = SUIT_BUSY;
        }
    return suit;
}

/* The rank's own span that holds what one of turn 1 needs; -1: none. */
static int find_own_holder(const struct pdgemm_layout *layout,
                           const struct pdgemm_span *span)
{
    for (int i = 0; i < layout->nspans; i++)
        if (layout->spans[i].rank == span->rank && holds(&layout->spans[i], span))
            return i;
    return -1;
}

/* Those of the group that hold it get nothing; the others get it in turn from those
   who suit best. */
static void deal_holders(struct pdgemm_layout *layout, struct mt_partition_range group)
{
    struct pdgemm_span *spans = layout->spans;
    enum suit best = SUITS;
    for (int i = 0; i < group.first; i++)
        if (holds(&spans[i], &spans[group.first]) &&
            suit_of(layout, group, spans[i].rank) < best)
            best = suit_of(layout, group, spans[i].rank);
    int last = -1;
    for (int i = group.first; i < group.end && best != SUITS; i++) {
        spans[i].holder = find_own_holder(layout, &spans[i]);
        if (spans[i].holder >= 0)
            continue;
        do
            last = (last + 1) % group.first;
        while (!holds(&spans[last], &spans[i]) ||
               suit_of(layout, group, spans[last].rank) != best);
        spans[i].holder = last;
    }
}

/* Find the holders of all spans, which are in order. */
static void set_holders(struct pdgemm_layout *layout)
{
    for (int i = 0; i < layout->nspans; i = layout->spans[i].group.end)
        if (layout->spans[i].turn == 1 && !layout->partition->overlap)
            deal_holders(layout, layout->spans[i].group);
}

static void set_tiles(struct pdgemm_layout *layout)
{
    for (int i = 0; i < layout->partition->ntiles; i++) {
        const struct mt_partition_tile *tile = &layout->partition->tiles[i];
        if (tile->rank != layout->rank)
            continue;
        struct pdgemm_tile *own = &layout->tiles[layout->ntiles++];
        *own = (struct pdgemm_tile){i, tile->turn, tile->levels, {-1, -1}};
        for (int operand = 0; operand < PDGEMM_OPERANDS && needs_spans(layout, i);
             operand++) {
            const struct pdgemm_span key = span_of(layout, i, operand);
            const struct pdgemm_span *found = bsearch(
                &key, layout->spans, (size_t)layout->nspans, sizeof key, compare_spans);
            own->spans[operand] = (int)(found - layout->spans);
        }
    }
}

int pdgemm_layout_init(struct pdgemm_layout *layout,
                       const struct mt_partition *partition,
                       const struct mt_partition_product *product, int rank,
                       struct mt_error *err)
{
    const size_t tiles = (size_t)partition->ntiles;
    struct pdgemm_layout made = {
        .partition = partition,
        .product = product,
        .rank = rank,
        .phases = partition->panels * (1 + partition->subpanels),
        .areas = {calloc(tiles, sizeof *made.areas[0]),
                  calloc(tiles, sizeof *made.areas[0])},
        .spans = calloc(PDGEMM_OPERANDS * tiles, sizeof *made.spans),
        .tiles = calloc(tiles, sizeof *made.tiles),
    };
    if (!made.areas[PDGEMM_A] || !made.areas[PDGEMM_B] || !made.spans || !made.tiles) {
        pdgemm_layout_clear(&made);
        return mt_fail(err, MT_ENOMEM, "no memory for a partition of %d tiles",
                       partition->ntiles);
    }
    set_areas(&made);
    set_spans(&made);
    set_groups(&made);
    set_holders(&made);
    set_tiles(&made);
    *layout = made;
    return MT_OK;
}

void pdgemm_layout_clear(struct pdgemm_layout *layout)
{
    free(layout->areas[PDGEMM_A]);
    free(layout->areas[PDGEMM_B]);
    free(layout->spans);
    free(layout->tiles);
    *layout = (struct pdgemm_layout){0};
}
