/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include "apps/common/app.h"

#include <ctype.h>
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* Digits; a rank that nobody has is as good as any other such. */
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

bool options_check(struct options *options)
{
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    bool good = true;
    char *rest = options->list, *word; /* cut into words */
    while (good && (word = strsep(&rest, ",")))
        good = add_pair(options, word, ranks);
    return good;
}

void options_clear(struct options *options)
{
    free(options->list);
    free(options->max_bytes.text);
    free(options->pairs);
    *options = (struct options){.npairs = 0};
}
