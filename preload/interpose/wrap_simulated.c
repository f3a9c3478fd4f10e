/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of the MPI that a simulated program is linked with instead. */
#include "wrap_simulated.h"

#include "preload/bcast/comm_state.h"

#include <stdlib.h>

extern const struct core motley_balance_core;

const struct core *simulated_core(void)
{
    static const char *options;
    if (!options) {
        const char *text = getenv("MOTLEY_BALANCE");
        options = text ? text : "";
    }
    return *options ? &motley_balance_core : NULL;
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
