/* SPDX-License-Identifier: BSD-3-Clause */
#include "arguments.h"

#include <mpi.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static bool speaks(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
}

enum arguments_outcome arguments_complain(const char *name, const char *format, ...)
{
    if (speaks()) {
        va_list details;
        va_start(details, format);
        fprintf(stderr, "%s: ", name);
        vfprintf(stderr, format, details);
        fputc('\n', stderr);
        va_end(details);
    }
    return ARGUMENTS_WRONG;
}

enum arguments_outcome arguments_read(const char *name, struct poptOption *options,
                                      int argc, char **argv)
{
    int help = 0;
    struct poptOption table[] = {
        {NULL, '\0', POPT_ARG_INCLUDE_TABLE, options, 0, NULL, NULL},
        {"help", 'h', POPT_ARG_NONE, &help, 0, "show this help", NULL},
        POPT_TABLEEND,
    };
    enum arguments_outcome outcome = ARGUMENTS_RUN;
    poptContext context = poptGetContext(name, argc, (void *)argv, table, 0);
    const int code = poptGetNextOpt(context); /* no option returns before the end */

    if (code < -1)
        outcome = arguments_complain(name, "%s: '%s'", poptStrerror(code),
                                     poptBadOption(context, POPT_BADOPTION_NOALIAS));
    else if (poptPeekArg(context))
        outcome = arguments_complain(name, "no argument expected: '%s'",
                                     poptPeekArg(context));
    else if (help) {
        if (speaks())
            poptPrintHelp(context, stdout, 0);
        outcome = ARGUMENTS_HELPED;
    }
    poptFreeContext(context);
    return outcome;
}
