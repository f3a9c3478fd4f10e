/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rows of A and columns of B each rank needs in each phase. */
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

int pdgemm_depth(const struct pdgemm_layout *layout, int phase)
{
    const int first = mt_partition_panel(layout->partition, layout->rank, 0);
    return pdgemm_size(
        mt_partition_depth(layout->partition, first, phase, layout->product->k));
}

struct pdgemm_area pdgemm_span_area(const struct pdgemm_layout *layout,
                                    const struct mt_partition_span *span, int phase)
{
    const struct mt_partition_range depth =
        mt_partition_depth(layout->partition, span->panel, phase, layout->product->k);
    return span->operand == MT_PARTITION_A ? (struct pdgemm_area){span->range, depth}
                                           : (struct pdgemm_area){depth, span->range};
}

static void set_areas(struct pdgemm_layout *layout)
{
    const struct mt_partition_product *product = layout->product;
    for (int i = 0; i < layout->partition->ntiles; i++) {
        const struct mt_partition_tile *tile = &layout->partition->tiles[i];
        layout->areas[MT_PARTITION_A][i] =
            (struct pdgemm_area){between(tile->top, tile->bottom, product->m),
                                 between(tile->left, tile->right, product->k)};
        layout->areas[MT_PARTITION_B][i] =
            (struct pdgemm_area){between(tile->top, tile->bottom, product->k),
                                 between(tile->left, tile->right, product->n)};
    }
}

static void set_tiles(struct pdgemm_layout *layout)
{
    for (int i = 0; i < layout->partition->ntiles; i++) {
        const struct mt_partition_tile *tile = &layout->partition->tiles[i];
        if (tile->rank != layout->rank)
            continue;
        struct pdgemm_tile *own = &layout->tiles[layout->ntiles++];
        *own = (struct pdgemm_tile){i, tile->turn, tile->levels, {-1, -1}};
        for (int operand = 0; operand < MT_PARTITION_OPERANDS; operand++)
            own->spans[operand] = mt_partition_spans_find(
                &layout->needs, layout->partition, layout->product, tile,
                (enum mt_partition_operand)operand);
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
        .tiles = calloc(tiles, sizeof *made.tiles),
    };
    int status = made.areas[MT_PARTITION_A] && made.areas[MT_PARTITION_B] && made.tiles
                     ? MT_OK
                     : mt_fail(err, MT_ENOMEM, "no memory for a partition of %d tiles",
                               partition->ntiles);
    if (status == MT_OK)
        status = mt_partition_spans_init(&made.needs, partition, product, err);
    if (status != MT_OK) {
        pdgemm_layout_clear(&made);
        return status;
    }
    set_areas(&made);
    set_tiles(&made);
    *layout = made;
    return MT_OK;
}

void pdgemm_layout_clear(struct pdgemm_layout *layout)
{
    free(layout->areas[MT_PARTITION_A]);
    free(layout->areas[MT_PARTITION_B]);
    mt_partition_spans_clear(&layout->needs);
    free(layout->tiles);
    *layout = (struct pdgemm_layout){0};
}
