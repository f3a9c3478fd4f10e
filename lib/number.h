/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * number.h - decimal numbers in text.
 */
#ifndef MT_NUMBER_H
#define MT_NUMBER_H

/*
 * Read the unsigned decimal number ("12", "0.5", ".5", "1e-3") that `text` begins with
 * and return where it ends; NULL when there is none. Too large a number is infinite.
 */
const char *mt_number_read(const char *text, double *value);

#endif
