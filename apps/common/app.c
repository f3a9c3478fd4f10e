/* SPDX-License-Identifier: BSD-3-Clause */
/* The frame of a measured program: MPI, options, messages and a clock for all ranks. */
#include "app.h"

#include "lib/base/options.h"
#include "weights.h"

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_WRONG_OPTIONS = 2 };
enum outcome { RUN, HELPED, WRONG };

static bool speaks(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
}

static void print_line(const char *name, const char *format, va_list arguments)
{
    fprintf(stderr, "%s: ", name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

bool app_complain(const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (speaks())
        print_line(name, format, arguments);
    va_end(arguments);
    return false;
}

/* MPICH's launcher drops what it has not yet read from a rank when the rank aborts. */
static const useconds_t launcher_reads = 300000;

void app_give_up(const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(name, format, arguments);
    va_end(arguments);
    usleep(launcher_reads);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    exit(EXIT_FAILURE); /* MPI_Abort() is not declared never to return */
}

/* The text popt refused: the option, then its argument if that is a separate word. */
static const char *find_refused(char text[64], poptContext context, int argc,
                                char **argv)
{
    const char *word = poptBadOption(context, POPT_BADOPTION_NOALIAS);
    for (int i = 2; i < argc && word[0] != '-'; i++)
        if (strcmp(argv[i], word) == 0 && argv[i - 1][0] == '-') {
            snprintf(text, 64, "%s %s", argv[i - 1], word);
            return text;
        }
    return word;
}

static enum outcome read_options(const struct app *app, int argc, char **argv)
{
    int help = 0;
    struct poptOption table[] = {
        {NULL, '\0', POPT_ARG_INCLUDE_TABLE, app->options, 0, NULL, NULL},
        {"help", 'h', POPT_ARG_NONE, &help, 0, "show this help", NULL},
        POPT_TABLEEND,
    };
    enum outcome outcome = RUN;
    poptContext context = poptGetContext(app->name, argc, (void *)argv, table, 0);
    struct mt_error err = {0};
    char refused[64];
    int code, status;
    do
        code = poptGetNextOpt(context);
    while (code == MT_OPTION_NUMBER);
    if (code < -1)
        status = mt_options_refuse(table, app->name,
                                   find_refused(refused, context, argc, argv),
                                   poptStrerror(code), &err);
    else
        status = mt_options_read_numbers(table, &err);
    if (status != MT_OK) {
        app_complain(app->name, "%s", err.text);
        outcome = WRONG;
    } else if (poptPeekArg(context)) {
        app_complain(app->name, "no argument expected: '%s'", poptPeekArg(context));
        outcome = WRONG;
    } else if (help) {
        if (speaks())
            poptPrintHelp(context, stdout, 0);
        outcome = HELPED;
    }
    poptFreeContext(context);
    return outcome;
}

int app_main(const struct app *app, int argc, char **argv)
{
    int code = EXIT_SUCCESS;
    int provided; /* a library may drive messages with a thread of its own */
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    switch (read_options(app, argc, argv)) {
    case RUN:
        code = app->check(app->self) ? app->run(app->self) : EXIT_WRONG_OPTIONS;
        break;
    case HELPED:
        break;
    case WRONG:
        code = EXIT_WRONG_OPTIONS;
        break;
    }
    MPI_Finalize();
    return code;
}

double *app_weights(const char *name, const char *path)
{
    int ranks, status = MT_OK;
    struct mt_error err = {0};
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double *weights = calloc((size_t)ranks, sizeof *weights);
    if (!weights)
        app_give_up(name, "no memory for the weights of %d ranks", ranks);
    if (speaks())
        status = weights_load(weights, ranks, path, &err);
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (status != MT_OK) {
        app_complain(name, "%s", err.text);
        free(weights);
        return NULL;
    }
    MPI_Bcast(weights, ranks, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return weights;
}

int app_threads(void)
{
    const char *text = getenv("OMP_NUM_THREADS");
    const int threads = text ? (int)strtol(text, NULL, 10) : 1;
    return threads > 0 ? threads : 1;
}

double app_start(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

double app_seconds(double start)
{
    const double seconds = MPI_Wtime() - start;
    double slowest = 0;
    MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return slowest;
}
