/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * find.h - find the executables of launchers and programs.
 */
#ifndef MT_CLI_FIND_H
#define MT_CLI_FIND_H

#include "cli/launch/launcher.h"
#include "motley/error.h"
#include "motley/program.h"

/* The path of an executable file on PATH, or of `name` itself when it has a '/'. The
   caller frees it; NULL: there is none. */
char *mt_find_on_path(const char *name);

/* The path of the launcher's executable, which the caller frees. MT_ENOTFOUND names the
   package that brings it. Asks an executable for its version once in a process. */
MT_MUST_CHECK int mt_find_launcher(char **path, const struct mt_launcher_ops *launcher,
                                   struct mt_error *err);

/*
 * The path of a program's executable, which the caller frees. A name without '/' is
 * looked up in the folder of the program's file, among motley's own apps for the
 * launcher, and on PATH. MT_ENOTFOUND lists these places.
 */
MT_MUST_CHECK int mt_find_program(char **path, const char *name,
                                  const struct mt_program *program,
                                  const struct mt_launcher_ops *launcher,
                                  struct mt_error *err);

#endif
