/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts.h"

#include "apps/common/app.h"
#include "apps/common/work.h"
#include "options.h"
#include "patient.h"

#include <math.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int allowed_cores(void)
{
    cpu_set_t allowed;
    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed)
                                                               : 0;
}

static double load_of_last_minute(void)
{
    double load;
    return getloadavg(&load, 1) == 1 ? load : NAN;
}

/* The first line; MPICH's has a tab. */
static void read_version(char mpi[FACTS_TEXT])
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    version[strcspn(version, "\n")] = '\0';
    for (char *tab = version; (tab = strchr(tab, '\t'));)
        *tab = ' ';
    snprintf(mpi, FACTS_TEXT, "%.*s", FACTS_TEXT - 1, version);
}

static struct facts facts_here(void)
{
    struct facts facts = {.cores = 0, .load = NAN};
    char host[MPI_MAX_PROCESSOR_NAME];
    int length;
    MPI_Get_processor_name(host, &length);
    snprintf(facts.host, sizeof facts.host, "%.*s", FACTS_TEXT - 1, host);
    read_version(facts.mpi);
    if (!work_simulated) {
        facts.cores = allowed_cores();
        facts.load = load_of_last_minute();
    }
    return facts;
}

struct facts *facts_gather(void)
{
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const struct facts here = facts_here();
    struct facts *all = rank == 0 ? calloc((size_t)ranks, sizeof *all) : NULL;
    if (rank == 0 && !all)
        app_give_up(PROBE_NAME, "no memory for what %d ranks say", ranks);
    MPI_Request request;
    MPI_Igather(&here, sizeof here, MPI_BYTE, all, sizeof here, MPI_BYTE, 0,
                MPI_COMM_WORLD, &request);
    patient_idle(&request);
    return all;
}
