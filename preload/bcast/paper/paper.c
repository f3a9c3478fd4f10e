/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast=paper, paper-2: the algorithm of Soga et al. (2008) as it stands: a binomial
 * tree over virtual ranks, in which the optimiser (rank 0) swaps one pair a round.
 */
#include "preload/common/method.h"

#include "optimise.h"
#include "preload/bcast/tree/tree.h"
#include "preload/common/message.h"
#include "preload/common/options.h"
#include "preload/tuning.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * How the optimiser learns the values of the other ranks: by one-sided puts, in
 * communicators of all ranks and if puts arrive without a blocking call; otherwise by
 * messages. No rank waits for a value: a late one is used in a later round.
 */
enum { PAPER_OPTIMISER = 0 }; /* its rank */

struct paper_waits {
    const struct context *context; /* borrowed */
    int64_t *heard; /* owned, by the optimiser: [size] each rank's latest value */
    MPI_Win window; /* MPI_WIN_NULL: values travel as messages */
    volatile int64_t *memory; /* the window's, at the optimiser: [size] */
    int64_t sending;          /* the value that `request` carries */
    MPI_Request request;
};

enum {
    FAREWELL = -1, /* the last message of a rank: waits are not negative */
    MARK = 1,      /* put to see whether puts arrive */
};

static bool is_optimiser(const struct context *context)
{
    return context->rank == PAPER_OPTIMISER;
}

/* Puts stay in one epoch for life, are never flushed, and only tested: in some MPIs,
   unlocking or flushing waits until the optimiser calls the MPI again. */
static int start_sending(struct paper_waits *waits, int64_t value)
{
    waits->sending = value;
    if (waits->window != MPI_WIN_NULL)
        return PMPI_Rput(&waits->sending, 1, MPI_INT64_T, PAPER_OPTIMISER,
                         waits->context->rank, 1, MPI_INT64_T, waits->window,
                         &waits->request);
    return PMPI_Isend(&waits->sending, 1, MPI_INT64_T, PAPER_OPTIMISER, TAG_PAPER,
                      waits->context->comm, &waits->request);
}

static bool open_window(struct paper_waits *waits)
{
    const int places = is_optimiser(waits->context) ? waits->context->size : 0;
    void *memory = NULL;
    if (PMPI_Win_allocate(places * (MPI_Aint)sizeof *waits->memory,
                          sizeof *waits->memory, MPI_INFO_NULL, waits->context->comm,
                          &memory, &waits->window) != MPI_SUCCESS)
        return false;
    waits->memory = memory;
    for (int rank = 0; rank < places; rank++)
        waits->memory[rank] = 0;
    return PMPI_Win_set_errhandler(waits->window, MPI_ERRORS_RETURN) == MPI_SUCCESS &&
           PMPI_Win_lock_all(MPI_MODE_NOCHECK, waits->window) == MPI_SUCCESS;
}

static void close_window(struct paper_waits *waits)
{
    PMPI_Wait(&waits->request, MPI_STATUS_IGNORE);
    PMPI_Win_unlock_all(waits->window);
    PMPI_Win_free(&waits->window);
    waits->window = MPI_WIN_NULL;
    waits->memory = NULL;
}

/* Whether, at the optimiser, the marks of all others have arrived; clears them. */
static bool marks_arrive(struct paper_waits *waits)
{
    const int64_t deadline = now() + mark_timeout;
    int marks;
    do {
        marks = 0;
        for (int rank = 0; rank < waits->context->size; rank++)
            marks += waits->memory[rank] == MARK;
        int unused; /* called only for progress */
        PMPI_Iprobe(MPI_ANY_SOURCE, TAG_PAPER, waits->context->comm, &unused,
                    MPI_STATUS_IGNORE);
    } while (marks < waits->context->size - 1 && now() < deadline);
    for (int rank = 0; rank < waits->context->size; rank++)
        waits->memory[rank] = 0;
    return marks == waits->context->size - 1;
}

/* Some MPIs hold a put until it is flushed: puts are used only if they are seen to
   arrive without a flush. */
static bool puts_arrive(struct paper_waits *waits)
{
    const bool put =
        is_optimiser(waits->context) || start_sending(waits, MARK) == MPI_SUCCESS;
    if (!context_agrees(waits->context, put))
        return false;
    return context_agrees(waits->context,
                          !is_optimiser(waits->context) || marks_arrive(waits));
}

/* False: memory is short on this rank. */
static bool paper_waits_init(struct paper_waits *waits, const struct context *context)
{
    *waits = (struct paper_waits){
        .context = context,
        .window = MPI_WIN_NULL,
        .request = MPI_REQUEST_NULL,
    };
    if (!is_optimiser(waits->context))
        return true;
    waits->heard = calloc((size_t)context->size, sizeof *waits->heard);
    return waits->heard != NULL;
}

/* Open MPI's window over point-to-point messages does not support several threads; its
   window in shared memory uses a file named by the communicator's number, which
   disjoint communicators can share. Both print an error and fail. */
static bool may_have_window(const struct context *context)
{
    int threads = MPI_THREAD_MULTIPLE, ranks = 0;
    PMPI_Query_thread(&threads);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return threads != MPI_THREAD_MULTIPLE && context->size == ranks;
}

/* Collective, as is closing. */
static void paper_waits_open(struct paper_waits *waits)
{
    if (!context_agrees(waits->context, may_have_window(waits->context)))
        return; /* ranks may have different thread levels */
    const bool opened = open_window(waits);
    if (!context_agrees(waits->context, opened)) {
        /* Freeing is collective: it would hang with a window on some ranks only. */
        waits->window = MPI_WIN_NULL;
        return;
    }
    if (!puts_arrive(waits))
        close_window(waits);
}

/* Send a value to the optimiser; false: the one before is still on its way. */
static bool paper_waits_send(struct paper_waits *waits, int64_t value)
{
    if (is_optimiser(waits->context)) {
        waits->heard[PAPER_OPTIMISER] = value;
        return true;
    }
    int ready = 1;
    if (waits->request != MPI_REQUEST_NULL &&
        PMPI_Test(&waits->request, &ready, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        return false;
    if (!ready)
        return false;
    return start_sending(waits, value) == MPI_SUCCESS;
}

static void hear_messages(struct paper_waits *waits)
{
    const MPI_Comm comm = waits->context->comm;
    int there = 0;
    MPI_Status from;
    while (PMPI_Iprobe(MPI_ANY_SOURCE, TAG_PAPER, comm, &there, &from) == MPI_SUCCESS &&
           there)
        if (PMPI_Recv(&waits->heard[from.MPI_SOURCE], 1, MPI_INT64_T, from.MPI_SOURCE,
                      TAG_PAPER, comm, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return;
}

/* The optimiser's [size] latest values, 0 for ranks that have not sent any. */
static const int64_t *paper_waits_latest(struct paper_waits *waits)
{
    if (waits->window == MPI_WIN_NULL)
        hear_messages(waits);
    for (int rank = 0; waits->memory && rank < waits->context->size; rank++)
        if (rank != PAPER_OPTIMISER)
            waits->heard[rank] = waits->memory[rank];
    return waits->heard;
}

/* No message may be left when the communicator is freed. */
static void take_leave(struct paper_waits *waits)
{
    if (!is_optimiser(waits->context)) {
        PMPI_Wait(&waits->request, MPI_STATUS_IGNORE);
        start_sending(waits, FAREWELL);
        PMPI_Wait(&waits->request, MPI_STATUS_IGNORE);
        return;
    }
    int64_t value = 0;
    int left = 0, status = MPI_SUCCESS;
    while (left < waits->context->size - 1 && status == MPI_SUCCESS) {
        status = PMPI_Recv(&value, 1, MPI_INT64_T, MPI_ANY_SOURCE, TAG_PAPER,
                           waits->context->comm, MPI_STATUS_IGNORE);
        left += value == FAREWELL;
    }
}

struct paper {
    struct method method;          /* first: the part that others see */
    const struct context *context; /* borrowed */
    bool verbose, sparse;
    int *place;       /* owned; [size] virtual rank of each rank */
    int *order;       /* owned; [size] for making the tree */
    struct tree tree; /* for `tree_root`, with the present places */
    int tree_root;    /* -1 if none */
    int interval;     /* broadcasts between those that end with a round */
    int calls;        /* since the last of these */
    bool started;     /* the first broadcast is over */
    int status;       /* of the last round: the next call reports a failure */
    struct paper_waits waits;
    int64_t waited[3];                /* this rank's last waits */
    unsigned profiled;                /* how many there have been */
    int64_t value;                    /* of them, smoothed */
    int64_t sent;                     /* the value that the optimiser knows */
    struct paper_optimiser optimiser; /* on its rank only */
};

static void release(struct paper *paper)
{
    if (!paper)
        return;
    tree_free(&paper->tree);
    free(paper->waits.heard);
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
    paper->sparse = settings()->bcast == BCAST_PAPER_2;
    paper->interval = paper->sparse ? PAPER_SPARSE_INTERVAL : 1;
    paper->status = MPI_SUCCESS;
    paper->place = malloc((size_t)context->size * sizeof *paper->place);
    paper->order = malloc((size_t)context->size * sizeof *paper->order);
    const bool fine =
        paper->place && paper->order && tree_init(&paper->tree, context->size) == 0 &&
        paper_waits_init(&paper->waits, context) &&
        (!is_optimiser(paper->context) ||
         paper_optimiser_init(&paper->optimiser, context->size, paper->sparse));
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
    if (paper->waits.window != MPI_WIN_NULL)
        close_window(&paper->waits);
    else
        take_leave(&paper->waits);
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

/* Send the round from the optimiser to all, along the tree in use so far. */
static int hand_down(struct paper *paper, struct paper_round *round)
{
    int status = MPI_SUCCESS;
    const struct tree *tree = shape(paper, PAPER_OPTIMISER);
    const struct context *context = paper->context;
    int message[3] = {round->interval, round->swap[0], round->swap[1]};
    if (!is_optimiser(paper->context))
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

/* A round: the optimiser decides, and all follow. */
static int reconfigure(struct paper *paper, int root)
{
    struct paper_round round = {0};
    if (is_optimiser(paper->context))
        round = paper_optimise(&paper->optimiser, paper_waits_latest(&paper->waits),
                               paper->place, root);
    const int status = hand_down(paper, &round);
    if (status != MPI_SUCCESS)
        return status;
    if (round.swap[0] != round.swap[1]) {
        if (is_optimiser(paper->context) && paper->verbose)
            fprintf(stderr, "motley-balance: ranks %d and %d change places\n",
                    round.swap[0], round.swap[1]);
        change_places(paper, round.swap[0], round.swap[1]);
    }
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
    paper->waited[paper->profiled % 3] = waited;
    const int64_t steady =
        paper->sparse && paper->profiled > 1 ? paper_steady(paper->waited) : -1;
    paper->value = steady >= 0       ? steady
                   : paper->profiled ? paper_smooth(paper->value, waited)
                                     : waited;
    paper->profiled++;
    /* A value that cannot be sent now will be sent next time. */
    if (paper_worth_sending(paper->sent, paper->value) &&
        paper_waits_send(&paper->waits, paper->value))
        paper->sent = paper->value;
}

/* Collective at the end of a round, where all receive the optimiser's decision; a
   failure becomes the status of the next route(). */
static void learn(struct method *method, const struct bcast_call *call,
                  const struct bcast_timing *timing)
{
    struct paper *paper = (struct paper *)method;
    if (paper->status != MPI_SUCCESS)
        return;
    if (!paper->started) {
        /* Setting up has just synchronised all ranks: none is late. */
        paper->started = true;
        return;
    }
    if (call->root != paper->context->rank) /* which receives nothing */
        profile(paper, timing->waited);
    /* A round follows the message: before it, the round would absorb the wait for a
       late rank, which would not be seen. */
    if (paper->calls++ == paper->interval)
        paper->status = reconfigure(paper, call->root);
}

const struct method_kind method_paper = {
    .create = create,
    .finish = finish,
    .route = route,
    .learn = learn,
};
