/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * motley-probe - the program that `motley check` starts on a cluster's nodes, a rank on
 * each: reports the nodes, their speeds, and the messages between them. Rank 0 prints
 * the results as lines of JSON.
 */
#include "apps/common/app.h"
#include "lib/base/options.h"
#include "probe.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As popt reads them. Valid and empty if zeroed. */
struct options {
    char *list;                        /* owned; of pairs, as typed */
    struct mt_number_option max_bytes; /* of a message */
    int compute, alltoall;             /* flags */

    struct pair *pairs; /* owned; those of the list */
    int npairs;
};

enum { OPTIONS_MAX_BYTES = 4 << 20 }; /* unless they say it */

/* Read digits; a number that is too large becomes an invalid rank. */
static bool rank_read(int *rank, const char **text)
{
    char *end;
    if (!isdigit((unsigned char)**text))
        return false;
    const long number = strtol(*text, &end, 10);
    *rank = number < INT_MAX ? (int)number : INT_MAX;
    *text = end;
    return true;
}

static bool pair_read(struct pair *pair, const char *text)
{
    return rank_read(&pair->from, &text) && *text++ == '-' &&
           rank_read(&pair->to, &text) && *text == '\0';
}

static bool add_pair(struct options *options, const char *word, int ranks)
{
    struct pair pair;
    if (!pair_read(&pair, word))
        return app_complain(PROBE_NAME, "--pairs must be like 0-1,0-2: '%s'", word);
    if (pair.from >= ranks || pair.to >= ranks || pair.from == pair.to)
        return app_complain(PROBE_NAME,
                            "--pairs takes two different ranks between 0 and %d: '%s'",
                            ranks - 1, word);
    struct pair *pairs =
        realloc(options->pairs, ((size_t)options->npairs + 1) * sizeof *pairs);
    if (!pairs)
        app_give_up(PROBE_NAME, "no memory for the options");
    options->pairs = pairs;
    options->pairs[options->npairs++] = pair;
    return true;
}

static bool check_options(void *self)
{
    struct options *options = self;
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    bool good = true;
    char *rest = options->list, *word; /* cut into words */
    while (good && (word = strsep(&rest, ",")))
        good = add_pair(options, word, ranks);
    return good;
}

static void options_clear(struct options *options)
{
    free(options->list);
    free(options->max_bytes.text);
    free(options->pairs);
    *options = (struct options){.npairs = 0};
}

/* Results go to stdout, one JSON object per line; nodes need no libjansson. */
static void print_text(const char *key, const char *text)
{
    printf(",\"%s\":\"", key);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

/* Not a number is null. */
static void print_number(const char *key, double number)
{
    if (isfinite(number))
        printf(",\"%s\":%.9g", key, number);
    else
        printf(",\"%s\":null", key);
}

static void line_rank(int rank, const struct facts *facts)
{
    printf("{\"test\":\"rank\",\"rank\":%d", rank);
    print_text("host", facts->host);
    print_text("mpi", facts->mpi);
    print_number("cores", facts->cores > 0 ? facts->cores : NAN);
    print_number("load", facts->load);
    puts("}");
}

static void line_compute(int rank, const struct speed *speed)
{
    printf("{\"test\":\"compute\",\"rank\":%d", rank);
    print_number("flops", speed->flops);
    print_number("bandwidth", speed->bandwidth);
    puts("}");
}

static void line_network(int rank, const struct network *network)
{
    printf("{\"test\":\"network\",\"rank\":%d", rank);
    if (network->interface[0])
        print_text("interface", network->interface);
    print_number("mtu", network->mtu);
    print_number("eager", network->eager);
    print_number("buffer", network->buffer);
    puts("}");
}

static void print_timing(const struct timing *timing)
{
    print_number("bytes", timing->bytes);
    print_number("seconds", timing->least);
    print_number("median", timing->median);
    puts("}");
}

static void lines_pair(const struct pair *pair, const struct timing *timings, int count)
{
    for (int i = 0; i < count; i++) {
        printf("{\"test\":\"%s\",\"from\":%d,\"to\":%d",
               timings[i].between ? "between" : "pair", pair->from, pair->to);
        print_timing(&timings[i]);
    }
}

static void lines_alltoall(int ranks, const struct timing *timings, int count)
{
    for (int i = 0; i < count; i++) {
        printf("{\"test\":\"alltoall\",\"ranks\":%d", ranks);
        print_timing(&timings[i]);
    }
}

static void introduce(int rank, int ranks)
{
    struct facts *facts = facts_gather();
    for (int other = 0; other < ranks && rank == 0; other++)
        line_rank(other, &facts[other]);
    free(facts);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void show_speeds(const struct work_node *node, int rank, int ranks)
{
    const struct speed mine = compute(node);
    struct speed *all = rank == 0 ? calloc((size_t)ranks, sizeof *all) : NULL;
    if (rank == 0 && !all)
        app_give_up(PROBE_NAME, "no memory for the speeds of %d ranks", ranks);
    MPI_Gather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, 0,
               MPI_COMM_WORLD);
    for (int other = 0; other < ranks && rank == 0; other++)
        line_compute(other, &all[other]);
    free(all);
}

/* Each rank has sent the longest messages since `before`. */
static void show_networks(const struct sent *before, int max_bytes, int rank, int ranks)
{
    const struct network mine = network_find(before, max_bytes);
    struct network *all = rank == 0 ? calloc((size_t)ranks, sizeof *all) : NULL;
    if (rank == 0 && !all)
        app_give_up(PROBE_NAME, "no memory for the networks of %d ranks", ranks);
    MPI_Gather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, 0,
               MPI_COMM_WORLD);
    for (int other = 0; other < ranks && rank == 0; other++)
        line_network(other, &all[other]);
    free(all);
}

static int run(void *self)
{
    const struct options *options = self;
    const int max_bytes = (int)options->max_bytes.value;
    int rank, ranks;
    struct work_node node;
    struct timing timings[TIMING_MOST_SIZES];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    work_node_init(&node, work_simulated);
    introduce(rank, ranks);
    if (options->compute)
        show_speeds(&node, rank, ranks);
    struct sent *before = sent_read();
    for (int i = 0; i < options->npairs; i++) {
        const struct pair *pair = &options->pairs[i];
        const int count = pingpong(&node, pair, max_bytes, timings);
        lines_pair(pair, timings, count);
        fflush(stdout);
    }
    if (options->npairs > 0)
        show_networks(before, max_bytes, rank, ranks);
    free(before);
    if (options->alltoall) {
        const int count = alltoall(&node, max_bytes, timings);
        lines_alltoall(ranks, timings, count);
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    struct options options = {
        .max_bytes = {.least = 1, .most = 1 << 30, .value = OPTIONS_MAX_BYTES}};
    struct poptOption table[] = {
        {"pairs", 'p', POPT_ARG_STRING, &options.list, 0,
         "ranks to send messages between, as 0-1,0-2", "LIST"},
        {"max-bytes", 'm', POPT_ARG_STRING, &options.max_bytes, MT_OPTION_NUMBER,
         "size of the largest messages (4194304)", "BYTES"},
        {"alltoall", 'a', POPT_ARG_NONE, &options.alltoall, 0,
         "send messages between all ranks at once", NULL},
        {"compute", 'c', POPT_ARG_NONE, &options.compute, 0,
         "measure processors and memory of all ranks at once", NULL},
        POPT_TABLEEND,
    };
    const struct app app = {PROBE_NAME, table, check_options, run, &options};
    const int status = app_main(&app, argc, argv);
    options_clear(&options);
    return status;
}
