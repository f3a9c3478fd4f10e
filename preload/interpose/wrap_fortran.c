/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions that a program in Fortran finds here instead, under Open MPI: its
 * mpif.h and its module mpi call mpi_bcast by one of four names, mpi_f08 ends up in
 * ompi_bcast_f; neither comes by MPI_Bcast. MPICH's do, so its build has none of these.
 */
#include "wrap.h"

#include "symbols.h"

void ompi_bcast_f(void *buffer, const int *count, const int *type, const int *root,
                  const int *comm, int *error)
{
    const void *site = __builtin_return_address(0);
    const struct mpi_symbols *mpi = symbols_find(site);
    if (mpi->core) {
        struct bcast_words call =
            mpi->core->from_fortran(buffer, count, type, root, comm);
        int status;
        call.site = site;
        if (mpi->core->bcast(&status, &call)) {
            if (error)
                *error = status;
            return;
        }
    }
    symbols_find_fortran(site)->bcast(buffer, count, type, root, comm, error);
}

#define BCAST ENTRY __attribute__((alias("ompi_bcast_f")))
BCAST __typeof__(ompi_bcast_f) mpi_bcast, mpi_bcast_, mpi_bcast__, MPI_BCAST;

void ompi_pcontrol_f(const int *level)
{
    const void *site = __builtin_return_address(0);
    const struct mpi_symbols *mpi = symbols_find(site);
    if (mpi->core)
        mpi->core->pcontrol(*level);
    symbols_find_fortran(site)->pcontrol(level);
}

#define PCONTROL ENTRY __attribute__((alias("ompi_pcontrol_f")))
PCONTROL __typeof__(ompi_pcontrol_f) mpi_pcontrol, mpi_pcontrol_, mpi_pcontrol__,
    MPI_PCONTROL;
