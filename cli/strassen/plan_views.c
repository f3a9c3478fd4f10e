/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan_views.h"

#include "cli/common/format.h"
#include "ranks.h"

#include <math.h>

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

/* "4", or "3 x (1+2)": panels, and those that each is cut into for the left-over. */
static void put_steps(struct mt_view *view, const struct mt_partition *partition)
{
    mt_view_number(view, STEPS, partition->panels);
    if (partition->subpanels > 0)
        mt_view_show(view, STEPS, "%d x (1+%d)", partition->panels,
                     partition->subpanels);
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

void mt_strassen_print_network(const struct mt_strassen_question *question,
                               FILE *stream)
{
    const struct mt_partition_network *network = &question->machine.network;
    char latency[MT_QUANTITY_TEXT], bandwidth[MT_QUANTITY_TEXT];
    if (question->machine.ranks == 1)
        return;
    fprintf(stream,
            "network: %s after %s; both ways at once takes %.2f times as long; ",
            mt_format_rate(bandwidth, network->bandwidth, "B/s"),
            mt_format_seconds(latency, network->latency), network->exchange);
    if (isnan(network->overlap))
        fputs("what it saves to multiply meanwhile was not measured, and is taken as "
              "nothing\n",
              stream);
    else
        fprintf(stream, "to multiply meanwhile saves %.0f %% of that\n",
                100 * network->overlap);
}

void mt_strassen_print_verdict(const struct mt_strassen_choices *choices, FILE *stream)
{
    const struct mt_partition_forecast *equal =
        &choices->of[MT_PARTITION_EQUAL].forecast;
    const struct mt_partition *rectangles = &choices->of[MT_PARTITION_AUTO].partition;
    const struct mt_strassen_ideal ideal = mt_strassen_ideal(equal);
    char gain[MT_QUANTITY_TEXT], most[MT_QUANTITY_TEXT];
    fprintf(stream,
            "best: %s, %s over equal blocks; ideal: %s, 1/((1-t)/s + t) with "
            "s = %.3f, t = %.3f\n",
            mt_partition_kind_name(choices->best),
            mt_format_change(gain, choices->seconds[MT_PARTITION_EQUAL] /
                                           choices->seconds[choices->best] -
                                       1),
            mt_format_change(most, ideal.gain), ideal.heterogeneity,
            ideal.communication);
    if (choices->promising != choices->best)
        fprintf(stream,
                "not taken: %s, predicted to take %s: no product has confirmed that; "
                "'motley strassen run' makes one\n",
                mt_partition_kind_name(choices->promising),
                mt_format_seconds(gain, choices->seconds[choices->promising]));
    fprintf(stream, "auto: sum of heights and widths %.4g, at least %.4g\n",
            mt_strassen_perimeters(rectangles),
            mt_strassen_least_perimeters(rectangles));
}
