/* SPDX-License-Identifier: BSD-3-Clause */
/* Scatters and gathers matrices by their partition. */
#include "agree.h"
#include "message.h"

#include "motley/pdgemm.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* The position of a block in the whole matrix. */
struct block_place {
    int row, column, rows, columns;
};
enum { PLACE_INTS = sizeof(struct block_place) / sizeof(int) };

/* A move of the root's matrix to the ranks' blocks, or back. */
struct move {
    const struct mt_pdgemm_part *part;
    double *values; /* of the root; read only when scattering */
    int leading;
    bool hand_out;
    int root, rank, ranks;
    MPI_Comm comm;              /* a duplicate */
    struct block_place *places; /* owned; of the blocks of all ranks, on the root */
    int *counts, *starts;       /* owned; counts and displacements for each rank, in
                                   ints */
    MPI_Request *requests;      /* owned */
    int nrequests;
};

static int check_move(const struct move *move, struct mt_error *err)
{
    const struct mt_pdgemm_part *part = move->part;
    if (part->values == NULL)
        return mt_fail(err, MT_EINVAL, "the part has no values");
    if (move->rank != move->root || part->rows == 0 || part->columns == 0)
        return MT_OK;
    if (move->values == NULL)
        return mt_fail(err, MT_EINVAL, "the root has no matrix");
    if (move->leading < part->rows)
        return mt_fail(
            err, MT_EINVAL,
            "the columns of the root's matrix are %d apart, but have %d rows",
            move->leading, part->rows);
    return MT_OK;
}

static int prepare_move(struct move *move, struct mt_error *err)
{
    move->counts = calloc((size_t)move->ranks, sizeof *move->counts);
    move->starts = calloc((size_t)move->ranks + 1, sizeof *move->starts);
    return move->counts == NULL || move->starts == NULL
               ? mt_fail(err, MT_ENOMEM, "no memory for %d ranks", move->ranks)
               : check_move(move, err);
}

static int agree_on_move(const struct move *move, int status, struct mt_error *err)
{
    const struct pdgemm_fact facts[] = {{"number of the root", move->root},
                                        {"rows of the matrix", move->part->rows},
                                        {"columns of the matrix", move->part->columns}};
    return pdgemm_agree(facts, sizeof facts / sizeof *facts, status, move->comm, err);
}

/* Tell the root the number of each rank's blocks. */
static int count_blocks(struct move *move, struct mt_error *err)
{
    int count = move->part->nblocks * PLACE_INTS;
    const int code = MPI_Gather(&count, 1, MPI_INT, move->counts, 1, MPI_INT,
                                move->root, move->comm);
    for (int i = 0; i < move->ranks; i++)
        move->starts[i + 1] = move->starts[i] + move->counts[i];
    return pdgemm_mpi(code, err);
}

static int make_places(struct move *move, struct mt_error *err)
{
    const int own = move->part->nblocks;
    const int all = move->starts[move->ranks] / PLACE_INTS; /* 0 but on the root */
    move->places = calloc((size_t)all + 1, sizeof *move->places);
    move->requests = calloc((size_t)(own + all) + 1, sizeof(MPI_Request));
    return move->places == NULL || move->requests == NULL
               ? mt_fail(err, MT_ENOMEM, "no memory for %d blocks", own + all)
               : MT_OK;
}

/* Tell the root the places of the blocks. */
static int find_places(struct move *move, struct mt_error *err)
{
    const int own = move->part->nblocks;
    struct block_place *places = calloc((size_t)own + 1, sizeof *places);
    int status = places == NULL
                     ? mt_fail(err, MT_ENOMEM, "no memory for %d blocks", own)
                     : make_places(move, err);
    status = agree_on_move(move, status, err);
    for (int i = 0; i < own && status == MT_OK; i++) {
        const struct mt_pdgemm_block *block = &move->part->blocks[i];
        places[i] = (struct block_place){block->row, block->column, block->rows,
                                         block->columns};
    }
    if (status == MT_OK)
        status = pdgemm_mpi(MPI_Gatherv(places, own * PLACE_INTS, MPI_INT, move->places,
                                        move->counts, move->starts, MPI_INT, move->root,
                                        move->comm),
                            err);
    free(places);
    return status;
}

static int post(struct move *move, bool send, const struct pdgemm_message *message)
{
    MPI_Request *request = &move->requests[move->nrequests];
    if (message->rows == 0 || message->columns == 0)
        return MPI_SUCCESS;
    move->nrequests++;
    return send ? pdgemm_send(message, move->comm, request)
                : pdgemm_receive(message, move->comm, request);
}

/* Begin the messages of the rank's blocks, from or to the root. */
static int post_own(struct move *move)
{
    int code = MPI_SUCCESS;
    for (int i = 0; i < move->part->nblocks && code == MPI_SUCCESS; i++) {
        const struct mt_pdgemm_block *block = &move->part->blocks[i];
        code = post(move, !move->hand_out,
                    &(struct pdgemm_message){block->values, block->rows, block->columns,
                                             block->leading, move->root, 0});
    }
    return code;
}

/* Begin the other ends of all these messages, on the root. */
static int post_root(struct move *move)
{
    int code = MPI_SUCCESS;
    for (int rank = 0; rank < move->ranks; rank++)
        for (int i = move->starts[rank] / PLACE_INTS;
             i < move->starts[rank + 1] / PLACE_INTS && code == MPI_SUCCESS; i++) {
            const struct block_place *place = &move->places[i];
            double *values = move->values + place->row +
                             (size_t)place->column * (size_t)move->leading;
            code = post(move, move->hand_out,
                        &(struct pdgemm_message){values, place->rows, place->columns,
                                                 move->leading, rank, 0});
        }
    return code;
}

static int pass_blocks(struct move *move, struct mt_error *err)
{
    int code = post_own(move);
    if (code == MPI_SUCCESS && move->rank == move->root)
        code = post_root(move);
    if (code == MPI_SUCCESS)
        code = pdgemm_wait(move->requests, move->nrequests);
    return pdgemm_mpi(code, err);
}

static int move_values(struct move *move, MPI_Comm comm, struct mt_error *err)
{
    struct mt_error words = {0}; /* so that others learn of it, even if the caller
                                    ignores it */
    const int code = MPI_Comm_dup(comm, &move->comm);
    if (code != MPI_SUCCESS)
        return pdgemm_mpi(code, err);
    MPI_Comm_rank(move->comm, &move->rank);
    MPI_Comm_size(move->comm, &move->ranks);

    int status = agree_on_move(move, prepare_move(move, &words), &words);
    if (status == MT_OK)
        status = count_blocks(move, &words);
    if (status == MT_OK)
        status = find_places(move, &words);
    if (status == MT_OK)
        status = pass_blocks(move, &words);
    free(move->counts);
    free(move->starts);
    free(move->places);
    free(move->requests);
    MPI_Comm_free(&move->comm);
    return status == MT_OK ? MT_OK : mt_fail(err, status, "%s", words.text);
}

int mt_pdgemm_scatter(struct mt_pdgemm_part *part, const double *values, int leading,
                      int root, MPI_Comm comm, struct mt_error *err)
{
    /* one pointer for both ways: MPI_Isend() only reads it */
    struct move move = {.part = part,
                        .values = (double *)(uintptr_t)values,
                        .leading = leading,
                        .hand_out = true,
                        .root = root};
    return move_values(&move, comm, err);
}

int mt_pdgemm_gather(const struct mt_pdgemm_part *part, double *values, int leading,
                     int root, MPI_Comm comm, struct mt_error *err)
{
    struct move move = {
        .part = part, .values = values, .leading = leading, .root = root};
    return move_values(&move, comm, err);
}
