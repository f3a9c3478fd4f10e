/* SPDX-License-Identifier: BSD-3-Clause */
#include "adapt.h"

#include "costs.h"
#include "plan.h"
#include "preload/wait/patient.h"
#include "words.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A tree of ours, kept until the plan changes. */
struct kept {
    struct tree tree;
    int root; /* for which it stands at the moment */
    bool built;
};

struct adapt {
    const struct context *context;
    struct network network;
    bool verbose, own;     /* own: this call takes a tree of ours */
    atomic_bool wanted_on; /* another thread may call MPI_Pcontrol */
    int home, class;
    int64_t calls, opened, next_plan, next_word; /* calls, from 0 */
    struct plan plan;
    int64_t *ready; /* [size] */
    struct kept kept[PLAN_CLASSES];
    int32_t version; /* of the plan that the trees are for */
    struct words words;
    char *buffer;       /* of a plan with its arrivals */
    MPI_Request *sends; /* [size] of it to the children */
    int sending;
    int64_t saved;
};

/*
 * A plan on its way: what concerns all messages, the class that it looks at - of the
 * others everybody knows as much already - and, if they are new, the arrivals.
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
    for (int class = 0; class < PLAN_CLASSES; class ++) {
        if (adapt->kept[class].built)
            tree_free(&adapt->kept[class].tree);
        adapt->kept[class].built = false;
    }
}

/* The tree of a class, with `root` at its root. */
static const struct tree *tree_of(struct adapt *adapt, int class, int root)
{
    struct kept *kept = &adapt->kept[class];
    if (!kept->built) {
        if (tree_best(&kept->tree, &adapt->network, adapt->home,
                      plan_class_bytes(class), adapt->ready))
            return NULL;
        if (plan_is_patient(&adapt->plan, class))
            memset(kept->tree.late, 0, (size_t)adapt->context->size * sizeof(bool));
        kept->built = true;
        kept->root = adapt->home;
    }
    if (kept->root != root) {
        tree_swap(&kept->tree, kept->root, adapt->home);
        tree_swap(&kept->tree, adapt->home, root);
        kept->root = root;
    }
    return &kept->tree;
}

static void say(const struct adapt *adapt)
{
    const struct plan *plan = &adapt->plan;
    const struct plan_class *class = &plan->classes[adapt->class];
    static const char *const names[] = {[PLAN_NEW] = "new",
                                        [PLAN_OWN] = "ours",
                                        [PLAN_STOCK] = "the MPI's",
                                        [PLAN_TRY_OWN] = "trying ours",
                                        [PLAN_TRY_STOCK] = "trying the MPI's"};
    fprintf(stderr,
            "motley-balance: broadcast %lld: plan %d, up to %zu bytes: %s, ours takes "
            "%.1f us, the MPI's %.1f us, next plan after %d\n",
            (long long)adapt->calls, plan->version, plan_class_bytes(adapt->class),
            names[class->mode], (double)class->own / 1e3, (double)class->stock / 1e3,
            plan->interval);
}

/* On the home rank. The others wait for a plan: whatever fails here, there is one. */
static void make_plan(struct adapt *adapt, const struct tree *tree)
{
    struct words *words = &adapt->words;
    words_hear(words);
    words_note(words, &adapt->plan, adapt->class);
    const struct plan_basis basis = {
        .network = &adapt->network,
        .heard = words->heard,
        .tree = tree,
        .call = adapt->calls,
        .home = adapt->home,
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
        status = patient_Wait(&adapt->sends[--adapt->sending], MPI_STATUS_IGNORE);
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

/* The plan takes the tree that the messages took, in which late ranks hold up nobody.
 */
static int exchange_plan(struct adapt *adapt)
{
    const struct context *context = adapt->context;
    const struct tree *tree = tree_of(adapt, adapt->class, adapt->home);
    int bytes, status = tree ? plan_taken(adapt) : MPI_ERR_NO_MEM;
    if (status != MPI_SUCCESS)
        return status;
    if (context->rank == adapt->home) {
        const int32_t last = adapt->plan.version;
        make_plan(adapt, tree);
        bytes = write_plan(adapt, adapt->plan.version != last);
    } else {
        MPI_Status got;
        status = patient_Recv(adapt->buffer, PLAN_BYTES + (int)arrival_bytes(adapt),
                              MPI_BYTE, tree->parent[context->rank], TAG_PLAN,
                              context->comm, &got);
        if (status == MPI_SUCCESS)
            status = PMPI_Get_count(&got, MPI_BYTE, &bytes);
        if (status == MPI_SUCCESS)
            read_plan(adapt, bytes);
    }
    return status == MPI_SUCCESS ? pass_on(adapt, tree, bytes) : status;
}

/* From here on, until the next plan: the root of this call is home. */
static void open_interval(struct adapt *adapt, const struct call *call)
{
    const bool moved = adapt->home != call->root;
    if (moved || adapt->plan.version != adapt->version)
        forget_trees(adapt);
    if (moved)
        words_forget(&adapt->words);
    adapt->home = call->root;
    adapt->version = adapt->plan.version;
    adapt->class = plan_class(call->bytes);
    adapt->opened = adapt->calls;
    adapt->next_plan = adapt->calls + adapt->plan.interval;
    /* If there is time, early enough for the home rank to listen behind a broadcast
       rather than ahead of one, while all wait for it. */
    adapt->next_word = adapt->next_plan - (adapt->plan.interval > 3);
    words_begin(&adapt->words);
}

const struct tree *adapt_route(struct adapt *adapt, const struct call *call,
                               int *status)
{
    *status = MPI_SUCCESS;
    if (adapt->calls == adapt->next_plan) {
        if (adapt->calls > 0)
            *status = exchange_plan(adapt);
        if (*status == MPI_SUCCESS)
            open_interval(adapt, call);
    }
    const int class = plan_class(call->bytes);
    adapt->own = plan_uses_own(&adapt->plan, class);
    if (*status != MPI_SUCCESS || !adapt->own)
        return NULL;
    const struct tree *tree = tree_of(adapt, class, call->root);
    if (!tree)
        *status = MPI_ERR_NO_MEM;
    return tree;
}

bool adapt_is_idle(struct adapt *adapt, const struct call *call)
{
    const int class = plan_class(call->bytes);
    if (adapt->calls == adapt->next_plan || plan_uses_own(&adapt->plan, class))
        return false;
    adapt->own = false;
    return adapt->words.in_call.count == MOST_SAMPLES || class != adapt->class;
}

/* The first call of an interval tells nothing: the plan went ahead of it, by trees that
   may have been bad, and the MPI's own broadcast may be cold. What a call takes can be
   compared whatever its root; a wait speaks of a rank only beside the home rank's. */
static void observe(struct adapt *adapt, const struct call *call,
                    const struct timing *timing)
{
    if (adapt->calls == adapt->opened)
        return;
    samples_add(&adapt->words.in_call, timing->in_call);
    if (call->root == adapt->home)
        samples_add(&adapt->words.waited, timing->waited);
}

void adapt_learn(struct adapt *adapt, const struct call *call,
                 const struct timing *timing)
{
    const int class = plan_class(call->bytes);
    if (class == adapt->class)
        observe(adapt, call, timing);
    const int64_t stock = adapt->plan.classes[class].stock;
    if (adapt->own && stock)
        adapt->saved += stock - timing->in_call;
    adapt->calls++;
    /* A message that fails is one that the home rank does not hear: it plans without.
     */
    if (adapt->context->rank == adapt->home) {
        if (adapt->calls == adapt->next_plan)
            words_hear(&adapt->words);
    } else if (adapt->calls == adapt->next_word) {
        words_tell(&adapt->words, adapt->home, &adapt->plan, adapt->class);
    }
}

int64_t adapt_saved(const struct adapt *adapt)
{
    return adapt->saved;
}

void adapt_switch(struct adapt *adapt, bool on)
{
    adapt->wanted_on = on;
}

static void release(struct adapt *adapt)
{
    if (!adapt)
        return;
    forget_trees(adapt);
    free(adapt->sends);
    free(adapt->buffer);
    words_free(&adapt->words);
    free(adapt->ready);
    free(adapt);
}

struct adapt *adapt_new(const struct context *context, bool verbose)
{
    const size_t size = (size_t)context->size;
    struct adapt *adapt = calloc(1, sizeof *adapt);
    void *memory = calloc(1, COSTS_MEMORY);
    int complete = 0;
    if (adapt) {
        adapt->context = context;
        adapt->verbose = verbose;
        adapt->wanted_on = true;
        adapt->ready = calloc(size, sizeof *adapt->ready);
        adapt->buffer = calloc(1, PLAN_BYTES + arrival_bytes(adapt));
        adapt->sends = calloc(size, sizeof(MPI_Request));
        plan_init(&adapt->plan);
        complete = words_init(&adapt->words, context) == 0 && adapt->ready &&
                   adapt->buffer && adapt->sends && memory;
    }
    if (PMPI_Allreduce(MPI_IN_PLACE, &complete, 1, MPI_INT, MPI_MIN, context->comm) !=
            MPI_SUCCESS ||
        !complete || costs_measure(&adapt->network, context, memory) != MPI_SUCCESS) {
        release(adapt);
        adapt = NULL;
    }
    free(memory);
    return adapt;
}

void adapt_free(struct adapt *adapt)
{
    if (adapt) {
        words_finish(&adapt->words);
        plan_taken(adapt);
    }
    release(adapt);
}
