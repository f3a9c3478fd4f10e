/* SPDX-License-Identifier: BSD-3-Clause */
#include "surface.h"

#include "command.h"

#include <stdio.h>
#include <string.h>

struct mt_surface_options mt_surface_options;

static const struct poptOption options[] = {
    {"algorithm", 0, POPT_ARG_STRING, &mt_surface_options.algorithm, 0,
     "which of the machine's algorithms (default: the first)", "NAME"},
    {"nodes", 0, POPT_ARG_STRING, &mt_surface_options.nodes, 0,
     "numbers of nodes: a number, a list, or FROM:TO", "NODES"},
    {"size", 0, POPT_ARG_STRING, &mt_surface_options.sizes, 0,
     "problem sizes: a number, a list, or FROM:TO", "SIZES"},
    {"base", 0, POPT_ARG_STRING, &mt_surface_options.base, 0,
     "predict: the speed-ups over one node at this size", "N"},
    {"efficiency", 0, POPT_ARG_STRING, &mt_surface_options.efficiency, 0,
     "predict: the sizes that reach these efficiencies, such as 0.5,0.8", "E,E"},
    {"plot", 0, POPT_ARG_STRING, &mt_surface_options.plot, 0,
     "draw a picture into a .svg or .png file, or 'term'", "FILE"},
    {"picture", 0, POPT_ARG_STRING, &mt_surface_options.picture, 0,
     "which: contours, surface, sections, speed-ups or speeds", "PICTURE"},
    {"csv", 0, POPT_ARG_NONE, &mt_surface_options.csv, 0, "print the result as CSV",
     NULL},
    {"group", 0, POPT_ARG_STRING, &mt_surface_options.group, 0,
     "fit, evaluate: runs on nodes of this group (default: the only one)", "GROUP"},
    {"processes", 0, POPT_ARG_STRING, &mt_surface_options.processes, 0,
     "fit, evaluate: runs with so many processes on a node (default: 1)", "M"},
    {"speed", 0, POPT_ARG_STRING, &mt_surface_options.speed, 0,
     "fit: the speed of a node at its best, such as 2.78Mf (default: of the best run)",
     "SPEED"},
    {"output", 0, POPT_ARG_STRING, &mt_surface_options.output, 0,
     "fit: write the machine file here", "FILE"},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

/* In the order in which the help lists them. */
static const struct mt_surface_action *const actions[] = {
    &mt_surface_predict, &mt_surface_compare,  &mt_surface_advise,
    &mt_surface_fit,     &mt_surface_evaluate, NULL,
};

/* NULL: there is none, and `err` says so. */
static const struct mt_surface_action *find_action(const char *name,
                                                   struct mt_error *err)
{
    for (int i = 0; name && actions[i]; i++)
        if (!strcmp(actions[i]->name, name))
            return actions[i];
    if (name)
        mt_fail(err, MT_EINVAL,
                "unknown action: '%s'; 'motley surface --help' lists them", name);
    else
        mt_fail(err, MT_EINVAL,
                "say what to do; 'motley surface --help' lists the actions");
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
    if ((option->argInfo & POPT_ARG_MASK) == POPT_ARG_NONE)
        return *(const int *)option->arg != 0;
    const char *value = *(const char *const *)option->arg;
    return value && !(option->arg == &mt_common.db && !strcmp(value, "motley.db"));
}

/* Options that the action would ignore. */
static int check_options(const struct mt_surface_action *action,
                         const struct poptOption *option, struct mt_error *err)
{
    for (; option->longName || option->arg; option++) {
        if ((option->argInfo & POPT_ARG_MASK) == POPT_ARG_INCLUDE_TABLE) {
            const int status = check_options(action, option->arg, err);
            if (status != MT_OK)
                return status;
        } else if (option->longName && is_given(option) &&
                   !is_listed(action->options, option->longName)) {
            return mt_fail(err, MT_EINVAL, "--%s is not for 'surface %s'",
                           option->longName, action->name);
        }
    }
    return MT_OK;
}

static int check_arguments(const struct mt_surface_action *action,
                           const char **arguments, struct mt_error *err)
{
    int count = 0;
    while (arguments[count])
        count++;
    if (count < action->least)
        return mt_fail(err, MT_EINVAL, "'surface %s' wants %s", action->name,
                       action->arguments);
    if (count > action->most)
        return mt_fail(err, MT_EINVAL, "one argument too many: '%s'",
                       arguments[action->most]);
    return MT_OK;
}

static int run(const char **arguments, struct mt_error *err)
{
    const struct mt_surface_action *action = find_action(arguments[0], err);
    if (!action)
        return EXIT_USAGE;
    int status = check_options(action, options, err);
    if (status == MT_OK)
        status = check_arguments(action, arguments + 1, err);
    return status == MT_OK ? action->run(arguments + 1, err) : mt_exit_status(status);
}

static void print_actions(void)
{
    puts("\nActions:");
    for (int i = 0; actions[i]; i++)
        printf("  %s %s\n      %s\n", actions[i]->name, actions[i]->arguments,
               actions[i]->summary);
}

const struct mt_command mt_command_surface = {
    .name = "surface",
    .arguments = "ACTION ARGUMENT...",
    .summary = "Predict a program's efficiency on machines of any size",
    .options = options,
    .run = run,
    .print_more_help = print_actions,
};
