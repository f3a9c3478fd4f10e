/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Measures lateness in broadcasts with a token that runs ahead of the message; gathers
 * the counts of all ranks along a binomial tree at the end, and writes the findings.
 */
#include "lateness.h"

#include "findings.h"
#include "lib/stats/random.h"
#include "order.h"
#include "preload/common/oversubscription.h"
#include "preload/tuning.h"
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NOBODY = -1 };

struct lateness {
    const struct context *context; /* borrowed */
    char *name;                    /* owned */
    bool simulated;
    struct counts counts;
    int64_t started; /* local clock, ns */
    int64_t delay_before;
    int64_t hop; /* ns that a token takes; the longest of all ranks */
    /* The current call: */
    struct site *site; /* NULL: memory is short */
    bool watched;
    int root;
    int64_t entered;    /* local clock, ns */
    int64_t token_took; /* ns */
};

/* A token: the message from a rank to its children. */
struct token {
    int64_t blamed;  /* the rank that the sender waited for most, or NOBODY */
    int64_t in_call; /* ns since the sender entered the call */
};

/* The shortest time of a token to the rank half the communicator away, which is most
   likely on another node. */
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
            PMPI_Send(ping, 2, MPI_INT64_T, partner, TAG_BLAME, context->comm);
        PMPI_Recv(ping, 2, MPI_INT64_T, partner, TAG_BLAME, context->comm,
                  MPI_STATUS_IGNORE);
        if (context->rank >= half)
            PMPI_Send(ping, 2, MPI_INT64_T, partner, TAG_BLAME, context->comm);
        const int64_t took = (now() - start) / 2;
        shortest = took < shortest ? took : shortest;
    }
    return shortest;
}

struct lateness *lateness_new(const struct context *context, const char *name,
                              int64_t began)
{
    struct lateness *lateness = calloc(1, sizeof *lateness);
    char *copy = strdup(name);
    const bool failed =
        !lateness || !copy || counts_init(&lateness->counts, context->size);
    int64_t mine[2] = {failed, measure_hop(context)}, worst[2];
    const int rc = PMPI_Allreduce(mine, worst, 2, MPI_INT64_T, MPI_MAX, context->comm);
    if (rc != MPI_SUCCESS || worst[0] > 0) {
        free(copy);
        lateness_free(lateness);
        return NULL;
    }
    lateness->context = context;
    lateness->name = copy;
    lateness->simulated = report_is_simulated();
    lateness->hop = worst[1];
    lateness->started = began;
    lateness->delay_before = oversubscription_delay();
    lateness->counts.set_up = now() - began;
    return lateness;
}

void lateness_free(struct lateness *lateness)
{
    if (!lateness)
        return;
    counts_free(&lateness->counts);
    free(lateness->name);
    free(lateness);
}

/*
 * Watch all of the first calls, then one in 8, finally one in 64: a token makes ranks
 * wait that might not have waited. The choice has no pattern, so that a program with
 * periodic calls is not always watched at the same place.
 */
static bool is_watched(int64_t call)
{
    const uint64_t one_in = call < 32 ? 1 : call < 1024 ? 8 : 64;
    return mt_random_hash((uint64_t)call) % one_in == 0;
}

static void charge(struct lateness *lateness, int64_t rank, int64_t wait)
{
    struct rank_lateness *late = &lateness->site->of[rank];
    late->cost += wait;
    if (rank == lateness->root)
        late->as_root += wait;
}

/*
 * This rank waited for the token of its parent. The rank that the parent waited for is
 * to blame for the part of the wait during which the parent was in the call itself. The
 * parent is to blame for the rest, by which it came later than this rank. No rank is
 * charged for the token's travel time.
 */
static void share_out(struct lateness *lateness, int parent, int64_t wait,
                      struct token *token)
{
    const int64_t inherited = wait < token->in_call ? wait : token->in_call;
    const int64_t own = wait - inherited - lateness->hop;
    const bool late = own > 2 * lateness->hop;
    const int64_t blamed = token->blamed;
    if (late && (blamed == NOBODY || own > inherited))
        token->blamed = parent;
    if (!lateness->site)
        return;

    struct rank_lateness *of = &lateness->site->of[parent];
    of->seen++;
    if (late) {
        of->late++;
        of->sum += own;
        of->max = own > of->max ? own : of->max;
        charge(lateness, parent, own);
    }
    if (blamed != NOBODY)
        charge(lateness, blamed, inherited);
}

static int hear(struct lateness *lateness, int parent, struct token *token)
{
    int64_t message[2];
    const int rc = PMPI_Recv(message, 2, MPI_INT64_T, parent, TAG_BLAME,
                             lateness->context->comm, MPI_STATUS_IGNORE);
    if (rc != MPI_SUCCESS)
        return rc;
    *token = (struct token){message[0], message[1]};
    share_out(lateness, parent, now() - lateness->entered, token);
    return MPI_SUCCESS;
}

static int tell(const struct lateness *lateness, int child, const struct token *token)
{
    const int64_t message[2] = {token->blamed, now() - lateness->entered};
    return PMPI_Send(message, 2, MPI_INT64_T, child, TAG_BLAME,
                     lateness->context->comm);
}

static int pass_along(struct lateness *lateness, const struct tree *tree)
{
    const int rank = lateness->context->rank;
    struct token token = {.blamed = NOBODY};
    int rc = MPI_SUCCESS;
    if (tree->parent[rank] >= 0)
        rc = hear(lateness, tree->parent[rank], &token);
    for (int child = tree->first[rank]; child >= 0 && rc == MPI_SUCCESS;
         child = tree->next[child])
        rc = tell(lateness, child, &token);
    return rc;
}

/* The parent of a place is the place without its lowest set bit. */
static int pass_shuffled(struct lateness *lateness)
{
    const struct context *context = lateness->context;
    const struct order order =
        order_at(context->size, lateness->root, lateness->counts.calls);
    const int place = order_place(&order, context->rank);
    struct token token = {.blamed = NOBODY};
    int rc = MPI_SUCCESS;
    if (place > 0)
        rc = hear(lateness, order_rank(&order, place & (place - 1)), &token);
    int64_t step = 1;
    while (step < context->size && !(place & step))
        step *= 2;
    while (step > 1 && rc == MPI_SUCCESS) {
        step /= 2;
        if (place + step < context->size)
            rc = tell(lateness, order_rank(&order, (int)(place + step)), &token);
    }
    return rc;
}

int lateness_before(struct lateness *lateness, const struct bcast_call *call,
                    const struct tree *tree)
{
    lateness->entered = now();
    lateness->root = call->root;
    lateness->site = caller_site(&lateness->counts, call->site, lateness->simulated);
    lateness->counts.bytes += (int64_t)call->message.bytes;
    lateness->watched = is_watched(lateness->counts.calls++);
    if (!lateness->watched)
        return MPI_SUCCESS;
    lateness->counts.watched++;
    const int rc = tree ? pass_along(lateness, tree) : pass_shuffled(lateness);
    lateness->token_took = now() - lateness->entered;
    return rc;
}

static int size_class(size_t bytes)
{
    int class = 0;
    while (bytes >>= 1)
        class ++;
    return class;
}

/* The token has brought the ranks together, so the time after it is the message's,
   without waiting. */
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

void lateness_after(struct lateness *lateness, const struct bcast_call *call,
                    const struct tree *tree, const struct bcast_timing *timing)
{
    struct site *site = lateness->site;
    lateness->counts.tree_calls += tree != NULL;
    if (!site)
        return;
    site->call = CALL_Bcast;
    site->calls++;
    site->watched += lateness->watched;
    site->bytes += (int64_t)call->message.bytes;
    site->time += timing->in_call;
    const bool is_root = lateness->context->rank == lateness->root;
    if (!lateness->watched)
        count_unwatched(site, call->message.bytes, timing->in_call, is_root);
    else if (!is_root)
        learn_need(site, call->message.bytes, timing->in_call - lateness->token_took);
}

bool report_is_simulated(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    PMPI_Get_library_version(version, &length);
    return strncmp(version, "SMPI", 4) == 0;
}

/* NULL when memory is short: the message is then truncated, so that its sender does not
   wait forever. */
static void *receive_part(const struct context *context, int child, MPI_Datatype type,
                          size_t bytes_each, int64_t count)
{
    void *message = malloc((size_t)count * bytes_each + 1);
    PMPI_Recv(message, message ? (int)count : 0, type, child, TAG_REPORT, context->comm,
              MPI_STATUS_IGNORE);
    return message;
}

static void add_child(const struct context *context, int child, struct counts *counts)
{
    int64_t lengths[2] = {0};
    PMPI_Recv(lengths, 2, MPI_INT64_T, child, TAG_REPORT, context->comm,
              MPI_STATUS_IGNORE);
    struct packed packed = {.count = (size_t)lengths[0], .bytes = (size_t)lengths[1]};
    packed.numbers =
        receive_part(context, child, MPI_INT64_T, sizeof *packed.numbers, lengths[0]);
    packed.text = receive_part(context, child, MPI_CHAR, 1, lengths[1]);
    if (packed.numbers && packed.text && packed.count > 0)
        (void)counts_add(counts, &packed);
    packed_free(&packed);
}

/* Empty messages when memory is short. */
static void send_counts(const struct context *context, int parent,
                        const struct counts *counts)
{
    struct packed packed;
    (void)counts_pack(counts, &packed);
    const int64_t lengths[2] = {(int64_t)packed.count, (int64_t)packed.bytes};
    PMPI_Send(lengths, 2, MPI_INT64_T, parent, TAG_REPORT, context->comm);
    PMPI_Send(packed.numbers, (int)packed.count, MPI_INT64_T, parent, TAG_REPORT,
              context->comm);
    PMPI_Send(packed.text, (int)packed.bytes, MPI_CHAR, parent, TAG_REPORT,
              context->comm);
    packed_free(&packed);
}

static void add_node_name(const struct context *context, struct counts *counts)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    int length;
    if (context->node[context->rank] != context->rank)
        return;
    PMPI_Get_processor_name(name, &length);
    counts->node_name[context->rank] = strdup(name);
}

/* Gather up a binomial tree: the parent of a rank is the rank without its lowest set
   bit. */
static void gather_counts(const struct context *context, struct counts *counts)
{
    const int rank = context->rank;
    add_node_name(context, counts);
    for (long step = 1; step < context->size; step *= 2) {
        if (rank & step) {
            send_counts(context, (int)(rank - step), counts);
            return;
        }
        if (rank + step < context->size)
            add_child(context, (int)(rank + step), counts);
    }
}

/* Whether this rank yields its core to others while it waits. */
static bool is_patient(void)
{
    const char *libraries = getenv("LD_PRELOAD");
    return libraries && strstr(libraries, "libmotley-patient.so");
}

static void find_crowd(const struct context *context, struct counts *counts)
{
    struct oversubscription node;
    if (oversubscription_find(&node, context->comm) != MPI_SUCCESS)
        return;
    counts->crowd = (struct crowd){
        .ranks = (int64_t)node.ranks,
        .millicores = (int64_t)(node.cores * 1000),
        .node = context->node[context->rank],
    };
}

/* Write all bytes, at once unless a signal or a full disk cuts it. 0, or -1 (errno). */
static int write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t written = write(fd, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return -1;
        bytes += written;
        size -= (size_t)written;
    }
    return 0;
}

/* Write the output of `print` to `fd` at once, so that the lines of several
   communicators do not mix. 0, or -1 with errno set. */
static int put(int fd, void (*print)(FILE *, const struct findings *),
               const struct findings *findings)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return -1;
    print(stream, findings);
    const int failed = fclose(stream) != 0 || write_all(fd, text, size) != 0;
    free(text);
    return failed ? -1 : 0;
}

static void put_json(const struct findings *findings, const char *file)
{
    const int fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    const int put_failed = fd < 0 || put(fd, report_json, findings) != 0;
    const int reason = errno;
    if (fd >= 0 && close(fd) == 0 && !put_failed)
        return;
    static atomic_flag complained = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&complained))
        fprintf(stderr, "motley-balance: cannot write the report to '%s': %s\n", file,
                strerror(put_failed ? reason : errno));
}

/* Communicators smaller than MPI_COMM_WORLD may be many: they get lines only with a
   finding and at least a second of lost rank time. */
static bool worth_lines(const struct findings *findings)
{
    int world = 0;
    PMPI_Comm_size(MPI_COMM_WORLD, &world);
    return findings->counts->size == world ||
           (findings->verdict != NOBODY_LATE && findings->waiting >= 1000000000);
}

static void put_report(const struct context *context, struct counts *counts,
                       const char *name, const struct options *options)
{
    struct findings findings;
    if (counts->all_calls)
        counts_settle_singles(counts);
    lines_find(counts);
    if (findings_init(&findings, counts, context->node, name)) {
        fprintf(stderr, "motley-balance: no memory for the report\n");
        return;
    }
    findings.adaptive = !counts->all_calls && options->bcast == BCAST_AUTO;
    findings.simulated = report_is_simulated();
    if (worth_lines(&findings))
        (void)put(STDERR_FILENO, hints_put, &findings);
    if (*options->report_file)
        put_json(&findings, options->report_file);
    findings_free(&findings);
}

void report_write(const struct context *context, struct counts *counts,
                  const char *name, int64_t delay_before, const struct options *options)
{
    counts->delay = oversubscription_delay() - delay_before;
    counts->patient = is_patient();
    find_crowd(context, counts);
    gather_counts(context, counts);
    if (context->rank == 0 && context->size > 1)
        put_report(context, counts, name, options);
}

void lateness_write(struct lateness *lateness, const struct options *options,
                    int64_t saved)
{
    struct counts *counts = &lateness->counts;
    counts->lifetime = now() - lateness->started;
    if (options->bcast == BCAST_AUTO)
        counts->saved = saved - counts->set_up;
    report_write(lateness->context, counts, lateness->name, lateness->delay_before,
                 options);
}
