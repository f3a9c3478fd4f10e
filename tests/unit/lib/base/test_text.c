/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/base/argv.h"
#include "lib/base/line.h"
#include "lib/base/pattern.h"
#include "lib/base/text.h"
#include "motley/error.h"
#include "tests/unit/test.h"

static const struct {
    const char *text, *clean;
} dirty[] = {
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
    for (size_t i = 0; i < sizeof dirty / sizeof *dirty; i++) {
        char text[128];
        snprintf(text, sizeof text, "%s", dirty[i].text);
        mt_text_clean(text);
        assert_string_equal(text, dirty[i].clean);
    }
}

/* The result is the same wherever the text is cut into pieces; incomplete characters
   are held back. */
static void cleans_in_pieces(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof dirty / sizeof *dirty; i++)
        for (size_t piece = 1; piece < 4; piece++) {
            struct mt_text_cleaner cleaner = {0};
            const size_t length = strlen(dirty[i].text);
            char clean[128];
            size_t written = 0;
            for (size_t at = 0; at < length; at += piece)
                written += mt_text_clean_bytes(
                    &cleaner, dirty[i].text + at,
                    length - at < piece ? length - at : piece, clean + written);
            memset(clean + written, '?', cleaner.nheld);
            clean[written + cleaner.nheld] = 0;
            assert_string_equal(clean, dirty[i].clean);
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

static FILE *stream_of(const char *text, size_t length)
{
    FILE *stream = tmpfile();
    assert_non_null(stream);
    assert_int_equal(fwrite(text, 1, length, stream), length);
    rewind(stream);
    return stream;
}

static void reads_lines(void **state)
{
    (void)state;
    static const char text[] = "one\n\ntw\0o\nlast";
    static const size_t lengths[] = {4, 1, 5, 4};
    FILE *stream = stream_of(text, sizeof text - 1);
    struct mt_line line = {0};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(mt_line_read(&line, stream, NULL), MT_OK);
        assert_false(line.ended);
        assert_int_equal(line.length, lengths[i]);
        assert_int_equal(line.text[line.length], 0);
    }
    assert_string_equal(line.text, "last");
    assert_int_equal(mt_line_read(&line, stream, NULL), MT_OK);
    assert_true(line.ended);
    mt_line_clear(&line);
    fclose(stream);
}

static void refuses_lines_without_end(void **state)
{
    (void)state;
    struct mt_line line = {0};
    struct mt_error err = {0};
    FILE *stream = fopen("/dev/zero", "re");
    assert_non_null(stream);
    assert_int_equal(mt_line_read(&line, stream, &err), MT_EPARSE);
    assert_string_equal(err.text, "a line is longer than 1 MiB");
    fclose(stream);
    stream = fopen("/", "re");
    assert_non_null(stream);
    assert_int_equal(mt_line_read(&line, stream, &err), MT_EIO);
    assert_string_equal(err.text, "cannot read: Is a directory");
    fclose(stream);
    mt_line_clear(&line);
}

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

static void writes_status_and_reason(void **state)
{
    (void)state;
    struct mt_error err = {0};
    int status = mt_fail(&err, MT_EINVAL, "size %d is not positive: '%s'", -3, "N");
    assert_int_equal(status, MT_EINVAL);
    assert_int_equal(err.status, MT_EINVAL);
    assert_string_equal(err.text, "size -3 is not positive: 'N'");
}

static void allows_no_error(void **state)
{
    (void)state;
    assert_int_equal(mt_fail(NULL, MT_EIO, "nobody listens"), MT_EIO);
}

static void may_quote_itself(void **state)
{
    (void)state;
    struct mt_error err = {0};
    mt_fail(&err, MT_EPARSE, "no number");
    mt_fail(&err, MT_EPARSE, "a.yaml:3: %s", err.text);
    assert_string_equal(err.text, "a.yaml:3: no number");
}

static void cuts_long_reasons(void **state)
{
    (void)state;
    struct mt_error err = {0};
    char long_text[2 * sizeof err.text];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = 0;
    mt_fail(&err, MT_EIO, "%s", long_text);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
}

static void every_status_has_its_text(void **state)
{
    (void)state;
    assert_string_equal(mt_status_text(MT_OK), "success");
    assert_string_equal(mt_status_text(MT_ERANK),
                        "the measurements do not determine the model");
    assert_string_equal(mt_status_text((enum mt_status)42), "unknown status");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_no_control_character),
        cmocka_unit_test(cleans_in_pieces),
        cmocka_unit_test(keeps_returns_where_wanted),
        cmocka_unit_test(makes_one_line),
        cmocka_unit_test(leaves_out_domains),
        cmocka_unit_test(reads_lines),
        cmocka_unit_test(refuses_lines_without_end),
        cmocka_unit_test(compiles_what_people_write),
        cmocka_unit_test(refuses_what_takes_too_much),
        cmocka_unit_test(grows_and_stays_terminated),
        cmocka_unit_test(fills_placeholders),
        cmocka_unit_test(refuses_words_that_grow_too_long),
        cmocka_unit_test(writes_status_and_reason),
        cmocka_unit_test(allows_no_error),
        cmocka_unit_test(may_quote_itself),
        cmocka_unit_test(cuts_long_reasons),
        cmocka_unit_test(every_status_has_its_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
