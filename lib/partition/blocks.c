/* SPDX-License-Identifier: BSD-3-Clause */
/* Partitions into equal blocks: Strassen, H-Strassen and H-Strassen-R (Ohtaki et al.
   2004). */
#include "blocks.h"

#include "deal.h"
#include "tuning.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

int mt_partition_choose_equal(struct mt_partition *partition,
                              const struct mt_partition_task *task,
                              struct mt_error *err)
{
    const int ranks = task->cluster->ranks;
    long grid = 1;
    while (grid * grid % ranks != 0)
        grid++;
    int *blocks = calloc((size_t)ranks, sizeof *blocks);
    if (!blocks)
        return mt_fail(err, MT_ENOMEM, "no memory for %d ranks", ranks);
    for (int rank = 0; rank < ranks; rank++)
        blocks[rank] = (int)(grid * grid / ranks);
    const struct mt_partition_shares shares = {.grid = (int)grid, .blocks = blocks};
    const int status =
        mt_partition_deal(partition, task, &shares, MT_PARTITION_ROWS, err);
    free(blocks);
    return status;
}

void mt_partition_share_out(int *counts, const double *seconds, int ranks, int blocks)
{
    for (int rank = 0; rank < ranks; rank++)
        counts[rank] = 0;
    for (int i = 0; i < blocks; i++) {
        int first = 0;
        for (int rank = 1; rank < ranks; rank++)
            if ((counts[rank] + 1) * seconds[rank] <
                (counts[first] + 1) * seconds[first])
                first = rank;
        counts[first]++;
    }
}

/* Try the grid, with the shares by algorithm 1; `seconds` and `blocks` are scratch for
   each rank's seconds per block and number of blocks. */
static int try_grid(struct mt_partition_search *search, enum mt_partition_kind kind,
                    int grid, double *seconds, int *blocks, struct mt_error *err)
{
    const int ranks = search->task->cluster->ranks;
    const struct mt_partition_shares shares = {.grid = grid, .blocks = blocks};
    double slowest = 0;
    for (int rank = 0; rank < ranks; rank++)
        seconds[rank] = mt_partition_block_seconds(search->task, rank, grid);
    mt_partition_share_out(blocks, seconds, ranks, grid * grid);
    for (int rank = 0; rank < ranks; rank++)
        slowest = fmax(slowest, blocks[rank] * seconds[rank]);
    if (slowest >= search->seconds) /* which computing alone takes */
        return MT_OK;
    return mt_partition_try(search, kind, &shares, err);
}

/* Algorithm 2: try every grid, with the shares by algorithm 1. */
static int search_greedy(struct mt_partition_search *search,
                         enum mt_partition_kind kind, int most, struct mt_error *err)
{
    const int ranks = search->task->cluster->ranks;
    double *seconds = calloc((size_t)ranks, sizeof *seconds);
    int *blocks = calloc((size_t)ranks, sizeof *blocks);
    int status = seconds && blocks
                     ? MT_OK
                     : mt_fail(err, MT_ENOMEM, "no memory for %d ranks", ranks);
    for (int grid = 1; grid <= most && status == MT_OK; grid++)
        status = try_grid(search, kind, grid, seconds, blocks, err);
    free(blocks);
    free(seconds);
    return status;
}

int mt_partition_choose_greedy(struct mt_partition *partition,
                               const struct mt_partition_task *task, int most,
                               struct mt_error *err)
{
    struct mt_partition_search search = {.task = task, .seconds = INFINITY};
    const int status = search_greedy(&search, MT_PARTITION_GREEDY, most, err);
    if (status != MT_OK)
        mt_partition_clear(&search.partition);
    else
        *partition = search.partition;
    return status;
}

/* A rank, of a grid of blocks. */
struct member {
    int rank;
    double load; /* seconds, of its blocks that are not left over */
    double piece;
};

/* Blocks of a grid, and the ranks that may compute left-over blocks. */
struct left_over_problem {
    const struct mt_partition_task *task;
    int ranks;
    struct mt_partition_shares shares;
    double *seconds; /* owned, as all below, of every rank: of a block; */
    int *blocks;     /* how many it has; */
    struct member *members;
    double *costs; /* of a piece, of every member; */
    int *counts;   /* the number of its pieces; */
    int *best;     /* pieces of every rank, by the best estimate so far */
    double estimate;
};

static void clear_problem(struct left_over_problem *problem)
{
    free(problem->seconds);
    free(problem->blocks);
    free(problem->members);
    free(problem->costs);
    free(problem->counts);
    free(problem->best);
}

static int prepare_problem(struct left_over_problem *problem,
                           const struct mt_partition_task *task, struct mt_error *err)
{
    const size_t ranks = (size_t)task->cluster->ranks;
    *problem = (struct left_over_problem){
        .task = task,
        .ranks = task->cluster->ranks,
        .seconds = calloc(ranks, sizeof *problem->seconds),
        .blocks = calloc(ranks, sizeof *problem->blocks),
        .members = calloc(ranks, sizeof *problem->members),
        .costs = calloc(ranks, sizeof *problem->costs),
        .counts = calloc(ranks, sizeof *problem->counts),
        .best = calloc(ranks, sizeof *problem->best),
    };
    if (problem->seconds && problem->blocks && problem->members && problem->costs &&
        problem->counts && problem->best)
        return MT_OK;
    return mt_fail(err, MT_ENOMEM, "no memory for %zu ranks", ranks);
}

static double load_of(const struct left_over_problem *problem, int rank)
{
    return problem->blocks[rank] * problem->seconds[rank];
}

/* Share out all blocks of the grid. */
static void share_out_grid(struct left_over_problem *problem, int grid)
{
    for (int rank = 0; rank < problem->ranks; rank++)
        problem->seconds[rank] = mt_partition_block_seconds(problem->task, rank, grid);
    mt_partition_share_out(problem->blocks, problem->seconds, problem->ranks,
                           grid * grid);
}

static bool is_uneven(const struct left_over_problem *problem)
{
    double most = 0, least = INFINITY;
    for (int rank = 0; rank < problem->ranks; rank++) {
        most = fmax(most, load_of(problem, rank));
        least = fmin(least, load_of(problem, rank));
    }
    return most > uneven * least;
}

/* Take a block from the busiest rank; ties go to the last. */
static void leave_over(struct left_over_problem *problem)
{
    int busiest = 0;
    for (int rank = 1; rank < problem->ranks; rank++)
        if (load_of(problem, rank) >= load_of(problem, busiest))
            busiest = rank;
    problem->blocks[busiest]--;
}

static int compare_pieces(const void *a, const void *b)
{
    const struct member *one = a, *other = b;
    if (one->piece != other->piece)
        return one->piece < other->piece ? -1 : 1;
    return one->rank - other->rank;
}

static int compare_ends(const void *a, const void *b)
{
    const struct member *one = a, *other = b;
    const double ends[] = {one->load + one->piece, other->load + other->piece};
    if (ends[0] != ends[1])
        return ends[0] < ends[1] ? -1 : 1;
    return one->rank - other->rank;
}

/* The time of a member's messages of the left-over in a step. */
static double message_seconds(const struct left_over_problem *problem, int parts)
{
    const struct mt_partition_product *product = problem->task->product;
    const struct mt_partition_network *network = &problem->task->cluster->network;
    const double side = (double)problem->shares.grid * parts;
    const double values = ((double)product->m + product->n) / side * product->k / side;
    return parts * (2 * network->latency +
                    (double)sizeof(double) * values / network->bandwidth);
}

/* The longest time of any rank if the first `count` members share the pieces: they wait
   for each other between their blocks and the pieces. */
static double estimate(struct left_over_problem *problem, int count, int pieces)
{
    double alone = 0, together = 0, longest = 0;
    for (int i = 0; i < count; i++)
        problem->costs[i] = problem->members[i].piece;
    mt_partition_share_out(problem->counts, problem->costs, count, pieces);
    for (int i = 0; i < problem->ranks; i++)
        if (i < count && problem->counts[i] > 0) {
            together = fmax(together, problem->members[i].load);
            longest = fmax(longest, problem->counts[i] * problem->costs[i]);
        } else {
            alone = fmax(alone, problem->members[i].load);
        }
    longest += problem->shares.grid * message_seconds(problem, problem->shares.parts);
    /* Ties go to the members that end earlier. */
    return fmax(alone, together + longest) + tie_break * (together + longest);
}

/* Try the members in their current order. */
static void try_members(struct left_over_problem *problem, int pieces)
{
    const int most = pieces < problem->ranks ? pieces : problem->ranks;
    for (int count = 1; count <= most; count++) {
        const double seconds = estimate(problem, count, pieces);
        if (seconds >= problem->estimate)
            continue;
        problem->estimate = seconds;
        for (int i = 0; i < problem->ranks; i++)
            problem->best[problem->members[i].rank] =
                i < count ? problem->counts[i] : 0;
    }
}

/* Find the best ranks for the left-over blocks, cut into parts x parts, and predict the
   result. */
static int cut_again(struct left_over_problem *problem,
                     struct mt_partition_search *search, int left_over, int parts,
                     struct mt_error *err)
{
    const int grid = problem->shares.grid;
    problem->estimate = INFINITY;
    problem->shares.parts = parts;
    for (int rank = 0; rank < problem->ranks; rank++)
        problem->members[rank] = (struct member){
            .rank = rank,
            .load = load_of(problem, rank),
            .piece = mt_partition_block_seconds(problem->task, rank, grid * parts)};
    qsort(problem->members, (size_t)problem->ranks, sizeof *problem->members,
          compare_pieces);
    try_members(problem, left_over * parts * parts);
    qsort(problem->members, (size_t)problem->ranks, sizeof *problem->members,
          compare_ends);
    try_members(problem, left_over * parts * parts);
    problem->shares.blocks = problem->blocks;
    problem->shares.pieces = problem->best;
    return problem->estimate < search->seconds
               ? mt_partition_try(search, MT_PARTITION_RECURSIVE, &problem->shares, err)
               : MT_OK;
}

static int search_grid(struct left_over_problem *problem,
                       struct mt_partition_search *search, int grid,
                       struct mt_error *err)
{
    int status = MT_OK;
    problem->shares = (struct mt_partition_shares){.grid = grid};
    share_out_grid(problem, grid);
    for (int left_over = 1; left_over <= MOST_LEFT_OVER && left_over < grid * grid &&
                            is_uneven(problem) && status == MT_OK;
         left_over++) {
        leave_over(problem);
        for (int parts = 2; parts <= MOST_PARTS && status == MT_OK; parts++)
            status = cut_again(problem, search, left_over, parts, err);
    }
    return status;
}

int mt_partition_choose_recursive(struct mt_partition *partition,
                                  const struct mt_partition_task *task, int most,
                                  struct mt_error *err)
{
    struct mt_partition_search search = {.task = task, .seconds = INFINITY};
    struct left_over_problem problem;
    int status = prepare_problem(&problem, task, err);
    if (status == MT_OK)
        status = search_greedy(&search, MT_PARTITION_RECURSIVE, most, err);
    for (int grid = 1; grid <= most && status == MT_OK; grid++)
        status = search_grid(&problem, &search, grid, err);
    clear_problem(&problem);
    if (status != MT_OK)
        mt_partition_clear(&search.partition);
    else
        *partition = search.partition;
    return status;
}
