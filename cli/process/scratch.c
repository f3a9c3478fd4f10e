/* SPDX-License-Identifier: BSD-3-Clause */
#include "scratch.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int mt_scratch_make(char **folder, struct mt_error *err)
{
    const char *base = getenv("TMPDIR");
    char *path = NULL;
    if (asprintf(&path, "%s/motley-XXXXXX", base && *base ? base : "/tmp") < 0)
        return mt_fail(err, MT_ENOMEM, "no memory for a path");
    if (!mkdtemp(path)) {
        int status = mt_fail(err, MT_EIO, "no folder '%s' can be made: %s", path,
                             strerror(errno));
        free(path);
        return status;
    }
    *folder = path;
    return MT_OK;
}

int mt_scratch_part(char **part, const char *folder, int number, struct mt_error *err)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%d", folder, number) < 0)
        return mt_fail(err, MT_ENOMEM, "no memory for a path");
    if (mkdir(path, 0700) != 0) {
        int status = mt_fail(err, MT_EIO, "no folder '%s' can be made: %s", path,
                             strerror(errno));
        free(path);
        return status;
    }
    *part = path;
    return MT_OK;
}

static int remove_entry(const char *path, const struct stat *info, int kind,
                        struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    remove(path);
    return 0;
}

void mt_scratch_remove(char *folder)
{
    if (folder)
        nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    free(folder);
}
