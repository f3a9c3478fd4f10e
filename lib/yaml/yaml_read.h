/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * yaml_read.h - read a YAML file into a struct in one pass, by a table of its keys.
 *
 * A table gives each key's valid values and the member that it sets. Anything else is
 * an error with the file, the line and the place in words: unknown keys (with the one
 * that may have been meant), doubled and missing ones, values of another type, numbers
 * out of their range, lists that are too long, expressions that do not parse. The
 * reader of the file checks conditions on several keys afterwards, such as "a torus
 * needs the key hop".
 */
#ifndef MT_YAML_READ_H
#define MT_YAML_READ_H

#include "formula.h"
#include "yaml_file.h"
#include "yaml_table.h"

#include "motley/error.h"

/*
 * Read the file into the struct `object`, which is zeroed. On failure it holds the
 * values read so far, which the caller clears.
 */
MT_MUST_CHECK int mt_yaml_read(void *object, const struct mt_yaml *yaml,
                               const struct mt_yaml_key *keys, struct mt_error *err);

/*
 * Visits an expression of a file. `object` is the struct with the expression: the whole
 * one, or that of the list's entry.
 */
typedef int mt_formula_visit(const struct mt_formula *formula, void *object,
                             const void *context, struct mt_error *err);
/*
 * Visit the expressions of a file that was read into `object`, until a visit fails;
 * returns its status.
 */
MT_MUST_CHECK int mt_yaml_visit_formulas(void *object, const struct mt_yaml *yaml,
                                         const struct mt_yaml_key *keys,
                                         mt_formula_visit *visit, const void *context,
                                         struct mt_error *err);

#endif
