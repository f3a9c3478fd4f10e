/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stage_script.h - a stage (stage.h) as functions of a job script, for runs that take
 * place when motley is not there.
 */
#ifndef MT_CLI_STAGE_SCRIPT_H
#define MT_CLI_STAGE_SCRIPT_H

#include "launcher.h"
#include "motley/error.h"

#include <stdbool.h>
#include <stdio.h>

/* What the name of a job's folder begins with, before the job's number. */
#define MT_STAGE_FOLDER "motley-run-"

/* Whether no input file would be written into the folder over a template or the program
   file itself, MT_EINVAL. */
MT_MUST_CHECK int mt_stage_check_sources(const char *folder,
                                         const struct mt_program *program,
                                         struct mt_error *err);
/*
 * Write two functions of the shell: `begin_stage` makes the folder motley-run-JOB in
 * the current one, or goes to that of `workdir`, writes the input files and runs
 * `prepare`; it fails if one of these does. `end_stage STATUS` prints the program's
 * result file, if it has one, runs `cleanup` and, if `remove` and STATUS is 0, removes
 * a folder that was made.
 */
MT_MUST_CHECK int mt_stage_script(FILE *file, const struct mt_launch *launch,
                                  bool remove, struct mt_error *err);

#endif
