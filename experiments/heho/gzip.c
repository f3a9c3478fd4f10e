/* SPDX-License-Identifier: BSD-3-Clause */
#include "gzip.h"

#include <errno.h>
#include <zlib.h>

static ssize_t read_some(void *cookie, char *buffer, size_t size)
{
    const int got = gzread(cookie, buffer, (unsigned)size);
    if (got < 0)
        errno = EIO;
    return got;
}

static int close_file(void *cookie)
{
    return gzclose_r(cookie) == Z_OK ? 0 : EOF;
}

FILE *gzip_open(const char *path)
{
    gzFile file = gzopen(path, "rb");
    if (!file)
        return NULL;
    const cookie_io_functions_t functions = {.read = read_some, .close = close_file};
    FILE *stream = fopencookie(file, "r", functions);
    if (!stream)
        gzclose_r(file);
    return stream;
}
