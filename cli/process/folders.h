/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * folders.h - where motley finds the files that belong to it, whether it runs from the
 * folder in which it was built or is installed.
 */
#ifndef MT_CLI_FOLDERS_H
#define MT_CLI_FOLDERS_H

#include <limits.h>
#include <stdbool.h>

/* The folder that motley's executable is in; false: unknown. */
bool mt_own_folder(char folder[PATH_MAX]);

/*
 * The path of a shipped file, as mt_shipped_file("clusters", "toyohashi-2"): NAME.yaml
 * in the folder `kind` of the current folder, of the source tree (when motley runs from
 * its build tree) or of the installation. The caller frees it; NULL: there is none.
 */
char *mt_shipped_file(const char *kind, const char *name);

/*
 * The path of motley's own app for a launcher's MPI family ("openmpi", "mpich",
 * "smpi"). The caller frees it; NULL: there is none.
 */
char *mt_own_app(const char *family, const char *name);

/* The path of motley-tune. The caller frees it; NULL: there is none. */
char *mt_own_tune(void);

/* The path of the preload library for that family. The caller frees it; NULL: there is
   none. */
char *mt_own_balance(const char *family);

#endif
