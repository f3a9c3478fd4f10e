/* SPDX-License-Identifier: BSD-3-Clause */
/* Deals the blocks of a grid to ranks, with lower bounds. */
#include "deal.h"

#include "steps.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* A rank's traffic in a step, bytes. */
struct step_load {
    double sent, received;
};

/* The blocks of a grid and their ranks; for left-over ones -1: no rank. */
struct block_grid {
    const struct mt_partition_task *task;
    int side, ranks;
    double a_bytes, b_bytes; /* of a block of A, of B */
    int *owners;             /* owned, as all below; [row * side + column] */
    int *in_row, *in_column; /* number of ranks with blocks in each row, in each
                                column */
    int *seen;               /* of every rank: the last line with a block of its own */
    double *computes;        /* of every rank, seconds in a step */
    double *again;           /* of left-over pieces; 0: it has none */
    struct step_load *loads; /* [step * ranks + rank] */
};

static void clear_grid(struct block_grid *grid)
{
    free(grid->owners);
    free(grid->in_row);
    free(grid->in_column);
    free(grid->seen);
    free(grid->computes);
    free(grid->again);
    free(grid->loads);
}

static int prepare_grid(struct block_grid *grid, const struct mt_partition_task *task,
                        int side, struct mt_error *err)
{
    const size_t lines = (size_t)side, ranks = (size_t)task->cluster->ranks;
    const struct mt_partition_product *product = task->product;
    const double blocks = (double)side * side;
    *grid = (struct block_grid){
        .task = task,
        .side = side,
        .ranks = task->cluster->ranks,
        .a_bytes = (double)sizeof(double) * product->m * product->k / blocks,
        .b_bytes = (double)sizeof(double) * product->k * product->n / blocks,
        .owners = calloc(lines * lines, sizeof *grid->owners),
        .in_row = calloc(lines, sizeof *grid->in_row),
        .in_column = calloc(lines, sizeof *grid->in_column),
        .seen = calloc(ranks, sizeof *grid->seen),
        .computes = calloc(ranks, sizeof *grid->computes),
        .again = calloc(ranks, sizeof *grid->again),
        .loads = calloc(lines * ranks, sizeof *grid->loads),
    };
    if (grid->owners && grid->in_row && grid->in_column && grid->seen &&
        grid->computes && grid->again && grid->loads)
        return MT_OK;
    return mt_fail(err, MT_ENOMEM, "no memory for %zu x %zu blocks", lines, lines);
}

static void find_owners(struct block_grid *grid,
                        const struct mt_partition_shares *shares,
                        enum mt_partition_order order)
{
    const int blocks = grid->side * grid->side;
    for (int i = 0; i < blocks; i++)
        grid->owners[i] = -1;
    for (int rank = 0, place = 0; rank < grid->ranks; rank++) {
        for (int i = 0; i < shares->blocks[rank]; i++, place++) {
            const struct mt_partition_block block =
                mt_partition_find_block(grid->side, order, place);
            grid->owners[block.row * grid->side + block.column] = rank;
        }
        grid->computes[rank] =
            shares->blocks[rank] *
            mt_partition_block_seconds(grid->task, rank, grid->side) / grid->side;
        if (shares->parts > 0 && shares->pieces[rank] > 0)
            grid->again[rank] = shares->pieces[rank] *
                                mt_partition_block_seconds(grid->task, rank,
                                                           grid->side * shares->parts) /
                                grid->side;
    }
}

/* Count the ranks of every line; blocks of a line are `along` apart, lines `across`. In
   every step, a rank receives a block of each of its lines. */
static void count_ranks(struct block_grid *grid, int *counts, int along, int across,
                        double bytes)
{
    for (int rank = 0; rank < grid->ranks; rank++)
        grid->seen[rank] = -1;
    for (int line = 0; line < grid->side; line++)
        for (int i = 0; i < grid->side; i++) {
            const int owner = grid->owners[line * across + i * along];
            if (owner < 0 || grid->seen[owner] == line)
                continue;
            grid->seen[owner] = line;
            counts[line]++;
            for (int step = 0; step < grid->side; step++)
                grid->loads[step * grid->ranks + owner].received += bytes;
        }
}

/* The number of ranks in its line to which a block's owner itself sends it. */
static int count_children(int members)
{
    int count = 0;
    while (1 << count < members)
        count++;
    return count;
}

/* The owner of a block sends it, in the step of its column (A) or row (B), to its
   children among the ranks of the line. Forwarding to the others is not counted. */
static void add_blocks(struct block_grid *grid)
{
    for (int row = 0; row < grid->side; row++)
        for (int column = 0; column < grid->side; column++) {
            const int owner = grid->owners[row * grid->side + column];
            if (owner < 0)
                continue;
            struct step_load *a = &grid->loads[column * grid->ranks + owner];
            a->sent += count_children(grid->in_row[row]) * grid->a_bytes;
            a->received -= grid->a_bytes;
            struct step_load *b = &grid->loads[row * grid->ranks + owner];
            b->sent += count_children(grid->in_column[column]) * grid->b_bytes;
            b->received -= grid->b_bytes;
        }
}

/* How long a rank is busy in a step, at least. */
static double find_busy(const struct block_grid *grid, int step, int rank)
{
    const struct mt_partition_network *network = &grid->task->cluster->network;
    const struct step_load *load = &grid->loads[step * grid->ranks + rank];
    const double bytes = fmax(load->sent, load->received) +
                         (network->exchange - 1) * fmin(load->sent, load->received);
    return bytes / network->bandwidth + grid->computes[rank];
}

/* A step lasts at least as long as its busiest rank is busy; ranks with left-over
   pieces begin these together. */
static double find_step(const struct block_grid *grid, int step)
{
    double busiest = 0, together = 0, again = 0;
    for (int rank = 0; rank < grid->ranks; rank++) {
        const double busy = find_busy(grid, step, rank);
        busiest = fmax(busiest, busy);
        if (grid->again[rank] > 0)
            together = fmax(together, busy);
        again = fmax(again, grid->again[rank]);
    }
    return fmax(busiest, together + again);
}

int mt_partition_bound(double *rest, const struct mt_partition_task *task,
                       const struct mt_partition_shares *shares,
                       enum mt_partition_order order, struct mt_error *err)
{
    struct block_grid grid;
    const int status = prepare_grid(&grid, task, shares->grid, err);
    if (status == MT_OK) {
        find_owners(&grid, shares, order);
        count_ranks(&grid, grid.in_row, 1, grid.side, grid.a_bytes);
        count_ranks(&grid, grid.in_column, grid.side, 1, grid.b_bytes);
        add_blocks(&grid);
        rest[grid.side] = 0;
        for (int step = grid.side - 1; step >= 0; step--)
            rest[step] = rest[step + 1] + find_step(&grid, step);
    }
    clear_grid(&grid);
    return status;
}

struct mt_partition_block mt_partition_find_block(int grid,
                                                  enum mt_partition_order order,
                                                  int place)
{
    const int line = place / grid, along = place % grid;
    switch (order) {
    case MT_PARTITION_COLUMNS:
        return (struct mt_partition_block){grid, along, line};
    case MT_PARTITION_TO_AND_FRO:
        return (struct mt_partition_block){grid, line,
                                           line % 2 == 0 ? along : grid - 1 - along};
    default:
        return (struct mt_partition_block){grid, line, along};
    }
}

/* Add the block as a tile, with its best number of levels when k is cut as finely as
   the rows and columns. */
static int add_block(struct mt_partition *partition,
                     const struct mt_partition_task *task,
                     const struct mt_partition_block *block, int rank, int turn,
                     struct mt_error *err)
{
    const struct mt_partition_product *product = task->product;
    const double grid = block->grid;
    const struct mt_partition_tile tile = {
        .rank = rank,
        .turn = turn,
        .levels = mt_strassen_best_levels(
            &task->cluster->speeds[rank], product->m / grid, product->n / grid,
            product->k / grid, MT_STRASSEN_MAX_LEVELS, true),
        .top = block->row / grid,
        .left = block->column / grid,
        .bottom = (block->row + 1) / grid,
        .right = (block->column + 1) / grid,
    };
    return mt_partition_add(partition, &tile, err);
}

static int deal_pieces(struct mt_partition *partition,
                       const struct mt_partition_task *task,
                       const struct mt_partition_shares *shares,
                       enum mt_partition_order order, int first, struct mt_error *err)
{
    const int parts = shares->parts;
    int status = MT_OK, place = first * parts * parts;
    for (int rank = 0; rank < partition->ranks; rank++)
        for (int i = 0; i < shares->pieces[rank] && status == MT_OK; i++, place++) {
            const struct mt_partition_block whole =
                mt_partition_find_block(shares->grid, order, place / (parts * parts));
            const int piece = place % (parts * parts);
            const struct mt_partition_block block = {
                shares->grid * parts, whole.row * parts + piece / parts,
                whole.column * parts + piece % parts};
            status = add_block(partition, task, &block, rank, 1, err);
        }
    return status;
}

int mt_partition_deal(struct mt_partition *partition,
                      const struct mt_partition_task *task,
                      const struct mt_partition_shares *shares,
                      enum mt_partition_order order, struct mt_error *err)
{
    partition->ranks = task->cluster->ranks;
    partition->panels = shares->grid;
    partition->subpanels = shares->parts;
    int status = MT_OK, place = 0;
    for (int rank = 0; rank < partition->ranks; rank++)
        for (int i = 0; i < shares->blocks[rank] && status == MT_OK; i++, place++) {
            const struct mt_partition_block block =
                mt_partition_find_block(shares->grid, order, place);
            status = add_block(partition, task, &block, rank, 0, err);
        }
    if (status == MT_OK && shares->parts > 0)
        status = deal_pieces(partition, task, shares, order, place, err);
    return status;
}

double mt_partition_block_seconds(const struct mt_partition_task *task, int rank,
                                  int grid)
{
    const struct mt_strassen_speed *speed = &task->cluster->speeds[rank];
    const double m = (double)task->product->m / grid;
    const double n = (double)task->product->n / grid;
    const double k = (double)task->product->k / grid;
    const int levels =
        mt_strassen_best_levels(speed, m, n, k, MT_STRASSEN_MAX_LEVELS, true);
    return mt_strassen_seconds(speed, m, n, k, levels, false) +
           (grid - 1) * mt_strassen_seconds(speed, m, n, k, levels, true);
}

/* Keep the partition when it is better than the best. */
static int keep_better(struct mt_partition_search *search,
                       struct mt_partition *partition, const double *rest,
                       struct mt_error *err)
{
    struct mt_partition_forecast forecast = {0};
    const struct mt_partition_limit limit = {search->seconds, rest};
    const int status =
        mt_partition_predict_within(&forecast, partition, search->task, &limit, err);
    if (status == MT_OK && forecast.seconds < search->seconds) {
        const struct mt_partition worse = search->partition;
        search->seconds = forecast.seconds;
        search->partition = *partition;
        *partition = worse;
    }
    mt_partition_forecast_clear(&forecast);
    return status;
}

static int try_order(struct mt_partition_search *search, enum mt_partition_kind kind,
                     const struct mt_partition_shares *shares,
                     enum mt_partition_order order, double *rest, struct mt_error *err)
{
    struct mt_partition partition = {.kind = kind};
    int status = mt_partition_bound(rest, search->task, shares, order, err);
    if (status != MT_OK || rest[0] >= search->seconds)
        return status;
    status = mt_partition_deal(&partition, search->task, shares, order, err);
    if (status == MT_OK)
        status = keep_better(search, &partition, rest, err);
    mt_partition_clear(&partition);
    return status;
}

int mt_partition_try(struct mt_partition_search *search, enum mt_partition_kind kind,
                     const struct mt_partition_shares *shares, struct mt_error *err)
{
    double *rest = calloc((size_t)shares->grid + 1, sizeof *rest);
    if (!rest)
        return mt_fail(err, MT_ENOMEM, "no memory for %d steps", shares->grid);
    int status = MT_OK;
    for (int order = 0; order < MT_PARTITION_ORDERS && status == MT_OK; order++)
        status =
            try_order(search, kind, shares, (enum mt_partition_order)order, rest, err);
    free(rest);
    return status;
}
