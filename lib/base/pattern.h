/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pattern.h - regular expressions that files give: POSIX extended ones, which neither
 * take much memory when they are compiled nor long when they are matched.
 */
#ifndef MT_PATTERN_H
#define MT_PATTERN_H

#include "motley/error.h"

#include <regex.h>

/*
 * Compile a pattern that has a group ( ). MT_EPARSE says what is wrong with it: also
 * that it is too long, that its repetitions multiply to too much, or that it refers
 * back to a group (\1). The caller frees it by regfree().
 */
MT_MUST_CHECK int mt_pattern_compile(regex_t *pattern, const char *text,
                                     struct mt_error *err);

#endif
