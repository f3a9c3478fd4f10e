/* SPDX-License-Identifier: BSD-3-Clause */
/* What a partition is, and whether one is valid. */
#include "motley/partition.h"

#include "internal.h"
#include "lib/base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limits that keep phases of a product, and places in one, countable. */
enum { MOST_RANKS = 1 << 20, MOST_PANELS = 1 << 20, MOST_SUBPANELS = 1 << 10 };

static const char *const kind_names[MT_PARTITION_KINDS] = {
    [MT_PARTITION_EQUAL] = "equal",
    [MT_PARTITION_GREEDY] = "greedy",
    [MT_PARTITION_RECURSIVE] = "recursive",
    [MT_PARTITION_AUTO] = "auto",
};

void mt_partition_clear(struct mt_partition *partition)
{
    free(partition->tiles);
    *partition = (struct mt_partition){0};
}

const char *mt_partition_kind_name(enum mt_partition_kind kind)
{
    return kind_names[kind];
}

int mt_partition_kind_parse(enum mt_partition_kind *kind, const char *name,
                            struct mt_error *err)
{
    for (int i = 0; i < MT_PARTITION_KINDS; i++)
        if (strcmp(name, kind_names[i]) == 0) {
            *kind = (enum mt_partition_kind)i;
            return MT_OK;
        }
    return mt_fail(
        err, MT_EINVAL,
        "unknown kind of partition '%s': one of equal, greedy, recursive, auto", name);
}

int mt_partition_add(struct mt_partition *partition,
                     const struct mt_partition_tile *tile, struct mt_error *err)
{
    if (partition->ntiles == MT_PARTITION_MAX_TILES)
        return mt_fail(err, MT_EINVAL, "more than %d tiles", MT_PARTITION_MAX_TILES);
    const int status = mt_array_grow(&partition->tiles, partition->ntiles,
                                     sizeof *partition->tiles, "tiles", err);
    if (status == MT_OK)
        partition->tiles[partition->ntiles++] = *tile;
    return status;
}

static int check_number(const char *name, int value, int least, int most,
                        struct mt_error *err)
{
    if (value >= least && value <= most)
        return MT_OK;
    return mt_fail(err, MT_EINVAL, "%s is %d; it must be from %d to %d", name, value,
                   least, most);
}

static int check_span(const char *name, double begin, double end, struct mt_error *err)
{
    if (begin >= 0 && begin < end && end <= 1) /* false for NaN */
        return MT_OK;
    return mt_fail(err, MT_EINVAL,
                   "its %s go from %.9g to %.9g; they must be shares from 0 to 1", name,
                   begin, end);
}

int mt_partition_check_tile(const struct mt_partition *partition,
                            const struct mt_partition_tile *tile, struct mt_error *err)
{
    const int last_turn = partition->subpanels > 0 ? 1 : 0;
    int status = check_number("its rank", tile->rank, 0, partition->ranks - 1, err);
    if (status == MT_OK)
        status = check_number("its turn", tile->turn, 0, last_turn, err);
    if (status == MT_OK)
        status = check_number("its number of levels", tile->levels, 0,
                              MT_STRASSEN_MAX_LEVELS, err);
    if (status == MT_OK)
        status = check_span("rows", tile->top, tile->bottom, err);
    if (status == MT_OK)
        status = check_span("columns", tile->left, tile->right, err);
    return status;
}

/* A corner of a tile, with the change in the number of tiles below and to the right of
   it. */
struct corner {
    double row, column;
    int change;
};

static int compare_corners(const void *a, const void *b)
{
    const struct corner *one = a, *other = b;
    if (one->row != other->row)
        return one->row < other->row ? -1 : 1;
    return (one->column > other->column) - (one->column < other->column);
}

static void put_corners(struct corner corners[4], const struct mt_partition_tile *tile,
                        int change)
{
    corners[0] = (struct corner){tile->top, tile->left, change};
    corners[1] = (struct corner){tile->top, tile->right, -change};
    corners[2] = (struct corner){tile->bottom, tile->left, -change};
    corners[3] = (struct corner){tile->bottom, tile->right, change};
}

/* The tiles cover the square exactly once if and only if the changes at their corners
   equal those of the square. This needs no tolerance. */
static int check_cover(const struct mt_partition *partition, struct mt_error *err)
{
    const struct mt_partition_tile square = {.bottom = 1, .right = 1};
    const size_t ncorners = 4 * ((size_t)partition->ntiles + 1);
    struct corner *corners = calloc(ncorners, sizeof *corners);
    if (!corners)
        return mt_fail(err, MT_ENOMEM, "no memory to check %d tiles",
                       partition->ntiles);
    for (int i = 0; i < partition->ntiles; i++)
        put_corners(corners + (size_t)4 * (size_t)i, &partition->tiles[i], 1);
    put_corners(corners + (size_t)4 * (size_t)partition->ntiles, &square, -1);
    qsort(corners, ncorners, sizeof *corners, compare_corners);

    int status = MT_OK;
    for (size_t i = 0, next; i < ncorners && status == MT_OK; i = next) {
        int change = 0;
        for (next = i; next < ncorners && !compare_corners(&corners[i], &corners[next]);
             next++)
            change += corners[next].change;
        if (change != 0)
            status = mt_fail(err, MT_EINVAL,
                             "tiles overlap, or leave a gap, at row %.9g, column %.9g "
                             "of the square",
                             corners[i].row, corners[i].column);
    }
    free(corners);
    return status;
}

int mt_partition_check(const struct mt_partition *partition, struct mt_error *err)
{
    int status =
        check_number("the number of ranks", partition->ranks, 1, MOST_RANKS, err);
    if (status == MT_OK)
        status = check_number("the number of panels", partition->panels, 1, MOST_PANELS,
                              err);
    if (status == MT_OK)
        status = check_number("the number of subpanels", partition->subpanels, 0,
                              MOST_SUBPANELS, err);
    bool left_over = false;
    for (int i = 0; i < partition->ntiles && status == MT_OK; i++) {
        const struct mt_partition_tile *tile = &partition->tiles[i];
        struct mt_error reason;
        status = mt_partition_check_tile(partition, tile, &reason);
        if (status != MT_OK)
            return mt_fail(err, status, "tile %d: %s", i + 1, reason.text);
        if (left_over && tile->turn == 0)
            return mt_fail(err, MT_EINVAL,
                           "tile %d is of turn 0, but comes after one of turn 1",
                           i + 1);
        left_over = tile->turn == 1;
    }
    if (status == MT_OK && partition->subpanels > 0 && !left_over)
        status = mt_fail(err, MT_EINVAL, "subpanels need a tile of turn 1");
    return status == MT_OK ? check_cover(partition, err) : status;
}

int mt_partition_edge(double share, int size)
{
    return (int)round(share * size);
}

/* The place of the rank's first tile along the diagonal: neighbouring ranks differ by
   the distance of their tiles. From -0.5 to 1.5. */
static double find_middle(const struct mt_partition *partition, int rank)
{
    for (int i = 0; i < partition->ntiles; i++) {
        const struct mt_partition_tile *tile = &partition->tiles[i];
        if (tile->rank == rank)
            return (tile->top + tile->bottom + tile->left + tile->right - 1) / 2;
    }
    return 0;
}

int mt_partition_panel(const struct mt_partition *partition, int rank, int step)
{
    if (!partition->rolled)
        return step;
    const double middle = find_middle(partition, rank);
    const int first = (int)floor((middle - floor(middle)) * partition->panels);
    return (int)(((long)first + step) % partition->panels);
}

int mt_partition_parent(const struct mt_partition *partition, int member)
{
    return partition->overlap ? 0 : member & (member - 1); /* without its lowest bit */
}

struct mt_partition_range mt_partition_panel_range(const struct mt_partition *partition,
                                                   int panel, int k)
{
    return (struct mt_partition_range){
        .first = mt_partition_edge((double)panel / partition->panels, k),
        .end = mt_partition_edge((panel + 1.0) / partition->panels, k),
    };
}

struct mt_partition_range mt_partition_subpanel_range(
    const struct mt_partition *partition, int panel, int subpanel, int k)
{
    /* the same numbers as the edges of a block that is cut again */
    const double first = (double)panel * partition->subpanels + subpanel;
    const double count = (double)partition->panels * partition->subpanels;
    return (struct mt_partition_range){
        .first = mt_partition_edge(first / count, k),
        .end = mt_partition_edge((first + 1) / count, k),
    };
}
