/* SPDX-License-Identifier: BSD-3-Clause */
#include "turns.h"

#include "preload/wait/patient.h"
#include "requests.h"

#include <stdlib.h>

/* Below, what it takes to agree on a transfer outweighs what sharing the link does. */
enum { LONG = 128 << 10 };

struct turn {
    int child;
    bool ready, sent, done;
};

static bool leaves_node(const struct context *context, const struct tree *tree,
                        int child)
{
    return !tree->late[child] &&
           context->node[child] != context->node[tree->parent[child]];
}

static int count_leaving(const struct context *context, const struct tree *tree,
                         int parent)
{
    int n = 0;
    for (int child = tree->first[parent]; child >= 0; child = tree->next[child])
        n += leaves_node(context, tree, child);
    return n;
}

int turns_say_ready(const struct context *context, const struct tree *tree,
                    size_t bytes)
{
    const int parent = tree->parent[context->rank];
    if (bytes < LONG || !leaves_node(context, tree, context->rank) ||
        count_leaving(context, tree, parent) < 2)
        return MPI_SUCCESS;
    return patient_Send(NULL, 0, MPI_BYTE, parent, TAG_READY, context->comm);
}

bool turns_include(const struct turns *turns, const struct tree *tree, int child)
{
    return turns->n > 0 && leaves_node(turns->context, tree, child);
}

static int send_to(struct turns *turns, int i)
{
    const struct call *call = turns->call;
    int status =
        PMPI_Isend(call->buffer, (int)call->count, call->type, turns->turn[i].child,
                   TAG_DATA, turns->context->comm, &turns->requests[i]);
    if (status == MPI_SUCCESS) {
        turns->turn[i].sent = true;
        turns->in_flight++;
        turns->moving += turns->turn[i].ready;
    }
    return status;
}

/* The first that has not had its turn, of those that are ready or of all; n: none. */
static int find_next(const struct turns *turns, bool ready)
{
    int i = 0;
    while (i < turns->n && (turns->turn[i].sent || (ready && !turns->turn[i].ready)))
        i++;
    return i;
}

/* One is sent to if no other is known to be taking the message. */
static int give_turn(struct turns *turns)
{
    if (turns->moving > 0)
        return MPI_SUCCESS;
    int i = find_next(turns, true);
    if (i == turns->n && turns->in_flight == 0)
        i = find_next(turns, false);
    return i < turns->n ? send_to(turns, i) : MPI_SUCCESS;
}

static void note(struct turns *turns, int index)
{
    struct turn *turn = &turns->turn[index % turns->n];
    if (index < turns->n) {
        turn->done = true;
        turns->in_flight--;
        turns->moving -= turn->ready;
    } else {
        turn->ready = true;
        turns->moving += turn->sent && !turn->done;
    }
}

int turns_begin(struct turns *turns, const struct context *context,
                const struct call *call, const struct tree *tree)
{
    *turns = (struct turns){.context = context, .call = call};
    if (call->bytes < LONG)
        return MPI_SUCCESS;
    const int n = count_leaving(context, tree, context->rank);
    if (n < 2)
        return MPI_SUCCESS;
    turns->turn = calloc((size_t)n, sizeof *turns->turn);
    turns->requests = malloc(2 * (size_t)n * sizeof(MPI_Request));
    if (!turns->turn || !turns->requests)
        return MPI_ERR_NO_MEM;

    turns->n = n;
    for (int i = 0; i < 2 * n; i++)
        turns->requests[i] = MPI_REQUEST_NULL;
    int status = MPI_SUCCESS, i = 0;
    for (int child = tree->first[context->rank]; child >= 0 && status == MPI_SUCCESS;
         child = tree->next[child]) {
        if (!leaves_node(context, tree, child))
            continue;
        turns->turn[i].child = child;
        status = PMPI_Irecv(NULL, 0, MPI_BYTE, child, TAG_READY, context->comm,
                            &turns->requests[n + i++]);
    }
    return status == MPI_SUCCESS ? give_turn(turns) : status;
}

int turns_take(struct turns *turns)
{
    while (turns->n > 0) {
        int index = MPI_UNDEFINED;
        int status =
            patient_Waitany(2 * turns->n, turns->requests, &index, MPI_STATUS_IGNORE);
        if (status != MPI_SUCCESS || index == MPI_UNDEFINED)
            return status;
        note(turns, index);
        status = give_turn(turns);
        if (status != MPI_SUCCESS)
            return status;
    }
    return MPI_SUCCESS;
}

void turns_end(struct turns *turns)
{
    requests_abandon(turns->requests, turns->n);
    requests_cancel(turns->requests + turns->n, turns->n);
    free(turns->requests);
    free(turns->turn);
}
