/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All calls that wait: what this rank notes of each, by call site, and for those of a
 * communicator a number that its other ranks give the same call.
 */
#include "waits.h"

#include "arrivals.h"
#include "compare.h"
#include "lib/stats/random.h"
#include "preload/common/call.h"
#include "preload/common/oversubscription.h"
#include "preload/lateness/sites.h"
#include "preload/lateness/write.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* What all ranks of a communicator know of it, and of its collective calls, without a
   message. */
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
 * Communicators of the same ranks are told apart by the order in which their first
 * collective calls come, which these ranks share. Of programs that have ever more
 * groups of ranks, some communicators get the same number.
 */
enum { GROUPS = 4096 };
static struct {
    uint64_t ranks; /* made of all of them */
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

/* NULL: none, or memory is short. It goes with the communicator. */
static struct communicator *communicator_of(MPI_Comm comm)
{
    struct communicator *communicator;
    int there = 0;
    if (comm == MPI_COMM_NULL ||
        PMPI_Comm_get_attr(comm, key, (void *)&communicator, &there) != MPI_SUCCESS)
        return NULL;
    return there ? communicator : attach(comm);
}

/* How many communicators of these ranks there have been. */
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

/* A key for its next collective call: the same on all its ranks, not NO_KEY, and
   without a pattern. */
static uint64_t communicator_next(struct communicator *communicator)
{
    if (communicator->id == 0)
        communicator->id = make_id(communicator);
    return mt_random_hash(communicator->id + (uint64_t)communicator->calls++) >> 1;
}

static _Atomic bool watching;         /* on all ranks or on none */
static const struct options *options; /* borrowed */

/* Of this rank; under the lock, if there are many threads that may call. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct counts counts; /* of the ranks in MPI_COMM_WORLD */
static struct sample *samples;
static int64_t began, delay_before; /* ns: when all ranks left MPI_Init together */
static int64_t left;                /* the last call, ns */
static int rank;
static bool simulated, many_threads;

static const int argument_counts[CALLS] = {
#define COUNT(Name, name, NAME, n, ...) [CALL_##Name] = n,
    WATCHED_CALLS(COUNT)
#undef COUNT
};

static const int peers[CALLS] = {
#define PEER(Name, name, NAME, n, kind, peer) [CALL_##Name] = peer,
    WATCHED_CALLS(PEER)
#undef PEER
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
    began = left = now();
    delay_before = oversubscription_delay();
    watching = options->report;
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
    const int place = peers[watched->call];
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
    const int n = argument_counts[watched->call];
    switch (call_kinds[watched->call]) {
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
        comm_at(watched, arguments, argument_counts[watched->call] - 1);
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
    if (call_kinds[watched->call] <= KIND_SOME)
        before_collective(watched, arguments);
    else if (call_kinds[watched->call] == KIND_MESSAGE)
        before_message(watched, arguments);
    watched->entered = now();
}

/* In calls that have no number, a rank waits for as long as they take longer than the
   shortest one from the same place. A few microseconds may be the message itself. */
static void judge_alone(struct site *site, const struct single *single)
{
    struct rank_lateness *own = &site->of[rank];
    const int64_t name = single->peer < 0 ? -1 : single->peer + 1;
    own->peer = own->peer == 0 || own->peer == name ? name : -1;
    own->shortest = site->shortest;
    enum { WORTH_BLAME = 5000 };
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

/* Those that have not been, of the first. */
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

static void put_report(const struct context *context)
{
    struct findings findings;
    counts_settle_singles(&counts);
    lines_find(&counts);
    if (findings_init(&findings, &counts, context->node, "")) {
        fprintf(stderr, "motley-balance: no memory for the report\n");
        return;
    }
    findings.simulated = simulated;
    report_put_lines(&findings);
    if (*options->report_file)
        report_put_json(&findings, options->report_file);
    findings_free(&findings);
}

void waits_end(void)
{
    struct context context;
    if (!atomic_exchange(&watching, false) || !context_init(&context, MPI_COMM_WORLD))
        return;
    counts.lifetime = now() - began;
    for (int i = 0; i < counts.sites; i++)
        judge_first(&counts.site[i]);
    compare_samples(&context, samples, &counts);
    report_cores(&context, &counts, delay_before);
    report_gather(&context, &counts);
    if (context.rank == 0 && context.size > 1)
        put_report(&context);
    context_free(&context);
}

void waits_release(void)
{
    communicators_end();
    counts_free(&counts);
    free(samples);
    samples = NULL;
}
