/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * six_step.h - the Fourier transform of a vector of complex numbers that is cut into
 * contiguous pieces, one for each rank, in natural order before and after.
 *
 * The six-step method takes the vector for a matrix, row by row: transpose, transform
 * the rows, multiply by twiddle factors, transpose, transform the rows, transpose. A
 * rank has whole rows, so only the transpositions pass messages. When the ranks divide
 * both edges of the matrix, all ranks have as many rows and all messages are equally
 * long (MPI_Alltoall); otherwise some ranks have a row more than others
 * (MPI_Alltoallv), and the others wait for them.
 */
#ifndef MT_APPS_SIX_STEP_H
#define MT_APPS_SIX_STEP_H

#include "apps/common/work.h"

#include <complex.h>
#include <fftw3.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* An edge of the matrix. What is owned is NULL in a model-only run. */
struct six_step_edge {
    int length;
    int first, count;              /* this rank's rows, when the edge counts rows */
    fftw_plan plan;                /* owned; transforms `length` numbers in place */
    double complex *coarse, *fine; /* owned; powers, up to `length`, of the roots of
                                      unity of order `length` and of the vector's */
};

struct six_step {
    int size; /* numbers in the vector */
    MPI_Comm comm;
    int rank, ranks;
    struct work_node node;
    struct six_step_edge edges[2];  /* rows and columns, before the transform */
    bool even;                      /* all ranks have as many rows */
    double complex *send, *receive; /* owned; a rank's share each */
    int *counts;                    /* owned; four for each rank */
};

/*
 * Prepare transforms of `size` numbers, whose matrix is as nearly square as can be.
 * Returns 0, or -1 when memory is short. Free of communication.
 */
int six_step_init(struct six_step *fft, MPI_Comm comm, const struct work_node *node,
                  int size);
void six_step_clear(struct six_step *fft);

/* The most numbers that this rank has at any time: what arrays must have room for. */
size_t six_step_room(const struct six_step *fft);
/* Numbers in this rank's piece, and how many come before it: of the vector, and of
   its transform. */
int six_step_count(const struct six_step *fft, bool transformed);
int six_step_first(const struct six_step *fft, bool transformed);

/* Transform `in` to `out`, which may be the same; both NULL: model only. */
void six_step_forward(const struct six_step *fft, const double complex *in,
                      double complex *out);
/* Turn a transform back into its vector, in place. Not for model-only runs. */
void six_step_inverse(const struct six_step *fft, double complex *values);

#endif
