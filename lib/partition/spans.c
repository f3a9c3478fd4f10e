/* SPDX-License-Identifier: BSD-3-Clause */
#include "spans.h"

#include <stdlib.h>

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

/* What a tile needs of an operand; but for its group and holder. */
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

/* Whether a span has all that another one needs, in the same step. */
static bool holds(const struct mt_partition_span *holder,
                  const struct mt_partition_span *span)
{
    return holder->turn == 0 && holder->operand == span->operand &&
           holder->panel == span->panel && holder->range.first <= span->range.first &&
           holder->range.end >= span->range.end;
}

/* Who had best send to a group of turn 1 what they hold: its own ranks, or else those
   that have nothing else to do in turn 1. */
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

/* The rank's own span that holds what one of turn 1 needs; -1: none. */
static int find_own_holder(const struct mt_partition_spans *made,
                           const struct mt_partition_span *span)
{
    for (int i = 0; i < made->count; i++)
        if (made->spans[i].rank == span->rank && holds(&made->spans[i], span))
            return i;
    return -1;
}

/* Those of the group that hold it get nothing; the others get it in turn from those
   who suit best. */
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
