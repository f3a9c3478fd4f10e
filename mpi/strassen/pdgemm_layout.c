/* SPDX-License-Identifier: BSD-3-Clause */
#include "pdgemm_layout.h"

#include <stdlib.h>

int pdgemm_size(struct mt_cut_range range)
{
    return range.end > range.first ? range.end - range.first : 0;
}

bool pdgemm_is_empty(const struct pdgemm_area *area)
{
    return pdgemm_size(area->rows) == 0 || pdgemm_size(area->columns) == 0;
}

static bool same_range(struct mt_cut_range a, struct mt_cut_range b)
{
    return a.first == b.first && a.end == b.end;
}

bool pdgemm_same_area(const struct pdgemm_area *a, const struct pdgemm_area *b)
{
    return same_range(a->rows, b->rows) && same_range(a->columns, b->columns);
}

static struct mt_cut_range between(double first, double end, int size)
{
    return (struct mt_cut_range){mt_cut_edge(first, size), mt_cut_edge(end, size)};
}

static struct mt_cut_range common(struct mt_cut_range a, struct mt_cut_range b)
{
    return (struct mt_cut_range){a.first > b.first ? a.first : b.first,
                                 a.end < b.end ? a.end : b.end};
}

int pdgemm_step(const struct pdgemm_layout *layout, int phase)
{
    return phase / (1 + layout->cut->subpanels);
}

int pdgemm_turn(const struct pdgemm_layout *layout, int phase)
{
    return phase % (1 + layout->cut->subpanels) != 0;
}

struct mt_cut_range pdgemm_depth(const struct pdgemm_layout *layout, int rank,
                                 int phase)
{
    const struct mt_cut *cut = layout->cut;
    const int panel = mt_cut_panel(cut, rank, pdgemm_step(layout, phase));
    const int place = phase % (1 + cut->subpanels);
    return place == 0
               ? mt_cut_panel_range(cut, panel, layout->product->k)
               : mt_cut_subpanel_range(cut, panel, place - 1, layout->product->k);
}

struct pdgemm_area pdgemm_span_area(const struct pdgemm_layout *layout,
                                    const struct pdgemm_span *span, int phase)
{
    const struct mt_cut_range depth = pdgemm_depth(layout, span->rank, phase);
    return span->operand == PDGEMM_A ? (struct pdgemm_area){span->range, depth}
                                     : (struct pdgemm_area){depth, span->range};
}

static void set_areas(struct pdgemm_layout *layout)
{
    const struct mt_cut_product *product = layout->product;
    for (int i = 0; i < layout->cut->ntiles; i++) {
        const struct mt_cut_tile *tile = &layout->cut->tiles[i];
        layout->areas[PDGEMM_A][i] =
            (struct pdgemm_area){between(tile->top, tile->bottom, product->m),
                                 between(tile->left, tile->right, product->k)};
        layout->areas[PDGEMM_B][i] =
            (struct pdgemm_area){between(tile->top, tile->bottom, product->k),
                                 between(tile->left, tile->right, product->n)};
    }
}

/* The number of the span, which is new or one that an earlier tile has needed. */
static int find_span(struct pdgemm_layout *layout, const struct pdgemm_span *span)
{
    for (int i = 0; i < layout->nspans; i++) {
        const struct pdgemm_span *known = &layout->spans[i];
        if (known->rank == span->rank && known->turn == span->turn &&
            known->operand == span->operand && same_range(known->range, span->range))
            return i;
    }
    layout->spans[layout->nspans] = *span;
    return layout->nspans++;
}

static void set_spans(struct pdgemm_layout *layout)
{
    for (int i = 0; i < layout->cut->ntiles; i++) {
        const struct mt_cut_tile *tile = &layout->cut->tiles[i];
        const struct mt_cut_range ranges[] = {layout->areas[PDGEMM_A][i].rows,
                                              layout->areas[PDGEMM_B][i].columns};
        struct pdgemm_tile own = {i, tile->turn, tile->levels, {-1, -1}};
        /* a tile without rows or columns needs nothing */
        const bool needs = pdgemm_size(ranges[0]) > 0 && pdgemm_size(ranges[1]) > 0;
        for (int operand = 0; needs && operand < PDGEMM_OPERANDS; operand++)
            own.spans[operand] =
                find_span(layout, &(struct pdgemm_span){tile->rank, tile->turn,
                                                        (enum pdgemm_operand)operand,
                                                        ranges[operand]});
        if (tile->rank == layout->rank)
            layout->tiles[layout->ntiles++] = own;
    }
}

int pdgemm_layout_init(struct pdgemm_layout *layout, const struct mt_cut *cut,
                       const struct mt_cut_product *product, int rank,
                       struct mt_error *err)
{
    const size_t tiles = (size_t)cut->ntiles;
    struct pdgemm_layout made = {
        .cut = cut,
        .product = product,
        .rank = rank,
        .phases = cut->panels * (1 + cut->subpanels),
        .areas = {calloc(tiles, sizeof *made.areas[0]),
                  calloc(tiles, sizeof *made.areas[0])},
        .spans = calloc(PDGEMM_OPERANDS * tiles, sizeof *made.spans),
        .tiles = calloc(tiles, sizeof *made.tiles),
    };
    if (!made.areas[PDGEMM_A] || !made.areas[PDGEMM_B] || !made.spans || !made.tiles) {
        pdgemm_layout_clear(&made);
        return mt_fail(err, MT_ENOMEM, "no memory for a cut of %d tiles", cut->ntiles);
    }
    set_areas(&made);
    set_spans(&made);
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

struct visit {
    pdgemm_visit function;
    void *context;
};

/* Visit what lies of the span's area in a tile of the cut, which is the rank's
   `block`-th. */
static int visit_tile(const struct pdgemm_layout *layout, int span,
                      const struct pdgemm_area *wanted, int tile, int block,
                      const struct visit *visit)
{
    const struct pdgemm_area *there = &layout->areas[layout->spans[span].operand][tile];
    const struct pdgemm_piece piece = {
        .span = span,
        .from = layout->cut->tiles[tile].rank,
        .to = layout->spans[span].rank,
        .tile = tile,
        .block = block,
        .area = {common(wanted->rows, there->rows),
                 common(wanted->columns, there->columns)}};
    return pdgemm_is_empty(&piece.area) ? 0 : visit->function(visit->context, &piece);
}

static int receive_span(const struct pdgemm_layout *layout, int span, int phase,
                        const struct visit *visit)
{
    const struct pdgemm_area wanted =
        pdgemm_span_area(layout, &layout->spans[span], phase);
    int status = 0;
    for (int i = 0, blocks = 0; i < layout->cut->ntiles && status == 0; i++) {
        const bool own = layout->cut->tiles[i].rank == layout->rank;
        status = visit_tile(layout, span, &wanted, i, own ? blocks++ : -1, visit);
    }
    return status;
}

static int send_span(const struct pdgemm_layout *layout, int span, int phase,
                     const struct visit *visit)
{
    const struct pdgemm_area wanted =
        pdgemm_span_area(layout, &layout->spans[span], phase);
    int status = 0;
    for (int i = 0; i < layout->ntiles && status == 0; i++)
        status = visit_tile(layout, span, &wanted, layout->tiles[i].place, i, visit);
    return status;
}

int pdgemm_visit_receives(const struct pdgemm_layout *layout, int phase,
                          pdgemm_visit function, void *context)
{
    const int turn = pdgemm_turn(layout, phase);
    const struct visit visit = {function, context};
    int status = 0;
    for (int i = 0; i < layout->nspans && status == 0; i++)
        if (layout->spans[i].rank == layout->rank && layout->spans[i].turn == turn)
            status = receive_span(layout, i, phase, &visit);
    return status;
}

int pdgemm_visit_sends(const struct pdgemm_layout *layout, int phase,
                       pdgemm_visit function, void *context)
{
    const int turn = pdgemm_turn(layout, phase);
    const struct visit visit = {function, context};
    int status = 0;
    for (int i = 0; i < layout->nspans && status == 0; i++)
        if (layout->spans[i].rank != layout->rank && layout->spans[i].turn == turn)
            status = send_span(layout, i, phase, &visit);
    return status;
}
