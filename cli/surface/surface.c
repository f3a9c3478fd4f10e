/* SPDX-License-Identifier: BSD-3-Clause */
#include "surface.h"

#include "cli/common/action.h"
#include "cli/common/command.h"

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
static const struct mt_action *const actions[] = {
    &mt_surface_predict, &mt_surface_compare,  &mt_surface_advise,
    &mt_surface_fit,     &mt_surface_evaluate, NULL,
};

static int run(const char **arguments, struct mt_error *err)
{
    return mt_action_run("surface", actions, options, arguments, err);
}

static void print_actions(void)
{
    mt_actions_print(actions);
}

const struct mt_command mt_command_surface = {
    .name = "surface",
    .arguments = "ACTION ARGUMENT...",
    .summary = "Predict a program's efficiency on machines of any size",
    .options = options,
    .run = run,
    .print_more_help = print_actions,
};
