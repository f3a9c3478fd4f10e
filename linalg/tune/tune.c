/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * motley-tune: finds the sizes from which another level of Strassen's method pays on
 * this machine, with one thread of the BLAS and with all its threads, and writes them
 * to the user's cache folder. Started by `motley tune`, here or by a launcher on nodes.
 */
#include "crossings.h"
#include "lib/base/options.h"
#include "linalg/tuning/tuning.h"

#include <math.h>
#include <popt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * Print the tuning of a kind of machine to stdout, one JSON object on a line.
 */

struct tune_line {
    const struct tuning_machine *machine;
    const struct mt_strassen_tuning *tuning;
    enum tuning_source source;
    const char *file; /* the file, existing or not */
    const char *why;  /* it is guessed */
};

static void print_text(const char *key, const char *text)
{
    printf("\"%s\":\"", key);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    printf("\",");
}

/* Never is null. */
static void print_number(const char *key, double number, const char *end)
{
    if (isfinite(number))
        printf("\"%s\":%.6g%s", key, number, end);
    else
        printf("\"%s\":null%s", key, end);
}

static void print_cutoff(const char *key, const struct mt_strassen_cutoff *cutoff,
                         const char *end)
{
    printf("\"%s\":{", key);
    print_number("rows", cutoff->rows, ",");
    print_number("columns", cutoff->columns, ",");
    print_number("depth", cutoff->depth, "}");
    fputs(end, stdout);
}

static void tune_line_print(const struct tune_line *line)
{
    static const char *const sources[] = {[TUNING_FORCED] = "forced",
                                          [TUNING_MEASURED] = "measured",
                                          [TUNING_GUESSED] = "guessed"};
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    putchar('{');
    print_text("host", host);
    print_text("processor", line->machine->processor);
    print_text("blas", line->machine->blas);
    if (line->machine->better_core)
        print_text("better_core", line->machine->better_core);
    printf("\"threads\":%d,", line->machine->threads);
    print_text("file", line->file);
    print_text("source", sources[line->source]);
    if (line->source == TUNING_GUESSED)
        print_text("why", line->why);
    print_cutoff("overwrite", &line->tuning->overwrite, ",");
    print_cutoff("accumulate", &line->tuning->accumulate, "}\n");
    fflush(stdout);
}

static int quick, show;

static const struct poptOption options[] = {
    {"quick", 0, POPT_ARG_NONE, &quick, 0, "only try small squares", NULL},
    {"show", 0, POPT_ARG_NONE, &show, 0, "measure nothing: show the stored results",
     NULL},
    POPT_AUTOHELP POPT_TABLEEND,
};

/* A search takes 4 s, or with the longest products 14 s; checks take at most 8 s each.
   So everything is done within 30 s for one thread and for two if squares cross below
   the longest, as usual. */
static const struct tune_plan thorough_plan = {
    .effort = {.seconds = 0.7, .pairs = 5, .longest = 0.8},
    .check = {.seconds = 0, .pairs = 3, .longest = 1},
    .start = 1000,
    .resolution = 1.1,
    .seconds = 4,
};
static const struct tune_plan quick_plan = {
    .effort = {.seconds = 0, .pairs = 5, .longest = 0.01},
    .start = 256,
    .resolution = 1.5,
    .seconds = 0.25,
};

static void tell_progress(const struct tune_square *square, double gain)
{
    fprintf(stderr, "motley-tune: %d x %d%s: ", square->n, square->n,
            square->beta == 0 ? "" : ", added to C");
    if (gain > 0)
        fprintf(stderr, "%.3f times as fast with another level\n", gain);
    else
        fprintf(stderr, "takes too long to try\n");
}

/* A quick search without a result says nothing about larger sizes. */
static void guess_the_rest(struct mt_strassen_tuning *tuning, int threads)
{
    const struct mt_strassen_tuning guess = tuning_guess(threads);
    if (isinf(tuning->overwrite.rows))
        tuning->overwrite = guess.overwrite;
    if (isinf(tuning->accumulate.rows))
        tuning->accumulate = guess.accumulate;
}

static int measure(const char *path, const struct tuning_machine *machine,
                   struct mt_error *err)
{
    struct mt_strassen_tuning found = {0};
    struct tune_plan plan = quick ? quick_plan : thorough_plan;
    if (isatty(STDERR_FILENO))
        plan.tell = tell_progress;
    plan.effort.threads = plan.check.threads = machine->threads;
    int status = tuning_file_prepare(path, err);
    if (status == MT_OK)
        status = tune_crossings(&found, &plan, err);
    if (status != MT_OK)
        return status;
    if (quick)
        guess_the_rest(&found, machine->threads);
    return tuning_file_write(&found, path, machine, err);
}

static int tune(const struct tuning_machine *machine, struct mt_error *err)
{
    char path[PATH_MAX];
    struct mt_strassen_tuning tuning;
    struct mt_error why = {0};
    int status = tuning_file_path(path, machine, err);
    if (status == MT_OK && !show)
        status = measure(path, machine, err);
    if (status != MT_OK)
        return status;
    const enum tuning_source source = tuning_choose(&tuning, machine, &why);
    tune_line_print(&(struct tune_line){machine, &tuning, source, path, why.text});
    return MT_OK;
}

/* Tune for one thread, as for a rank on each core, and for all cores. */
static int tune_all(struct mt_error *err)
{
    struct tuning_machine machine;
    tuning_machine_find(&machine);
    const int threads = machine.threads;
    if (threads > 1)
        tuning_machine_set_threads(&machine, 1);
    int status = tune(&machine, err);
    if (status == MT_OK && threads > 1) {
        tuning_machine_set_threads(&machine, threads);
        status = tune(&machine, err);
    }
    return status;
}

int main(int argc, const char **argv)
{
    struct mt_error err;
    poptContext context = poptGetContext("motley-tune", argc, argv, options, 0);
    const int code = poptGetNextOpt(context);
    const char *extra = poptPeekArg(context);
    int status = MT_OK;
    if (code < -1)
        status = mt_options_refuse(options, "motley-tune",
                                   poptBadOption(context, POPT_BADOPTION_NOALIAS),
                                   poptStrerror(code), &err);
    else if (extra)
        status = mt_fail(&err, MT_EINVAL, "one argument too many: '%s'", extra);
    poptFreeContext(context);
    if (status != MT_OK) {
        fprintf(stderr, "motley-tune: %s\n", err.text);
        return 2;
    }
    status = tune_all(&err);
    if (status == MT_OK && ferror(stdout))
        status = mt_fail(&err, MT_EIO, "the output could not be written");
    if (status != MT_OK) {
        fprintf(stderr, "motley-tune: %s\n", err.text);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
