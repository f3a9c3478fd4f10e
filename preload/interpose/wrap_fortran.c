/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of Open MPI that this library replaces for programs in Fortran: its
 * mpif.h and its module mpi call mpi_bcast by one of four names, and mpi_f08 ends up in
 * ompi_bcast_f; neither calls MPI_Bcast. MPICH's do, so its build has none of these.
 */
#include "wrap.h"

#include <stddef.h>

#define WRAP(Name, name, NAME, n, ...) \
    ENTRY void ompi_##name##_f(WORDS_##n, call_word error); \
    static __attribute__((noinline)) void watch_##name(WORDS_##n, call_word error, \
                                                       const void *site) \
    { \
        const struct mpi_symbols *mpi = symbols_find(site); \
        void (*call)(WORDS_##n, call_word) = \
            (void (*)(WORDS_##n, call_word))symbols_find_fortran(site) \
                ->calls[CALL_##Name]; \
        struct watched watched = {.call = CALL_##Name, .fortran = true, .site = site}; \
        if (!mpi->core) { \
            call(NAMES_##n, error); \
            return; \
        } \
        const call_word arguments[] = {NAMES_##n}; \
        int status; \
        mpi->core->before(&watched, arguments); \
        if (!IS_TAKEN(watched.call) || \
            !mpi->core->instead(&status, &watched, arguments)) \
            call(NAMES_##n, error); \
        else if (error) \
            *(int *)error = status; \
        mpi->core->after(&watched); \
    } \
    void ompi_##name##_f(WORDS_##n, call_word error) \
    { \
        if (is_set(&symbols.passes) && is_set(&fortran.found)) \
            ((void (*)(WORDS_##n, call_word))fortran.calls[CALL_##Name])(NAMES_##n, \
                                                                         error); \
        else \
            watch_##name(NAMES_##n, error, __builtin_return_address(0)); \
    } \
    ENTRY __attribute__(( \
        alias("ompi_" #name "_f"))) __typeof__(ompi_##name##_f) mpi_##name, \
        mpi_##name##_, mpi_##name##__, MPI_##NAME;
PASSED_CALLS(WRAP)

void ompi_bcast_f(void *buffer, const int *count, const int *type, const int *root,
                  const int *comm, int *error)
{
    const void *site = __builtin_return_address(0);
    const struct mpi_symbols *mpi = symbols_find(site);
    if (!mpi->core) {
        symbols_find_fortran(site)->bcast(buffer, count, type, root, comm, error);
        return;
    }
    struct bcast_words call = mpi->core->from_fortran(buffer, count, type, root, comm);
    call.site = site;
    const int status = mpi->core->bcast(&call, NULL);
    if (error)
        *error = status;
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
    symbols_init(site);
    wrap_init(symbols_find_fortran(site)->init, error);
}

void ompi_init_thread_f(const int *required, int *provided, int *error)
{
    const void *site = __builtin_return_address(0);
    symbols_init(site);
    wrap_init_thread(symbols_find_fortran(site)->init_thread, required, provided,
                     error);
}

#define INIT ENTRY __attribute__((alias("ompi_init_f")))
INIT __typeof__(ompi_init_f) mpi_init, mpi_init_, mpi_init__, MPI_INIT;
#define INIT_THREAD ENTRY __attribute__((alias("ompi_init_thread_f")))
INIT_THREAD __typeof__(ompi_init_thread_f) mpi_init_thread, mpi_init_thread_,
    mpi_init_thread__, MPI_INIT_THREAD;
