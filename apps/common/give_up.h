/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * give_up.h - the end of a run on one rank's word, so that its reason is read.
 */
#ifndef MT_APPS_GIVE_UP_H
#define MT_APPS_GIVE_UP_H

#include <stdnoreturn.h>

/* Print "NAME: what is wrong" on stderr, and end all ranks with EXIT_FAILURE. */
noreturn void give_up(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
