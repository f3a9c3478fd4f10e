/* SPDX-License-Identifier: BSD-3-Clause */
#include "waits.h"

#include "arrivals.h"
#include "communicators.h"
#include "compare.h"
#include "preload/common/call.h"
#include "preload/common/oversubscription.h"
#include "preload/common/settings.h"
#include "preload/lateness/caller.h"
#include "preload/lateness/lines.h"
#include "preload/lateness/write.h"
#include "samples.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum phase {
    OFF,
    ASKING,   /* until the first collective call of all ranks */
    WATCHING, /* all ranks want a report */
};
static _Atomic enum phase phase;
static const struct options *options; /* borrowed */

/* Of this rank; under the lock, if there are many threads that may call. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct counts counts; /* of the ranks in MPI_COMM_WORLD */
static struct sample *samples;
static int64_t began, delay_before; /* ns */
static int64_t left;                /* the last call, ns */
static int64_t age;                 /* ns, when all ranks had been asked */
static int rank;
static bool wanted, simulated, many_threads;

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

/* When the process was started, to ten ms: so long its first call is prepared for. */
static int64_t process_start(void)
{
    enum { AHEAD = 19 }; /* fields between the name, in (), and the time */
    char text[1024] = "";
    FILE *file = fopen("/proc/self/stat", "re");
    const size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = 0;
    const char *field = strrchr(text, ')');
    for (int i = 0; field && i <= AHEAD; i++)
        field = strchr(field + 1, ' ');
    struct timespec boot;
    if (!field || clock_gettime(CLOCK_BOOTTIME, &boot) != 0)
        return now();
    const double started = strtod(field, NULL) / (double)sysconf(_SC_CLK_TCK);
    const double seconds = (double)boot.tv_sec + (double)boot.tv_nsec * 1e-9 - started;
    return now() - (int64_t)(seconds * 1e9);
}

bool waits_begin(const struct options *given)
{
    int size = 0, level = MPI_THREAD_MULTIPLE;
    options = given;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (options->report) {
        simulated = report_is_simulated();
        samples = samples_new();
        began = now();
        left = simulated ? 0 : process_start();
        delay_before = oversubscription_delay();
        wanted = counts_init(&counts, size) == 0 && samples;
        counts.all_calls = true;
        if (wanted)
            counts.timeline[rank] = calloc(1, sizeof(struct timeline));
    }
    PMPI_Query_thread(&level);
    many_threads = level == MPI_THREAD_MULTIPLE;
    phase = ASKING;
    return communicators_begin(many_threads);
}

/* Collective over `comm`, which has all ranks. */
static void ask(MPI_Comm comm)
{
    int mine[] = {wanted, -(int)wanted}, least[2] = {0};
    PMPI_Allreduce(mine, least, 2, MPI_INT, MPI_MIN, comm);
    phase = least[0] ? WATCHING : OFF;
    age = now() - began;
    if (least[0] != -least[1])
        settings_complain(comm);
}

void waits_ask(MPI_Comm comm)
{
    const struct communicator *communicator =
        phase == ASKING ? communicator_of(comm) : NULL;
    if (communicator && communicator->complete)
        ask(comm);
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

/* Whether no rank leaves this call before all have come, whatever is sent: then asking
   keeps nobody who would not wait in any case. */
static bool keeps_all(const struct watched *watched, const call_word *arguments)
{
    return watched->call == CALL_Barrier ||
           (watched->call == CALL_Allreduce && integer_at(watched, arguments, 2) > 0);
}

static void before_collective(struct watched *watched, const call_word *arguments)
{
    const int n = argument_counts[watched->call];
    const MPI_Comm comm = comm_at(watched, arguments, n - 1);
    const bool asks = phase == ASKING && keeps_all(watched, arguments);
    struct communicator *communicator = asks || wanted ? communicator_of(comm) : NULL;
    if (!communicator)
        return;
    if (asks && communicator->complete)
        ask(comm);
    if (communicator->size < 2 || !wanted)
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
    if (phase == OFF)
        return;
    if (call_kinds[watched->call] <= KIND_SOME)
        before_collective(watched, arguments);
    else if (call_kinds[watched->call] == KIND_MESSAGE && wanted)
        before_message(watched, arguments);
    if (phase != OFF && wanted)
        watched->entered = now();
}

/* In calls that have no number, a rank waits for as long as they take longer than the
   shortest one from the same place. A few microseconds may be the message itself. */
static void judge_alone(struct site *site, const struct single *single)
{
    enum { WORTH_BLAME = 5000 };
    const int64_t waited =
        single->took > site->shortest ? single->took - site->shortest : 0;
    site->of[rank].waited += waited;
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
    lines_find(&counts);
    if (findings_init(&findings, &counts, context->node, "")) {
        fprintf(stderr, "motley-balance: no memory for the report\n");
        return;
    }
    findings.simulated = simulated;
    findings.reduces = options->reduce;
    report_put_page(&findings);
    if (*options->report_file)
        report_put_json(&findings, options->report_file);
    findings_free(&findings);
}

/* Ranks begin with their first call; they were asked at the same time. */
static void align_timelines(const struct context *context)
{
    int64_t oldest = age;
    PMPI_Allreduce(&age, &oldest, 1, MPI_INT64_T, MPI_MAX, context->comm);
    if (counts.timeline[rank])
        timeline_shift(counts.timeline[rank], oldest - age);
}

void waits_end(void)
{
    struct context context;
    const bool watching = phase == WATCHING;
    phase = OFF;
    if (watching && context_init(&context, MPI_COMM_WORLD) == MPI_SUCCESS) {
        counts.lifetime = now() - began;
        for (int i = 0; i < counts.sites; i++)
            judge_first(&counts.site[i]);
        compare_samples(&context, samples, &counts);
        align_timelines(&context);
        report_cores(&context, &counts, delay_before);
        report_gather(&context, &counts);
        if (context.rank == 0 && context.size > 1)
            put_report(&context);
        context_free(&context);
    }
    communicators_end();
    counts_free(&counts);
    free(samples);
}
