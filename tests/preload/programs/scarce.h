/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scarce.h - memory that is short for the library, in programs that are linked with it
 * and with --wrap=malloc; not for the MPI.
 */
#ifndef MT_TESTS_SCARCE_H
#define MT_TESTS_SCARCE_H

#include <stddef.h>

/* The largest possible allocation: SIZE_MAX, until a program sets it. */
extern size_t scarce_most_bytes;

#endif
