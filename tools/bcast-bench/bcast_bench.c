/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * motley-bcast-bench - measures the time of ranks in a broadcast to which some come
 * late. The program's call, with any preloaded library, and the MPI's alternate in
 * blocks of calls, each on a new communicator, so that learning time counts.
 */
#include "apps/common/app.h"
#include "apps/common/work.h"
#include "lib/base/number.h"
#include "lib/base/options.h"
#include "lib/base/quantity.h"
#include "lib/stats/random.h"
#include "series.h"

#include <errno.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NAME "motley-bcast-bench"

enum way { BALANCE, STOCK, WAYS };
static const char *const way_names[WAYS] = {"balance", "stock"};

enum kind { NOBODY, ONE, RANDOM };
/* Patterns of arrival: which ranks are late, by number; for ONE, the late rank. */
struct arrival {
    enum kind kind;
    int first, last; /* numbers */
};

enum { MOST_WORDS = 64, MOST_PATTERNS = 1000000, MOST_BYTES = 1 << 30 };

struct settings {
    char *sizes_text, *arrival_text, *delay_text, *ways_text,
        *json; /* owned, or NULL */
    struct mt_number_option calls, repetitions, warm_up, root;

    /* The values of the texts: */
    int nsizes, sizes[MOST_WORDS]; /* bytes */
    int narrivals;
    struct arrival arrivals[MOST_WORDS];
    bool ways[WAYS];
    double delay;  /* of the latest rank: seconds, or */
    bool relative; /* times the MPI's broadcast with no late ranks */
};

/* The message of a broadcast, and its late ranks. */
struct load {
    int bytes, ranks;
    enum kind kind;
    int number;
    double late; /* seconds of the longest delay */
    double root; /* the root's share of it in random patterns; less than 0: random */
    bool checked;
};

/* Results for the calls of one load. */
struct figures {
    struct spread of[WAYS][METRICS];
};

struct bench {
    const struct settings *settings; /* borrowed */
    int rank, ranks, calls;
    struct work_node node;             /* messages have content, in simulations */
    unsigned char *buffer;             /* of the current size */
    double *in_call, *started, *ended; /* [calls] of this rank's block */
    double *starts;                    /* [calls] of all ranks' */
    struct series series[WAYS];
    FILE *json; /* or NULL */
};

struct unit {
    const char *name;
    double factor;
};

/* Ascending; the last has no name. */
static const struct unit byte_units[] = {
    {"B", 1}, {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {NULL, 0}};
static const struct unit time_units[] = {
    {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {NULL, 0}};

enum { QUANTITY_LENGTH = 32 };

/* "12.34 us", four digits. */
static const char *quantity_text(char text[QUANTITY_LENGTH], double value,
                                 const struct unit *unit)
{
    while (unit[1].name && value >= 0.9995 * unit[1].factor)
        unit++;
    snprintf(text, QUANTITY_LENGTH, "%.4g %s", value / unit->factor, unit->name);
    return text;
}

/* A whole number up to `most`; -1: not a number. */
static int read_count(const char *text, int most)
{
    double value;
    const char *end = mt_number_read(text, &value);
    return end && !*end && value <= most && value == floor(value) ? (int)value : -1;
}

static bool add_size(struct settings *settings, const char *word, int ranks)
{
    (void)ranks;
    double bytes = read_count(word, MOST_BYTES);
    if (bytes < 0 && mt_quantity_parse(&bytes, word, MT_BYTES, NULL) != MT_OK)
        bytes = 0;
    if (bytes < 1 || bytes > MOST_BYTES || bytes != floor(bytes))
        return app_complain(
            NAME, "--sizes must be from 1 B to 1 GiB, as 64, 4KiB: '%s'", word);
    settings->sizes[settings->nsizes++] = (int)bytes;
    return true;
}

static bool add_arrival(struct settings *settings, const char *word, int ranks)
{
    struct arrival arrival = {NOBODY, 0, 0};
    if (strcmp(word, "one:all") == 0)
        arrival = (struct arrival){ONE, 1, ranks - 1};
    else if (strncmp(word, "one:", 4) == 0) {
        const int rank = read_count(word + 4, ranks - 1);
        arrival = (struct arrival){ONE, rank, rank};
    } else if (strncmp(word, "random:", 7) == 0)
        arrival = (struct arrival){RANDOM, 1, read_count(word + 7, MOST_PATTERNS)};
    else if (strcmp(word, "none") != 0)
        arrival.last = -1;
    if (arrival.last < 0 || arrival.last < arrival.first)
        return app_complain(NAME,
                            "--arrival knows none, one:RANK, one:all and random:COUNT, "
                            "on %d ranks: '%s'",
                            ranks, word);
    settings->arrivals[settings->narrivals++] = arrival;
    return true;
}

static bool add_way(struct settings *settings, const char *word, int ranks)
{
    (void)ranks;
    for (int way = 0; way < WAYS; way++)
        if (strcmp(word, way_names[way]) == 0)
            return settings->ways[way] = true;
    return app_complain(NAME, "--ways knows balance and stock: '%s'", word);
}

/* Give each word between the commas to `add`. */
static bool add_words(struct settings *settings, const char *option, const char *list,
                      bool (*add)(struct settings *, const char *, int))
{
    int ranks, count = 0;
    bool good = true;
    char *copy = strdup(list), *rest = copy, *word;
    if (!copy)
        app_give_up(NAME, "no memory for the options");
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    while (good && (word = strsep(&rest, ",")))
        good = count++ < MOST_WORDS ? add(settings, word, ranks)
                                    : app_complain(NAME, "%s takes at most %d words",
                                                   option, MOST_WORDS);
    free(copy);
    return good;
}

static bool read_delay(struct settings *settings, const char *text)
{
    const char *unit = mt_number_read(text, &settings->delay);
    settings->relative = unit && strcmp(unit, "x") == 0;
    if ((!settings->relative &&
         mt_quantity_parse(&settings->delay, text, MT_SECONDS, NULL) != MT_OK) ||
        !isfinite(settings->delay))
        return app_complain(
            NAME, "--delay must be like 10ms or 10x (ns us ms s x): '%s'", text);
    return true;
}

static const char *or_else(const char *text, const char *fallback)
{
    return text ? text : fallback;
}

static bool check_settings(void *self)
{
    struct settings *settings = self;
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks < 2)
        return app_complain(NAME, "it takes at least 2 ranks");
    return add_words(settings, "--sizes",
                     or_else(settings->sizes_text, "1,1KiB,64KiB,1MiB"), add_size) &&
           add_words(settings, "--ways", or_else(settings->ways_text, "balance,stock"),
                     add_way) &&
           read_delay(settings, or_else(settings->delay_text, "10x")) &&
           add_words(settings, "--arrival", or_else(settings->arrival_text, "none"),
                     add_arrival);
}

/* A rank's delay, seconds; every rank can compute that of any rank. */
static double lateness(const struct load *load, int rank)
{
    if (load->kind != RANDOM)
        return load->kind == ONE && rank == load->number ? load->late : 0;
    if (rank == 0 && load->root >= 0)
        return load->late * load->root;
    const uint64_t pattern = mt_random_hash((uint64_t)load->number);
    return load->late * 0x1p-53 *
           (double)(mt_random_hash(pattern + (uint64_t)rank) >> 11);
}

/* The mean wait of the ranks for the root if its message took no time, which no
   broadcast can avoid. */
static double wait_for_root(const struct load *load)
{
    double sum = 0;
    for (int rank = 1; rank < load->ranks; rank++)
        sum += fmax(0, lateness(load, 0) - lateness(load, rank));
    return sum / load->ranks;
}

static const char *arrival_text(char text[QUANTITY_LENGTH], const struct load *load)
{
    static const char *const formats[] = {
        [NOBODY] = "none", [ONE] = "one:%d", [RANDOM] = "random#%d"};
    snprintf(text, QUANTITY_LENGTH, formats[load->kind], load->number);
    return text;
}

/* All bytes of a message of up to 4 KiB are checked; of a larger one, a thousand and
   the last. Neighbouring calls differ in every byte. */
enum { WHOLE = 4096, SAMPLES = 1000 };

static unsigned char byte_at(int position, int call)
{
    const unsigned place = (unsigned)position * 2654435761U;
    return (unsigned char)((place >> 24) + 31U * (unsigned)call);
}

static int next_byte(int position, int bytes)
{
    const int next = position + (bytes <= WHOLE ? 1 : bytes / SAMPLES);
    return position < bytes - 1 && next > bytes - 1 ? bytes - 1 : next;
}

static void write_data(unsigned char *buffer, int bytes, int call)
{
    for (int i = 0; i < bytes; i = next_byte(i, bytes))
        buffer[i] = byte_at(i, call);
}

static bool data_matches(const unsigned char *buffer, int bytes, int call)
{
    for (int i = 0; i < bytes; i = next_byte(i, bytes))
        if (buffer[i] != byte_at(i, call))
            return false;
    return true;
}

static void pass(double seconds)
{
    if (seconds <= 0)
        return;
    const double whole = floor(seconds);
    struct timespec left = {.tv_sec = (time_t)whole,
                            .tv_nsec = (long)((seconds - whole) * 1e9)};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
}

/* The longest time of a call, with consecutive messages at 100 MB/s. */
static double longest_call(const struct load *load)
{
    return 1 + load->late + 1e-8 * load->bytes * load->ranks;
}

/* Wait for all ranks. Simulated ranks share a clock: they continue at the same instant,
   unlike after MPI_Barrier, and without messages, which would cost the simulator more
   than the call. `when` is the instant of the previous call. */
static void meet(const struct load *load, double *when, MPI_Comm comm)
{
    *when += longest_call(load);
    if (!work_simulated)
        MPI_Barrier(comm);
    else if (MPI_Wtime() > *when)
        app_give_up(NAME, "a call took more than %g s", longest_call(load));
    else
        pass(*when - MPI_Wtime());
}

/* Returns the number of calls with wrong data on this rank. Starts and ends are
   relative to the barrier's end on the rank, as nodes have clocks of their own. */
static int run_calls(struct bench *bench, const struct load *load, enum way way,
                     MPI_Comm comm)
{
    int wrong = 0;
    double when = MPI_Wtime();
    MPI_Allreduce(MPI_IN_PLACE, &when, 1, MPI_DOUBLE, MPI_MAX, comm);
    for (int call = -(int)bench->settings->warm_up.value; call < bench->calls; call++) {
        if (bench->rank == 0 && load->checked)
            write_data(bench->buffer, load->bytes, call);
        meet(load, &when, comm);
        const double zero = MPI_Wtime();
        pass(call < 0 ? 0 : lateness(load, bench->rank));
        const double start = MPI_Wtime();
        if (way == STOCK)
            PMPI_Bcast(bench->buffer, load->bytes, MPI_BYTE, 0, comm);
        else
            MPI_Bcast(bench->buffer, load->bytes, MPI_BYTE, 0, comm);
        const double end = MPI_Wtime();
        if (load->checked)
            wrong += !data_matches(bench->buffer, load->bytes, call);
        if (call < 0)
            continue;
        bench->in_call[call] = end - start;
        bench->started[call] = start - zero;
        bench->ended[call] = end - zero;
    }
    return wrong;
}

static void reduce(const double *mine, double *all, int count, MPI_Op operation)
{
    MPI_Reduce(mine, all, count, MPI_DOUBLE, operation, 0, MPI_COMM_WORLD);
}

/* Make a block of calls, and add their times to the way's series. Collective. */
static void run_block(struct bench *bench, const struct load *load, enum way way,
                      int repetition)
{
    struct series *series = &bench->series[way];
    const int calls = bench->calls, first = repetition * calls;
    double *in_call = series->in_call + first, *overall = series->overall + first;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    int wrong = run_calls(bench, load, way, comm);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    series->wrong += wrong;
    reduce(bench->in_call, in_call, calls, MPI_SUM);
    reduce(bench->in_call, series->longest + first, calls, MPI_MAX);
    reduce(bench->started, bench->starts, calls, MPI_MIN);
    reduce(bench->ended, overall, calls, MPI_MAX);
    for (int i = 0; i < calls; i++) {
        in_call[i] /= bench->ranks;
        overall[i] -= bench->starts[i];
    }
    MPI_Comm_free(&comm);
}

static void print_heading(const struct bench *bench)
{
    const char *wish = getenv("MOTLEY_BALANCE");
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    version[strcspn(version, ",\n")] = 0;
    for (char *tab; (tab = strchr(version, '\t'));)
        *tab = ' ';
    printf("%d ranks%s, %s, MOTLEY_BALANCE=%s, %d calls %d times\n\n", bench->ranks,
           work_simulated ? " (simulated)" : "", version, wish ? wish : "",
           bench->calls, (int)bench->settings->repetitions.value);
    printf("%31s  %-28s  %-28s%8s  %-28s\n", "",
           "mean time in the call:", "the same, when learned:", "",
           "longest, when learned:");
    printf("%9s%12s%10s", "size", "arrival", "late");
    printf("  %10s%10s%8s", "stock", "balance", "ratio");
    printf("  %10s%10s%8s%8s", "stock", "balance", "ratio", "rounds");
    printf("  %10s%10s%8s\n", "stock", "balance", "ratio");
}

/* The medians of both ways, and the ratio to the MPI's if both were measured. */
static void print_pair(const struct bench *bench, const struct figures *figures,
                       enum metric metric)
{
    const bool *ways = bench->settings->ways;
    const double stock = figures->of[STOCK][metric].median,
                 balance = figures->of[BALANCE][metric].median;
    char text[QUANTITY_LENGTH];
    printf("  %10s", ways[STOCK] ? quantity_text(text, stock, time_units) : "-");
    printf("%10s", ways[BALANCE] ? quantity_text(text, balance, time_units) : "-");
    if (ways[STOCK] && ways[BALANCE])
        printf("%8.3f", balance / stock);
    else
        printf("%8s", "-");
}

static void print_row(const struct bench *bench, const struct load *load,
                      const struct figures *figures)
{
    char text[QUANTITY_LENGTH];
    const double rounds = figures->of[BALANCE][METRIC_ROUNDS].median;
    printf("%9s", quantity_text(text, load->bytes, byte_units));
    printf("%12s", arrival_text(text, load));
    printf("%10s", quantity_text(text, load->late, time_units));
    print_pair(bench, figures, METRIC_IN_CALL);
    print_pair(bench, figures, METRIC_IN_CALL_LEARNED);
    if (bench->settings->ways[BALANCE] && rounds < bench->calls)
        printf("%8.0f", rounds);
    else
        printf("%8s", "-");
    print_pair(bench, figures, METRIC_LONGEST_LEARNED);
    puts(load->checked ? "" : "  (data too large to be checked)");
    fflush(stdout);
}

/* A line with an object for each metric of a way. No text in it needs escapes. */
static void write_json(const struct bench *bench, const struct load *load, enum way way,
                       const struct figures *figures)
{
    const bool compared = way == BALANCE && bench->settings->ways[STOCK];
    char arrival[QUANTITY_LENGTH];
    arrival_text(arrival, load);
    for (int metric = 0; metric < METRICS; metric++) {
        const struct spread *spread = &figures->of[way][metric];
        const double rival = figures->of[STOCK][metric].median;
        fprintf(bench->json,
                "{\"schema\": \"motley/bcast-bench\", \"version\": 1, "
                "\"simulated\": %s, \"ranks\": %d, \"bytes\": %d, "
                "\"arrival\": \"%s\", \"late\": %.9g, \"wait_for_root\": %.9g, "
                "\"calls\": %d, \"repetitions\": %d, \"checked\": %s, "
                "\"way\": \"%s\", \"metric\": \"%s\", \"value\": %.9g, "
                "\"unit\": \"%s\", \"p10\": %.9g, \"p90\": %.9g, ",
                work_simulated ? "true" : "false", bench->ranks, load->bytes, arrival,
                load->late, wait_for_root(load), bench->calls,
                (int)bench->settings->repetitions.value,
                load->checked ? "true" : "false", way_names[way],
                metric_name((enum metric)metric), spread->median,
                metric == METRIC_ROUNDS ? "calls" : "s", spread->p10, spread->p90);
        if (compared && rival > 0)
            fprintf(bench->json,
                    "\"rival\": \"stock\", \"rival_value\": %.9g, \"ratio\": %.6g}\n",
                    rival, spread->median / rival);
        else
            fprintf(bench->json,
                    "\"rival\": null, \"rival_value\": null, \"ratio\": null}\n");
    }
    fflush(bench->json);
}

/* Run all repetitions of the ways, which take turns to be first. */
static void measure_load(struct bench *bench, const struct load *load)
{
    const struct settings *settings = bench->settings;
    struct figures figures = {0};
    for (int repetition = 0; repetition < settings->repetitions.value; repetition++)
        for (int turn = 0; turn < WAYS; turn++) {
            const enum way way = (enum way)((turn + repetition) % WAYS);
            if (settings->ways[way])
                run_block(bench, load, way, repetition);
        }
    if (bench->rank != 0)
        return;
    for (int way = 0; way < WAYS; way++)
        for (int metric = 0; settings->ways[way] && metric < METRICS; metric++)
            figures.of[way][metric] =
                series_spread(&bench->series[way], (enum metric)metric);
    print_row(bench, load, &figures);
    for (int way = 0; way < WAYS; way++)
        if (bench->json && settings->ways[way])
            write_json(bench, load, (enum way)way, &figures);
}

/* The unit of the delay, on all ranks: seconds of the MPI's broadcast from the first
   start to the last end, without late ranks. */
static double delay_unit(struct bench *bench, struct load load)
{
    if (!bench->settings->relative)
        return 1;
    load.kind = NOBODY;
    run_block(bench, &load, STOCK, 0);
    double seconds = spread_of(bench->series[STOCK].overall, bench->calls).median;
    PMPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return seconds;
}

static void measure_size(struct bench *bench, int bytes)
{
    static const double most_memory = 0x1p26; /* bytes of all ranks in one simulator */
    const struct settings *settings = bench->settings;
    const bool shared = work_simulated && (double)bytes * bench->ranks > most_memory;
    struct load load = {.bytes = bytes, .ranks = bench->ranks, .checked = !shared};
    load.root = settings->root.value;
    work_node_init(&bench->node, shared);
    bench->buffer = work_buffer(&bench->node, (size_t)bytes, 1);
    if (!bench->buffer)
        app_give_up(NAME, "no memory for a message of %d bytes on rank %d", bytes,
                    bench->rank);
    const double delay = settings->delay * delay_unit(bench, load);
    for (int i = 0; i < settings->narrivals; i++) {
        const struct arrival *arrival = &settings->arrivals[i];
        load.kind = arrival->kind;
        load.late = load.kind == NOBODY ? 0 : delay;
        for (load.number = arrival->first; load.number <= arrival->last; load.number++)
            measure_load(bench, &load);
    }
    work_buffer_free(&bench->node, bench->buffer);
}

static void start(struct bench *bench)
{
    const struct settings *settings = bench->settings;
    const size_t calls = (size_t)bench->calls;
    MPI_Comm_rank(MPI_COMM_WORLD, &bench->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &bench->ranks);
    bench->in_call = calloc(calls, sizeof(double));
    bench->started = calloc(calls, sizeof(double));
    bench->ended = calloc(calls, sizeof(double));
    bench->starts = calloc(calls, sizeof(double));
    bool good = bench->in_call && bench->started && bench->ended && bench->starts;
    for (int way = 0; way < WAYS; way++)
        good &= series_init(&bench->series[way], bench->calls,
                            (int)settings->repetitions.value) == 0;
    if (!good)
        app_give_up(NAME, "no memory for the times of %zu calls", calls);
    if (settings->json && bench->rank == 0) {
        bench->json = fopen(settings->json, "w");
        if (!bench->json)
            app_give_up(NAME, "cannot write '%s': %s", settings->json, strerror(errno));
    }
}

/* Whether all data was right. */
static bool finish(struct bench *bench)
{
    bool right = true;
    for (int way = 0; way < WAYS; way++) {
        const int wrong = bench->series[way].wrong;
        if (wrong > 0)
            right = app_complain(NAME, "wrong data in %d receptions by %s", wrong,
                                 way_names[way]);
        series_clear(&bench->series[way]);
    }
    if (bench->json && (ferror(bench->json) | (fclose(bench->json) != 0)))
        app_give_up(NAME, "cannot write '%s': %s", bench->settings->json,
                    strerror(errno));
    free(bench->in_call);
    free(bench->started);
    free(bench->ended);
    free(bench->starts);
    return right;
}

static int run(void *self)
{
    const struct settings *settings = self;
    struct bench bench = {.settings = settings, .calls = (int)settings->calls.value};
    start(&bench);
    if (bench.rank == 0)
        print_heading(&bench);
    for (int i = 0; i < settings->nsizes; i++)
        measure_size(&bench, settings->sizes[i]);
    return finish(&bench) ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    struct settings settings = {
        .calls = {.least = 2, .most = MT_MOST_COUNT, .value = 50},
        .repetitions = {.least = 1, .most = MT_MOST_COUNT, .value = 3},
        .warm_up = {.most = MT_MOST_COUNT},
        .root = {.kind = MT_NUMBER_FROM, .most = 1, .value = -1}};
    struct poptOption table[] = {
        {"sizes", 's', POPT_ARG_STRING, &settings.sizes_text, 0,
         "of the messages (1,1KiB,64KiB,1MiB)", "LIST"},
        {"arrival", 'a', POPT_ARG_STRING, &settings.arrival_text, 0,
         "who is late: none (default), one:RANK, one:all, random:COUNT", "LIST"},
        {"delay", 'd', POPT_ARG_STRING, &settings.delay_text, 0,
         "of the latest rank: 10ms, or 10x the stock broadcast without delays (10x)",
         "TIME"},
        {"ways", 'w', POPT_ARG_STRING, &settings.ways_text, 0,
         "to measure (balance,stock)", "LIST"},
        {"calls", 'c', POPT_ARG_STRING, &settings.calls, MT_OPTION_NUMBER,
         "in a row (50)", "NUMBER"},
        {"repetitions", '\0', POPT_ARG_STRING, &settings.repetitions, MT_OPTION_NUMBER,
         "of them (3)", "NUMBER"},
        {"warm-up", '\0', POPT_ARG_STRING, &settings.warm_up, MT_OPTION_NUMBER,
         "uncounted calls before each block, without late ranks (0)", "NUMBER"},
        {"root", '\0', POPT_ARG_STRING, &settings.root, MT_OPTION_NUMBER,
         "the share of the delay by which the root is late in random patterns (random)",
         "SHARE"},
        {"json", '\0', POPT_ARG_STRING, &settings.json, 0, "write the results to FILE",
         "FILE"},
        POPT_TABLEEND,
    };
    const struct app app = {NAME, table, check_settings, run, &settings};
    const int status = app_main(&app, argc, argv);
    for (const struct poptOption *option = table; option->longName; option++)
        free(*(char **)option->arg);
    return status;
}
