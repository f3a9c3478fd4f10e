/* SPDX-License-Identifier: BSD-3-Clause */
#include "fill.h"

#include "lib/base/argv.h"
#include "lib/input/internal.h"
#include "lib/input/template.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder of the program's file, which the caller frees. */
static int find_folder(char **folder, const struct mt_program *program,
                       struct mt_error *err)
{
    const char *slash = program->path ? strrchr(program->path, '/') : NULL;
    char *relative = slash ? strndup(program->path, (size_t)(slash - program->path) + 1)
                           : strdup(".");
    char *absolute = relative ? realpath(relative, NULL) : NULL;
    int status = MT_OK;
    if (absolute)
        *folder = absolute;
    else
        status =
            mt_fail(err, MT_EIO, "the folder of '%s' is unknown: %s",
                    program->path ? program->path : program->name, strerror(errno));
    free(relative);
    return status;
}

int mt_fill_text(char **filled, const char *text, const struct mt_launch *launch,
                 struct mt_error *err)
{
    char *folder = NULL;
    int status = find_folder(&folder, launch->program, err);
    const struct mt_filling filling = {.cluster = launch->cluster,
                                       .configuration = launch->configuration,
                                       .size = launch->size,
                                       .folder = folder,
                                       .weights = launch->weights};
    if (status == MT_OK)
        status = mt_template_fill(filled, text, &filling, err);
    free(folder);
    return status;
}

/* Without an end Fortran does not read the last line. */
static int end_last_line(char **text, struct mt_error *err)
{
    char *ended;
    const size_t length = strlen(*text);
    if (length == 0 || (*text)[length - 1] == '\n')
        return MT_OK;
    if (asprintf(&ended, "%s\n", *text) < 0)
        return mt_fail(err, MT_ENOMEM, "no memory for a text");
    free(*text);
    *text = ended;
    return MT_OK;
}

int mt_fill_input(char **filled, const struct mt_input_file *input,
                  const struct mt_launch *launch, struct mt_error *err)
{
    struct mt_error reason;
    char *text = NULL;
    int status = mt_fill_text(&text, input->content, launch, &reason);
    if (status == MT_OK && !input->source) /* a template is copied as it is */
        status = end_last_line(&text, &reason);
    if (status == MT_OK)
        *filled = text;
    else
        free(text);
    return status == MT_OK
               ? MT_OK
               : mt_fail(err, status, "input file '%.80s' of program '%.60s': %s",
                         input->source ? input->source : input->file,
                         launch->program->name, reason.text);
}

bool mt_fill_varies(const char *text)
{
    int variables = 0;
    return mt_template_check(text, &variables, NULL) == MT_OK && variables != 0;
}

int mt_fill_path(char **path, const char *text, const struct mt_launch *launch,
                 struct mt_error *err)
{
    char *filled = NULL, *folder = NULL;
    int status = mt_fill_text(&filled, text, launch, err);
    if (status == MT_OK)
        status = find_folder(&folder, launch->program, err);
    if (status == MT_OK && asprintf(path, "%s%s%s", filled[0] == '/' ? "" : folder,
                                    filled[0] == '/' ? "" : "/", filled) < 0)
        status = mt_fail(err, MT_ENOMEM, "no memory for a path");
    free(folder);
    free(filled);
    return status;
}

int mt_path_from_root(char **path, struct mt_error *err)
{
    char current[PATH_MAX], *longer;
    if (**path == '/' || !strchr(*path, '/'))
        return MT_OK;
    if (!getcwd(current, sizeof current))
        return mt_fail(err, MT_EIO, "the current folder is unknown: %s",
                       strerror(errno));
    const char *rest = *path;
    while (strncmp(rest, "./", 2) == 0)
        rest += 2;
    if (asprintf(&longer, "%s/%s", current, rest) < 0)
        return mt_fail(err, MT_ENOMEM, "no memory for a path");
    free(*path);
    *path = longer;
    return MT_OK;
}

/* Replace the name of a program by its path. */
static int find_path(char **word, const struct mt_launch *launch, struct mt_error *err)
{
    const struct mt_launcher_ops *ops = mt_launcher_of(launch->cluster);
    char *path = NULL;
    int status = mt_find_program(&path, *word, launch->program, ops, err);
    if (status == MT_OK && mt_program_has_folder(launch->program))
        status = mt_path_from_root(&path, err);
    if (status == MT_OK) {
        free(*word);
        *word = path;
    } else {
        free(path);
    }
    return status;
}

/* Replace the name that `text` has become by the path. */
static int find_filled(char **word, const char *text, const struct mt_launch *launch,
                       struct mt_error *err)
{
    struct mt_error reason;
    int status = find_path(word, launch, &reason);
    if (status == MT_ENOTFOUND && mt_fill_varies(text))
        status = MT_EINFEASIBLE;
    return status == MT_OK ? MT_OK : mt_fail(err, status, "%s", reason.text);
}

int mt_fill_command(char ***argv, char *const *words, const struct mt_launch *launch,
                    struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; status == MT_OK && words[i]; i++) {
        char *word = NULL;
        status = mt_fill_text(&word, words[i], launch, err);
        if (status == MT_OK && i == 0)
            status = find_filled(&word, words[i], launch, err);
        if (status == MT_OK)
            status = mt_argv_add_word(argv, word, err);
        free(word);
    }
    return status;
}

int mt_fill_settings(char ***env, const struct mt_launch *launch, struct mt_error *err)
{
    int status = MT_OK;
    char **settings = launch->program->env;
    for (int i = 0; status == MT_OK && settings && settings[i]; i++) {
        char *text = NULL;
        status = mt_fill_text(&text, settings[i], launch, err);
        if (status == MT_OK)
            status = mt_argv_add_word(env, text, err);
        free(text);
    }
    return status;
}
