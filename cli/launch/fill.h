/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fill.h - the texts of a program file, with placeholders filled for a run (see
 * lib/input/template.h). MT_EINVAL: one cannot be filled for this run.
 */
#ifndef MT_CLI_FILL_H
#define MT_CLI_FILL_H

#include "launcher.h"
#include "motley/error.h"

#include <stdbool.h>

/* A text; the caller frees it. */
MT_MUST_CHECK int mt_fill_text(char **filled, const char *text,
                               const struct mt_launch *launch, struct mt_error *err);
/* The text of an input file; the caller frees it. The reason names the file. */
MT_MUST_CHECK int mt_fill_input(char **filled, const struct mt_input_file *input,
                                const struct mt_launch *launch, struct mt_error *err);
/* A path, relative to the program file's folder; the caller frees it. */
MT_MUST_CHECK int mt_fill_path(char **path, const char *text,
                               const struct mt_launch *launch, struct mt_error *err);
/* Whether a text of the program's depends on the run, and not just on its file's
 * folder.
 */
bool mt_fill_varies(const char *text);
/* Add a command's words, the first as the path of its program, absolute if runs have a
   folder. MT_ENOTFOUND: no such program; MT_EINFEASIBLE: its name has placeholders, so
   it may exist for other runs. */
MT_MUST_CHECK int mt_fill_command(char ***argv, char *const *words,
                                  const struct mt_launch *launch, struct mt_error *err);
/* Add the program's own variables of the environment. */
MT_MUST_CHECK int mt_fill_settings(char ***env, const struct mt_launch *launch,
                                   struct mt_error *err);

/* Make a relative path absolute; a name without '/' stays. `*path` is replaced. */
MT_MUST_CHECK int mt_path_from_root(char **path, struct mt_error *err);

#endif
