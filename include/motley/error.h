/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * error.h - how a function of libmotley says that it failed.
 *
 * Functions that can fail return MT_OK (0) or a negative enum mt_status. Their last
 * parameter, which may be NULL, receives the reason in words, only on failure, so a
 * chain of calls can share one. Out parameters are unchanged on failure unless a
 * function says otherwise.
 */
#ifndef MT_ERROR_H
#define MT_ERROR_H

/* Around what a public header declares, so that C++ programs can use it. */
#ifdef __cplusplus
#define MT_C_BEGIN extern "C" {
#define MT_C_END }
#else
#define MT_C_BEGIN
#define MT_C_END
#endif

MT_C_BEGIN

#define MT_MUST_CHECK __attribute__((warn_unused_result))
#define MT_PRINTF(format_index, first_argument) \
    __attribute__((format(printf, format_index, first_argument), nonnull(format_index)))

/* Every status, with its text. */
#define MT_STATUS_LIST(X) \
    X(MT_OK, 0, "success") \
    X(MT_EINVAL, -1, "invalid argument") \
    X(MT_ENOMEM, -2, "out of memory") \
    X(MT_EPARSE, -3, "the text does not parse") \
    X(MT_ERANK, -4, "the measurements do not determine the model") \
    X(MT_EIO, -5, "input or output failed") \
    X(MT_EBUSY, -6, "in use by another process") \
    X(MT_EVERSION, -7, "written by another version") \
    X(MT_ENOTFOUND, -8, "not found") \
    X(MT_EINFEASIBLE, -9, "nothing satisfies the constraints")

enum mt_status {
#define X(name, value, text) name = value,
    MT_STATUS_LIST(X)
#undef X
};

/* What went wrong, in words. Lives on the caller's stack; never allocated. */
struct mt_error {
    enum mt_status status;
    char text[512];
};

/* The text of a status; for a value that is none of them, "unknown status". */
const char *mt_status_text(enum mt_status status);

/*
 * Write the status and the formatted reason to `err`, unless it is NULL, and return the
 * status: `return mt_fail(err, MT_EINVAL, "...", ...)`. The reason says first what is
 * wrong, puts the subject in 'single quotes', begins in lower case and has no full
 * stop. It may include err->text itself, to prefix the callee's reason with the file,
 * line or key.
 */
MT_PRINTF(3, 4)
int mt_fail(struct mt_error *err, enum mt_status status, const char *format, ...);
#ifdef __clang_analyzer__ /* which cannot see that it is never MT_OK */
#define mt_fail(err, status, ...) (mt_fail(err, status, __VA_ARGS__), (status))
#endif

MT_C_END

#endif
