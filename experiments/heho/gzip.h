/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gzip.h - read a compressed text file as any other stream.
 */
#ifndef HEHO_GZIP_H
#define HEHO_GZIP_H

#include <stdio.h>

/* A stream of what the file at `path` holds, compressed by gzip or not, to be closed by
   fclose(). NULL: errno says why. */
FILE *gzip_open(const char *path);

#endif
