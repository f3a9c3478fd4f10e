/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of the MPI that a program in C finds here instead. */
#include "wrap.h"

#include "symbols.h"

/* An MPI may come back here from its own functions: that is not the program's call. */
static __thread bool inside;

static bool enter(void)
{
    const bool first = !inside;
    inside = true;
    return first;
}

static void leave(void)
{
    inside = false;
}

/* A call of `n` arguments goes to the MPI's function, or to the one that yields. */
#define WRAP_LARGE(name, n) \
    int MPI_##name(WORDS_##n) \
    { \
        const struct mpi_symbols *mpi = symbols_find(__builtin_return_address(0)); \
        return ((int (*)(WORDS_##n))mpi->calls[CALL_##name])(NAMES_##n); \
    }
#define WRAP(Name, name, NAME, n) WRAP_LARGE(Name, n)
PLAIN_CALLS(WRAP)
LARGE_CALLS(WRAP_LARGE)

static int pass(const struct mpi_symbols *mpi, const struct bcast_words *call)
{
    const mpi_function function =
        mpi->calls[call->count == (int)call->count ? CALL_Bcast : CALL_Bcast_c];
    return ((int (*)(void *, int64_t, void *, int, void *))function)(
        call->buffer, call->count, call->type, call->root, call->comm);
}

bool wrap_bcast(const struct mpi_symbols *mpi, int *status,
                const struct bcast_words *call)
{
    if (!mpi->core || !enter())
        return false;
    const bool done = mpi->core->bcast(status, call);
    leave();
    return done;
}

static int bcast(const struct bcast_words *call)
{
    const struct mpi_symbols *mpi = symbols_find(call->site);
    int status;
    return wrap_bcast(mpi, &status, call) ? status : pass(mpi, call);
}

int MPI_Bcast(void *buffer, int count, void *type, int root, void *comm)
{
    return bcast(&(struct bcast_words){buffer, count, type, root, comm,
                                       __builtin_return_address(0)});
}

int MPI_Bcast_c(void *buffer, int64_t count, void *type, int root, void *comm)
{
    return bcast(&(struct bcast_words){buffer, count, type, root, comm,
                                       __builtin_return_address(0)});
}

int MPI_Pcontrol(const int level, ...)
{
    const struct mpi_symbols *mpi = symbols_find(__builtin_return_address(0));
    if (mpi->core)
        mpi->core->pcontrol(level);
    return mpi->pcontrol(level);
}

int MPI_Init(int *argc, char ***argv)
{
    const int status = symbols_find(__builtin_return_address(0))->init(argc, argv);
    if (status == SUCCESS)
        symbols_begin();
    return status;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    const int status = symbols_find(__builtin_return_address(0))
                           ->init_thread(argc, argv, required, provided);
    if (status == SUCCESS)
        symbols_begin();
    return status;
}

int MPI_Finalize(void)
{
    const struct mpi_symbols *mpi = symbols_find(__builtin_return_address(0));
    symbols_end();
    return mpi->finalize();
}
