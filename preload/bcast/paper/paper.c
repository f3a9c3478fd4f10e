/* SPDX-License-Identifier: BSD-3-Clause */
#include "paper.h"

#include "optimise.h"
#include "preload/bcast/tree/tree.h"
#include "waits.h"

#include <stdio.h>
#include <stdlib.h>

struct paper {
    struct method method;          /* first: what others see of it */
    const struct context *context; /* borrowed */
    bool verbose;
    int *place;       /* owned; [size] virtual rank of each rank */
    int *order;       /* owned; [size] for making the tree */
    struct tree tree; /* for `tree_root`, with the present places */
    int tree_root;    /* -1: there is none */
    int interval;     /* broadcasts between those that end with a round */
    int calls;        /* since the last of these */
    bool started;     /* the first broadcast is over */
    int status;       /* of the last round: a failure is for the next call to tell */
    struct paper_waits waits;
    int64_t value;                    /* this rank's wait, smoothed; -1: none yet */
    int64_t sent;                     /* the value that the optimiser knows */
    struct paper_optimiser optimiser; /* on its rank only */
};

static bool is_optimiser(const struct paper *paper)
{
    return paper->context->rank == PAPER_OPTIMISER;
}

static void release(struct paper *paper)
{
    if (!paper)
        return;
    tree_free(&paper->tree);
    paper_waits_free(&paper->waits);
    paper_optimiser_free(&paper->optimiser);
    free(paper->place);
    free(paper->order);
    free(paper);
}

/* NULL: memory is short on this rank. */
static struct paper *allocate(const struct context *context)
{
    struct paper *paper = calloc(1, sizeof *paper);
    if (!paper)
        return NULL;
    paper->method.kind = &method_paper;
    paper->context = context;
    paper->tree_root = -1;
    paper->interval = 1;
    paper->status = MPI_SUCCESS;
    paper->value = -1;
    paper->place = malloc((size_t)context->size * sizeof *paper->place);
    paper->order = malloc((size_t)context->size * sizeof *paper->order);
    const bool fine = paper->place && paper->order &&
                      tree_init(&paper->tree, context->size) == 0 &&
                      paper_waits_init(&paper->waits, context) &&
                      (!is_optimiser(paper) ||
                       paper_optimiser_init(&paper->optimiser, context->size));
    if (!fine) {
        release(paper);
        return NULL;
    }
    for (int rank = 0; rank < context->size; rank++)
        paper->place[rank] = rank;
    return paper;
}

static struct method *create(const struct context *context, bool verbose)
{
    struct paper *paper = allocate(context);
    if (!context_agrees(context, paper)) {
        release(paper);
        return NULL;
    }
    paper_waits_open(&paper->waits);
    paper->verbose = verbose;
    return &paper->method;
}

static void finish(struct method *method)
{
    struct paper *paper = (struct paper *)method;
    paper_waits_close(&paper->waits);
    release(paper);
}

/* The tree of that root. */
static const struct tree *shape(struct paper *paper, int root)
{
    if (paper->tree_root != root)
        tree_binomial(&paper->tree, root, paper->place, paper->order);
    paper->tree_root = root;
    return &paper->tree;
}

/* From the optimiser to all, along the tree that has been in use until now. */
static int hand_down(struct paper *paper, struct paper_round *round)
{
    int status = MPI_SUCCESS;
    const struct tree *tree = shape(paper, PAPER_OPTIMISER);
    const struct context *context = paper->context;
    int message[3] = {round->interval, round->swap[0], round->swap[1]};
    if (!is_optimiser(paper))
        status = PMPI_Recv(message, 3, MPI_INT, tree->parent[context->rank], TAG_PAPER,
                           context->comm, MPI_STATUS_IGNORE);
    for (int child = tree->first[context->rank]; child >= 0 && status == MPI_SUCCESS;
         child = tree->next[child])
        status = PMPI_Send(message, 3, MPI_INT, child, TAG_PAPER, context->comm);
    *round = (struct paper_round){
        .interval = message[0],
        .swap = {message[1], message[2]},
    };
    return status;
}

static void change_places(struct paper *paper, int a, int b)
{
    const int place = paper->place[a];
    paper->place[a] = paper->place[b];
    paper->place[b] = place;
    paper->tree_root = -1;
}

static void tell(const struct paper_round *round)
{
    if (round->swap[0] != round->swap[1])
        fprintf(stderr, "motley-balance: ranks %d and %d change places\n",
                round->swap[0], round->swap[1]);
}

/* A round: the optimiser decides, and all follow. */
static int reconfigure(struct paper *paper, int root)
{
    struct paper_round round = {0};
    if (is_optimiser(paper))
        round = paper_optimise(&paper->optimiser, paper_waits_latest(&paper->waits),
                               paper->place, root);
    const int status = hand_down(paper, &round);
    if (status != MPI_SUCCESS)
        return status;
    if (is_optimiser(paper) && paper->verbose)
        tell(&round);
    if (round.swap[0] != round.swap[1])
        change_places(paper, round.swap[0], round.swap[1]);
    paper->interval = round.interval;
    paper->calls = 0;
    return MPI_SUCCESS;
}

static const struct tree *route(struct method *method, const struct bcast_call *call,
                                int *status)
{
    struct paper *paper = (struct paper *)method;
    *status = paper->status;
    return *status == MPI_SUCCESS ? shape(paper, call->root) : NULL;
}

static void profile(struct paper *paper, int64_t waited)
{
    paper->value = paper->value < 0 ? waited : paper_smooth(paper->value, waited);
    /* A value that cannot be sent now is worth sending the next time, too. */
    if (paper_worth_sending(paper->sent, paper->value) &&
        paper_waits_send(&paper->waits, paper->value))
        paper->sent = paper->value;
}

/* Collective at the end of a round, where all hear what the optimiser has decided; what
   fails there is the status of the next route(). */
static void learn(struct method *method, const struct bcast_call *call,
                  const struct bcast_timing *timing)
{
    struct paper *paper = (struct paper *)method;
    if (paper->status != MPI_SUCCESS)
        return;
    if (!paper->started) {
        /* Setting up has just brought all ranks together: nobody is late. */
        paper->started = true;
        return;
    }
    if (call->root != paper->context->rank) /* which receives nothing */
        profile(paper, timing->waited);
    /* A round comes behind the message: ahead of it, the wait for a late rank would be
       spent on the round, and not be seen. */
    if (paper->calls++ == paper->interval)
        paper->status = reconfigure(paper, call->root);
}

const struct method_kind method_paper = {
    .create = create,
    .finish = finish,
    .route = route,
    .learn = learn,
};
