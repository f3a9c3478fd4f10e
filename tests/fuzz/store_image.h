/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * store_image.h - the bytes of a store, edited as an input says: rows by SQL, and bytes
 * of pages and of the write-ahead log. So most results are still databases.
 */
#ifndef MT_FUZZ_STORE_IMAGE_H
#define MT_FUZZ_STORE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image {
    unsigned char *bytes; /* owned */
    size_t size;
};

/* What is left of an input. */
struct edits {
    const uint8_t *data;
    size_t size;
    bool broken; /* bytes were changed: rows may be lost */
};

/* The file's bytes. */
struct image image_read(const char *path);
void image_write(const struct image *image, const char *path);
/* A store with the same rows in tables without types, keys and constraints. */
struct image image_loosened(const struct image *image);

/* The next number of the input; 0 at its end. */
uint8_t edits_byte(struct edits *edits);
/* A copy of the image, with the edits up to a byte 0xFF. */
struct image image_edited(const struct image *image, struct edits *edits);
/* Likewise for a log: only bytes are edited; the checksums of its frames are
   corrected. */
struct image image_log_edited(const struct image *log, struct edits *edits);

#endif
