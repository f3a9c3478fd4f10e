/* SPDX-License-Identifier: BSD-3-Clause */
#include "settings.h"

#include "apps/common/app.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static const char default_sizes[] = "1,1KiB,64KiB,1MiB", default_arrival[] = "none",
                  default_ways[] = "balance,stock,binomial,flat";

static void *room_for_one_more(void *array, int count, size_t size)
{
    array = realloc(array, ((size_t)count + 1) * size);
    if (!array)
        app_give_up(BENCH_NAME, "no memory for the options");
    return array;
}

static void add_pattern(struct settings *settings, struct pattern pattern)
{
    settings->patterns = room_for_one_more(settings->patterns, settings->npatterns,
                                           sizeof *settings->patterns);
    settings->patterns[settings->npatterns++] = pattern;
}

static bool add_arrival(struct settings *settings, const char *word, int ranks)
{
    struct pattern pattern;
    if (strcmp(word, "one:all") == 0) {
        for (int place = 1; place < ranks; place++)
            add_pattern(settings,
                        (struct pattern){.kind = PATTERN_ONE, .place = place});
        return true;
    }
    if (!pattern_read(&pattern, word))
        return app_complain(
            BENCH_NAME,
            "--arrival knows none, one:PLACE, one:all, ascending, descending, bell, "
            "random and random:CALLS: '%s'",
            word);
    if (pattern.place >= ranks)
        return app_complain(BENCH_NAME,
                            "a place must be between 0 and %d on %d ranks: '%s'",
                            ranks - 1, ranks, word);
    add_pattern(settings, pattern);
    return true;
}

static bool add_size(struct settings *settings, const char *word, int ranks)
{
    (void)ranks;
    int bytes;
    if (!bytes_read(&bytes, word))
        return app_complain(
            BENCH_NAME, "--sizes must be from 1 B to 1 GiB, as 64, 4KiB: '%s'", word);
    settings->sizes =
        room_for_one_more(settings->sizes, settings->nsizes, sizeof *settings->sizes);
    settings->sizes[settings->nsizes++] = bytes;
    return true;
}

static bool add_way(struct settings *settings, const char *word, int ranks)
{
    (void)ranks;
    enum way way;
    if (!way_read(&way, word))
        return app_complain(
            BENCH_NAME, "--ways knows balance, stock, binomial and flat: '%s'", word);
    for (int i = 0; i < settings->nways; i++)
        if (settings->ways[i] == way)
            return app_complain(BENCH_NAME, "--ways names it twice: '%s'", word);
    settings->ways[settings->nways++] = way;
    return true;
}

/* Give each word between the commas to `add`. */
static bool add_words(struct settings *settings, const char *list, int ranks,
                      bool (*add)(struct settings *, const char *, int))
{
    bool good = true;
    char *copy = strdup(list), *rest = copy, *word;
    if (!copy)
        app_give_up(BENCH_NAME, "no memory for the options");
    while (good && (word = strsep(&rest, ",")))
        good = add(settings, word, ranks);
    free(copy);
    return good;
}

static bool read_lists(struct settings *settings, int ranks)
{
    const struct settings_words *words = &settings->words;
    const char *arrival = words->arrival;
    if (!arrival && settings->random == 0)
        arrival = default_arrival;
    bool good = add_words(settings, words->sizes ? words->sizes : default_sizes, ranks,
                          add_size);
    if (good)
        good = add_words(settings, words->ways ? words->ways : default_ways, ranks,
                         add_way);
    if (good && arrival)
        good = add_words(settings, arrival, ranks, add_arrival);
    for (int i = 1; i <= settings->random; i++)
        add_pattern(settings, (struct pattern){.kind = PATTERN_RANDOM, .number = i});
    return good;
}

static bool read_words(struct settings *settings, int ranks)
{
    const struct settings_words *words = &settings->words;
    const char *by = words->delay_by, *root = words->root;
    settings->spin = by && strcmp(by, "spin") == 0;
    settings->rotates = root && strcmp(root, "rotating") == 0;
    if (by && !settings->spin && strcmp(by, "sleep") != 0)
        return app_complain(BENCH_NAME, "--delay-by is neither sleep nor spin: '%s'",
                            by);
    if (words->delay && !delay_read(&settings->delay, words->delay))
        return app_complain(BENCH_NAME,
                            "--delay must be like 10ms or 10x (ns us ms s x): '%s'",
                            words->delay);
    if (root && !settings->rotates &&
        (!count_read(&settings->root, root) || settings->root >= ranks))
        return app_complain(
            BENCH_NAME, "--root: '%s' is not a whole number from 0 to %d, or rotating",
            root, ranks - 1);
    return true;
}

static bool read_counts(struct settings *settings, int ranks)
{
    const struct settings_words *words = &settings->words;
    settings->calls = (int)words->calls.value;
    settings->warm_up = (int)words->warm_up.value;
    settings->repetitions = (int)words->repetitions.value;
    settings->random = (int)words->random.value;
    settings->seed = (int)words->seed.value;
    if (ranks < 2)
        return app_complain(BENCH_NAME, "it takes at least 2 ranks");
    if (settings->warm_up >= settings->calls)
        return app_complain(BENCH_NAME, "--warm-up: '%d' is not below --calls, %d",
                            settings->warm_up, settings->calls);
    return true;
}

bool settings_check(struct settings *settings)
{
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return read_counts(settings, ranks) && read_words(settings, ranks) &&
           read_lists(settings, ranks);
}

void settings_clear(struct settings *settings)
{
    struct settings_words *words = &settings->words;
    free(words->sizes);
    free(words->arrival);
    free(words->ways);
    free(words->delay);
    free(words->delay_by);
    free(words->root);
    free(words->calls.text);
    free(words->warm_up.text);
    free(words->repetitions.text);
    free(words->random.text);
    free(words->seed.text);
    free(settings->sizes);
    free(settings->patterns);
    free(settings->json);
    *settings = (struct settings){.nsizes = 0};
}
