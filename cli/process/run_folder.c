/* SPDX-License-Identifier: BSD-3-Clause */
#include "run_folder.h"

#include "folders.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "motley-run-"

/* What comes behind the last slash. */
static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* In the session's folder a link of the same name leads to a run's folder. */
static bool link_path(char link[PATH_MAX], const char *session, const char *name)
{
    return snprintf(link, PATH_MAX, "%s/%s", session, name) < PATH_MAX;
}

/* Named after the session, as others may make folders in the same place. The link is
   there first, so that there is no folder without one. */
static int make(const char *path, const char *session, struct mt_error *err)
{
    char link[PATH_MAX];
    if (!link_path(link, session, last_part(path)) || symlink(path, link) != 0)
        return mt_fail(err, MT_EIO, "no file can be made in '%s': %s", session,
                       strerror(errno));
    if (mkdir(path, 0777) == 0)
        return MT_OK;
    const int reason = errno;
    unlink(link);
    return mt_fail(err, MT_EIO,
                   "no folder '%s' can be made: %s; runs with input files have folders "
                   "below the current one",
                   path, strerror(reason));
}

int mt_run_folder_make(char **path, const char *session, struct mt_error *err)
{
    static int made;
    char current[PATH_MAX], *name = NULL;
    const char *id = strrchr(session, '-');
    if (!getcwd(current, sizeof current))
        return mt_fail(err, MT_EIO, "the current folder is unknown: %s",
                       strerror(errno));
    if (asprintf(&name, "%s/" FOLDER "%s-%d", current, id ? id + 1 : session, ++made) <
        0)
        return mt_fail(err, MT_ENOMEM, "no memory for a path");
    const int status = make(name, session, err);
    if (status == MT_OK)
        *path = name;
    else
        free(name);
    return status;
}

void mt_run_folder_keep(const char *path, const char *session)
{
    char link[PATH_MAX];
    if (link_path(link, session, last_part(path)))
        unlink(link);
}

void mt_run_folder_remove(const char *path, const char *session)
{
    mt_folder_remove(path);
    mt_run_folder_keep(path, session);
}

/* Remove what the link leads to, if it is one of ours. */
static void follow(const char *session, const char *name)
{
    char link[PATH_MAX], path[PATH_MAX];
    const ssize_t length =
        link_path(link, session, name) ? readlink(link, path, sizeof path - 1) : -1;
    if (length <= 0)
        return;
    path[length] = 0;
    if (path[0] == '/' && strcmp(last_part(path), name) == 0)
        mt_folder_remove(path);
}

void mt_run_folders_remove(const char *session)
{
    DIR *folder = opendir(session);
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));)
        if (strncmp(entry->d_name, FOLDER, strlen(FOLDER)) == 0)
            follow(session, entry->d_name);
    closedir(folder);
}
