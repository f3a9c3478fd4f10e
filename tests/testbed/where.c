/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the ranks are: rank 0 prints "rank R of P on HOST" for each, and a time. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { HOST_SIZE = 256 };

/* MPICH 4.0 over UCX may wait for ever in MPI_Finalize, for ranks that are further and
   do not listen any more. */
static void give_up(int number)
{
    (void)number;
    _exit(0);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    char host[HOST_SIZE] = "";
    MPI_Init(&argc, &argv);
    const double start = MPI_Wtime();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    gethostname(host, sizeof host - 1);

    char *hosts = calloc((size_t)ranks, HOST_SIZE);
    if (!hosts)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Gather(host, HOST_SIZE, MPI_CHAR, hosts, HOST_SIZE, MPI_CHAR, 0,
               MPI_COMM_WORLD);
    if (rank == 0) {
        for (int i = 0; i < ranks; i++)
            printf("rank %d of %d on %s\n", i, ranks, hosts + (size_t)i * HOST_SIZE);
        printf("time %.9f s\n", MPI_Wtime() - start);
    }
    free(hosts);
    fflush(stdout);
    signal(SIGALRM, give_up);
    alarm(1);
    MPI_Finalize();
    return 0;
}
