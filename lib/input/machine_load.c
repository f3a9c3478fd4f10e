/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/machine.h"

#include "machine_file.h"
#include "yaml_load.h"
#include "yaml_value.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A name must be a word that MACHINE:ALGORITHM can hold. */
static bool is_word(const char *name)
{
    for (const char *letter = name; *letter; letter++)
        if (strchr(":,", *letter) || isspace((unsigned char)*letter) ||
            iscntrl((unsigned char)*letter))
            return false;
    return true;
}

static int check_names(const struct file_machine *from, const struct mt_yaml *yaml,
                       struct mt_error *err)
{
    const int list = mt_yaml_member(yaml, mt_yaml_root(yaml), "algorithms");
    for (int i = 0; i < (int)from->nalgorithms; i++) {
        const int node = mt_yaml_member(yaml, mt_yaml_item(yaml, list, i), "name");
        const char *name = from->algorithms[i].name;
        if (!is_word(name))
            return mt_yaml_fail(yaml, node, err,
                                "algorithm name with a blank or one of ':,': '%.60s'",
                                name);
        for (int j = 0; j < i; j++)
            if (strcmp(from->algorithms[j].name, name) == 0)
                return mt_yaml_fail(yaml, node, err, "algorithm '%.60s' comes twice",
                                    name);
    }
    return MT_OK;
}

static int read_learned(struct mt_learned_from *learned,
                        const struct file_learned *from, const struct mt_yaml *yaml,
                        int map, struct mt_error *err)
{
    const int sizes = mt_yaml_member(yaml, map, "sizes");
    if (!map)
        return MT_OK;
    if (from->runs < 1)
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "runs"), err,
                            "'runs' must be at least 1, not %d", from->runs);
    if (from->nodes < 1)
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "nodes"), err,
                            "'nodes' must be at least 1, not %d", from->nodes);
    if (from->nsizes != 2)
        return mt_yaml_fail(yaml, sizes, err,
                            "'sizes' must be two, the smallest and the largest");
    if (from->sizes[0] <= 0 || from->sizes[1] < from->sizes[0])
        return mt_yaml_fail(yaml, sizes, err,
                            "'sizes' must be the smallest and the largest, and more "
                            "than 0, not %g and %g",
                            from->sizes[0], from->sizes[1]);
    if (from->error < 0)
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "error"), err,
                            "'error' must not be negative: %g", from->error);
    *learned = (struct mt_learned_from){.runs = from->runs,
                                        .nodes = from->nodes,
                                        .size_low = from->sizes[0],
                                        .size_high = from->sizes[1],
                                        .error = from->error};
    return MT_OK;
}

static int read_algorithm(struct mt_algorithm *algorithm,
                          const struct file_algorithm *from, int nodes,
                          const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    int status =
        mt_machine_read_components(&algorithm->components, from, yaml, map, err);
    if (!status)
        status = mt_machine_read_shape(&algorithm->shape, from, nodes, yaml, map, err);
    if (!status)
        status = read_learned(&algorithm->learned, &from->learned, yaml,
                              mt_yaml_member(yaml, map, "learned"), err);
    return status;
}

static int read_algorithms(struct mt_machine *machine, struct file_machine *from,
                           const struct mt_yaml *yaml, struct mt_error *err)
{
    const int list = mt_yaml_member(yaml, mt_yaml_root(yaml), "algorithms");
    machine->algorithms = calloc(from->nalgorithms, sizeof *machine->algorithms);
    if (!machine->algorithms)
        return mt_fail(err, MT_ENOMEM, "no memory for a machine");
    for (int i = 0; i < (int)from->nalgorithms; i++) {
        const int map = mt_yaml_item(yaml, list, i);
        struct file_algorithm *given = &from->algorithms[i];
        struct mt_algorithm *algorithm = &machine->algorithms[i];
        algorithm->name = given->name;
        given->name = NULL;
        machine->nalgorithms++; /* from now on the machine's to clear */
        int status = read_algorithm(algorithm, given, machine->nodes, yaml, map, err);
        if (status)
            return status;
    }
    return MT_OK;
}

static int read_nodes(struct mt_machine *machine, const struct file_machine *from,
                      const struct mt_yaml *yaml, struct mt_error *err)
{
    const int root = mt_yaml_root(yaml);
    if (from->nodes < 1 || from->nodes > MT_MOST_NODES)
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, root, "nodes"), err,
                            "'nodes' must be from 1 to %d, not %d", MT_MOST_NODES,
                            from->nodes);
    machine->nodes = from->nodes;
    machine->simulated = from->simulated;
    int status = mt_yaml_quantity(&machine->speed, yaml, root, "speed", from->speed,
                                  MT_FLOPS, err);
    if (!status)
        status = mt_yaml_quantity(&machine->memory, yaml, root, "memory", from->memory,
                                  MT_BYTES, err);
    return status;
}

static int load_file(struct mt_machine *machine, const struct mt_yaml *yaml,
                     struct mt_error *err)
{
    void *data = NULL;
    int status = mt_yaml_load(yaml, &mt_machine_schema, &data, err);
    if (!status) {
        struct file_machine *from = data;
        machine->name = from->name;
        from->name = NULL;
        status = read_nodes(machine, from, yaml, err);
        if (!status)
            status = check_names(from, yaml, err);
        if (!status)
            status = read_algorithms(machine, from, yaml, err);
    }
    mt_yaml_unload(&mt_machine_schema, data);
    return status;
}

int mt_machine_load(struct mt_machine *machine, const char *path, struct mt_error *err)
{
    struct mt_machine loaded = {.path = strdup(path)};
    struct mt_yaml *yaml = NULL;
    int status = MT_OK;
    if (!loaded.path)
        status = mt_fail(err, MT_ENOMEM, "no memory to read '%s'", path);
    if (!status)
        status = mt_yaml_open(&yaml, path, err);
    if (!status)
        status = load_file(&loaded, yaml, err);
    mt_yaml_close(yaml);
    if (status)
        mt_machine_clear(&loaded);
    else
        *machine = loaded;
    return status;
}
