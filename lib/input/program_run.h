/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program_run.h - the part of a program file on how to make a run: commands, input
 * files, folder and environment, read and checked together.
 */
#ifndef MT_PROGRAM_RUN_H
#define MT_PROGRAM_RUN_H

#include "lib/yaml/yaml_file.h"

#include "motley/error.h"
#include "motley/program.h"

/*
 * Read the templates of the file, and check what concerns several keys: names of files,
 * placeholders, and that runs of different sizes differ. Errors have the line of the
 * key.
 */
MT_MUST_CHECK int mt_program_complete_run(struct mt_program *program,
                                          const struct mt_yaml *yaml,
                                          struct mt_error *err);

/* The path of a template, whose name is relative to the program file. The caller frees
   it; NULL: no memory. */
char *mt_program_template(const struct mt_program *program, const char *name);

#endif
