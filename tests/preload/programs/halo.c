/* SPDX-License-Identifier: BSD-3-Clause */
/* halo sendrecv|waitall|alltoall|nothing: no call that all ranks must enter together,
   in most of these ways; rank 1 comes 5 ms late to each. */
#include "check.h"

#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    enum { COUNT = 100 };
    double mine[2 * COUNT] = {0}, theirs[2 * COUNT] = {0};
    int rank, size, there;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    for (int i = 0; i < 60; i++) {
        MPI_Request requests[2];
        MPI_Status statuses[2];
        if (rank == 1)
            usleep(5000);
        if (strcmp(argv[1], "sendrecv") == 0) {
            MPI_Sendrecv(mine, COUNT, MPI_DOUBLE, right, 0, theirs, COUNT, MPI_DOUBLE,
                         left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (strcmp(argv[1], "waitall") == 0) {
            MPI_Irecv(theirs, COUNT, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
            MPI_Isend(mine, COUNT, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[1]);
            MPI_Waitall(2, requests, statuses);
        } else if (strcmp(argv[1], "alltoall") == 0) {
            MPI_Alltoall(mine, COUNT / size, MPI_DOUBLE, theirs, COUNT / size,
                         MPI_DOUBLE, MPI_COMM_WORLD);
        } else {
            MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        }
    }
    return check_finish();
}
