/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast=auto: chooses the tree of a broadcast, or leaves it to the MPI.
 *
 * The broadcasts of a communicator are divided into intervals. The root of the first
 * call of an interval is its leader. During the interval the other ranks send the
 * leader reports of how long they waited; at its end the leader makes a plan from them,
 * and broadcasts it along the last tree. All ranks agree on the tree of every call,
 * because it depends only on the plan and the number of the call.
 */
#include "preload/common/method.h"

#include "costs.h"
#include "plan.h"
#include "preload/bcast/tree/search.h"
#include "reports.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A tree of ours, kept until the plan changes; its memory stays. */
struct kept {
    struct tree tree;
    int root; /* of the current tree */
    bool built;
};

struct adapt {
    struct method method; /* first: the part that others see */
    const struct context *context;
    struct network network;
    bool verbose, own;     /* own: this call takes one of our trees */
    atomic_bool wanted_on; /* another thread may call MPI_Pcontrol */
    int leader, class;
    int64_t calls, opened, next_plan, next_report; /* calls, from 0 */
    struct plan plan;
    struct planner planner;
    int64_t *ready; /* [size] */
    struct kept kept[PLAN_CLASSES];
    int32_t version; /* of the plan behind the trees */
    struct reports reports;
    char *buffer;       /* of a plan with its arrivals */
    MPI_Request *sends; /* [size] for sending it to the children */
    int sending;
    int64_t saved;
};

/*
 * A plan as the leader sends it: the part for all messages; the one class that it
 * changed, as all ranks know the others already; and the arrivals, if new.
 */
enum {
    PLAN_HEAD = offsetof(struct plan, classes),
    PLAN_BYTES = PLAN_HEAD + sizeof(struct plan_class),
};

static size_t arrival_bytes(const struct adapt *adapt)
{
    return (size_t)adapt->context->size * sizeof *adapt->ready;
}

/* The bytes that it takes. */
static int write_plan(const struct adapt *adapt, bool arrivals)
{
    memcpy(adapt->buffer, &adapt->plan, PLAN_HEAD);
    memcpy(adapt->buffer + PLAN_HEAD, &adapt->plan.classes[adapt->class],
           sizeof(struct plan_class));
    if (arrivals)
        memcpy(adapt->buffer + PLAN_BYTES, adapt->ready, arrival_bytes(adapt));
    return PLAN_BYTES + (arrivals ? (int)arrival_bytes(adapt) : 0);
}

static void read_plan(struct adapt *adapt, int bytes)
{
    memcpy(&adapt->plan, adapt->buffer, PLAN_HEAD);
    memcpy(&adapt->plan.classes[adapt->class], adapt->buffer + PLAN_HEAD,
           sizeof(struct plan_class));
    if (bytes > PLAN_BYTES)
        memcpy(adapt->ready, adapt->buffer + PLAN_BYTES, arrival_bytes(adapt));
}

static void forget_trees(struct adapt *adapt)
{
    for (int class = 0; class < PLAN_CLASSES; class ++)
        adapt->kept[class].built = false;
}

/* The tree of a class, with `root` at its root. */
static const struct tree *tree_of(struct adapt *adapt, int class, int root)
{
    struct kept *kept = &adapt->kept[class];
    if (!kept->built) {
        tree_best(&kept->tree, &adapt->planner.search, adapt->leader,
                  plan_class_bytes(class), adapt->ready);
        if (plan_waits_for_late(&adapt->plan, class))
            memset(kept->tree.late, 0, (size_t)adapt->context->size * sizeof(bool));
        kept->built = true;
        kept->root = adapt->leader;
    }
    if (kept->root != root) {
        tree_swap(&kept->tree, kept->root, adapt->leader);
        tree_swap(&kept->tree, adapt->leader, root);
        kept->root = root;
    }
    return &kept->tree;
}

static void say(const struct adapt *adapt)
{
    const struct plan *plan = &adapt->plan;
    const struct plan_class *class = &plan->classes[adapt->class];
    static const char *const names[] = {[PLAN_TRY_NATIVE] = "trying the MPI's",
                                        [PLAN_NATIVE] = "the MPI's",
                                        [PLAN_TRY_OWN] = "trying ours",
                                        [PLAN_OWN] = "ours"};
    fprintf(stderr,
            "motley-balance: broadcast %lld: plan %d, up to %zu bytes: %s, ours takes "
            "%.1f us, the MPI's %.1f us, next plan after %d\n",
            (long long)adapt->calls, plan->version, plan_class_bytes(adapt->class),
            names[class->mode], (double)class->own.mean / 1e3,
            (double)class->native.mean / 1e3, plan->interval);
}

/* Runs on the leader. The other ranks wait for a plan, so if anything fails here, the
   leader sends the last one again. */
static void make_plan(struct adapt *adapt, const struct tree *tree)
{
    struct reports *reports = &adapt->reports;
    reports_receive(reports);
    reports_note_own(reports, &adapt->plan, adapt->class);
    const struct plan_basis basis = {
        .network = &adapt->network,
        .planner = &adapt->planner,
        .reports = reports->received,
        .tree = tree,
        .call = adapt->calls,
        .leader = adapt->leader,
        .class = adapt->class,
        .on = adapt->wanted_on,
    };
    const int32_t last = adapt->plan.version;
    plan_next(&adapt->plan, adapt->ready, &basis);
    if (adapt->verbose && adapt->plan.version != last)
        say(adapt);
}

/* Wait until the children have taken the last plan. */
static int plan_taken(struct adapt *adapt)
{
    int status = MPI_SUCCESS;
    while (adapt->sending > 0 && status == MPI_SUCCESS)
        status = PMPI_Wait(&adapt->sends[--adapt->sending], MPI_STATUS_IGNORE);
    return status;
}

/* A child that comes late may take the plan while the calls go on. */
static int pass_on(struct adapt *adapt, const struct tree *tree, int bytes)
{
    const struct context *context = adapt->context;
    for (int c = tree->first[context->rank]; c >= 0; c = tree->next[c]) {
        const int status = PMPI_Isend(adapt->buffer, bytes, MPI_BYTE, c, TAG_PLAN,
                                      context->comm, &adapt->sends[adapt->sending]);
        if (status != MPI_SUCCESS)
            return status;
        adapt->sending++;
    }
    return MPI_SUCCESS;
}

/* The leader sends the plan along the messages' tree: each rank receives it from its
   parent and forwards it to its children, and late ranks delay no other rank. */
static int exchange_plan(struct adapt *adapt)
{
    const struct context *context = adapt->context;
    const struct tree *tree = tree_of(adapt, adapt->class, adapt->leader);
    int bytes, status = plan_taken(adapt);
    if (status != MPI_SUCCESS)
        return status;
    if (context->rank == adapt->leader) {
        const int32_t last = adapt->plan.version;
        make_plan(adapt, tree);
        bytes = write_plan(adapt, adapt->plan.version != last);
    } else {
        MPI_Status got;
        status =
            PMPI_Recv(adapt->buffer, PLAN_BYTES + (int)arrival_bytes(adapt), MPI_BYTE,
                      tree->parent[context->rank], TAG_PLAN, context->comm, &got);
        if (status == MPI_SUCCESS)
            status = PMPI_Get_count(&got, MPI_BYTE, &bytes);
        if (status == MPI_SUCCESS)
            read_plan(adapt, bytes);
    }
    return status == MPI_SUCCESS ? pass_on(adapt, tree, bytes) : status;
}

/* The root of this call is the leader until the next plan. */
static void open_interval(struct adapt *adapt, const struct bcast_call *call)
{
    const bool moved = adapt->leader != call->root;
    if (moved || adapt->plan.version != adapt->version)
        forget_trees(adapt);
    if (moved)
        reports_forget(&adapt->reports);
    adapt->leader = call->root;
    adapt->version = adapt->plan.version;
    adapt->class = plan_class(call->message.bytes);
    adapt->opened = adapt->calls;
    adapt->next_plan = adapt->calls + adapt->plan.interval;
    /* One call early if the interval is long enough, so that the leader receives the
       reports after the last broadcast of the interval; otherwise, it does so before
       the first of the next, while all ranks wait for it. */
    adapt->next_report = adapt->next_plan - (adapt->plan.interval > 3);
    reports_begin(&adapt->reports);
}

static const struct tree *route(struct method *method, const struct bcast_call *call,
                                int *status)
{
    struct adapt *adapt = (struct adapt *)method;
    *status = MPI_SUCCESS;
    if (adapt->calls == adapt->next_plan) {
        if (adapt->calls > 0)
            *status = exchange_plan(adapt);
        if (*status == MPI_SUCCESS)
            open_interval(adapt, call);
    }
    const int class = plan_class(call->message.bytes);
    adapt->own = plan_uses_own(&adapt->plan, class);
    if (*status != MPI_SUCCESS || !adapt->own)
        return NULL;
    return tree_of(adapt, class, call->root);
}

static bool is_idle(struct method *method, const struct bcast_call *call)
{
    struct adapt *adapt = (struct adapt *)method;
    const int class = plan_class(call->message.bytes);
    if (adapt->calls == adapt->next_plan || plan_uses_own(&adapt->plan, class))
        return false;
    adapt->own = false;
    return adapt->reports.in_call.count == MOST_SAMPLES || class != adapt->class;
}

/* The first call of an interval is ignored: the plan preceded it, perhaps along bad
   trees, and the MPI's own broadcast may be cold. Times of calls can be compared for
   any root; a rank's wait shows its arrival only if the leader is the root. */
static void observe(struct adapt *adapt, const struct bcast_call *call,
                    const struct bcast_timing *timing)
{
    if (adapt->calls == adapt->opened)
        return;
    samples_add(&adapt->reports.in_call, timing->in_call);
    if (call->root == adapt->leader)
        samples_add(&adapt->reports.waited, timing->waited);
}

static void learn(struct method *method, const struct bcast_call *call,
                  const struct bcast_timing *timing)
{
    struct adapt *adapt = (struct adapt *)method;
    const int class = plan_class(call->message.bytes);
    if (class == adapt->class)
        observe(adapt, call, timing);
    const int64_t native = adapt->plan.classes[class].native.mean;
    if (adapt->own && native)
        adapt->saved += native - timing->in_call;
    adapt->calls++;
    /* If sending a report fails, the leader plans without it. */
    if (adapt->calls == adapt->next_report)
        reports_tell(&adapt->reports, adapt->leader, &adapt->plan, adapt->class);
    if (adapt->calls == adapt->next_plan && adapt->context->rank == adapt->leader)
        reports_receive(&adapt->reports);
}

static int64_t saved(const struct method *method)
{
    return ((const struct adapt *)method)->saved;
}

/* All ranks follow the leader's setting from its next plan on. */
static void turn(struct method *method, bool on)
{
    ((struct adapt *)method)->wanted_on = on;
}

static void release(struct adapt *adapt)
{
    if (!adapt)
        return;
    for (int class = 0; class < PLAN_CLASSES; class ++)
        tree_free(&adapt->kept[class].tree);
    planner_free(&adapt->planner);
    free(adapt->sends);
    free(adapt->buffer);
    reports_free(&adapt->reports);
    free(adapt->ready);
    free(adapt);
}

/* NULL: memory is short on this rank. */
static struct adapt *allocate(const struct context *context)
{
    const size_t size = (size_t)context->size;
    struct adapt *adapt = calloc(1, sizeof *adapt);
    if (!adapt)
        return NULL;
    adapt->method.kind = &method_auto;
    adapt->context = context;
    adapt->wanted_on = true;
    adapt->network = (struct network){.size = context->size, .node = context->node};
    adapt->ready = calloc(size, sizeof *adapt->ready);
    adapt->buffer = calloc(1, PLAN_BYTES + arrival_bytes(adapt));
    adapt->sends = calloc(size, sizeof(MPI_Request));
    plan_init(&adapt->plan);
    bool complete = reports_init(&adapt->reports, context) == 0 &&
                    planner_init(&adapt->planner, &adapt->network) == 0 &&
                    adapt->ready && adapt->buffer && adapt->sends;
    for (int class = 0; class < PLAN_CLASSES; class ++)
        complete = complete && tree_init(&adapt->kept[class].tree, context->size) == 0;
    if (complete)
        return adapt;
    release(adapt);
    return NULL;
}

static struct method *create(const struct context *context, bool verbose)
{
    struct adapt *adapt = allocate(context);
    void *memory = calloc(1, COSTS_MEMORY);
    const bool created = context_agrees(context, adapt && memory) &&
                         costs_find(&adapt->network, context, memory) == MPI_SUCCESS;
    free(memory);
    if (!context_agrees(context, created)) {
        release(adapt);
        return NULL;
    }
    adapt->verbose = verbose;
    return &adapt->method;
}

static void finish(struct method *method)
{
    struct adapt *adapt = (struct adapt *)method;
    reports_finish(&adapt->reports);
    plan_taken(adapt);
    release(adapt);
}

const struct method_kind method_auto = {
    .create = create,
    .finish = finish,
    .route = route,
    .learn = learn,
    .is_idle = is_idle,
    .saved = saved,
    .turn = turn,
};
