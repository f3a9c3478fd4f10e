/* SPDX-License-Identifier: BSD-3-Clause */
/* A product on the nodes of a cluster: its ranks, the best partitions, and where the
   time goes. */
#include "question.h"

#include "lib/input/internal.h"
#include "lib/stats/stats.h"
#include "speeds.h"
#include "tuning.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

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
                fabs(shares[other] - shares[r]) <= same_row * shares[r])
                row_of[r] = row_of[other];
        rows += row_of[r] == rows;
    }
    return rows;
}

/* The ranks of a row, as "0-3,6". The caller frees it; NULL: memory is short. */
static char *format_ranks(const int *row_of, int count, int row)
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

/* The ranks that the rows summarise. */
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
        row->ranks = format_ranks(ranks->row_of, count, i);
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

/* List the ranks in the order in which launchers number them. */
static int list_ranks(struct mt_strassen_question *question,
                      const struct mt_strassen_calibration *known, struct mt_error *err)
{
    const struct mt_configuration *configuration = &question->configuration;
    const int ranks = mt_configuration_ranks(configuration);
    question->groups = calloc((size_t)ranks, sizeof *question->groups);
    question->speeds = calloc((size_t)ranks, sizeof *question->speeds);
    if (!question->groups || !question->speeds)
        return mt_fail(err, MT_ENOMEM, "no memory for %d ranks", ranks);
    int rank = 0;
    for (int g = 0; g < question->cluster.ngroups; g++)
        for (int i =
                 configuration->use[g].nodes * configuration->use[g].layout.processes;
             i > 0; i--) {
            question->groups[rank] = g;
            question->speeds[rank++] = known->speeds[g];
        }
    question->machine = (struct mt_partition_cluster){
        .ranks = ranks, .speeds = question->speeds, .network = known->network};
    return MT_OK;
}

void mt_strassen_product_name(char name[32], enum mt_partition_kind kind)
{
    snprintf(name, 32, "strassen-%s", mt_partition_kind_name(kind));
}

/* The median of the runs of a size; NaN: no runs. */
static int find_median(double *median, const struct mt_runs *runs, double size,
                       struct mt_error *err)
{
    double *seconds = malloc(((size_t)runs->count + 1) * sizeof *seconds);
    int count = 0;
    if (!seconds)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", runs->count);
    for (int i = 0; i < runs->count; i++)
        if (runs->runs[i].size == size)
            seconds[count++] = runs->runs[i].seconds;
    *median = mt_median(seconds, count);
    free(seconds);
    return MT_OK;
}

/* Read the measured time of such products, by kind. */
static int read_measured(struct mt_strassen_question *question, struct mt_store *store,
                         struct mt_error *err)
{
    const struct mt_partition_product *product = &question->product;
    const double size = cbrt((double)product->m * product->n * product->k);
    char *text = mt_configuration_format(&question->configuration, &question->cluster);
    int status =
        text ? MT_OK : mt_fail(err, MT_ENOMEM, "no memory for a configuration");
    for (int kind = 0; status == MT_OK && kind < MT_PARTITION_KINDS; kind++) {
        char name[32];
        struct mt_runs runs = {.count = 0};
        mt_strassen_product_name(name, (enum mt_partition_kind)kind);
        const struct mt_run_filter filter = {.cluster = question->cluster.name,
                                             .program = name,
                                             .configuration = text,
                                             .succeeded_only = true};
        status = mt_store_runs(store, &runs, &filter, err);
        if (status == MT_OK)
            status = find_median(&question->measured[kind], &runs, size, err);
        mt_runs_clear(&runs);
    }
    free(text);
    return status;
}

int mt_strassen_question_calibrate(struct mt_strassen_question *question,
                                   struct mt_store *store, struct mt_error *err)
{
    struct mt_strassen_calibration known;
    int status = mt_strassen_calibrate(&known, store, &question->cluster,
                                       &question->configuration, err);
    if (status == MT_OK)
        status = list_ranks(question, &known, err);
    return status == MT_OK ? read_measured(question, store, err) : status;
}

void mt_strassen_question_clear(struct mt_strassen_question *question)
{
    mt_cluster_clear(&question->cluster);
    free(question->text);
    free(question->groups);
    free(question->speeds);
    *question = (struct mt_strassen_question){.most = 0};
}

double mt_strassen_flops(const struct mt_strassen_question *question, double seconds)
{
    const struct mt_partition_product *product = &question->product;
    return 2.0 * product->m * product->n * product->k / seconds;
}

int mt_strassen_choose(struct mt_strassen_choice *choice, enum mt_partition_kind kind,
                       const struct mt_strassen_question *question,
                       struct mt_error *err)
{
    int status = mt_partition_choose(&choice->partition, kind, &question->product,
                                     &question->machine, question->most, err);
    if (status == MT_OK)
        status = mt_partition_predict(&choice->forecast, &choice->partition,
                                      &question->product, &question->machine, err);
    return status;
}

void mt_strassen_choice_clear(struct mt_strassen_choice *choice)
{
    mt_partition_clear(&choice->partition);
    mt_partition_forecast_clear(&choice->forecast);
}

/* The fastest kind; if `confirmed`, only equal blocks and kinds with measured products
   count. */
static enum mt_partition_kind fastest(const struct mt_strassen_choices *choices,
                                      const struct mt_strassen_question *question,
                                      bool confirmed)
{
    int best = -1;
    for (int kind = 0; kind < MT_PARTITION_KINDS; kind++) {
        const bool counts =
            question->kinds[kind] && (!confirmed || kind == MT_PARTITION_EQUAL ||
                                      !isnan(question->measured[kind]));
        if (counts &&
            (best < 0 || choices->seconds[kind] < (1 - 1e-6) * choices->seconds[best]))
            best = kind;
    }
    return best < 0 ? MT_PARTITION_EQUAL : (enum mt_partition_kind)best;
}

int mt_strassen_choose_all(struct mt_strassen_choices *choices,
                           const struct mt_strassen_question *question,
                           struct mt_error *err)
{
    int status = MT_OK;
    for (int kind = 0; status == MT_OK && kind < MT_PARTITION_KINDS; kind++) {
        struct mt_strassen_choice *choice = &choices->of[kind];
        if (question->kinds[kind])
            status =
                mt_strassen_choose(choice, (enum mt_partition_kind)kind, question, err);
        choices->seconds[kind] = isnan(question->measured[kind])
                                     ? choice->forecast.seconds
                                     : question->measured[kind];
    }
    if (status != MT_OK)
        return status;
    choices->promising = fastest(choices, question, false);
    choices->best =
        fastest(choices, question, !mt_cluster_simulated(&question->cluster));
    return MT_OK;
}

void mt_strassen_choices_clear(struct mt_strassen_choices *choices)
{
    for (int kind = 0; kind < MT_PARTITION_KINDS; kind++)
        mt_strassen_choice_clear(&choices->of[kind]);
}

/* With equal blocks, all ranks compute equally much (except those without a part of a
   tiny product), and the one that computes longest does not wait. */
struct mt_strassen_ideal mt_strassen_ideal(const struct mt_partition_forecast *equal)
{
    double speeds = 0, longest = 0, communication = 0;
    int ranks = 0;
    for (int r = 0; r < equal->nranks; r++) {
        const struct mt_partition_times *times = &equal->ranks[r];
        if (times->compute > 0) {
            speeds += 1 / times->compute;
            ranks++;
        }
        longest = fmax(longest, times->compute);
        communication = fmax(communication, times->communication);
    }
    struct mt_strassen_ideal ideal = {
        .heterogeneity = speeds / ranks * longest,
        .communication = communication / (communication + longest),
    };
    const double t = ideal.communication;
    ideal.gain = 1 / ((1 - t) / ideal.heterogeneity + t) - 1;
    return ideal;
}

double mt_strassen_perimeters(const struct mt_partition *partition)
{
    double sum = 0;
    for (int i = 0; i < partition->ntiles; i++)
        sum += partition->tiles[i].bottom - partition->tiles[i].top +
               partition->tiles[i].right - partition->tiles[i].left;
    return sum;
}

double mt_strassen_least_perimeters(const struct mt_partition *partition)
{
    double sum = 0;
    for (int i = 0; i < partition->ntiles; i++)
        sum += 2 * sqrt((partition->tiles[i].bottom - partition->tiles[i].top) *
                        (partition->tiles[i].right - partition->tiles[i].left));
    return sum;
}
