/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks that are spawned later, without the first ones' environment, broadcast together
 * with them.
 */
#include "check.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm between, all;
    char without[] = "-u", variable[] = "MOTLEY_BALANCE";
    char *arguments[] = {without, variable, argv[0], NULL};
    MPI_Comm_get_parent(&between);
    const bool child = between != MPI_COMM_NULL;
    if (!child)
        MPI_Comm_spawn("env", arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between,
                       MPI_ERRCODES_IGNORE);
    MPI_Intercomm_merge(between, child, &all);
    unbalance(all);
    unbalance(MPI_COMM_WORLD);
    unbalance(all);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&between);
    return check_finish();
}
