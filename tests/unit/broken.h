/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broken.h - tables of broken input files: a good file with one part replaced, and the
 * expected error.
 */
#ifndef MT_TEST_BROKEN_H
#define MT_TEST_BROKEN_H

#include "motley/error.h"
#include "tests/unit/test.h"

#include <unistd.h>

struct broken {
    const char *part;        /* of the good file; NULL: the whole of it */
    const char *replacement; /* the text that replaces it */
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

/* Load the file, which must fail and leave no trace, and clear the object that it was
   loaded into. */
typedef int load_broken(const char *path, struct mt_error *err);

/* The error's text begins with the path. */
static inline void expect_refused(load_broken *load, const char *path,
                                  const char *expected)
{
    struct mt_error err = {0};
    assert_true(load(path, &err) < 0);
    assert_contains(err.text, path);
    assert_contains(err.text, expected);
    assert_true(load(path, NULL) < 0);
}

static inline void check_broken(load_broken *load, const char *good,
                                const struct broken *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *text = replaced(good, &cases[i]);
        const char *path = write_text(text);
        expect_refused(load, path, cases[i].expected);
        unlink(path);
        free(text);
    }
}
#define CHECK_BROKEN(load, good, cases) \
    check_broken(load, good, cases, sizeof cases / sizeof *cases)

#endif
