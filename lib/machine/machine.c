/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks up algorithms of machines, and writes machine files. */
#include "motley/machine.h"

#include "lib/base/number.h"
#include "lib/base/quantity.h"
#include "lib/expr/internal.h"
#include "meeting.h"
#include "motley/cluster.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void mt_machine_clear(struct mt_machine *machine)
{
    for (int i = 0; i < machine->nalgorithms; i++) {
        mt_shape_clear(&machine->algorithms[i].shape);
        free(machine->algorithms[i].name);
    }
    free(machine->algorithms);
    free(machine->path);
    free(machine->name);
    *machine = (struct mt_machine){0};
}

int mt_machine_find(const struct mt_algorithm **algorithm,
                    const struct mt_machine *machine, const char *name,
                    struct mt_error *err)
{
    char names[160] = "";
    for (int i = 0; i < machine->nalgorithms; i++) {
        if (!name || strcmp(machine->algorithms[i].name, name) == 0) {
            *algorithm = &machine->algorithms[i];
            return MT_OK;
        }
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                 machine->algorithms[i].name);
    }
    return mt_fail(err, MT_EINVAL, "machine '%s' has no algorithm '%s', but %s",
                   machine->name, name, names);
}

/* Whether the text needs no quotes in YAML, also within [ ] and { }. */
static bool is_plain(const char *text)
{
    static const char signs[] = " +-*/^%()<>=.&|_";
    if (!isalnum((unsigned char)text[0]) && text[0] != '(')
        return false;
    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr(signs, *c))
            return false;
    return text[strlen(text) - 1] != ' ';
}

static void put_text(const char *key, const char *text, FILE *stream)
{
    fprintf(stream, "%s: ", key);
    if (is_plain(text)) {
        fprintf(stream, "%s\n", text);
        return;
    }
    fputc('"', stream);
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(stream, "\\%c", *c);
        else if (iscntrl((unsigned char)*c))
            fprintf(stream, "\\x%02x", (unsigned char)*c);
        else
            fputc(*c, stream);
    }
    fputs("\"\n", stream);
}

static void put_expr(const char *key, const struct mt_expr *expr, FILE *stream)
{
    if (expr)
        put_text(key, mt_expr_text(expr), stream);
}

/* `before` and the quantity. */
static void put_quantity(const char *before, double value, enum mt_quantity quantity,
                         FILE *stream)
{
    char text[MT_QUANTITY_LENGTH];
    mt_quantity_format(text, value, quantity);
    fprintf(stream, "%s%s", before, text);
}

static void put_number(const char *before, double value, FILE *stream)
{
    char text[MT_NUMBER_LENGTH];
    mt_number_write(text, value, 1);
    fprintf(stream, "%s%s", before, text);
}

static void write_compute(const struct mt_shape *shape,
                          const struct mt_components *components, FILE *stream)
{
    fputs("    compute:\n", stream);
    put_expr("      steps", shape->steps, stream);
    put_expr("      near_steps", shape->near_steps, stream);
    put_expr("      working_set", shape->working_set, stream);
    put_expr("      imbalance", shape->imbalance, stream);
    fputs("      costs: [", stream);
    for (int i = 0; i <= components->ncaches; i++)
        put_quantity(i > 0 ? ", " : "", components->costs[i], MT_SECONDS, stream);
    fputs("]\n", stream);
    if (shape->near_steps) {
        put_quantity("      near_cost: ", components->near_cost, MT_SECONDS, stream);
        fputs("\n", stream);
    }
    if (components->ncaches == 0)
        return;
    fputs("      caches:\n", stream);
    for (int i = 0; i < components->ncaches; i++) {
        put_quantity("        - {hit: ", components->caches[i].hit, MT_BYTES, stream);
        put_quantity(", miss: ", components->caches[i].miss, MT_BYTES, stream);
        fputs("}\n", stream);
    }
}

static void write_bandwidth(const struct mt_bandwidth *bandwidth, FILE *stream)
{
    put_quantity("      bandwidth: {base: ", bandwidth->base, MT_BANDWIDTH, stream);
    if (bandwidth->half > 0)
        put_quantity(", half: ", bandwidth->half, MT_BYTES, stream);
    if (bandwidth->contention != MT_CONTENTION_NONE)
        fprintf(stream, ", contention: %s", mt_contention_name(bandwidth->contention));
    if (mt_contention_has_strength(bandwidth->contention))
        put_number(", strength: ", bandwidth->strength, stream);
    if (mt_contention_has_exponent(bandwidth->contention))
        put_number(", exponent: ", bandwidth->exponent, stream);
    if (bandwidth->evens_out)
        fputs(", evens_out: true", stream);
    fputs("}\n", stream);
}

static void write_lengths(const struct mt_components *components, FILE *stream)
{
    if (components->nlengths == 0)
        return;
    fputs("      lengths:\n", stream);
    for (int i = 0; i < components->nlengths; i++) {
        put_quantity("        - {bytes: ", components->lengths[i].bytes, MT_BYTES,
                     stream);
        put_quantity(", as: ", components->lengths[i].as, MT_BYTES, stream);
        fputs("}\n", stream);
    }
}

static void write_communication(const struct mt_shape *shape,
                                const struct mt_components *components, FILE *stream)
{
    const bool costs_something =
        components->latency > 0 || components->bandwidth.base > 0;
    if (!shape->messages || !costs_something)
        return;
    fputs("    communication:\n", stream);
    put_expr("      messages", shape->messages, stream);
    put_expr("      bytes", shape->bytes, stream);
    put_expr("      mean_bytes", shape->mean_bytes, stream);
    put_expr("      together", shape->together, stream);
    put_expr("      shift", shape->shift, stream);
    put_expr("      across", shape->across, stream);
    if (components->latency > 0) {
        put_quantity("      latency: ", components->latency, MT_SECONDS, stream);
        fputs("\n", stream);
    }
    if (components->hop > 0) {
        put_quantity("      hop: ", components->hop, MT_SECONDS, stream);
        fputs("\n", stream);
    }
    write_lengths(components, stream);
    if (components->bandwidth.base > 0)
        write_bandwidth(&components->bandwidth, stream);
    if (components->overlap)
        fputs("      overlap: true\n", stream);
}

static void write_learned(const struct mt_learned_from *learned, FILE *stream)
{
    if (learned->runs == 0)
        return;
    fprintf(stream, "    learned: {runs: %d, nodes: %d", learned->runs, learned->nodes);
    put_number(", sizes: [", learned->size_low, stream);
    put_number(", ", learned->size_high, stream);
    put_number("], error: ", learned->error, stream);
    fputs("}\n", stream);
}

static void write_algorithm(const struct mt_algorithm *algorithm, FILE *stream)
{
    put_text("  - name", algorithm->name, stream);
    put_expr("    work", algorithm->shape.work, stream);
    put_expr("    memory", algorithm->shape.memory, stream);
    put_expr("    valid", algorithm->shape.valid, stream);
    write_compute(&algorithm->shape, &algorithm->components, stream);
    write_communication(&algorithm->shape, &algorithm->components, stream);
    write_learned(&algorithm->learned, stream);
}

static void write_wiring(const struct mt_wiring *wiring, FILE *stream)
{
    if (wiring->topology == MT_TOPOLOGY_SWITCHES && mt_room(wiring) == 0 &&
        !mt_has_trunks(wiring) && !wiring->half_duplex && wiring->header == 0)
        return;
    fprintf(stream, "network: {topology: %s", mt_topology_name(wiring->topology));
    if (wiring->ports > 0)
        fprintf(stream, ", switch_ports: %d", wiring->ports);
    if (wiring->half_duplex)
        fputs(", duplex: half", stream);
    if (wiring->bandwidth > 0)
        put_quantity(", bandwidth: ", wiring->bandwidth, MT_BANDWIDTH, stream);
    if (wiring->switch_bandwidth > 0)
        put_quantity(", switch_bandwidth: ", wiring->switch_bandwidth, MT_BANDWIDTH,
                     stream);
    if (wiring->trunk_bandwidth > 0)
        put_quantity(", trunk_bandwidth: ", wiring->trunk_bandwidth, MT_BANDWIDTH,
                     stream);
    if (wiring->header > 0)
        put_quantity(", header: ", wiring->header, MT_BYTES, stream);
    fputs("}\n", stream);
}

int mt_machine_write(const struct mt_machine *machine, FILE *stream,
                     struct mt_error *err)
{
    put_text("name", machine->name, stream);
    fprintf(stream, "nodes: %d\n", machine->nodes);
    put_quantity("speed: ", machine->speed, MT_FLOPS, stream);
    fputs("\n", stream);
    if (machine->memory > 0) {
        put_quantity("memory: ", machine->memory, MT_BYTES, stream);
        fputs("\n", stream);
    }
    write_wiring(&machine->wiring, stream);
    if (machine->simulated)
        fputs("simulated: true\n", stream);
    fputs("algorithms:\n", stream);
    for (int i = 0; i < machine->nalgorithms; i++)
        write_algorithm(&machine->algorithms[i], stream);
    if (fflush(stream) || ferror(stream))
        return mt_fail(err, MT_EIO, "cannot write the machine '%s'", machine->name);
    return MT_OK;
}
