/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program.h - a program file made from a command line that works: its largest whole
 * number becomes the problem size.
 */
#ifndef MT_INIT_PROGRAM_H
#define MT_INIT_PROGRAM_H

#include "motley/error.h"

/*
 * Write a program file for the command `argv`, which NULL ends, and tell on stdout what
 * it measures. Where no argument is a number, it measures the program as it is, and
 * says where its size may be put in. MT_EINVAL: there is such a file already, or an
 * argument cannot stand in a program file. What was written is read again as a check.
 */
MT_MUST_CHECK int mt_init_write_command(const char *path, char *const *argv,
                                        struct mt_error *err);

#endif
