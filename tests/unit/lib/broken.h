/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broken.h - tables of broken input files: a good file with one part replaced, and what
 * the error must say.
 */
#ifndef MT_TEST_BROKEN_H
#define MT_TEST_BROKEN_H

#include "tests/unit/test.h"

#include <unistd.h>

struct broken {
    const char *part;        /* of the good file; NULL: the whole of it */
    const char *replacement; /* what stands there instead */
    const char *expected;    /* in the error's text */
};

/* Write the bytes to a temporary file; its path is valid until the next call. */
static inline const char *write_bytes(const char *bytes, size_t length)
{
    static char path[] = "/tmp/motley-test-XXXXXX";
    memcpy(path + sizeof path - 7, "XXXXXX", 6);
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes, length), length);
    assert_int_equal(close(file), 0);
    return path;
}

static inline const char *write_text(const char *text)
{
    return write_bytes(text, strlen(text));
}

/* `good` with the first occurrence of the part replaced; the caller frees it. */
static inline char *replaced(const char *good, const struct broken *broken)
{
    const char *part = broken->part ? broken->part : good;
    const char *found = strstr(good, part);
    if (!found)
        fail_msg("'%s' is not in the good file", part);
    char *text;
    if (asprintf(&text, "%.*s%s%s", (int)(found - good), good, broken->replacement,
                 found + strlen(part)) < 0)
        fail_msg("no memory");
    return text;
}

#endif
