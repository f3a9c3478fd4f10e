/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a machine file and checks what concerns several keys. */
#include "lib/input/keys.h"
#include "lib/yaml/yaml_read.h"
#include "meeting.h"

#include "motley/machine.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Expressions must have values at the sizes that are these powers of two. */
enum { FIRST_POWER = 4, LAST_POWER = 20 };

/* A name must be a word that MACHINE:ALGORITHM can hold. */
static bool is_word(const char *name)
{
    for (const char *letter = name; *letter; letter++)
        if (strchr(":,", *letter) || isspace((unsigned char)*letter) ||
            iscntrl((unsigned char)*letter))
            return false;
    return true;
}

static int check_name(const struct mt_machine *machine, int i,
                      const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    const int node = mt_yaml_member(yaml, map, "name");
    const char *name = machine->algorithms[i].name;
    if (!is_word(name))
        return mt_yaml_fail(yaml, node, err,
                            "algorithm name with a blank or one of ':,': '%.60s'",
                            name);
    for (int j = 0; j < i; j++)
        if (strcmp(machine->algorithms[j].name, name) == 0)
            return mt_yaml_fail(yaml, node, err, "algorithm '%.60s' comes twice", name);
    return MT_OK;
}

static int check_costs(const struct mt_components *components,
                       const struct mt_yaml *yaml, int compute, struct mt_error *err)
{
    const int list = mt_yaml_member(yaml, compute, "costs");
    const int caches = mt_yaml_member(yaml, compute, "caches");
    const int count = mt_yaml_count(yaml, list);
    for (int i = 1; i < count; i++)
        if (components->costs[i] < components->costs[i - 1])
            return mt_yaml_fail(yaml, mt_yaml_item(yaml, list, i), err,
                                "'costs' must not fall, as a step costs more beyond a "
                                "cache: '%s' after '%s'",
                                mt_yaml_text(yaml, mt_yaml_item(yaml, list, i)),
                                mt_yaml_text(yaml, mt_yaml_item(yaml, list, i - 1)));
    if (count != components->ncaches + 1)
        return mt_yaml_fail(yaml, caches ? caches : list, err,
                            "'caches' has %d entries, which need %d 'costs', not %d: "
                            "one before each cache and one beyond the last",
                            components->ncaches, components->ncaches + 1, count);
    return MT_OK;
}

static int check_caches(const struct mt_algorithm *algorithm,
                        const struct mt_yaml *yaml, int compute, struct mt_error *err)
{
    const struct mt_components *components = &algorithm->components;
    const int list = mt_yaml_member(yaml, compute, "caches");
    if (components->ncaches > 0 && !algorithm->shape.working_set)
        return mt_yaml_fail(yaml, list, err,
                            "'caches' needs the key 'working_set', the bytes that a "
                            "process goes through again and again");
    for (int i = 0; i < components->ncaches; i++) {
        const struct mt_cache_step *cache = &components->caches[i];
        const int item = mt_yaml_item(yaml, list, i);
        const int hit = mt_yaml_member(yaml, item, "hit");
        const int miss = mt_yaml_member(yaml, item, "miss");
        const int before =
            mt_yaml_member(yaml, mt_yaml_item(yaml, list, i - 1), "miss");
        if (cache->hit > cache->miss)
            return mt_yaml_fail(yaml, miss, err,
                                "'miss' must be at least 'hit': '%s' is less than '%s'",
                                mt_yaml_text(yaml, miss), mt_yaml_text(yaml, hit));
        if (i > 0 && cache->hit < components->caches[i - 1].miss)
            return mt_yaml_fail(yaml, hit, err,
                                "'caches' must go from the smallest to the largest: "
                                "'hit' %s is less than 'miss' %s before it",
                                mt_yaml_text(yaml, hit), mt_yaml_text(yaml, before));
    }
    return MT_OK;
}

/* A number that some contentions need and others forbid. */
static int check_number(const char *key, bool needed, enum mt_contention contention,
                        const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    const int node = mt_yaml_member(yaml, map, key);
    const char *name = mt_contention_name(contention);
    if (node && !needed)
        return mt_yaml_fail(yaml, node, err, "'%s' is not for contention %s", key,
                            name);
    if (!node && needed)
        return mt_yaml_fail(yaml, map, err,
                            "missing key '%s' in 'bandwidth': contention %s needs it",
                            key, name);
    return MT_OK;
}

static int check_near(const struct mt_algorithm *algorithm, const struct mt_yaml *yaml,
                      int map, struct mt_error *err)
{
    if (!algorithm->shape.near_steps == !(algorithm->components.near_cost > 0))
        return MT_OK;
    return mt_yaml_fail(yaml, map, err, "'compute' has '%s' but not '%s'",
                        algorithm->shape.near_steps ? "near_steps" : "near_cost",
                        algorithm->shape.near_steps ? "near_cost" : "near_steps");
}

static int check_communication(const struct mt_algorithm *algorithm,
                               const struct mt_yaml *yaml, int map,
                               struct mt_error *err)
{
    const struct mt_components *components = &algorithm->components;
    const enum mt_contention contention = components->bandwidth.contention;
    const int bandwidth = mt_yaml_member(yaml, map, "bandwidth");
    const int evens_out = mt_yaml_member(yaml, bandwidth, "evens_out");
    int status = check_number("strength", mt_contention_has_strength(contention),
                              contention, yaml, bandwidth, err);
    if (status == MT_OK)
        status = check_number("exponent", mt_contention_has_exponent(contention),
                              contention, yaml, bandwidth, err);
    if (status == MT_OK && evens_out && !algorithm->shape.mean_bytes)
        status = mt_yaml_fail(yaml, evens_out, err,
                              "'evens_out' needs the keys 'bytes' and 'mean_bytes'");
    if (status == MT_OK && map && components->latency == 0 &&
        components->bandwidth.base == 0)
        status = mt_yaml_fail(yaml, map, err,
                              "'communication' needs the key 'bandwidth', or "
                              "'latency' for messages whose length does not matter");
    return status;
}

/* The keys that a part of the communication needs: a network, and a known receiver for
   each sender. */
struct use {
    const char *name, *needs;
    bool is_wired;
};

static int check_use(const struct use *use, const struct mt_algorithm *algorithm,
                     const struct mt_yaml *yaml, int node, struct mt_error *err)
{
    if (!use->is_wired)
        return mt_yaml_fail(yaml, node, err,
                            "'%s' needs 'network: {%s}' of the machine", use->name,
                            use->needs);
    if (!algorithm->shape.shift)
        return mt_yaml_fail(yaml, node, err, "'%s' needs the keys 'bytes' and 'shift'",
                            use->name);
    return MT_OK;
}

static int check_wired(const struct mt_algorithm *algorithm, const struct mt_yaml *yaml,
                       int map, struct mt_error *err)
{
    const struct mt_wiring *wiring = &algorithm->components.wiring;
    const int hop = mt_yaml_member(yaml, map, "hop");
    const int bandwidth = mt_yaml_member(yaml, map, "bandwidth");
    const int contention = mt_yaml_member(yaml, bandwidth, "contention");
    const struct use hops = {"hop", "topology: torus",
                             wiring->topology == MT_TOPOLOGY_TORUS ||
                                 mt_has_trunks(wiring)};
    const struct use stages = {"contention: stages", "topology: multistage",
                               wiring->topology == MT_TOPOLOGY_MULTISTAGE};
    const struct use trunks = {"contention: trunks", "switch_ports: PORTS",
                               mt_has_trunks(wiring)};
    const enum mt_contention law = algorithm->components.bandwidth.contention;
    int status = hop ? check_use(&hops, algorithm, yaml, hop, err) : MT_OK;
    if (status == MT_OK && law == MT_CONTENTION_STAGES)
        status = check_use(&stages, algorithm, yaml, contention, err);
    if (status == MT_OK && law == MT_CONTENTION_TRUNKS)
        status = check_use(&trunks, algorithm, yaml, contention, err);
    return status;
}

static int check_lengths(const struct mt_components *components,
                         const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    const int list = mt_yaml_member(yaml, map, "lengths");
    for (int i = 1; i < components->nlengths; i++)
        if (components->lengths[i].bytes <= components->lengths[i - 1].bytes)
            return mt_yaml_fail(yaml, mt_yaml_item(yaml, list, i), err,
                                "'lengths' must go from the shortest to the longest");
    return MT_OK;
}

static int check_components(const struct mt_algorithm *algorithm,
                            const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    const int compute = mt_yaml_member(yaml, map, "compute");
    const int communication = mt_yaml_member(yaml, map, "communication");
    int status = check_costs(&algorithm->components, yaml, compute, err);
    if (status == MT_OK)
        status = check_caches(algorithm, yaml, compute, err);
    if (status == MT_OK)
        status = check_near(algorithm, yaml, compute, err);
    if (status == MT_OK)
        status = check_communication(algorithm, yaml, communication, err);
    if (status == MT_OK)
        status = check_lengths(&algorithm->components, yaml, communication, err);
    if (status == MT_OK)
        status = check_wired(algorithm, yaml, communication, err);
    if (status != MT_OK)
        return status;

    struct mt_error reason;
    const int bandwidth = mt_yaml_member(yaml, communication, "bandwidth");
    const int strength = mt_yaml_member(yaml, bandwidth, "strength");
    const int exponent = mt_yaml_member(yaml, bandwidth, "exponent");
    if (mt_components_check(&algorithm->components, &reason) != MT_OK)
        return mt_yaml_fail(yaml, strength ? strength : exponent, err, "%s",
                            reason.text); /* all but the contention's law is checked */
    return MT_OK;
}

static int check_learned(const struct mt_learned_from *learned,
                         const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    const int sizes =
        mt_yaml_member(yaml, mt_yaml_member(yaml, map, "learned"), "sizes");
    if (learned->size_high < learned->size_low)
        return mt_yaml_fail(yaml, sizes, err,
                            "'sizes' must be the smallest and the largest, not %g and "
                            "%g",
                            learned->size_low, learned->size_high);
    return MT_OK;
}

/* Typical numbers of nodes, and all nodes. */
static bool is_likely(int ranks, int nodes)
{
    const int root = (int)sqrt(ranks);
    return (ranks & (ranks - 1)) == 0 || root * root == ranks || ranks == nodes;
}

/* The expression must have values at all sizes, wherever the algorithm is valid. */
static int check_sizes(const struct mt_formula *formula, const struct mt_shape *shape,
                       int ranks, struct mt_error *err)
{
    for (int power = FIRST_POWER; power <= LAST_POWER; power++) {
        const double size = 1 << power;
        const double values[MT_NVARIABLES] = {
            [MT_N] = size, [MT_P] = ranks, [MT_M] = 1};
        double value;
        if (formula->expr != &shape->valid && !mt_shape_valid(shape, size, ranks))
            continue;
        const int status = mt_formula_check(formula, values, &value, err);
        if (status != MT_OK)
            return status;
    }
    return MT_OK;
}

static int check_formula(const struct mt_formula *formula, void *object,
                         const void *context, struct mt_error *err)
{
    const struct mt_machine *machine = context;
    const struct mt_algorithm *algorithm = object;
    int status = MT_OK;
    for (int ranks = 1; ranks <= machine->nodes && status == MT_OK; ranks++)
        if (is_likely(ranks, machine->nodes))
            status = check_sizes(formula, &algorithm->shape, ranks, err);
    return status;
}

/* The bandwidth of a node's connection is useful only with that of the one switch, or
   of the trunks between several. */
static int check_room(const struct mt_wiring *wiring, const struct mt_yaml *yaml,
                      int map, struct mt_error *err)
{
    const bool trunks = mt_has_trunks(wiring);
    const char *of_switch = trunks ? "trunk_bandwidth" : "switch_bandwidth";
    const char *other = trunks ? "switch_bandwidth" : "trunk_bandwidth";
    const int bandwidth = mt_yaml_member(yaml, map, "bandwidth"),
              all = mt_yaml_member(yaml, map, of_switch),
              none = mt_yaml_member(yaml, map, other);
    const int any = none ? none : all ? all : bandwidth;
    if (any && wiring->topology != MT_TOPOLOGY_SWITCHES &&
        wiring->topology != MT_TOPOLOGY_MULTISTAGE)
        return mt_yaml_fail(yaml, any, err,
                            "bandwidths are for topologies switches and multistage, "
                            "not for %s",
                            mt_topology_name(wiring->topology));
    if (none)
        return mt_yaml_fail(yaml, none, err, "'%s' is for nodes on %s", other,
                            trunks ? "one switch; these have 'switch_ports'"
                                   : "several switches, which have 'switch_ports'");
    if (!bandwidth != !all)
        return mt_yaml_fail(yaml, map, err,
                            "'bandwidth' and '%s' of 'network' need each other",
                            of_switch);
    return MT_OK;
}

static int check_wiring(const struct mt_wiring *wiring, const struct mt_yaml *yaml,
                        struct mt_error *err)
{
    const int map = mt_yaml_member(yaml, mt_yaml_root(yaml), "network");
    const int ports = mt_yaml_member(yaml, map, "switch_ports");
    const char *name = mt_topology_name(wiring->topology);
    const bool multistage = wiring->topology == MT_TOPOLOGY_MULTISTAGE;
    if (multistage && !ports)
        return mt_yaml_fail(yaml, map, err,
                            "missing key 'switch_ports' in 'network': topology %s "
                            "needs it",
                            name);
    if (ports && !multistage && wiring->topology != MT_TOPOLOGY_SWITCHES)
        return mt_yaml_fail(yaml, ports, err, "'switch_ports' is not for topology %s",
                            name);
    if (multistage && wiring->nodes > MT_MOST_MEETING_RANKS)
        return mt_yaml_fail(yaml, map, err, "topology %s is for up to %d nodes, not %d",
                            name, MT_MOST_MEETING_RANKS, wiring->nodes);
    if (wiring->half_duplex && wiring->topology != MT_TOPOLOGY_SWITCHES)
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "duplex"), err,
                            "'duplex: half' is not for topology %s", name);
    return check_room(wiring, yaml, map, err);
}

/* Checks that concern several keys. */
static int check_machine(struct mt_machine *machine, const struct mt_yaml *yaml,
                         struct mt_error *err)
{
    const int list = mt_yaml_member(yaml, mt_yaml_root(yaml), "algorithms");
    machine->wiring.nodes = machine->nodes;
    int status = check_wiring(&machine->wiring, yaml, err);
    for (int i = 0; i < machine->nalgorithms && status == MT_OK; i++) {
        struct mt_algorithm *algorithm = &machine->algorithms[i];
        const int map = mt_yaml_item(yaml, list, i);
        algorithm->components.wiring = machine->wiring;
        status = check_name(machine, i, yaml, map, err);
        if (status == MT_OK)
            status = check_components(algorithm, yaml, map, err);
        if (status == MT_OK)
            status = check_learned(&algorithm->learned, yaml, map, err);
    }
    if (status == MT_OK)
        status = mt_yaml_visit_formulas(machine, yaml, mt_machine_keys, check_formula,
                                        machine, err);
    return status;
}

int mt_machine_load(struct mt_machine *machine, const char *path, struct mt_error *err)
{
    struct mt_machine loaded = {.path = strdup(path)};
    struct mt_yaml *yaml = NULL;
    int status = MT_OK;
    if (!loaded.path)
        status = mt_fail(err, MT_ENOMEM, "no memory to read '%s'", path);
    if (status == MT_OK)
        status = mt_yaml_open(&yaml, path, err);
    if (status == MT_OK)
        status = mt_yaml_read(&loaded, yaml, mt_machine_keys, err);
    if (status == MT_OK)
        status = check_machine(&loaded, yaml, err);
    mt_yaml_close(yaml);
    if (status == MT_OK)
        *machine = loaded;
    else
        mt_machine_clear(&loaded);
    return status;
}
