/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stage.h - the folder of a run: makes it, writes its input files, and runs the
 * commands of `prepare` and `cleanup`; see motley-program(5).
 */
#ifndef MT_CLI_STAGE_H
#define MT_CLI_STAGE_H

#include "cli/launch/launcher.h"
#include "motley/error.h"

#include <stdbool.h>

/* Set the members of the first part. Otherwise zeroed it is empty: the run takes place
   in the current folder, and nothing is to be done. */
struct mt_stage {
    const struct mt_launch *launch; /* borrowed; the run's */
    double timeout;                 /* of each command, seconds */
    int echo; /* a descriptor for a copy of their output; 0: none */

    char *folder;  /* owned; the absolute path */
    bool own;      /* made for this run */
    char *failure; /* owned; why `prepare` failed; NULL: it succeeded */
    char *output;  /* owned; the output of the failed command; or NULL */
};

/* Check that the placeholders of files and commands can be filled, and that the program
   file's `workdir` exists; writes and runs nothing. Fails as mt_stage_begin(). */
MT_MUST_CHECK int mt_stage_try(const struct mt_launch *launch, struct mt_error *err);
/*
 * Make the folder, write the files and run `prepare`. A failed command is reported in
 * `failure`. `*interrupted` is the signal that asked motley to stop, or 0. MT_EIO: the
 * folder is missing, or a file cannot be written. MT_EINVAL, MT_EINFEASIBLE: a stage is
 * impossible for this run, while others of the program may have their values and
 * folders. Nothing remains then.
 */
MT_MUST_CHECK int mt_stage_begin(struct mt_stage *stage, int *interrupted,
                                 struct mt_error *err);
/* Search the program's result file, if it has one, for the pattern of its time: the
   matches in `output` are then those of the file. An unreadable file has no match. */
void mt_stage_search(const struct mt_stage *stage, const regex_t *pattern,
                     struct mt_output *output);
/*
 * Run `cleanup`, remove the folder if it was made for the run, unless `keep` says that
 * it stays, and empty the stage. If a command fails, with a reason for a warning, the
 * others still run, and the rest is done. `*interrupted` as above.
 */
MT_MUST_CHECK int mt_stage_end(struct mt_stage *stage, bool keep, int *interrupted,
                               struct mt_error *err);

#endif
