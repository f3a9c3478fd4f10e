/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of the MPI that this library replaces for programs in C. */
#include "wrap.h"

static int pass(const struct mpi_symbols *mpi, const struct bcast_words *call)
{
    if (call->count == (int)call->count)
        return mpi->bcast(call->buffer, (int)call->count, call->type, call->root,
                          call->comm);
    return mpi->bcast_c(call->buffer, call->count, call->type, call->root, call->comm);
}

static __thread struct passing *passing;

static __attribute__((noinline)) int bcast(const struct bcast_words *call)
{
    int status;
    if (passing && passing_bcast(passing, &status, call->buffer, call->count,
                                 call->type, call->root, call->comm))
        return status;
    const struct mpi_symbols *mpi = symbols_find(call->site);
    return mpi->core ? mpi->core->bcast(call, &passing) : pass(mpi, call);
}

/* Calls the MPI's function while the core watches. Without a core it only jumps,
   without saving registers. */
#define WRAP_NAMED(Symbol, function, Name, n, is_large) \
    static __attribute__((noinline)) int watch_##Symbol(WORDS_##n, const void *site) \
    { \
        const struct mpi_symbols *mpi = symbols_find(site); \
        int (*call)(WORDS_##n) = (int (*)(WORDS_##n))mpi->function[CALL_##Name]; \
        if (!mpi->core) \
            return call(NAMES_##n); \
        struct watched watched = { \
            .call = CALL_##Name, .large = is_large, .site = site}; \
        const call_word arguments[] = {NAMES_##n}; \
        int status; \
        mpi->core->before(&watched, arguments); \
        if (!IS_TAKEN(watched.call) || \
            !mpi->core->instead(&status, &watched, arguments)) \
            status = call(NAMES_##n); \
        mpi->core->after(&watched); \
        return status; \
    } \
    int MPI_##Symbol(WORDS_##n) \
    { \
        if (is_set(&symbols.passes)) \
            return ((int (*)(WORDS_##n))symbols.function[CALL_##Name])(NAMES_##n); \
        return watch_##Symbol(NAMES_##n, __builtin_return_address(0)); \
    }
#define WRAP(Name, name, NAME, n, ...) WRAP_NAMED(Name, calls, Name, n, false)
#define WRAP_LARGE(Name, name, NAME, n, ...) \
    WRAP_NAMED(Name##_c, large_calls, Name, n, true)
PASSED_CALLS(WRAP)
LARGE_CALLS(WRAP_LARGE)

int MPI_Bcast(void *buffer, int count, void *type, int root, void *comm)
{
    if (is_set(&symbols.passes))
        return symbols.bcast(buffer, count, type, root, comm);
    return bcast(&(struct bcast_words){buffer, count, type, root, comm,
                                       __builtin_return_address(0)});
}

int MPI_Bcast_c(void *buffer, int64_t count, void *type, int root, void *comm)
{
    return bcast(&(struct bcast_words){buffer, count, type, root, comm,
                                       __builtin_return_address(0)});
}

/* MPI_SUCCESS is 0 in every MPI. */
static int begin(int status)
{
    if (status == 0)
        symbols_begin();
    return status;
}

int MPI_Init(int *argc, char ***argv)
{
    return begin(symbols_init(__builtin_return_address(0))->init(argc, argv));
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return begin(symbols_init(__builtin_return_address(0))
                     ->init_thread(argc, argv, required, provided));
}

/* Fortran programs may leave out the error. */
void wrap_init(void (*init)(int *error), int *error)
{
    int status = 0;
    init(&status);
    begin(status);
    if (error)
        *error = status;
}

void wrap_init_thread(void (*init)(const int *required, int *provided, int *error),
                      const int *required, int *provided, int *error)
{
    int status = 0;
    init(required, provided, &status);
    begin(status);
    if (error)
        *error = status;
}

/* MPICH's mpi_f08 bypasses MPI_Init. */
void mpi_init_f08_(int *error)
{
    const void *site = __builtin_return_address(0);
    symbols_init(site);
    wrap_init(symbols_find_fortran(site)->init_f08, error);
}

void mpi_init_thread_f08_(const int *required, int *provided, int *error)
{
    const void *site = __builtin_return_address(0);
    symbols_init(site);
    wrap_init_thread(symbols_find_fortran(site)->init_thread_f08, required, provided,
                     error);
}

int MPI_Comm_free(void *comm)
{
    const struct mpi_symbols *mpi = symbols_find(__builtin_return_address(0));
    if (mpi->core)
        mpi->core->leave(comm);
    return mpi->comm_free(comm);
}

int MPI_Comm_disconnect(void *comm)
{
    const struct mpi_symbols *mpi = symbols_find(__builtin_return_address(0));
    if (mpi->core)
        mpi->core->leave(comm);
    return mpi->comm_disconnect(comm);
}

int MPI_Pcontrol(const int level, ...)
{
    const struct mpi_symbols *mpi = symbols_find(__builtin_return_address(0));
    if (mpi->core)
        mpi->core->pcontrol(level);
    return mpi->pcontrol(level);
}
