/* SPDX-License-Identifier: BSD-3-Clause */
#include "find.h"

#include "folders.h"
#include "process.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_executable(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

/* "FOLDER/NAME" when that is an executable file, else NULL. */
static char *executable_in(const char *folder, size_t folder_length, const char *name)
{
    char *path;
    if (asprintf(&path, "%.*s/%s", (int)folder_length, folder, name) < 0)
        return NULL;
    if (is_executable(path))
        return path;
    free(path);
    return NULL;
}

char *mt_find_on_path(const char *name)
{
    if (strchr(name, '/'))
        return is_executable(name) ? strdup(name) : NULL;
    const char *folder = getenv("PATH");
    while (folder) {
        size_t length = strcspn(folder, ":");
        char *path = length > 0 ? executable_in(folder, length, name)
                                : executable_in(".", 1, name);
        if (path)
            return path;
        folder = folder[length] ? folder + length + 1 : NULL;
    }
    return NULL;
}

/* Whether `PATH --version` prints the mark. */
static bool has_mark(char *path, const char *mark)
{
    char version[] = "--version";
    char *const argv[] = {path, version, NULL};
    struct mt_watch watch;
    if (mt_watch_begin(&watch, NULL) != MT_OK)
        return false;
    bool found = false;
    struct mt_process *process = calloc(1, sizeof *process);
    if (process) {
        process->argv = argv;
        process->timeout = 10;
        int status = mt_process_start(process, NULL);
        while (status == MT_OK && !process->ended) {
            status = mt_watch_wait(&watch, &process, 1, process->timeout, NULL);
            if (watch.interrupted && !process->ended)
                mt_process_stop(process);
        }
        char *text = mt_output_text(&process->output);
        found = text && strstr(text, mark);
        free(text);
    }
    free(process);
    mt_watch_end(&watch);
    if (watch.interrupted)
        raise(watch.interrupted); /* nothing is at work yet: as if it had come now */
    return found;
}

static char *first_with_mark(const struct mt_launcher_ops *launcher)
{
    for (int i = 0; launcher->executables[i]; i++) {
        char *path = mt_find_on_path(launcher->executables[i]);
        if (path && (!launcher->version_mark || has_mark(path, launcher->version_mark)))
            return path;
        free(path);
    }
    return NULL;
}

int mt_find_launcher(char **path, const struct mt_launcher_ops *launcher,
                     struct mt_error *err)
{
    /* What was found before: asking for the version costs as much as a short run. */
    static const struct mt_launcher_ops *known;
    static char known_path[PATH_MAX];

    if (known != launcher) {
        char *found = first_with_mark(launcher);
        if (!found)
            return mt_fail(err, MT_ENOTFOUND,
                           "'%s' of launcher '%s' is not installed; on Debian: apt "
                           "install %s",
                           launcher->executables[0], launcher->name, launcher->package);
        snprintf(known_path, sizeof known_path, "%s", found);
        known = launcher;
        free(found);
    }
    *path = strdup(known_path);
    return *path ? MT_OK : mt_fail(err, MT_ENOMEM, "no memory for a path");
}

int mt_find_program(char **path, const char *name, const struct mt_program *program,
                    const struct mt_launcher_ops *launcher, struct mt_error *err)
{
    const char *slash = program->path ? strrchr(program->path, '/') : NULL;
    const char *folder = slash ? program->path : ".";
    size_t length = slash ? (size_t)(slash - program->path) : 1;
    if (strchr(name, '/')) {
        *path = mt_find_on_path(name);
        return *path ? MT_OK
                     : mt_fail(err, MT_ENOTFOUND,
                               "program '%s': no such executable file: '%s'",
                               program->name, name);
    }
    char *found = executable_in(folder, length, name);
    if (!found && launcher->apps)
        found = mt_own_app(launcher->apps, name);
    if (!found)
        found = mt_find_on_path(name);
    if (!found)
        return mt_fail(
            err, MT_ENOTFOUND, "program '%s': '%s' is not in '%.*s', %s%s%snor on PATH",
            program->name, name, (int)length, folder,
            launcher->apps ? "not among motley's own apps for " : "",
            launcher->apps ? launcher->apps : "", launcher->apps ? ", " : "");
    *path = found;
    return MT_OK;
}
