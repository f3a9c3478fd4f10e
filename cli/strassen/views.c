/* SPDX-License-Identifier: BSD-3-Clause */
/* Output of plan and run: choices as tables, the parts of each rank's time, and the
   picture of a partition. */
#include "views.h"

#include "cli/common/format.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "cli/plot/plot_tiles.h"
#include "cli/process/memory.h"
#include "lib/partition/question.h"
#include "strassen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
    RANK_KIND,
    RANK_NUMBERS,
    RANK_GROUP,
    RANK_SHARE,
    RANK_COMPUTING,
    RANK_COMPUTED,
    RANK_COMMUNICATION,
    RANK_COMMUNICATED,
    RANK_WAITING,
    RANK_WAITED,
    RANK_COLUMNS
};
static const struct mt_column rank_columns[RANK_COLUMNS] = {
    [RANK_KIND] = {"cut", "cut", MT_COLUMN_TEXT},
    [RANK_NUMBERS] = {"ranks", "ranks", MT_COLUMN_TEXT},
    [RANK_GROUP] = {"group", "group", MT_COLUMN_TEXT},
    [RANK_SHARE] = {"share", "share", MT_COLUMN_PERCENT},
    [RANK_COMPUTING] = {"computing", "computing", MT_COLUMN_SECONDS},
    [RANK_COMPUTED] = {"computed", "measured", MT_COLUMN_SECONDS},
    [RANK_COMMUNICATION] = {"communication", "communication", MT_COLUMN_SECONDS},
    [RANK_COMMUNICATED] = {"communicated", "measured", MT_COLUMN_SECONDS},
    [RANK_WAITING] = {"waiting", "waiting", MT_COLUMN_SECONDS},
    [RANK_WAITED] = {"waited", "measured", MT_COLUMN_SECONDS},
};

/* The three parts of a time, in every other column from `first` on. A tiny part of the
   whole is only rounding. */
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
            mt_view_text(view, RANK_KIND,
                         mt_partition_kind_name(choice->partition.kind));
        mt_view_text(view, RANK_NUMBERS, row->ranks);
        mt_view_text(view, RANK_GROUP, question->cluster.groups[row->group].name);
        mt_view_number(view, RANK_SHARE, row->share);
        put_times(view, RANK_COMPUTING, &row->times, whole);
        put_times(view, RANK_COMPUTED, &row->actual, whole);
    }
    mt_strassen_rows_clear(&rows);
    return status;
}

int mt_strassen_ranks_print(const struct mt_strassen_question *question,
                            const struct mt_strassen_choice *choices, int count,
                            struct mt_error *err)
{
    struct mt_view view = {.columns = rank_columns, .ncolumns = RANK_COLUMNS};
    int status = MT_OK;
    for (int column = RANK_COMPUTED; column < RANK_COLUMNS; column += 2)
        mt_view_hide(&view, column);
    for (int i = 0; status == MT_OK && i < count; i++)
        if (choices[i].partition.ntiles > 0)
            status = add_rows(&view, question, &choices[i], NULL, err);
    if (status == MT_OK)
        mt_view_print(&view, stdout);
    mt_view_clear(&view);
    return status;
}

int mt_strassen_ranks_compare(const struct mt_strassen_question *question,
                              const struct mt_strassen_choice *choice,
                              const struct mt_partition_times *actual,
                              struct mt_error *err)
{
    struct mt_view view = {.columns = rank_columns, .ncolumns = RANK_COLUMNS};
    mt_view_hide(&view, RANK_KIND);
    int status = add_rows(&view, question, choice, actual, err);
    if (status == MT_OK)
        mt_view_print(&view, stdout);
    mt_view_clear(&view);
    return status;
}

enum { GROUP, SPEED, HALF, SUMS, KNOWN_COLUMNS };
static const struct mt_column known_columns[KNOWN_COLUMNS] = {
    [GROUP] = {"group", "group", MT_COLUMN_TEXT},
    [SPEED] = {"flops", "Gflop/s", MT_COLUMN_FLOPS},
    [HALF] = {"half", "half of it at n =", MT_COLUMN_COUNT},
    [SUMS] = {"bandwidth", "sums", MT_COLUMN_BANDWIDTH},
};

static void put_speed(struct mt_view *view, int column, double flops)
{
    mt_view_number(view, column, flops);
    mt_view_show(view, column, "%.4g", flops / 1e9);
}

struct mt_view mt_strassen_known_view(const struct mt_strassen_question *question)
{
    struct mt_view view = {.columns = known_columns, .ncolumns = KNOWN_COLUMNS};
    for (int r = 0; r < question->machine.ranks; r++) {
        const struct mt_strassen_speed *speed = &question->speeds[r];
        const int group = question->groups[r];
        if (r > 0 && group == question->groups[r - 1])
            continue;
        mt_view_row(&view);
        mt_view_text(&view, GROUP, question->cluster.groups[group].name);
        put_speed(&view, SPEED, speed->flops);
        mt_view_number(&view, HALF, speed->half);
        mt_view_show(&view, HALF, "%.0f", speed->half);
        mt_view_number(&view, SUMS, speed->bandwidth);
    }
    return view;
}

enum {
    KIND,
    BLOCKS,
    LEVELS,
    STEPS,
    SECONDS,
    MEASURED,
    FLOPS,
    GAIN,
    BYTES,
    EXCESS,
    BOUND,
    PANELS,
    SUBPANELS,
    RANKS,
    TILES,
    PERIMETERS,
    LEAST_PERIMETERS,
    COLUMNS
};
static const struct mt_column columns[COLUMNS] = {
    [KIND] = {"cut", "cut", MT_COLUMN_TEXT},
    [BLOCKS] = {"blocks", "blocks", MT_COLUMN_COUNT},
    [LEVELS] = {"levels", "levels", MT_COLUMN_COUNT},
    [STEPS] = {NULL, "steps", MT_COLUMN_COUNT},
    [SECONDS] = {"seconds", "predicted", MT_COLUMN_SECONDS},
    [MEASURED] = {"measured", "measured", MT_COLUMN_SECONDS},
    [FLOPS] = {"flops", "Gflop/s", MT_COLUMN_FLOPS},
    [GAIN] = {"gain", "gain", MT_COLUMN_CHANGE},
    [BYTES] = {"bytes", "received", MT_COLUMN_BYTES},
    [EXCESS] = {NULL, "/ bound", MT_COLUMN_NUMBER},
    [BOUND] = {"bound", NULL, MT_COLUMN_BYTES},
    [PANELS] = {"panels", NULL, MT_COLUMN_COUNT},
    [SUBPANELS] = {"subpanels", NULL, MT_COLUMN_COUNT},
    [RANKS] = {"ranks", NULL, MT_COLUMN_TEXT},
    [TILES] = {"tiles", NULL, MT_COLUMN_TEXT},
    [PERIMETERS] = {"perimeters", NULL, MT_COLUMN_NUMBER},
    [LEAST_PERIMETERS] = {"least_perimeters", NULL, MT_COLUMN_NUMBER},
};

/* The levels of a partition's tiles: "2", or "1-3". */
static void put_levels(struct mt_view *view, const struct mt_partition *partition)
{
    int low = partition->ntiles > 0 ? partition->tiles[0].levels : 0, high = low;
    for (int i = 0; i < partition->ntiles; i++) {
        low = partition->tiles[i].levels < low ? partition->tiles[i].levels : low;
        high = partition->tiles[i].levels > high ? partition->tiles[i].levels : high;
    }
    mt_view_number(view, LEVELS, high);
    if (low < high)
        mt_view_show(view, LEVELS, "%d-%d", low, high);
}

/* "4", or "3 x (1+2)": panels, and the subpanels of each for the left-over. */
static void put_steps(struct mt_view *view, const struct mt_partition *partition)
{
    mt_view_number(view, STEPS, partition->panels);
    if (partition->subpanels > 0)
        mt_view_show(view, STEPS, "%d x (1+%d)", partition->panels,
                     partition->subpanels);
}

/* List each rank's rectangles of C, in shares of its height and width. */
static json_t *tiles_json(const struct mt_partition *partition)
{
    json_t *tiles = json_array();
    for (int i = 0; i < partition->ntiles; i++) {
        const struct mt_partition_tile *tile = &partition->tiles[i];
        json_array_append_new(
            tiles,
            json_pack("{s:i, s:o, s:o, s:o, s:o, s:b}", "rank", tile->rank, "left",
                      mt_json_number(tile->left), "top", mt_json_number(tile->top),
                      "right", mt_json_number(tile->right), "bottom",
                      mt_json_number(tile->bottom), "minor", tile->turn != 0));
    }
    return tiles;
}

static void add_choice(struct mt_view *view, const struct mt_strassen_choice *choice,
                       const struct mt_strassen_question *question, double equal)
{
    const struct mt_partition *partition = &choice->partition;
    const struct mt_partition_forecast *forecast = &choice->forecast;
    const bool compares = forecast->bound > 0 && forecast->bytes > 0;
    mt_view_row(view);
    mt_view_text(view, KIND, mt_partition_kind_name(partition->kind));
    mt_view_number(view, BLOCKS, partition->ntiles);
    put_levels(view, partition);
    put_steps(view, partition);
    mt_view_number(view, SECONDS, forecast->seconds);
    mt_view_number(view, MEASURED, question->measured[partition->kind]);
    put_speed(view, FLOPS, mt_strassen_flops(question, forecast->seconds));
    mt_view_number(view, GAIN, equal / forecast->seconds - 1);
    if (partition->kind == MT_PARTITION_EQUAL)
        mt_view_show(view, GAIN, "%s", "");
    mt_view_number(view, BYTES, forecast->bytes);
    if (compares)
        mt_view_show(view, EXCESS, "%.2f", forecast->bytes / forecast->bound);
    else
        mt_view_number(view, EXCESS, NAN);
    mt_view_number(view, BOUND, forecast->bound);
    mt_view_number(view, PANELS, partition->panels);
    mt_view_number(view, SUBPANELS, partition->subpanels);
    mt_view_json(view, RANKS, mt_strassen_ranks_json(question, choice, NULL));
    mt_view_json(view, TILES, tiles_json(partition));
    if (partition->kind == MT_PARTITION_AUTO) {
        mt_view_number(view, PERIMETERS, mt_strassen_perimeters(partition));
        mt_view_number(view, LEAST_PERIMETERS, mt_strassen_least_perimeters(partition));
    }
}

struct mt_view mt_strassen_choices_view(const struct mt_strassen_choices *choices,
                                        const struct mt_strassen_question *question)
{
    struct mt_view view = {.columns = columns, .ncolumns = COLUMNS};
    for (int kind = 0; kind < MT_PARTITION_KINDS; kind++)
        if (question->kinds[kind])
            add_choice(&view, &choices->of[kind], question,
                       choices->of[MT_PARTITION_EQUAL].forecast.seconds);
    return view;
}

void mt_strassen_print_network(const struct mt_strassen_question *question)
{
    const struct mt_partition_network *network = &question->machine.network;
    char latency[MT_QUANTITY_TEXT], bandwidth[MT_QUANTITY_TEXT];
    if (question->machine.ranks == 1)
        return;
    printf("network: %s after %s; an exchange takes %.2f times as long; ",
           mt_format_rate(bandwidth, network->bandwidth, "B/s"),
           mt_format_seconds(latency, network->latency), network->exchange);
    if (network->fresh > 0)
        printf("into new memory, %.3g us/MB longer; ", 1e12 * network->fresh);
    if (isnan(network->overlap))
        puts("how much multiplying meanwhile hides was not measured, and is taken as "
             "nothing");
    else
        printf("multiplying meanwhile hides %.0f %% of it\n", 100 * network->overlap);
}

void mt_strassen_print_verdict(const struct mt_strassen_choices *choices)
{
    const struct mt_partition_forecast *equal =
        &choices->of[MT_PARTITION_EQUAL].forecast;
    const struct mt_partition *rectangles = &choices->of[MT_PARTITION_AUTO].partition;
    const struct mt_strassen_ideal ideal = mt_strassen_ideal(equal);
    char gain[MT_QUANTITY_TEXT], most[MT_QUANTITY_TEXT];
    printf("best: %s, %s over equal blocks; ideal: %s, 1/((1-t)/s + t) with "
           "s = %.3f, t = %.3f\n",
           mt_partition_kind_name(choices->best),
           mt_format_change(gain, choices->seconds[MT_PARTITION_EQUAL] /
                                          choices->seconds[choices->best] -
                                      1),
           mt_format_change(most, ideal.gain), ideal.heterogeneity,
           ideal.communication);
    if (choices->promising != choices->best)
        printf("not taken: %s, predicted to take %s: no product has confirmed that; "
               "'motley strassen run' makes one\n",
               mt_partition_kind_name(choices->promising),
               mt_format_seconds(gain, choices->seconds[choices->promising]));
    printf("auto: sum of heights and widths %.4g, at least %.4g\n",
           mt_strassen_perimeters(rectangles),
           mt_strassen_least_perimeters(rectangles));
}

/* "xeon-2.4: 4 ranks, 44.5 %": a group's part of C. */
static void describe_group(struct mt_tile_group *described, int group,
                           const struct mt_strassen_choice *choice,
                           const struct mt_strassen_question *question)
{
    double share = 0;
    int ranks = 0;
    char percent[MT_QUANTITY_TEXT];
    described->name = question->cluster.groups[group].name;
    for (int r = 0; r < choice->partition.ranks; r++)
        if (question->groups[r] == group) {
            share += mt_strassen_share(&choice->partition, r);
            ranks++;
        }
    if (question->configuration.use[group].nodes > 0)
        snprintf(described->legend, sizeof described->legend, "%s: %d rank%s, %s",
                 described->name, ranks, ranks == 1 ? "" : "s",
                 mt_format_percent(percent, share));
}

/* The rank's index among its group's ranks. */
static int place_of(const struct mt_strassen_question *question, int rank)
{
    int before = 0;
    while (before < rank &&
           question->groups[rank - before - 1] == question->groups[rank])
        before++;
    return before;
}

/* A left-over that was cut again is a minor tile, and its number is in brackets. */
static struct mt_plot_tile tile_of(const struct mt_partition_tile *tile,
                                   const struct mt_strassen_question *question)
{
    struct mt_plot_tile drawn = {.left = tile->left,
                                 .top = tile->top,
                                 .right = tile->right,
                                 .bottom = tile->bottom,
                                 .group = question->groups[tile->rank],
                                 .shade = place_of(question, tile->rank),
                                 .minor = tile->turn != 0};
    snprintf(drawn.name, sizeof drawn.name, drawn.minor ? "(%d)" : "%d", tile->rank);
    return drawn;
}

/* The title: "ohtaki-3, n = 12000, cut: auto, predicted: 140.2 s (simulated)". */
int mt_strassen_draw(const struct mt_strassen_choice *choice,
                     const struct mt_strassen_question *question, const char *target,
                     struct mt_error *err)
{
    const struct mt_partition *partition = &choice->partition;
    const int ngroups = question->cluster.ngroups;
    struct mt_plot_tile *tiles =
        mt_calloc((size_t)partition->ntiles + 1, sizeof *tiles);
    struct mt_tile_group *groups = mt_calloc((size_t)ngroups + 1, sizeof *groups);
    char seconds[MT_QUANTITY_TEXT], size[MT_STRASSEN_SIZE_TEXT];
    char *title =
        mt_asprintf("%s, n = %s, cut: %s, predicted: %s%s", question->cluster.name,
                    mt_strassen_size_text(size, &question->product),
                    mt_partition_kind_name(partition->kind),
                    mt_format_seconds(seconds, choice->forecast.seconds),
                    mt_cluster_simulated(&question->cluster) ? " (simulated)" : "");
    for (int i = 0; i < partition->ntiles; i++)
        tiles[i] = tile_of(&partition->tiles[i], question);
    for (int g = 0; g < ngroups; g++)
        describe_group(&groups[g], g, choice, question);
    const struct mt_tiles picture = {.title = title,
                                     .x_label = "columns of C and B",
                                     .y_label = "rows of C and A",
                                     .columns = question->product.n,
                                     .rows = question->product.m,
                                     .tiles = tiles,
                                     .count = partition->ntiles,
                                     .groups = groups,
                                     .ngroups = ngroups};
    const int status = mt_tiles_draw(&picture, target, err);
    free(title);
    free(groups);
    free(tiles);
    return status;
}
