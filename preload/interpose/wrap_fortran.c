/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions that a program in Fortran finds here instead, under Open MPI: its
 * mpif.h and its module mpi call mpi_bcast by one of four names, mpi_f08 ends up in
 * ompi_bcast_f; neither comes by MPI_Bcast. MPICH's do, so its build has none of these.
 */
#include "wrap.h"

#include "symbols.h"

#define WRAP(Name, name, NAME, n) \
    ENTRY void ompi_##name##_f(WORDS_##n, word error); \
    void ompi_##name##_f(WORDS_##n, word error) \
    { \
        const mpi_function call = \
            symbols_fortran_call(CALL_##Name, __builtin_return_address(0)); \
        ((void (*)(WORDS_##n, word))call)(NAMES_##n, error); \
    } \
    ENTRY __attribute__(( \
        alias("ompi_" #name "_f"))) __typeof__(ompi_##name##_f) mpi_##name, \
        mpi_##name##_, mpi_##name##__, MPI_##NAME;
PLAIN_CALLS(WRAP)

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
        if (wrap_bcast(mpi, &status, &call)) {
            if (error)
                *error = status;
            return;
        }
    }
    const mpi_function pass = symbols_fortran_call(CALL_Bcast, site);
    ((__typeof__(ompi_bcast_f) *)pass)(buffer, count, type, root, comm, error);
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

void ompi_init_f(int *error)
{
    const void *site = __builtin_return_address(0);
    symbols_find(site);
    symbols_find_fortran(site)->init(error);
    if (*error == SUCCESS)
        symbols_begin();
}

#define INIT ENTRY __attribute__((alias("ompi_init_f")))
INIT __typeof__(ompi_init_f) mpi_init, mpi_init_, mpi_init__, MPI_INIT;

void ompi_init_thread_f(const int *required, int *provided, int *error)
{
    const void *site = __builtin_return_address(0);
    symbols_find(site);
    symbols_find_fortran(site)->init_thread(required, provided, error);
    if (*error == SUCCESS)
        symbols_begin();
}

#define INIT_THREAD ENTRY __attribute__((alias("ompi_init_thread_f")))
INIT_THREAD __typeof__(ompi_init_thread_f) mpi_init_thread, mpi_init_thread_,
    mpi_init_thread__, MPI_INIT_THREAD;

void ompi_finalize_f(int *error)
{
    const void *site = __builtin_return_address(0);
    symbols_find(site);
    symbols_end();
    symbols_find_fortran(site)->finalize(error);
}

#define FINALIZE ENTRY __attribute__((alias("ompi_finalize_f")))
FINALIZE __typeof__(ompi_finalize_f) mpi_finalize, mpi_finalize_, mpi_finalize__,
    MPI_FINALIZE;
