/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the operands from a seed or a file, and writes and checks matrices. */
#include "matrix.h"

#include "apps/common/linear_system.h"
#include "motley/pdgemm.h"

#include <errno.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Products of such integers stay exact in all sums of Strassen's method. */
static double small_integer(double number)
{
    return floor((number + 0.5) * 9) - 4;
}

void strassen_matrix_fill(struct mt_pdgemm_part *part, enum mt_pdgemm_matrix matrix,
                          int seed, bool integers)
{
    if (!part->values)
        return;
    const struct linear_system numbers = {.seed = 2 * (unsigned)seed +
                                                  (matrix == MT_PDGEMM_B)};
    for (int i = 0; i < part->nblocks; i++) {
        const struct mt_pdgemm_block *block = &part->blocks[i];
        for (int column = 0; column < block->columns; column++)
            for (int row = 0; row < block->rows; row++) {
                const double number = linear_system_entry(&numbers, block->row + row,
                                                          block->column + column);
                block->values[(size_t)column * (size_t)block->leading + (size_t)row] =
                    integers ? small_integer(number) : number;
            }
    }
}

/* Room for the values, all 0. */
static int matrix_init(struct strassen_matrix *matrix, int rows, int columns,
                       struct mt_error *err)
{
    matrix->values = calloc((size_t)rows * (size_t)columns, sizeof *matrix->values);
    if (!matrix->values)
        return mt_fail(err, MT_ENOMEM, "no memory for a matrix of %d x %d", rows,
                       columns);
    matrix->rows = rows;
    matrix->columns = columns;
    return MT_OK;
}

void strassen_matrix_clear(struct strassen_matrix *matrix)
{
    free(matrix->values);
    *matrix = (struct strassen_matrix){.values = NULL};
}

int strassen_matrix_gather(struct strassen_matrix *matrix,
                           const struct mt_pdgemm_part *part, struct mt_error *err)
{
    int rank, status = MT_OK;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        status = matrix_init(matrix, part->rows, part->columns, err);
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (status != MT_OK)
        return rank == 0 ? status : mt_fail(err, status, "rank 0 has no memory");
    return mt_pdgemm_gather(part, matrix->values, part->rows, 0, MPI_COMM_WORLD, err);
}

/* A file that is read line by line; blank lines and comments are passed over. */
struct reader {
    const char *path;
    FILE *stream;
    char *text;
    size_t room;
    long line;
    struct mt_error *err;
};

#define wrong(reader, format, ...) \
    mt_fail((reader)->err, MT_EINVAL, "%s:%ld: " format, (reader)->path, \
            (reader)->line, __VA_ARGS__)

/* The next line that says something, without blanks before it; NULL: there is none. */
static char *next_line(struct reader *reader)
{
    while (getline(&reader->text, &reader->room, reader->stream) > 0) {
        reader->line++;
        reader->text[strcspn(reader->text, "\r\n")] = '\0';
        char *start = reader->text + strspn(reader->text, " \t");
        if (*start && *start != '%')
            return start;
    }
    return NULL;
}

static int read_banner(struct reader *reader)
{
    static const char banner[] = "%%MatrixMarket matrix array real general";
    if (getline(&reader->text, &reader->room, reader->stream) < 0)
        reader->text[0] = '\0';
    reader->line = 1;
    reader->text[strcspn(reader->text, "\r\n")] = '\0';
    if (strcasecmp(reader->text, banner) != 0)
        return wrong(reader, "the first line must be '%s', not '%.60s'", banner,
                     reader->text);
    return MT_OK;
}

static int read_shape(struct reader *reader, struct strassen_matrix *matrix)
{
    int rows = 0, columns = 0, end = 0;
    const char *text = next_line(reader);
    if (!text)
        return wrong(reader, "no line with %s", "rows and columns");
    if (sscanf(text, "%8d %8d %n", &rows, &columns, &end) < 2 || text[end] ||
        rows < 1 || columns < 1 || rows > STRASSEN_MAX_SIZE ||
        columns > STRASSEN_MAX_SIZE)
        return wrong(reader,
                     "rows and columns must be two numbers between 1 and %d, not "
                     "'%.60s'",
                     STRASSEN_MAX_SIZE, text);
    return matrix_init(matrix, rows, columns, reader->err);
}

/* One or more to a line. */
static int read_values(struct reader *reader, struct strassen_matrix *matrix)
{
    const size_t count = (size_t)matrix->rows * (size_t)matrix->columns;
    size_t used = 0;
    char *text;
    while ((text = next_line(reader)))
        while (*text) {
            char *end;
            const double value = strtod(text, &end);
            if (end == text || !strchr(" \t", *end))
                return wrong(reader, "a number is expected, not '%.60s'", text);
            if (used == count)
                return wrong(reader, "more values than %d x %d", matrix->rows,
                             matrix->columns);
            matrix->values[used++] = value;
            text = end + strspn(end, " \t");
        }
    if (used < count)
        return wrong(reader, "only %zu of %d x %d values", used, matrix->rows,
                     matrix->columns);
    return MT_OK;
}

int strassen_matrix_read(struct strassen_matrix *matrix, const char *path,
                         struct mt_error *err)
{
    enum { FIRST_ROOM = 128 };
    struct reader reader = {.path = path, .room = FIRST_ROOM, .err = err};
    reader.stream = fopen(path, "re");
    if (!reader.stream)
        return mt_fail(err, MT_EIO, "cannot read '%s': %s", path, strerror(errno));
    reader.text = calloc(1, reader.room);
    int status =
        reader.text ? MT_OK : mt_fail(err, MT_ENOMEM, "no memory to read '%s'", path);
    if (status == MT_OK)
        status = read_banner(&reader);
    if (status == MT_OK)
        status = read_shape(&reader, matrix);
    if (status == MT_OK)
        status = read_values(&reader, matrix);
    if (ferror(reader.stream))
        status = mt_fail(err, MT_EIO, "cannot read '%s': %s", path, strerror(errno));
    if (status != MT_OK)
        strassen_matrix_clear(matrix);
    free(reader.text);
    fclose(reader.stream);
    return status;
}

int strassen_matrix_write(const struct strassen_matrix *matrix, const char *path,
                          struct mt_error *err)
{
    const size_t count = (size_t)matrix->rows * (size_t)matrix->columns;
    FILE *stream = fopen(path, "we");
    if (!stream)
        return mt_fail(err, MT_EIO, "cannot write '%s': %s", path, strerror(errno));
    fprintf(stream, "%%%%MatrixMarket matrix array real general\n%d %d\n", matrix->rows,
            matrix->columns);
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "%.17g\n", matrix->values[i]);
    const bool failed = ferror(stream);
    if (fclose(stream) || failed)
        return mt_fail(err, MT_EIO, "cannot write '%s': %s", path, strerror(errno));
    return MT_OK;
}

enum { MOST_TO_MULTIPLY = 600 };

/* result = (the whole matrix) vector */
static void apply(const struct mt_pdgemm_part *part, const double *vector,
                  double *result)
{
    for (int row = 0; row < part->rows; row++)
        result[row] = 0;
    for (int i = 0; i < part->nblocks; i++) {
        const struct mt_pdgemm_block *block = &part->blocks[i];
        for (int column = 0; column < block->columns; column++) {
            const double factor = vector[block->column + column];
            const double *values =
                block->values + (size_t)column * (size_t)block->leading;
            for (int row = 0; row < block->rows; row++)
                result[block->row + row] += factor * values[row];
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, result, part->rows, MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD);
}

static double larger(double largest, double difference)
{
    return fabs(difference) <= largest ? largest : fabs(difference); /* a NaN stays */
}

static double compare_by_vector(const struct mt_pdgemm_part *a,
                                const struct mt_pdgemm_part *b,
                                const struct mt_pdgemm_part *c, double *vectors)
{
    double *t = vectors, *bt = t + c->columns, *abt = bt + b->rows, *ct = abt + c->rows;
    for (int i = 0; i < c->columns; i++)
        t[i] = i % 5 - 2;
    apply(b, t, bt);
    apply(a, bt, abt);
    apply(c, t, ct);
    double largest = 0;
    for (int i = 0; i < c->rows; i++)
        largest = larger(largest, ct[i] - abt[i]);
    return largest;
}

static double compare_by_element(const struct strassen_matrix *a,
                                 const struct strassen_matrix *b,
                                 const struct strassen_matrix *c)
{
    double largest = 0;
    for (int column = 0; column < c->columns; column++)
        for (int row = 0; row < c->rows; row++) {
            double sum = c->values[column * c->rows + row];
            for (int i = 0; i < a->columns; i++)
                sum -= a->values[i * a->rows + row] * b->values[column * b->rows + i];
            largest = larger(largest, sum);
        }
    return largest;
}

/* On rank 0 */
static int gather_and_compare(double *difference, const struct mt_pdgemm_part *a,
                              const struct mt_pdgemm_part *b,
                              const struct mt_pdgemm_part *c, struct mt_error *err)
{
    struct strassen_matrix whole_a = {0}, whole_b = {0}, whole_c = {0};
    int status = strassen_matrix_gather(&whole_a, a, err);
    if (status == MT_OK)
        status = strassen_matrix_gather(&whole_b, b, err);
    if (status == MT_OK)
        status = strassen_matrix_gather(&whole_c, c, err);
    if (status == MT_OK)
        *difference = compare_by_element(&whole_a, &whole_b, &whole_c);
    MPI_Bcast(difference, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    strassen_matrix_clear(&whole_c);
    strassen_matrix_clear(&whole_b);
    strassen_matrix_clear(&whole_a);
    return status;
}

int strassen_matrix_verify(double *difference, const struct mt_pdgemm_part *a,
                           const struct mt_pdgemm_part *b,
                           const struct mt_pdgemm_part *c, struct mt_error *err)
{
    const size_t count = (size_t)c->columns + (size_t)b->rows + 2 * (size_t)c->rows;
    double *vectors = calloc(count, sizeof *vectors);
    int have = vectors != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &have, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!have || !vectors) {
        free(vectors);
        return mt_fail(err, MT_ENOMEM, "no memory for %zu numbers", count);
    }
    double by_vector = compare_by_vector(a, b, c, vectors), by_element = 0;
    free(vectors);
    int status = MT_OK;
    if (c->rows <= MOST_TO_MULTIPLY && c->columns <= MOST_TO_MULTIPLY &&
        b->rows <= MOST_TO_MULTIPLY)
        status = gather_and_compare(&by_element, a, b, c, err);
    if (status == MT_OK)
        *difference = larger(by_element, by_vector);
    return status;
}
