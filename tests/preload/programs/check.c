/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static atomic_int failures;

void check(bool holds, const char *format, ...)
{
    if (holds || atomic_fetch_add(&failures, 1) >= 5) /* the first ones suffice */
        return;
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "rank %d: %s\n", rank, text);
}

int check_finish(void)
{
    MPI_Finalize();
    return failures > 0;
}

static uint64_t word(uint32_t number, uint64_t index)
{
    return (((uint64_t)number << 32) + index + 1) * 0x9e3779b97f4a7c15;
}

void message_fill(void *buffer, size_t bytes, uint32_t number)
{
    for (size_t at = 0; at < bytes; at += 8) {
        const uint64_t w = word(number, at);
        memcpy((char *)buffer + at, &w, bytes - at < 8 ? bytes - at : 8);
    }
}

bool message_is(const void *buffer, size_t bytes, uint32_t number)
{
    for (size_t at = 0; at < bytes; at += 8) {
        const uint64_t w = word(number, at);
        if (memcmp((const char *)buffer + at, &w, bytes - at < 8 ? bytes - at : 8) != 0)
            return false;
    }
    return true;
}

uint32_t draw(uint64_t *state, uint32_t limit)
{
    *state = *state * 6364136223846793005 + 1442695040888963407;
    return (uint32_t)((*state >> 33) % limit);
}

void check_bcast(void *buffer, int bytes, int root, MPI_Comm comm, uint32_t number)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (rank == root)
        message_fill(buffer, (size_t)bytes, number);
    else
        memset(buffer, 0, (size_t)bytes);
    MPI_Bcast(buffer, bytes, MPI_BYTE, root, comm);
    check(message_is(buffer, (size_t)bytes, number),
          "message %u of %d bytes from rank %d is wrong", number, bytes, root);
}

void unbalance(MPI_Comm comm)
{
    char buffer[64];
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (uint32_t i = 0; i < 50; i++) {
        if (rank == size / 2)
            usleep(2000);
        check_bcast(buffer, sizeof buffer, 0, comm, i);
        if (i % 5 == 4)
            MPI_Barrier(comm);
    }
}

long peak_kib(void)
{
    FILE *status = fopen("/proc/self/status", "r");
    char line[256];
    long kib = 0;
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %ld", &kib) == 1)
            break;
    if (status)
        fclose(status);
    return kib;
}
