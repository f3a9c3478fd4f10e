/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads how a program is run: commands, input files, folder and environment. */
#include "program_run.h"

#include "internal.h"
#include "lib/yaml/formula.h"
#include "template.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The longest template. */
enum { MOST_BYTES = 1024 * 1024 };
/* What to do with a file that is not a template. */
static const char copied[] =
    "without placeholders it can be copied by 'prepare': [cp, '{folder}/FILE', .]";

/* The i-th entry of `input`, or a member of it. */
static int entry_node(const struct mt_yaml *yaml, int i, const char *key)
{
    const int list = mt_yaml_member(yaml, mt_yaml_root(yaml), "input");
    const int entry = mt_yaml_item(yaml, list, i);
    return key ? mt_yaml_member(yaml, entry, key) : entry;
}

/* Whether a path stays below the folder in which it begins. */
static bool is_below(const char *path)
{
    if (path[0] == '\0' || path[0] == '/' || path[strlen(path) - 1] == '/')
        return false;
    for (const char *part = path; *part;) {
        const size_t length = strcspn(part, "/");
        if (length == 2 && strncmp(part, "..", 2) == 0)
            return false;
        part += length + (part[length] == '/');
    }
    return true;
}

/* Normalise a path: a/./b and a//b become a/b. */
static void simplify(char *path)
{
    char *to = path;
    for (const char *from = path; *from;) {
        const size_t length = strcspn(from, "/"),
                     whole = length + (from[length] == '/');
        if ((length > 0 || from == path) && !(length == 1 && from[0] == '.')) {
            memmove(to, from, whole);
            to += whole;
        }
        from += whole;
    }
    *to = '\0';
}

/* Whether two paths are equal, or one is a parent folder of the other. */
static bool are_in_the_way(const char *path, const char *other)
{
    const size_t length = strlen(path), longer = strlen(other);
    const size_t least = length < longer ? length : longer;
    return strncmp(path, other, least) == 0 &&
           (length == longer || (length < longer ? other : path)[least] == '/');
}

/* Open a regular file; not a pipe, which would block. */
static int open_template(FILE **stream, const char *path)
{
    struct stat info = {.st_mode = 0};
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    int reason = file < 0 || fstat(file, &info) != 0 ? errno : 0;
    if (reason == 0 && !S_ISREG(info.st_mode))
        reason = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
    *stream = reason == 0 ? fdopen(file, "r") : NULL;
    if (reason == 0 && !*stream)
        reason = errno;
    if (file >= 0 && !*stream)
        close(file);
    return reason;
}

/* Read all of a text file; the caller adds the place to an error. */
static int read_text(char **content, const char *path, struct mt_error *err)
{
    FILE *stream = NULL;
    const int reason = open_template(&stream, path);
    if (reason != 0)
        return mt_fail(err, MT_EIO, "cannot read '%s': %s", path, strerror(reason));
    char *text = calloc(MOST_BYTES + 2, 1);
    int status = text ? MT_OK : mt_fail(err, MT_ENOMEM, "no memory for '%s'", path);
    const size_t length = text ? fread(text, 1, MOST_BYTES + 1, stream) : 0;
    if (status == MT_OK && ferror(stream))
        status = mt_fail(err, MT_EIO, "cannot read '%s': %s", path, strerror(errno));
    if (status == MT_OK && length > MOST_BYTES)
        status = mt_fail(err, MT_EINVAL, "'%s' is longer than 1 MiB; %s", path, copied);
    if (status == MT_OK && memchr(text, 0, length))
        status = mt_fail(err, MT_EINVAL, "'%s' is not text: it has a zero byte; %s",
                         path, copied);
    fclose(stream);
    char *exact = status == MT_OK ? strndup(text, length) : NULL;
    free(text);
    if (status == MT_OK && !exact)
        status = mt_fail(err, MT_ENOMEM, "no memory for '%s'", path);
    if (status == MT_OK)
        *content = exact;
    return status;
}

char *mt_program_template(const struct mt_program *program, const char *name)
{
    char *path;
    const char *slash = strrchr(program->path, '/');
    const int folder = slash && name[0] != '/' ? (int)(slash - program->path) + 1 : 0;
    return asprintf(&path, "%.*s%s", folder, program->path, name) < 0 ? NULL : path;
}

static int read_template(struct mt_input_file *input, const struct mt_program *program,
                         const struct mt_yaml *yaml, int node, struct mt_error *err)
{
    struct mt_error reason;
    char *path = mt_program_template(program, input->source);
    if (!path)
        return mt_fail(err, MT_ENOMEM, "no memory for a path");
    int status = read_text(&input->content, path, &reason);
    free(path);
    if (status == MT_ENOMEM)
        return mt_fail(err, status, "%s", reason.text);
    return status == MT_OK
               ? MT_OK
               : mt_yaml_fail(yaml, node, err, "'template': %s", reason.text);
}

static int check_placeholders(const struct mt_input_file *input, int *variables,
                              const struct mt_yaml *yaml, int node,
                              struct mt_error *err)
{
    struct mt_error reason;
    const int status = mt_template_check(input->content, variables, &reason);
    if (status == MT_OK)
        return MT_OK;
    if (status == MT_ENOMEM)
        return mt_fail(err, status, "%s", reason.text);
    return input->source ? mt_yaml_fail(yaml, node, err, "template '%.80s': %s",
                                        input->source, reason.text)
                         : mt_yaml_fail(yaml, node, err, "'content' of '%.80s': %s",
                                        input->file, reason.text);
}

static int complete_input(struct mt_program *program, int i, int *variables,
                          const struct mt_yaml *yaml, struct mt_error *err)
{
    struct mt_input_file *input = &program->inputs[i];
    const int node = entry_node(yaml, i, NULL), file = entry_node(yaml, i, "file"),
              template = entry_node(yaml, i, "template");
    int status = MT_OK;
    simplify(input->file);
    if (!is_below(input->file))
        return mt_yaml_fail(yaml, file, err,
                            "'file' must be a path in the run's folder, not '%.80s'",
                            input->file);
    for (int j = 0; j < i; j++)
        if (strcmp(program->inputs[j].file, input->file) == 0)
            return mt_yaml_fail(yaml, file, err, "input file '%.80s' comes twice",
                                input->file);
        else if (are_in_the_way(program->inputs[j].file, input->file))
            return mt_yaml_fail(
                yaml, file, err,
                "input files '%.80s' and '%.80s' exclude each other: one "
                "would be a folder",
                program->inputs[j].file, input->file);
    if (!input->source == !input->content)
        return mt_yaml_fail(yaml, node, err,
                            "input file '%.80s' needs either a 'template', which is a "
                            "path, or its 'content'",
                            input->file);
    if (input->source)
        status = read_template(input, program, yaml, template, err);
    return status == MT_OK
               ? check_placeholders(
                     input, variables, yaml,
                     template ? template : entry_node(yaml, i, "content"), err)
               : status;
}

/* Whether the file names more than one size. */
static bool has_several_sizes(const struct mt_program *program)
{
    if (program->nmeasure_sizes > 1 || program->nplan_sizes > 1)
        return true;
    return program->nplan_sizes == 1 &&
           (program->plan_sizes[0] < program->measure_sizes[0] ||
            program->plan_sizes[0] > program->measure_sizes[0]);
}

/* Add what the placeholders of the words, which may be NULL, depend on. */
static int find_variables(int *variables, char *const *words, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; status == MT_OK && words && words[i]; i++)
        status = mt_template_check(words[i], variables, err);
    return status;
}

/* The variables in all placeholders except those of the two commands and the input
   files. */
static int find_other_variables(int *variables, const struct mt_program *program,
                                const struct mt_yaml *yaml, struct mt_error *err)
{
    const int workdir = mt_yaml_member(yaml, mt_yaml_root(yaml), "workdir");
    struct mt_error reason;
    int status = find_variables(variables, program->env, err);
    for (int i = 0; status == MT_OK && i < program->nprepare; i++)
        status = find_variables(variables, program->prepare[i], err);
    if (status == MT_OK && program->workdir &&
        mt_template_check(program->workdir, variables, &reason) != MT_OK)
        status = mt_yaml_fail(yaml, workdir, err, "'workdir': %s", reason.text);
    return status;
}

/* The file of weights is one of the input files. */
static int add_weights_file(struct mt_program *program, const struct mt_yaml *yaml,
                            struct mt_error *err)
{
    for (int i = 0; i < program->ninputs; i++)
        if (are_in_the_way(program->inputs[i].file, MT_WEIGHTS_FILE))
            return mt_yaml_fail(yaml, entry_node(yaml, i, "file"), err,
                                "'%.80s' is in the way of what {weights_file} stands "
                                "for",
                                program->inputs[i].file);
    struct mt_input_file *inputs =
        reallocarray(program->inputs, (size_t)program->ninputs + 1, sizeof *inputs);
    if (!inputs)
        return mt_fail(err, MT_ENOMEM, "no memory for input files");
    program->inputs = inputs;
    inputs[program->ninputs++] = (struct mt_input_file){
        .file = strdup(MT_WEIGHTS_FILE), .content = strdup("{weights_lines}\n")};
    return inputs[program->ninputs - 1].file && inputs[program->ninputs - 1].content
               ? MT_OK
               : mt_fail(err, MT_ENOMEM, "no memory for input files");
}

/* `variables`: those in all placeholders except those of the commands and `cleanup`. */
static int find_weights(struct mt_program *program, int variables,
                        const struct mt_yaml *yaml, struct mt_error *err)
{
    int status = find_variables(&variables, program->command, err);
    if (status == MT_OK)
        status = find_variables(&variables, program->simulated, err);
    for (int i = 0; status == MT_OK && i < program->ncleanup; i++)
        status = find_variables(&variables, program->cleanup[i], err);
    program->weights = variables & (MT_USES_WEIGHTS | MT_USES_WEIGHTS_FILE);
    return status == MT_OK && variables & MT_USES_WEIGHTS_FILE
               ? add_weights_file(program, yaml, err)
               : status;
}

/* Each command must depend on the size; `variables` are those in the rest of the
   file. */
static int check_size_counts(const struct mt_program *program, int variables,
                             const struct mt_yaml *yaml, struct mt_error *err)
{
    static const char *const keys[] = {"command", "simulated"};
    char *const *const commands[] = {program->command, program->simulated};
    int status = MT_OK;
    for (int i = 0; status == MT_OK && i < 2 && has_several_sizes(program); i++) {
        int all = variables;
        status = find_variables(&all, commands[i], err);
        if (status == MT_OK && commands[i] && !(all & MT_USES_N))
            status = mt_yaml_fail(
                yaml, mt_yaml_member(yaml, mt_yaml_root(yaml), keys[i]), err,
                "'%s'%s no placeholder that depends on N: it would do the same for "
                "all sizes; write {N} where the program gets its size",
                keys[i], program->ninputs > 0 ? " and 'input' have" : " has");
    }
    return status;
}

/* Launchers take this word for the end of the program's arguments, and start another
   program after it. */
static int check_one_program(const struct mt_program *program,
                             const struct mt_yaml *yaml, struct mt_error *err)
{
    for (char **word = program->command; *word; word++)
        if (strcmp(*word, ":") == 0)
            return mt_yaml_fail(
                yaml, mt_yaml_member(yaml, mt_yaml_root(yaml), "command"), err,
                "'command' has the word ':', which stands between the programs of a "
                "job "
                "(MPMD): motley starts one program on all ranks");
    return MT_OK;
}

/* In a folder that is kept, an earlier run's file would be taken for this run's
   result. */
static int check_result_file(const struct mt_program *program,
                             const struct mt_yaml *yaml, struct mt_error *err)
{
    const char *key = program->rate_match ? "rate" : "time";
    const int map = mt_yaml_member(yaml, mt_yaml_root(yaml), key),
              file = mt_yaml_member(yaml, map, "file");
    if (!program->result_file)
        return MT_OK;
    if (!is_below(program->result_file))
        return mt_yaml_fail(yaml, file, err,
                            "'file' of '%s' must be a path in the run's folder, not "
                            "'%.80s'",
                            key, program->result_file);
    if (!mt_program_has_folder(program) || program->workdir)
        return mt_yaml_fail(yaml, file, err,
                            "'file' of '%s' is for runs in folders of their own: it "
                            "needs 'input', 'prepare' or 'cleanup', and no 'workdir'",
                            key);
    return MT_OK;
}

/* The number is that of the run's configuration. */
static int check_threads(const struct mt_program *program, const struct mt_yaml *yaml,
                         struct mt_error *err)
{
    static const char name[] = "OMP_NUM_THREADS=";
    const int env = mt_yaml_member(yaml, mt_yaml_root(yaml), "env");
    for (int i = 0; program->nthreads > 0 && program->env && program->env[i]; i++)
        if (strncmp(program->env[i], name, sizeof name - 1) == 0)
            return mt_yaml_fail(yaml, env, err,
                                "'env' has OMP_NUM_THREADS, which 'threads' sets for "
                                "each run: leave out one of them");
    return MT_OK;
}

int mt_program_complete_run(struct mt_program *program, const struct mt_yaml *yaml,
                            struct mt_error *err)
{
    int variables = 0, status = check_one_program(program, yaml, err);
    if (status == MT_OK)
        status = check_result_file(program, yaml, err);
    if (status == MT_OK)
        status = check_threads(program, yaml, err);
    for (int i = 0; status == MT_OK && i < program->ninputs; i++)
        status = complete_input(program, i, &variables, yaml, err);
    if (status == MT_OK)
        status = find_other_variables(&variables, program, yaml, err);
    if (status == MT_OK)
        status = check_size_counts(program, variables, yaml, err);
    if (status == MT_OK)
        status = find_weights(program, variables, yaml, err);
    return status;
}
