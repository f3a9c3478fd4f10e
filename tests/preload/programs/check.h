/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check.h - the common part of the programs of this folder. They are plain MPI
 * programs, independent of the preload library: their checks also hold without it.
 */
#ifndef CHECK_H
#define CHECK_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Count a failed check, and print it on stderr after the rank. */
void check(bool holds, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The program's exit status; ends MPI. */
int check_finish(void);

/* Bytes that every rank can compute; other numbers have other bytes. */
void message_fill(void *buffer, size_t bytes, uint32_t number);
bool message_is(const void *buffer, size_t bytes, uint32_t number);

/* The next of a sequence of random numbers below `limit`: ranks that start with the
   same `state` draw the same ones. */
uint32_t draw(uint64_t *state, uint32_t limit);

/* Broadcast a message in `buffer` and check it. */
void check_bcast(void *buffer, int bytes, int root, MPI_Comm comm, uint32_t number);

/* Broadcast small messages with one late rank, often enough for a library that adapts
   to have done so. */
void unbalance(MPI_Comm comm);

/* The most memory that the process has had so far, in KiB. */
long peak_kib(void);

#endif
