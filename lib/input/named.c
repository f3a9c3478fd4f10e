/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the file for the name of a cluster, program or machine. */
#include "lib/base/text.h"
#include "motley/cluster.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool mt_named_by_path(const char *name)
{
    const size_t length = strlen(name);
    return strchr(name, '/') || (length > 5 && !strcmp(name + length - 5, ".yaml"));
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

static bool is_file(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

static int has_yaml(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return length > 5 && !strcmp(entry->d_name + length - 5, ".yaml");
}

/* The YAML files of a folder, without their ending. */
struct names {
    struct dirent **entries; /* owned, and so is each */
    int count;
};

static void list_names(struct names *names, const char *folder)
{
    names->count = folder ? scandir(folder, &names->entries, has_yaml, alphasort) : 0;
    for (int i = 0; i < names->count; i++)
        names->entries[i]->d_name[strlen(names->entries[i]->d_name) - 5] = '\0';
}

/* Whether one of them is closer than the names tried before. */
static bool try_names(struct mt_closest *closest, const struct names *names)
{
    const char *before = closest->name;
    for (int i = 0; i < names->count; i++)
        mt_closest_try(closest, names->entries[i]->d_name);
    return closest->name != before;
}

static void clear_names(struct names *names)
{
    for (int i = 0; i < names->count; i++)
        free(names->entries[i]);
    free(names->entries);
}

/* A name without folder and ending. */
static void cut_name(char *stem, size_t size, const char *name)
{
    const char *slash = strrchr(name, '/');
    snprintf(stem, size, "%s", slash ? slash + 1 : name);
    char *dot = strrchr(stem, '.');
    if (dot && (!strcmp(dot, ".yaml") || !strcmp(dot, ".yml")))
        *dot = '\0';
}

/* Suggest a name for a missing file: one next to it, or a shipped one. */
static void find_meant(char *meant, size_t size, const char *name,
                       const struct names *shipped)
{
    char stem[NAME_MAX + 1];
    struct names beside = {0};
    struct mt_closest closest = {.word = stem};
    const char *slash = strrchr(name, '/');
    const int length = slash ? (int)(slash - name) + 1 : 0;
    char *folder = length > 0 ? strndup(name, (size_t)length) : strdup(".");
    cut_name(stem, sizeof stem, name);
    list_names(&beside, folder);
    if (try_names(&closest, &beside))
        snprintf(meant, size, "%.*s%s.yaml", length, name, closest.name);
    if (try_names(&closest, shipped))
        snprintf(meant, size, "%s", closest.name);
    clear_names(&beside);
    free(folder);
}

static void format_list(char *list, size_t size, const struct names *names)
{
    size_t length = 0;
    for (int i = 0; i < names->count && length < size; i++)
        length += (size_t)snprintf(list + length, size - length, "%s%s",
                                   i > 0 ? ", " : "", names->entries[i]->d_name);
}

/* The closest names, or a list of all. */
static int refuse_name(const char *kind, const char *name, const char *folder,
                       struct mt_error *err)
{
    struct names shipped = {0};
    char list[256] = "", meant[256] = "";
    list_names(&shipped, folder);
    find_meant(meant, sizeof meant, name, &shipped);
    format_list(list, sizeof list, &shipped);
    if (mt_named_by_path(name))
        mt_fail(err, MT_EIO, "cannot read '%.200s': %s%s%s%s", name, strerror(ENOENT),
                *meant ? "; did you mean '" : "", meant, *meant ? "'?" : "");
    else if (is_file(name))
        mt_fail(err, MT_ENOTFOUND,
                "no such name in '%s': '%.60s'; the file of that name is './%.60s'",
                kind, name, name);
    else if (*meant)
        mt_fail(err, MT_ENOTFOUND, "no such name in '%s': '%.60s'; did you mean '%s'?",
                kind, name, meant);
    else
        mt_fail(
            err, MT_ENOTFOUND,
            "no such name in '%s': '%.60s' (the path of a file ends in .yaml or has "
            "a '/'; shipped are %s)",
            kind, name, list);
    clear_names(&shipped);
    return mt_named_by_path(name) ? MT_EIO : MT_ENOTFOUND;
}

/* Both the current folder and motley have such a file: the user must choose. */
static int find_named(char **path, const char *kind, const char *name,
                      const char *folder, struct mt_error *err)
{
    char *here = NULL, *shipped = NULL;
    int status = MT_OK;
    if (asprintf(&here, "./%s/%s.yaml", kind, name) < 0)
        return mt_fail(err, MT_ENOMEM, "no memory for a path");
    if (folder && asprintf(&shipped, "%s/%s.yaml", folder, name) < 0) {
        free(here);
        return mt_fail(err, MT_ENOMEM, "no memory for a path");
    }
    const bool is_here = access(here, R_OK) == 0;
    const bool is_shipped = shipped && access(shipped, R_OK) == 0;
    if (is_here && is_shipped && !is_same_file(here, shipped))
        status = mt_fail(err, MT_EINVAL,
                         "'%s' comes with motley, and is in the current folder, too: "
                         "write '%s' or '%s'",
                         name, here, shipped);
    else if (!is_here && !is_shipped)
        status = refuse_name(kind, name, folder, err);
    char *found = status == MT_OK ? strdup(is_shipped ? shipped : here) : NULL;
    if (status == MT_OK && !found)
        status = mt_fail(err, MT_ENOMEM, "no memory for a path");
    if (found)
        *path = found;
    free(here);
    free(shipped);
    return status;
}

int mt_named_path(char **path, const char *kind, const char *name, const char *shipped,
                  struct mt_error *err)
{
    if (!mt_named_by_path(name))
        return find_named(path, kind, name, shipped, err);
    if (access(name, F_OK) != 0 && errno == ENOENT)
        return refuse_name(kind, name, shipped, err);
    char *found = strdup(name);
    if (!found)
        return mt_fail(err, MT_ENOMEM, "no memory for a path");
    *path = found;
    return MT_OK;
}
