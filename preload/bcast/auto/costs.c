/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures hop and gap inside a node and between nodes by ping-pong and bursts. */
#include "costs.h"

#include "preload/common/message.h"
#include "preload/common/oversubscription.h"

#include <pthread.h>

enum { REPEAT = 2, BURST = 4 };
static const size_t small_message = 8, large_message = COSTS_MEMORY / BURST;

/* Between one pair of ranks: ns of an empty and of a large message. */
struct pings {
    int64_t hop[2], gap[2];
};

/* A round trip, half of which is a hop. */
static int ping(const struct context *context, int partner, bool first, char *buffer,
                int bytes)
{
    const int peer = partner;
    int status = MPI_SUCCESS;
    if (first)
        status = PMPI_Send(buffer, bytes, MPI_BYTE, peer, TAG_PING, context->comm);
    if (status == MPI_SUCCESS)
        status = PMPI_Recv(buffer, bytes, MPI_BYTE, peer, TAG_PING, context->comm,
                           MPI_STATUS_IGNORE);
    if (status == MPI_SUCCESS && !first)
        status = PMPI_Send(buffer, bytes, MPI_BYTE, peer, TAG_PING, context->comm);
    return status;
}

/* Several messages at once, and one reply when all have come. */
static int burst(const struct context *context, int partner, bool first, char *buffer,
                 int bytes)
{
    MPI_Request requests[BURST];
    for (int i = 0; i < BURST; i++) {
        char *const message = buffer + (size_t)i * (size_t)bytes;
        const int status = first ? PMPI_Isend(message, bytes, MPI_BYTE, partner,
                                              TAG_PING, context->comm, &requests[i])
                                 : PMPI_Irecv(message, bytes, MPI_BYTE, partner,
                                              TAG_PING, context->comm, &requests[i]);
        if (status != MPI_SUCCESS)
            return status;
    }
    for (int i = 0; i < BURST; i++) {
        const int status = PMPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        if (status != MPI_SUCCESS)
            return status;
    }
    return first ? PMPI_Recv(buffer, 1, MPI_BYTE, partner, TAG_PING, context->comm,
                             MPI_STATUS_IGNORE)
                 : PMPI_Send(buffer, 1, MPI_BYTE, partner, TAG_PING, context->comm);
}

/* The shortest of a few: disturbances only slow messages down. */
static int time_pair(const struct context *context, int partner, char *buffer,
                     struct pings *pings)
{
    const bool first = context->rank < partner;
    for (int size = 0; size < 2; size++) {
        const int bytes = (int)(size ? large_message : small_message);
        int64_t round_trip = INT64_MAX, several = INT64_MAX;
        for (int i = 0; i < REPEAT; i++) {
            const int64_t start = now();
            int status = ping(context, partner, first, buffer, bytes);
            const int64_t between = now();
            if (status == MPI_SUCCESS)
                status = burst(context, partner, first, buffer, bytes);
            if (status != MPI_SUCCESS)
                return status;
            const int64_t end = now();
            if (between - start < round_trip)
                round_trip = between - start;
            if (end - between < several)
                several = end - between;
        }
        const int64_t hop = round_trip / 2;
        const int64_t back = size ? pings->hop[0] : hop;
        const int64_t gap = (several - hop - back) / (BURST - 1);
        pings->hop[size] = hop;
        pings->gap[size] = gap < 0 ? 0 : gap > hop ? hop : gap;
    }
    return MPI_SUCCESS;
}

static bool any_node_is_shared(const struct context *context)
{
    for (int rank = 0; rank < context->size; rank++)
        if (context->node[rank] != rank)
            return true;
    return false;
}

static bool any_is_far(const struct context *context)
{
    for (int rank = 0; rank < context->size; rank++)
        if (context->node[rank] != context->node[0])
            return true;
    return false;
}

/* Two ways to pair all ranks: with a distant one, and with the neighbour. */
static int partner_of(const struct context *context, int pairing)
{
    const int half = context->size / 2, rank = context->rank;
    int partner;
    if (pairing)
        partner = rank ^ 1;
    else
        partner = rank < half ? rank + half : rank < 2 * half ? rank - half : -1;
    return partner < context->size ? partner : -1;
}

static struct line line_through(int64_t empty, int64_t large)
{
    const int64_t more = large > empty ? large - empty : 0;
    return (struct line){empty, more * (int64_t)((1 << 20) / large_message)};
}

/* Sums over pairs of ranks, or means. */
struct tally {
    int64_t hop[2], gap[2], pairs;
};

/* The ranks' measurements, added up. */
struct sums {
    struct tally far, near;
    int64_t oversubscribed; /* ranks on oversubscribed nodes */
};

static void count_in(struct tally *tally, const struct pings *pings)
{
    for (int size = 0; size < 2; size++) {
        tally->hop[size] += pings->hop[size];
        tally->gap[size] += pings->gap[size];
    }
    tally->pairs++;
}

static struct costs costs_from(const struct tally *sum)
{
    const int64_t pairs = sum->pairs ? sum->pairs : 1;
    return (struct costs){.hop = line_through(sum->hop[0] / pairs, sum->hop[1] / pairs),
                          .gap =
                              line_through(sum->gap[0] / pairs, sum->gap[1] / pairs)};
}

static int find_out(struct sums *sums, const struct context *context, char *memory)
{
    const int pairings = any_node_is_shared(context) ? 2 : 1;
    for (int pairing = 0; pairing < pairings; pairing++) {
        const int partner = partner_of(context, pairing);
        if (partner < 0)
            continue;
        struct pings pings;
        const int status = time_pair(context, partner, memory, &pings);
        if (status != MPI_SUCCESS)
            return status;
        const bool near = context->node[partner] == context->node[context->rank];
        if (context->rank < partner)
            count_in(near ? &sums->near : &sums->far, &pings);
    }
    struct oversubscription node;
    const int status = oversubscription_find(&node, context->comm);
    sums->oversubscribed = status == MPI_SUCCESS && is_oversubscribed(&node);
    return status;
}

static int measure(struct sums *sums, const struct context *context, char *memory)
{
    const int status = find_out(sums, context, memory);
    if (status != MPI_SUCCESS)
        return status;
    return PMPI_Allreduce(MPI_IN_PLACE, sums, sizeof *sums / sizeof(int64_t),
                          MPI_INT64_T, MPI_SUM, context->comm);
}

/* This process's last measurement, which other communicators reuse. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sums known;

static struct sums recall(void)
{
    pthread_mutex_lock(&lock);
    const struct sums sums = known;
    pthread_mutex_unlock(&lock);
    return sums;
}

static void keep(const struct sums *sums)
{
    pthread_mutex_lock(&lock);
    known = *sums;
    pthread_mutex_unlock(&lock);
}

/* Whether the sums cover the kinds of pairs in this context. */
static bool tell_enough(const struct sums *sums, const struct context *context)
{
    const bool near = any_node_is_shared(context), far = any_is_far(context);
    return (sums->near.pairs || !near) && (sums->far.pairs || !far);
}

int costs_find(struct network *network, const struct context *context, void *memory)
{
    struct sums sums = recall();
    int status =
        PMPI_Bcast(&sums, sizeof sums / sizeof(int64_t), MPI_INT64_T, 0, context->comm);
    if (status == MPI_SUCCESS && !tell_enough(&sums, context)) {
        sums = (struct sums){.oversubscribed = 0};
        status = measure(&sums, context, memory);
    }
    if (status != MPI_SUCCESS)
        return status;
    keep(&sums);
    /* If one kind of pair does not occur, no broadcast needs its costs. */
    const struct tally *far = sums.far.pairs ? &sums.far : &sums.near;
    const struct tally *near = sums.near.pairs ? &sums.near : &sums.far;
    *network = (struct network){.size = context->size,
                                .node = context->node,
                                .far = costs_from(far),
                                .near = costs_from(near),
                                .oversubscribed = sums.oversubscribed > 0};
    return MPI_SUCCESS;
}
