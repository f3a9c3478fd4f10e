/* SPDX-License-Identifier: BSD-3-Clause */
#include "fit.h"

#include "cli/common/check_text.h"
#include "cli/common/table.h"
#include "surface.h"

#include <math.h>

static void print_header(const struct mt_surface_fit *fit, FILE *stream)
{
    const struct mt_learned_from *from = &fit->learned.from;
    const bool simulated = mt_cluster_simulated(&fit->inputs.cluster);
    fprintf(stream, "%s on %s: learned from %d run%s%s ", fit->inputs.program.name,
            fit->machine.name, from->runs, from->runs == 1 ? "" : "s",
            simulated ? " (simulated)" : "");
    if (fit->runs.count < from->runs)
        fprintf(stream, "at %d points ", fit->runs.count);
    const int least = fit->runs.runs[0].ranks; /* they are sorted by ranks */
    if (least < from->nodes)
        fprintf(stream, "on %d to %d nodes", least, from->nodes);
    else
        fprintf(stream, "on %d node%s", least, least == 1 ? "" : "s");
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
    case MT_PARAMETER_SECONDS:
        return mt_format_seconds(buffer, value);
    case MT_PARAMETER_BYTES:
        return mt_format_bytes(buffer, value);
    case MT_PARAMETER_BYTES_PER_SECOND:
        return mt_format_rate(buffer, value, "B/s");
    case MT_PARAMETER_NONE:
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

/* Whether it was tried which of uneven messages count. */
static bool tried_uneven(const struct mt_learned *learned)
{
    for (int i = 0; i < learned->ntrials; i++)
        if (learned->trials[i].evens_out)
            return true;
    return false;
}

static void add_trial(struct mt_table *table, const struct mt_learn_trial *trial,
                      bool uneven)
{
    char caches[16], error[32];
    snprintf(caches, sizeof caches, "%d", trial->ncaches);
    snprintf(error, sizeof error, "%.2f %%", 100 * trial->error);
    const char *cells[8];
    int count = 0;
    cells[count++] = caches;
    cells[count++] = mt_contention_name(trial->contention);
    cells[count++] = trial->latency ? "yes" : "no";
    cells[count++] = trial->half ? "yes" : "no";
    cells[count++] = trial->overlap ? "yes" : "no";
    if (uneven)
        cells[count++] = trial->evens_out ? "mean" : "longest";
    cells[count++] = error;
    cells[count++] = trial->chosen ? "chosen" : "";
    mt_table_add_row(table, cells);
}

/* Whether no better one has its contention, or none its number of cache steps. */
static bool is_best_of_its_kind(const struct mt_learned *learned, int i)
{
    const struct mt_learn_trial *trials = learned->trials;
    bool contention = true, caches = true;
    for (int j = 0; j < i; j++) {
        contention = contention && trials[j].contention != trials[i].contention;
        caches = caches && trials[j].ncaches != trials[i].ncaches;
    }
    return contention || caches;
}

static int print_trials(const struct mt_learned *learned, FILE *stream,
                        struct mt_error *err)
{
    struct mt_table table = {0};
    const bool uneven = tried_uneven(learned);
    int undetermined = 0;
    if (uneven)
        mt_table_add(&table, ">cache steps", "contention", "latency",
                     "slower when long", "overlap", "uneven: counts", ">error", "",
                     NULL);
    else
        mt_table_add(&table, ">cache steps", "contention", "latency",
                     "slower when long", "overlap", ">error", "", NULL);
    for (int i = 0; i < learned->ntrials; i++) {
        const struct mt_learn_trial *trial = &learned->trials[i];
        if (isnan(trial->error))
            undetermined++;
        if (trial->chosen || (!isnan(trial->error) && is_best_of_its_kind(learned, i)))
            add_trial(&table, trial, uneven);
    }
    fprintf(
        stream,
        "\nForms tried: %d, of which the runs do not determine %d; the best of each "
        "kind:\n",
        learned->ntrials, undetermined);
    int status = mt_table_print(&table, stream, err);
    fprintf(
        stream,
        "error: of times in cross-validation, the mean. Of the fit of all runs: %.2f "
        "%% (root mean square)\n",
        100 * learned->residual);
    return status;
}

/* Whether a command makes each of the wanted runs. */
static bool can_make_all(const struct mt_surface_fit *fit)
{
    for (int i = 0; i < fit->learned.nwanted; i++)
        if (!mt_surface_fit_find_use(fit, fit->learned.wanted[i].ranks).nodes)
            return false;
    return true;
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
    if (!can_make_all(fit))
        fprintf(stream, "Group '%s' has not got the nodes for all of them\n",
                fit->inputs.cluster.groups[fit->runs.group].name);
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
