/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz.h - the common part of the targets. A target is a function of arbitrary bytes;
 * libFuzzer calls it until it fails.
 */
#ifndef MT_FUZZ_H
#define MT_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Defined by the target: called once, and for each input. An input that takes too long
   is a failure, too. */
void fuzz_begin(void);
void fuzz_input(const uint8_t *data, size_t size);

/* A condition that must hold for every input; the fuzzer keeps an input that violates
   it. */
#define fuzz_demand(condition) fuzz_demand_as(condition, #condition, __FILE__, __LINE__)
void fuzz_demand_as(bool holds, const char *what, const char *file, int line);

/* The path of a file that holds the bytes until the next call. */
const char *fuzz_file(const void *bytes, size_t size);
enum { FUZZ_PATH = 300 };
/* The path of a file of that name for targets to write, in $TMPDIR, which scripts/fuzz
   removes. */
void fuzz_path(char path[FUZZ_PATH], const char *name);
/* A stream that reads the bytes, which must outlive it. */
FILE *fuzz_stream(const void *bytes, size_t size);
/* A copy of the bytes as text, up to the first 0, which the caller frees. */
char *fuzz_text(const void *bytes, size_t size);
/* The text up to the first line end, which the caller frees; `*rest` is what follows.
 */
char *fuzz_line(const uint8_t **rest, size_t *size);

/* Text that is written into a stream. Empty if zeroed. */
struct fuzz_page {
    FILE *stream;
    char *text; /* owned; valid once it is closed */
    size_t length;
};
void fuzz_page_open(struct fuzz_page *page);
void fuzz_page_close(struct fuzz_page *page);
void fuzz_page_clear(struct fuzz_page *page);
bool fuzz_page_same(const struct fuzz_page *a, const struct fuzz_page *b);

#endif
