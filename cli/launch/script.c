/* SPDX-License-Identifier: BSD-3-Clause */
/* Job scripts for sbatch: the request, the folder of the run as functions of the shell,
   the command; and the environment for submitting a script. */
#include "script.h"

#include "cli/process/memory.h"
#include "fill.h"
#include "job.h"
#include "lib/base/argv.h"
#include "lib/base/draft.h"
#include "lib/base/hostlist.h"
#include "lib/input/internal.h"
#include "lib/input/program_run.h"
#include "parts.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* A job's name: characters that are not allowed in a word become '-'. */
char *mt_script_name(const struct mt_program *program, const char *suffix)
{
    char *name = mt_asprintf("motley-%.60s%s%s", program->name, suffix ? "-" : "",
                             suffix ? suffix : "");
    for (char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("_.", *at))
            *at = '-';
    return name;
}

void mt_script_add_request(char ***argv, const struct mt_slurm_request *request)
{
    struct mt_request_value values[MT_REQUEST_VALUES];
    mt_request_values(values, request);
    for (int i = 0; i < MT_REQUEST_VALUES; i++)
        if (values[i].value)
            mt_words_add(argv, "--%s=%s", values[i].option, values[i].value);
}

/* A word, quoted for the shell, between two texts that need no quotes. */
static void write_word(FILE *file, const char *before, const char *word,
                       const char *after)
{
    fputs(before, file);
    mt_print_shell_word(file, word);
    fputs(after, file);
}

/* Whether two paths are the same file; the first is not followed if it is a link. */
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
    if (status == MT_OK)
        write_word(file, "stage=", path,
                   "\nbegin_stage() {\n    cd \"$stage\" || return\n");
    free(path);
    return status;
}

/* Write the text as a here-document, with a delimiter that no line of it equals; a last
   line without a line end is written separately. */
static void write_text(FILE *file, const char *name, const char *text)
{
    char end[64] = "MOTLEY_END";
    const char *newline = strrchr(text, '\n'), *last = newline ? newline + 1 : text;
    for (int i = 2; strstr(text, end); i++)
        snprintf(end, sizeof end, "MOTLEY_END_%d", i);
    if (newline) {
        write_word(file, "    cat >", name, "");
        fprintf(file, " <<'%s' || return\n%.*s%s\n", end, (int)(last - text), text,
                end);
    }
    if (!newline || *last) {
        write_word(file, "    printf %s ", last, newline ? " >>" : " >");
        write_word(file, "", name, " || return\n");
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
        write_word(file, "    mkdir -p -- ", folder, " || return\n");
        free(folder);
    }
    if (launch->program->workdir) /* if it is a link */
        write_word(file, "    rm -f -- ", input->file, " || return\n");
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
    if (program->result_file)
        write_word(file, "    cat <", program->result_file, "\n");
    for (int i = 0; status == MT_OK && i < program->ncleanup; i++)
        status = write_command(file, program->cleanup[i], "", launch, err);
    if (remove && !program->workdir)
        fputs("    [ \"$1\" != 0 ] || { cd / && rm -r \"$stage\"; }\n", file);
    fputs("}\n", file);
    return status;
}

/*
 * Write two shell functions: `begin_stage` makes the folder motley-run-JOB in the
 * current one, or goes to that of `workdir`, writes the input files and runs `prepare`;
 * it fails if one of these does. `end_stage STATUS` prints the program's result file,
 * if it has one, runs `cleanup` and, if `remove` and STATUS is 0, removes a folder that
 * was made.
 */
static int write_stage(FILE *file, const struct mt_launch *launch, bool remove,
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

static void write_part(FILE *file, const struct mt_part *part, double seconds)
{
    const double most_minutes = 1e6;
    char **words = NULL, *nodes = mt_part_nodes(part);
    mt_script_add_request(&words, part->request);
    for (int i = 0; words && words[i]; i++)
        fprintf(file, "#SBATCH %s\n", words[i]);
    fprintf(file, "#SBATCH --nodelist=%s\n#SBATCH --nodes=%d\n#SBATCH --exclusive\n",
            nodes, part->nodes);
    if (isfinite(seconds))
        fprintf(file, "#SBATCH --time=%.0f\n",
                fmin(fmax(ceil(seconds / 60), 1), most_minutes));
    mt_argv_free(words);
    free(nodes);
}

static void write_parts(FILE *file, const struct mt_parts *parts, double seconds)
{
    for (int i = 0; i < parts->count; i++) {
        if (i > 0)
            fputs("#SBATCH hetjob\n", file);
        write_part(file, &parts->parts[i], seconds);
    }
}

/* The files of MT_SCRIPT_NODELIST: here a node a line, there a rank a line. */
static void write_hosts(FILE *file, const struct mt_parts *parts)
{
    bool any = false;
    for (int i = 0; i < parts->count; i++)
        any = any || parts->parts[i].per_node == 0;
    if (!any)
        return;
    fputs("hosts=$(mktemp -d) || exit\n"
          "trap 'rm -rf \"$hosts\"' EXIT\n"
          "list() { while read -r host ranks; do yes \"$host\" | head -n \"$ranks\"; "
          "done; }\n",
          file);
    for (int i = 0; i < parts->count; i++) {
        const struct mt_part *part = &parts->parts[i];
        if (part->per_node > 0)
            continue;
        fprintf(file, "list >\"$hosts/%d\" <<'END'\n", i);
        for (int rank = 0, next; rank < part->ranks; rank = next) {
            for (next = rank + 1; next < part->ranks &&
                                  strcmp(part->hosts[next], part->hosts[rank]) == 0;)
                next++;
            fprintf(file, "%s %d\n", part->hosts[rank], next - rank);
        }
        fputs("END\n", file);
    }
}

/* The words for a shell, with the folder of the hosts. The caller frees them. */
static char *format_command(char *const *argv)
{
    char *line;
    size_t length;
    FILE *stream = mt_memory_open(&line, &length);
    for (; *argv; argv++) {
        if (strncmp(*argv, MT_SCRIPT_NODELIST, strlen(MT_SCRIPT_NODELIST)) == 0)
            fprintf(stream, "\"%s\"", *argv);
        else
            mt_print_shell_word(stream, *argv);
        fputs(argv[1] ? " " : "", stream);
    }
    mt_memory_close(stream, &line);
    return line;
}

/* Record the end only after the output is completely written: the reader may be another
   machine. Stages are not part of the run. */
static void write_recorded(FILE *file, const struct mt_script *script,
                           const char *command, bool staged)
{
    char limit[64] = ""; /* Slurm's is in minutes */
    if (isfinite(script->seconds))
        snprintf(limit, sizeof limit, "timeout --kill-after=30 %.3f ", script->seconds);
    write_word(file, "record=", script->record, "");
    fprintf(file,
            "\n%sdate +%%s.%%N >\"$record/began\"\n"
            "%s%s%s\n"
            "status=$?\n"
            "echo \"$status $(date +%%s.%%N)\" >\"$record/ending\"\n"
            "%ssync \"$record/output\" 2>/dev/null\n"
            "mv \"$record/ending\" \"$record/ended\"\n"
            "exit $status\n",
            staged ? "begin_stage\nprepared=$?\n" : "",
            staged ? "(exit $prepared) && " : "", limit, command,
            staged ? "end_stage $status\n" : "");
}

static void write_unrecorded(FILE *file, const char *command, bool staged)
{
    if (staged)
        fprintf(file,
                "begin_stage && %s\n"
                "status=$?\n"
                "end_stage $status\n"
                "exit $status\n",
                command);
    else
        fprintf(file, "%s\n", command);
}

/* Write everything except the command and its surroundings. */
static int write_beginning(FILE *file, const struct mt_script *script,
                           const struct mt_parts *parts, char *const *env,
                           struct mt_error *err)
{
    char *name = mt_script_name(script->launch->program, NULL);
    fprintf(file, "#!/bin/bash\n#SBATCH --job-name=%s\n", name);
    free(name);
    write_parts(file, parts, script->seconds);
    char *folder = getcwd(NULL, 0);
    if (!folder)
        return mt_fail(err, MT_EIO, "the current folder is unknown: %s",
                       strerror(errno));
    write_word(file, "\ncd ", folder, " || exit\n");
    free(folder);
    write_hosts(file, parts);
    for (int i = 0; env && env[i]; i++) {
        const size_t value = strcspn(env[i], "=") + 1;
        fprintf(file, "export %.*s", (int)value, env[i]);
        write_word(file, "", env[i] + value, "\n");
    }
    return MT_OK;
}

int mt_script_check(const struct mt_cluster *cluster, struct mt_error *err)
{
    return cluster->launcher == MT_LAUNCH_SLURM
               ? MT_OK
               : mt_fail(err, MT_EINVAL,
                         "jobs for sbatch are for launcher slurm, not %s: cluster '%s'",
                         mt_launcher_name(cluster->launcher), cluster->name);
}

int mt_script_print(const struct mt_script *script, FILE *file, struct mt_error *err)
{
    const struct mt_launch *launch = script->launch;
    const struct mt_allocation none = {0};
    const bool staged = mt_program_has_folder(launch->program);
    struct mt_parts parts = {0};
    struct mt_job job = {0};
    int status = mt_script_check(launch->cluster, err);
    if (status == MT_OK)
        status = mt_job_make(&job, launch, err);
    if (status == MT_OK)
        status = mt_parts_make(&parts, launch, &none, err);
    if (status == MT_OK)
        status = write_beginning(file, script, &parts, job.env, err);
    if (status == MT_OK && staged)
        status = write_stage(file, launch, script->remove_folder, err);
    char *command = status == MT_OK ? format_command(job.argv) : NULL;
    if (command && script->record)
        write_recorded(file, script, command, staged);
    else if (command)
        write_unrecorded(file, command, staged);
    free(command);
    mt_parts_clear(&parts);
    mt_job_clear(&job);
    return status;
}

int mt_script_write(const struct mt_script *script, const char *path,
                    struct mt_error *err)
{
    struct mt_draft draft;
    int status = mt_draft_open(&draft, path, err);
    if (status != MT_OK)
        return status;
    status = mt_script_print(script, draft.stream, err);
    return mt_draft_close(&draft, status, err);
}

static bool begins(const char *variable, const char *prefix)
{
    return strncmp(variable, prefix, strlen(prefix)) == 0;
}

/* Whether it is the variable of that name, as "NAME=VALUE". */
static bool is_named(const char *variable, const char *name)
{
    return begins(variable, name) && variable[strlen(name)] == '=';
}

static bool is_one_of(const char *variable, const char *const *names)
{
    for (; *names; names++)
        if (is_named(variable, *names))
            return true;
    return false;
}

/* Whether a used group requests the same as the variable, as SBATCH_QOS. */
static bool is_requested(const char *variable, const struct mt_launch *launch)
{
    static const char prefix[] = "SBATCH_";
    struct mt_request_value values[MT_REQUEST_VALUES];
    const char *name = variable + sizeof prefix - 1;
    if (!begins(variable, prefix))
        return false;
    for (int g = 0; g < launch->cluster->ngroups; g++) {
        mt_request_values(values, &launch->cluster->groups[g].slurm);
        for (int i = 0; i < MT_REQUEST_VALUES; i++) {
            const size_t length = strlen(values[i].option);
            if (launch->configuration->use[g].nodes > 0 && values[i].value &&
                strncasecmp(name, values[i].option, length) == 0 && name[length] == '=')
                return true;
        }
    }
    return false;
}

/* These would make several jobs (arrays), use another cluster, separate errors from the
   output, or let sbatch wait for the job. */
static bool is_in_the_way(const char *variable)
{
    static const char *const names[] = {"SBATCH_ARRAY_INX", "SBATCH_CLUSTERS",
                                        "SBATCH_ERROR", "SBATCH_WAIT", NULL};
    return is_one_of(variable, names);
}

/* A user who submits the script without motley may want these. */
static bool is_left_out(const char *variable, const struct mt_script *script)
{
    return is_named(variable, "SBATCH_EXCLUSIVE") ||
           (is_named(variable, "SBATCH_TIMELIMIT") && isfinite(script->seconds)) ||
           is_requested(variable, script->launch) ||
           (script->record && is_in_the_way(variable));
}

/* Variables of the Slurm job around motley, which the new job would take for its
   own. */
static bool is_of_outer_job(const char *variable)
{
    static const char *const settings[] = {"SLURM_CLUSTERS",    "SLURM_CONF",
                                           "SLURM_CONF_SERVER", "SLURM_JWT",
                                           "SLURM_MPI_TYPE",    NULL};
    return getenv("SLURM_JOB_ID") && begins(variable, "SLURM_") &&
           !is_one_of(variable, settings);
}

char **mt_script_environment(const struct mt_script *script)
{
    char **env = NULL;
    for (char **variable = environ; *variable; variable++)
        if (!is_left_out(*variable, script) && !is_of_outer_job(*variable))
            mt_words_add(&env, "%s", *variable);
    return env;
}

char *mt_script_left_out(const struct mt_script *script)
{
    char *text = NULL;
    for (char **variable = environ; *variable; variable++) {
        if (!is_left_out(*variable, script))
            continue;
        const int length = (int)strcspn(*variable, "=");
        char *longer = mt_asprintf("%s%s%.*s", text ? text : "", text ? ", " : "",
                                   length, *variable);
        free(text);
        text = longer;
    }
    return text;
}
