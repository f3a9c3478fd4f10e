/* SPDX-License-Identifier: BSD-3-Clause */
/* 'motley init': the command, its options, and a program file made from a command line
   that works: its largest whole number becomes the problem size. */
#include "init.h"

#include "cli/common/command.h"
#include "cli/process/folders.h"
#include "cli/process/memory.h"
#include "lib/base/argv.h"
#include "lib/base/text.h"
#include "lib/input/internal.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Values of the options, written by popt. */
static struct {
    const char *from;
    const char *partition;
    const char *cluster;
    const char *program;
    char **command; /* owned; of the program to be run; NULL: none */
    struct mt_init_input input;
} wanted;

static const struct poptOption options[] = {
    {"from", 0, POPT_ARG_STRING, &wanted.from, 0,
     "where the nodes are known: 'hostfile=FILE', 'slurm', 'pbs', 'lsf' or 'machine' "
     "(default: slurm if it answers, else this machine)",
     "SOURCE"},
    {"partition", 0, POPT_ARG_STRING, &wanted.partition, 0,
     "only the nodes of these partitions of Slurm", "NAME[,NAME...]"},
    {"cluster", 0, POPT_ARG_STRING, &wanted.cluster, 0,
     "the cluster file to write (default: both, cluster.yaml and program.yaml)",
     "FILE"},
    {"program", 0, POPT_ARG_STRING, &wanted.program, 0,
     "the program file to write, which ends in .yaml; or a program, for which "
     "program.yaml is written, with the arguments that follow; behind two hyphens "
     "these "
     "may have options: --program ./a.out -- --size 300",
     "FILE"},
    {"input", 0, POPT_ARG_STRING, &wanted.input.path, 0,
     "a file that the program reads its size from, here", "FILE"},
    {"size", 0, POPT_ARG_STRING, &wanted.input.size, 0,
     "the number of that file that is the size, by the word before it (default: ask)",
     "NAME"},
    POPT_TABLEEND,
};

static const char hostfile_prefix[] = "hostfile=";

/* Whether --program names a program to run, here or on PATH, and not the file to
   write. */
static bool is_program(const char *name)
{
    char *found = name ? mt_find_in(".", 1, name) : NULL;
    if (name && !found)
        found = mt_find_on_path(name);
    free(found);
    return found != NULL;
}

/* No such program exists, and it is not the name of a program file. */
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
static void take_command(const char **arguments)
{
    mt_words_add(&wanted.command, "%s", wanted.program);
    for (int i = 0; arguments[i]; i++)
        mt_words_add(&wanted.command, "%s", arguments[i]);
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
    if (wanted.input.path && !wanted.command)
        return mt_fail(err, MT_EINVAL, "--input is for --program with a program");
    if (wanted.input.size && !wanted.input.path) {
        mt_fail(err, MT_EINVAL, "--size is for --input");
        explain_refusal(err);
        return MT_EINVAL;
    }
    if (wanted.from && !wanted.cluster)
        return mt_fail(err, MT_EINVAL, "--from is for a cluster file; give --cluster");
    if (wanted.partition && !wanted.cluster)
        return mt_fail(err, MT_EINVAL,
                       "--partition is for a cluster file; give --cluster");
    if (wanted.partition && wanted.from && strcmp(wanted.from, "slurm") != 0)
        return mt_fail(err, MT_EINVAL, "--partition is for --from slurm");
    /* Check both before writing either. */
    for (int i = 0; i < 2; i++)
        if (paths[i] && access(paths[i], F_OK) == 0)
            return mt_fail(err, MT_EINVAL, "the file exists already: '%s'", paths[i]);
    return MT_OK;
}

/* Without --from. */
static int look_around(struct mt_found_nodes *found, const char **origin,
                       struct mt_error *err)
{
    struct mt_error reason;
    *origin = "what sinfo lists";
    int status = mt_init_from_slurm(found, NULL, &reason);
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
    const char *from = wanted.from ? wanted.from : wanted.partition ? "slurm" : NULL;
    if (!from)
        return look_around(found, origin, err);
    if (strncmp(from, hostfile_prefix, strlen(hostfile_prefix)) == 0) {
        *origin = "a hostfile";
        return mt_init_from_hostfile(found, from + strlen(hostfile_prefix), err);
    }
    if (strcmp(from, "slurm") == 0) {
        *origin = "what sinfo lists";
        return mt_init_from_slurm(found, wanted.partition, err);
    }
    if (strcmp(from, "pbs") == 0) {
        *origin = "PBS_NODEFILE";
        return mt_init_from_job(found, *origin, err);
    }
    if (strcmp(from, "lsf") == 0) {
        *origin = "LSB_MCPU_HOSTS";
        return mt_init_from_job(found, *origin, err);
    }
    if (strcmp(from, "machine") == 0) {
        *origin = "this machine";
        return mt_init_from_machine(found, err);
    }
    return mt_fail(err, MT_EINVAL,
                   "unknown source: '%s' (hostfile=FILE, slurm, pbs, lsf or machine)",
                   from);
}

/* Without slots, equal nodes are only a guess. */
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
    mt_found_clear(&found);
    return status;
}

/* Larger sizes are not exact. */
static const double largest_size = 9007199254740992.0; /* 2^53 */

/* The size argument: its index, the place of its digits, and its value. */
struct size {
    int argument; /* 0: none is */
    int begin;
    double value;
};

bool mt_init_read_size(double *size, const char *word)
{
    const size_t length = strlen(word);
    if (length == 0 || length > 16 || strspn(word, "0123456789") != length ||
        word[0] == '0')
        return false;
    *size = strtod(word, NULL);
    return *size > 1 && *size <= largest_size;
}

/* The whole number of a word such as 100 or --size=100. */
static bool read_size(struct size *size, const char *word)
{
    const char *equals = strrchr(word, '='), *digits = equals ? equals + 1 : word;
    size->begin = (int)(digits - word);
    return mt_init_read_size(&size->value, digits);
}

static struct size find_size(char *const *argv)
{
    struct size largest = {0}, size = {0};
    for (int i = 1; argv[i]; i++)
        if (read_size(&size, argv[i]) && size.value > largest.value) {
            largest = size;
            largest.argument = i;
        }
    return largest;
}

/* Print a text in YAML's single quotes. */
static void write_quoted(FILE *file, const char *word, const struct size *size, int i)
{
    fputc('\'', file);
    for (int at = 0; word[at]; at++) {
        if (size->argument == i && i > 0 && at == size->begin)
            break;
        fprintf(file, word[at] == '\'' ? "''" : "%c", word[at]);
    }
    fputs(size->argument == i && i > 0 ? "{N}'" : "'", file);
}

/* Up to five different sizes, from a quarter of the size to all of it. */
static int choose_sizes(double sizes[5], double value)
{
    static const double shares[5] = {0.25, 0.35, 0.5, 0.7, 1};
    int count = 0;
    for (int i = 0; i < 5; i++) {
        const double size = (double)(long long)(shares[i] * value + 0.5);
        if (size >= 1 && (count == 0 || size > sizes[count - 1]))
            sizes[count++] = size;
    }
    return count;
}

static void write_sizes(FILE *file, const struct size *size)
{
    double sizes[5] = {0};
    const int count = choose_sizes(sizes, size->value);
    if (size->value == 0) {
        fputs(
            "# It has no number that could be its size, and is measured as it is. "
            "Where\n"
            "# it takes one, write {N} there, and give five sizes or more; if it reads "
            "it\n"
            "# from a file, say so by 'motley init --input FILE'.\n"
            "sizes: {measure: [1]}\n",
            file);
        return;
    }
    fputs("# Those that are measured; plan for what you want to run.\n"
          "sizes:\n  measure: [",
          file);
    for (int i = 0; i < count; i++)
        fprintf(file, "%s%.0f", i > 0 ? ", " : "", sizes[i]);
    fputs("]\n", file);
    if (2 * size->value <= largest_size)
        fprintf(file, "  plan: [%.0f]\n", 2 * size->value);
}

static void write_file(FILE *file, const char *name, char *const *argv,
                       const struct size *size)
{
    const struct size none = {0};
    fputs("# A program file, see motley-program(5); written by 'motley init'.\nname: ",
          file);
    write_quoted(file, name, &none, 0);
    fputs("\ncommand: [", file);
    for (int i = 0; argv[i]; i++) {
        fputs(i > 0 ? ", " : "", file);
        write_quoted(file, argv[i], size, i);
    }
    fputs("]\n# From its start to its end. Better is what it prints of itself:\n"
          "# time: {match: 'time ([0-9.eE+-]+) s'}\n"
          "time: wall\n",
          file);
    if (wanted.input.file) {
        fputs("# Written into the folder of each run, with N filled in.\n"
              "input:\n  - file: ",
              file);
        write_quoted(file, wanted.input.file, &none, 0);
        fputs("\n    template: ", file);
        write_quoted(file, wanted.input.template, &none, 0);
        fputc('\n', file);
    }
    write_sizes(file, size);
    fputs("timeout: 10 min\n", file);
}

/* Line ends and control characters have no place in a file for people. */
static int check_words(char *const *argv, struct mt_error *err)
{
    for (int i = 0; argv[i]; i++)
        for (const char *at = argv[i]; *at; at++)
            if ((unsigned char)*at < ' ' || *at == 0x7F)
                return mt_fail(err, MT_EINVAL,
                               "argument %d has control characters: write the program "
                               "file by hand",
                               i);
    return MT_OK;
}

/* Write a program file for the command, and print on stdout what it measures. If no
   argument is a number, it measures the program as it is, with a comment on where to
   insert the size. The file is read again as a check. */
static int write_command(const char *path, char *const *argv, struct mt_error *err)
{
    const char *slash = strrchr(argv[0], '/');
    struct mt_init_input *input = &wanted.input;
    struct size size = {0};
    FILE *file = NULL;
    int status = check_words(argv, err);
    if (status == MT_OK && input->path)
        status = mt_init_read_input(input, err);
    const bool has_template = status == MT_OK && input->path;
    if (input->path)
        size.value = input->value;
    else
        size = find_size(argv);
    if (status == MT_OK)
        status = mt_init_create(&file, path, err);
    if (status != MT_OK) {
        if (has_template)
            unlink(input->template);
        return status;
    }
    write_file(file, slash ? slash + 1 : argv[0], argv, &size);
    status = mt_init_finish_program(file, path, err);
    if (status == MT_OK && input->path)
        status = mt_init_prove(input, path, err);
    else if (status == MT_OK && size.argument > 0)
        printf("%s: N stands for '%s', and is measured up to that\n", path,
               argv[size.argument]);
    else if (status == MT_OK)
        printf("%s: no argument is a number: put in where the size comes from\n", path);
    if (status != MT_OK && has_template) {
        unlink(path);
        unlink(input->template);
    }
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
        take_command(arguments);
    else if (wanted.program && !is_program_file(wanted.program))
        status = refuse_program(wanted.program, err);
    if (status == MT_OK)
        status = check_options(arguments, err);
    if (status == MT_OK && wanted.cluster)
        status = write_cluster(err);
    if (status == MT_OK && wanted.command) {
        status = write_command(program_file(), wanted.command, err);
    } else if (status == MT_OK && wanted.program) {
        status = mt_init_write_program(wanted.program, err);
        if (status == MT_OK)
            printf("%s: put in your program's command and sizes\n", wanted.program);
    }
    mt_argv_free(wanted.command);
    mt_init_clear_input(&wanted.input);
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
