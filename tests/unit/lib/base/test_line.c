/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/base/line.h"

#include "tests/unit/test.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_lines),
        cmocka_unit_test(refuses_lines_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
