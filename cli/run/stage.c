/* SPDX-License-Identifier: BSD-3-Clause */
/* The folder of a run that motley starts itself: made, filled and removed. */
#include "stage.h"

#include "cli/launch/fill.h"
#include "cli/launch/script.h"
#include "cli/process/memory.h"
#include "cli/process/process.h"
#include "cli/process/scratch.h"
#include "lib/base/argv.h"
#include "lib/base/draft.h"
#include "lib/input/internal.h"
#include "lib/input/program_run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder that the program file names. */
static int find_folder(struct mt_stage *stage, struct mt_error *err)
{
    const struct mt_launch *launch = stage->launch;
    const struct mt_program *program = launch->program;
    const int missing = mt_fill_varies(program->workdir) ? MT_EINFEASIBLE : MT_EIO;
    char *path = NULL;
    int status = mt_fill_path(&path, program->workdir, launch, err);
    if (status != MT_OK)
        return status;
    struct stat info;
    stage->folder = realpath(path, NULL);
    if (!stage->folder)
        status = mt_fail(err, missing, "'workdir' of program '%s': '%s': %s",
                         program->name, path, strerror(errno));
    else if (stat(stage->folder, &info) != 0 || !S_ISDIR(info.st_mode))
        status = mt_fail(err, missing, "program '%s': 'workdir' is not a folder: '%s'",
                         program->name, path);
    else
        status = mt_stage_check_sources(stage->folder, program, err);
    free(path);
    return status;
}

/* Make the parent folders of the file, below the first `length` characters. */
static int make_parents(char *path, size_t length, struct mt_error *err)
{
    for (char *slash = strchr(path + length + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = 0;
        const int reason = mkdir(path, 0777) == 0 || errno == EEXIST ? 0 : errno;
        const int status = reason == 0
                               ? MT_OK
                               : mt_fail(err, MT_EIO, "no folder '%s' can be made: %s",
                                         path, strerror(reason));
        *slash = '/';
        if (status != MT_OK)
            return status;
    }
    return MT_OK;
}

/* Replace a link, as its target is not part of this run. */
static int write_text(const char *path, const char *text, struct mt_error *err)
{
    struct mt_draft draft;
    struct stat info;
    if (lstat(path, &info) == 0 && S_ISLNK(info.st_mode))
        unlink(path);
    const int status = mt_draft_open(&draft, path, err);
    if (status != MT_OK)
        return status;
    fputs(text, draft.stream);
    return mt_draft_close(&draft, MT_OK, err);
}

static int write_input(const struct mt_stage *stage, const struct mt_input_file *input,
                       struct mt_error *err)
{
    char *text = NULL, *path = mt_asprintf("%s/%s", stage->folder, input->file);
    int status = mt_fill_input(&text, input, stage->launch, err);
    if (status == MT_OK)
        status = make_parents(path, strlen(stage->folder), err);
    if (status == MT_OK)
        status = write_text(path, text, err);
    free(text);
    free(path);
    return status;
}

/* Why a command failed; the caller frees it. NULL: it succeeded. */
static char *describe_failure(const struct mt_process *process, const char *key,
                              const char *name)
{
    if (process->timed_out)
        return mt_asprintf("'%s' failed: '%s' took longer than %.15g s", key, name,
                           process->timeout);
    if (process->signal != 0)
        return mt_asprintf("'%s' failed: '%s' was killed by signal %d (%s)", key, name,
                           process->signal, strsignal(process->signal));
    return process->exit_code != 0
               ? mt_asprintf("'%s' failed: '%s' ended with status %d", key, name,
                             process->exit_code)
               : NULL;
}

/* Run one command in the stage's folder. */
static int run_command(struct mt_stage *stage, char *const *words, const char *key,
                       int *interrupted, struct mt_error *err)
{
    char **argv = NULL, **env = NULL;
    struct mt_error reason;
    int status = mt_fill_command(&argv, words, stage->launch, err);
    if (status == MT_OK)
        status = mt_fill_settings(&env, stage->launch, err);
    if (status == MT_OK) {
        struct mt_process *process = mt_calloc(1, sizeof *process);
        process->argv = argv;
        process->env = env;
        process->folder = stage->folder;
        process->timeout = stage->timeout;
        process->echo = stage->echo;
        if (mt_process_run(process, interrupted, &reason) != MT_OK) {
            stage->failure = mt_asprintf("'%s' failed: %s", key, reason.text);
        } else {
            stage->failure = describe_failure(process, key, words[0]);
            stage->output = stage->failure ? mt_output_text(&process->output) : NULL;
        }
        free(process);
    }
    mt_argv_free(env);
    mt_argv_free(argv);
    return status;
}

/* Release the stage; remove a folder made for it, unless it is to be kept. */
static void clear(struct mt_stage *stage, bool keep)
{
    if (stage->own && keep)
        mt_run_folder_keep(stage->folder);
    else if (stage->own)
        mt_run_folder_remove(stage->folder);
    free(stage->folder);
    free(stage->failure);
    free(stage->output);
    *stage = (struct mt_stage){
        .launch = stage->launch, .timeout = stage->timeout, .echo = stage->echo};
}

static int try_commands(char **const *commands, int count,
                        const struct mt_launch *launch, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; i < count; i++)
        for (char **word = commands[i]; status == MT_OK && *word; word++) {
            char *text = NULL;
            status = mt_fill_text(&text, *word, launch, err);
            free(text);
        }
    return status;
}

int mt_stage_try(const struct mt_launch *launch, struct mt_error *err)
{
    const struct mt_program *program = launch->program;
    struct mt_stage stage = {.launch = launch};
    int status = program->workdir ? find_folder(&stage, err) : MT_OK;
    for (int i = 0; status == MT_OK && i < program->ninputs; i++) {
        char *text = NULL;
        status = mt_fill_input(&text, &program->inputs[i], launch, err);
        free(text);
    }
    if (status == MT_OK)
        status = try_commands(program->prepare, program->nprepare, launch, err);
    if (status == MT_OK)
        status = try_commands(program->cleanup, program->ncleanup, launch, err);
    free(stage.folder);
    return status;
}

int mt_stage_begin(struct mt_stage *stage, int *interrupted, struct mt_error *err)
{
    const struct mt_program *program = stage->launch->program;
    *interrupted = 0;
    if (!mt_program_has_folder(program))
        return MT_OK;
    int status = program->workdir ? find_folder(stage, err)
                                  : mt_run_folder_make(&stage->folder, err);
    stage->own = status == MT_OK && !program->workdir;
    for (int i = 0; status == MT_OK && i < program->ninputs; i++)
        status = write_input(stage, &program->inputs[i], err);
    for (int i = 0; status == MT_OK && !stage->failure && *interrupted == 0 &&
                    i < program->nprepare;
         i++)
        status = run_command(stage, program->prepare[i], "prepare", interrupted, err);
    if (status != MT_OK)
        clear(stage, false);
    return status;
}

/* Only a regular file: others may be endless. */
static FILE *open_result(const struct mt_stage *stage, const char *name)
{
    struct stat info;
    char *path = mt_asprintf("%s/%s", stage->folder, name);
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    free(path);
    if (file < 0)
        return NULL;
    FILE *stream =
        fstat(file, &info) == 0 && S_ISREG(info.st_mode) ? fdopen(file, "r") : NULL;
    if (!stream)
        close(file);
    return stream;
}

void mt_stage_search(const struct mt_stage *stage, const regex_t *pattern,
                     struct mt_output *output)
{
    const char *name = stage->launch->program->result_file;
    char bytes[MT_OUTPUT_KEPT];
    size_t count;
    FILE *stream = name && stage->folder ? open_result(stage, name) : NULL;
    if (!stream)
        return;
    struct mt_output *searched = mt_calloc(1, sizeof *searched);
    searched->pattern = pattern;
    while ((count = fread(bytes, 1, sizeof bytes, stream)) > 0)
        mt_output_eat(searched, bytes, count);
    mt_output_finish(searched);
    fclose(stream);
    output->found = searched->found;
    memcpy(output->number, searched->number, sizeof output->number);
    free(searched);
}

int mt_stage_end(struct mt_stage *stage, bool keep, int *interrupted,
                 struct mt_error *err)
{
    const struct mt_program *program = stage->launch->program;
    int status = MT_OK;
    *interrupted = 0;
    for (int i = 0; stage->folder && i < program->ncleanup; i++) {
        int signal = 0;
        struct mt_error reason;
        struct mt_stage told = *stage;
        told.failure = told.output = NULL;
        int ran = run_command(&told, program->cleanup[i], "cleanup", &signal, &reason);
        *interrupted = signal ? signal : *interrupted;
        if (ran == MT_OK && told.failure)
            ran = mt_fail(&reason, MT_EIO, "%s", told.failure);
        if (ran != MT_OK && status == MT_OK)
            status = mt_fail(err, ran, "%s", reason.text);
        free(told.failure);
        free(told.output);
    }
    clear(stage, keep);
    return status;
}
