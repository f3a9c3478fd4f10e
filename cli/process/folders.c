/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds motley's own files by where its executable is, and others on PATH. */
#include "folders.h"

#include "config.h"
#include "memory.h"

#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

/* Without /proc, as in a bare chroot, use the name with which it was started. */
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

/* The root of the build tree that the executable is in, which may have been moved or
   copied, recognised by its configured file. False: it is installed. */
static bool build_root(char root[PATH_MAX])
{
    char marker[2 * PATH_MAX];
    if (!mt_helper_folder(root))
        return false;
    for (char *end = root + strlen(root); end; end = strrchr(root, '/')) {
        *end = 0;
        snprintf(marker, sizeof marker, "%s/cli/process/config.h", root);
        if (access(marker, F_OK) == 0)
            return true;
    }
    return false;
}

bool mt_own_folder(char folder[PATH_MAX])
{
    char path[PATH_MAX], root[PATH_MAX], above[2 * PATH_MAX];
    if (!own_executable(path))
        return false;
    char *name = strrchr(path, '/');
    *name++ = 0;
    if (strcmp(name, "motley-testbed") != 0)
        return memcpy(folder, path, strlen(path) + 1);
    if (build_root(root))
        snprintf(above, sizeof above, "%s/cli", root);
    else
        snprintf(above, sizeof above, "%s/%s", path, MT_BIN_FROM_HELPER);
    return realpath(above, folder);
}

/* "FOLDER/A/B", or "FOLDER/A" without a B, when it can be read, else NULL. */
static char *readable(const char *folder, const char *a, const char *b)
{
    char *path = mt_asprintf("%s/%s%s%s", folder, a, *b ? "/" : "", b);
    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

/* In the folder `part` of the build tree, or in `from_bin` of the installation. */
static char *find_own(const char *part, const char *from_bin, const char *a,
                      const char *b)
{
    char own[PATH_MAX], folder[2 * PATH_MAX];
    if (build_root(own))
        snprintf(folder, sizeof folder, "%s/%s", own, part);
    else if (from_bin[0] == '/')
        return readable(from_bin, a, b);
    else if (mt_own_folder(own))
        snprintf(folder, sizeof folder, "%s/%s", own, from_bin);
    else
        return NULL;
    return readable(folder, a, b);
}

/* A build tree below its source tree may have moved with it; a copy alone finds the
   source tree at the old place. */
char *mt_shipped_folder(const char *kind)
{
    static const char source[] = MT_SOURCE_ROOT "/", build[] = MT_BUILD_ROOT;
    char root[PATH_MAX];
    if (!build_root(root))
        return find_own("", MT_DATA_FROM_BIN, kind, "");
    char *found = NULL;
    if (strncmp(build, source, sizeof source - 1) == 0) {
        const char *below = build + sizeof source - 2; /* "/build" */
        const size_t length = strlen(root), tail = strlen(below);
        if (length > tail && strcmp(root + length - tail, below) == 0) {
            root[length - tail] = 0;
            found = readable(root, kind, "");
        }
    }
    return found ? found : readable(MT_SOURCE_ROOT, kind, "");
}

int mt_own_missing(const char *part, struct mt_error *err)
{
    char place[PATH_MAX];
    if (build_root(place))
        return mt_fail(err, MT_ENOTFOUND,
                       "'%s' is missing in the build folder '%s'; build all of motley",
                       part, place);
    if (!mt_own_folder(place))
        place[0] = 0;
    return mt_fail(err, MT_ENOTFOUND,
                   "'%s' is missing in the installation that '%s' belongs to; install "
                   "all of motley",
                   part, place);
}

char *mt_own_app(const char *mpi, const char *name)
{
    return find_own("apps", MT_LIBEXEC_FROM_BIN, mpi, name);
}

char *mt_own_testbed(void)
{
    return mt_own_tool("testbed", "motley-testbed");
}

char *mt_own_tune(void)
{
    return find_own("linalg", MT_LIBEXEC_FROM_BIN, "tune", "motley-tune");
}

char *mt_own_tool(const char *folder, const char *name)
{
    return find_own("tools", MT_LIBEXEC_FROM_BIN, folder, name);
}

char *mt_own_preload(const char *folder, const char *file)
{
    return find_own("preload", MT_LIBRARY_FROM_BIN, folder, file);
}

static bool is_executable(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

char *mt_find_in(const char *folder, size_t length, const char *name)
{
    char *path = mt_asprintf("%.*s/%s", (int)length, folder, name);
    if (is_executable(path))
        return path;
    free(path);
    return NULL;
}

/* An empty entry of PATH is the current folder. */
static char *search(const char *name, bool absolute_only)
{
    if (strchr(name, '/'))
        return is_executable(name) ? mt_strdup(name) : NULL;
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
