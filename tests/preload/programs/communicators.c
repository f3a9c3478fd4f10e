/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Communicators of every kind: their broadcasts are right, and those of one never match
 * those of another.
 */
#include "check.h"

static int rank, ranks;

static void bcasts(MPI_Comm comm)
{
    char buffer[3000];
    int size;
    MPI_Comm_size(comm, &size);
    unbalance(comm);
    for (int root = 0; root < size; root++)
        check_bcast(buffer, sizeof buffer, root, comm, (uint32_t)root);
}

static void copies(void)
{
    MPI_Comm dup, dup_of_dup, split, created, cart;
    MPI_Group group;
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    bcasts(dup);
    MPI_Comm_dup(dup, &dup_of_dup);
    MPI_Comm_free(&dup);
    bcasts(dup_of_dup);
    MPI_Comm_free(&dup_of_dup);

    MPI_Comm_split(MPI_COMM_WORLD, rank % 3, -rank, &split); /* ranks in reverse */
    bcasts(split);
    MPI_Comm_free(&split);

    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_create(MPI_COMM_WORLD, group, &created);
    bcasts(created);
    MPI_Group_free(&group);
    MPI_Comm_free(&created);

    MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){ranks}, (int[]){1}, 1, &cart);
    bcasts(cart);
    MPI_Comm_free(&cart);

    bcasts(MPI_COMM_SELF);
}

/* Ranks of one communicator take part in another one's broadcasts in between. */
static void interleaved(void)
{
    char buffer[200];
    MPI_Comm comms[3];
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comms[2]);
    for (uint32_t i = 0; i < 150; i++)
        check_bcast(buffer, sizeof buffer, 0, comms[i % 3], i);
    /* receives of the program with any source and tag see none of the library's */
    for (int i = 0; i < 30; i++) {
        int value = i, got = -1;
        MPI_Request request;
        MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comms[0], &request);
        check_bcast(buffer, sizeof buffer, i % ranks, comms[0], (uint32_t)i);
        MPI_Send(&value, 1, MPI_INT, (rank + 1) % ranks, 5, comms[0]);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        check(got == i, "a message of the program is wrong: %d", got);
    }
    for (int i = 0; i < 3; i++)
        MPI_Comm_free(&comms[i]);
}

static void intercommunicator(void)
{
    MPI_Comm half, inter;
    const int side = rank < ranks / 2 ? 0 : 1;
    MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, side == 0 ? ranks / 2 : 0, 1, &inter);
    int within;
    MPI_Comm_rank(half, &within);
    for (uint32_t i = 0; i < 60; i++) {
        char buffer[500];
        const int sending = (int)i % 2;
        if (side != sending || within == 0)
            message_fill(buffer, sizeof buffer, side == sending ? i : i + 1);
        const int root = side != sending ? 0 : within == 0 ? MPI_ROOT : MPI_PROC_NULL;
        MPI_Bcast(buffer, sizeof buffer, MPI_BYTE, root, inter);
        check(side == sending || message_is(buffer, sizeof buffer, i),
              "message %u to the other group is wrong", i);
    }
    MPI_Comm merged;
    MPI_Intercomm_merge(inter, side, &merged);
    bcasts(merged);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    bcasts(MPI_COMM_WORLD);
    copies();
    interleaved();
    if (ranks > 1)
        intercommunicator();
    return check_finish();
}
