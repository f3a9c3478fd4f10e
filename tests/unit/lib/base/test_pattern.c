/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/base/pattern.h"

#include "tests/unit/test.h"

static void compiles_what_people_write(void **state)
{
    (void)state;
    static const char *const patterns[] = {
        "^time ([0-9.eE+-]+) s",
        "WR[0-9]{2}[A-Z][0-9].* ([0-9.]+) +[0-9.]+e[+-][0-9]{2}$",
        "([0-9]{1,255}) [0-9]{1,255}(\\.[0-9]{1,6}){0,3}",
        "[]{255}({255}[:alpha:]]+(a|b)",
        "((((((((((a)*)*)*)*)*)*)*)*)*)*)",
    };
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        struct mt_error err = {0};
        regex_t pattern;
        assert_int_equal(mt_pattern_compile(&pattern, patterns[i], &err), MT_OK);
        regfree(&pattern);
    }
}

static void refuses_what_takes_too_much(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *reason;
    } cases[] = {
        {"((((a{255}){255}){255}){255})", "more than 600 characters"},
        {"(((((((((((((((((((((a)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+",
         "more than 600 characters"},
        {"(a{1,50}{1,50})", "more than 600 characters"},
        {"([[:alpha:]]{600,})", "more than 600 characters"},
        {"(\\({601})", "more than 600 characters"},
        {"((((((((((((((((((((((((((((((((a))))))))))))))))))))))))))))))))",
         "nested too deeply"},
        {"(a*)\\1", "refers back"},
        {"([0-9", "does not parse: "},
        {"[0-9]+", "has no group ( )"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mt_error err = {0};
        regex_t pattern;
        assert_int_equal(mt_pattern_compile(&pattern, cases[i].pattern, &err),
                         MT_EPARSE);
        assert_contains(err.text, cases[i].reason);
    }
    char *text = calloc(1002, 1);
    struct mt_error err = {0};
    regex_t pattern;
    assert_non_null(text);
    memset(text, 'a', 1001);
    assert_int_equal(mt_pattern_compile(&pattern, text, &err), MT_EPARSE);
    assert_contains(err.text, "longer than 1000");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiles_what_people_write),
        cmocka_unit_test(refuses_what_takes_too_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
