/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#include "cli/common/json.h"

#include <math.h>

static json_t *node_json(const struct mt_check *check,
                         const struct mt_checked_node *node)
{
    return json_pack("{s:s, s:s, s:b, s:s?, s:s?, s:o, s:o, s:o, s:o, s:o}", "node",
                     node->name, "group", check->cluster->groups[node->group].name,
                     "answers", (int)node->answers, "host", node->host, "mpi",
                     node->mpi, "cores", mt_json_number(node->cores), "load",
                     mt_json_number(node->load), "clock", mt_json_number(node->clock),
                     "flops", mt_json_number(node->flops), "bandwidth",
                     mt_json_number(node->bandwidth));
}

static json_t *curve_json(const struct mt_curve *curve)
{
    json_t *list = json_array();
    for (int i = 0; i < curve->count; i++)
        json_array_append_new(
            list, json_pack("{s:o, s:o}", "bytes", mt_json_number(curve->bytes[i]),
                            "seconds", mt_json_number(curve->seconds[i])));
    return list;
}

static json_t *link_json(const struct mt_check *check,
                         const struct mt_checked_link *link)
{
    return json_pack("{s:s, s:s, s:o}", "from", check->nodes[link->from].name, "to",
                     check->nodes[link->to].name, "messages", curve_json(&link->curve));
}

static json_t *finding_json(const struct mt_check *check,
                            const struct mt_finding *finding)
{
    json_t *nodes = json_array();
    for (int i = 0; i < finding->nnodes; i++)
        json_array_append_new(nodes,
                              mt_json_text(check->nodes[finding->nodes[i]].name));
    json_t *object =
        json_pack("{s:s, s:o, s:o, s:s}", "kind", mt_finding_name(finding->kind),
                  "nodes", nodes, "text", mt_json_text(finding->text), "advice",
                  mt_finding_advice(finding->kind));
    if (finding->largest > 0)
        json_object_set_new(object, "bytes",
                            json_pack("[o, o]", mt_json_number(finding->smallest),
                                      mt_json_number(finding->largest)));
    return object;
}

int mt_check_print_json(const struct mt_check *check, struct mt_error *err)
{
    json_t *nodes = json_array(), *links = json_array(), *findings = json_array();
    int failed = 0;
    for (int i = 0; i < check->nnodes; i++)
        failed |= json_array_append_new(nodes, node_json(check, &check->nodes[i]));
    for (int i = 0; i < check->nlinks; i++)
        failed |= json_array_append_new(links, link_json(check, &check->links[i]));
    for (int i = 0; i < check->findings.count; i++)
        failed |= json_array_append_new(findings,
                                        finding_json(check, &check->findings.list[i]));
    json_t *object = json_pack(
        "{s:s, s:b, s:o, s:o, s:o, s:o}", "cluster", check->cluster->name, "simulated",
        (int)mt_cluster_simulated(check->cluster), "nodes", nodes, "links", links,
        "alltoall", curve_json(&check->alltoall), "findings", findings);
    if (failed) {
        json_decref(object);
        object = NULL;
    }
    return mt_json_print(object, stdout, err);
}
