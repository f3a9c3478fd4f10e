/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the preload libraries of the ranks. */
#include "preload.h"

#include "cli/process/folders.h"
#include "cli/process/memory.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *wanted; /* popt writes here; NULL: auto */

struct poptOption mt_patience_option[] = {
    {"patient", 0, POPT_ARG_STRING, &wanted, 0,
     "whether ranks that share cores wait patiently: auto or never (default: auto)",
     "WORD"},
    POPT_TABLEEND,
};

int mt_patience_read(enum mt_patience *patience, struct mt_error *err)
{
    if (!wanted || strcmp(wanted, "auto") == 0)
        *patience = MT_PATIENCE_AUTO;
    else if (strcmp(wanted, "never") == 0)
        *patience = MT_PATIENCE_NEVER;
    else
        return mt_fail(err, MT_EINVAL, "--patient must be auto or never, not '%s'",
                       wanted);
    return MT_OK;
}

/* MPICH before 4.2 may hang at the end of MPI_Finalize, by any launcher; the remedy is
   a separate library, because it intercepts read(). If srun starts MPICH's ranks, there
   may be no mpiexec to tell the version. NULL: not needed. */
static char *find_closing(const char *mpi, const struct mt_launch *launch)
{
    const int version = strcmp(mpi, "mpich") == 0 ? mt_mpich_version() : INT_MAX;
    const bool old =
        version > 0 ? version < 402 : launch->cluster->launcher == MT_LAUNCH_SLURM;
    return old ? mt_own_preload(mpi, "libmotley-closing.so") : NULL;
}

/* Append a library to a list under construction; NULL and "" are none. */
static void add(FILE *list, const char *path)
{
    if (path && *path)
        fprintf(list, "%s%s", ftell(list) > 0 ? ":" : "", path);
}

static char *find_patient(void)
{
    return mt_own_preload("patient", "libmotley-patient.so");
}

/* A list of these three and of the inherited ones. The caller frees it. */
static char *put_together(const char *patient, const char *closing, const char *balance)
{
    char *libraries;
    size_t size;
    FILE *list = mt_memory_open(&libraries, &size);
    add(list, patient);
    add(list, closing);
    add(list, balance);
    add(list, getenv("LD_PRELOAD"));
    mt_memory_close(list, &libraries);
    return libraries;
}

/* Warn once: the ranks run without. */
static void say_missing(const char *library, const char *mpi)
{
    static bool said;
    if (!said)
        fprintf(stderr, "motley: ranks wait as their MPI does: cannot find %s%s%s\n",
                library, mpi ? " for " : "", mpi ? mpi : "");
    said = true;
}

/* The library for MOTLEY_BALANCE; NULL: none, perhaps with a warning. */
static char *find_balance(const char *mpi)
{
    const char *words = getenv("MOTLEY_BALANCE"), *all = getenv("LD_PRELOAD");
    const bool there = all && strstr(all, "libmotley-balance.so");
    char *balance = NULL;
    if (!words || !*words || there)
        return NULL;
    if (!mpi)
        fprintf(stderr, "motley: MOTLEY_BALANCE has no effect: which MPI the command "
                        "starts is not known; add that MPI's libmotley-balance.so to "
                        "LD_PRELOAD\n");
    else if (!(balance = mt_own_preload(mpi, "libmotley-balance.so")))
        say_missing("libmotley-balance.so", mpi);
    return balance;
}

int mt_preload_patient(char **libraries, const char *mpi, struct mt_error *err)
{
    char *patient = find_patient();
    if (!patient)
        return mt_own_missing("libmotley-patient.so", err);
    char *balance = find_balance(mpi);
    *libraries = put_together(patient, NULL, balance);
    free(balance);
    free(patient);
    return MT_OK;
}

/* The place of the word "report" without a file; NULL: none. */
static const char *find_report(const char *words)
{
    static const char report[] = "report";
    while (words && *words) {
        const size_t length = strcspn(words, ",");
        if (length == strlen(report) && !strncmp(words, report, length))
            return words;
        words += length + (words[length] == ',');
    }
    return NULL;
}

bool mt_preload_reports(void)
{
    return find_report(getenv("MOTLEY_BALANCE")) != NULL;
}

/* The words for the ranks: the report goes to the file, unless that is NULL. */
static char *fill_balance(const char *words, const char *file)
{
    const char *report = file ? find_report(words) : NULL;
    const int length = report ? (int)(report - words) + (int)strlen("report") : 0;
    return report ? mt_asprintf("%.*s=%s%s", length, words, file, words + length)
                  : mt_strdup(words);
}

void mt_preload_choose(struct mt_job *job, const struct mt_launch *launch,
                       const struct mt_launcher_ops *ops)
{
    const char *words = getenv("MOTLEY_BALANCE");
    const char *mpi = ops->apps && job->mpi ? job->mpi : ops->apps;
    const bool share = launch->patience == MT_PATIENCE_AUTO &&
                       mt_oversubscribed(launch->cluster, launch->configuration);
    char *patient = NULL, *balance = NULL;
    if (!mpi || ops->simulated)
        return;
    if (share && !(patient = find_patient()))
        say_missing("libmotley-patient.so", NULL);
    if (words && *words && !(balance = mt_own_preload(mpi, "libmotley-balance.so")))
        say_missing("libmotley-balance.so", mpi);
    char *closing = patient || job->mpi ? find_closing(mpi, launch) : NULL;
    if (patient || balance || closing)
        job->library = put_together(patient, closing, balance);
    if (balance)
        job->balance = fill_balance(words, launch->report);
    if (patient || balance)
        job->preloaded =
            mt_asprintf("%s%s%s", patient ? "patient" : "",
                        patient && balance ? ", " : "", balance ? words : "");
    free(closing);
    free(balance);
    free(patient);
}
