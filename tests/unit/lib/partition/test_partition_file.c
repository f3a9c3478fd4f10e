/* SPDX-License-Identifier: BSD-3-Clause */
#include "broken.h"
#include "lib/partition/internal.h"

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
        cmocka_unit_test(test_what_stands_there_is_read),
        cmocka_unit_test(test_what_is_written_is_read_again),
        cmocka_unit_test(test_broken_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
