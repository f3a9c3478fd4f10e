/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions that a program in Fortran finds here instead, under Open MPI: its
 * mpif.h and its module mpi call mpi_bcast by one of four names, mpi_f08 ends up in
 * ompi_bcast_f; neither comes by MPI_Bcast. MPICH's do, so its build has none of these.
 */
#include "wrap.h"

#include "family.h"

void ompi_bcast_f(void *buffer, const int *count, const int *type, const int *root,
                  const int *comm, int *error)
{
    const void *site = __builtin_return_address(0);
    const struct family *family = family_find(site);
    bool done = false;
    if (family->core && wrap_enter()) {
        done =
            family->core->bcast_fortran(buffer, count, type, root, comm, error, site);
        wrap_leave();
    }
    if (done)
        return;
    const mpi_function pass = family_fortran_call(CALL_Bcast, site);
    ((__typeof__(ompi_bcast_f) *)pass)(buffer, count, type, root, comm, error);
}

#define BCAST ENTRY __attribute__((alias("ompi_bcast_f")))
BCAST __typeof__(ompi_bcast_f) mpi_bcast, mpi_bcast_, mpi_bcast__, MPI_BCAST;

void ompi_pcontrol_f(const int *level)
{
    const void *site = __builtin_return_address(0);
    const struct family *family = family_find(site);
    if (family->core)
        family->core->pcontrol(*level);
    family_find_fortran(site)->pcontrol(level);
}

#define PCONTROL ENTRY __attribute__((alias("ompi_pcontrol_f")))
PCONTROL __typeof__(ompi_pcontrol_f) mpi_pcontrol, mpi_pcontrol_, mpi_pcontrol__,
    MPI_PCONTROL;

void ompi_init_f(int *error)
{
    const void *site = __builtin_return_address(0);
    family_find(site);
    family_find_fortran(site)->init(error);
    if (*error == SUCCESS)
        family_begin();
}

#define INIT ENTRY __attribute__((alias("ompi_init_f")))
INIT __typeof__(ompi_init_f) mpi_init, mpi_init_, mpi_init__, MPI_INIT;

void ompi_init_thread_f(const int *required, int *provided, int *error)
{
    const void *site = __builtin_return_address(0);
    family_find(site);
    family_find_fortran(site)->init_thread(required, provided, error);
    if (*error == SUCCESS)
        family_begin();
}

#define INIT_THREAD ENTRY __attribute__((alias("ompi_init_thread_f")))
INIT_THREAD __typeof__(ompi_init_thread_f) mpi_init_thread, mpi_init_thread_,
    mpi_init_thread__, MPI_INIT_THREAD;

void ompi_finalize_f(int *error)
{
    const void *site = __builtin_return_address(0);
    family_find(site);
    family_end();
    family_find_fortran(site)->finalize(error);
}

#define FINALIZE ENTRY __attribute__((alias("ompi_finalize_f")))
FINALIZE __typeof__(ompi_finalize_f) mpi_finalize, mpi_finalize_, mpi_finalize__,
    MPI_FINALIZE;
