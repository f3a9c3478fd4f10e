/* SPDX-License-Identifier: BSD-3-Clause */
#include "stage_script.h"

#include "cli/process/memory.h"
#include "fill.h"
#include "lib/base/argv.h"
#include "lib/input/program_run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Whether the first, where a link counts itself, is the second. */
static bool is_same_file(const char *path, const char *source)
{
    struct stat first, second;
    return lstat(path, &first) == 0 && stat(source, &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

static int check_source(const char *path, const struct mt_program *program,
                        struct mt_error *err)
{
    const char *over = NULL;
    if (program->path && is_same_file(path, program->path))
        over = program->path;
    for (int i = 0; i < program->ninputs && !over; i++) {
        const char *source = program->inputs[i].source;
        char *template = source ? mt_need(mt_program_template(program, source)) : NULL;
        if (source && is_same_file(path, template))
            over = source;
        free(template);
    }
    return over ? mt_fail(err, MT_EINVAL,
                          "the input file would be written over '%.80s', which it is "
                          "made from: '%.200s'; give one of them another name",
                          over, path)
                : MT_OK;
}

int mt_stage_check_sources(const char *folder, const struct mt_program *program,
                           struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; status == MT_OK && i < program->ninputs; i++) {
        char *path = mt_asprintf("%s/%s", folder, program->inputs[i].file);
        status = check_source(path, program, err);
        free(path);
    }
    return status;
}

/* A job that Slurm begins again, as after the death of a node, has its number still. */
static int write_folder(FILE *file, const struct mt_launch *launch,
                        struct mt_error *err)
{
    char *path = NULL;
    if (!launch->program->workdir) {
        fputs("stage=$PWD/" MT_STAGE_FOLDER "$SLURM_JOB_ID\n"
              "begin_stage() {\n"
              "    [ -z \"$SLURM_RESTART_COUNT\" ] || rm -rf \"$stage\"\n"
              "    mkdir \"$stage\" && cd \"$stage\" || return\n",
              file);
        return MT_OK;
    }
    int status = mt_fill_path(&path, launch->program->workdir, launch, err);
    if (status == MT_OK)
        status = mt_stage_check_sources(path, launch->program, err);
    if (status == MT_OK) {
        fputs("stage=", file);
        mt_print_shell_word(file, path);
        fputs("\nbegin_stage() {\n    cd \"$stage\" || return\n", file);
    }
    free(path);
    return status;
}

/* Write the text as a document that no line of its own ends; a last line that has no
   end, which documents cannot have, comes by itself. */
static void write_text(FILE *file, const char *name, const char *text)
{
    char end[64] = "MOTLEY_END";
    const char *newline = strrchr(text, '\n'), *last = newline ? newline + 1 : text;
    for (int i = 2; strstr(text, end); i++)
        snprintf(end, sizeof end, "MOTLEY_END_%d", i);
    if (newline) {
        fputs("    cat >", file);
        mt_print_shell_word(file, name);
        fprintf(file, " <<'%s' || return\n%.*s%s\n", end, (int)(last - text), text,
                end);
    }
    if (!newline || *last) {
        fputs("    printf %s ", file);
        mt_print_shell_word(file, last);
        fputs(newline ? " >>" : " >", file);
        mt_print_shell_word(file, name);
        fputs(" || return\n", file);
    }
}

static int write_input(FILE *file, const struct mt_input_file *input,
                       const struct mt_launch *launch, struct mt_error *err)
{
    char *text = NULL;
    const char *slash = strrchr(input->file, '/');
    const int status = mt_fill_input(&text, input, launch, err);
    if (status != MT_OK)
        return status;
    if (slash && slash > input->file) {
        char *folder = mt_asprintf("%.*s", (int)(slash - input->file), input->file);
        fputs("    mkdir -p -- ", file);
        mt_print_shell_word(file, folder);
        fputs(" || return\n", file);
        free(folder);
    }
    if (launch->program->workdir) { /* where it may be a link */
        fputs("    rm -f -- ", file);
        mt_print_shell_word(file, input->file);
        fputs(" || return\n", file);
    }
    write_text(file, input->file, text);
    free(text);
    return MT_OK;
}

static int write_command(FILE *file, char *const *words, const char *otherwise,
                         const struct mt_launch *launch, struct mt_error *err)
{
    char **argv = NULL;
    const int status = mt_fill_command(&argv, words, launch, err);
    if (status == MT_OK) {
        char *line = mt_need(mt_argv_format(argv));
        fprintf(file, "    %s%s\n", line, otherwise);
        free(line);
    }
    mt_argv_free(argv);
    return status;
}

static int write_end(FILE *file, const struct mt_launch *launch, bool remove,
                     struct mt_error *err)
{
    const struct mt_program *program = launch->program;
    int status = MT_OK;
    fputs("end_stage() {\n    cd \"$stage\" || return\n", file);
    if (program->result_file) {
        fputs("    cat <", file);
        mt_print_shell_word(file, program->result_file);
        fputc('\n', file);
    }
    for (int i = 0; status == MT_OK && i < program->ncleanup; i++)
        status = write_command(file, program->cleanup[i], "", launch, err);
    if (remove && !program->workdir)
        fputs("    [ \"$1\" != 0 ] || { cd / && rm -r \"$stage\"; }\n", file);
    fputs("}\n", file);
    return status;
}

int mt_stage_script(FILE *file, const struct mt_launch *launch, bool remove,
                    struct mt_error *err)
{
    const struct mt_program *program = launch->program;
    int status = write_folder(file, launch, err);
    for (int i = 0; status == MT_OK && i < program->ninputs; i++)
        status = write_input(file, &program->inputs[i], launch, err);
    for (int i = 0; status == MT_OK && i < program->nprepare; i++)
        status = write_command(file, program->prepare[i], " || return", launch, err);
    fputs("}\n", file);
    return status == MT_OK ? write_end(file, launch, remove, err) : status;
}
