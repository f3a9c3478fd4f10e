/* SPDX-License-Identifier: BSD-3-Clause */
#include "testbed.h"

#include "cli/common/command.h"
#include "cli/common/json.h"
#include "cli/common/table.h"
#include "groups.h"
#include "holder.h"

#include <stdlib.h>

/* What is found of a node. */
struct state {
    bool up;
    int processes; /* besides the holder */
};

static int look(struct state *state, const struct mt_hierarchy *hierarchy,
                const struct mt_place *place, struct mt_error *err)
{
    pid_t *pids = NULL, holder;
    int count = 0;
    state->up = mt_holder_find(&holder, hierarchy, place, NULL) == MT_OK;
    int status = mt_group_list(&pids, &count, hierarchy, place, err);
    free(pids);
    state->processes = state->up ? count - 1 : count;
    return status;
}

static void add_row(struct mt_table *table, const struct mt_testbed_node *node,
                    const struct state *state)
{
    char address[MT_ADDRESS_SIZE], cores[32] = "-", bandwidth[32] = "-", processes[16];
    mt_testbed_address(address, node->number);
    if (node->cores > 0)
        snprintf(cores, sizeof cores, "%g", node->cores);
    if (node->bandwidth > 0)
        snprintf(bandwidth, sizeof bandwidth, "%g", node->bandwidth * 8 / 1e6);
    snprintf(processes, sizeof processes, "%d", state->processes);
    mt_table_add(table, node->place.node, state->up ? "up" : "down", address, cores,
                 bandwidth, processes, NULL);
}

static int print_table(const struct mt_testbed *testbed, const struct state *states,
                       struct mt_error *err)
{
    struct mt_table table = {0};
    mt_table_add(&table, "node", "state", "address", ">cores", ">link Mbps",
                 ">processes", NULL);
    for (int i = 0; i < testbed->nnodes; i++)
        add_row(&table, &testbed->nodes[i], &states[i]);
    return mt_table_print(&table, stdout, err);
}

static json_t *node_to_json(const struct mt_testbed_node *node,
                            const struct state *state)
{
    char address[MT_ADDRESS_SIZE];
    mt_testbed_address(address, node->number);
    json_t *object =
        json_pack("{s:s, s:b, s:s, s:i}", "node", node->place.node, "up", state->up,
                  "address", address, "processes", state->processes);
    if (node->cores > 0)
        json_object_set_new(object, "cores", mt_json_number(node->cores));
    if (node->bandwidth > 0)
        json_object_set_new(object, "bandwidth", mt_json_number(node->bandwidth));
    return object;
}

static int print_json(const struct mt_testbed *testbed, const struct state *states,
                      struct mt_error *err)
{
    json_t *list = json_array();
    int failed = 0;
    for (int i = 0; i < testbed->nnodes; i++)
        failed |=
            json_array_append_new(list, node_to_json(&testbed->nodes[i], &states[i]));
    json_t *object =
        failed ? NULL
               : json_pack("{s:o, s:O}", "testbed",
                           mt_json_text(testbed->place.testbed), "nodes", list);
    json_decref(list);
    return mt_json_print(object, stdout, err);
}

int mt_testbed_print_status(const struct mt_testbed *testbed, bool *complete,
                            struct mt_error *err)
{
    struct mt_hierarchy hierarchy;
    int status = mt_hierarchy_find(&hierarchy, err);
    if (status != MT_OK)
        return status;
    struct state *states = calloc((size_t)testbed->nnodes, sizeof *states);
    if (!states)
        return mt_fail(err, MT_ENOMEM, "no memory for the state of a testbed");
    bool all = true;
    for (int i = 0; status == MT_OK && i < testbed->nnodes; i++) {
        status = look(&states[i], &hierarchy, &testbed->nodes[i].place, err);
        all = all && states[i].up;
    }
    if (status == MT_OK)
        status = mt_common.json ? print_json(testbed, states, err)
                                : print_table(testbed, states, err);
    if (status == MT_OK)
        *complete = all;
    free(states);
    return status;
}
