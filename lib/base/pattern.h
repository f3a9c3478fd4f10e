/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pattern.h - regular expressions from files: POSIX extended ones, with bounds on the
 * memory to compile and the time to match them.
 */
#ifndef MT_PATTERN_H
#define MT_PATTERN_H

#include "motley/error.h"

#include <regex.h>

/*
 * Compile a pattern that has a group ( ). MT_EPARSE: it does not parse, is too long,
 * its repetitions multiply to too much, or it refers back to a group (\1). The caller
 * frees it by regfree().
 */
MT_MUST_CHECK int mt_pattern_compile(regex_t *pattern, const char *text,
                                     struct mt_error *err);

#endif
