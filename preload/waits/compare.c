/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges the samples of all ranks (MPI_Alltoall) and judges who was late. */
#include "compare.h"

#include <stdlib.h>
#include <string.h>

/* What a rank is told about each of its samples. */
struct outcome {
    int64_t waited, late, cost, alone;
};

/* What a rank says of a sample. */
struct saying {
    int64_t time; /* and role: see join() */
    int64_t before;
};

enum {
    SAID = sizeof(struct saying) / sizeof(int64_t),
    TOLD = sizeof(struct outcome) / sizeof(int64_t),
    NO_TIME = -1
};

/*
 * The slots are dealt out: each rank hears the times of all ranks in `share` slots, and
 * tells them what comes of it. All arrays but one are by rank, then by its slot.
 */
struct comparison {
    const struct context *context; /* borrowed */
    int share;
    uint64_t *keys;              /* owned; by slot: of the samples that are compared */
    struct saying *said, *heard; /* owned */
    struct outcome *told, *own;  /* owned */
    struct arrival *arrivals;    /* owned; [size] */
};

static void comparison_free(struct comparison *comparison)
{
    free(comparison->keys);
    free(comparison->said);
    free(comparison->heard);
    free(comparison->told);
    free(comparison->own);
    free(comparison->arrivals);
}

/* True on all ranks or on none. */
static bool comparison_init(struct comparison *comparison,
                            const struct context *context)
{
    const size_t size = (size_t)context->size;
    const size_t share = (SAMPLES + size - 1) / size, slots = share * size;
    *comparison = (struct comparison){
        .context = context,
        .share = (int)share,
        .keys = malloc(slots * sizeof *comparison->keys),
        .said = calloc(slots, sizeof *comparison->said),
        .heard = malloc(slots * sizeof *comparison->heard),
        .told = calloc(slots, sizeof *comparison->told),
        .own = malloc(slots * sizeof *comparison->own),
        .arrivals = malloc(size * sizeof *comparison->arrivals),
    };
    int complete = comparison->keys && comparison->said && comparison->heard &&
                   comparison->told && comparison->own && comparison->arrivals;
    const int rc =
        PMPI_Allreduce(MPI_IN_PLACE, &complete, 1, MPI_INT, MPI_MIN, context->comm);
    if (rc == MPI_SUCCESS && complete)
        return true;
    comparison_free(comparison);
    return false;
}

/* A time and a role in a number. */
static int64_t join(const struct sample *sample)
{
    return sample->time * ROLES + sample->role;
}

static int exchange_times(struct comparison *comparison, const struct sample *samples)
{
    const int slots = comparison->share * comparison->context->size;
    const MPI_Comm comm = comparison->context->comm;
    for (int i = 0; i < slots; i++)
        comparison->keys[i] = i < SAMPLES ? samples[i].key : NO_KEY;
    int rc = PMPI_Allreduce(MPI_IN_PLACE, comparison->keys, slots, MPI_UINT64_T,
                            MPI_MIN, comm);
    if (rc != MPI_SUCCESS)
        return rc;
    for (int i = 0; i < slots; i++) {
        const bool chosen = i < SAMPLES && samples[i].key != NO_KEY &&
                            samples[i].key == comparison->keys[i];
        comparison->said[i] = (struct saying){NO_TIME, 0};
        if (chosen)
            comparison->said[i] = (struct saying){join(&samples[i]), samples[i].before};
    }
    return PMPI_Alltoall(comparison->said, SAID * comparison->share, MPI_INT64_T,
                         comparison->heard, SAID * comparison->share, MPI_INT64_T,
                         comm);
}

static void judge_slot(struct comparison *comparison, int slot)
{
    int n = 0;
    for (int rank = 0; rank < comparison->context->size; rank++) {
        const struct saying *heard =
            &comparison->heard[rank * comparison->share + slot];
        if (heard->time != NO_TIME)
            comparison->arrivals[n++] = (struct arrival){
                .rank = rank,
                .role = (enum role)(heard->time % ROLES),
                .time = heard->time / ROLES,
                .before = heard->before,
            };
    }
    arrivals_judge(comparison->arrivals, n);
    for (int i = 0; i < n; i++) {
        const struct arrival *arrival = &comparison->arrivals[i];
        comparison->told[arrival->rank * comparison->share + slot] = (struct outcome){
            arrival->waited, arrival->late, arrival->cost, arrival->alone};
    }
}

static void add_outcome(struct rank_lateness *of, const struct outcome *outcome,
                        bool is_root)
{
    of->seen++;
    of->late += outcome->late > 0;
    of->sum += outcome->late;
    of->max = outcome->late > of->max ? outcome->late : of->max;
    of->cost += outcome->cost;
    of->as_root += is_root ? outcome->cost : 0;
    of->alone += outcome->alone;
    of->waited += outcome->waited;
}

/* From the calls that were seen to all of them. The mean lateness stays. */
static void scale(struct rank_lateness *of)
{
    if (of->seen == 0)
        return;
    const double factor = (double)of->calls / (double)of->seen;
    const int64_t mean = of->late ? of->sum / of->late : 0;
    of->seen = of->calls;
    of->late = (int64_t)((double)of->late * factor);
    of->sum = mean * of->late;
    of->cost = (int64_t)((double)of->cost * factor);
    of->as_root = (int64_t)((double)of->as_root * factor);
    of->alone = (int64_t)((double)of->alone * factor);
    of->waited = (int64_t)((double)of->waited * factor);
}

/* It stands for all calls of its site. */
static void draw(struct counts *counts, int rank, const struct sample *sample,
                 int64_t waited)
{
    const struct rank_lateness *of = &counts->site[sample->site].of[rank];
    if (counts->timeline[rank])
        timeline_add(counts->timeline[rank], sample->from, waited,
                     (int64_t)((double)waited * (double)of->calls / (double)of->seen));
}

void compare_samples(const struct context *context, const struct sample *samples,
                     struct counts *counts)
{
    struct comparison comparison;
    if (!comparison_init(&comparison, context))
        return;
    int rc = exchange_times(&comparison, samples);
    for (int slot = 0; rc == MPI_SUCCESS && slot < comparison.share; slot++)
        judge_slot(&comparison, slot);
    if (rc == MPI_SUCCESS)
        rc = PMPI_Alltoall(comparison.told, TOLD * comparison.share, MPI_INT64_T,
                           comparison.own, TOLD * comparison.share, MPI_INT64_T,
                           context->comm);
    for (int i = 0; rc == MPI_SUCCESS && i < SAMPLES; i++)
        if (comparison.said[i].time != NO_TIME)
            add_outcome(&counts->site[samples[i].site].of[context->rank],
                        &comparison.own[i], samples[i].role == ROLE_ROOT);
    for (int i = 0; rc == MPI_SUCCESS && i < SAMPLES; i++)
        if (comparison.said[i].time != NO_TIME && comparison.own[i].waited > 0)
            draw(counts, context->rank, &samples[i], comparison.own[i].waited);
    for (int i = 0; rc == MPI_SUCCESS && i < counts->sites; i++)
        if (call_kinds[counts->site[i].call] <= KIND_SOME)
            scale(&counts->site[i].of[context->rank]);
    comparison_free(&comparison);
}
