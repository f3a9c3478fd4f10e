/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Watches all calls that wait: counts each by call site, and numbers collective calls
 * so that the other ranks of the communicator give the same call the same number. At
 * the end, all ranks exchange their samples (MPI_Alltoall) and judge which ranks were
 * late.
 */
#include "waits.h"

#include "arrivals.h"
#include "lib/stats/random.h"
#include "preload/common/message.h"
#include "preload/common/oversubscription.h"
#include "preload/lateness/lateness.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* The state of a communicator and its collective calls that all its ranks have in
   common, without messages. */
struct communicator {
    int rank, size;   /* of an intercommunicator size is 0 */
    int *world;       /* owned; [size] ranks in MPI_COMM_WORLD, -1: not there */
    uint64_t id;      /* the same on all its ranks; 0: no collective call yet */
    int64_t calls;    /* collective ones */
    int64_t together; /* when this rank last left a call with all of its ranks, ns; 0:
                         it has not yet */
};

static int key = MPI_KEYVAL_INVALID;

/*
 * Communicators of the same ranks are distinguished by the order of their first
 * collective calls, which is the same on these ranks. If a program keeps making groups
 * of ranks, some communicators get the same number.
 */
enum { GROUPS = 4096 };
static struct {
    uint64_t ranks; /* a hash of all of them */
    uint64_t communicators;
} groups[GROUPS];
static int known;
static pthread_mutex_t groups_lock = PTHREAD_MUTEX_INITIALIZER;

static int on_free(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)extra;
    struct communicator *communicator = value;
    free(communicator->world);
    free(communicator);
    return MPI_SUCCESS;
}

/* Once the MPI runs. False: the MPI has refused. */
static bool communicators_begin(void)
{
    return PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_free, &key, NULL) ==
           MPI_SUCCESS;
}

static void communicators_end(void)
{
    if (key != MPI_KEYVAL_INVALID)
        PMPI_Comm_free_keyval(&key);
}

static bool find_world_ranks(struct communicator *communicator, MPI_Comm comm)
{
    const int size = communicator->size;
    int *ranks = malloc((size_t)size * sizeof *ranks + 1);
    communicator->world = malloc((size_t)size * sizeof *communicator->world + 1);
    MPI_Group group = MPI_GROUP_NULL, all = MPI_GROUP_NULL;
    const bool found = ranks && communicator->world &&
                       PMPI_Comm_group(comm, &group) == MPI_SUCCESS &&
                       PMPI_Comm_group(MPI_COMM_WORLD, &all) == MPI_SUCCESS;
    if (found) {
        for (int rank = 0; rank < size; rank++)
            ranks[rank] = rank;
        PMPI_Group_translate_ranks(group, size, ranks, all, communicator->world);
        for (int rank = 0; rank < size; rank++)
            if (communicator->world[rank] == MPI_UNDEFINED)
                communicator->world[rank] = -1;
    }
    if (group != MPI_GROUP_NULL)
        PMPI_Group_free(&group);
    if (all != MPI_GROUP_NULL)
        PMPI_Group_free(&all);
    free(ranks);
    return found;
}

static struct communicator *attach(MPI_Comm comm)
{
    struct communicator *communicator = calloc(1, sizeof *communicator);
    int between_groups = 0;
    if (!communicator)
        return NULL;
    PMPI_Comm_test_inter(comm, &between_groups);
    if (!between_groups) {
        PMPI_Comm_rank(comm, &communicator->rank);
        PMPI_Comm_size(comm, &communicator->size);
    }
    if (find_world_ranks(communicator, comm) &&
        PMPI_Comm_set_attr(comm, key, communicator) == MPI_SUCCESS)
        return communicator;
    free(communicator->world);
    free(communicator);
    return NULL;
}

/* NULL: none, or memory is short. It is freed with the communicator. */
static struct communicator *communicator_of(MPI_Comm comm)
{
    struct communicator *communicator;
    int there = 0;
    if (comm == MPI_COMM_NULL ||
        PMPI_Comm_get_attr(comm, key, (void *)&communicator, &there) != MPI_SUCCESS)
        return NULL;
    return there ? communicator : attach(comm);
}

/* The number of communicators of these ranks so far. */
static uint64_t number_of(uint64_t ranks)
{
    pthread_mutex_lock(&groups_lock);
    int i = 0;
    while (i < known && groups[i].ranks != ranks)
        i++;
    if (i == known && known < GROUPS)
        groups[known++].ranks = ranks;
    const uint64_t number = i < GROUPS ? ++groups[i].communicators : 0;
    pthread_mutex_unlock(&groups_lock);
    return number;
}

static uint64_t make_id(const struct communicator *communicator)
{
    uint64_t ranks = 0;
    for (int rank = 0; rank < communicator->size; rank++)
        ranks = mt_random_hash(ranks + (uint64_t)communicator->world[rank] + 2);
    return mt_random_hash(ranks + number_of(ranks)) | 1;
}

/* A key for its next collective call: the same on all its ranks, pseudo-random, and not
   NO_KEY. */
static uint64_t communicator_next(struct communicator *communicator)
{
    if (communicator->id == 0)
        communicator->id = make_id(communicator);
    return mt_random_hash(communicator->id + (uint64_t)communicator->calls++) >> 1;
}

static _Atomic bool watching;         /* on all ranks or on none */
static const struct options *options; /* borrowed */

/* State of this rank; under the lock if several threads may call. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct counts counts; /* of the ranks in MPI_COMM_WORLD */
static struct sample *samples;
static int64_t began, delay_before; /* ns: when all ranks left MPI_Init together */
static int64_t left;                /* the last call, ns */
static int rank;
static bool simulated, many_threads;

static const struct {
    int arguments;
    enum call_kind kind;
    int peer; /* see calls.h */
} known_calls[CALLS] = {
#define KNOWN(Name, name, NAME, n, kind, peer) [CALL_##Name] = {n, kind, peer},
    WATCHED_CALLS(KNOWN)
#undef KNOWN
};

bool waits_begin(const struct options *given)
{
    int size = 0, level = MPI_THREAD_MULTIPLE;
    options = given;
    if (!options->report)
        return true;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Query_thread(&level);
    many_threads = level == MPI_THREAD_MULTIPLE;
    simulated = report_is_simulated();
    samples = samples_new();
    if (counts_init(&counts, size) != 0 || !samples || !communicators_begin())
        return false;
    counts.all_calls = true;
    counts.timeline[rank] = calloc(1, sizeof(struct timeline));
    return true;
}

void waits_start(void)
{
    if (!options->report)
        return;
    began = left = now();
    delay_before = oversubscription_delay();
    watching = true;
}

static int integer_at(const struct watched *watched, const call_word *arguments,
                      int place)
{
    return watched->fortran ? *(const int *)arguments[place] : (int)arguments[place];
}

static MPI_Comm comm_at(const struct watched *watched, const call_word *arguments,
                        int place)
{
    return watched->fortran ? PMPI_Comm_f2c(*(const MPI_Fint *)arguments[place])
                            : (MPI_Comm)arguments[place];
}

static void before_message(struct watched *watched, const call_word *arguments)
{
    const int place = known_calls[watched->call].peer;
    const int peer = integer_at(watched, arguments, place);
    if (peer < 0)
        return;
    const struct communicator *communicator =
        communicator_of(comm_at(watched, arguments, place + 2));
    if (communicator && peer < communicator->size)
        watched->peer = communicator->world[peer];
}

static enum role role_of(const struct watched *watched, const call_word *arguments,
                         const struct communicator *communicator)
{
    const int n = known_calls[watched->call].arguments;
    switch (known_calls[watched->call].kind) {
    case KIND_ALL:
        return ROLE_ALL;
    case KIND_FROM_ROOT:
        return integer_at(watched, arguments, n - 2) == communicator->rank ? ROLE_ROOT
                                                                           : ROLE_LEAF;
    default:
        return ROLE_SOME;
    }
}

static void before_collective(struct watched *watched, const call_word *arguments)
{
    const MPI_Comm comm =
        comm_at(watched, arguments, known_calls[watched->call].arguments - 1);
    struct communicator *communicator = communicator_of(comm);
    if (!communicator || communicator->size < 2)
        return;
    watched->key = communicator_next(communicator);
    watched->role = role_of(watched, arguments, communicator);
    watched->communicator = communicator;
}

void waits_before(struct watched *watched, const call_word *arguments)
{
    watched->peer = -1;
    watched->key = NO_KEY;
    watched->communicator = NULL;
    if (!watching)
        return;
    if (known_calls[watched->call].kind <= KIND_SOME)
        before_collective(watched, arguments);
    else if (known_calls[watched->call].kind == KIND_MESSAGE)
        before_message(watched, arguments);
    watched->entered = now();
}

/* A rank in calls without a number waits for as long as they take longer than the
   shortest one from the same place. A few microseconds may be the message itself. */
static void judge_alone(struct site *site, const struct single *single)
{
    struct rank_lateness *own = &site->of[rank];
    const int64_t name = single->peer < 0 ? -1 : single->peer + 1;
    own->peer = own->peer == 0 || own->peer == name ? name : -1;
    own->shortest = site->shortest;
    const int64_t waited =
        single->took > site->shortest ? single->took - site->shortest : 0;
    own->waited += waited;
    if (waited > 0 && counts.timeline[rank])
        timeline_add(counts.timeline[rank], single->from, waited, waited);
    if (single->peer < 0)
        return;
    struct rank_lateness *peer = &site->of[single->peer];
    peer->seen++;
    if (waited < site->shortest + WORTH_BLAME)
        return;
    peer->late++;
    peer->sum += waited;
    peer->max = waited > peer->max ? waited : peer->max;
    peer->cost += waited;
}

/* Judge the first calls that have not been judged. */
static void judge_first(struct site *site)
{
    for (int i = 0; i < site->singles; i++)
        judge_alone(site, &site->first[i]);
    site->singles = 0;
}

static void count_alone(struct site *site, const struct single *single)
{
    if (site->shortest == 0 || single->took < site->shortest)
        site->shortest = single->took;
    if (site->of[rank].calls > FIRST_CALLS) {
        judge_alone(site, single);
        return;
    }
    site->first[site->singles++] = *single;
    if (site->singles == FIRST_CALLS)
        judge_first(site);
}

/* See arrivals.h. */
static int64_t before(const struct watched *watched)
{
    const struct communicator *communicator = watched->communicator;
    if (watched->role != ROLE_SOME)
        return watched->entered - left;
    return communicator->together > 0 ? watched->entered - communicator->together : -1;
}

/* The call has ended. */
static void leave(const struct watched *watched, int64_t time)
{
    struct communicator *communicator = watched->communicator;
    left = time;
    if (communicator && watched->role == ROLE_ALL)
        communicator->together = time;
}

static void count(const struct watched *watched, int64_t took)
{
    struct site *site = caller_site(&counts, watched->site, simulated);
    if (!site)
        return;
    site->call = watched->call;
    site->calls++;
    site->watched++;
    site->time += took;
    site->of[rank].calls++;
    site->of[rank].time += took;
    counts.calls++;
    counts.watched++;
    if (watched->key == NO_KEY)
        count_alone(site,
                    &(struct single){took, watched->peer, watched->entered - began});
    else
        samples_put(samples, &(struct sample){
                                 .key = watched->key,
                                 .time = took,
                                 .before = before(watched),
                                 .from = watched->entered - began,
                                 .site = (int)(site - counts.site),
                                 .role = watched->role,
                             });
}

void waits_after(const struct watched *watched)
{
    if (watched->entered == 0)
        return;
    const int64_t end = now();
    if (many_threads)
        pthread_mutex_lock(&lock);
    count(watched, end - watched->entered);
    leave(watched, end);
    if (many_threads)
        pthread_mutex_unlock(&lock);
}

/* The outcome sent to a rank for each of its samples. */
struct outcome {
    int64_t waited, late, cost, alone;
};

/* A rank's report on a sample. */
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
 * The slots are dealt to the ranks: each receives the times of all ranks in `share`
 * slots, and sends them the outcome. All arrays except one are by rank, then by its
 * slot.
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

/* The same on all ranks. */
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

/* Pack a time and a role into a number. */
static int64_t join(const struct sample *sample)
{
    return sample->time * ROLES + sample->role;
}

static int exchange_times(struct comparison *comparison)
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
    for (int from = 0; from < comparison->context->size; from++) {
        const struct saying *heard =
            &comparison->heard[from * comparison->share + slot];
        if (heard->time != NO_TIME)
            comparison->arrivals[n++] = (struct arrival){
                .rank = from,
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

/* Extrapolate from the sampled calls to all. The mean lateness stays. */
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

/* It represents all calls of its site. */
static void draw(const struct sample *sample, int64_t waited)
{
    const struct rank_lateness *of = &counts.site[sample->site].of[rank];
    if (counts.timeline[rank])
        timeline_add(counts.timeline[rank], sample->from, waited,
                     (int64_t)((double)waited * (double)of->calls / (double)of->seen));
}

/*
 * Add to this rank's counts its lateness, its waiting and its cost to others,
 * extrapolated from the sampled calls to all calls of each site. Collective over the
 * context, which has all ranks of the MPI. If memory is short on a rank, nothing is
 * added on any.
 */
static void compare_samples(const struct context *context)
{
    struct comparison comparison;
    if (!comparison_init(&comparison, context))
        return;
    int rc = exchange_times(&comparison);
    for (int slot = 0; rc == MPI_SUCCESS && slot < comparison.share; slot++)
        judge_slot(&comparison, slot);
    if (rc == MPI_SUCCESS)
        rc = PMPI_Alltoall(comparison.told, TOLD * comparison.share, MPI_INT64_T,
                           comparison.own, TOLD * comparison.share, MPI_INT64_T,
                           context->comm);
    for (int i = 0; rc == MPI_SUCCESS && i < SAMPLES; i++)
        if (comparison.said[i].time != NO_TIME)
            add_outcome(&counts.site[samples[i].site].of[rank], &comparison.own[i],
                        samples[i].role == ROLE_ROOT);
    for (int i = 0; rc == MPI_SUCCESS && i < SAMPLES; i++)
        if (comparison.said[i].time != NO_TIME && comparison.own[i].waited > 0)
            draw(&samples[i], comparison.own[i].waited);
    for (int i = 0; rc == MPI_SUCCESS && i < counts.sites; i++)
        if (known_calls[counts.site[i].call].kind <= KIND_SOME)
            scale(&counts.site[i].of[rank]);
    comparison_free(&comparison);
}

void waits_end(void)
{
    struct context context;
    if (!atomic_exchange(&watching, false) || !context_init(&context, MPI_COMM_WORLD))
        return;
    counts.lifetime = now() - began;
    for (int i = 0; i < counts.sites; i++)
        judge_first(&counts.site[i]);
    compare_samples(&context);
    report_write(&context, &counts, "", delay_before, options);
    context_free(&context);
}

void waits_release(void)
{
    communicators_end();
    counts_free(&counts);
    free(samples);
    samples = NULL;
}
