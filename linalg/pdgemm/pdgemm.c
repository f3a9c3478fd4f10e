/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of matrices that ranks keep, and checks of a call's arguments. */
#include "motley/pdgemm.h"

#include "pdgemm.h"

#include "lib/partition/internal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 1 << 21 };

void *pdgemm_memory(size_t bytes)
{
    const size_t unit = bytes < LARGE_PAGE ? PDGEMM_LINE : LARGE_PAGE;
    if (bytes > SIZE_MAX - unit)
        return NULL;
    const size_t whole = bytes > 0 ? (bytes + unit - 1) / unit * unit : unit;
    void *memory = aligned_alloc(unit, whole);
    if (memory != NULL && unit == LARGE_PAGE)
        madvise(memory, whole, MADV_HUGEPAGE); /* a hint: it may fail */
    return memory;
}

static const char *const names[] = {"A", "B", "C"};

static int rows_of(enum mt_pdgemm_matrix matrix,
                   const struct mt_partition_product *product)
{
    return matrix == MT_PDGEMM_B ? product->k : product->m;
}

static int columns_of(enum mt_pdgemm_matrix matrix,
                      const struct mt_partition_product *product)
{
    return matrix == MT_PDGEMM_A ? product->k : product->n;
}

/* The block of a tile, without values. */
static struct mt_pdgemm_block block_of(const struct mt_partition_tile *tile,
                                       enum mt_pdgemm_matrix matrix,
                                       const struct mt_partition_product *product)
{
    const int rows = rows_of(matrix, product), columns = columns_of(matrix, product);
    struct mt_pdgemm_block block = {.row = mt_partition_edge(tile->top, rows),
                                    .column = mt_partition_edge(tile->left, columns)};
    block.rows = mt_partition_edge(tile->bottom, rows) - block.row;
    block.columns = mt_partition_edge(tile->right, columns) - block.column;
    block.leading = block.rows > 0 ? block.rows : 1;
    return block;
}

/* Rounded up to whole cache lines. */
static size_t room_of(const struct mt_pdgemm_block *block)
{
    const size_t line = PDGEMM_LINE / sizeof(double);
    const size_t values = (size_t)block->leading * (size_t)block->columns;
    return (values + line - 1) / line * line;
}

static int add_values(struct mt_pdgemm_part *part, struct mt_error *err)
{
    size_t count = 0;
    for (int i = 0; i < part->nblocks; i++)
        count += room_of(&part->blocks[i]);
    part->values = pdgemm_memory(count * sizeof(double));
    if (part->values == NULL)
        return mt_fail(err, MT_ENOMEM, "no memory for %.3g GB of a matrix",
                       1e-9 * (double)count * sizeof(double));
    memset(part->values, 0, count * sizeof(double));
    double *next = part->values;
    for (int i = 0; i < part->nblocks; i++) {
        part->blocks[i].values = next;
        next += room_of(&part->blocks[i]);
    }
    return MT_OK;
}

int mt_pdgemm_part_init_empty(struct mt_pdgemm_part *part,
                              const struct mt_partition *partition,
                              const struct mt_partition_product *product,
                              enum mt_pdgemm_matrix matrix, int rank,
                              struct mt_error *err)
{
    struct mt_pdgemm_part made = {
        .rows = rows_of(matrix, product),
        .columns = columns_of(matrix, product),
        .blocks = calloc((size_t)partition->ntiles + 1, sizeof *made.blocks),
    };
    if (made.blocks == NULL)
        return mt_fail(err, MT_ENOMEM, "no memory for %d blocks", partition->ntiles);
    for (int i = 0; i < partition->ntiles; i++)
        if (partition->tiles[i].rank == rank)
            made.blocks[made.nblocks++] =
                block_of(&partition->tiles[i], matrix, product);
    *part = made;
    return MT_OK;
}

int mt_pdgemm_part_init(struct mt_pdgemm_part *part,
                        const struct mt_partition *partition,
                        const struct mt_partition_product *product,
                        enum mt_pdgemm_matrix matrix, int rank, struct mt_error *err)
{
    struct mt_pdgemm_part made;
    int status =
        mt_pdgemm_part_init_empty(&made, partition, product, matrix, rank, err);
    if (status != MT_OK)
        return status;
    status = add_values(&made, err);
    if (status == MT_OK)
        *part = made;
    else
        mt_pdgemm_part_clear(&made);
    return status;
}

void mt_pdgemm_part_clear(struct mt_pdgemm_part *part)
{
    free(part->blocks);
    free(part->values);
    *part = (struct mt_pdgemm_part){0};
}

static bool same_place(const struct mt_pdgemm_block *a, const struct mt_pdgemm_block *b)
{
    return a->row == b->row && a->column == b->column && a->rows == b->rows &&
           a->columns == b->columns && a->leading == b->leading;
}

int pdgemm_part_check(const struct mt_pdgemm_part *part,
                      const struct mt_partition *partition,
                      const struct mt_partition_product *product,
                      enum mt_pdgemm_matrix matrix, int rank, struct mt_error *err)
{
    const int rows = rows_of(matrix, product), columns = columns_of(matrix, product);
    const char *name = names[matrix];
    if (part->rows != rows || part->columns != columns)
        return mt_fail(err, MT_EINVAL,
                       "the part of %s is of a %d x %d matrix, not %d x %d", name,
                       part->rows, part->columns, rows, columns);
    int count = 0;
    for (int i = 0; i < partition->ntiles; i++) {
        if (partition->tiles[i].rank != rank)
            continue;
        const struct mt_pdgemm_block expected =
            block_of(&partition->tiles[i], matrix, product);
        if (count == part->nblocks || !same_place(&part->blocks[count++], &expected))
            return mt_fail(err, MT_EINVAL, "the part of %s is of another partition",
                           name);
    }
    if (count != part->nblocks)
        return mt_fail(err, MT_EINVAL, "the part of %s is of another partition", name);
    return MT_OK;
}
