/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills the placeholders of a program file, and finds the program. */
#include "fill.h"

#include "cli/process/memory.h"
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
    char *relative =
        slash ? mt_asprintf("%.*s", (int)(slash - program->path) + 1, program->path)
              : mt_strdup(".");
    char *absolute = realpath(relative, NULL);
    free(relative);
    if (!absolute)
        return mt_fail(err, MT_EIO, "the folder of '%s' is unknown: %s",
                       program->path ? program->path : program->name, strerror(errno));
    *folder = absolute;
    return MT_OK;
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

int mt_fill_input(char **filled, const struct mt_input_file *input,
                  const struct mt_launch *launch, struct mt_error *err)
{
    struct mt_error reason;
    char *text = NULL;
    const int status = mt_fill_text(&text, input->content, launch, &reason);
    if (status != MT_OK)
        return mt_fail(err, status, "input file '%.80s' of program '%.60s': %s",
                       input->source ? input->source : input->file,
                       launch->program->name, reason.text);
    const size_t length = strlen(text);
    /* Add a final line end, as Fortran does not read a last line without one. A
       template is copied unchanged. */
    const bool ends = input->source || length == 0 || text[length - 1] == '\n';
    *filled = ends ? text : mt_asprintf("%s\n", text);
    if (!ends)
        free(text);
    return MT_OK;
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
    if (status == MT_OK)
        *path = mt_asprintf("%s%s%s", filled[0] == '/' ? "" : folder,
                            filled[0] == '/' ? "" : "/", filled);
    free(folder);
    free(filled);
    return status;
}

int mt_path_from_root(char **path, struct mt_error *err)
{
    char current[PATH_MAX];
    if (**path == '/' || !strchr(*path, '/'))
        return MT_OK;
    if (!getcwd(current, sizeof current))
        return mt_fail(err, MT_EIO, "the current folder is unknown: %s",
                       strerror(errno));
    const char *rest = *path;
    while (strncmp(rest, "./", 2) == 0)
        rest += 2;
    char *longer = mt_asprintf("%s/%s", current, rest);
    free(*path);
    *path = longer;
    return MT_OK;
}

/* Replace the name in `text` by the path of the program. */
static int find_program(char **word, const char *text, const struct mt_launch *launch,
                        struct mt_error *err)
{
    struct mt_error reason;
    char *path = NULL;
    int status = mt_find_program(&path, *word, launch->program,
                                 mt_launcher_of(launch->cluster), &reason);
    if (status == MT_ENOTFOUND && mt_fill_varies(text))
        status = MT_EINFEASIBLE;
    if (status != MT_OK)
        return mt_fail(err, status, "%s", reason.text);
    if (mt_program_has_folder(launch->program))
        status = mt_path_from_root(&path, err);
    free(*word);
    *word = path;
    return status;
}

int mt_fill_command(char ***argv, char *const *words, const struct mt_launch *launch,
                    struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; status == MT_OK && words[i]; i++) {
        char *word = NULL;
        status = mt_fill_text(&word, words[i], launch, err);
        if (status == MT_OK && i == 0)
            status = find_program(&word, words[i], launch, err);
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
