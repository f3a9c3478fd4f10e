/* SPDX-License-Identifier: BSD-3-Clause */
#include "action.h"

#include "command.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* NULL: there is none, and `err` says so. */
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

/* The store has a default, and so counts as given only where it is another one. */
static bool is_given(const struct poptOption *option)
{
    const unsigned kind = option->argInfo & POPT_ARG_MASK;
    if (kind == POPT_ARG_NONE)
        return *(const int *)option->arg != 0;
    const char *value = *(const char *const *)option->arg;
    return value && !(option->arg == &mt_common.db && !strcmp(value, "motley.db"));
}

/* Options that the action would ignore. */
static int check_options(const char *command, const struct mt_action *action,
                         const struct poptOption *option, struct mt_error *err)
{
    for (; option->longName || option->arg; option++) {
        if ((option->argInfo & POPT_ARG_MASK) == POPT_ARG_INCLUDE_TABLE) {
            const int status = check_options(command, action, option->arg, err);
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

static int check_arguments(const char *command, const struct mt_action *action,
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
    int status = check_options(command, action, options, err);
    if (status == MT_OK)
        status = check_arguments(command, action, arguments + 1, err);
    return status == MT_OK ? action->run(arguments + 1, err) : mt_exit_status(status);
}

void mt_actions_print(const struct mt_action *const *actions)
{
    puts("\nActions:");
    for (int i = 0; actions[i]; i++)
        printf("  %s %s\n      %s\n", actions[i]->name, actions[i]->arguments,
               actions[i]->summary);
}
