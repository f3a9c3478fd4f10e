/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the calls of one collective: meets, picks our way or the MPI's, and times it. */
#include "adapted.h"

#include "order.h"
#include "preload/common/call.h"
#include "trial.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct adapted {
    const struct adapted_kind *kind;
    struct transfer *transfer;
    MPI_Comm comm; /* the program's */
    bool verbose;
    atomic_bool wanted_on; /* another thread may call MPI_Pcontrol */
    struct trial trial;
    int64_t met, spent;           /* ns: when the ranks last met, and for how long */
    struct trial_report *reports; /* owned; [size] */
    int64_t *arrival;             /* owned; [size] ns after the first */
    struct ordering ordering;     /* for making the tree */
    struct tree tree;
    int root; /* of the tree; -1: it is to be made */
};

struct adapted *adapted_new(const struct adapted_kind *kind, struct transfer *transfer,
                            MPI_Comm comm, bool verbose)
{
    const size_t size = (size_t)transfer->context->size;
    struct adapted *adapted = calloc(1, sizeof *adapted);
    bool complete = false;
    if (adapted) {
        *adapted = (struct adapted){.kind = kind,
                                    .transfer = transfer,
                                    .comm = comm,
                                    .verbose = verbose,
                                    .wanted_on = true,
                                    .met = now(),
                                    .reports = calloc(size, sizeof *adapted->reports),
                                    .arrival = calloc(size, sizeof *adapted->arrival),
                                    .root = -1};
        complete = adapted->reports && adapted->arrival &&
                   ordering_init(&adapted->ordering, transfer->context->size) == 0 &&
                   tree_init(&adapted->tree, transfer->context->size) == 0;
    }
    if (!context_agrees(transfer->context, complete)) {
        adapted_free(adapted);
        return NULL;
    }
    return adapted;
}

void adapted_free(struct adapted *adapted)
{
    if (!adapted)
        return;
    tree_free(&adapted->tree);
    ordering_free(&adapted->ordering);
    free(adapted->arrival);
    free(adapted->reports);
    free(adapted);
}

void adapted_turn(struct adapted *adapted, bool on)
{
    if (adapted)
        adapted->wanted_on = on;
}

/* Who waited least came last. Each meeting counts as much as all those before it. */
static void note_arrivals(struct adapted *adapted)
{
    const int size = adapted->transfer->context->size;
    int64_t longest = 0;
    for (int rank = 0; rank < size; rank++)
        if (adapted->reports[rank].waited > longest)
            longest = adapted->reports[rank].waited;
    for (int rank = 0; rank < size; rank++) {
        const int64_t arrival = longest - adapted->reports[rank].waited;
        adapted->arrival[rank] = (adapted->arrival[rank] + arrival) / 2;
    }
}

static void say(const struct adapted *adapted, int message_class)
{
    const struct adapted_kind *kind = adapted->kind;
    const struct trial_class *class = &adapted->trial.classes[message_class];
    fprintf(stderr,
            "motley-balance: %s of up to %zu bytes: %s; ours take %.1f us, the MPI's "
            "%.1f us\n",
            kind->name, TRIAL_LEAST_BYTES << message_class,
            class->way == BY_US ? kind->way : "the MPI's",
            (double)class->mean[BY_US].mean / 1e3,
            (double)class->mean[BY_MPI].mean / 1e3);
}

/* All ranks come together and tell what they saw. */
static int meet(struct adapted *adapted)
{
    const struct context *context = adapted->transfer->context;
    struct trial *trial = &adapted->trial;
    const int compared = trial->compared;
    const int64_t entered = now();
    struct trial_report report = trial_report(trial);
    int status = PMPI_Barrier(context->comm);
    report.waited = now() - entered;
    report.spent = adapted->spent;
    report.since_last = entered - adapted->met;
    report.on = adapted->wanted_on;
    if (status == MPI_SUCCESS)
        status = PMPI_Allgather(&report, (int)sizeof report, MPI_BYTE, adapted->reports,
                                (int)sizeof report, MPI_BYTE, context->comm);
    if (status != MPI_SUCCESS)
        return status;
    note_arrivals(adapted);
    trial_next(trial, adapted->reports, context->size);
    adapted->root = -1;
    if (adapted->verbose && context->rank == 0 && compared)
        say(adapted, compared - 1);
    adapted->met = now();
    adapted->spent = adapted->met - entered;
    return MPI_SUCCESS;
}

struct transfer *adapted_transfer(struct adapted *adapted)
{
    return adapted->transfer;
}

const struct tree *adapted_tree(struct adapted *adapted, int root)
{
    if (adapted->root != root)
        reduce_tree(&adapted->tree, root, adapted->arrival, &adapted->ordering);
    adapted->root = root;
    return &adapted->tree;
}

/* Nothing of ours is under way here: the program's handler may never return. */
static int fail(const struct adapted *adapted, int status)
{
    PMPI_Comm_call_errhandler(adapted->comm, status);
    return status;
}

static int carry(struct adapted *adapted, const void *call, enum way way)
{
    if (way == BY_MPI)
        return adapted->kind->by_mpi(call, adapted->comm);
    const int status = adapted->kind->by_us(adapted, call);
    return status == MPI_SUCCESS ? status : fail(adapted, status);
}

int adapted_carry(struct adapted *adapted, const void *call, size_t bytes)
{
    struct trial *trial = &adapted->trial;
    const int message_class = trial_class(bytes);
    transfer_progress(adapted->transfer);
    if (trial_meets(trial)) {
        const int status = meet(adapted);
        if (status != MPI_SUCCESS)
            return fail(adapted, status);
    }
    const enum way way = trial_take(trial, message_class);
    if (!trial_needs_time(trial, message_class, way))
        return carry(adapted, call, way);
    const int64_t entered = now();
    const int status = carry(adapted, call, way);
    trial_learn(trial, way, now() - entered);
    return status;
}
