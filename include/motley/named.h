/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * named.h - the file that somebody means who names a cluster, a program or a machine:
 * by its path, or, where it is shipped, by its name alone.
 */
#ifndef MT_NAMED_H
#define MT_NAMED_H

#include "motley/error.h"

#include <stdbool.h>

MT_C_BEGIN

/* Whether it is the path of a YAML file: it has a '/' or ends in ".yaml". */
bool mt_named_by_path(const char *name);

/*
 * The path of the file that `name` means: itself when it is one, otherwise NAME.yaml in
 * the folder `kind` ("clusters", "programs" or "machines") of the current folder, or in
 * `shipped`, where those that come with motley are (NULL: nowhere). The caller frees
 * it. MT_EINVAL: there are two; MT_ENOTFOUND, or MT_EIO for a path: there is none, and
 * the reason says what may have been meant.
 */
MT_MUST_CHECK int mt_named_path(char **path, const char *kind, const char *name,
                                const char *shipped, struct mt_error *err);

MT_C_END

#endif
