/* SPDX-License-Identifier: BSD-3-Clause */
#include "settings.h"

#include "apps/common/give_up.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* The options that are words, as they were typed; owned, NULL: not given. */
struct words {
    char *sizes, *arrival, *ways, *delay, *delay_by, *root;
};

static const char default_sizes[] = "1,1KiB,64KiB,1MiB", default_arrival[] = "none",
                  default_ways[] = "balance,stock,binomial,flat";

static void *room_for_one_more(void *array, int count, size_t size)
{
    array = realloc(array, ((size_t)count + 1) * size);
    if (!array)
        give_up(BENCH_NAME, "no memory for the options");
    return array;
}

static void add_pattern(struct settings *settings, struct pattern pattern)
{
    settings->patterns = room_for_one_more(settings->patterns, settings->npatterns,
                                           sizeof *settings->patterns);
    settings->patterns[settings->npatterns++] = pattern;
}

static enum arguments_outcome add_arrival(struct settings *settings, const char *word,
                                          int ranks)
{
    struct pattern pattern;
    if (strcmp(word, "one:all") == 0) {
        for (int place = 1; place < ranks; place++)
            add_pattern(settings,
                        (struct pattern){.kind = PATTERN_ONE, .place = place});
        return ARGUMENTS_RUN;
    }
    if (!pattern_read(&pattern, word))
        return arguments_complain(
            BENCH_NAME,
            "--arrival knows none, one:PLACE, one:all, ascending, descending, bell, "
            "random and random:CALLS: '%s'",
            word);
    if (pattern.place >= ranks)
        return arguments_complain(BENCH_NAME,
                                  "a place must be between 0 and %d on %d ranks: '%s'",
                                  ranks - 1, ranks, word);
    add_pattern(settings, pattern);
    return ARGUMENTS_RUN;
}

static enum arguments_outcome add_size(struct settings *settings, const char *word,
                                       int ranks)
{
    (void)ranks;
    int bytes;
    if (!bytes_read(&bytes, word))
        return arguments_complain(
            BENCH_NAME, "--sizes must be from 1 B to 1 GiB, as 64, 4KiB: '%s'", word);
    settings->sizes =
        room_for_one_more(settings->sizes, settings->nsizes, sizeof *settings->sizes);
    settings->sizes[settings->nsizes++] = bytes;
    return ARGUMENTS_RUN;
}

static enum arguments_outcome add_way(struct settings *settings, const char *word,
                                      int ranks)
{
    (void)ranks;
    enum way way;
    if (!way_read(&way, word))
        return arguments_complain(
            BENCH_NAME, "--ways knows balance, stock, binomial and flat: '%s'", word);
    for (int i = 0; i < settings->nways; i++)
        if (settings->ways[i] == way)
            return arguments_complain(BENCH_NAME, "--ways names it twice: '%s'", word);
    settings->ways[settings->nways++] = way;
    return ARGUMENTS_RUN;
}

/* Give each word between the commas to `add`. */
static enum arguments_outcome add_words(
    struct settings *settings, const char *list, int ranks,
    enum arguments_outcome (*add)(struct settings *, const char *, int))
{
    enum arguments_outcome outcome = ARGUMENTS_RUN;
    char *copy = strdup(list), *rest = copy, *word;
    if (!copy)
        give_up(BENCH_NAME, "no memory for the options");
    while (outcome == ARGUMENTS_RUN && (word = strsep(&rest, ",")))
        outcome = add(settings, word, ranks);
    free(copy);
    return outcome;
}

static enum arguments_outcome read_lists(struct settings *settings,
                                         const struct words *words, int patterns,
                                         int ranks)
{
    const char *arrival = words->arrival;
    if (!arrival && patterns == 0)
        arrival = default_arrival;
    enum arguments_outcome outcome = add_words(
        settings, words->sizes ? words->sizes : default_sizes, ranks, add_size);
    if (outcome == ARGUMENTS_RUN)
        outcome = add_words(settings, words->ways ? words->ways : default_ways, ranks,
                            add_way);
    if (outcome == ARGUMENTS_RUN && arrival)
        outcome = add_words(settings, arrival, ranks, add_arrival);
    for (int i = 1; i <= patterns; i++)
        add_pattern(settings, (struct pattern){.kind = PATTERN_RANDOM, .number = i});
    return outcome;
}

static enum arguments_outcome read_words(struct settings *settings,
                                         const struct words *words, int ranks)
{
    const char *by = words->delay_by, *root = words->root;
    settings->spin = by && strcmp(by, "spin") == 0;
    settings->rotates = root && strcmp(root, "rotating") == 0;
    if (by && !settings->spin && strcmp(by, "sleep") != 0)
        return arguments_complain(BENCH_NAME,
                                  "--delay-by is neither sleep nor spin: '%s'", by);
    if (words->delay && !delay_read(&settings->delay, words->delay))
        return arguments_complain(
            BENCH_NAME, "--delay must be like 10ms or 10x (ns us ms s x): '%s'",
            words->delay);
    if (root && !settings->rotates &&
        (!count_read(&settings->root, root) || settings->root >= ranks))
        return arguments_complain(BENCH_NAME,
                                  "--root must be between 0 and %d, or rotating: '%s'",
                                  ranks - 1, root);
    return ARGUMENTS_RUN;
}

static enum arguments_outcome check_counts(const struct settings *settings,
                                           int patterns, int seed, int ranks)
{
    if (ranks < 2)
        return arguments_complain(BENCH_NAME, "it takes at least 2 ranks");
    if (settings->calls < 2)
        return arguments_complain(BENCH_NAME, "--calls must be at least 2: '%d'",
                                  settings->calls);
    if (settings->warm_up < 0 || settings->warm_up >= settings->calls)
        return arguments_complain(BENCH_NAME,
                                  "--warm-up must be between 0 and %d: '%d'",
                                  settings->calls - 1, settings->warm_up);
    if (settings->repetitions < 1)
        return arguments_complain(BENCH_NAME, "--repetitions must be at least 1: '%d'",
                                  settings->repetitions);
    if (patterns < 0)
        return arguments_complain(BENCH_NAME, "--patterns must be at least 0: '%d'",
                                  patterns);
    if (seed < 0)
        return arguments_complain(BENCH_NAME, "--seed must be at least 0: '%d'", seed);
    return ARGUMENTS_RUN;
}

enum arguments_outcome settings_read(struct settings *settings, int argc, char **argv)
{
    struct words words = {.sizes = NULL};
    int patterns = 0, seed = 0, no_barrier = 0, ranks;
    *settings = (struct settings){
        .delay = {.amount = 10, .relative = true}, .calls = 50, .repetitions = 3};
    struct poptOption table[] = {
        {"sizes", 's', POPT_ARG_STRING, &words.sizes, 0,
         "of the messages (1,1KiB,64KiB,1MiB)", "LIST"},
        {"arrival", 'a', POPT_ARG_STRING, &words.arrival, 0,
         "who is late: none (default), one:PLACE, one:all, ascending, descending, "
         "bell, random, random:CALLS",
         "LIST"},
        {"patterns", '\0', POPT_ARG_INT, &patterns, 0,
         "so many random patterns of arrival", "NUMBER"},
        {"delay", 'd', POPT_ARG_STRING, &words.delay, 0,
         "of the latest rank: 10ms, or 10x the stock broadcast without delays (10x)",
         "TIME"},
        {"delay-by", '\0', POPT_ARG_STRING, &words.delay_by, 0, "sleep (default), spin",
         "WORD"},
        {"root", 'r', POPT_ARG_STRING, &words.root, 0, "a rank (0), or rotating",
         "RANK"},
        {"no-barrier", '\0', POPT_ARG_NONE, &no_barrier, 0,
         "ranks do not wait for each other before each call", NULL},
        {"ways", 'w', POPT_ARG_STRING, &words.ways, 0,
         "to compare (balance,stock,binomial,flat)", "LIST"},
        {"calls", 'c', POPT_ARG_INT, &settings->calls, 0, "in a row (50)", "NUMBER"},
        {"warm-up", '\0', POPT_ARG_INT, &settings->warm_up, 0,
         "first calls that are not counted (0)", "NUMBER"},
        {"repetitions", '\0', POPT_ARG_INT, &settings->repetitions, 0, "of them (3)",
         "NUMBER"},
        {"seed", '\0', POPT_ARG_INT, &seed, 0, "of random patterns (0)", "NUMBER"},
        {"json", '\0', POPT_ARG_STRING, &settings->json, 0, "write the results to FILE",
         "FILE"},
        POPT_TABLEEND,
    };
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    enum arguments_outcome outcome = arguments_read(BENCH_NAME, table, argc, argv);
    settings->barrier = !no_barrier;
    settings->seed = (uint64_t)seed;
    if (outcome == ARGUMENTS_RUN)
        outcome = check_counts(settings, patterns, seed, ranks);
    if (outcome == ARGUMENTS_RUN)
        outcome = read_words(settings, &words, ranks);
    if (outcome == ARGUMENTS_RUN)
        outcome = read_lists(settings, &words, patterns, ranks);
    free(words.sizes);
    free(words.arrival);
    free(words.ways);
    free(words.delay);
    free(words.delay_by);
    free(words.root);
    return outcome;
}

void settings_clear(struct settings *settings)
{
    free(settings->sizes);
    free(settings->patterns);
    free(settings->json);
    *settings = (struct settings){.nsizes = 0};
}
