/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arguments.h - the options of a measured program, which is started on many ranks and
 * must speak with one voice.
 */
#ifndef MT_APPS_ARGUMENTS_H
#define MT_APPS_ARGUMENTS_H

#include <popt.h>

enum arguments_outcome { ARGUMENTS_RUN, ARGUMENTS_HELPED, ARGUMENTS_WRONG };

/*
 * Read argv by popt's table `options` (without a help option: -h and --help are
 * added). Only rank 0 prints: the help, or what is wrong, which begins with the
 * program's `name`.
 */
enum arguments_outcome arguments_read(const char *name, struct poptOption *options,
                                      int argc, char **argv);

/* Print "NAME: what is wrong" on rank 0, and return ARGUMENTS_WRONG. */
enum arguments_outcome arguments_complain(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
