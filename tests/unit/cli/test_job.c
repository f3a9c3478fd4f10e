/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/launch/job.h"

#include "tests/unit/test.h"

/* Words that a shell would change are quoted. */
static void formats_jobs_for_shells(void **state)
{
    (void)state;
    char plain[] = "--cfg=a:b,c/d.e@f%g+h_i", blank[] = "two words", empty[] = "",
         quote[] = "it's", braces[] = "x{1,2}", others[] = "~$HOME*?[a]!#&;<>|()\\\"`^";
    char escape[] = "a\033]0;'\\\n", umlaut[] = "\u00fc", bidi[] = "\u202e",
         bad[] = "\xff";
    char *argv[] = {plain,  blank,  empty, quote, braces, others,
                    escape, umlaut, bidi,  bad,   NULL};
    char name[] = "NAME=a value", number[] = "NUMBER=1";
    char *env[] = {name, number, NULL};
    const struct mt_job job = {.argv = argv, .env = env};
    char *line = mt_job_format(&job);
    assert_non_null(line);
    assert_string_equal(line, "NAME='a value' NUMBER=1 --cfg=a:b,c/d.e@f%g+h_i "
                              "'two words' '' 'it'\\''s' 'x{1,2}' "
                              "'~$HOME*?[a]!#&;<>|()\\\"`^' "
                              "$'a\\033]0;\\'\\\\\\012' '\u00fc' "
                              "$'\\342\\200\\256' $'\\377'");
    free(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_jobs_for_shells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
