/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nbody - bodies that attract each other, in plain MPI; its program file gives only its
 * work. All pairs, a few steps; the positions go round a ring of all ranks. Checks that
 * momentum is kept.
 *
 *   nbody BODIES
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 4 };
static const double step_length = 1e-3, softening = 1e-3;

struct body {
    double at[3], mass;
};

/* The first body of a rank's share. */
static int first_body(int bodies, int rank, int ranks)
{
    return (int)((long long)bodies * rank / ranks);
}

static void attract(double (*force)[3], const struct body *mine, int count,
                    const struct body *others, int nothers)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < nothers; k++) {
            double way[3], square = softening;
            for (int axis = 0; axis < 3; axis++) {
                way[axis] = others[k].at[axis] - mine[i].at[axis];
                square += way[axis] * way[axis];
            }
            const double pull = others[k].mass * mine[i].mass / (square * sqrt(square));
            for (int axis = 0; axis < 3; axis++)
                force[i][axis] += pull * way[axis];
        }
}

/* The forces on a rank's bodies: others' bodies arrive from the left. */
static void sum_forces(double (*force)[3], const struct body *mine, int bodies,
                       struct body *visitors, int rank, int ranks)
{
    const int count =
        first_body(bodies, rank + 1, ranks) - first_body(bodies, rank, ranks);
    const int room = bodies / ranks + 1;
    for (int i = 0; i < count; i++) {
        visitors[i] = mine[i];
        force[i][0] = force[i][1] = force[i][2] = 0;
    }
    for (int turn = 0; turn < ranks; turn++) {
        const int owner = (rank - turn + ranks) % ranks;
        attract(force, mine, count, visitors,
                first_body(bodies, owner + 1, ranks) -
                    first_body(bodies, owner, ranks));
        MPI_Sendrecv_replace(visitors, room * (int)sizeof *visitors, MPI_BYTE,
                             (rank + 1) % ranks, 0, (rank - 1 + ranks) % ranks, 0,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int bodies = argc == 2 ? atoi(argv[1]) : 0, room = bodies / ranks + 1;
    const int first = first_body(bodies, rank, ranks);
    const int count = first_body(bodies, rank + 1, ranks) - first;
    struct body *mine = calloc((size_t)room, sizeof *mine);
    struct body *visitors = calloc((size_t)room, sizeof *visitors);
    double(*force)[3] = calloc((size_t)room, sizeof *force);
    double(*velocity)[3] = calloc((size_t)room, sizeof *velocity);
    if (bodies < ranks || !mine || !visitors || !force || !velocity) {
        fprintf(stderr,
                "nbody: as many bodies as ranks are needed, and memory for them\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < count; i++) /* on a spiral through a ball */
        mine[i] = (struct body){
            {sin(first + i), cos(1.7 * (first + i)), (first + i) / (double)bodies},
            1.0 / bodies};
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int step = 0; step < STEPS; step++) {
        sum_forces(force, mine, bodies, visitors, rank, ranks);
        for (int i = 0; i < count; i++)
            for (int axis = 0; axis < 3; axis++) {
                velocity[i][axis] += step_length * force[i][axis] / mine[i].mass;
                mine[i].at[axis] += step_length * velocity[i][axis];
            }
    }
    double momentum = 0, sum = 0;
    for (int i = 0; i < count; i++)
        momentum += mine[i].mass * velocity[i][0];
    MPI_Reduce(&momentum, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("time %.6f s\n", MPI_Wtime() - start);
    const int wrong = rank == 0 && !(fabs(sum) < 1e-9);
    if (wrong)
        fprintf(stderr, "nbody: momentum is not kept: %g\n", sum);
    free(velocity);
    free(force);
    free(visitors);
    free(mine);
    MPI_Finalize();
    return wrong;
}
