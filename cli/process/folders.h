/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * folders.h - motley's own files, in the build folder or the installation, and
 * executables on PATH.
 */
#ifndef MT_CLI_FOLDERS_H
#define MT_CLI_FOLDERS_H

#include "motley/error.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* The folder of motley's executable, also for motley-testbed, which motley starts;
   false: unknown. */
bool mt_own_folder(char folder[PATH_MAX]);
/* The folder of this process's executable. */
bool mt_helper_folder(char folder[PATH_MAX]);

/* Fail with MT_ENOTFOUND: this part of motley is missing; the reason tells where the
   functions below searched. */
int mt_own_missing(const char *part, struct mt_error *err);

/* The folder of shipped files of that kind ("clusters", "page"): in the source tree
   when motley runs from its build tree, else in the installation. The caller frees it;
   NULL if none. */
char *mt_shipped_folder(const char *kind);

/* The path of motley's own app for a launcher's MPI ("openmpi", "mpich", "smpi"). The
   caller frees it; NULL if none. */
char *mt_own_app(const char *mpi, const char *name);

/* The paths of motley-tune, motley-testbed, and other tools: "guard", "motley-guard".
   The caller frees them; NULL if none. */
char *mt_own_tune(void);
char *mt_own_testbed(void);
char *mt_own_tool(const char *folder, const char *name);

/* The path of a preload library: of an MPI ("openmpi", "mpich") libmotley-balance.so or
   libmotley-closing.so, of "patient" libmotley-patient.so. The caller frees it; NULL if
   none. */
char *mt_own_preload(const char *folder, const char *file);

/* The path of an executable named by the user: on PATH, or `name` itself when it has a
   '/'. The caller frees it; NULL if none. */
char *mt_find_on_path(const char *name);
/* The same for a program that motley needs (mpirun, gnuplot, true). Empty or relative
   entries of PATH are skipped, so that nothing in the current folder is started by
   accident. */
char *mt_find_tool(const char *name);
/* "FOLDER/NAME" if that is an executable file; FOLDER is the first `length` characters
   of `folder`. The caller frees it; NULL if none. */
char *mt_find_in(const char *folder, size_t length, const char *name);

/* Remove the folder with all that is in it. */
void mt_folder_remove(const char *folder);

#endif
