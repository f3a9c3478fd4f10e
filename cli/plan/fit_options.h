/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fit_options.h - the options that say how models are fitted, which fit and evaluate
 * share.
 */
#ifndef MT_CLI_FIT_OPTIONS_H
#define MT_CLI_FIT_OPTIONS_H

#include "motley/error.h"
#include "motley/model.h"

#include <popt.h>

/* To be put into a command's table with POPT_ARG_INCLUDE_TABLE. */
extern struct poptOption mt_fit_option_table[];

/* What the user wrote, but for the kind of model; the caller clears it. */
MT_MUST_CHECK int mt_fit_options_read(struct mt_fit_options *options,
                                      struct mt_error *err);
/* The same as the user would write it, "--glitch-k 0.8 --training-sizes 400,600", empty
   where all is default; the caller frees it. */
char *mt_fit_options_text(const struct mt_fit_options *options);

#endif
