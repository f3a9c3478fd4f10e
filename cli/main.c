/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/common/command.h"

#include "lib/base/text.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/process/config.h"

struct mt_common_options mt_common;

struct poptOption mt_db_option[] = {
    {"db", 0, POPT_ARG_STRING, &mt_common.db, 0,
     "where runs and models are kept (default: motley.db)", "FILE"},
    POPT_TABLEEND,
};

struct poptOption mt_json_option[] = {
    {"json", 0, POPT_ARG_NONE, &mt_common.json, 0, "print the result as JSON", NULL},
    POPT_TABLEEND,
};

/* In the order in which they are used. */
static const struct mt_command *const commands[] = {
    &mt_command_init,    &mt_command_check,
    &mt_command_measure, &mt_command_fit,
    &mt_command_predict, &mt_command_plan,
    &mt_command_run,     &mt_command_evaluate,
    &mt_command_surface, &mt_command_strassen,
    &mt_command_show,    &mt_command_export,
    &mt_command_import,  &mt_command_testbed,
    &mt_command_tune,    NULL,
};

enum { OPTION_HELP = 'h' };

/* popt takes a table as void *, but does not write to it. */
static void *discard_const(const struct poptOption *options)
{
    void *plain;
    memcpy(&plain, &options, sizeof plain);
    return plain;
}

static const struct mt_command *find_command(const char *name)
{
    for (int i = 0; commands[i]; i++)
        if (!strcmp(commands[i]->name, name))
            return commands[i];
    return NULL;
}

static void print_usage(FILE *stream)
{
    fputs("Usage: motley COMMAND [OPTION...] [ARGUMENT...]\n\n"
          "Plans runs of MPI programs on clusters of unequal nodes.\n\n"
          "Commands:\n",
          stream);
    for (int i = 0; commands[i]; i++)
        fprintf(stream, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    fputs("\n'motley COMMAND --help' lists the options of a command;\n"
          "'motley --version' prints the version.\n",
          stream);
}

/* What is quoted from a file may be anything. */
static void print_error(struct mt_error *err)
{
    fflush(stdout);
    mt_text_clean(err->text);
    if (err->text[0])
        fprintf(stderr, "motley: %s\n", err->text);
}

static int print_commands(void)
{
    for (int i = 0; commands[i]; i++)
        puts(commands[i]->name);
    return EXIT_FINE;
}

static void print_options(const struct poptOption *options)
{
    for (; options->longName || options->shortName || options->arg; options++)
        if ((options->argInfo & POPT_ARG_MASK) == POPT_ARG_INCLUDE_TABLE)
            print_options(options->arg);
        else if (options->longName)
            printf("--%s\n", options->longName);
}

static int list_options(const char *name, struct mt_error *err)
{
    const struct mt_command *command = name ? find_command(name) : NULL;
    if (!command) {
        mt_fail(err, MT_EINVAL, "--list-options needs the name of a command");
        return EXIT_USAGE;
    }
    print_options(command->options);
    puts("--help");
    return EXIT_FINE;
}

/* popt shows argv[0] as the name of the program. */
static void print_command_help(poptContext context, const struct mt_command *command)
{
    char arguments[128];
    snprintf(arguments, sizeof arguments, "[OPTION...]%s%s",
             command->arguments[0] ? " " : "", command->arguments);
    poptSetOtherOptionHelp(context, arguments);
    poptPrintHelp(context, stdout, 0);
    if (command->print_more_help)
        command->print_more_help();
    printf("\nmotley-%s(1) says more.\n", command->name);
}

static int run_command(const struct mt_command *command, int argc, const char **argv,
                       struct mt_error *err)
{
    char name[64];
    snprintf(name, sizeof name, "motley %s", command->name);
    const int own = command->count_own ? command->count_own(argv) : argc;
    argv[0] = name;

    const struct poptOption options[] = {
        {NULL, 0, POPT_ARG_INCLUDE_TABLE, discard_const(command->options), 0, NULL,
         NULL},
        {"help", 'h', POPT_ARG_NONE, NULL, OPTION_HELP, "show this help", NULL},
        POPT_TABLEEND,
    };
    const char *none[] = {NULL};
    void *rest = argv + own;
    mt_common = (struct mt_common_options){.db = "motley.db", .rest = rest};
    poptContext context = poptGetContext(name, own, argv, options, 0);
    int status, code = poptGetNextOpt(context);
    if (code == OPTION_HELP) {
        print_command_help(context, command);
        status = EXIT_FINE;
    } else if (code < -1) {
        mt_fail(err, MT_EINVAL, "%s: '%s'; see 'motley %s --help'", poptStrerror(code),
                poptBadOption(context, POPT_BADOPTION_NOALIAS), command->name);
        status = EXIT_USAGE;
    } else {
        const char **arguments = poptGetArgs(context);
        status = command->run(arguments ? arguments : none, err);
    }
    poptFreeContext(context);
    return status;
}

static int run_named(int argc, const char **argv, struct mt_error *err)
{
    const struct mt_command *command = find_command(argv[0]);
    if (!command) {
        mt_fail(err, MT_EINVAL, "unknown command: '%s'; 'motley help' lists them",
                argv[0]);
        return EXIT_USAGE;
    }
    return run_command(command, argc, argv, err);
}

static int run_main(int argc, const char **argv, struct mt_error *err)
{
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    const char *word = argv[1];
    if (!strcmp(word, "--version")) {
        puts("motley " MT_VERSION);
        return EXIT_FINE;
    }
    if (!strcmp(word, "--list-commands"))
        return print_commands();
    if (!strcmp(word, "--list-options"))
        return list_options(argv[2], err);
    if (!strcmp(word, "help") && argc > 2) {
        const char *help[] = {argv[2], "--help", NULL};
        return run_named(2, help, err);
    }
    if (!strcmp(word, "help") || !strcmp(word, "--help") || !strcmp(word, "-h")) {
        print_usage(stdout);
        return EXIT_FINE;
    }
    return run_named(argc - 1, argv + 1, err);
}

int main(int argc, char **argv)
{
    struct mt_error err = {0};
    signal(SIGCHLD, SIG_DFL); /* who ignores it cannot wait for what it starts */
    void *words = argv;       /* popt wants them const */
    int status = run_main(argc, words, &err);
    if (status != EXIT_FINE)
        print_error(&err);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "motley: the output could not be written\n");
        return EXIT_FAILED;
    }
    return status;
}
