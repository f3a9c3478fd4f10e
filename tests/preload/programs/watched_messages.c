/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages, waits and requests of all kinds, and collective calls that may return
 * before others have begun them: waiting longer than the MPI would make this hang.
 */
#include "check.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { TAG = 5, LONG = 20000 };

static int rank, ranks, left, right;

static void check_status(const MPI_Status *status, int source, int tag, int n,
                         const char *what)
{
    int counted;
    MPI_Get_count(status, MPI_INT, &counted);
    check(status->MPI_SOURCE == source && status->MPI_TAG == tag && counted == n,
          "%s: status has source %d, tag %d, %d numbers, not %d, %d, %d", what,
          status->MPI_SOURCE, status->MPI_TAG, counted, source, tag, n);
}

/* Short and long messages arrive in the order in which they were sent. */
static void order(void)
{
    static int out[LONG], in[LONG];
    MPI_Request requests[60];
    MPI_Status status, statuses[60];
    for (int i = 0; i < 60; i++) {
        out[i] = i;
        MPI_Isend(out + i, i % 7 ? 1 : LONG - i, MPI_INT, right, TAG + i % 3,
                  MPI_COMM_WORLD, &requests[i]);
    }
    for (int i = 0; i < 60; i++) {
        in[0] = -1;
        if (i % 4 == 0) {
            MPI_Probe(left, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            check_status(&status, left, TAG + i % 3, i % 7 ? 1 : LONG - i, "MPI_Probe");
        }
        MPI_Recv(in, LONG, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        check(in[0] == i, "message %d came instead of %d", in[0], i);
        check_status(&status, left, TAG + i % 3, i % 7 ? 1 : LONG - i, "MPI_Recv");
    }
    MPI_Waitall(60, requests, statuses);
}

static void nobody(void)
{
    int number = 7;
    MPI_Status status;
    MPI_Message message;
    MPI_Send(&number, 1, MPI_INT, MPI_PROC_NULL, TAG, MPI_COMM_WORLD);
    MPI_Recv(&number, 1, MPI_INT, MPI_PROC_NULL, TAG, MPI_COMM_WORLD, &status);
    check_status(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0, "MPI_Recv from nobody");
    MPI_Probe(MPI_PROC_NULL, TAG, MPI_COMM_WORLD, &status);
    check_status(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0, "MPI_Probe of nobody");
    MPI_Mprobe(MPI_PROC_NULL, TAG, MPI_COMM_WORLD, &message, &status);
    check(message == MPI_MESSAGE_NO_PROC, "MPI_Mprobe of nobody");
    MPI_Mrecv(&number, 1, MPI_INT, &message, &status);
    check(message == MPI_MESSAGE_NULL, "MPI_Mrecv from nobody");
    check_status(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0, "MPI_Mrecv from nobody");
    /* Along a chain of ranks. */
    const int before = rank > 0 ? rank - 1 : MPI_PROC_NULL,
              after = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
    int in = -1;
    MPI_Sendrecv(&rank, 1, MPI_INT, after, TAG, &in, 1, MPI_INT, before, TAG,
                 MPI_COMM_WORLD, &status);
    check(in == rank - 1, "MPI_Sendrecv along a row");
    in = rank;
    MPI_Sendrecv_replace(&in, 1, MPI_INT, after, TAG, before, TAG, MPI_COMM_WORLD,
                         &status);
    check(in == (rank > 0 ? rank - 1 : rank), "MPI_Sendrecv_replace along a row");
    check(number == 7, "nobody sent something");
}

/* MPI_Ssend returns only when its receiver has come, which the sender checks. */
static void synchronous(void)
{
    enum { RETURNED = TAG + 1, LOOKS = 100 };
    int number = 3, returned = 0;
    if (rank == 0) {
        MPI_Ssend(&number, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD);
        MPI_Send(NULL, 0, MPI_INT, 1, RETURNED, MPI_COMM_WORLD);
    }
    if (rank != 1)
        return;
    for (int i = 0; i < LOOKS && !returned; i++) {
        usleep(1000);
        MPI_Iprobe(0, RETURNED, MPI_COMM_WORLD, &returned, MPI_STATUS_IGNORE);
    }
    check(!returned, "MPI_Ssend has returned before its receiver came");
    MPI_Recv(&number, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(NULL, 0, MPI_INT, 0, RETURNED, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Requests that are used again and again. */
static void persistent(void)
{
    int out, in, index;
    MPI_Request requests[2];
    MPI_Status status, statuses[2];
    MPI_Recv_init(&in, 1, MPI_INT, left, TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Ssend_init(&out, 1, MPI_INT, right, TAG, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 9; i++) {
        out = 10 * rank + i;
        in = -1;
        MPI_Startall(2, requests);
        if (i % 3 == 0) {
            MPI_Waitall(2, requests, statuses);
            check_status(&statuses[0], left, TAG, 1, "MPI_Waitall");
        } else {
            for (int k = 0; k < 2; k++) {
                MPI_Waitany(2, requests, &index, &status);
                check(index == 0 || index == 1, "index %d of MPI_Waitany", index);
                if (index == 0)
                    check_status(&status, left, TAG, 1, "MPI_Waitany");
            }
        }
        check(in == 10 * left + i, "a persistent request brought %d", in);
        check(requests[0] != MPI_REQUEST_NULL, "a persistent request is gone");
        MPI_Waitany(2, requests, &index, &status);
        check(index == MPI_UNDEFINED, "an inactive request has ended");
        MPI_Wait(&requests[0], &status);
        check_status(&status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, "of an inactive request");
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static void some_of_many(void)
{
    int in[5], out = rank, left_over = 5, n, indices[6];
    MPI_Request requests[6] = {MPI_REQUEST_NULL};
    MPI_Status statuses[6];
    for (int i = 0; i < 5; i++) {
        in[i] = -1;
        MPI_Irecv(&in[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &requests[i + 1]);
    }
    for (int i = 4; i >= 0; i--)
        MPI_Send(&out, 1, MPI_INT, right, i, MPI_COMM_WORLD);
    while (left_over > 0) {
        MPI_Waitsome(6, requests, &n, indices, statuses);
        check(n > 0 && n <= left_over, "MPI_Waitsome: %d", n);
        for (int i = 0; i < n; i++) {
            check(in[indices[i] - 1] == left, "a message that has not come");
            check_status(&statuses[i], left, indices[i] - 1, 1, "MPI_Waitsome");
        }
        left_over -= n;
    }
    MPI_Waitsome(6, requests, &n, indices, statuses);
    check(n == MPI_UNDEFINED, "MPI_Waitsome of nothing: %d", n);
    check(MPI_Waitall(0, requests, statuses) == MPI_SUCCESS, "no requests");
    MPI_Wait(&requests[0], &statuses[0]);
    check_status(&statuses[0], MPI_ANY_SOURCE, MPI_ANY_TAG, 0, "of no request");
}

static int queried, freed;

static int query(void *extra, MPI_Status *status)
{
    (void)extra;
    queried++;
    MPI_Status_set_elements(status, MPI_INT, 3);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = 1;
    status->MPI_TAG = 2;
    return MPI_SUCCESS;
}

static int on_free(void *extra)
{
    (void)extra;
    freed++;
    return MPI_SUCCESS;
}

static int on_cancel(void *extra, int complete)
{
    (void)extra, (void)complete;
    return MPI_SUCCESS;
}

static void other_requests(void)
{
    int in, cancelled;
    MPI_Request request;
    MPI_Status status;
    MPI_Grequest_start(query, on_free, on_cancel, NULL, &request);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, &status);
    check_status(&status, 1, 2, 3, "of a generalized request");
    check(queried == 1 && freed == 1, "queried %d times, freed %d times", queried,
          freed);
    MPI_Irecv(&in, 1, MPI_INT, left, 999, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    check(cancelled, "a receive was not cancelled");
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(request == MPI_REQUEST_NULL, "a barrier has not ended");
    MPI_Irecv(&in, 1, MPI_INT, rank, TAG, MPI_COMM_WORLD, &request);
    MPI_Ssend(&rank, 1, MPI_INT, rank, TAG, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(in == rank, "a message to oneself");
}

/* The others begin calls that rank 0 has finished, or the other way round. */
static void ahead(void)
{
    int number = rank, numbers[64] = {0};
    for (int i = 0; i < 20; i++) {
        if (rank > 0)
            MPI_Recv(&number, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Scatter(numbers, 1, MPI_INT, &number, 1, MPI_INT, 0, MPI_COMM_WORLD);
        for (int to = 1; rank == 0 && to < ranks; to++)
            MPI_Send(&number, 1, MPI_INT, to, TAG, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    /* Two ranks, because those in between may have to wait for others. */
    MPI_Comm pair;
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, rank, &pair);
    for (int i = 0; rank < 2 && i < 20; i++) {
        if (rank == 0)
            MPI_Recv(&number, 1, MPI_INT, 1, TAG, pair, MPI_STATUS_IGNORE);
        MPI_Gather(&rank, 1, MPI_INT, numbers, 1, MPI_INT, 0, pair);
        MPI_Reduce(&rank, &number, 1, MPI_INT, MPI_SUM, 0, pair);
        check(rank == 1 || (numbers[1] == 1 && number == 1), "gathered %d, %d",
              numbers[1], number);
        if (rank == 1)
            MPI_Send(&number, 1, MPI_INT, 0, TAG, pair);
    }
    if (rank < 2)
        MPI_Comm_free(&pair);
}

static void *exchange(void *comm)
{
    int in, sum;
    for (int i = 0; i < 50; i++) {
        const int out = 100 * rank + i;
        MPI_Sendrecv(&out, 1, MPI_INT, right, TAG, &in, 1, MPI_INT, left, TAG,
                     *(MPI_Comm *)comm, MPI_STATUS_IGNORE);
        check(in == 100 * left + i, "a thread got %d, not %d", in, 100 * left + i);
        MPI_Allreduce(&out, &sum, 1, MPI_INT, MPI_SUM, *(MPI_Comm *)comm);
        check(sum == 50 * ranks * (ranks - 1) + ranks * i, "a thread's sum is %d", sum);
    }
    return NULL;
}

static void threads(void)
{
    pthread_t others[2];
    MPI_Comm comms[3];
    for (int i = 0; i < 3; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    for (int i = 0; i < 2; i++)
        if (pthread_create(&others[i], NULL, exchange, &comms[i]) != 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
    exchange(&comms[2]);
    for (int i = 0; i < 2; i++)
        pthread_join(others[i], NULL);
    for (int i = 0; i < 3; i++)
        MPI_Comm_free(&comms[i]);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    left = (rank + ranks - 1) % ranks;
    right = (rank + 1) % ranks;
    order();
    nobody();
    synchronous();
    persistent();
    some_of_many();
    other_requests();
    ahead();
    if (provided == MPI_THREAD_MULTIPLE)
        threads();
    return check_finish();
}
