/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of the MPI that this library replaces for simulated programs, by
   linking. Arguments are words here, too, so mpi.h is not included. */
#include "wrap.h"

#include <stddef.h>

#define DECLARE_OWN(Name, name, NAME, n, ...) int PMPI_##Name(WORDS_##n);
PASSED_CALLS(DECLARE_OWN)
int PMPI_Bcast(void *buffer, int count, void *type, int root, void *comm);
int PMPI_Init(int *argc, char ***argv);
int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int PMPI_Finalize(void);
ENTRY int MPI_Finalize(void);

extern const struct core motley_balance_core;
static const struct core *core; /* NULL: calls are passed through */

/* MPI_SUCCESS is 0. */
static int begin(int status)
{
    core = status == 0 && motley_balance_core.begin() ? &motley_balance_core : NULL;
    return status;
}

int MPI_Init(int *argc, char ***argv)
{
    return begin(PMPI_Init(argc, argv));
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return begin(PMPI_Init_thread(argc, argv, required, provided));
}

int MPI_Bcast(void *buffer, int count, void *type, int root, void *comm)
{
    if (!core)
        return PMPI_Bcast(buffer, count, type, root, comm);
    return core->bcast(&(struct bcast_words){buffer, count, type, root, comm,
                                             __builtin_return_address(0)},
                       NULL);
}

#define WRAP(Name, name, NAME, n, ...) \
    int MPI_##Name(WORDS_##n) \
    { \
        if (!core) \
            return PMPI_##Name(NAMES_##n); \
        struct watched watched = {.call = CALL_##Name, \
                                  .site = __builtin_return_address(0)}; \
        const call_word arguments[] = {NAMES_##n}; \
        int status; \
        core->before(&watched, arguments); \
        if (!IS_TAKEN(watched.call) || !core->instead(&status, &watched, arguments)) \
            status = PMPI_##Name(NAMES_##n); \
        core->after(&watched); \
        return status; \
    }
PASSED_CALLS(WRAP)

int MPI_Pcontrol(const int level, ...)
{
    if (core)
        core->pcontrol(level);
    return 0;
}

/* SimGrid deletes the attributes of MPI_COMM_SELF after the last message can be
   sent. */
int MPI_Finalize(void)
{
    if (core)
        core->end();
    return PMPI_Finalize();
}
