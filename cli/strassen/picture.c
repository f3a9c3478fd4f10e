/* SPDX-License-Identifier: BSD-3-Clause */
#include "strassen.h"

#include "cli/common/format.h"
#include "lib/partition/rows.h"
#include "programs.h"

#include <stdio.h>
#include <stdlib.h>

enum { LONGEST_TEXT = 256 };

/* "ohtaki-3, n = 12000, cut: auto, predicted: 140.2 s (simulated)". */
static const char *write_title(char title[LONGEST_TEXT],
                               const struct mt_strassen_choice *choice,
                               const struct mt_strassen_question *question)
{
    char seconds[32], size[MT_STRASSEN_SIZE_TEXT];
    snprintf(title, LONGEST_TEXT, "%s, n = %s, cut: %s, predicted: %s%s",
             question->cluster.name, mt_strassen_size_text(size, &question->product),
             mt_partition_kind_name(choice->partition.kind),
             mt_format_seconds(seconds, choice->forecast.seconds),
             mt_cluster_simulated(&question->cluster) ? " (simulated)" : "");
    return title;
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

/* Which of its group's ranks it is. */
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

int mt_strassen_tiles(const struct mt_strassen_choice *choice,
                      const struct mt_strassen_question *question, mt_tiles_use *use,
                      void *to, struct mt_error *err)
{
    const struct mt_partition *partition = &choice->partition;
    const int ngroups = question->cluster.ngroups;
    struct mt_plot_tile *tiles = calloc((size_t)partition->ntiles + 1, sizeof *tiles);
    struct mt_tile_group *groups = calloc((size_t)ngroups + 1, sizeof *groups);
    char title[LONGEST_TEXT];
    int status =
        tiles && groups ? MT_OK : mt_fail(err, MT_ENOMEM, "no memory for a picture");
    for (int i = 0; i < partition->ntiles && status == MT_OK; i++)
        tiles[i] = tile_of(&partition->tiles[i], question);
    for (int g = 0; g < ngroups && status == MT_OK; g++)
        describe_group(&groups[g], g, choice, question);
    if (status == MT_OK)
        status = use(&(struct mt_tiles){.title = write_title(title, choice, question),
                                        .x_label = "columns of C and B",
                                        .y_label = "rows of C and A",
                                        .columns = question->product.n,
                                        .rows = question->product.m,
                                        .tiles = tiles,
                                        .count = partition->ntiles,
                                        .groups = groups,
                                        .ngroups = ngroups},
                     to, err);
    free(groups);
    free(tiles);
    return status;
}

static int draw(const struct mt_tiles *tiles, void *target, struct mt_error *err)
{
    return mt_tiles_draw(tiles, *(const char **)target, err);
}

int mt_strassen_draw(const struct mt_strassen_choice *choice,
                     const struct mt_strassen_question *question, const char *target,
                     struct mt_error *err)
{
    return mt_strassen_tiles(choice, question, draw, &target, err);
}
