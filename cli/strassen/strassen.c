/* SPDX-License-Identifier: BSD-3-Clause */
#include "strassen.h"

#include "cli/common/command.h"
#include "options.h"

static const struct poptOption options[] = {
    {"sizes", 0, POPT_ARG_STRING, &mt_strassen_options.sizes, 0,
     "measure: products of these sizes (default: 1200,2000,3000)", "N,N"},
    {"repeat", 0, POPT_ARG_STRING, &mt_strassen_options.repeat, MT_OPTION_NUMBER,
     "measure: runs of each (default: 3)", "NUMBER"},
    {"dry-run", 0, POPT_ARG_NONE, &mt_strassen_options.dry_run, 0,
     "measure: show what would run", NULL},
    {"quiet", 0, POPT_ARG_NONE, &mt_strassen_options.quiet, 0,
     "measure: no progress bar", NULL},
    {"size", 0, POPT_ARG_STRING, &mt_strassen_options.size, 0,
     "the product: N, or MxNxK (C is M x N, A is M x K)", "SIZE"},
    {"configuration", 0, POPT_ARG_STRING, &mt_strassen_options.configuration, 0,
     "the nodes and processes (default: all nodes)", "CONFIGURATION"},
    {"most", 0, POPT_ARG_STRING, &mt_strassen_options.most, MT_OPTION_NUMBER,
     "cut into G x G blocks at most (default: 16)", "G"},
    {"cut", 0, POPT_ARG_STRING, &mt_strassen_options.partition, 0,
     "equal, greedy, recursive or auto (default: the best)", "KIND"},
    {"as-in-paper", 0, POPT_ARG_NONE, &mt_strassen_options.as_in_paper, 0,
     "plan, report: compare with the paper's greedy and recursive partitions, too",
     NULL},
    {"write", 0, POPT_ARG_STRING, &mt_strassen_options.write, 0,
     "plan: write the partition, see motley-cut(5)", "FILE"},
    {"plot", 0, POPT_ARG_STRING, &mt_strassen_options.plot, 0,
     "plan: draw the partition, run: what each rank did when; a .svg or .png file, or "
     "'term'",
     "FILE"},
    {"output", 'o', POPT_ARG_STRING, &mt_strassen_options.output, 0,
     "report: the page, an HTML file", "FILE"},
    {"force", 0, POPT_ARG_NONE, &mt_strassen_options.force, 0,
     "report: replace a file that is no page of motley, too", NULL},
    {"cut-file", 0, POPT_ARG_STRING, &mt_strassen_options.partition_file, 0,
     "run: cut as this file says", "FILE"},
    {"no-check", 0, POPT_ARG_NONE, &mt_strassen_options.no_check, 0,
     "run: do not check the result", NULL},
    {"timeout", 0, POPT_ARG_STRING, &mt_strassen_options.timeout, 0,
     "measure, run: of a run, as '90 s' (default: 1 h)", "TIME"},
    {"seed", 0, POPT_ARG_STRING, &mt_strassen_options.seed, MT_OPTION_NUMBER,
     "measure, run: of simulated noise (default: 0)", "NUMBER"},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

/* In the order in which they are used. */
static const struct mt_action *const actions[] = {
    &mt_strassen_measure,
    &mt_strassen_plan,
    &mt_strassen_report,
    &mt_strassen_run,
    NULL,
};

static int run(const char **arguments, struct mt_error *err)
{
    return mt_action_run("strassen", actions, options, arguments, err);
}

static void print_actions(void)
{
    mt_actions_print(actions);
}

const struct mt_command mt_command_strassen = {
    .name = "strassen",
    .arguments = "ACTION CLUSTER",
    .summary = "Multiply matrices on unequal nodes by Strassen's method",
    .options = options,
    .run = run,
    .print_more_help = print_actions,
};
