/* SPDX-License-Identifier: BSD-3-Clause */
#include "core.h"

#include "bcast.h"

/* Open MPI's name for MPI_BOTTOM in Fortran; none in MPICH, which comes by MPI_Bcast.
 */
extern char mpi_fortran_bottom_ __attribute__((weak));

static int core_bcast(void *buffer, int64_t count, void *type, int root, void *comm,
                      const void *site)
{
    return bcast(buffer, count, (MPI_Datatype)(intptr_t)type, root,
                 (MPI_Comm)(intptr_t)comm, site);
}

static void core_bcast_fortran(void *buffer, const int *count, const int *type,
                               const int *root, const int *comm, int *error,
                               const void *site)
{
    const int status =
        bcast(buffer == &mpi_fortran_bottom_ ? MPI_BOTTOM : buffer, *count,
              PMPI_Type_f2c(*type), *root, PMPI_Comm_f2c(*comm), site);
    if (error)
        *error = status;
}

extern const struct core motley_balance_core __attribute__((visibility("default")));
const struct core motley_balance_core = {core_bcast, core_bcast_fortran, bcast_switch};
