/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/base/argv.h"

#include "tests/unit/test.h"

static void grows_and_stays_terminated(void **state)
{
    (void)state;
    char **words = NULL, **more = NULL;
    assert_int_equal(mt_argv_append(&words, NULL, NULL), MT_OK);
    assert_null(words);
    assert_int_equal(mt_argv_add(&words, NULL, "n%d", 4), MT_OK);
    assert_int_equal(mt_argv_add(&more, NULL, "a b"), MT_OK);
    assert_int_equal(mt_argv_append(&words, more, NULL), MT_OK);
    assert_string_equal(words[0], "n4");
    assert_string_equal(words[1], "a b");
    assert_null(words[2]);
    mt_argv_free(words);
    mt_argv_free(more);
    mt_argv_free(NULL);
}

static void fills_placeholders(void **state)
{
    (void)state;
    const struct mt_placeholder list[] = {{"{N}", "6400"}, {"{P}", "8"}, {NULL, NULL}};
    const char *cases[][2] = {
        {"--size={N}", "--size=6400"},
        {"{N}x{P}x{N}", "6400x8x6400"},
        {"{Q}{", "{Q}{"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *filled = mt_fill_placeholders(cases[i][0], list);
        assert_string_equal(filled, cases[i][1]);
        free(filled);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows_and_stays_terminated),
        cmocka_unit_test(fills_placeholders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
