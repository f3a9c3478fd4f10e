/* SPDX-License-Identifier: BSD-3-Clause */
#include "preload.h"

#include "cli/process/folders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *wanted; /* popt writes here; NULL: auto */

struct poptOption mt_yielding_option[] = {
    {"patient", 0, POPT_ARG_STRING, &wanted, 0,
     "whether ranks that share cores wait patiently: auto or never (default: auto)",
     "WORD"},
    POPT_TABLEEND,
};

int mt_yielding_read(enum mt_yielding *yielding, struct mt_error *err)
{
    if (!wanted || strcmp(wanted, "auto") == 0)
        *yielding = MT_YIELDING_AUTO;
    else if (strcmp(wanted, "never") == 0)
        *yielding = MT_YIELDING_NEVER;
    else
        return mt_fail(err, MT_EINVAL, "--patient must be auto or never, not '%s'",
                       wanted);
    return MT_OK;
}

/* The words for the library; NULL: it is not needed. */
static const char *choose_words(const struct mt_launch *launch)
{
    const char *asked = getenv("MOTLEY_BALANCE");
    if (asked && *asked)
        return asked;
    if (launch->yielding == MT_YIELDING_NEVER ||
        !mt_oversubscribed(launch->cluster, launch->configuration))
        return NULL;
    return "patient";
}

static void say_once_that_it_is_missing(const char *mpi)
{
    static bool said;
    if (!said)
        fprintf(stderr,
                "motley: the ranks wait as their MPI does: libmotley-balance.so is not "
                "built for '%s'\n",
                mpi);
    said = true;
}

/* MPICH before 4.2 may hang at the end of MPI_Finalize where ranks share cores; the
   remedy is a library of its own, because it stands in for read(). NULL: not needed. */
static char *find_closing(const char *mpi)
{
    const int version = strcmp(mpi, "mpich") == 0 ? mt_mpich_version() : 0;
    return version > 0 && version < 402 ? mt_own_preload(mpi, "libmotley-closing.so")
                                        : NULL;
}

/* What LD_PRELOAD is for the ranks: also what it is for all. */
static int set_library(struct mt_job *job, const char *path, const char *closing,
                       struct mt_error *err)
{
    const char *others = getenv("LD_PRELOAD");
    const bool any = others && *others;
    if (asprintf(&job->library, "%s%s%s%s%s", path, closing ? ":" : "",
                 closing ? closing : "", any ? ":" : "", any ? others : "") < 0)
        job->library = NULL;
    return job->library ? MT_OK : mt_fail(err, MT_ENOMEM, "no memory for a path");
}

int mt_preload_choose(struct mt_job *job, const struct mt_launch *launch,
                      const struct mt_launcher_ops *ops, struct mt_error *err)
{
    const char *words = ops->apps && !ops->simulated ? choose_words(launch) : NULL;
    if (!words)
        return MT_OK;
    char *path = mt_own_preload(ops->apps, "libmotley-balance.so");
    if (!path) {
        say_once_that_it_is_missing(ops->apps);
        return MT_OK;
    }
    char *closing = find_closing(ops->apps);
    int status = set_library(job, path, closing, err);
    free(closing);
    free(path);
    if (status == MT_OK && !(job->balance = strdup(words)))
        status = mt_fail(err, MT_ENOMEM, "no memory for words");
    return status;
}
