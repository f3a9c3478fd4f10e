/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include "apps/common/give_up.h"

#include <ctype.h>
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_MAX_BYTES = 4 << 20, MOST_BYTES = 1 << 30 };

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

static enum arguments_outcome add_pair(struct options *options, const char *word,
                                       int ranks)
{
    struct pair pair;
    if (!pair_read(&pair, word))
        return arguments_complain(PROBE_NAME, "--pairs must be like 0-1,0-2: '%s'",
                                  word);
    if (pair.from >= ranks || pair.to >= ranks || pair.from == pair.to)
        return arguments_complain(
            PROBE_NAME, "--pairs takes two different ranks between 0 and %d: '%s'",
            ranks - 1, word);
    struct pair *pairs =
        realloc(options->pairs, ((size_t)options->npairs + 1) * sizeof *pairs);
    if (!pairs)
        give_up(PROBE_NAME, "no memory for the options");
    options->pairs = pairs;
    options->pairs[options->npairs++] = pair;
    return ARGUMENTS_RUN;
}

/* Cuts the list into words. */
static enum arguments_outcome add_pairs(struct options *options, char *list, int ranks)
{
    enum arguments_outcome outcome = ARGUMENTS_RUN;
    char *word;
    while (outcome == ARGUMENTS_RUN && (word = strsep(&list, ",")))
        outcome = add_pair(options, word, ranks);
    return outcome;
}

enum arguments_outcome options_read(struct options *options, int argc, char **argv)
{
    int compute = 0, alltoall = 0, ranks;
    char *pairs = NULL;
    *options = (struct options){.max_bytes = DEFAULT_MAX_BYTES};
    struct poptOption table[] = {
        {"pairs", 'p', POPT_ARG_STRING, &pairs, 0,
         "ranks to send messages between, as 0-1,0-2", "LIST"},
        {"max-bytes", 'm', POPT_ARG_INT, &options->max_bytes, 0,
         "size of the largest messages (4194304)", "BYTES"},
        {"alltoall", 'a', POPT_ARG_NONE, &alltoall, 0,
         "send messages between all ranks at once", NULL},
        {"compute", 'c', POPT_ARG_NONE, &compute, 0,
         "measure processors and memory of all ranks at once", NULL},
        POPT_TABLEEND,
    };
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    enum arguments_outcome outcome = arguments_read(PROBE_NAME, table, argc, argv);
    options->compute = compute;
    options->alltoall = alltoall;
    if (outcome == ARGUMENTS_RUN &&
        (options->max_bytes < 1 || options->max_bytes > MOST_BYTES))
        outcome =
            arguments_complain(PROBE_NAME, "--max-bytes must be between 1 and %d: '%d'",
                               MOST_BYTES, options->max_bytes);
    if (outcome == ARGUMENTS_RUN && pairs)
        outcome = add_pairs(options, pairs, ranks);
    free(pairs);
    return outcome;
}

void options_clear(struct options *options)
{
    free(options->pairs);
    *options = (struct options){.npairs = 0};
}
