/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * command.h - subcommands of motley, and the parts that they share.
 *
 * A command parses its options with popt from its own table, prints results on stdout
 * and chatter on stderr, and returns its exit status. It prints no errors: it fills
 * `err` and returns EXIT_FAILED or EXIT_USAGE; command.c prints. The first lines of
 * -h, the bash completion and the SYNOPSIS of the man page come from struct mt_command.
 */
#ifndef MT_CLI_COMMAND_H
#define MT_CLI_COMMAND_H

#include "motley/error.h"

#include <popt.h>

enum {
    EXIT_FINE = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_FOUND = 3,      /* nothing failed, but check found something wrong */
    EXIT_SIGNALLED = 128 /* plus the signal that asked motley to stop */
};

struct mt_command {
    const char *name;
    const char *arguments; /* after the options, as the synopsis shows them */
    const char *summary;   /* one line */
    const struct poptOption *options; /* ends with POPT_TABLEEND */
    /* `arguments` are those that popt left, NULL-terminated. */
    int (*run)(const char **arguments, struct mt_error *err);
    /* For a command whose line may end with another command: how many of `words`,
       starting with the command's name, are its own. NULL: all. */
    int (*count_own)(const char **words);
    /* Extends the reason why an option was refused. NULL: nothing is added. */
    void (*explain_refusal)(struct mt_error *err);
    /* Print what --help says after the options. NULL: nothing. */
    void (*print_more_help)(void);
    /* The path of the program that main.c starts for this command; the caller frees it.
       The command then has only this, a name and a summary. NULL: `run` is the
       command. */
    char *(*program)(void);
};

/* One command a file: cli/FOLDER/NAME.c. */
extern const struct mt_command mt_command_init, mt_command_measure, mt_command_fit,
    mt_command_predict, mt_command_plan, mt_command_weights, mt_command_run,
    mt_command_evaluate, mt_command_show, mt_command_export, mt_command_import,
    mt_command_check, mt_command_surface, mt_command_strassen, mt_command_tune,
    mt_command_patient, mt_command_report, mt_command_scaling;

/* Options that several commands share; command.c resets them before a command runs. */
struct mt_common_options {
    const char *db;    /* the store; default "motley.db" */
    int json;          /* results as JSON on stdout */
    char *const *rest; /* borrowed, ended by NULL: the words that are not the command's
                          own */
};
extern struct mt_common_options mt_common;
/* Their popt tables, to be put into a command's own with POPT_ARG_INCLUDE_TABLE. */
extern struct poptOption mt_db_option[];
extern struct poptOption mt_json_option[];

/* The exit status of a command that fails with this enum mt_status: EXIT_USAGE for what
   the user wrote (MT_EINVAL, MT_EPARSE), otherwise EXIT_FAILED. */
int mt_exit_status(int status);

/* All of motley's main(): run the command that the first argument names. The list ends
   with NULL. */
int mt_commands_main(const struct mt_command *const *commands, int argc, char **argv);

/* All of main() for a program that is one of motley's commands. */
int mt_command_main(const struct mt_command *command, int argc, char **argv);

/* Actions of a command that has several, as 'motley surface predict', with their
   arguments and options. */

/* 'motley COMMAND NAME ARGUMENTS'. */
struct mt_action {
    const char *name;
    const char *arguments; /* as the help shows them */
    const char *summary;   /* one line */
    int least, most;       /* how many arguments */
    /* The names of its options, ended by NULL; all others are refused. */
    const char *const *options;
    /* Returns an exit status. `arguments` follow the name, ended by NULL. */
    int (*run)(const char **arguments, struct mt_error *err);
};

/*
 * Run the action that the first argument names; the list ends with NULL. `command` is
 * the name of the command, `options` are all of its options. Returns an exit status:
 * EXIT_USAGE for an unknown action, or for an option or a number of arguments that it
 * does not take.
 */
int mt_action_run(const char *command, const struct mt_action *const *actions,
                  const struct poptOption *options, const char **arguments,
                  struct mt_error *err);
/* The list, for --help. */
void mt_actions_print(const struct mt_action *const *actions);

#endif
