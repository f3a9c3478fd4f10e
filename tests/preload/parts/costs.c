/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The measured cost of messages agrees with the network. The simulated ranks share a
 * clock, so a message's true time is known: from before the send until the receive has
 * ended.
 */
#include "preload/bcast/auto/costs.h"
#include "preload/common/message.h"
#include "tests/preload/programs/check.h"

#include <stdlib.h>
#include <unistd.h>

static int rank, ranks;

/* ns of a message of that many bytes from rank 0 to the rank at half the number of
   ranks. */
static int64_t one_way(int bytes)
{
    static char message[COSTS_MEMORY];
    const int partner = ranks / 2;
    int64_t sent = 0, took = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        usleep(1000); /* the receiver is there */
        sent = now();
        MPI_Send(message, bytes, MPI_BYTE, partner, 1, MPI_COMM_WORLD);
    } else if (rank == partner) {
        MPI_Recv(message, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        took = now();
    }
    MPI_Allreduce(MPI_IN_PLACE, &sent, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    return took - sent;
}

static void check_near(int64_t measured, int64_t right, const char *what)
{
    check(llabs(measured - right) <= right / 20, "%s: %lld ns measured, %lld ns taken",
          what, (long long)measured, (long long)right);
}

int main(int argc, char **argv)
{
    enum { LARGE = COSTS_MEMORY / 4 };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    struct context context;
    struct network network;
    char *memory = malloc(COSTS_MEMORY);
    check(context_init(&context, MPI_COMM_WORLD), "no context");
    check(costs_find(&network, &context, memory) == MPI_SUCCESS, "no costs");

    check(network.size == ranks && !network.oversubscribed, "what the network is");
    check_near(network.far.hop.base, one_way(8), "a short message");
    check_near(line_at(&network.far.hop, LARGE), one_way(LARGE), "a long message");
    check(network.far.gap.base <= network.far.hop.base &&
              line_at(&network.far.gap, LARGE) <= line_at(&network.far.hop, LARGE),
          "a sender is free again at the latest when its message has come");

    int64_t least = network.far.hop.base, most = least;
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    check(least == most, "all ranks have the same costs");

    /* Measured once; another communicator reuses it. */
    MPI_Comm odd;
    struct context part;
    struct network inherited;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &odd);
    context_init(&part, odd);
    const int64_t start = now();
    check(costs_find(&inherited, &part, memory) == MPI_SUCCESS, "no costs");
    check(now() - start < 4 * one_way(LARGE), "measured again");
    check(inherited.far.hop.base == network.far.hop.base &&
              inherited.far.hop.per_mib == network.far.hop.per_mib,
          "the costs are those of the first communicator");
    context_free(&part);
    MPI_Comm_free(&odd);
    free(memory);
    context_free(&context);
    return check_finish();
}
