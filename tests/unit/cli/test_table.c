/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/common/table.h"

#include "tests/unit/test.h"

static char *printed(struct mt_table *table)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    assert_int_equal(mt_table_print(table, stream, NULL), MT_OK);
    fclose(stream);
    return text;
}

static void aligns_columns(void **state)
{
    (void)state;
    struct mt_table table = {0};
    mt_table_add(&table, "group", ">seconds", "note", NULL);
    mt_table_add(&table, "xeon", "62.67", "a", NULL);
    mt_table_add(&table, "celeron", "1234567890", "", NULL);
    char *text = printed(&table);
    assert_string_equal(text, "group       seconds  note\n"
                              "xeon          62.67  a\n"
                              "celeron  1234567890  \n");
    free(text);
}

static void is_empty_after_printing(void **state)
{
    (void)state;
    struct mt_table table = {0};
    mt_table_add(&table, "a", "b", NULL);
    free(printed(&table));
    mt_table_add(&table, "one", NULL);
    char *text = printed(&table);
    assert_string_equal(text, "one\n");
    free(text);
    text = printed(&table);
    assert_string_equal(text, "");
    free(text);
}

static void counts_characters_not_bytes(void **state)
{
    (void)state;
    struct mt_table table = {0};
    mt_table_add(&table, "ab", "x", NULL);
    mt_table_add(&table, "\u00b1", "x", NULL);
    char *text = printed(&table);
    assert_string_equal(text, "ab  x\n\u00b1   x\n");
    free(text);
}

static void fills_short_rows(void **state)
{
    (void)state;
    struct mt_table table = {0};
    mt_table_add(&table, "a", ">b", NULL);
    mt_table_add(&table, "1", NULL);
    char *text = printed(&table);
    assert_string_equal(text, "a  b\n1   \n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aligns_columns),
        cmocka_unit_test(is_empty_after_printing),
        cmocka_unit_test(fills_short_rows),
        cmocka_unit_test(counts_characters_not_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
