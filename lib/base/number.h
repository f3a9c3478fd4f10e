/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * number.h - decimal numbers in text.
 */
#ifndef MT_NUMBER_H
#define MT_NUMBER_H

#include <stdbool.h>

/*
 * Read the unsigned decimal number ("12", "0.5", ".5", "1e-3") that `text` begins with
 * and return where it ends; NULL when there is none. Too large a number is infinite.
 */
const char *mt_number_read(const char *text, double *value);

enum { MT_NUMBER_LENGTH = 32 };
/*
 * Write the decimal number with the fewest digits that, read and multiplied by `unit`,
 * is `value`, which is finite. False: there is none; with a unit of 1 there always is.
 */
bool mt_number_write(char text[MT_NUMBER_LENGTH], double value, double unit);

#endif
