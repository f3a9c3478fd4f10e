/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/error.h"

#include "tests/unit/test.h"

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
        cmocka_unit_test(writes_status_and_reason),
        cmocka_unit_test(allows_no_error),
        cmocka_unit_test(may_quote_itself),
        cmocka_unit_test(cuts_long_reasons),
        cmocka_unit_test(every_status_has_its_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
