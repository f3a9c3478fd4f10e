/* SPDX-License-Identifier: BSD-3-Clause */
#include "rows.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Parts that differ by less are equally large. */
static const double tolerance = 0.02;

static double area_of(const struct mt_partition_tile *tile)
{
    return (tile->bottom - tile->top) * (tile->right - tile->left);
}

double mt_strassen_share(const struct mt_partition *partition, int rank)
{
    double share = 0;
    for (int i = 0; i < partition->ntiles; i++)
        if (partition->tiles[i].rank == rank)
            share += area_of(&partition->tiles[i]);
    return share;
}

/* Which row each rank is in; returns the number of rows. */
static int sort_ranks(int *row_of, const double *shares,
                      const struct mt_strassen_question *question)
{
    int rows = 0;
    for (int r = 0; r < question->machine.ranks; r++) {
        row_of[r] = rows;
        for (int other = 0; other < r && row_of[r] == rows; other++)
            if (question->groups[other] == question->groups[r] &&
                fabs(shares[other] - shares[r]) <= tolerance * shares[r])
                row_of[r] = row_of[other];
        rows += row_of[r] == rows;
    }
    return rows;
}

/* Those of a row, as "0-3,6". The caller frees it; NULL: memory is short. */
static char *list_ranks(const int *row_of, int count, int row)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    bool begun = false;
    for (int r = 0; r < count; r++) {
        const int first = r;
        if (row_of[r] != row)
            continue;
        while (r + 1 < count && row_of[r + 1] == row)
            r++;
        fprintf(stream, begun ? ",%d" : "%d", first);
        if (r > first)
            fprintf(stream, "-%d", r);
        begun = true;
    }
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

static void add_times(struct mt_partition_times *sum,
                      const struct mt_partition_times *times)
{
    sum->compute += times->compute;
    sum->communication += times->communication;
    sum->waiting += times->waiting;
}

static void divide(struct mt_partition_times *times, int count)
{
    times->compute /= count;
    times->communication /= count;
    times->waiting /= count;
}

static void add_rank(struct mt_strassen_row *row, int rank, double share,
                     const struct mt_strassen_choice *choice,
                     const struct mt_partition_times *actual)
{
    const struct mt_partition_times unknown = {NAN, NAN, NAN};
    row->count++;
    row->share += share;
    add_times(&row->times, &choice->forecast.ranks[rank]);
    add_times(&row->actual, actual ? &actual[rank] : &unknown);
}

/* What the rows are about. */
struct ranks {
    const struct mt_strassen_question *question;
    const struct mt_strassen_choice *choice;
    const struct mt_partition_times *actual; /* of every rank; NULL: not known */
    int *row_of;                             /* owned, as below; of every rank */
    double *shares;
};

static int fill_rows(struct mt_strassen_rows *rows, const struct ranks *ranks,
                     struct mt_error *err)
{
    const int count = ranks->choice->partition.ranks;
    for (int r = 0; r < count; r++) {
        struct mt_strassen_row *row = &rows->rows[ranks->row_of[r]];
        row->group = ranks->question->groups[r];
        add_rank(row, r, ranks->shares[r], ranks->choice, ranks->actual);
    }
    for (int i = 0; i < rows->count; i++) {
        struct mt_strassen_row *row = &rows->rows[i];
        row->share /= row->count;
        divide(&row->times, row->count);
        divide(&row->actual, row->count);
        row->ranks = list_ranks(ranks->row_of, count, i);
        if (!row->ranks)
            return mt_fail(err, MT_ENOMEM, "no memory for a list of ranks");
    }
    return MT_OK;
}

int mt_strassen_rows_make(struct mt_strassen_rows *rows,
                          const struct mt_strassen_question *question,
                          const struct mt_strassen_choice *choice,
                          const struct mt_partition_times *actual, struct mt_error *err)
{
    const struct mt_partition *partition = &choice->partition;
    const size_t count = (size_t)partition->ranks;
    struct ranks ranks = {.question = question,
                          .choice = choice,
                          .actual = actual,
                          .row_of = calloc(count, sizeof *ranks.row_of),
                          .shares = calloc(count, sizeof *ranks.shares)};
    struct mt_strassen_rows made = {0};
    if (ranks.row_of && ranks.shares) {
        for (int i = 0; i < partition->ntiles; i++)
            ranks.shares[partition->tiles[i].rank] += area_of(&partition->tiles[i]);
        made.count = sort_ranks(ranks.row_of, ranks.shares, question);
        made.rows = calloc(count, sizeof *made.rows); /* at most */
    }
    const int status = made.rows
                           ? fill_rows(&made, &ranks, err)
                           : mt_fail(err, MT_ENOMEM, "no memory for %zu ranks", count);
    free(ranks.row_of);
    free(ranks.shares);
    if (status == MT_OK)
        *rows = made;
    else
        mt_strassen_rows_clear(&made);
    return status;
}

void mt_strassen_rows_clear(struct mt_strassen_rows *rows)
{
    for (int i = 0; i < rows->count && rows->rows; i++)
        free(rows->rows[i].ranks);
    free(rows->rows);
    *rows = (struct mt_strassen_rows){0};
}
