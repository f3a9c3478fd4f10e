/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * motley-testbed - the program behind 'motley testbed': its actions, and the output of
 * status.
 */
#include "cli/common/command.h"
#include "cli/common/inputs.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "cli/process/folders.h"
#include "holder.h"
#include "links.h"
#include "testbed.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static const char *node_name;

static const struct poptOption options[] = {
    {"node", 0, POPT_ARG_STRING, &node_name, 0, "this node only (exec: not the head)",
     "NODE"},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

/* The state of a node. */
struct node_state {
    bool up;
    int processes; /* not counting the holder */
};

static int look_at(struct node_state *state, const struct mt_hierarchy *hierarchy,
                   const struct mt_testbed_place *place, struct mt_error *err)
{
    pid_t *pids = NULL, holder;
    int count = 0;
    state->up = mt_place_holder(&holder, hierarchy, place, NULL) == MT_OK;
    int status = mt_place_processes(&pids, &count, hierarchy, place, err);
    free(pids);
    state->processes = state->up ? count - 1 : count;
    return status;
}

enum { NODE, STATE, ADDRESS, CORES, BANDWIDTH, PROCESSES, COLUMNS };

static const struct mt_column columns[COLUMNS] = {
    [NODE] = {"node", "node", MT_COLUMN_TEXT},
    [STATE] = {"up", "state", MT_COLUMN_FLAG},
    [ADDRESS] = {"address", "address", MT_COLUMN_TEXT},
    [CORES] = {"cores", "cores", MT_COLUMN_NUMBER},
    [BANDWIDTH] = {"bandwidth", "link Mbps", MT_COLUMN_NUMBER},
    [PROCESSES] = {"processes", "processes", MT_COLUMN_COUNT},
};

/* A missing limit is "-" in the table, and left out of JSON. */
static void set_limit(struct mt_view *view, int column, double limit, double unit)
{
    if (limit > 0) {
        mt_view_number(view, column, limit);
        mt_view_show(view, column, "%g", limit / unit);
    } else {
        mt_view_show(view, column, "-");
    }
}

static void add_node(struct mt_view *view, const struct mt_testbed_node *node,
                     const struct node_state *state)
{
    static const double megabit = 1e6 / 8;
    char address[MT_ADDRESS_SIZE];
    mt_testbed_address(address, node->number);
    mt_view_row(view);
    mt_view_text(view, NODE, node->place.node);
    mt_view_flag(view, STATE, state->up);
    mt_view_show(view, STATE, "%s", state->up ? "up" : "down");
    mt_view_text(view, ADDRESS, address);
    set_limit(view, CORES, node->cores, 1);
    set_limit(view, BANDWIDTH, node->bandwidth, megabit);
    mt_view_number(view, PROCESSES, state->processes);
}

static void print_view(struct mt_view *view, const struct mt_testbed *testbed)
{
    if (mt_common.json)
        mt_document_print("motley/testbed", 1,
                          json_pack("{s:o, s:o}", "testbed",
                                    mt_json_text(testbed->place.testbed), "nodes",
                                    mt_view_to_json(view)),
                          stdout);
    else
        mt_view_print(view, stdout);
}

static int print_status(const struct mt_testbed *testbed,
                        const struct mt_testbed_node *node, struct mt_error *err)
{
    (void)node;
    struct mt_hierarchy hierarchy;
    struct mt_view view = {.columns = columns, .ncolumns = COLUMNS};
    bool complete = true;
    int status = mt_hierarchy_find(&hierarchy, err);
    for (int i = 0; status == MT_OK && i < testbed->nnodes; i++) {
        struct node_state state;
        status = look_at(&state, &hierarchy, &testbed->nodes[i].place, err);
        if (status == MT_OK)
            add_node(&view, &testbed->nodes[i], &state);
        complete = complete && state.up;
    }
    if (status == MT_OK)
        print_view(&view, testbed);
    mt_view_clear(&view);
    return status == MT_OK && !complete ? EXIT_FAILED : mt_exit_status(status);
}

/* Returns an exit status. */
struct action {
    const char *name;
    int (*run)(const struct mt_testbed *testbed, const struct mt_testbed_node *node,
               struct mt_error *err);
};

/* If a machine has fewer cores than its testbed promises, nodes are too slow, by
   varying amounts. */
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

static int make(const struct mt_testbed *testbed, const struct mt_testbed_node *node,
                struct mt_error *err)
{
    return node_name ? mt_testbed_node_up(testbed, node, err)
                     : mt_testbed_up(testbed, err);
}

static int take_down(const struct mt_testbed *testbed,
                     const struct mt_testbed_node *node, struct mt_error *err)
{
    return node_name ? mt_testbed_node_down(testbed, node, err)
                     : mt_testbed_down(testbed, err);
}

/* It takes less than a second; a signal during this undoes everything. */
static int up(const struct mt_testbed *testbed, const struct mt_testbed_node *node,
              struct mt_error *err)
{
    sigset_t stops, before, pending;
    sigemptyset(&stops);
    sigaddset(&stops, SIGHUP);
    sigaddset(&stops, SIGINT);
    sigaddset(&stops, SIGTERM);
    sigprocmask(SIG_BLOCK, &stops, &before);
    int status = make(testbed, node, err);
    sigemptyset(&pending);
    sigpending(&pending);
    if (sigisemptyset(&pending)) { /* a signal that comes now is too late */
        if (status == MT_OK)
            warn_of_cores(testbed);
        return mt_exit_status(status);
    }
    if (status == MT_OK)
        status = take_down(testbed, node, err);
    sigprocmask(SIG_SETMASK, &before, NULL); /* here it ends by the signal */
    return mt_exit_status(status);
}

static int down(const struct mt_testbed *testbed, const struct mt_testbed_node *node,
                struct mt_error *err)
{
    int status = take_down(testbed, node, err);
    if (status == MT_ENOTFOUND) { /* as it is wanted */
        fprintf(stderr, "motley: %s\n", err->text);
        return EXIT_FINE;
    }
    return mt_exit_status(status);
}

/* So that programs on the node find motley and its replacement for ssh. */
static int put_own_folders_first(struct mt_error *err)
{
    char motley[PATH_MAX], helper[PATH_MAX], *path = NULL;
    const char *old = getenv("PATH");
    if (!mt_own_folder(motley) || !mt_helper_folder(helper))
        return mt_fail(err, MT_EIO, "motley's own folder is unknown");
    if (asprintf(&path, "%s:%s%s%s", motley, helper, old && *old ? ":" : "",
                 old ? old : "") < 0)
        return mt_fail(err, MT_ENOMEM, "no memory for a search path");
    setenv("PATH", path, 1);
    free(path);
    return MT_OK;
}

static int execute(const struct mt_testbed *testbed, const struct mt_testbed_node *node,
                   struct mt_error *err)
{
    (void)testbed;
    char *const *command = mt_common.rest;
    int status = mt_testbed_join(&node->place, err);
    if (status == MT_OK)
        status = put_own_folders_first(err);
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

static const struct action *find_action(const char *name)
{
    for (int i = 0; actions[i].name; i++)
        if (!strcmp(actions[i].name, name))
            return &actions[i];
    return NULL;
}

static int check_arguments(const char **arguments, struct mt_error *err)
{
    const char *action = arguments[0];
    if (!action)
        return mt_fail(err, MT_EINVAL, "say what to do: up, down, status or exec");
    if (!find_action(action))
        return mt_fail(err, MT_EINVAL, "up, down, status or exec? not '%s'", action);
    if (!arguments[1])
        return mt_fail(err, MT_EINVAL, "a cluster is needed");
    if (arguments[2])
        return mt_fail(err, MT_EINVAL, "one argument too many: '%s'", arguments[2]);
    if (!strcmp(action, "status") && node_name)
        return mt_fail(err, MT_EINVAL, "--node is not for 'testbed status'");
    if (strcmp(action, "status") != 0 && mt_common.json)
        return mt_fail(err, MT_EINVAL, "--json is for 'testbed status' only");
    if (!strcmp(action, "exec") && !mt_common.rest[0])
        return mt_fail(err, MT_EINVAL,
                       "a command is needed: testbed exec CLUSTER COMMAND");
    return MT_OK;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct mt_cluster cluster = {0};
    struct mt_testbed testbed = {0};
    const struct mt_testbed_node *node = NULL;
    int exit_status;
    int status = check_arguments(arguments, err);
    if (status == MT_OK)
        status = mt_cluster_input(&cluster, arguments[1], err);
    if (status == MT_OK)
        status = mt_testbed_init(&testbed, &cluster, err);
    if (status == MT_OK)
        status = mt_testbed_find_node(&node, &testbed, node_name, err);
    if (status == MT_OK)
        exit_status = find_action(arguments[0])->run(&testbed, node, err);
    else
        exit_status = mt_exit_status(status);
    mt_testbed_clear(&testbed);
    mt_cluster_clear(&cluster);
    return exit_status;
}

/* 'testbed exec CLUSTER' ends with a command of its own. */
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

int main(int argc, char **argv)
{
    static const struct mt_command testbed = {
        .name = "testbed",
        .arguments = "up|down|status|exec CLUSTER [COMMAND [ARGUMENT...]]",
        .options = options,
        .run = run,
        .count_own = count_own,
    };
    return mt_command_main(&testbed, argc, argv);
}
