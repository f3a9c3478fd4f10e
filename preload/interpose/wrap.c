/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of the MPI that a program in C finds here instead. */
#include "wrap.h"

#include "family.h"

/* An MPI may come back here from its own functions: that is not the program's call. */
static __thread bool inside;

bool wrap_enter(void)
{
    const bool first = !inside;
    inside = true;
    return first;
}

void wrap_leave(void)
{
    inside = false;
}

/* A call of `n` arguments goes to the MPI's function, or to the one that waits
   patiently. */
#define CALL(family, name, n) ((int (*)(WORDS_##n))(family)->calls[CALL_##name])

#define WRAP(name, n) \
    int MPI_##name(WORDS_##n) \
    { \
        return CALL(family_find(__builtin_return_address(0)), name, n)(NAMES_##n); \
    }
PLAIN_CALLS(WRAP)

static int pass(const struct family *family, void *buffer, int64_t count, void *type,
                int root, void *comm)
{
    const mpi_function function =
        family->calls[count == (int)count ? CALL_Bcast : CALL_Bcast_c];
    return ((int (*)(void *, int64_t, void *, int, void *))function)(buffer, count,
                                                                     type, root, comm);
}

static int bcast(void *buffer, int64_t count, void *type, int root, void *comm,
                 const void *site)
{
    const struct family *family = family_find(site);
    if (!family->core || !wrap_enter())
        return pass(family, buffer, count, type, root, comm);
    int status;
    const bool done =
        family->core->bcast(&status, buffer, count, type, root, comm, site);
    wrap_leave();
    return done ? status : pass(family, buffer, count, type, root, comm);
}

int MPI_Bcast(void *buffer, int count, void *type, int root, void *comm)
{
    return bcast(buffer, count, type, root, comm, __builtin_return_address(0));
}

int MPI_Bcast_c(void *buffer, int64_t count, void *type, int root, void *comm)
{
    return bcast(buffer, count, type, root, comm, __builtin_return_address(0));
}

int MPI_Pcontrol(const int level, ...)
{
    const struct family *family = family_find(__builtin_return_address(0));
    if (family->core)
        family->core->pcontrol(level);
    return family->pcontrol(level);
}

int MPI_Init(int *argc, char ***argv)
{
    const int status = family_find(__builtin_return_address(0))->init(argc, argv);
    if (status == SUCCESS)
        family_begin();
    return status;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    const int status = family_find(__builtin_return_address(0))
                           ->init_thread(argc, argv, required, provided);
    if (status == SUCCESS)
        family_begin();
    return status;
}

int MPI_Finalize(void)
{
    const struct family *family = family_find(__builtin_return_address(0));
    family_end();
    return family->finalize();
}
