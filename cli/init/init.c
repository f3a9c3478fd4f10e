/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/common/command.h"
#include "cli/process/folders.h"
#include "lib/base/argv.h"
#include "lib/base/text.h"
#include "lib/input/internal.h"
#include "program.h"
#include "sources.h"
#include "write.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the options say; popt writes here. */
static struct {
    const char *from;
    const char *cluster;
    const char *program;
    char **command; /* owned; of the program to be run; NULL: there is none */
} wanted;

static const struct poptOption options[] = {
    {"from", 0, POPT_ARG_STRING, &wanted.from, 0,
     "where the nodes are known: 'hostfile=FILE', 'slurm' or 'machine' (default: slurm "
     "if it answers, else this machine)",
     "SOURCE"},
    {"cluster", 0, POPT_ARG_STRING, &wanted.cluster, 0,
     "the cluster file to write (default: both, cluster.yaml and program.yaml)",
     "FILE"},
    {"program", 0, POPT_ARG_STRING, &wanted.program, 0,
     "the program file to write, which ends in .yaml; or a program, for which "
     "program.yaml is written, with the arguments that follow; behind two hyphens "
     "these "
     "may have options: --program ./a.out -- --size 300",
     "FILE"},
    POPT_TABLEEND,
};

static const char hostfile_prefix[] = "hostfile=";

/* Whether --program names what is to be run, here or on PATH, and not the file to
 * write.
 */
static bool is_program(const char *name)
{
    char *found = name ? mt_find_in(".", 1, name) : NULL;
    if (name && !found)
        found = mt_find_on_path(name);
    free(found);
    return found != NULL;
}

/* Nobody calls a program so, and a file that is to be written otherwise. */
static bool is_program_file(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

/* Where --program names neither. */
static int refuse_program(const char *name, struct mt_error *err)
{
    return access(name, F_OK) == 0
               ? mt_fail(err, MT_EINVAL, "--program: '%.200s' is not executable", name)
               : mt_fail(err, MT_EINVAL,
                         "--program: no program '%.200s' is %s; the name of a program "
                         "file that is to be written ends in .yaml",
                         name, strchr(name, '/') ? "there" : "here or on PATH");
}

static void explain_refusal(struct mt_error *err)
{
    if (is_program(wanted.program))
        mt_fail(err, err->status,
                "%.200s; options of '%.80s' stand behind two hyphens: motley init "
                "--program %.80s -- OPTION...",
                err->text, wanted.program, wanted.program);
}

/* Take the program and its arguments for a command. */
static int take_command(const char **arguments, struct mt_error *err)
{
    int status = mt_argv_add(&wanted.command, err, "%s", wanted.program);
    for (int i = 0; status == MT_OK && arguments[i]; i++)
        status = mt_argv_add(&wanted.command, err, "%s", arguments[i]);
    return status;
}

/* The program file to write, or NULL. */
static const char *program_file(void)
{
    return wanted.command ? "program.yaml" : wanted.program;
}

static int check_options(const char **arguments, struct mt_error *err)
{
    const char *const paths[] = {wanted.cluster, program_file()};
    if (arguments[0] && !wanted.command)
        return mt_fail(err, MT_EINVAL, "one argument too many: '%s'", arguments[0]);
    if (wanted.from && !wanted.cluster)
        return mt_fail(err, MT_EINVAL, "--from is for a cluster file; give --cluster");
    /* Both are looked at before either is written. */
    for (int i = 0; i < 2; i++)
        if (paths[i] && access(paths[i], F_OK) == 0)
            return mt_fail(err, MT_EINVAL, "there is such a file already: '%s'",
                           paths[i]);
    return MT_OK;
}

/* Without --from. */
static int look_around(struct mt_found_nodes *found, const char **origin,
                       struct mt_error *err)
{
    struct mt_error reason;
    *origin = "what sinfo lists";
    int status = mt_init_from_slurm(found, &reason);
    if (status == MT_OK)
        return MT_OK;
    mt_text_clean_line(reason.text);
    if (status != MT_ENOTFOUND)
        fprintf(stderr, "motley: Slurm is left aside: %s\n", reason.text);
    mt_found_clear(found);
    *origin = "this machine";
    return mt_init_from_machine(found, err);
}

static int find_nodes(struct mt_found_nodes *found, const char **origin,
                      struct mt_error *err)
{
    if (!wanted.from)
        return look_around(found, origin, err);
    if (strncmp(wanted.from, hostfile_prefix, strlen(hostfile_prefix)) == 0) {
        *origin = "a hostfile";
        return mt_init_from_hostfile(found, wanted.from + strlen(hostfile_prefix), err);
    }
    if (strcmp(wanted.from, "slurm") == 0) {
        *origin = "what sinfo lists";
        return mt_init_from_slurm(found, err);
    }
    if (strcmp(wanted.from, "machine") == 0) {
        *origin = "this machine";
        return mt_init_from_machine(found, err);
    }
    return mt_fail(err, MT_EINVAL,
                   "unknown source: '%s' (hostfile=FILE, slurm or machine)",
                   wanted.from);
}

/* Without slots, that nodes are equal is no more than a guess. */
static void say_guessed(const struct mt_found_nodes *found)
{
    int guessed = 0;
    for (int i = 0; i < found->count; i++)
        guessed += found->nodes[i].guessed;
    if (guessed > 0)
        fprintf(
            stderr,
            "motley: the hostfile gives no slots for %d of %d hosts: their cores are "
            "unknown, and they are taken for equal nodes with one process each; "
            "write 'HOST slots=CORES'\n",
            guessed, found->count);
}

static int write_cluster(struct mt_error *err)
{
    struct mt_found_nodes found = {0};
    const char *origin = "";
    int status = find_nodes(&found, &origin, err);
    if (status == MT_OK)
        status = mt_init_write_cluster(&found, wanted.cluster, origin, err);
    if (status == MT_OK)
        say_guessed(&found);
    if (status == MT_OK)
        printf("%s: %d node%s, launcher %s\n", wanted.cluster, found.count,
               found.count == 1 ? "" : "s", mt_launcher_name(found.launcher));
    mt_found_clear(&found);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    if (!wanted.cluster && !wanted.program) {
        wanted.cluster = "cluster.yaml";
        wanted.program = "program.yaml";
    }
    int status = MT_OK;
    if (is_program(wanted.program))
        status = take_command(arguments, err);
    else if (wanted.program && !is_program_file(wanted.program))
        status = refuse_program(wanted.program, err);
    if (status == MT_OK)
        status = check_options(arguments, err);
    if (status == MT_OK && wanted.cluster)
        status = write_cluster(err);
    if (status == MT_OK && wanted.command) {
        status = mt_init_write_command(program_file(), wanted.command, err);
    } else if (status == MT_OK && wanted.program) {
        status = mt_init_write_program(wanted.program, err);
        if (status == MT_OK)
            printf("%s: put in your program's command and sizes\n", wanted.program);
    }
    mt_argv_free(wanted.command);
    return mt_exit_status(status);
}

const struct mt_command mt_command_init = {
    .name = "init",
    .arguments = "[[--] ARGUMENT...]",
    .summary = "Write a cluster file and a program file to start from",
    .options = options,
    .run = run,
    .explain_refusal = explain_refusal,
};
