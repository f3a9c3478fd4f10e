/* SPDX-License-Identifier: BSD-3-Clause */
/* motley's main(): finds the command, parses its options, prints help and errors; and
   the actions of commands that have several. */
#include "command.h"

#include "cli/process/config.h"
#include "cli/process/folders.h"
#include "lib/base/options.h"
#include "lib/base/text.h"
#include "outlet.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

int mt_exit_status(int status)
{
    switch (status) {
    case MT_OK:
        return EXIT_FINE;
    case MT_EINVAL:
    case MT_EPARSE:
        return EXIT_USAGE;
    default:
        return EXIT_FAILED;
    }
}

enum { OPTION_HELP = 'h' };

/* popt takes a table as void *, but does not write to it. */
static void *discard_const(const struct poptOption *options)
{
    void *plain;
    memcpy(&plain, &options, sizeof plain);
    return plain;
}

static const struct mt_command *find_command(const struct mt_command *const *commands,
                                             const char *name)
{
    for (int i = 0; commands[i]; i++)
        if (!strcmp(commands[i]->name, name))
            return commands[i];
    return NULL;
}

static void print_usage(const struct mt_command *const *commands, FILE *stream)
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

/* Quotes from files may contain anything; none of their lines may look like ours. */
static void print_error(struct mt_error *err)
{
    fflush(stdout);
    mt_text_clean_line(err->text);
    if (err->text[0])
        fprintf(stderr, "motley: %s\n", err->text);
}

static int print_commands(const struct mt_command *const *commands)
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

static int list_options(const struct mt_command *command)
{
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
    int status, code;
    do
        code = poptGetNextOpt(context);
    while (code == MT_OPTION_NUMBER);
    if (code == OPTION_HELP) {
        print_command_help(context, command);
        status = EXIT_FINE;
    } else if (code < -1) {
        mt_options_refuse(options, name, poptBadOption(context, POPT_BADOPTION_NOALIAS),
                          poptStrerror(code), err);
        if (command->explain_refusal)
            command->explain_refusal(err);
        status = EXIT_USAGE;
    } else if (mt_options_read_numbers(options, err) != MT_OK) {
        status = EXIT_USAGE;
    } else {
        const char **arguments = poptGetArgs(context);
        status = command->run(arguments ? arguments : none, err);
    }
    poptFreeContext(context);
    return status;
}

/* Replace this process by the program of the command. */
static int become(const struct mt_command *command, const char **argv,
                  struct mt_error *err)
{
    char *path = command->program();
    void *arguments = argv; /* as execv() wants them, which does not write to them */
    if (path) {
        argv[0] = path;
        execv(path, arguments);
        mt_fail(err, MT_EIO, "'%s' cannot be started: %s", path, strerror(errno));
    } else {
        char part[64];
        snprintf(part, sizeof part, "motley-%s", command->name);
        (void)mt_own_missing(part, err);
    }
    free(path);
    return EXIT_FAILED;
}

static int run_named(const struct mt_command *const *commands, int argc,
                     const char **argv, struct mt_error *err)
{
    const struct mt_command *command = find_command(commands, argv[0]);
    if (!command) {
        struct mt_closest closest = {.word = argv[0]};
        for (int i = 0; commands[i]; i++)
            mt_closest_try(&closest, commands[i]->name);
        mt_fail(err, MT_EINVAL, "unknown command: '%s'; %s'%s'%s", argv[0],
                closest.name ? "did you mean " : "",
                closest.name ? closest.name : "motley help",
                closest.name ? "?" : " lists them");
        return EXIT_USAGE;
    }
    return command->program ? become(command, argv, err)
                            : run_command(command, argc, argv, err);
}

static int list_options_of(const struct mt_command *const *commands, const char *name,
                           struct mt_error *err)
{
    const struct mt_command *command = name ? find_command(commands, name) : NULL;
    const char *list[] = {name, "--list-options", NULL};
    if (!command) {
        mt_fail(err, MT_EINVAL, "--list-options needs the name of a command");
        return EXIT_USAGE;
    }
    return command->program ? become(command, list, err) : list_options(command);
}

static int run_motley(const struct mt_command *const *commands, int argc,
                      const char **argv, struct mt_error *err)
{
    if (argc < 2) {
        print_usage(commands, stderr);
        return EXIT_USAGE;
    }
    const char *word = argv[1];
    if (!strcmp(word, "--version")) {
        puts("motley " MT_VERSION);
        return EXIT_FINE;
    }
    if (!strcmp(word, "--list-commands"))
        return print_commands(commands);
    if (!strcmp(word, "--list-options"))
        return list_options_of(commands, argv[2], err);
    if (!strcmp(word, "help") && argc > 2) {
        const char *help[] = {argv[2], "--help", NULL};
        return run_named(commands, 2, help, err);
    }
    if (!strcmp(word, "help") || !strcmp(word, "--help") || !strcmp(word, "-h")) {
        print_usage(commands, stdout);
        return EXIT_FINE;
    }
    return run_named(commands, argc - 1, argv + 1, err);
}

/* End a program with `status`: print the error, and check that all output was
   written. */
static int finish(int status, struct mt_error *err)
{
    if (status != EXIT_FINE)
        print_error(err);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "motley: the output could not be written\n");
        return EXIT_FAILED;
    }
    return status;
}

int mt_commands_main(const struct mt_command *const *commands, int argc, char **argv)
{
    struct mt_error err = {0};
    void *words = argv; /* popt wants them const */
    mt_outlet_begin();
    signal(SIGCHLD, SIG_DFL); /* a process that ignores it cannot wait for its
                                 children */
    return finish(run_motley(commands, argc, words, &err), &err);
}

int mt_command_main(const struct mt_command *command, int argc, char **argv)
{
    struct mt_error err = {0};
    void *words = argv;
    mt_outlet_begin();
    signal(SIGCHLD, SIG_DFL);
    const bool list = argc > 1 && !strcmp(argv[1], "--list-options");
    return finish(
        list ? list_options(command) : run_command(command, argc, words, &err), &err);
}

/* NULL if no action has this name; `err` says so. */
static const struct mt_action *find_action(const char *command,
                                           const struct mt_action *const *actions,
                                           const char *name, struct mt_error *err)
{
    for (int i = 0; name && actions[i]; i++)
        if (!strcmp(actions[i]->name, name))
            return actions[i];
    struct mt_closest closest = {.word = name ? name : ""};
    for (int i = 0; name && actions[i]; i++)
        mt_closest_try(&closest, actions[i]->name);
    if (closest.name)
        mt_fail(err, MT_EINVAL, "unknown action: '%s'; did you mean '%s'?", name,
                closest.name);
    else if (name)
        mt_fail(err, MT_EINVAL, "unknown action: '%s'; 'motley %s --help' lists them",
                name, command);
    else
        mt_fail(err, MT_EINVAL, "say what to do; 'motley %s --help' lists the actions",
                command);
    return NULL;
}

static bool is_listed(const char *const *names, const char *name)
{
    for (; *names; names++)
        if (!strcmp(*names, name))
            return true;
    return false;
}

/* The store has a default, so it counts as given only if it differs. */
static bool is_given(const struct poptOption *option)
{
    const unsigned kind = option->argInfo & POPT_ARG_MASK;
    if (kind == POPT_ARG_NONE)
        return *(const int *)option->arg != 0;
    const char *value = *(const char *const *)option->arg;
    return value && !(option->arg == &mt_common.db && !strcmp(value, "motley.db"));
}

/* Options that the action would ignore. */
static int check_action_options(const char *command, const struct mt_action *action,
                                const struct poptOption *option, struct mt_error *err)
{
    for (; option->longName || option->arg; option++) {
        if ((option->argInfo & POPT_ARG_MASK) == POPT_ARG_INCLUDE_TABLE) {
            const int status = check_action_options(command, action, option->arg, err);
            if (status != MT_OK)
                return status;
        } else if (option->longName && is_given(option) &&
                   !is_listed(action->options, option->longName)) {
            return mt_fail(err, MT_EINVAL, "--%s is not for '%s %s'", option->longName,
                           command, action->name);
        }
    }
    return MT_OK;
}

static int check_action_arguments(const char *command, const struct mt_action *action,
                                  const char **arguments, struct mt_error *err)
{
    int count = 0;
    while (arguments[count])
        count++;
    if (count < action->least)
        return mt_fail(err, MT_EINVAL, "'%s %s' wants %s", command, action->name,
                       action->arguments);
    if (count > action->most)
        return mt_fail(err, MT_EINVAL, "one argument too many: '%s'",
                       arguments[action->most]);
    return MT_OK;
}

int mt_action_run(const char *command, const struct mt_action *const *actions,
                  const struct poptOption *options, const char **arguments,
                  struct mt_error *err)
{
    const struct mt_action *action = find_action(command, actions, arguments[0], err);
    if (!action)
        return EXIT_USAGE;
    int status = check_action_options(command, action, options, err);
    if (status == MT_OK)
        status = check_action_arguments(command, action, arguments + 1, err);
    return status == MT_OK ? action->run(arguments + 1, err) : mt_exit_status(status);
}

void mt_actions_print(const struct mt_action *const *actions)
{
    puts("\nActions:");
    for (int i = 0; actions[i]; i++)
        printf("  %s %s\n      %s\n", actions[i]->name, actions[i]->arguments,
               actions[i]->summary);
}
