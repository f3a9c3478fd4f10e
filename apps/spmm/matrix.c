/* SPDX-License-Identifier: BSD-3-Clause */
/* Random sparse matrices in compressed columns (CSC), cut by weights and non-zeros. */
#include "matrix.h"

#include "lib/stats/random.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* The number of non-zeros of a column. */
static int count_nonzeros(const struct spmm_shape *shape, int column)
{
    const int from_edge = column < shape->size / 2 ? column : shape->size - 1 - column;
    const int middle = (shape->size - 1) / 2;
    const double height = middle > 0 ? (double)from_edge / middle : 1;
    const double most = 2 * shape->density * shape->size / (1 + shape->slope);
    const double nonzeros = round(most * (shape->slope + (1 - shape->slope) * height));
    return (int)fmin(fmax(nonzeros, 1), shape->size);
}

void spmm_cut_columns(const struct spmm_shape *shape, const double *weights, int ranks,
                      int *firsts, struct parts_summary *summary)
{
    double nonzeros = 0, all_weights = 0;
    for (int column = 0; column < shape->size; column++)
        nonzeros += count_nonzeros(shape, column);
    for (int rank = 0; rank < ranks; rank++)
        all_weights += weights[rank];

    double passed = 0, weight = 0;
    int column = 0;
    for (int rank = 0; rank < ranks; rank++) {
        const int last = shape->size - (ranks - rank); /* leave one for each other
                                                          rank */
        const double start = passed;
        firsts[rank] = column;
        weight += weights[rank];
        const double share = nonzeros * (weight / all_weights);
        do
            passed += count_nonzeros(shape, column++);
        while (column <= last &&
               (rank == ranks - 1 ||
                passed + count_nonzeros(shape, column) / 2.0 <= share));
        parts_summarise(summary, passed - start, weights[rank]);
    }
    firsts[ranks] = shape->size;
}

/* A hash of a non-zero's place in its column. */
static uint64_t hash(const struct spmm_shape *shape, int column, int place)
{
    return mt_random_at(((uint64_t)shape->seed << 48) +
                        ((uint64_t)(uint32_t)column << 24) + (uint64_t)(uint32_t)place);
}

/* The column is cut into about equal parts, one for each non-zero, which is in a random
   row of its part. */
static void fill_column(const struct spmm_shape *shape, int column, int *rows,
                        double *values)
{
    const int64_t nonzeros = count_nonzeros(shape, column);
    for (int64_t i = 0; i < nonzeros; i++) {
        const int64_t top = i * shape->size / nonzeros;
        const int64_t below = (i + 1) * shape->size / nonzeros;
        const uint64_t bits = hash(shape, column, (int)i);
        rows[i] =
            (int)(top + (int64_t)((bits & 0xffffff) * (uint64_t)(below - top) >> 24));
        values[i] = (double)(bits >> 24) * 0x1p-40 - 0.5;
    }
}

int spmm_columns_init(struct spmm_columns *columns, const struct work_node *node,
                      const struct spmm_shape *shape, int first, int count)
{
    *columns = (struct spmm_columns){
        .shape = *shape, .node = *node, .first = first, .count = count};
    for (int i = 0; i < count; i++) {
        const int nonzeros = count_nonzeros(shape, first + i);
        columns->nonzeros += nonzeros;
        columns->search_steps += log2(nonzeros) + 1;
    }
    if (node->model_only)
        return 0;

    columns->starts = calloc((size_t)count + 1, sizeof *columns->starts);
    columns->rows = calloc((size_t)columns->nonzeros, sizeof *columns->rows);
    columns->values = calloc((size_t)columns->nonzeros, sizeof *columns->values);
    if (!columns->starts || !columns->rows || !columns->values) {
        spmm_columns_clear(columns);
        return -1;
    }
    for (int i = 0; i < count; i++) {
        const size_t start = columns->starts[i];
        fill_column(shape, first + i, columns->rows + start, columns->values + start);
        columns->starts[i + 1] = start + (size_t)count_nonzeros(shape, first + i);
    }
    return 0;
}

void spmm_columns_clear(struct spmm_columns *columns)
{
    free(columns->values);
    free(columns->rows);
    free(columns->starts);
    *columns = (struct spmm_columns){.count = 0};
}

void spmm_count_rows(const struct spmm_columns *columns, int *lengths)
{
    for (size_t i = 0; i < columns->starts[columns->count]; i++)
        lengths[columns->rows[i]]++;
}

/* Index of the row in [start, end), or its insertion point, which bsearch() does not
   give. */
static size_t find(const int *rows, size_t start, size_t end, int row)
{
    while (start < end) {
        const size_t middle = start + (end - start) / 2;
        if (rows[middle] < row)
            start = middle + 1;
        else
            end = middle;
    }
    return start;
}

void spmm_extract_row(const struct spmm_columns *columns, int row,
                      struct spmm_element *elements)
{
    /* A step is a comparison, and a wait for memory and a mispredicted branch. */
    const struct work kernel = {.flops = columns->search_steps,
                                .efficiency = 0.03,
                                .working_set =
                                    columns->nonzeros * sizeof *columns->rows};
    if (!work_run(&columns->node, &kernel))
        return;
    for (int i = 0; i < columns->count; i++) {
        const size_t end = columns->starts[i + 1];
        const size_t at = find(columns->rows, columns->starts[i], end, row);
        if (at < end && columns->rows[at] == row)
            *elements++ =
                (struct spmm_element){columns->values[at], columns->first + i};
    }
}

void spmm_multiply(const struct spmm_columns *columns, const double *row,
                   double *result)
{
    const double bytes =
        columns->nonzeros * (sizeof *columns->rows + sizeof *columns->values);
    const struct work kernel = {.flops = 2 * columns->nonzeros,
                                .efficiency = 0.1,
                                .working_set = bytes,
                                .bytes = bytes};
    if (!work_run(&columns->node, &kernel))
        return;
    for (int i = 0; i < columns->count; i++) {
        double sum = 0;
        for (size_t k = columns->starts[i]; k < columns->starts[i + 1]; k++)
            sum += columns->values[k] * row[columns->rows[k]];
        result[i] = sum;
    }
}
