/* SPDX-License-Identifier: BSD-3-Clause */
#include "six_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the operations of transforms, and of moving numbers (one a half), on simulated
   nodes, while the data are in a cache. */
static const double transform_efficiency = 0.3, move_efficiency = 0.5;

/* Columns that are packed at a time: two cache lines of each row. */
enum { STRIP = 8 };

static int first_row(const struct six_step_edge *edge, int rank, int ranks)
{
    return (int)((long long)edge->length * rank / ranks);
}

static int rows_of(const struct six_step_edge *edge, int rank, int ranks)
{
    return first_row(edge, rank + 1, ranks) - first_row(edge, rank, ranks);
}

static int largest_divisor_up_to_root(int size)
{
    int divisor = (int)sqrt(size);
    while (size % divisor != 0)
        divisor--;
    return divisor;
}

/* Fill in the first `count` powers of the root of unity of order `order`. */
static void fill_powers(double complex *powers, int count, int order)
{
    for (int i = 0; i < count; i++)
        powers[i] = cexp(-2 * M_PI * I * i / order);
}

static int edge_init(struct six_step_edge *edge, const struct six_step *fft, int length)
{
    const size_t count = (size_t)length;
    edge->length = length;
    edge->first = first_row(edge, fft->rank, fft->ranks);
    edge->count = rows_of(edge, fft->rank, fft->ranks);
    if (fft->node.model_only)
        return 0;
    edge->coarse = work_array(&fft->node, count, sizeof *edge->coarse);
    edge->fine = work_array(&fft->node, count, sizeof *edge->fine);
    if (!edge->coarse || !edge->fine)
        return -1;
    /* An estimated plan is the same on all ranks and in all runs. */
    edge->plan =
        fftw_plan_dft_1d(length, edge->fine, edge->fine, FFTW_FORWARD, FFTW_ESTIMATE);
    fill_powers(edge->coarse, length, length);
    fill_powers(edge->fine, length, fft->size);
    return edge->plan ? 0 : -1;
}

static void edge_clear(struct six_step_edge *edge)
{
    if (edge->plan)
        fftw_destroy_plan(edge->plan);
    free(edge->fine);
    free(edge->coarse);
}

int six_step_init(struct six_step *fft, MPI_Comm comm, const struct work_node *node,
                  int size)
{
    *fft = (struct six_step){.size = size, .comm = comm, .node = *node};
    MPI_Comm_rank(comm, &fft->rank);
    MPI_Comm_size(comm, &fft->ranks);
    const int rows = largest_divisor_up_to_root(size), columns = size / rows;
    fft->even = rows % fft->ranks == 0 && columns % fft->ranks == 0;

    int status = edge_init(&fft->edges[0], fft, rows);
    status |= edge_init(&fft->edges[1], fft, columns);
    fft->send = work_buffer(node, six_step_room(fft), sizeof *fft->send);
    fft->receive = work_buffer(node, six_step_room(fft), sizeof *fft->receive);
    fft->counts = calloc((size_t)fft->ranks, 4 * sizeof *fft->counts);
    if (status == 0 && fft->send && fft->receive && fft->counts)
        return 0;
    six_step_clear(fft);
    return -1;
}

void six_step_clear(struct six_step *fft)
{
    free(fft->counts);
    if (fft->receive)
        work_buffer_free(&fft->node, fft->receive);
    if (fft->send)
        work_buffer_free(&fft->node, fft->send);
    edge_clear(&fft->edges[1]);
    edge_clear(&fft->edges[0]);
    *fft = (struct six_step){.size = 0};
}

int six_step_count(const struct six_step *fft, bool transformed)
{
    return fft->edges[transformed].count * fft->edges[!transformed].length;
}

int six_step_first(const struct six_step *fft, bool transformed)
{
    return fft->edges[transformed].first * fft->edges[!transformed].length;
}

size_t six_step_room(const struct six_step *fft)
{
    const int before = six_step_count(fft, false), after = six_step_count(fft, true);
    const int most = before > after ? before : after;
    return most > 0 ? (size_t)most : 1;
}

/* Charge a pass that moves so many numbers; whether to do it. */
static bool move(const struct six_step *fft, double numbers)
{
    const double bytes = sizeof(double complex) * numbers;
    /* They are read and written, and a line is read before it is written. */
    const struct work work = {.flops = 2 * numbers,
                              .efficiency = move_efficiency,
                              .working_set = 2 * bytes,
                              .bytes = 3 * bytes};
    return work_run(&fft->node, &work);
}

/* Transpose a block of a matrix whose rows are `stride` long to `out`. */
static void pack(const double complex *in, int rows, int columns, int stride,
                 double complex *out)
{
    for (int strip = 0; strip < columns; strip += STRIP) {
        const int end = strip + STRIP < columns ? strip + STRIP : columns;
        for (int i = 0; i < rows; i++)
            for (int j = strip; j < end; j++)
                out[(size_t)j * (size_t)rows + (size_t)i] =
                    in[(size_t)i * (size_t)stride + (size_t)j];
    }
}

/* Put a block between the columns of a matrix whose rows are `stride` long. */
static void unpack(const double complex *in, int rows, int columns, int stride,
                   double complex *out)
{
    for (int i = 0; i < rows; i++)
        memcpy(out + (size_t)i * (size_t)stride, in + (size_t)i * (size_t)columns,
               (size_t)columns * sizeof *in);
}

/* Bring the blocks that are packed for the ranks to them. */
static void exchange(const struct six_step *fft, const struct six_step_edge *rows,
                     const struct six_step_edge *columns)
{
    const int ranks = fft->ranks;
    if (fft->even) {
        const int block = rows->count * columns->count;
        MPI_Alltoall(fft->send, block, MPI_C_DOUBLE_COMPLEX, fft->receive, block,
                     MPI_C_DOUBLE_COMPLEX, fft->comm);
        return;
    }
    int *sent = fft->counts, *sent_first = sent + ranks;
    int *received = sent_first + ranks, *received_first = received + ranks;
    for (int i = 0; i < ranks; i++) {
        sent[i] = rows->count * rows_of(columns, i, ranks);
        sent_first[i] = rows->count * first_row(columns, i, ranks);
        received[i] = columns->count * rows_of(rows, i, ranks);
        received_first[i] = columns->count * first_row(rows, i, ranks);
    }
    MPI_Alltoallv(fft->send, sent, sent_first, MPI_C_DOUBLE_COMPLEX, fft->receive,
                  received, received_first, MPI_C_DOUBLE_COMPLEX, fft->comm);
}

/* Turn rows, `columns` long, into columns: `out` has rows that are `rows` long. */
static void transpose(const struct six_step *fft, const struct six_step_edge *rows,
                      const struct six_step_edge *columns, const double complex *in,
                      double complex *out)
{
    if (move(fft, (double)rows->count * columns->length))
        for (int i = 0; i < fft->ranks; i++) {
            const int first = first_row(columns, i, fft->ranks);
            pack(in + first, rows->count, rows_of(columns, i, fft->ranks),
                 columns->length, fft->send + (size_t)rows->count * (size_t)first);
        }
    exchange(fft, rows, columns);
    if (move(fft, (double)columns->count * rows->length))
        for (int i = 0; i < fft->ranks; i++) {
            const int first = first_row(rows, i, fft->ranks);
            unpack(fft->receive + (size_t)columns->count * (size_t)first,
                   columns->count, rows_of(rows, i, fft->ranks), rows->length,
                   out + first);
        }
}

/* Multiply number j of the matrix's row i by the vector's root of unity to i * j. */
static void twiddle(const struct six_step_edge *rows,
                    const struct six_step_edge *columns, int i, double complex *row)
{
    for (int j = 0; j < columns->length; j++) {
        const long long power = (long long)i * j;
        row[j] *= rows->coarse[power / columns->length] *
                  columns->fine[power % columns->length];
    }
}

static void transform_rows(const struct six_step *fft, const struct six_step_edge *rows,
                           const struct six_step_edge *columns, bool twiddled,
                           double complex *values)
{
    const double numbers = (double)rows->count * columns->length;
    const double bytes = sizeof(double complex) * numbers;
    const double flops = 5 * log2(columns->length) + (twiddled ? 12 : 0);
    const struct work work = {.flops = flops * numbers,
                              .efficiency = transform_efficiency,
                              .working_set = bytes,
                              .bytes = 2 * bytes};
    if (!work_run(&fft->node, &work))
        return;
    for (int i = 0; i < rows->count; i++) {
        double complex *row = values + (size_t)i * (size_t)columns->length;
        fftw_execute_dft(columns->plan, row, row);
        if (twiddled)
            twiddle(rows, columns, rows->first + i, row);
    }
}

static void transform(const struct six_step *fft, const struct six_step_edge *rows,
                      const struct six_step_edge *columns, const double complex *in,
                      double complex *out)
{
    transpose(fft, rows, columns, in, out);
    transform_rows(fft, columns, rows, true, out);
    transpose(fft, columns, rows, out, out);
    transform_rows(fft, rows, columns, false, out);
    transpose(fft, rows, columns, out, out);
}

void six_step_forward(const struct six_step *fft, const double complex *in,
                      double complex *out)
{
    transform(fft, &fft->edges[0], &fft->edges[1], in, out);
}

void six_step_inverse(const struct six_step *fft, double complex *values)
{
    const int before = six_step_count(fft, true), after = six_step_count(fft, false);
    for (int i = 0; i < before; i++)
        values[i] = conj(values[i]);
    transform(fft, &fft->edges[1], &fft->edges[0], values, values);
    for (int i = 0; i < after; i++)
        values[i] = conj(values[i]) / fft->size;
}
