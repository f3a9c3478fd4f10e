/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * motley-gpus COUNT PROGRAM [ARGUMENT...] - starts the program as a rank that sees
 * COUNT of its node's GPUs: the first rank of a node gets the first ones, the next rank
 * the next ones. Their numbers are in CUDA_VISIBLE_DEVICES (NVIDIA) and
 * ROCR_VISIBLE_DEVICES (AMD), which are empty for none. If a scheduler has set these
 * variables, as for a job with part of a node, the GPUs are chosen among those.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_NOT_STARTED = 127, MOST_NUMBER = 100000 };

/* The number in a text, from 0 on; -1 if none. */
static int read_number(const char *text)
{
    char *end = NULL;
    const long number = text && *text ? strtol(text, &end, 10) : -1;
    return end && !*end && number >= 0 && number <= MOST_NUMBER ? (int)number : -1;
}

/* This rank's number on its node, by its launcher; -1: unknown. */
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
static char *list_devices(long first, int count)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    for (int i = 0; i < count; i++)
        fprintf(stream, "%s%ld", i > 0 ? "," : "", first + i);
    if (fclose(stream) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* `count` entries of a list as "4,5,6,7"; the caller frees it. NULL: too few entries,
   or out of memory. */
static char *part_of_list(const char *list, long first, int count)
{
    for (; first > 0 && *list; first--) {
        list += strcspn(list, ",");
        list += *list == ',';
    }
    size_t length = 0;
    for (int i = 0; i < count; i++) {
        const size_t word = strcspn(list + length, ",");
        if (word == 0)
            return NULL;
        length += word + (i < count - 1 && list[length + word] == ',');
    }
    return strndup(list, length);
}

/* Set a variable to the rank's part of its old list, or else of all GPUs. */
static int set_devices(const char *name, long first, int count)
{
    const char *list = getenv(name);
    char *devices =
        list ? part_of_list(list, first, count) : list_devices(first, count);
    if (!devices)
        fprintf(
            stderr,
            "motley-gpus: no GPUs %ld to %ld of its node for this rank: %s is '%s'\n",
            first + 1, first + count, name, list ? list : "");
    const int status = devices ? setenv(name, devices, 1) : -1;
    free(devices);
    return status;
}

/* Programs of AMD's HIP use this variable, or else CUDA_VISIBLE_DEVICES, to select
   among the GPUs that ROCR_VISIBLE_DEVICES leaves, counted from 0. */
static int set_of_hip(int count)
{
    char *devices = list_devices(0, count);
    const int status = devices ? setenv("HIP_VISIBLE_DEVICES", devices, 1) : -1;
    free(devices);
    return status;
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
    const long first = (long)rank * count;
    if (set_devices("CUDA_VISIBLE_DEVICES", first, count) != 0 ||
        set_devices("ROCR_VISIBLE_DEVICES", first, count) != 0 ||
        set_of_hip(count) != 0)
        return EXIT_NOT_STARTED;
    execvp(argv[2], argv + 2);
    fprintf(stderr, "motley-gpus: cannot start '%s': %s\n", argv[2], strerror(errno));
    return EXIT_NOT_STARTED;
}
