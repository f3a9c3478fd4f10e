/* SPDX-License-Identifier: BSD-3-Clause */
#include "testbed.h"

#include "command.h"
#include "folders.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *node_name;

static const struct poptOption options[] = {
    {"node", 0, POPT_ARG_STRING, &node_name, 0, "this node only (exec: not the head)",
     "NODE"},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

/* For each action: what follows `testbed ACTION FILE` on the command line. */
struct action {
    const char *name;
    int (*run)(const struct mt_testbed *testbed, const struct mt_testbed_node *node,
               struct mt_error *err);
};

/* On a machine with fewer cores than its testbed promises, nodes are slower than they
   should be, and not always by the same. */
static void warn_of_cores(const struct mt_testbed *testbed)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    double promised = 0;
    for (int i = 0; i < testbed->nnodes; i++)
        promised += testbed->nodes[i].cores;
    if (promised > (double)processors)
        fprintf(stderr,
                "motley: the nodes have %g cores together, this machine has %ld: they "
                "will be in each other's way\n",
                promised, processors);
}

static int up(const struct mt_testbed *testbed, const struct mt_testbed_node *node,
              struct mt_error *err)
{
    warn_of_cores(testbed);
    return mt_exit_status(node_name ? mt_testbed_node_up(testbed, node, err)
                                    : mt_testbed_up(testbed, err));
}

static int down(const struct mt_testbed *testbed, const struct mt_testbed_node *node,
                struct mt_error *err)
{
    int status = node_name ? mt_testbed_node_down(testbed, node, err)
                           : mt_testbed_down(testbed->name, err);
    if (status == MT_ENOTFOUND) { /* as it is wanted */
        fprintf(stderr, "motley: %s\n", err->text);
        return EXIT_FINE;
    }
    return mt_exit_status(status);
}

static int print_status(const struct mt_testbed *testbed,
                        const struct mt_testbed_node *node, struct mt_error *err)
{
    bool complete = false;
    (void)node;
    if (node_name) {
        mt_fail(err, MT_EINVAL, "--node is not for 'testbed status'");
        return EXIT_USAGE;
    }
    int status = mt_testbed_print_status(testbed, &complete, err);
    if (status == MT_OK && !complete)
        return EXIT_FAILED;
    return mt_exit_status(status);
}

/* So that programs on the node find motley, and what stands in for ssh. */
static int put_own_folder_first(struct mt_error *err)
{
    char folder[PATH_MAX], *path = NULL;
    const char *old = getenv("PATH");
    if (!mt_own_folder(folder))
        return mt_fail(err, MT_EIO, "motley's own folder is unknown");
    if (asprintf(&path, "%s%s%s", folder, old ? ":" : "", old ? old : "") < 0)
        return mt_fail(err, MT_ENOMEM, "no memory for a search path");
    setenv("PATH", path, 1);
    free(path);
    return MT_OK;
}

static int execute(const struct mt_testbed *testbed, const struct mt_testbed_node *node,
                   struct mt_error *err)
{
    char *const *command = mt_common.rest;
    if (!command || !command[0]) {
        mt_fail(err, MT_EINVAL, "a command is needed: testbed exec FILE COMMAND");
        return EXIT_USAGE;
    }
    int status = mt_testbed_join(testbed->name, node->name, err);
    if (status == MT_OK)
        status = put_own_folder_first(err);
    if (status == MT_OK) {
        execvp(command[0], command);
        status = mt_fail(err, MT_ENOTFOUND, "cannot start '%s': %s", command[0],
                         strerror(errno));
    }
    return mt_exit_status(status);
}

static const struct action actions[] = {
    {"up", up},        {"down", down}, {"status", print_status},
    {"exec", execute}, {NULL, NULL},
};

static const struct action *find_action(const char *name, struct mt_error *err)
{
    for (int i = 0; name && actions[i].name; i++)
        if (!strcmp(actions[i].name, name))
            return &actions[i];
    mt_fail(err, MT_EINVAL,
            name ? "up, down, status or exec? not '%s'"
                 : "say what to do: up, down, status or exec%s",
            name ? name : "");
    return NULL;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct mt_cluster cluster = {0};
    struct mt_testbed testbed = {0};
    const struct mt_testbed_node *node = NULL;
    const struct action *action = find_action(arguments[0], err);
    if (!action)
        return EXIT_USAGE;
    if (!arguments[1] || arguments[2]) {
        mt_fail(err, MT_EINVAL,
                arguments[1] ? "one argument too many: '%s'" : "a cluster is needed%s",
                arguments[1] ? arguments[2] : "");
        return EXIT_USAGE;
    }
    int status = mt_cluster_input(&cluster, arguments[1], err);
    if (status == MT_OK)
        status = mt_testbed_init(&testbed, &cluster, err);
    if (status == MT_OK)
        status = mt_testbed_find_node(&node, &testbed, node_name, err);
    int exit_status =
        status ? mt_exit_status(status) : action->run(&testbed, node, err);
    mt_testbed_clear(&testbed);
    mt_cluster_clear(&cluster);
    return exit_status;
}

/* 'testbed exec FILE' goes on with a command of its own. */
static int count_own(const char **words)
{
    enum { ACTION = 1, COMMAND = 3 };
    bool has_command = false;
    int i = 0;
    for (int plain = 0; words[i]; i++) {
        if (!strcmp(words[i], "--node") && words[i + 1]) {
            i++;
        } else if (words[i][0] != '-') {
            if (plain == ACTION)
                has_command = !strcmp(words[i], "exec");
            if (plain == COMMAND && has_command)
                return i;
            plain++;
        }
    }
    return i;
}

const struct mt_command mt_command_testbed = {
    .name = "testbed",
    .arguments = "up|down|status|exec CLUSTER [COMMAND [ARGUMENT...]]",
    .summary = "Make a cluster's nodes on this machine",
    .options = options,
    .run = run,
    .count_own = count_own,
};
