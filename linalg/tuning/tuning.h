/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuning.h - the crossings of this machine, their origin, and their files.
 */
#ifndef MT_TUNING_CHOICE_H
#define MT_TUNING_CHOICE_H

#include "machine.h"

#include "motley/error.h"
#include "motley/tuning.h"
#include <limits.h>

#define TUNING_VARIABLE "MOTLEY_STRASSEN_CUTOFF"
#define TUNING_FINITE_VARIABLE "MOTLEY_STRASSEN_FINITE"

enum tuning_source { TUNING_FORCED, TUNING_MEASURED, TUNING_GUESSED };

/*
 * The crossings on `machine`, from the variable, the machine's file, or a guess; and
 * whether only finite matrices are cut. Errors in a variable are reported on stderr.
 * For a guess, `err`, unless NULL, gives the reason.
 */
enum tuning_source tuning_choose(struct mt_strassen_tuning *tuning,
                                 const struct tuning_machine *machine,
                                 struct mt_error *err);

/* The guess used without a measurement. */
struct mt_strassen_tuning tuning_guess(int threads);

/*
 * The files of crossings in the user's cache folder: one per kind of machine, with
 * lines "name: value".
 */

/* $XDG_CACHE_HOME/motley/strassen-PROCESSOR-BLAS-THREADS.txt, or the same in ~/.cache.
   MT_ENOTFOUND: neither XDG_CACHE_HOME nor HOME is set to a folder. */
MT_MUST_CHECK int tuning_file_path(char path[PATH_MAX],
                                   const struct tuning_machine *machine,
                                   struct mt_error *err);

/* MT_ENOTFOUND: no such file; MT_EPARSE: broken, or for another kind of machine.
   `tuning` is then unchanged. */
MT_MUST_CHECK int tuning_file_read(struct mt_strassen_tuning *tuning, const char *path,
                                   const struct tuning_machine *machine,
                                   struct mt_error *err);

/* Make the folders, and check that the file can be written. MT_EIO. */
MT_MUST_CHECK int tuning_file_prepare(const char *path, struct mt_error *err);
/* Replaces an old file atomically. MT_EIO. */
MT_MUST_CHECK int tuning_file_write(const struct mt_strassen_tuning *tuning,
                                    const char *path,
                                    const struct tuning_machine *machine,
                                    struct mt_error *err);

#endif
