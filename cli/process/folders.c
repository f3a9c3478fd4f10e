/* SPDX-License-Identifier: BSD-3-Clause */
#include "folders.h"

#include "config.h"

#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

/* Without /proc, as in a bare chroot, by the name that it was started by. */
static bool own_executable(char path[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length <= 0) /* NOLINTNEXTLINE(performance-no-int-to-ptr): it is a pointer */
        return realpath((const char *)getauxval(AT_EXECFN), path);
    path[length] = 0;
    return true;
}

bool mt_helper_folder(char folder[PATH_MAX])
{
    char path[PATH_MAX];
    if (!own_executable(path))
        return false;
    *strrchr(path, '/') = 0;
    memcpy(folder, path, strlen(path) + 1);
    return true;
}

bool mt_own_folder(char folder[PATH_MAX])
{
    char path[PATH_MAX], above[2 * PATH_MAX];
    if (!own_executable(path))
        return false;
    char *name = strrchr(path, '/');
    *name++ = 0;
    if (strcmp(name, "motley-testbed") != 0)
        return memcpy(folder, path, strlen(path) + 1);
    if (!strcmp(path, MT_BUILD_ROOT "/tools/testbed"))
        return realpath(MT_BUILD_ROOT "/cli", folder);
    snprintf(above, sizeof above, "%s/%s", path, MT_BIN_FROM_HELPER);
    return realpath(above, folder);
}

/* "FOLDER/A/B" plus the suffix, or "FOLDER/A" without a B, when such a file can be
   read, else NULL. */
static char *readable(const char *folder, const char *a, const char *b,
                      const char *suffix)
{
    char *path;
    if (asprintf(&path, "%s/%s%s%s%s", folder, a, *b ? "/" : "", b, suffix) < 0)
        return NULL;
    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

/* Whether an executable in that folder belongs to the build tree: motley's, or that of
   a study or a test. */
static bool is_built(const char *folder)
{
    const char root[] = MT_BUILD_ROOT "/";
    return !strncmp(folder, root, sizeof root - 1);
}

static char *find_own(const char *build_root, const char *from_bin, const char *a,
                      const char *b, const char *suffix)
{
    char own[PATH_MAX], installed[2 * PATH_MAX];
    if (!mt_own_folder(own))
        return NULL;
    if (is_built(own))
        return readable(build_root, a, b, suffix);
    if (from_bin[0] == '/')
        return readable(from_bin, a, b, suffix);
    snprintf(installed, sizeof installed, "%s/%s", own, from_bin);
    return readable(installed, a, b, suffix);
}

char *mt_shipped_file(const char *kind, const char *name)
{
    return find_own(MT_SOURCE_ROOT, MT_DATA_FROM_BIN, kind, name, ".yaml");
}

char *mt_shipped_folder(const char *kind)
{
    return find_own(MT_SOURCE_ROOT, MT_DATA_FROM_BIN, kind, "", "");
}

char *mt_own_app(const char *mpi, const char *name)
{
    return find_own(MT_BUILD_ROOT "/apps", MT_LIBEXEC_FROM_BIN, mpi, name, "");
}

char *mt_own_testbed(void)
{
    return find_own(MT_BUILD_ROOT "/tools", MT_LIBEXEC_FROM_BIN, "testbed",
                    "motley-testbed", "");
}

char *mt_own_tune(void)
{
    return find_own(MT_BUILD_ROOT "/linalg", MT_LIBEXEC_FROM_BIN, "tune", "motley-tune",
                    "");
}

char *mt_own_guard(void)
{
    return find_own(MT_BUILD_ROOT "/tools", MT_LIBEXEC_FROM_BIN, "guard",
                    "motley-guard", "");
}

char *mt_own_gpus(void)
{
    return find_own(MT_BUILD_ROOT "/tools", MT_LIBEXEC_FROM_BIN, "gpus", "motley-gpus",
                    "");
}

char *mt_own_preload(const char *folder, const char *file)
{
    return find_own(MT_BUILD_ROOT "/preload", MT_LIBRARY_FROM_BIN, folder, file, "");
}

static bool is_executable(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

char *mt_find_in(const char *folder, size_t length, const char *name)
{
    char *path;
    if (asprintf(&path, "%.*s/%s", (int)length, folder, name) < 0)
        return NULL;
    if (is_executable(path))
        return path;
    free(path);
    return NULL;
}

/* An empty entry of PATH is the current folder. */
static char *search(const char *name, bool absolute_only)
{
    if (strchr(name, '/'))
        return is_executable(name) ? strdup(name) : NULL;
    const char *folder = getenv("PATH");
    while (folder) {
        const size_t length = strcspn(folder, ":");
        char *path = NULL;
        if (folder[0] == '/' || !absolute_only)
            path = mt_find_in(length > 0 ? folder : ".", length > 0 ? length : 1, name);
        if (path)
            return path;
        folder = folder[length] ? folder + length + 1 : NULL;
    }
    return NULL;
}

char *mt_find_on_path(const char *name)
{
    return search(name, false);
}

char *mt_find_tool(const char *name)
{
    return search(name, true);
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

void mt_folder_remove(const char *folder)
{
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}
