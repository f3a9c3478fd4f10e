/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stage.h - the folder that a run takes place in: made, its input files written, its
 * commands of `prepare` and `cleanup` run; see motley-program(5).
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
    int echo; /* a descriptor that also gets what they print; 0: none */

    char *folder;  /* owned; the absolute path */
    bool own;      /* made for this run */
    char *failure; /* owned; why `prepare` failed; NULL: it did not */
    char *output;  /* owned; what the command that failed has printed; or NULL */
};

/* Whether the placeholders of the files and commands can be filled, and a folder that
   the program file names is there; nothing is written or run. Fails as
   mt_stage_begin(). */
MT_MUST_CHECK int mt_stage_try(const struct mt_launch *launch, struct mt_error *err);
/*
 * Make the folder, write the files and run `prepare`. A command that fails is told in
 * `failure`. `*interrupted` is the signal that asked motley to stop meanwhile,
 * otherwise 0. MT_EIO: the folder is missing, or a file cannot be written. MT_EINVAL,
 * MT_EINFEASIBLE: a stage is impossible for this run, while others of the program may
 * have their values and folders. Then nothing is left.
 */
MT_MUST_CHECK int mt_stage_begin(struct mt_stage *stage, int *interrupted,
                                 struct mt_error *err);
/* Look in the program's result file, where it has one, for the pattern of its time:
   what `output` says then of what matched is of the file. A file that cannot be read
   has no match. */
void mt_stage_search(const struct mt_stage *stage, const regex_t *pattern,
                     struct mt_output *output);
/*
 * Run `cleanup`, remove the folder if it was made for the run, unless `keep` says that
 * it stays, and empty the stage. On failure of a command, whose reason is for a
 * warning, the others are run and the rest is done all the same. `*interrupted` as
 * above.
 */
MT_MUST_CHECK int mt_stage_end(struct mt_stage *stage, bool keep, int *interrupted,
                               struct mt_error *err);

#endif
