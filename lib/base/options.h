/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.h - what the programs' tables of options have besides popt's own: numbers
 * with a range, and suggestions for mistyped options.
 */
#ifndef MT_OPTIONS_H
#define MT_OPTIONS_H

#include "motley/error.h"

#include <popt.h>

/* Which numbers an option takes; none is infinite. */
enum mt_number_kind {
    MT_NUMBER_WHOLE, /* from `least` to `most` */
    MT_NUMBER_FROM,  /* the same, with a fraction */
    MT_NUMBER_ABOVE  /* more than `least`; `most` is not looked at */
};

/* A number that an option takes. Its entry in the table has POPT_ARG_STRING, this
   struct as `arg`, and MT_OPTION_NUMBER as `val`. */
struct mt_number_option {
    char *text; /* as popt leaves it, and so the first; NULL: not given */
    enum mt_number_kind kind;
    double least, most;
    double value; /* the default, until it is read */
};
enum { MT_OPTION_NUMBER = 1000 };

/* The largest seed, and the default upper limit of options that take a count. */
#define MT_MOST_SEED 2147483647.0
#define MT_MOST_COUNT 1000000.0

/* Read the number that option `name`, as "--runs", was given; if it was given none, the
   value stays. */
MT_MUST_CHECK int mt_number_option_read(struct mt_number_option *option,
                                        const char *name, struct mt_error *err);
/* Read all numbers of a table of options, after popt has read the command line. */
MT_MUST_CHECK int mt_options_read_numbers(const struct poptOption *options,
                                          struct mt_error *err);

/* If `status` is a failure, prefix the reason with the option, as in "--model: ...";
   returns `status`. */
MT_MUST_CHECK int mt_option_blame(int status, const char *option, struct mt_error *err);

/* Report that popt refused `word` for `reason`, with the closest option, or with a hint
   to the help of `program`, as "motley plan". Returns MT_EINVAL. */
int mt_options_refuse(const struct poptOption *options, const char *program,
                      const char *word, const char *reason, struct mt_error *err);

#endif
