/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"

#include "counts.h"
#include "gather.h"
#include "order.h"
#include "preload/wait/patient.h"
#include "site.h"
#include "write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOP_ROUNDS = 4, NOBODY = -1 };

struct report {
    const struct context *context; /* borrowed */
    char *name;                    /* owned */
    bool simulated;
    struct counts counts;
    int64_t started; /* local clock, ns */
    int64_t hop;     /* ns that a token takes; the longest of all ranks */
    /* The call that is under way: */
    struct site *site; /* NULL: memory is short */
    bool watched;
    int root;
    int64_t entered;    /* local clock, ns */
    int64_t token_took; /* ns */
};

/* What passes from a rank to its children. */
struct token {
    int64_t blamed;  /* the rank that the sender waited for most, or NOBODY */
    int64_t in_call; /* ns since the sender entered the call */
};

/* The shortest way of a token to the rank half the communicator away, which most likely
   is on another node. */
static int64_t measure_hop(const struct context *context)
{
    const int half = context->size / 2;
    if (context->rank >= 2 * half)
        return 0;
    const int partner = (context->rank + half) % (2 * half);
    int64_t shortest = INT64_MAX;
    for (int round = 0; round < HOP_ROUNDS; round++) {
        int64_t ping[2] = {0};
        const int64_t start = now();
        if (context->rank < half)
            patient_Send(ping, 2, MPI_INT64_T, partner, TAG_BLAME, context->comm);
        patient_Recv(ping, 2, MPI_INT64_T, partner, TAG_BLAME, context->comm,
                     MPI_STATUS_IGNORE);
        if (context->rank >= half)
            patient_Send(ping, 2, MPI_INT64_T, partner, TAG_BLAME, context->comm);
        const int64_t took = (now() - start) / 2;
        shortest = took < shortest ? took : shortest;
    }
    return shortest;
}

static bool is_simulated(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    PMPI_Get_library_version(version, &length);
    return strncmp(version, "SMPI", 4) == 0;
}

struct report *report_new(const struct context *context, const char *name)
{
    struct report *report = calloc(1, sizeof *report);
    char *copy = strdup(name);
    const bool failed = !report || !copy || counts_init(&report->counts, context->size);
    int64_t mine[2] = {failed, measure_hop(context)}, worst[2];
    const int rc = PMPI_Allreduce(mine, worst, 2, MPI_INT64_T, MPI_MAX, context->comm);
    if (rc != MPI_SUCCESS || worst[0] > 0) {
        free(copy);
        report_free(report);
        return NULL;
    }
    report->context = context;
    report->name = copy;
    report->simulated = is_simulated();
    report->hop = worst[1];
    report->started = now();
    return report;
}

void report_free(struct report *report)
{
    if (!report)
        return;
    counts_free(&report->counts);
    free(report->name);
    free(report);
}

static struct site *find_site(struct report *report, const void *caller)
{
    struct counts *counts = &report->counts;
    for (int i = 0; i < counts->sites; i++)
        if (counts->site[i].caller == caller)
            return &counts->site[i];
    struct site_name name = site_name_of(caller, report->simulated);
    struct site *site = counts_site(counts, name.object, name.function, name.address);
    if (site && site->object[0])
        site->caller = caller;
    return site;
}

/*
 * All of the first calls, then one in 8, in the end one in 64: a token makes ranks wait
 * for each other that might not have waited. Which ones they are has no pattern, or a
 * program whose calls have one would always be watched at the same place.
 */
static bool is_watched(int64_t call)
{
    const uint64_t one_in = call < 32 ? 1 : call < 1024 ? 8 : 64;
    return scramble((uint64_t)call) % one_in == 0;
}

static void charge(struct report *report, int64_t rank, int64_t wait)
{
    struct lateness *late = &report->site->of[rank];
    late->cost += wait;
    if (rank == report->root)
        late->as_root += wait;
}

/*
 * This rank waited for its parent. As long as the parent had been in the call itself,
 * the one that the parent waited for is to blame; the parent for the rest, by which it
 * came later than this rank. What a token takes on its way is nobody's fault.
 */
static void share_out(struct report *report, int parent, int64_t wait,
                      struct token *token)
{
    const int64_t inherited = wait < token->in_call ? wait : token->in_call;
    const int64_t lateness = wait - inherited - report->hop;
    const bool late = lateness > 2 * report->hop;
    const int64_t blamed = token->blamed;
    if (late && (blamed == NOBODY || lateness > inherited))
        token->blamed = parent;
    if (!report->site)
        return;

    struct lateness *of = &report->site->of[parent];
    of->seen++;
    if (late) {
        of->late++;
        of->sum += lateness;
        of->max = lateness > of->max ? lateness : of->max;
        charge(report, parent, lateness);
    }
    if (blamed != NOBODY)
        charge(report, blamed, inherited);
}

static int hear(struct report *report, int parent, struct token *token)
{
    int64_t message[2];
    const int rc = patient_Recv(message, 2, MPI_INT64_T, parent, TAG_BLAME,
                                report->context->comm, MPI_STATUS_IGNORE);
    if (rc != MPI_SUCCESS)
        return rc;
    *token = (struct token){message[0], message[1]};
    share_out(report, parent, now() - report->entered, token);
    return MPI_SUCCESS;
}

static int tell(const struct report *report, int child, const struct token *token)
{
    const int64_t message[2] = {token->blamed, now() - report->entered};
    return patient_Send(message, 2, MPI_INT64_T, child, TAG_BLAME,
                        report->context->comm);
}

static int pass_along(struct report *report, const struct tree *tree)
{
    const int rank = report->context->rank;
    struct token token = {.blamed = NOBODY};
    int rc = MPI_SUCCESS;
    if (tree->parent[rank] >= 0)
        rc = hear(report, tree->parent[rank], &token);
    for (int child = tree->first[rank]; child >= 0 && rc == MPI_SUCCESS;
         child = tree->next[child])
        rc = tell(report, child, &token);
    return rc;
}

/* The parent of a place is the place without its lowest set bit. */
static int pass_shuffled(struct report *report)
{
    const struct context *context = report->context;
    const struct order order =
        order_at(context->size, report->root, report->counts.calls);
    const int place = order_place(&order, context->rank);
    struct token token = {.blamed = NOBODY};
    int rc = MPI_SUCCESS;
    if (place > 0)
        rc = hear(report, order_rank(&order, place & (place - 1)), &token);
    int64_t step = 1;
    while (step < context->size && !(place & step))
        step *= 2;
    while (step > 1 && rc == MPI_SUCCESS) {
        step /= 2;
        if (place + step < context->size)
            rc = tell(report, order_rank(&order, (int)(place + step)), &token);
    }
    return rc;
}

int report_before(struct report *report, const struct call *call,
                  const struct tree *tree)
{
    report->entered = now();
    report->root = call->root;
    report->site = find_site(report, call->site);
    report->counts.bytes += (int64_t)call->bytes;
    report->watched = is_watched(report->counts.calls++);
    if (!report->watched)
        return MPI_SUCCESS;
    report->counts.watched++;
    const int rc = tree ? pass_along(report, tree) : pass_shuffled(report);
    report->token_took = now() - report->entered;
    return rc;
}

static int size_class(size_t bytes)
{
    int class = 0;
    while (bytes >>= 1)
        class ++;
    return class;
}

/* A token has brought the ranks together, so what followed it shows what the message
   takes without waiting. */
static void learn_need(struct site *site, size_t bytes, int64_t took)
{
    int64_t *need = &site->need_take[size_class(bytes)];
    if (*need == 0 || took < *need)
        *need = took;
}

static void count_unwatched(struct site *site, size_t bytes, int64_t took, bool is_root)
{
    const int64_t waited = took - site->need_take[size_class(bytes)];
    site->time_unwatched += took;
    if (waited > 0 && !is_root)
        site->waits_unwatched += waited;
}

void report_after(struct report *report, const struct call *call,
                  const struct timing *timing)
{
    struct site *site = report->site;
    if (!site)
        return;
    site->calls++;
    site->watched += report->watched;
    site->bytes += (int64_t)call->bytes;
    site->time += timing->in_call;
    const bool is_root = report->context->rank == report->root;
    if (!report->watched)
        count_unwatched(site, call->bytes, timing->in_call, is_root);
    else if (!is_root)
        learn_need(site, call->bytes, timing->in_call - report->token_took);
}

/* Communicators of fewer ranks than there are may be many: they get a page when there
   is something to say, and a second of rank time was lost. */
static bool worth_a_page(const struct findings *findings)
{
    int world = 0;
    PMPI_Comm_size(MPI_COMM_WORLD, &world);
    return findings->counts->size == world ||
           (findings->verdict != NOBODY_LATE && findings->waiting >= 1000000000);
}

static void put_report(const struct report *report, const struct options *options)
{
    struct findings findings;
    if (findings_init(&findings, &report->counts, report->context->node,
                      report->name)) {
        fprintf(stderr, "motley-balance: no memory for the report\n");
        return;
    }
    findings.adaptive = options->bcast == BCAST_AUTO;
    findings.simulated = report->simulated;
    if (worth_a_page(&findings))
        report_put_page(&findings);
    if (*options->report_file)
        report_put_json(&findings, options->report_file);
    findings_free(&findings);
}

void report_write(struct report *report, const struct options *options, int64_t saved)
{
    struct counts *counts = &report->counts;
    counts->lifetime = now() - report->started;
    counts->saved = saved;
    report_gather(report->context, counts);
    if (report->context->rank == 0)
        put_report(report, options);
}
