/* SPDX-License-Identifier: BSD-3-Clause */
#include "fit.h"

#include "cli/common/json.h"

static const char *unit_name(const struct mt_parameter *parameter)
{
    switch (parameter->unit) {
    case MT_PARAMETER_SECONDS:
        return "seconds";
    case MT_PARAMETER_BYTES:
        return "bytes";
    case MT_PARAMETER_BYTES_PER_SECOND:
        return "bytes per second";
    case MT_PARAMETER_NONE:
        break;
    }
    return NULL;
}

static json_t *pack_parameters(const struct mt_learned *learned)
{
    json_t *list = json_array();
    for (int i = 0; i < learned->nparameters; i++) {
        const struct mt_parameter *parameter = &learned->parameters[i];
        json_array_append_new(list,
                              json_pack("{s:s, s:s?, s:o, s:o, s:o}", "name",
                                        parameter->name, "unit", unit_name(parameter),
                                        "value", mt_json_number(parameter->value),
                                        "low", mt_json_number(parameter->low), "high",
                                        mt_json_number(parameter->high)));
    }
    return list;
}

static json_t *pack_trials(const struct mt_learned *learned)
{
    json_t *list = json_array();
    for (int i = 0; i < learned->ntrials; i++) {
        const struct mt_learn_trial *trial = &learned->trials[i];
        json_array_append_new(
            list, json_pack("{s:i, s:s, s:b, s:b, s:b, s:b, s:o, s:b}", "cache_steps",
                            trial->ncaches, "contention",
                            mt_contention_name(trial->contention), "latency",
                            (int)trial->latency, "half", (int)trial->half, "overlap",
                            (int)trial->overlap, "evens_out", (int)trial->evens_out,
                            "error_percent", mt_json_number(100 * trial->error),
                            "chosen", (int)trial->chosen));
    }
    return list;
}

static json_t *pack_wanted(const struct mt_learned *learned)
{
    json_t *list = json_array();
    for (int i = 0; i < learned->nwanted; i++) {
        const struct mt_wanted_run *run = &learned->wanted[i];
        json_array_append_new(list,
                              json_pack("{s:i, s:o, s:s}", "nodes", run->ranks, "size",
                                        mt_json_number(run->size), "why", run->why));
    }
    return list;
}

/* The steps, and which cache of this machine each may be. */
static json_t *pack_caches(const struct mt_surface_fit *fit)
{
    json_t *list = json_array();
    for (int i = 0; i < fit->learned.components.ncaches; i++) {
        const struct mt_cache_step *step = &fit->learned.components.caches[i];
        const struct mt_machine_cache *cache = mt_surface_fit_cache(fit, step);
        json_t *nearest =
            cache ? json_pack("{s:i, s:o, s:i}", "level", cache->level, "bytes",
                              mt_json_number(cache->bytes), "cores", cache->cores)
                  : json_null();
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:o}", "hit", mt_json_number(step->hit), "miss",
                            mt_json_number(step->miss), "this_machine", nearest));
    }
    return list;
}

static json_t *pack_from(const struct mt_learned *learned)
{
    const struct mt_learned_from *from = &learned->from;
    return json_pack("{s:i, s:i, s:o, s:o, s:o, s:o}", "runs", from->runs, "nodes",
                     from->nodes, "size_low", mt_json_number(from->size_low),
                     "size_high", mt_json_number(from->size_high), "error_percent",
                     mt_json_number(100 * from->error), "residual_percent",
                     mt_json_number(100 * learned->residual));
}

int mt_surface_fit_print_json(const struct mt_surface_fit *fit, FILE *stream,
                              struct mt_error *err)
{
    const struct mt_inputs *inputs = &fit->inputs;
    const struct mt_learned *learned = &fit->learned;
    return mt_json_print(
        json_pack("{s:o, s:o, s:o, s:o, s:b, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
                  "s:o}",
                  "machine", mt_json_text(fit->machine.name), "cluster",
                  mt_json_text(inputs->cluster.name), "group",
                  mt_json_text(inputs->cluster.groups[fit->runs.group].name), "program",
                  mt_json_text(inputs->program.name), "simulated",
                  (int)mt_cluster_simulated(&inputs->cluster), "processes_per_node",
                  fit->runs.processes, "speed", mt_json_number(fit->machine.speed),
                  "learned", pack_from(learned), "parameters", pack_parameters(learned),
                  "caches", pack_caches(fit), "trials", pack_trials(learned), "wanted",
                  pack_wanted(learned), "measure", mt_json_words(fit->measure),
                  "warnings", mt_json_words(fit->warnings)),
        stream, err);
}
