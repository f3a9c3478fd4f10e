/* SPDX-License-Identifier: BSD-3-Clause */
#include "status.h"

#include "cli/common/command.h"
#include "cli/common/document.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "links.h"

#include <stdlib.h>
#include <sys/types.h>

/* What is found of a node. */
struct node_state {
    bool up;
    int processes; /* besides the holder */
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

/* What has no limit is "-" in the table, and left out of JSON. */
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

static int print_view(struct mt_view *view, const struct mt_testbed *testbed,
                      struct mt_error *err)
{
    if (!mt_common.json)
        return mt_view_print(view, stdout, err);
    return mt_document_print("motley/testbed", 1,
                             json_pack("{s:o, s:o}", "testbed",
                                       mt_json_text(testbed->place.testbed), "nodes",
                                       mt_view_to_json(view)),
                             stdout, err);
}

int mt_testbed_print_status(const struct mt_testbed *testbed,
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
        status = print_view(&view, testbed, err);
    mt_view_clear(&view);
    return status == MT_OK && !complete ? EXIT_FAILED : mt_exit_status(status);
}
