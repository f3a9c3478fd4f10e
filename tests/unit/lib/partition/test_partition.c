/* SPDX-License-Identifier: BSD-3-Clause */
#include "broken.h"
#include "lib/partition/internal.h"
#include "tests/unit/test.h"

static const struct mt_partition_tile whole = {.bottom = 1, .right = 1};

static void add(struct mt_partition *partition, int rank, double top, double left,
                double bottom, double right)
{
    const struct mt_partition_tile tile = {
        .rank = rank, .top = top, .left = left, .bottom = bottom, .right = right};
    assert_int_equal(mt_partition_add(partition, &tile, NULL), MT_OK);
}

/* A pinwheel, which no grid and no straight line cuts. */
static struct mt_partition pinwheel(void)
{
    struct mt_partition partition = {.ranks = 5, .panels = 3};
    const double a = 1.0 / 3, b = 2.0 / 3;
    add(&partition, 0, 0, 0, a, b);
    add(&partition, 1, 0, b, b, 1);
    add(&partition, 2, b, a, 1, 1);
    add(&partition, 3, a, 0, 1, a);
    add(&partition, 4, a, a, b, b);
    return partition;
}

static void assert_wrong(struct mt_partition *partition, const char *reason)
{
    struct mt_error err = {0};
    assert_int_equal(mt_partition_check(partition, &err), MT_EINVAL);
    assert_contains(err.text, reason);
    mt_partition_clear(partition);
}

static void test_good_partitions_pass(void **state)
{
    (void)state;
    struct mt_partition partition = pinwheel();
    assert_int_equal(mt_partition_check(&partition, NULL), MT_OK);
    mt_partition_clear(&partition);
    assert_null(partition.tiles);

    partition =
        (struct mt_partition){.ranks = 7, .panels = 1}; /* six ranks have none */
    assert_int_equal(mt_partition_add(&partition, &whole, NULL), MT_OK);
    assert_int_equal(mt_partition_check(&partition, NULL), MT_OK);
    mt_partition_clear(&partition);
}

static void test_gaps_and_overlaps_are_found(void **state)
{
    (void)state;
    struct mt_partition partition = pinwheel();
    partition.ntiles--; /* the middle */
    assert_wrong(&partition, "at row 0.333333333, column 0.333333333");

    partition = pinwheel();
    add(&partition, 0, 0.5, 0.5, 0.6, 0.6);
    assert_wrong(&partition, "at row 0.5, column 0.5");

    partition = pinwheel(); /* the same twice */
    add(&partition, 4, partition.tiles[4].top, partition.tiles[4].left,
        partition.tiles[4].bottom, partition.tiles[4].right);
    assert_wrong(&partition, "overlap");

    partition = pinwheel(); /* by one unit in the last place */
    partition.tiles[4].bottom = nextafter(partition.tiles[4].bottom, 1);
    assert_wrong(&partition, "overlap, or leave a gap, at row 0.666666667");

    partition = (struct mt_partition){.ranks = 1, .panels = 1};
    assert_wrong(&partition, "at row 0, column 0");
}

static void test_impossible_numbers_are_found(void **state)
{
    (void)state;
    struct mt_partition partition = pinwheel();
    partition.ranks = 4;
    assert_wrong(&partition, "tile 5: its rank is 4; it must be from 0 to 3");
    partition = pinwheel();
    partition.ranks = 0;
    assert_wrong(&partition, "the number of ranks is 0");
    partition = pinwheel();
    partition.panels = 0;
    assert_wrong(&partition, "the number of panels is 0");
    partition = pinwheel();
    partition.subpanels = -1;
    assert_wrong(&partition, "the number of subpanels is -1");
    partition = pinwheel();
    partition.subpanels = 2;
    assert_wrong(&partition, "need a tile of turn 1");
    partition = pinwheel();
    partition.tiles[1].turn = 1;
    assert_wrong(&partition, "tile 2: its turn is 1");
    partition = pinwheel();
    partition.tiles[1].turn = 1;
    partition.subpanels = 2;
    assert_wrong(&partition, "tile 3 is of turn 0, but comes after one of turn 1");
    partition = pinwheel();
    partition.tiles[1].levels = MT_STRASSEN_MAX_LEVELS + 1;
    assert_wrong(&partition, "tile 2: its number of levels is 9");
    partition = pinwheel();
    partition.tiles[1].right = (double)NAN;
    assert_wrong(&partition, "tile 2: its columns go from");
    partition = pinwheel();
    partition.tiles[1].top = 2.0 / 3;
    assert_wrong(&partition, "tile 2: its rows go from");
    partition = pinwheel();
    partition.tiles[1].right = 1.1;
    assert_wrong(&partition, "they must be shares from 0 to 1");
}

/* Panels and subpanels follow each other without gaps, and begin where tiles do. */
static void test_panels_cover_the_depth(void **state)
{
    (void)state;
    const struct mt_partition partition = {.ranks = 1, .panels = 7, .subpanels = 3};
    for (int k = 0; k < 100; k += 9) {
        int end = 0;
        for (int panel = 0; panel < partition.panels; panel++) {
            const struct mt_partition_range whole_panel =
                mt_partition_panel_range(&partition, panel, k);
            assert_int_equal(whole_panel.first, end);
            assert_int_equal(whole_panel.first, mt_partition_edge(panel / 7.0, k));
            for (int i = 0; i < partition.subpanels; i++) {
                const struct mt_partition_range part =
                    mt_partition_subpanel_range(&partition, panel, i, k);
                assert_int_equal(part.first, end);
                assert_true(part.end >= part.first);
                end = part.end;
            }
            assert_int_equal(whole_panel.end, end);
        }
        assert_int_equal(end, k);
    }
}

/* Rolled, the ranks of a grid's row or column begin with different panels, and every
   rank takes all of them. */
static void test_rolled_panels_differ(void **state)
{
    (void)state;
    enum { SIDE = 4 };
    struct mt_partition partition = {
        .ranks = SIDE * SIDE, .panels = SIDE, .rolled = true};
    for (int i = 0; i < SIDE * SIDE; i++) {
        const double top = i / SIDE, left = i % SIDE;
        add(&partition, i, top / SIDE, left / SIDE, (top + 1) / SIDE,
            (left + 1) / SIDE);
    }
    for (int step = 0; step < SIDE; step++)
        for (int i = 0; i < SIDE; i++) {
            unsigned row = 0, column = 0, steps = 0;
            for (int j = 0; j < SIDE; j++) {
                row |= 1U << mt_partition_panel(&partition, SIDE * i + j, step);
                column |= 1U << mt_partition_panel(&partition, SIDE * j + i, step);
                steps |= 1U << mt_partition_panel(&partition, i, j);
            }
            assert_int_equal(row, 15);
            assert_int_equal(column, 15);
            assert_int_equal(steps, 15);
        }
    partition.rolled = false;
    assert_int_equal(mt_partition_panel(&partition, 5, 2), 2);
    mt_partition_clear(&partition);
}

/* Side by side, or one below the other, ranks begin with their own parts. */
static void test_rolled_panels_begin_at_home(void **state)
{
    (void)state;
    struct mt_partition partition = {.ranks = 3, .panels = 4, .rolled = true};
    add(&partition, 0, 0, 0, 1, 0.25);
    add(&partition, 1, 0, 0.25, 1, 1);
    assert_int_equal(mt_partition_panel(&partition, 0, 0), 0);
    assert_int_equal(mt_partition_panel(&partition, 1, 0), 2);
    assert_int_equal(mt_partition_panel(&partition, 1, 3), 1);
    assert_in_range(mt_partition_panel(&partition, 2, 0), 0, 3); /* it has no tile */
    for (int i = 0; i < partition.ntiles; i++) {
        struct mt_partition_tile *tile = &partition.tiles[i];
        tile->top = tile->left;
        tile->bottom = tile->right;
        tile->left = 0;
        tile->right = 1;
    }
    assert_int_equal(mt_partition_panel(&partition, 0, 0), 0);
    assert_int_equal(mt_partition_panel(&partition, 1, 0), 2);
    mt_partition_clear(&partition);
}

static void test_kinds_have_names(void **state)
{
    (void)state;
    for (int i = 0; i < MT_PARTITION_KINDS; i++) {
        enum mt_partition_kind kind = MT_PARTITION_EQUAL;
        assert_int_equal(
            mt_partition_kind_parse(
                &kind, mt_partition_kind_name((enum mt_partition_kind)i), NULL),
            MT_OK);
        assert_int_equal(kind, i);
    }
    enum mt_partition_kind kind = MT_PARTITION_AUTO;
    struct mt_error err;
    assert_int_equal(mt_partition_kind_parse(&kind, "square", &err), MT_EINVAL);
    assert_string_equal(
        err.text,
        "unknown kind of partition 'square': one of equal, greedy, recursive, auto");
    assert_int_equal(kind, MT_PARTITION_AUTO);
}

static const char good[] = "motley-cut 1\n"
                           "kind recursive\n"
                           "ranks 2 # two\n"
                           "\n"
                           "panels 3\n"
                           "subpanels 2\n"
                           "overlap no\n"
                           "rolled yes\n"
                           "# the tiles\n"
                           "tile 0 0 2 0 0 1 0.3\n"
                           "tile 1 0 1 0 0.3 0.7 1\n"
                           "tile 0 1 0 0.7 0.3 1 1";

static int read_text(struct mt_partition *partition, const char *text,
                     struct mt_error *err)
{
    const char *path = write_text(text);
    FILE *stream = fopen(path, "re");
    assert_non_null(stream);
    const int status = mt_partition_read(partition, stream, "a.cut", err);
    fclose(stream);
    remove(path);
    return status;
}

static void test_what_stands_there_is_read(void **state)
{
    (void)state;
    struct mt_partition partition = {0};
    struct mt_error err = {0};
    assert_int_equal(read_text(&partition, good, &err), MT_OK);
    assert_int_equal(partition.kind, MT_PARTITION_RECURSIVE);
    assert_int_equal(partition.ranks, 2);
    assert_int_equal(partition.panels, 3);
    assert_int_equal(partition.subpanels, 2);
    assert_false(partition.overlap);
    assert_true(partition.rolled);
    assert_int_equal(partition.ntiles, 3);
    const struct mt_partition_tile *tile = &partition.tiles[2];
    assert_int_equal(tile->rank, 0);
    assert_int_equal(tile->turn, 1);
    assert_int_equal(tile->levels, 0);
    assert_true(tile->top == 0.7);
    assert_true(tile->left == 0.3);
    assert_true(tile->bottom == 1);
    assert_true(tile->right == 1);
    mt_partition_clear(&partition);
}

/* Bit for bit, also shares that no short decimal number is. */
static void test_what_is_written_is_read_again(void **state)
{
    (void)state;
    struct mt_partition partition = {
        .kind = MT_PARTITION_AUTO, .ranks = 40, .panels = 11, .overlap = true};
    double left = 0;
    for (int i = 0; i < partition.ranks; i++) {
        const double right = i == partition.ranks - 1 ? 1 : sqrt((i + 1) / 41.0);
        const struct mt_partition_tile tile = {
            .rank = i, .levels = i % 9, .bottom = 1, .left = left, .right = right};
        assert_int_equal(mt_partition_add(&partition, &tile, NULL), MT_OK);
        left = right;
    }
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    mt_partition_write(&partition, stream);
    fclose(stream);

    struct mt_partition again = {0};
    struct mt_error err = {0};
    assert_int_equal(read_text(&again, text, &err), MT_OK);
    assert_int_equal(again.kind, partition.kind);
    assert_int_equal(again.ranks, partition.ranks);
    assert_int_equal(again.panels, partition.panels);
    assert_int_equal(again.subpanels, 0);
    assert_true(again.overlap);
    assert_false(again.rolled);
    assert_int_equal(again.ntiles, partition.ntiles);
    for (int i = 0; i < partition.ntiles; i++) {
        assert_int_equal(again.tiles[i].rank, i);
        assert_int_equal(again.tiles[i].levels, i % 9);
        assert_true(again.tiles[i].left == partition.tiles[i].left);
        assert_true(again.tiles[i].right == partition.tiles[i].right);
    }
    free(text);
    mt_partition_clear(&again);
    mt_partition_clear(&partition);
}

static void test_broken_files_are_refused(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {NULL, "\n", "a.cut:1: the file is empty; 'motley-cut 1' was expected"},
        {NULL, "name: ohtaki\n", "a.cut:1: 'name:' where 'motley-cut' was expected"},
        {"motley-cut 1", "motley-cut", "a.cut:1: 'motley-cut' has no value"},
        {"motley-cut 1", "motley-cut 2", "a.cut:1: the format '2' is not known"},
        {"motley-cut 1", "motley-cut 1 1", "a.cut:1: '1' is one word too many"},
        {"kind recursive", "kind round", "a.cut:2: unknown kind of partition 'round'"},
        {"kind recursive\n", "", "a.cut:2: 'ranks' where 'kind' was expected"},
        {"ranks 2", "ranks two", "a.cut:3: 'two' is not an integer"},
        {"ranks 2", "ranks 3000000000", "a.cut:3: '3000000000' is not an integer"},
        {"ranks 2", "ranks 2.5", "a.cut:3: '2.5' is not an integer"},
        {"ranks 2", "ranks 0", "a.cut:10: its rank is 0"},
        {"panels 3", "panels 0", "a.cut: the number of panels is 0"},
        {"subpanels 2", "subpanels 0", "a.cut:12: its turn is 1"},
        {"overlap no", "overlap 0", "a.cut:7: '0' is neither yes nor no"},
        {"rolled yes", "rolled", "a.cut:8: 'rolled' has no value"},
        {"tile 1 0", "title 1 0", "a.cut:11: 'title' where a tile was expected"},
        {"tile 1 0", "ranks 1 0", "a.cut:11: 'ranks' where a tile was expected"},
        {"0.3 1 1", "0.3 1", "a.cut:12: a tile has rank, turn, levels, top, left, "},
        {"0.3 1 1", "0.3 1 1 1", "a.cut:12: '1' is one word too many"},
        {"0.3 1 1", "0.3 x 1", "a.cut:12: 'x' is not a number"},
        {"0.3 1 1", "0.3 1 1.5", "a.cut:12: its columns go from 0.3 to 1.5"},
        {"0.3 1 1", "0.3 nan 1", "a.cut:12: its rows go from 0.7 to nan"},
        {"0.7 0.3 1 1", "0.7 0.31 1 1", "a.cut: tiles overlap, or leave a gap, at row"},
        {"tile 1 0 1", "tile 2 0 1", "a.cut:11: its rank is 2"},
        {"tile 1 0 1", "tile 1 0 9", "a.cut:11: its number of levels is 9"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mt_partition partition = {0};
        struct mt_error err = {0};
        char *text = replaced(good, &cases[i]);
        const int status = read_text(&partition, text, &err);
        assert_int_not_equal(status, MT_OK);
        assert_contains(err.text, cases[i].expected);
        assert_null(partition.tiles);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_partitions_pass),
        cmocka_unit_test(test_gaps_and_overlaps_are_found),
        cmocka_unit_test(test_impossible_numbers_are_found),
        cmocka_unit_test(test_panels_cover_the_depth),
        cmocka_unit_test(test_rolled_panels_differ),
        cmocka_unit_test(test_rolled_panels_begin_at_home),
        cmocka_unit_test(test_kinds_have_names),
        cmocka_unit_test(test_what_stands_there_is_read),
        cmocka_unit_test(test_what_is_written_is_read_again),
        cmocka_unit_test(test_broken_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
