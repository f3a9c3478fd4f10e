/* SPDX-License-Identifier: BSD-3-Clause */
#include "surface_fit.h"

#include "check_text.h"
#include "surface.h"
#include "table.h"

#include <math.h>

/* Trials beyond these are in the JSON only. */
enum { MOST_TRIALS = 6 };

static void print_header(const struct mt_surface_fit *fit, FILE *stream)
{
    const struct mt_learned_from *from = &fit->learned.from;
    const bool simulated = mt_cluster_simulated(&fit->inputs.cluster);
    fprintf(stream, "%s on %s: learned from %d runs%s on ", fit->inputs.program.name,
            fit->machine.name, from->runs, simulated ? " (simulated)" : "");
    const int least = fit->runs.runs[0].ranks; /* they are sorted by ranks */
    if (least < from->nodes)
        fprintf(stream, "%d to %d nodes", least, from->nodes);
    else
        fprintf(stream, "%d node%s", least, least == 1 ? "" : "s");
    if (from->size_low < from->size_high)
        fprintf(stream, ", N %.15g to %.15g\n", from->size_low, from->size_high);
    else
        fprintf(stream, ", N %.15g\n", from->size_low);
    if (fit->runs.processes > 1)
        fprintf(stream, "A node is a process here: there are up to %d on one\n",
                fit->runs.processes);
}

static const char *format_value(char buffer[32], const struct mt_parameter *parameter,
                                double value)
{
    switch (parameter->unit) {
    case MT_UNIT_SECONDS:
        return mt_format_seconds(buffer, value);
    case MT_UNIT_BYTES:
        return mt_format_bytes(buffer, value);
    case MT_UNIT_BYTES_PER_SECOND:
        return mt_format_rate(buffer, value, "B/s");
    case MT_UNIT_NONE:
        break;
    }
    snprintf(buffer, 32, "%.4g", value);
    return buffer;
}

static int print_parameters(const struct mt_learned *learned, FILE *stream,
                            struct mt_error *err)
{
    struct mt_table table = {0};
    mt_table_add(&table, "parameter", ">value", "90 % interval", NULL);
    for (int i = 0; i < learned->nparameters; i++) {
        const struct mt_parameter *parameter = &learned->parameters[i];
        char value[32], low[32], high[32], interval[80] = "the runs do not say";
        if (!isnan(parameter->low) && !isnan(parameter->high))
            snprintf(interval, sizeof interval, "%s to %s",
                     format_value(low, parameter, fmax(parameter->low, 0)),
                     format_value(high, parameter, parameter->high));
        mt_table_add(&table, parameter->name,
                     format_value(value, parameter, parameter->value), interval, NULL);
    }
    return mt_table_print(&table, stream, err);
}

/* The steps beside the caches that the machine says it has. */
static void print_caches(const struct mt_surface_fit *fit, FILE *stream)
{
    const struct mt_components *components = &fit->learned.components;
    for (int i = 0; i < components->ncaches && fit->ncaches > 0; i++) {
        const struct mt_cache_step *step = &components->caches[i];
        const struct mt_machine_cache *cache = mt_surface_fit_cache(fit, step);
        char hit[32], miss[32], bytes[32], owner[32] = "each core";
        if (cache->cores > 1)
            snprintf(owner, sizeof owner, "%d cores", cache->cores);
        fprintf(stream, "cache %d: %s to %s; this machine's L%d has %s for %s\n", i + 1,
                mt_format_bytes(hit, step->hit), mt_format_bytes(miss, step->miss),
                cache->level, mt_format_bytes(bytes, cache->bytes), owner);
    }
}

static void add_trial(struct mt_table *table, const struct mt_trial *trial)
{
    char caches[16], error[32];
    snprintf(caches, sizeof caches, "%d", trial->ncaches);
    snprintf(error, sizeof error, "%.2f %%", 100 * trial->error);
    mt_table_add(table, caches, mt_contention_name(trial->contention),
                 trial->latency ? "yes" : "no", trial->half ? "yes" : "no",
                 trial->overlap ? "yes" : "no", error, trial->chosen ? "chosen" : "",
                 NULL);
}

/* The best of those that the runs determine, and the one chosen. */
static int print_trials(const struct mt_learned *learned, FILE *stream,
                        struct mt_error *err)
{
    struct mt_table table = {0};
    int shown = 0, undetermined = 0;
    mt_table_add(&table, ">cache steps", "contention", "latency", "slower when long",
                 "overlap", ">error", "", NULL);
    for (int i = 0; i < learned->ntrials; i++) {
        const struct mt_trial *trial = &learned->trials[i];
        undetermined += isnan(trial->error);
        if ((shown >= MOST_TRIALS || isnan(trial->error)) && !trial->chosen)
            continue;
        add_trial(&table, trial);
        shown++;
    }
    fprintf(stream, "\nForms tried: %d; the runs do not determine %d of them\n",
            learned->ntrials, undetermined);
    int status = mt_table_print(&table, stream, err);
    fprintf(stream,
            "error: mean of the times in cross-validation; the fit of all runs is off "
            "by %.2f %%\n",
            100 * learned->residual);
    return status;
}

static int print_wanted(const struct mt_surface_fit *fit, FILE *stream,
                        struct mt_error *err)
{
    const struct mt_learned *learned = &fit->learned;
    struct mt_table table = {0};
    if (learned->nwanted == 0)
        return MT_OK;
    fprintf(stream, "\nRuns that would tell more\n");
    mt_table_add(&table, ">nodes", ">size", "why", NULL);
    for (int i = 0; i < learned->nwanted; i++) {
        char nodes[16], size[32];
        snprintf(nodes, sizeof nodes, "%d", learned->wanted[i].ranks);
        snprintf(size, sizeof size, "%.15g", learned->wanted[i].size);
        mt_table_add(&table, nodes, size, learned->wanted[i].why, NULL);
    }
    int status = mt_table_print(&table, stream, err);
    for (char **command = fit->measure; command && *command; command++)
        fprintf(stream, "%s\n", *command);
    return status;
}

int mt_surface_fit_print(const struct mt_surface_fit *fit, FILE *stream,
                         struct mt_error *err)
{
    char speed[32];
    print_header(fit, stream);
    fputc('\n', stream);
    int status = print_parameters(&fit->learned, stream, err);
    print_caches(fit, stream);
    if (status == MT_OK)
        status = print_trials(&fit->learned, stream, err);
    if (status == MT_OK)
        status = print_wanted(fit, stream, err);
    fprintf(stream, "\nA node at its best: %s, %s\n",
            mt_format_rate(speed, fit->machine.speed, "f"), fit->speed_origin);
    if (mt_surface_options.output)
        fprintf(stream, "'%s' has it as algorithm '%s'\n", mt_surface_options.output,
                fit->inputs.program.name);
    return status;
}
