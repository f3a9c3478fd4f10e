/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline.h"

#include "apps/common/app.h"
#include "lib/base/array.h"

#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[MT_PDGEMM_WORKS] = {
    [MT_PDGEMM_COMPUTING] = "computing",
    [MT_PDGEMM_COMMUNICATION] = "communication",
    [MT_PDGEMM_COPYING] = "copying",
    [MT_PDGEMM_WAITING] = "waiting",
};

void strassen_timeline_begin(struct strassen_timeline *timeline)
{
    timeline->begin = MPI_Wtime();
}

void strassen_timeline_note(struct strassen_timeline *timeline,
                            enum mt_pdgemm_work work, double until)
{
    struct mt_error ignored;
    timeline->is_short =
        timeline->is_short ||
        mt_array_grow(&timeline->laps, timeline->count, sizeof *timeline->laps, "times",
                      &ignored) != MT_OK;
    if (!timeline->is_short)
        timeline->laps[timeline->count++] =
            (struct strassen_lap){work, until - timeline->begin};
}

void strassen_timeline_clear(struct strassen_timeline *timeline)
{
    free(timeline->laps);
    *timeline = (struct strassen_timeline){.count = 0};
}

static void print_laps(FILE *file, int rank, const struct strassen_lap *laps, int count)
{
    double begin = 0;
    for (int i = 0; i < count; i++) {
        fprintf(file, "%d %s %.9g %.9g\n", rank, names[(int)laps[i].work], begin,
                laps[i].until);
        begin = laps[i].until;
    }
}

static void pass_on(FILE *file, int rank)
{
    MPI_Status message;
    int numbers;
    MPI_Probe(rank, 0, MPI_COMM_WORLD, &message);
    MPI_Get_count(&message, MPI_DOUBLE, &numbers);
    struct strassen_lap *laps = calloc((size_t)numbers / 2 + 1, sizeof *laps);
    if (!laps)
        app_give_up("strassen", "no memory for the times of rank %d", rank);
    MPI_Recv(laps, numbers, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (file)
        print_laps(file, rank, laps, numbers / 2);
    free(laps);
}

static int write_all(const struct strassen_timeline *timeline, const char *path,
                     struct mt_error *err)
{
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    FILE *file = fopen(path, "we");
    int code = file ? 0 : errno;
    if (file)
        print_laps(file, 0, timeline->laps, timeline->count);
    for (int rank = 1; rank < ranks; rank++)
        pass_on(file, rank);
    if (file && fclose(file) != 0)
        code = errno;
    return code ? mt_fail(err, MT_EIO, "cannot write '%s': %s", path, strerror(code))
                : MT_OK;
}

int strassen_timeline_write(const struct strassen_timeline *timeline, const char *path,
                            struct mt_error *err)
{
    int rank, status = MT_OK;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        status = write_all(timeline, path, err);
    else
        MPI_Send(timeline->laps, 2 * timeline->count, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    return timeline->is_short ? mt_fail(err, MT_ENOMEM, "no memory for a time line")
                              : status;
}
