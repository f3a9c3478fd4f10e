/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.h - the numbers in the text of a configuration.
 */
#ifndef MT_INPUT_LAYOUT_H
#define MT_INPUT_LAYOUT_H

#include <stdbool.h>

/* Read the digits that *text begins with, and step over them; one that an int does not
   hold is INT_MAX. */
bool mt_count_read(const char **text, int *count);

#endif
