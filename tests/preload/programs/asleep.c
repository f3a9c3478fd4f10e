/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A patient rank sleeps repeatedly while it waits for a late one, in any call; the
 * kernel counts the sleeps. Rank 0 is late, rank 1 waits. Without the library, every
 * call fails the test.
 */
#include "check.h"

#include <sys/resource.h>
#include <unistd.h>

enum {
    TAG = 4,
    LATE = 100 * 1000, /* us */
    LONG = 4 << 20,
    SLEEPS = 30, /* there is time for more than 200 */
};

static int rank;
static long before; /* sleeps until the wait begins */
static char message[LONG];

/* How often this thread has given up the core to wait for something. */
static long count_sleeps(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
}

static void come(void)
{
    PMPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        usleep(LATE);
    before = count_sleeps();
}

static bool has_slept(void)
{
    return rank == 0 || count_sleeps() - before >= SLEEPS;
}

static void send(void)
{
    PMPI_Send(message, 1, MPI_CHAR, 1, TAG, MPI_COMM_WORLD);
}

static void receive(void)
{
    PMPI_Recv(message, LONG, MPI_CHAR, 1 - rank, TAG, MPI_COMM_WORLD,
              MPI_STATUS_IGNORE);
}

/* Rank 1 waits in this call for a late action of rank 0. */
#define WAITS(late, ...) \
    do { \
        come(); \
        if (rank == 0) \
            late(); \
        else \
            MPI_##__VA_ARGS__; \
        check(has_slept(), "MPI_%s does not sleep", #__VA_ARGS__); \
    } while (0)

/* Both ranks make this call. */
#define MEETS(...) \
    do { \
        come(); \
        MPI_##__VA_ARGS__; \
        check(has_slept(), "MPI_%s does not sleep", #__VA_ARGS__); \
    } while (0)

static void messages(void)
{
    MPI_Message matched;
    const int peer = 1 - rank;
    WAITS(send, Recv(message, 1, MPI_CHAR, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    WAITS(send, Probe(0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    if (rank == 1)
        receive();
    WAITS(send, Mprobe(0, TAG, MPI_COMM_WORLD, &matched, MPI_STATUS_IGNORE));
    if (rank == 1)
        MPI_Mrecv(message, 1, MPI_CHAR, &matched, MPI_STATUS_IGNORE);
    WAITS(receive, Send(message, LONG, MPI_CHAR, 0, TAG, MPI_COMM_WORLD));
    WAITS(receive, Ssend(message, 1, MPI_CHAR, 0, TAG, MPI_COMM_WORLD));
    MEETS(Sendrecv(message, 1, MPI_CHAR, peer, TAG, message + 1, 1, MPI_CHAR, peer, TAG,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    MEETS(Sendrecv_replace(message, 1, MPI_CHAR, peer, TAG, peer, TAG, MPI_COMM_WORLD,
                           MPI_STATUS_IGNORE));
}

static void waits(void)
{
    MPI_Request requests[4];
    MPI_Status statuses[1];
    int index, n, indices[1];
    for (int i = 0; rank == 1 && i < 4; i++)
        MPI_Irecv(message + i, 1, MPI_CHAR, 0, TAG, MPI_COMM_WORLD, &requests[i]);
    WAITS(send, Wait(&requests[0], MPI_STATUS_IGNORE));
    WAITS(send, Waitall(1, &requests[1], statuses));
    WAITS(send, Waitany(1, &requests[2], &index, MPI_STATUS_IGNORE));
    WAITS(send, Waitsome(1, &requests[3], &n, indices, statuses));
}

static void loops(void)
{
    MPI_Request request;
    int done = 0;
    if (rank == 1)
        MPI_Irecv(message, 1, MPI_CHAR, 0, TAG, MPI_COMM_WORLD, &request);
    come();
    while (rank == 1 && !done)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (rank == 0)
        send();
    check(has_slept(), "a loop of MPI_Test does not sleep");

    done = 0;
    come();
    while (rank == 1 && !done)
        MPI_Iprobe(0, TAG, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
    if (rank == 0)
        send();
    check(has_slept(), "a loop of MPI_Iprobe does not sleep");
    if (rank == 1)
        receive();
}

static void communicators(void)
{
    MPI_Comm made;
    MEETS(Comm_dup(MPI_COMM_WORLD, &made));
    MPI_Comm_free(&made);
    MEETS(Comm_split(MPI_COMM_WORLD, 0, 0, &made));
    MPI_Comm_free(&made);
}

static void windows(void)
{
    MPI_Win window;
    int *memory;
    MEETS(Win_allocate(sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                       &window));
    MEETS(Win_fence(0, window));
    MPI_Win_free(&window);
}

static void files(void)
{
    MPI_File file;
    MEETS(File_open(MPI_COMM_WORLD, "asleep.data",
                    MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                    MPI_INFO_NULL, &file));
    MPI_File_close(&file);
}

static void collectives(void)
{
    int out[2] = {0}, in[2];
    MEETS(Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < 4; i++) /* at the third, bcast=auto sets up */
        MEETS(Bcast(in, 1, MPI_INT, 0, MPI_COMM_WORLD));
    MEETS(Scatter(out, 1, MPI_INT, in, 1, MPI_INT, 0, MPI_COMM_WORLD));
    MEETS(Gather(out, 1, MPI_INT, in, 1, MPI_INT, 1, MPI_COMM_WORLD));
    MEETS(Allgather(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD));
    MEETS(Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD));
    MEETS(Reduce(out, in, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD));
    MEETS(Allreduce(out, in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    MEETS(Scan(out, in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    messages();
    waits();
    loops();
    collectives();
    communicators();
    windows();
    files();
    return check_finish();
}
