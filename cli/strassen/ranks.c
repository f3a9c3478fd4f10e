/* SPDX-License-Identifier: BSD-3-Clause */
#include "ranks.h"

#include "cli/common/json.h"
#include "cli/common/view.h"
#include "lib/partition/rows.h"

#include <math.h>
#include <stdio.h>

void mt_strassen_print_question(const struct mt_strassen_question *question)
{
    const struct mt_partition_product *product = &question->product;
    printf("product  %d x %d by %d x %d\n", product->m, product->k, product->k,
           product->n);
    printf("ranks    %d on %s\n", question->machine.ranks, question->text);
}

json_t *mt_strassen_question_json(const struct mt_strassen_question *question)
{
    const struct mt_partition_product *product = &question->product;
    return json_pack("{s:b, s:o, s:o, s:i, s:i, s:i}", "simulated",
                     (int)mt_cluster_simulated(&question->cluster), "cluster",
                     mt_json_text(question->cluster.name), "configuration",
                     mt_json_text(question->text), "m", product->m, "n", product->n,
                     "k", product->k);
}

static json_t *times_json(const struct mt_partition_times *times)
{
    return json_pack("{s:o, s:o, s:o}", "computing", mt_json_number(times->compute),
                     "communication", mt_json_number(times->communication), "waiting",
                     mt_json_number(times->waiting));
}

json_t *mt_strassen_ranks_json(const struct mt_strassen_question *question,
                               const struct mt_strassen_choice *choice,
                               const struct mt_partition_times *actual)
{
    json_t *ranks = json_array();
    for (int r = 0; r < choice->partition.ranks; r++) {
        json_t *rank =
            json_pack("{s:i, s:o, s:o, s:o}", "rank", r, "group",
                      mt_json_text(question->cluster.groups[question->groups[r]].name),
                      "share", mt_json_number(mt_strassen_share(&choice->partition, r)),
                      "predicted", times_json(&choice->forecast.ranks[r]));
        if (actual)
            json_object_set_new(rank, "measured", times_json(&actual[r]));
        json_array_append_new(ranks, rank);
    }
    return ranks;
}

enum {
    KIND,
    RANKS,
    GROUP,
    SHARE,
    COMPUTING,
    COMPUTED,
    COMMUNICATION,
    COMMUNICATED,
    WAITING,
    WAITED,
    COLUMNS
};
static const struct mt_column columns[COLUMNS] = {
    [KIND] = {"cut", "cut", MT_COLUMN_TEXT},
    [RANKS] = {"ranks", "ranks", MT_COLUMN_TEXT},
    [GROUP] = {"group", "group", MT_COLUMN_TEXT},
    [SHARE] = {"share", "share", MT_COLUMN_PERCENT},
    [COMPUTING] = {"computing", "computing", MT_COLUMN_SECONDS},
    [COMPUTED] = {"computed", "measured", MT_COLUMN_SECONDS},
    [COMMUNICATION] = {"communication", "communication", MT_COLUMN_SECONDS},
    [COMMUNICATED] = {"communicated", "measured", MT_COLUMN_SECONDS},
    [WAITING] = {"waiting", "waiting", MT_COLUMN_SECONDS},
    [WAITED] = {"waited", "measured", MT_COLUMN_SECONDS},
};

/* The three parts of a time, in every other column from `first` on. Of the whole, a
   part may be but rounding. */
static void put_times(struct mt_view *view, int first,
                      const struct mt_partition_times *times, double whole)
{
    const double parts[] = {times->compute, times->communication, times->waiting};
    for (int i = 0; i < 3; i++)
        mt_view_number(view, first + 2 * i,
                       fabs(parts[i]) < 1e-6 * whole ? 0 : parts[i]);
}

static int add_rows(struct mt_view *view, const struct mt_strassen_question *question,
                    const struct mt_strassen_choice *choice,
                    const struct mt_partition_times *actual, struct mt_error *err)
{
    const double whole = choice->forecast.seconds;
    struct mt_strassen_rows rows = {0};
    const int status = mt_strassen_rows_make(&rows, question, choice, actual, err);
    for (int i = 0; i < rows.count; i++) {
        const struct mt_strassen_row *row = &rows.rows[i];
        mt_view_row(view);
        if (i == 0)
            mt_view_text(view, KIND, mt_partition_kind_name(choice->partition.kind));
        mt_view_text(view, RANKS, row->ranks);
        mt_view_text(view, GROUP, question->cluster.groups[row->group].name);
        mt_view_number(view, SHARE, row->share);
        put_times(view, COMPUTING, &row->times, whole);
        put_times(view, COMPUTED, &row->actual, whole);
    }
    mt_strassen_rows_clear(&rows);
    return status;
}

/* A table of what was predicted, equal ranks together; the caller clears it, also after
   a failure. */
static int fill(struct mt_view *view, const struct mt_strassen_question *question,
                const struct mt_strassen_choice *choices, int count,
                struct mt_error *err)
{
    int status = MT_OK;
    *view = (struct mt_view){.columns = columns, .ncolumns = COLUMNS};
    for (int column = COMPUTED; column < COLUMNS; column += 2)
        mt_view_hide(view, column);
    for (int i = 0; status == MT_OK && i < count; i++)
        if (choices[i].partition.ntiles > 0)
            status = add_rows(view, question, &choices[i], NULL, err);
    return status;
}

int mt_strassen_ranks_print(const struct mt_strassen_question *question,
                            const struct mt_strassen_choice *choices, int count,
                            struct mt_error *err)
{
    struct mt_view view;
    int status = fill(&view, question, choices, count, err);
    if (status == MT_OK)
        status = mt_view_print(&view, stdout, err);
    mt_view_clear(&view);
    return status;
}

int mt_strassen_ranks_put(struct mt_page *page,
                          const struct mt_strassen_question *question,
                          const struct mt_strassen_choice *choice, struct mt_error *err)
{
    struct mt_view view;
    const int status = fill(&view, question, choice, 1, err);
    if (status == MT_OK)
        mt_page_table(page, "ranks", &view);
    mt_view_clear(&view);
    return status;
}

int mt_strassen_ranks_compare(const struct mt_strassen_question *question,
                              const struct mt_strassen_choice *choice,
                              const struct mt_partition_times *actual,
                              struct mt_error *err)
{
    struct mt_view view = {.columns = columns, .ncolumns = COLUMNS};
    mt_view_hide(&view, KIND);
    int status = add_rows(&view, question, choice, actual, err);
    if (status == MT_OK)
        status = mt_view_print(&view, stdout, err);
    mt_view_clear(&view);
    return status;
}
