/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * motley-gpus COUNT PROGRAM [ARGUMENT...] - becomes the program, as a rank that sees so
 * many of its node's GPUs: the first rank of a node the first ones, the next rank the
 * next. Their numbers are in CUDA_VISIBLE_DEVICES (NVIDIA) and ROCR_VISIBLE_DEVICES
 * (AMD); of none, these are empty.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_NOT_STARTED = 127, MOST_NUMBER = 100000 };

/* The number in a text, from 0 on; -1: there is none. */
static int read_number(const char *text)
{
    char *end = NULL;
    const long number = text && *text ? strtol(text, &end, 10) : -1;
    return end && !*end && number >= 0 && number <= MOST_NUMBER ? (int)number : -1;
}

/* The number of this rank among those of its node, as its launcher says; -1: it does
   not. */
static int local_rank(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_RANK", /* Open MPI */
                                        "MPI_LOCALRANKID", /* Hydra, of MPICH */
                                        "SLURM_LOCALID", "PALS_LOCAL_RANKID",
                                        "MV2_COMM_WORLD_LOCAL_RANK"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (read_number(getenv(names[i])) >= 0)
            return read_number(getenv(names[i]));
    return -1;
}

/* "2,3" of two; the caller frees it. NULL: memory is short. */
static char *list_devices(int rank, int count)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    for (int i = 0; i < count; i++)
        fprintf(stream, "%s%d", i > 0 ? "," : "", rank * count + i);
    if (fclose(stream) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

int main(int argc, char **argv)
{
    const int count = argc > 2 ? read_number(argv[1]) : -1;
    if (count < 0) {
        fputs("motley-gpus: a number and a program are needed\n", stderr);
        return EXIT_NOT_STARTED;
    }
    const int rank = count > 0 ? local_rank() : 0;
    if (rank < 0) {
        fputs("motley-gpus: the launcher does not say which rank of its node this is\n",
              stderr);
        return EXIT_NOT_STARTED;
    }
    char *devices = list_devices(rank, count);
    if (!devices || setenv("CUDA_VISIBLE_DEVICES", devices, 1) != 0 ||
        setenv("ROCR_VISIBLE_DEVICES", devices, 1) != 0) {
        fputs("motley-gpus: no memory\n", stderr);
        return EXIT_NOT_STARTED;
    }
    free(devices);
    execvp(argv[2], argv + 2);
    fprintf(stderr, "motley-gpus: cannot start '%s': %s\n", argv[2], strerror(errno));
    return EXIT_NOT_STARTED;
}
