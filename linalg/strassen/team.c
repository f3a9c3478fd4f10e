/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits C among threads that each multiply by themselves. */
#include "team.h"

#include "columns.h"

#include <math.h>
#include <pthread.h>

struct team mt_strassen_team(size_t m, size_t n, int threads)
{
    struct team best = {1, (size_t)threads};
    double least = INFINITY;
    for (size_t rows = 1; rows <= (size_t)threads; rows++) {
        const size_t columns = (size_t)threads / rows;
        const double edges = (double)m / (double)rows + (double)n / (double)columns;
        if (rows * columns == (size_t)threads && edges < least) {
            least = edges;
            best = (struct team){rows, columns};
        }
    }
    return best;
}

/* Of the sizes of parts: whole vectors on the lowest level. */
static size_t unit_of(int levels)
{
    return (size_t)8 << levels;
}

static size_t begin_of(size_t size, size_t parts, size_t part, int levels)
{
    const size_t unit = unit_of(levels);
    return part == parts ? size : size * part / parts / unit * unit;
}

size_t mt_strassen_largest_part(size_t size, size_t parts, int levels)
{
    size_t largest = 0;
    for (size_t i = 0; i < parts; i++) {
        const size_t part =
            begin_of(size, parts, i + 1, levels) - begin_of(size, parts, i, levels);
        largest = part > largest ? part : largest;
    }
    return largest;
}

/* A thread's share. */
struct share {
    struct strassen_call call;
    struct product part;
    int levels;
    double *workspace; /* borrowed */
    pthread_t thread;
    bool started;
};

static void *multiply_share(void *data)
{
    const struct share *share = data;
    mt_strassen_multiply(&share->call, &share->part, share->levels, share->workspace);
    return NULL;
}

static void give_shares(struct share *shares, const struct strassen_call *call,
                        const struct product *p, int levels, struct team team)
{
    for (size_t i = 0; i < team.rows; i++)
        for (size_t j = 0; j < team.columns; j++) {
            const size_t row = begin_of(p->m, team.rows, i, levels),
                         column = begin_of(p->n, team.columns, j, levels);
            shares[i * team.columns + j] = (struct share){
                .call = *call,
                .part = mt_strassen_part(
                    p, row, begin_of(p->m, team.rows, i + 1, levels) - row, column,
                    begin_of(p->n, team.columns, j + 1, levels) - column),
                .levels = levels};
        }
}

void mt_strassen_team_multiply(const struct strassen_call *call,
                               const struct product *product, int levels,
                               struct team team, const struct team_room *room)
{
    const size_t count = team.rows * team.columns;
    struct share shares[MT_STRASSEN_MOST_THREADS];
    give_shares(shares, call, product, levels, team);
    for (size_t i = 0; i < count; i++) {
        struct share *share = &shares[i];
        share->workspace = room->workspace + i * room->each;
        if (count > 1)
            share->call.threads = 1;
        share->call.packed =
            room->each > room->copies ? share->workspace + room->copies : NULL;
        if (i == 0)
            continue;
        share->call.progress = NULL;
        share->started =
            pthread_create(&share->thread, NULL, multiply_share, share) == 0;
    }
    multiply_share(&shares[0]);
    for (size_t i = 1; i < count; i++)
        if (shares[i].started)
            pthread_join(shares[i].thread, NULL);
        else
            multiply_share(&shares[i]);
}
