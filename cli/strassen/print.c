/* SPDX-License-Identifier: BSD-3-Clause */
#include "print.h"

#include "cli/common/table.h"
#include "rows.h"

#include <math.h>
#include <stdio.h>

void mt_strassen_print_question(const struct mt_strassen_question *question)
{
    const struct mt_partition_product *product = &question->product;
    printf("product  %d x %d by %d x %d\n", product->m, product->k, product->k,
           product->n);
    printf("ranks    %d on %s\n", question->machine.ranks, question->text);
}

static void add_group(struct mt_table *table,
                      const struct mt_strassen_question *question, int rank)
{
    const struct mt_strassen_speed *speed = &question->speeds[rank];
    char flops[32], half[32], sums[32];
    snprintf(flops, sizeof flops, "%.4g", speed->flops / 1e9);
    snprintf(half, sizeof half, "%.3g", speed->half);
    snprintf(sums, sizeof sums, "%.3g", speed->bandwidth / 1e9);
    mt_table_add(table, question->cluster.groups[question->groups[rank]].name, flops,
                 half, isinf(speed->bandwidth) ? "-" : sums, NULL);
}

/* What is known of the nodes, in whose order the ranks are, and between them. */
static int print_known(const struct mt_strassen_question *question,
                       struct mt_error *err)
{
    const struct mt_partition_network *network = &question->machine.network;
    struct mt_table table = {0};
    char latency[32];
    mt_table_add(&table, "group", ">Gflop/s", ">half of it at n =", ">sums, GB/s",
                 NULL);
    for (int r = 0; r < question->machine.ranks; r++)
        if (r == 0 || question->groups[r] != question->groups[r - 1])
            add_group(&table, question, r);
    const int status = mt_table_print(&table, stdout, err);
    if (question->machine.ranks > 1)
        printf("network: %.4g MB/s after %s; both ways at once takes %.2f times as "
               "long\n",
               network->bandwidth / 1e6, mt_format_seconds(latency, network->latency),
               network->exchange);
    return status;
}

/* The levels of a partition's tiles: "2", or "1-3". */
static void format_levels(char text[16], const struct mt_partition *partition)
{
    int low = partition->ntiles > 0 ? partition->tiles[0].levels : 0, high = low;
    for (int i = 0; i < partition->ntiles; i++) {
        low = partition->tiles[i].levels < low ? partition->tiles[i].levels : low;
        high = partition->tiles[i].levels > high ? partition->tiles[i].levels : high;
    }
    snprintf(text, 16, low == high ? "%d" : "%d-%d", low, high);
}

/* "4", or "3+2": panels, and those that each is cut into for the left-over. */
static void format_steps(char text[32], const struct mt_partition *partition)
{
    snprintf(text, 32, partition->subpanels > 0 ? "%d x (1+%d)" : "%d",
             partition->panels, partition->subpanels);
}

static void add_choice(struct mt_table *table, const struct mt_strassen_choice *choice,
                       const struct mt_strassen_question *question, double equal)
{
    const struct mt_partition_forecast *forecast = &choice->forecast;
    char tiles[16], levels[16], steps[32], seconds[32], speed[32], gain[32], bytes[32],
        bound[32];
    snprintf(tiles, sizeof tiles, "%d", choice->partition.ntiles);
    format_levels(levels, &choice->partition);
    format_steps(steps, &choice->partition);
    snprintf(speed, sizeof speed, "%.4g",
             mt_strassen_flops(question, forecast->seconds) / 1e9);
    snprintf(gain, sizeof gain, "%+.1f %%", 100 * (equal / forecast->seconds - 1));
    if (forecast->bytes >= 1e9)
        snprintf(bytes, sizeof bytes, "%.4g GB", forecast->bytes / 1e9);
    else
        snprintf(bytes, sizeof bytes, "%.4g MB", forecast->bytes / 1e6);
    if (forecast->bound > 0 && forecast->bytes > 0)
        snprintf(bound, sizeof bound, "%.2f", forecast->bytes / forecast->bound);
    else
        snprintf(bound, sizeof bound, "-");
    mt_table_add(table, mt_partition_kind_name(choice->partition.kind), tiles, levels,
                 steps, mt_format_seconds(seconds, forecast->seconds), speed,
                 choice->partition.kind == MT_PARTITION_EQUAL ? "" : gain, bytes, bound,
                 NULL);
}

static int print_choices(const struct mt_strassen_choice *choices,
                         const struct mt_strassen_question *question,
                         struct mt_error *err)
{
    struct mt_table table = {0};
    mt_table_add(&table, "cut", ">blocks", ">levels", ">steps", ">predicted",
                 ">Gflop/s", ">gain", ">received", ">/ bound", NULL);
    for (int kind = 0; kind < MT_PARTITION_KINDS; kind++)
        add_choice(&table, &choices[kind], question,
                   choices[MT_PARTITION_EQUAL].forecast.seconds);
    return mt_table_print(&table, stdout, err);
}

static int add_rows(struct mt_table *table, const struct mt_strassen_choice *choice,
                    const struct mt_strassen_question *question, struct mt_error *err)
{
    const double whole = choice->forecast.seconds;
    struct mt_strassen_rows rows = {0};
    int status = mt_strassen_rows_make(&rows, question, choice, NULL, err);
    for (int i = 0; i < rows.count; i++) {
        const struct mt_strassen_row *row = &rows.rows[i];
        char share[32], compute[32], communication[32], waiting[32];
        snprintf(share, sizeof share, "%.1f %%", 100 * row->share);
        mt_table_add(
            table, i == 0 ? mt_partition_kind_name(choice->partition.kind) : "",
            row->ranks, question->cluster.groups[row->group].name, share,
            mt_strassen_format_part(compute, row->times.compute, whole),
            mt_strassen_format_part(communication, row->times.communication, whole),
            mt_strassen_format_part(waiting, row->times.waiting, whole), NULL);
    }
    mt_strassen_rows_clear(&rows);
    return status;
}

static int print_rows(const struct mt_strassen_choice *choices,
                      const struct mt_strassen_question *question, struct mt_error *err)
{
    struct mt_table table = {0};
    int status = MT_OK;
    mt_table_add(&table, "cut", "ranks", "group", ">share", ">computing",
                 ">communication", ">waiting", NULL);
    for (int kind = 0; status == MT_OK && kind < MT_PARTITION_KINDS; kind++)
        status = add_rows(&table, &choices[kind], question, err);
    const int printed = mt_table_print(&table, stdout, err);
    return status == MT_OK ? printed : status;
}

/* The best, and how good it could be. */
static void print_verdict(const struct mt_strassen_choice *choices)
{
    const struct mt_partition_forecast *equal = &choices[MT_PARTITION_EQUAL].forecast;
    const struct mt_strassen_ideal ideal = mt_strassen_ideal(equal);
    const enum mt_partition_kind best = mt_strassen_best(choices);
    const struct mt_partition *rectangles = &choices[MT_PARTITION_AUTO].partition;
    const double gain = equal->seconds / choices[best].forecast.seconds - 1;
    printf(
        "best: %s, %+.1f %% over equal blocks; ideal: %+.1f %%, 1/((1-t)/s + t) with "
        "s = %.3f, t = %.3f\n",
        mt_partition_kind_name(best), 100 * gain, 100 * ideal.gain, ideal.heterogeneity,
        ideal.communication);
    printf("auto: sum of heights and widths %.4g, at least %.4g\n",
           mt_strassen_perimeters(rectangles),
           mt_strassen_least_perimeters(rectangles));
}

int mt_strassen_plan_print(const struct mt_strassen_choice *choices,
                           const struct mt_strassen_question *question,
                           struct mt_error *err)
{
    mt_strassen_print_question(question);
    if (mt_cluster_simulated(&question->cluster))
        puts("learned  from simulated runs");
    putchar('\n');
    int status = print_known(question, err);
    putchar('\n');
    if (status == MT_OK)
        status = print_choices(choices, question, err);
    putchar('\n');
    if (status == MT_OK)
        status = print_rows(choices, question, err);
    putchar('\n');
    print_verdict(choices);
    return status;
}
