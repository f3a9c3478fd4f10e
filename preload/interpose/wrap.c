/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of the MPI that a program in C finds here instead. */
#include "wrap.h"

#include "symbols.h"

static int pass(const struct mpi_symbols *mpi, const struct bcast_words *call)
{
    if (call->count == (int)call->count)
        return mpi->bcast(call->buffer, (int)call->count, call->type, call->root,
                          call->comm);
    return mpi->bcast_c(call->buffer, call->count, call->type, call->root, call->comm);
}

static int bcast(const struct bcast_words *call)
{
    const struct mpi_symbols *mpi = symbols_find(call->site);
    int status;
    return mpi->core && mpi->core->bcast(&status, call) ? status : pass(mpi, call);
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
