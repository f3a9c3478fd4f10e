/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * action.h - the actions of a command that has several, as 'motley surface predict':
 * which there are, and what each of them takes.
 */
#ifndef MT_CLI_ACTION_H
#define MT_CLI_ACTION_H

#include "motley/error.h"

#include <popt.h>

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
 * Run the action, out of a list that ends with NULL, that the first argument names.
 * `command` is the name of the command, `options` are all of its options. Returns an
 * exit status: EXIT_USAGE when there is no such action, or an option or a number of
 * arguments that it does not take.
 */
int mt_action_run(const char *command, const struct mt_action *const *actions,
                  const struct poptOption *options, const char **arguments,
                  struct mt_error *err);
/* The list, for --help. */
void mt_actions_print(const struct mt_action *const *actions);

#endif
