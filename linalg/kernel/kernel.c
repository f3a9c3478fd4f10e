/* SPDX-License-Identifier: BSD-3-Clause */
/* A blocked dgemm for one core: packed panels in the caches, tiles in registers (Goto
   and van de Geijn 2008). */
#include "kernel.h"

#include "kind.h"

#include <stdint.h>

/* Below this in one of the sizes, packing costs what faster computing gains (measured
   on an EPYC 9004 against OpenBLAS 0.3.21). */
enum { LEAST = 560 };

/* Of the packed buffers, in doubles: what vectors are aligned to. */
enum { LINE = 8 };

/* How much of the product is packed at a time. */
struct pieces {
    size_t rows, columns, depth;
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The size of `size`'s pieces: as few as `most` allows, and as equal as `unit`. */
static size_t piece(size_t size, size_t most, size_t unit)
{
    const size_t pieces = (size + most - 1) / most;
    const size_t units = (size + pieces * unit - 1) / (pieces * unit);
    return units * unit;
}

const struct kernel_kind *mt_kernel_kind(int i)
{
    const struct kernel_kind *kinds[3] = {NULL};
    int count = 0;
    if (__builtin_cpu_supports("avx512f"))
        kinds[count++] = &mt_kernel_avx512_kind;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        kinds[count++] = &mt_kernel_avx2_kind;
    return i < count ? kinds[i] : NULL;
}

bool mt_kernel_available(void)
{
    return mt_kernel_kind(0) != NULL;
}

bool mt_kernel_suits(size_t m, size_t n, size_t k)
{
    return m >= LEAST && n >= LEAST && k >= LEAST;
}

size_t mt_kernel_room(const struct kernel_kind *kind, size_t m, size_t n, size_t k)
{
    const size_t depth = mt_kernel_padded(smaller(k, kind->most_depth));
    const size_t columns = smaller(m > n ? m : n, kind->most_columns - kind->columns);
    return depth * (kind->most_rows + columns + kind->columns) + LINE;
}

static double *aligned(double *workspace)
{
    const size_t bytes = LINE * sizeof(double);
    return workspace + (bytes - (uintptr_t)workspace % bytes) % bytes / sizeof(double);
}

struct range {
    size_t begin, count;
};

/* A part of op(A) (`rows` are its rows) or op(B) (`rows` are its columns). */
static struct kernel_part part_of(const struct operand *x, const struct terms *more,
                                  bool rows_adjacent, struct range rows,
                                  struct range depth)
{
    const size_t at = rows_adjacent ? rows.begin + depth.begin * x->ld
                                    : depth.begin + rows.begin * x->ld;
    struct kernel_part part = {
        .data = x->data + at,
        .rows = rows.count,
        .depth = depth.count,
        .ld = x->ld,
        .rows_adjacent = rows_adjacent,
        .more = *more,
    };
    for (int i = 0; i < more->count; i++)
        part.more.data[i] += at;
    return part;
}

/* Panels of A and B as they are packed. */
struct packed {
    double *a, *b;
    size_t depth;
};

/* Part of C by what was packed: all tiles of a panel of B, then the next panel. */
static void multiply_packed(const struct kernel_kind *kind,
                            const struct kernel_tile *part, const struct packed *packed,
                            double alpha, double beta)
{
    const size_t padded = mt_kernel_padded(packed->depth);
    for (size_t j = 0; j < part->columns; j += kind->columns)
        for (size_t i = 0; i < part->rows; i += kind->rows) {
            const struct kernel_tile tile = {
                .c = part->c + i + j * part->ld,
                .rows = smaller(part->rows - i, kind->rows),
                .columns = smaller(part->columns - j, kind->columns),
                .ld = part->ld,
            };
            kind->tile(&tile, packed->depth, alpha, packed->a + i * padded,
                       packed->b + j * padded, beta);
        }
}

void mt_kernel_multiply(const struct kernel_kind *kind, const struct product *p,
                        double alpha, double *workspace)
{
    const struct pieces most = {
        .rows = piece(p->m, kind->most_rows, kind->rows),
        .columns = piece(p->n, kind->most_columns, kind->columns),
        .depth = piece(p->k, kind->most_depth, 1),
    };
    struct packed packed = {.a = aligned(workspace)};
    packed.b = packed.a + kind->most_rows * mt_kernel_padded(most.depth);

    for (size_t j = 0; j < p->n; j += most.columns) {
        const struct range columns = {j, smaller(p->n - j, most.columns)};
        for (size_t q = 0; q < p->k; q += most.depth) {
            const struct range depth = {q, smaller(p->k - q, most.depth)};
            const struct kernel_part b =
                part_of(&p->b, &p->more_b, p->b.transposed, columns, depth);
            kind->pack(packed.b, kind->columns, &b);
            packed.depth = depth.count;
            for (size_t i = 0; i < p->m; i += most.rows) {
                const struct range rows = {i, smaller(p->m - i, most.rows)};
                const struct kernel_part a =
                    part_of(&p->a, &p->more_a, !p->a.transposed, rows, depth);
                kind->pack(packed.a, kind->rows, &a);
                const struct kernel_tile c = {p->c + i + j * p->ldc, rows.count,
                                              columns.count, p->ldc};
                multiply_packed(kind, &c, &packed, alpha, q == 0 ? p->beta : 1);
            }
        }
    }
}
