/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shortage.h - a library under the preload library that refuses it memory. What the
 * program itself and the MPI allocate is left alone.
 *
 * In the environment, SHORTAGE=RANK:N refuses the Nth allocation from the start on that
 * rank, and those after it.
 */
#ifndef MT_TESTS_SHORTAGE_H
#define MT_TESTS_SHORTAGE_H

#include <stdbool.h>

/* Refuse the nth allocation from now on (1: the next); `lasting`: also all after it. */
void shortage_begin(int nth, bool lasting);
/* Stop refusing. Returns whether one was refused. */
bool shortage_end(void);

#endif
