/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gathers straight to the root, with any late rank: every root, types that differ
 * between ranks, in place and not, many at the same time; and by the way found to be
 * faster.
 */
#include "check.h"
#include "preload/common/message.h"
#include "preload/rooted/rooted.h"
#include "preload/rooted/trial.h"
#include "scarce.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

/* A block in memory by its type: `gap` ints between two that count. */
struct layout {
    MPI_Datatype type;
    int count, gap;
};

static struct layout layout_of(int ints, int gap, bool absolute, const int *buffer)
{
    struct layout layout = {MPI_INT, ints, gap};
    MPI_Aint place = 0;
    MPI_Datatype one, moved;
    if (gap == 0 && !absolute)
        return layout;
    if (absolute)
        MPI_Get_address(buffer, &place);
    layout.count = 1;
    MPI_Type_vector(ints, 1, 1 + gap, MPI_INT, &one);
    MPI_Type_create_hindexed(1, (int[]){1}, &place, one, &moved);
    MPI_Type_create_resized(moved, 0, (MPI_Aint)sizeof(int) * ints * (1 + gap),
                            &layout.type);
    MPI_Type_commit(&layout.type);
    MPI_Type_free(&one);
    MPI_Type_free(&moved);
    return layout;
}

static void free_layout(struct layout *layout)
{
    if (layout->type != MPI_INT)
        MPI_Type_free(&layout->type);
}

static int number_of(int owner, int i, int seed)
{
    return 1000 * owner + i % 90 + seed;
}

/* Those between the numbers are -1, before and after. */
static void fill(int *buffer, int owner, int ints, int gap, int seed)
{
    for (int i = 0; i < ints * (1 + gap); i++)
        buffer[i] = owner >= 0 && i % (1 + gap) == 0
                        ? number_of(owner, i / (1 + gap), seed)
                        : -1;
}

static int count_wrong(const int *buffer, int owner, int ints, int gap, int seed)
{
    int wrong = 0;
    for (int i = 0; i < ints * (1 + gap); i++)
        wrong += buffer[i] != (owner >= 0 && i % (1 + gap) == 0
                                   ? number_of(owner, i / (1 + gap), seed)
                                   : -1);
    return wrong;
}

struct round {
    int ints, root, seed, own_gap, all_gap;
    bool in_place, absolute;
};

/* One gather; `adapted` may be NULL. */
static void collect(const struct round *round, struct transfer *transfer,
                    struct adapted *adapted)
{
    const int ints = round->ints, seed = round->seed;
    const size_t own_ints = (size_t)ints * (1 + (size_t)round->own_gap);
    const size_t all_ints = (size_t)ints * (1 + (size_t)round->all_gap);
    int *own = calloc(own_ints, sizeof *own);
    int *all = calloc(all_ints * (size_t)size, sizeof *all);
    struct layout of_own = layout_of(ints, round->own_gap, round->absolute, own);
    struct layout of_all = layout_of(ints, round->all_gap, round->absolute, all);
    const bool is_root = rank == round->root, in_place = is_root && round->in_place;
    fill(own, rank, ints, round->own_gap, seed);
    for (int k = 0; k < size && is_root; k++)
        fill(all + (size_t)k * all_ints, in_place && k == rank ? k : -1, ints,
             round->all_gap, seed);
    const struct blocks blocks = {
        .own = {.buffer = in_place          ? MPI_IN_PLACE
                          : round->absolute ? MPI_BOTTOM
                                            : (void *)own,
                .count = of_own.count,
                .type = of_own.type},
        .all = {.buffer = round->absolute ? MPI_BOTTOM : (void *)all,
                .count = of_all.count,
                .type = of_all.type},
        .root = round->root,
        .bytes = (size_t)ints * sizeof(int)};
    if (adapted)
        check(adapted_carry(adapted, &blocks, blocks.bytes) == MPI_SUCCESS,
              "no blocks");
    else
        check(blocks_gather(transfer, &blocks) == MPI_SUCCESS, "no gather");
    int wrong = 0;
    for (int k = 0; k < size && is_root; k++)
        wrong += count_wrong(all + (size_t)k * all_ints, k, ints, round->all_gap, seed);
    check(wrong == 0, "%d blocks of %d: %d numbers are wrong, root %d", size, ints,
          wrong, round->root);
    memset(own, 0, own_ints * sizeof *own); /* no message may read it any longer */
    if (is_root)
        memset(all, 0, all_ints * (size_t)size * sizeof *all);
    free_layout(&of_own);
    free_layout(&of_all);
    free(own);
    free(all);
}

static void straight(struct transfer *transfer)
{
    unsigned seed = 7;
    for (int i = 0; i < 300; i++) {
        const int ints = i % 11 ? 1 + rand_r(&seed) % 3000 : 1 << 16;
        const int late = rand_r(&seed) % (4 * size);
        const struct round round = {.ints = ints,
                                    .root = i % size,
                                    .seed = i,
                                    .own_gap = (i / 2 + rank) % 3 % 2,
                                    .all_gap = i % 4 / 2,
                                    .in_place = i % 3 == 0,
                                    .absolute = i % 7 == 0};
        if (rank == late)
            usleep(500);
        transfer_progress(transfer);
        collect(&round, transfer, NULL);
    }
}

/* One int; the types say where in `table` they lie: the root's own behind the
   blocks of all ranks. */
static void from_one_address(struct transfer *transfer)
{
    MPI_Datatype behind;
    int *table = calloc((size_t)size + 1, sizeof *table);
    MPI_Type_create_hindexed(1, (int[]){1}, (MPI_Aint[]){(MPI_Aint)sizeof(int) * size},
                             MPI_INT, &behind);
    MPI_Type_commit(&behind);
    for (int k = 0; k < size; k++)
        table[k] = -1;
    table[size] = number_of(rank, 0, 0);
    const struct blocks blocks = {.own = {.buffer = table, .count = 1, .type = behind},
                                  .all = {.buffer = table, .count = 1, .type = MPI_INT},
                                  .bytes = sizeof(int)};
    check(blocks_gather(transfer, &blocks) == MPI_SUCCESS, "no blocks");
    for (int k = 0; k < size && rank == 0; k++)
        check(table[k] == number_of(k, 0, 0), "gathered %d, not rank %d's", table[k],
              k);
    check(table[size] == number_of(rank, 0, 0), "the own number is %d", table[size]);
    MPI_Type_free(&behind);
    free(table);
}

static int class_of(int status)
{
    int class = MPI_SUCCESS;
    MPI_Error_class(status, &class);
    return class;
}

/* The last rank's block is too long for the root, and so is the root's own, which some
   MPIs ignore. The handler of MPI_COMM_WORLD, which would end the program, is not
   called; the next call is not affected. */
static void too_long_to_gather(struct transfer *transfer, int ints, int gap)
{
    int *own = calloc(2 * (size_t)ints, sizeof *own);
    int *all = calloc(2 * (size_t)ints * (size_t)size, sizeof *all);
    struct layout layout = layout_of(ints, gap, false, all);
    const bool is_last = rank == size - 1;
    const int own_ints = is_last ? 2 * ints : rank == 0 ? ints + 1 : ints;
    const struct round next = {.ints = 2 * ints, .seed = 5};
    const struct blocks blocks = {
        .own = {.buffer = own, .count = own_ints, .type = MPI_INT},
        .all = {.buffer = all, .count = layout.count, .type = layout.type},
        .bytes = (size_t)(is_last ? 2 * ints : ints) * sizeof(int)};
    const int class = class_of(blocks_gather(transfer, &blocks));
    check(class == (rank ? MPI_SUCCESS : MPI_ERR_TRUNCATE), "the status is %d", class);
    collect(&next, transfer, NULL);
    free_layout(&layout);
    free(all);
    free(own);
}

/* Without copies: the first other rank comes when the last one's block has been
   taken. */
static void beyond_the_limit(struct transfer *transfer)
{
    const size_t limit = (size_t)64 << 20;
    const struct round round = {.ints = 1 << 18, .seed = 8};
    transfer->deferred_bytes += limit;
    if (rank == 1 && size > 2)
        MPI_Recv(NULL, 0, MPI_INT, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    collect(&round, transfer, NULL);
    if (rank == size - 1 && size > 2)
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    transfer->deferred_bytes -= limit;
}

/* Memory for packed blocks is short, with a reserve and without. */
static void where_memory_is_short(struct transfer *transfer)
{
    enum { INTS = 1 << 14 };
    for (int i = 0; i < 4; i++) {
        const struct round round = {
            .ints = INTS, .seed = i, .own_gap = 1, .all_gap = 1};
        if (i < 2)
            check(messages_begin(), "no reserve");
        scarce_most_bytes = INTS * sizeof(int) / 2;
        collect(&round, transfer, NULL);
        messages_end();
    }
    scarce_most_bytes = SIZE_MAX;
}

/* Ranks with more copies for a late root than are kept. */
static void run_ahead(struct transfer *transfer)
{
    enum { INTS = 1 << 18, CALLS = 12 };
    const size_t others = (size_t)56 << 20;
    transfer->deferred_bytes += others;
    if (rank == 0)
        usleep(500000);
    for (int i = 0; i < CALLS; i++) {
        const struct round round = {
            .ints = INTS, .seed = i, .own_gap = i % 2, .all_gap = 1};
        collect(&round, transfer, NULL);
        check(transfer->deferred_bytes <= (size_t)64 << 20, "%zu bytes are kept",
              transfer->deferred_bytes);
    }
    transfer->deferred_bytes -= others;
}

static const struct adapted_kind *counted;
static int calls[WAYS];

static int count_by_mpi(const void *call, MPI_Comm comm)
{
    calls[BY_MPI]++;
    return counted->by_mpi(call, comm);
}

static int count_by_us(struct adapted *adapted, const void *call)
{
    calls[BY_US]++;
    return counted->by_us(adapted, call);
}

static void by_either_way(struct transfer *transfer, const struct adapted_kind *kind)
{
    const struct adapted_kind counting = {.name = kind->name,
                                          .way = kind->way,
                                          .by_mpi = count_by_mpi,
                                          .by_us = count_by_us};
    struct adapted *adapted = adapted_new(&counting, transfer, MPI_COMM_WORLD, false);
    counted = kind;
    calls[BY_MPI] = calls[BY_US] = 0;
    check(adapted != NULL, "no memory");
    for (int i = 0; i < 300; i++) {
        const struct round round = {.ints = i % 5 ? 2048 : 16,
                                    .root = i % 20 ? 0 : i % size,
                                    .seed = i,
                                    .own_gap = i % 2};
        if (rank == 1)
            usleep(300);
        collect(&round, transfer, adapted);
        if (i % 2 == 0)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    check(calls[BY_MPI] > 0 && calls[BY_US] > 0, "%s: %d by the MPI, %d by us",
          kind->name, calls[BY_MPI], calls[BY_US]);
    check(transfer_finish(transfer) == MPI_SUCCESS, "what is on its way");
    adapted_free(adapted);
}

int main(int argc, char **argv)
{
    struct context context;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    check(context_init(&context, MPI_COMM_WORLD), "no context");
    struct transfer transfer;
    check(transfer_init(&transfer, &context) == 0, "no memory");
    straight(&transfer);
    from_one_address(&transfer);
    too_long_to_gather(&transfer, 50, 0);
    too_long_to_gather(&transfer, 50, 1);
#ifndef OPEN_MPI /* 4.1 writes what is too long behind the buffer, if it is on the \
                    node */
    too_long_to_gather(&transfer, 1 << 15, 0);
#endif
    beyond_the_limit(&transfer);
    where_memory_is_short(&transfer);
    run_ahead(&transfer);
    by_either_way(&transfer, &adapted_gathers);
    context_free(&context);
    return check_finish();
}
