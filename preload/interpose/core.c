/* SPDX-License-Identifier: BSD-3-Clause */
#include "core.h"

#include "asked.h"
#include "preload/bcast/bcast.h"
#include "preload/wait/patience.h"
#include "preload/wait/patient.h"
#include "preload/wait/patient_fortran.h"

/* Open MPI's name for MPI_BOTTOM in Fortran; none in MPICH, which comes by MPI_Bcast.
 */
extern char mpi_fortran_bottom_ __attribute__((weak));

static bool core_bcast(int *status, void *buffer, int64_t count, void *type, int root,
                       void *comm, const void *site)
{
    return bcast(status, buffer, count, (MPI_Datatype)(intptr_t)type, root,
                 (MPI_Comm)(intptr_t)comm, site);
}

static bool core_bcast_fortran(void *buffer, const int *count, const int *type,
                               const int *root, const int *comm, int *error,
                               const void *site)
{
    int status;
    const bool done =
        bcast(&status, buffer == &mpi_fortran_bottom_ ? MPI_BOTTOM : buffer, *count,
              PMPI_Type_f2c(*type), *root, PMPI_Comm_f2c(*comm), site);
    if (done && error)
        *error = status;
    return done;
}

static bool core_begin(void)
{
    const struct options *options = asked_of_all();
    return patience_begin(options->patience, options->verbose);
}

#define STAND_IN(name, arguments) [CALL_##name] = (mpi_function)patient_##name,
static const mpi_function patient[CALLS] = {
#if MPI_VERSION >= 4
    ALL_CALLS(STAND_IN)
#else
    MESSAGE_CALLS(STAND_IN) WAIT_CALLS(STAND_IN) BCAST_CALLS(STAND_IN)
        COLLECTIVE_CALLS(STAND_IN)
#endif
};

extern const struct core motley_balance_core __attribute__((visibility("default")));
const struct core motley_balance_core = {
    .bcast = core_bcast,
    .bcast_fortran = core_bcast_fortran,
    .pcontrol = bcast_switch,
    .begin = core_begin,
    .end = patience_end,
    .patient = patient,
#ifdef OPEN_MPI
    .patient_fortran = patient_fortran,
#endif
};
