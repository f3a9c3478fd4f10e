/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of the MPI that a simulated program is linked with instead. */
#include "wrap_simulated.h"

#include "preload/bcast/comm_state.h"

extern const struct core motley_balance_core;
static bool active;

const struct core *simulated_core(void)
{
    return active ? &motley_balance_core : NULL;
}

static int begin(int status)
{
    active = status == MPI_SUCCESS && motley_balance_core.begin();
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

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    const struct core *core = simulated_core();
    if (!core)
        return PMPI_Bcast(buffer, count, type, root, comm);
    return core->bcast(&(struct bcast_words){buffer, count, type, root, comm,
                                             __builtin_return_address(0)},
                       NULL);
}

int MPI_Pcontrol(const int level, ...)
{
    const struct core *core = simulated_core();
    if (core)
        core->pcontrol(level);
    return MPI_SUCCESS;
}

/* SimGrid deletes the attributes of MPI_COMM_SELF when no message can be sent any more.
 */
int MPI_Finalize(void)
{
    comm_state_end();
    return PMPI_Finalize();
}
