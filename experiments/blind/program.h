/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program.h - programs to be planned on a random cluster.
 */
#ifndef BLIND_PROGRAM_H
#define BLIND_PROGRAM_H

#include "cluster.h"

#include "motley/error.h"

#include <stdint.h>
#include <stdio.h>

/* A program that comes with motley, `text` being its file, at random sizes. */
void draw_shipped_program(FILE *stream, const char *name, const char *text,
                          uint64_t seed);

/* Number `number` of the seed's random programs, from 1 on. */
void draw_random_program(FILE *stream, int number, const struct drawn_cluster *cluster,
                         uint64_t seed);

#endif
