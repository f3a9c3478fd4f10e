/* SPDX-License-Identifier: BSD-3-Clause */
#include "text.h"

#include "cli/common/document.h"
#include "cli/common/json.h"

#include <math.h>
#include <stdio.h>

const char *mt_surface_label(char label[MT_SURFACE_LABEL],
                             const struct mt_surface *surface)
{
    snprintf(label, MT_SURFACE_LABEL, "%s %s", mt_surface_machine(surface)->name,
             mt_surface_algorithm(surface)->name);
    return label;
}

const char *mt_surface_simulated(const struct mt_surface *surface)
{
    return mt_surface_machine(surface)->simulated ? " (simulated)" : "";
}

const char *mt_format_nodes(char buffer[32], double count)
{
    snprintf(buffer, 32, "%.15g %s", count, count == 1 ? "node" : "nodes");
    return buffer;
}

void mt_surface_print_origin(const struct mt_surface *surface, double nodes,
                             FILE *stream)
{
    const struct mt_machine *machine = mt_surface_machine(surface);
    const struct mt_learned_from *learned = &mt_surface_algorithm(surface)->learned;
    char text[32];
    if (nodes > machine->nodes)
        fprintf(stream, "%s has %s: what more of them would do is supposed\n",
                machine->name, mt_format_nodes(text, machine->nodes));
    if (learned->runs == 0)
        return;
    fprintf(stream, "%s was learned from %d runs of N = %.15g to %.15g on up to %s",
            machine->name, learned->runs, learned->size_low, learned->size_high,
            mt_format_nodes(text, learned->nodes));
    if (learned->error > 0)
        fprintf(stream, ", cross-validated error %.1f %%", 100 * learned->error);
    fputs(nodes > learned->nodes ? "; beyond that it is extrapolated\n" : "\n", stream);
}

static json_t *learned_json(const struct mt_learned_from *learned)
{
    if (learned->runs == 0)
        return json_null();
    return json_pack("{s:i, s:i, s:[o, o], s:o}", "runs", learned->runs, "nodes",
                     learned->nodes, "sizes", mt_json_number(learned->size_low),
                     mt_json_number(learned->size_high), "error",
                     mt_json_number(learned->error));
}

json_t *mt_surface_json(const struct mt_surface *surface)
{
    const struct mt_machine *machine = mt_surface_machine(surface);
    const struct mt_algorithm *algorithm = mt_surface_algorithm(surface);
    return json_pack("{s:o, s:o, s:b, s:i, s:o, s:o, s:o}", "machine",
                     mt_json_text(machine->name), "algorithm",
                     mt_json_text(algorithm->name), "simulated",
                     (int)machine->simulated, "machine_nodes", machine->nodes, "speed",
                     mt_json_number(machine->speed), "node_memory",
                     mt_json_number(machine->memory > 0 ? machine->memory : NAN),
                     "learned", learned_json(&algorithm->learned));
}

int mt_surface_print_json(const struct mt_surface *surface, const char *schema,
                          int version, json_t *found, struct mt_error *err)
{
    json_t *object = mt_surface_json(surface);
    if (!object || json_object_update_missing(object, found)) {
        json_decref(object);
        object = NULL;
    }
    json_decref(found);
    return mt_document_print(schema, version, object, stdout, err);
}

void mt_surface_warn(char *const *warnings)
{
    for (; warnings && *warnings; warnings++)
        fprintf(stderr, "motley: warning: %s\n", *warnings);
}
