/* SPDX-License-Identifier: BSD-3-Clause */
#include "waits.h"

#include "arrivals.h"
#include "communicators.h"
#include "compare.h"
#include "preload/common/call.h"
#include "preload/common/oversubscription.h"
#include "preload/lateness/caller.h"
#include "preload/lateness/lines.h"
#include "preload/lateness/write.h"
#include "samples.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

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
    findings.reduces = options->reduce;
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
