/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/base/text.h"

#include "tests/unit/test.h"

static const struct {
    const char *text, *clean;
} cases[] = {
    {"plain \u00fc\u20ac\U0001f600\t\n", "plain \u00fc\u20ac\U0001f600\t\n"},
    {"\033[31mred", "?[31mred"},
    {"bell\a back\b return\r DEL\x7f", "bell? back? return? DEL?"},
    {"C1 \xc2\x9b"
     "31m, raw \x9b",
     "C1 ?31m, raw ?"},
    {"\u202eright \u2066to\u2069 left\u200f \u061c", "?right ?to? left? ?"},
    {"line\u2028end\u2029", "line?end?"},
    {"overlong \xc0\xaf \xe0\x80\xaf \xf0\x80\x80\xaf", "overlong ?? ??? ????"},
    {"surrogate \xed\xa0\x80, beyond \xf4\x90\x80\x80 \xf5",
     "surrogate ???, beyond ???? ?"},
    {"cut \xe2\x82", "cut ??"},
    {"cut \xe2\x82z\xc3", "cut ??z?"},
    {"", ""},
};

static void leaves_no_control_character(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[128];
        snprintf(text, sizeof text, "%s", cases[i].text);
        mt_text_clean(text);
        assert_string_equal(text, cases[i].clean);
    }
}

/* Wherever the text is cut into pieces; what is not complete is held back. */
static void cleans_in_pieces(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t piece = 1; piece < 4; piece++) {
            struct mt_text_cleaner cleaner = {0};
            const size_t length = strlen(cases[i].text);
            char clean[128];
            size_t written = 0;
            for (size_t at = 0; at < length; at += piece)
                written += mt_text_clean_bytes(
                    &cleaner, cases[i].text + at,
                    length - at < piece ? length - at : piece, clean + written);
            memset(clean + written, '?', cleaner.nheld);
            clean[written + cleaner.nheld] = 0;
            assert_string_equal(clean, cases[i].clean);
        }
}

static void keeps_returns_where_wanted(void **state)
{
    (void)state;
    struct mt_text_cleaner cleaner = {.returns = true};
    char clean[16];
    assert_int_equal(mt_text_clean_bytes(&cleaner, "10 %\r\033", 6, clean), 6);
    assert_memory_equal(clean, "10 %\r?", 6);
}

static void makes_one_line(void **state)
{
    (void)state;
    char text[] = "a\nmotley: all\tis well\033";
    mt_text_clean_line(text);
    assert_string_equal(text, "a?motley: all?is well?");
}

static void leaves_out_domains(void **state)
{
    (void)state;
    assert_int_equal(mt_text_short_host("old-3.cluster.example"), strlen("old-3"));
    assert_int_equal(mt_text_short_host("3c01n02.cluster.example"), strlen("3c01n02"));
    assert_int_equal(mt_text_short_host("old-3"), strlen("old-3"));
    assert_int_equal(mt_text_short_host("10.0.0.3"), strlen("10.0.0.3"));
    assert_int_equal(mt_text_short_host("::ffff:10.0.0.3"), strlen("::ffff:10.0.0.3"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_no_control_character),
        cmocka_unit_test(cleans_in_pieces),
        cmocka_unit_test(keeps_returns_where_wanted),
        cmocka_unit_test(makes_one_line),
        cmocka_unit_test(leaves_out_domains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
