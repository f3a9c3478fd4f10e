/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sorts integers into buckets, one a rank, like IS of the NAS Parallel Benchmarks:
 * reads the number of keys from is.input, prints millions of keys a second. For
 * is.yaml: mpicc -O2 -o is is.c
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LARGEST = 1 << 20, ROUNDS = 10 };

static int rank, ranks;

static void fail(const char *reason)
{
    fprintf(stderr, "is: %s\n", reason);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void *allocate(int count)
{
    void *memory = calloc((size_t)count + 1, sizeof(int));
    if (!memory)
        fail("no memory");
    return memory;
}

static int owner(int key)
{
    return (int)((int64_t)key * ranks / LARGEST);
}

/* Send each key to the rank of its bucket; returns the number of received keys. */
static int exchange(const int *keys, int count, int **mine)
{
    int *sent = allocate(ranks), *at = allocate(ranks), *got = allocate(ranks),
        *from = allocate(ranks), *next = allocate(ranks), *out = allocate(count),
        total = 0;
    for (int i = 0; i < count; i++)
        sent[owner(keys[i])]++;
    for (int i = 1; i < ranks; i++)
        next[i] = at[i] = at[i - 1] + sent[i - 1];
    for (int i = 0; i < count; i++)
        out[next[owner(keys[i])]++] = keys[i];
    MPI_Alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < ranks; i++) {
        from[i] = total;
        total += got[i];
    }
    *mine = allocate(total);
    MPI_Alltoallv(out, sent, at, MPI_INT, *mine, got, from, MPI_INT, MPI_COMM_WORLD);
    int *const all[] = {sent, at, got, from, next, out};
    for (int i = 0; i < 6; i++)
        free(all[i]);
    return total;
}

/* Count the keys of each value, which sorts them; returns the sum of all ranks. */
static int64_t count_keys(const int *keys, int count)
{
    int *counts = allocate(LARGEST);
    int64_t here = 0, all = 0;
    for (int i = 0; i < count; i++) {
        if (owner(keys[i]) != rank)
            fail("a key in the wrong bucket");
        counts[keys[i]]++;
    }
    for (int key = 0; key < LARGEST; key++)
        here += counts[key];
    free(counts);
    MPI_Allreduce(&here, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    long total = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    FILE *input = fopen("is.input", "r");
    if (!input || fscanf(input, "keys %ld", &total) != 1 || total < 1 ||
        total > 1L << 30)
        fail("is.input must say how many keys there are");
    fclose(input);
    const int count = (int)(total / ranks + (rank < total % ranks));
    int *keys = allocate(count);
    uint64_t state = (uint64_t)rank + 1;
    for (int i = 0; i < count; i++) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        keys[i] = (int)(state >> 33) % LARGEST;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = MPI_Wtime();
    for (int round = 0; round < ROUNDS; round++) {
        int *mine = NULL;
        const int came = exchange(keys, count, &mine);
        if (count_keys(mine, came) != total)
            fail("keys are lost");
        free(mine);
    }
    seconds = MPI_Wtime() - seconds;
    if (rank == 0)
        printf("Mop/s total = %.6f\n", 1e-6 * (double)total * ROUNDS / seconds);
    free(keys);
    MPI_Finalize();
    return 0;
}
