/* SPDX-License-Identifier: BSD-3-Clause */
#include "folders.h"

#include "cli/common/config.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool mt_own_folder(char folder[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    if (length <= 0)
        return false;
    folder[length] = 0;
    *strrchr(folder, '/') = 0;
    return true;
}

/* "FOLDER/A/B" plus the suffix when such a file can be read, else NULL. */
static char *readable(const char *folder, const char *a, const char *b,
                      const char *suffix)
{
    char *path;
    if (asprintf(&path, "%s/%s/%s%s", folder, a, b, suffix) < 0)
        return NULL;
    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

static char *find_own(const char *build_root, const char *from_bin, const char *a,
                      const char *b, const char *suffix)
{
    char own[PATH_MAX], installed[2 * PATH_MAX];
    if (!mt_own_folder(own))
        return NULL;
    if (!strcmp(own, MT_BUILD_ROOT "/cli"))
        return readable(build_root, a, b, suffix);
    if (from_bin[0] == '/')
        return readable(from_bin, a, b, suffix);
    snprintf(installed, sizeof installed, "%s/%s", own, from_bin);
    return readable(installed, a, b, suffix);
}

char *mt_shipped_file(const char *kind, const char *name)
{
    char *path = readable(".", kind, name, ".yaml");
    return path ? path
                : find_own(MT_SOURCE_ROOT, MT_DATA_FROM_BIN, kind, name, ".yaml");
}

char *mt_own_app(const char *family, const char *name)
{
    return find_own(MT_BUILD_ROOT "/apps", MT_LIBEXEC_FROM_BIN, family, name, "");
}

char *mt_own_tune(void)
{
    return find_own(MT_BUILD_ROOT "/linalg", MT_LIBEXEC_FROM_BIN, "tuning",
                    "motley-tune", "");
}

char *mt_own_balance(const char *family)
{
    return find_own(MT_BUILD_ROOT "/preload", MT_LIBRARY_FROM_BIN, family,
                    "libmotley-balance.so", "");
}
