/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scalapack - the rival of the real runs: ScaLAPACK's pdgemm, on a grid of one row of
 * ranks, with panels of a given width. (Its default of 32 reaches little more than half
 * of its speed.)
 */
#include "apps/common/app.h"

#include <cblas.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* ScaLAPACK has no header. A descriptor is nine numbers. */
enum { DESCRIPTOR = 9 };
void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int columns);
void Cblacs_gridexit(int context);
void descinit_(int *descriptor, const int *m, const int *n, const int *mb,
               const int *nb, const int *row, const int *column, const int *context,
               const int *leading, int *info);
int numroc_(const int *n, const int *nb, const int *process, const int *source,
            const int *processes);
void pdgemm_(const char *transpose_a, const char *transpose_b, const int *m,
             const int *n, const int *k, const double *alpha, const double *a,
             const int *ia, const int *ja, const int *descriptor_a, const double *b,
             const int *ib, const int *jb, const int *descriptor_b, const double *beta,
             double *c, const int *ic, const int *jc, const int *descriptor_c);
int pilaenv_(const int *context, const char *type);

static int panel = 256;

/* PBLAS calls this function of its own for the width of its panels; this definition
   replaces it. */
int pilaenv_(const int *context, const char *type)
{
    (void)context;
    (void)type;
    return panel;
}

struct product {
    int size, columns; /* of this rank */
    int descriptor[DESCRIPTOR];
    double *a, *b, *c;
};

static double *random_values(size_t count, unsigned seed)
{
    double *values = malloc(count * sizeof *values);
    if (!values)
        app_give_up("scalapack", "no memory for %zu values", count);
    srand48((long)seed);
    for (size_t i = 0; i < count; i++)
        values[i] = drand48() - 0.5;
    return values;
}

static void product_init(struct product *product, int context, int rank, int ranks)
{
    const int zero = 0, size = product->size;
    int info = 0;
    product->columns = numroc_(&size, &panel, &rank, &zero, &ranks);
    descinit_(product->descriptor, &size, &size, &panel, &panel, &zero, &zero, &context,
              &size, &info);
    if (info != 0)
        app_give_up("scalapack", "descinit does not like argument %d", -info);
    const size_t count = (size_t)size * (size_t)product->columns;
    product->a = random_values(count, 3U * (unsigned)rank + 1);
    product->b = random_values(count, 3U * (unsigned)rank + 2);
    product->c = random_values(count, 3U * (unsigned)rank + 3);
}

static void product_clear(struct product *product)
{
    free(product->a);
    free(product->b);
    free(product->c);
}

/* Seconds of the slowest rank, on all. */
static double multiply(struct product *product)
{
    const int one = 1, *d = product->descriptor, *n = &product->size;
    const double alpha = 1, beta = 0;
    const double start = app_start();
    pdgemm_("N", "N", n, n, n, &alpha, product->a, &one, &one, d, product->b, &one,
            &one, d, &beta, product->c, &one, &one, d);
    double seconds = MPI_Wtime() - start;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
}

static bool check_options(void *self)
{
    const int *size = self;
    if (*size < 1 || *size > 32768)
        return app_complain("scalapack", "--size must be 1 to 32768: '%d'", *size);
    if (panel < 1)
        return app_complain("scalapack", "--panel must be at least 1: '%d'", panel);
    return true;
}

static int run(void *self)
{
    const int size = *(const int *)self;
    int rank, ranks, context = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    Cblacs_get(-1, 0, &context);
    Cblacs_gridinit(&context, "Row", 1, ranks);
    struct product product = {.size = size};
    product_init(&product, context, rank, ranks);
    const double seconds = multiply(&product);
    if (rank == 0) {
        printf("time %.9g s\n", seconds);
        printf("speed %.4g Gflop/s\n", 2 * pow(size, 3) / seconds / 1e9);
    }
    product_clear(&product);
    Cblacs_gridexit(context);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    int size = 0;
    struct poptOption table[] = {
        {"size", 'n', POPT_ARG_INT, &size, 0, "rows and columns", "N"},
        {"panel", 'p', POPT_ARG_INT, &panel, 0, "width of the panels (256)", "COLUMNS"},
        POPT_TABLEEND,
    };
    const struct app app = {"scalapack", table, check_options, run, &size};
    openblas_set_num_threads(1); /* a rank has one core */
    return app_main(&app, argc, argv);
}
