/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * skeleton - a mock program for studies of predictions: it charges computation and
 * sends messages by its options. It only exists in a simulated build, without real
 * computation.
 *
 * A run does FLOPS * N^EXPONENT * log2(N)^LOGARITHM operations, in a number of steps.
 * They belong to N^UNITS units, which cannot be divided and are dealt to the ranks as
 * evenly as that allows; only a stencil cuts a grid of DIMENSIONS axes of N points. A
 * share of each step is done by one rank, while all others wait for it. What a step
 * sends is the pattern's:
 *
 *     dense      one rank after the other broadcasts a part of MESSAGE bytes
 *     stencil    MESSAGE bytes for each point of a face, to the neighbours on each axis
 *     sparse     MESSAGE bytes over P to each rank 1, 2, 4, ... away, and a sum
 *     transpose  MESSAGE bytes over P^2 from each to each
 *     farm       the first rank hands units to idle ranks, MESSAGE bytes in all
 *     pipeline   parts of MESSAGE bytes go from each rank to the next
 *     reduce     the sum of MESSAGE bytes over all ranks
 *
 * where MESSAGE grows with N^GROWTH, except for a stencil.
 */
#include "apps/common/app.h"
#include "apps/common/work.h"

#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIMENSIONS = 3, RESULT_TAG = 1, TASK_TAG = 2 };

struct skeleton {
    char *pattern;
    int size, steps, dimensions, model_only;
    double flops, exponent, logarithm, efficiency;
    double units;           /* exponent of N */
    double uneven;          /* most by which a rank's share is larger or smaller */
    double heavy;           /* factor on the last rank's share */
    double serial;          /* share of the operations */
    double set, set_growth; /* bytes, of all ranks; exponent of N */
    double traffic;         /* bytes from memory an operation */
    double message, growth;
    int rank, ranks;
    struct work_node node;
    int parts[MAX_DIMENSIONS], place[MAX_DIMENSIONS], points[MAX_DIMENSIONS];
    double share; /* of the operations that are not serial */
    int room;     /* bytes of each buffer */
    char *sends, *gets;
};

static double operations(const struct skeleton *skeleton)
{
    return skeleton->flops * pow(skeleton->size, skeleton->exponent) *
           pow(log2(fmax(2, skeleton->size)), skeleton->logarithm);
}

/* Bytes of a message that is one of `parts`; at least a number. */
static int message_bytes(const struct skeleton *skeleton, double parts)
{
    const double bytes =
        skeleton->message * pow(skeleton->size, skeleton->growth) / parts;
    return (int)fmin(fmax(8, bytes), INT_MAX / 2);
}

static void compute(const struct skeleton *skeleton, double flops, bool alone)
{
    const double set =
        skeleton->set * pow(skeleton->size, skeleton->set_growth) / skeleton->ranks;
    const struct work work = {.flops = flops,
                              .efficiency = skeleton->efficiency,
                              .working_set = set,
                              .bytes = skeleton->traffic * flops,
                              .alone = alone};
    work_run(&skeleton->node, &work);
}

/* In [-1, 1], always the same for this rank and number of ranks. */
static double lot(const struct skeleton *skeleton)
{
    uint64_t state = (uint64_t)skeleton->rank << 32 | (uint64_t)skeleton->ranks;
    state = (state ^ (state >> 31)) * UINT64_C(0xbf58476d1ce4e5b9);
    state = (state ^ (state >> 29)) * UINT64_C(0x94d049bb133111eb);
    return (double)((state ^ (state >> 32)) >> 11) / 0x1p52 - 1;
}

static int block(int count, int parts, int part)
{
    return count / parts + (part < count % parts);
}

static void cut_grid(struct skeleton *skeleton)
{
    MPI_Dims_create(skeleton->ranks, skeleton->dimensions, skeleton->parts);
    skeleton->share = 1;
    for (int i = skeleton->dimensions - 1, left = skeleton->rank; i >= 0; i--) {
        skeleton->place[i] = left % skeleton->parts[i];
        left /= skeleton->parts[i];
        skeleton->points[i] =
            block(skeleton->size, skeleton->parts[i], skeleton->place[i]);
        skeleton->share *= (double)skeleton->points[i] / skeleton->size;
    }
}

static int units_of(const struct skeleton *skeleton)
{
    return (int)fmin(fmax(1, round(pow(skeleton->size, skeleton->units))), INT_MAX);
}

static void cut(struct skeleton *skeleton)
{
    if (skeleton->dimensions > 0) {
        cut_grid(skeleton);
    } else {
        const int units = units_of(skeleton);
        skeleton->share = (double)block(units, skeleton->ranks, skeleton->rank) / units;
    }
    skeleton->share *= 1 + skeleton->uneven * lot(skeleton);
    if (skeleton->rank == skeleton->ranks - 1)
        skeleton->share *= skeleton->heavy;
}

static bool is(const struct skeleton *skeleton, const char *pattern)
{
    return strcmp(skeleton->pattern, pattern) == 0;
}

static void do_share(const struct skeleton *skeleton)
{
    compute(skeleton,
            (1 - skeleton->serial) * operations(skeleton) * skeleton->share /
                skeleton->steps,
            false);
}

/* One rank works while all others wait for its result. */
static void do_serial(const struct skeleton *skeleton, int rank, int bytes)
{
    if (skeleton->serial > 0 && skeleton->rank == rank)
        compute(skeleton, skeleton->serial * operations(skeleton) / skeleton->steps,
                true);
    if (skeleton->serial > 0 || bytes > 8)
        MPI_Bcast(skeleton->sends, bytes, MPI_BYTE, rank, MPI_COMM_WORLD);
}

static void run_dense(const struct skeleton *skeleton)
{
    const int bytes = message_bytes(skeleton, skeleton->steps);
    for (int step = 0; step < skeleton->steps; step++) {
        do_serial(skeleton, step % skeleton->ranks, bytes);
        do_share(skeleton);
    }
}

/* The rank one place further along an axis, or one before; none at the border. */
static int neighbour(const struct skeleton *skeleton, int axis, int direction)
{
    const int place = skeleton->place[axis] + direction;
    if (place < 0 || place >= skeleton->parts[axis])
        return MPI_PROC_NULL;
    int stride = 1;
    for (int i = axis + 1; i < skeleton->dimensions; i++)
        stride *= skeleton->parts[i];
    return skeleton->rank + direction * stride;
}

static double face_bytes(const struct skeleton *skeleton, int axis)
{
    double bytes = skeleton->message;
    for (int i = 0; i < skeleton->dimensions; i++)
        if (i != axis)
            bytes *= skeleton->points[i];
    return fmin(fmax(8, bytes), INT_MAX / 2);
}

static void exchange_faces(const struct skeleton *skeleton)
{
    for (int axis = 0; axis < skeleton->dimensions; axis++)
        for (int direction = -1; direction <= 1; direction += 2)
            /* A neighbour in the same row of another axis has an equal face. */
            MPI_Sendrecv(skeleton->sends, (int)face_bytes(skeleton, axis), MPI_BYTE,
                         neighbour(skeleton, axis, direction), 0, skeleton->gets,
                         skeleton->room, MPI_BYTE,
                         neighbour(skeleton, axis, -direction), 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
}

static void exchange_afar(const struct skeleton *skeleton)
{
    const int bytes = message_bytes(skeleton, skeleton->ranks);
    for (int away = 1; away < skeleton->ranks; away *= 2)
        MPI_Sendrecv(skeleton->sends, bytes, MPI_BYTE,
                     (skeleton->rank + away) % skeleton->ranks, 0, skeleton->gets,
                     skeleton->room, MPI_BYTE,
                     (skeleton->rank + skeleton->ranks - away) % skeleton->ranks, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void add_up(const struct skeleton *skeleton, int bytes)
{
    MPI_Allreduce(skeleton->sends, skeleton->gets, bytes / 8, MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD);
}

static void run_rounds(const struct skeleton *skeleton)
{
    const double pairs = (double)skeleton->ranks * skeleton->ranks;
    for (int step = 0; step < skeleton->steps; step++) {
        do_serial(skeleton, 0, 8);
        do_share(skeleton);
        if (is(skeleton, "stencil"))
            exchange_faces(skeleton);
        else if (is(skeleton, "sparse"))
            exchange_afar(skeleton);
        if (is(skeleton, "transpose")) {
            const int bytes = message_bytes(skeleton, pairs);
            work_incast(bytes);
            MPI_Alltoall(skeleton->sends, bytes, MPI_BYTE, skeleton->gets, bytes,
                         MPI_BYTE, MPI_COMM_WORLD);
        } else
            add_up(skeleton, is(skeleton, "reduce") ? message_bytes(skeleton, 1) : 8);
    }
}

static void run_pipeline(const struct skeleton *skeleton)
{
    const int bytes = message_bytes(skeleton, skeleton->steps);
    for (int step = 0; step < skeleton->steps; step++) {
        if (skeleton->rank > 0)
            MPI_Recv(skeleton->gets, skeleton->room, MPI_BYTE, skeleton->rank - 1, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        do_share(skeleton);
        if (skeleton->rank < skeleton->ranks - 1)
            MPI_Send(skeleton->sends, bytes, MPI_BYTE, skeleton->rank + 1, 0,
                     MPI_COMM_WORLD);
    }
}

/* A worker's result, empty at first, is its request; an empty task ends it. */
static void deal_units(const struct skeleton *skeleton, int units, int bytes)
{
    for (int left = units + skeleton->ranks - 1; left > 0; left--) {
        MPI_Status status;
        MPI_Recv(skeleton->gets, skeleton->room, MPI_BYTE, MPI_ANY_SOURCE, RESULT_TAG,
                 MPI_COMM_WORLD, &status);
        MPI_Send(skeleton->sends, left >= skeleton->ranks ? bytes : 0, MPI_BYTE,
                 status.MPI_SOURCE, TASK_TAG, MPI_COMM_WORLD);
    }
}

static void do_units(const struct skeleton *skeleton, double flops, int bytes)
{
    MPI_Send(skeleton->sends, 0, MPI_BYTE, 0, RESULT_TAG, MPI_COMM_WORLD);
    for (;;) {
        MPI_Status status;
        int count;
        MPI_Recv(skeleton->gets, skeleton->room, MPI_BYTE, 0, TASK_TAG, MPI_COMM_WORLD,
                 &status);
        MPI_Get_count(&status, MPI_BYTE, &count);
        if (count == 0)
            return;
        compute(skeleton, flops, false);
        MPI_Send(skeleton->sends, bytes, MPI_BYTE, 0, RESULT_TAG, MPI_COMM_WORLD);
    }
}

static void run_farm(const struct skeleton *skeleton)
{
    const int units = units_of(skeleton), bytes = message_bytes(skeleton, units);
    const double flops = (1 - skeleton->serial) * operations(skeleton) / units;
    do_serial(skeleton, 0, 8);
    if (skeleton->ranks == 1)
        compute(skeleton, flops * units, false);
    else if (skeleton->rank == 0)
        deal_units(skeleton, units, bytes);
    else
        do_units(skeleton, flops, bytes);
}

/* The number of messages into which a pattern cuts its buffer. */
static double parts_of(const struct skeleton *skeleton)
{
    if (is(skeleton, "dense") || is(skeleton, "pipeline"))
        return skeleton->steps;
    if (is(skeleton, "sparse") || is(skeleton, "transpose"))
        return skeleton->ranks;
    return is(skeleton, "farm") ? units_of(skeleton) : 1;
}

static bool allocate(struct skeleton *skeleton)
{
    double bytes = message_bytes(skeleton, parts_of(skeleton)) + 8.0 * skeleton->ranks;
    /* A neighbour may have one more point on each axis. */
    for (int axis = 0; axis < skeleton->dimensions; axis++)
        bytes = fmax(bytes, 4 * face_bytes(skeleton, axis));
    skeleton->room = (int)fmin(bytes, INT_MAX / 2);
    skeleton->sends = work_buffer(&skeleton->node, (size_t)skeleton->room, 1);
    skeleton->gets = work_buffer(&skeleton->node, (size_t)skeleton->room, 1);
    return skeleton->sends && skeleton->gets;
}

static int run(void *self)
{
    struct skeleton *skeleton = self;
    cut(skeleton);
    if (!allocate(skeleton))
        app_give_up("skeleton", "no memory for messages");
    const double start = app_start();
    if (is(skeleton, "dense"))
        run_dense(skeleton);
    else if (is(skeleton, "pipeline"))
        run_pipeline(skeleton);
    else if (is(skeleton, "farm"))
        run_farm(skeleton);
    else
        run_rounds(skeleton);
    const double seconds = app_seconds(start);
    if (skeleton->rank == 0)
        printf("time %.9g s\n", seconds);
    work_buffer_free(&skeleton->node, skeleton->gets);
    work_buffer_free(&skeleton->node, skeleton->sends);
    return EXIT_SUCCESS;
}

static bool is_known(const char *pattern)
{
    static const char *const patterns[] = {"dense", "stencil",  "sparse", "transpose",
                                           "farm",  "pipeline", "reduce"};
    for (size_t i = 0; pattern && i < sizeof patterns / sizeof *patterns; i++)
        if (strcmp(pattern, patterns[i]) == 0)
            return true;
    return false;
}

static bool check(void *self)
{
    struct skeleton *skeleton = self;
    if (!work_simulated || !skeleton->model_only)
        return app_complain("skeleton", "it works in a simulation only, and with "
                                        "--model-only");
    if (!is_known(skeleton->pattern))
        return app_complain("skeleton", "no --pattern that is known: '%s'",
                            skeleton->pattern ? skeleton->pattern : "");
    if (is(skeleton, "stencil") != (skeleton->dimensions > 0) ||
        skeleton->dimensions > MAX_DIMENSIONS)
        return app_complain("skeleton", "--dimensions, up to %d, is for a stencil",
                            MAX_DIMENSIONS);
    if (skeleton->size < 1 || skeleton->steps < 1)
        return app_complain("skeleton", "--size and --steps must be at least 1");
    if (!(skeleton->efficiency > 0 && skeleton->efficiency <= 1) ||
        !(skeleton->serial >= 0 && skeleton->serial < 1) ||
        !(skeleton->uneven >= 0 && skeleton->uneven < 1))
        return app_complain("skeleton", "--efficiency must be above 0 and at most 1, "
                                        "--serial and --uneven from 0 to below 1");
    MPI_Comm_rank(MPI_COMM_WORLD, &skeleton->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &skeleton->ranks);
    work_node_init(&skeleton->node, skeleton->model_only);
    return true;
}

int main(int argc, char **argv)
{
    struct skeleton s = {.steps = 1, .efficiency = 1, .units = 1, .heavy = 1};
    struct poptOption table[] = {
        {"pattern", 0, POPT_ARG_STRING, &s.pattern, 0, "see above", "PATTERN"},
        {"size", 'n', POPT_ARG_INT, &s.size, 0, "problem size", "N"},
        {"steps", 0, POPT_ARG_INT, &s.steps, 0, "how many (1)", "COUNT"},
        {"dimensions", 0, POPT_ARG_INT, &s.dimensions, 0, "of a stencil", "D"},
        {"flops", 0, POPT_ARG_DOUBLE, &s.flops, 0, "operations of a run", "A"},
        {"exponent", 0, POPT_ARG_DOUBLE, &s.exponent, 0, "times N^E", "E"},
        {"logarithm", 0, POPT_ARG_DOUBLE, &s.logarithm, 0, "times log2(N)^L", "L"},
        {"efficiency", 0, POPT_ARG_DOUBLE, &s.efficiency, 0, "of a core (1)", "X"},
        {"units", 0, POPT_ARG_DOUBLE, &s.units, 0, "N^U units (1)", "U"},
        {"uneven", 0, POPT_ARG_DOUBLE, &s.uneven, 0, "shares differ so far", "X"},
        {"heavy", 0, POPT_ARG_DOUBLE, &s.heavy, 0, "the last share's factor", "X"},
        {"serial", 0, POPT_ARG_DOUBLE, &s.serial, 0, "share of one rank", "X"},
        {"set", 0, POPT_ARG_DOUBLE, &s.set, 0, "bytes of the working set", "B"},
        {"set-growth", 0, POPT_ARG_DOUBLE, &s.set_growth, 0, "times N^F", "F"},
        {"traffic", 0, POPT_ARG_DOUBLE, &s.traffic, 0, "bytes an operation", "B"},
        {"message", 0, POPT_ARG_DOUBLE, &s.message, 0, "bytes of messages", "B"},
        {"growth", 0, POPT_ARG_DOUBLE, &s.growth, 0, "times N^G", "G"},
        {"model-only", 0, POPT_ARG_NONE, &s.model_only, 0, "always needed", NULL},
        POPT_TABLEEND,
    };
    const struct app app = {"skeleton", table, check, run, &s};
    const int status = app_main(&app, argc, argv);
    free(s.pattern);
    return status;
}
