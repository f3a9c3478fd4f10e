/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/common/progress.h"

#include "tests/unit/test.h"

static void formats_progress(void **state)
{
    (void)state;
    static const struct {
        struct mt_progress_state state;
        const char *text;
    } cases[] = {
        {{0, 0, 200, NAN}, "[..........] 0 of 200 runs, time left unknown"},
        {{99, 0, 200, 3.2}, "[####......] 99 of 200 runs, 4 s left"},
        {{100, 2, 200, 65.9}, "[#####.....] 100 of 200 runs, 2 failed, 1:05 left"},
        {{200, 200, 200, 7209},
         "[##########] 200 of 200 runs, 200 failed, 2:00:09 left"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[MT_PROGRESS_TEXT];
        mt_progress_format(text, 10, &cases[i].state);
        assert_string_equal(text, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
