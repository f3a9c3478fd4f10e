/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test.h - included by every unit test: cmocka, and comparisons that it lacks.
 */
#ifndef MT_TEST_H
#define MT_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* a and b differ by at most `relative` of the larger. cmocka's own goes through float.
 */
#define assert_close(a, b, relative) \
    test_close_((a), (b), (relative), #a, #b, __FILE__, __LINE__)

static inline void test_close_(double a, double b, double relative, const char *a_text,
                               const char *b_text, const char *file, int line)
{
    if (fabs(a - b) <= relative * fmax(fabs(a), fabs(b)))
        return;
    print_error("%s is %.17g but %s is %.17g\n", a_text, a, b_text, b);
    _fail(file, line);
}

/* `text` contains `part`. */
#define assert_contains(text, part) test_contains_((text), (part), __FILE__, __LINE__)

static inline void test_contains_(const char *text, const char *part, const char *file,
                                  int line)
{
    if (text && strstr(text, part))
        return;
    print_error("\"%s\" is not in \"%s\"\n", part, text ? text : "");
    _fail(file, line);
}

/* Said before a test returns that this machine cannot run. cmocka's skip() is "not ok"
   in TAP, and so a failure. */
static inline void test_skipped(const char *why)
{
    print_message("# skipped: %s\n", why);
}

#endif
