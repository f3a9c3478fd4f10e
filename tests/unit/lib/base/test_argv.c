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
        char **words = NULL;
        assert_int_equal(mt_argv_fill(&words, cases[i][0], list, NULL), MT_OK);
        assert_string_equal(words[0], cases[i][1]);
        mt_argv_free(words);
    }
}

static void refuses_words_that_grow_too_long(void **state)
{
    (void)state;
    struct mt_error err = {0};
    char **words = NULL, *hosts = calloc(1 << 16, 1);
    assert_non_null(hosts);
    memset(hosts, 'h', (1 << 16) - 1);
    const struct mt_placeholder list[] = {{"{hosts}", hosts}, {NULL, NULL}};
    assert_int_equal(mt_argv_fill(&words, "{hosts}{hosts}", list, &err), MT_OK);
    assert_int_equal(mt_argv_fill(&words, "{hosts}{hosts}..", list, &err), MT_EINVAL);
    assert_contains(err.text, "longer than 131071 characters: '{hosts}{hosts}..'");
    mt_argv_free(words);
    free(hosts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows_and_stays_terminated),
        cmocka_unit_test(fills_placeholders),
        cmocka_unit_test(refuses_words_that_grow_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
