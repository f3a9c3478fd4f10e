/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fit_terms.h - which terms models are made of, and for which P they are separate.
 */
#ifndef MT_FIT_TERMS_H
#define MT_FIT_TERMS_H

#include "motley/error.h"
#include "motley/models.h"
#include "motley/program.h"

#include <stdbool.h>

/*
 * The terms that models of a kind are made of, as text, which the caller frees: those
 * of the options, the program's, or the default. Auto makes terms of its own from the
 * program's `work` and `memory` when nobody gives any. NULL with the reason in `err`
 * when they do not parse, or memory is short.
 */
char *mt_fit_terms(const struct mt_program *program,
                   const struct mt_fit_options *options, struct mt_error *err);

/* Whether models fitted so are separate for P where the program's split holds: auto
   needs too few runs to have some for both. */
bool mt_fit_splits(const struct mt_program *program,
                   const struct mt_fit_options *options);

#endif
