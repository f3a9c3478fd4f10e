/* SPDX-License-Identifier: BSD-3-Clause */
#include "script.h"

#include "cli/process/memory.h"
#include "job.h"
#include "lib/base/argv.h"
#include "lib/base/draft.h"
#include "lib/base/hostlist.h"
#include "lib/input/internal.h"
#include "parts.h"
#include "stage_script.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A job's name: what is no letter of a word there becomes '-'. */
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
    const struct {
        const char *option, *value;
    } options[] = {{"partition", request->partition},
                   {"account", request->account},
                   {"qos", request->qos},
                   {"constraint", request->constraint},
                   {"gres", request->gres}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].value)
            mt_words_add(argv, "--%s=%s", options[i].option, options[i].value);
}

/* The nodes' names, each once. */
static char *format_nodes(const struct mt_part *part)
{
    char **hosts = mt_calloc((size_t)part->nodes + 1, sizeof *hosts);
    int count = 0;
    for (int i = 0; i < part->ranks; i++)
        if (i == 0 || strcmp(part->hosts[i], part->hosts[i - 1]) != 0)
            hosts[count++] = part->hosts[i];
    char *text = mt_need(mt_hostlist_format(hosts, count));
    free(hosts);
    return text;
}

static void write_part(FILE *file, const struct mt_part *part, double seconds)
{
    const double most_minutes = 1e6;
    char **words = NULL, *nodes = format_nodes(part);
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

/* The files that MT_SCRIPT_NODELIST names: a node a line here, a rank a line there. */
static void write_hosts(FILE *file, const struct mt_parts *parts)
{
    fputs("hosts=$(mktemp -d) || exit\n"
          "trap 'rm -rf \"$hosts\"' EXIT\n"
          "list() { while read -r host ranks; do yes \"$host\" | head -n \"$ranks\"; "
          "done; }\n",
          file);
    for (int i = 0; i < parts->count; i++) {
        const struct mt_part *part = &parts->parts[i];
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
    mt_memory_close(stream);
    return line;
}

/* Of the end only when it is whole and so is what was printed, as who reads it may be
   another machine. Stages are no part of the run. */
static void write_recorded(FILE *file, const struct mt_script *script,
                           const char *command, bool staged)
{
    char limit[64] = ""; /* Slurm's is in minutes */
    if (isfinite(script->seconds))
        snprintf(limit, sizeof limit, "timeout --kill-after=30 %.3f ", script->seconds);
    fputs("record=", file);
    mt_print_shell_word(file, script->record);
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

/* All but the command and what is around it. */
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
    fputs("\ncd ", file);
    mt_print_shell_word(file, folder);
    fputs(" || exit\n", file);
    free(folder);
    write_hosts(file, parts);
    for (int i = 0; env && env[i]; i++) {
        const size_t value = strcspn(env[i], "=") + 1;
        fprintf(file, "export %.*s", (int)value, env[i]);
        mt_print_shell_word(file, env[i] + value);
        fputc('\n', file);
    }
    return MT_OK;
}

static int write_all(FILE *file, const struct mt_script *script, struct mt_error *err)
{
    const struct mt_launch *launch = script->launch;
    const struct mt_allocation none = {0};
    const bool staged = mt_program_has_folder(launch->program);
    struct mt_parts parts = {0};
    struct mt_job job = {0};
    int status = mt_job_make(&job, launch, err);
    if (status == MT_OK)
        status = mt_parts_make(&parts, launch, &none, err);
    if (status == MT_OK)
        status = write_beginning(file, script, &parts, job.env, err);
    if (status == MT_OK && staged)
        status = mt_stage_script(file, launch, script->remove_folder, err);
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

int mt_script_check(const struct mt_cluster *cluster, struct mt_error *err)
{
    return cluster->launcher == MT_LAUNCH_SLURM
               ? MT_OK
               : mt_fail(err, MT_EINVAL,
                         "jobs for sbatch are for launcher slurm, not %s: cluster '%s'",
                         mt_launcher_name(cluster->launcher), cluster->name);
}

int mt_script_print(const struct mt_script *script, FILE *stream, struct mt_error *err)
{
    const int status = mt_script_check(script->launch->cluster, err);
    return status == MT_OK ? write_all(stream, script, err) : status;
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
