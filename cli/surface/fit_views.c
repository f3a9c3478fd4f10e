/* SPDX-License-Identifier: BSD-3-Clause */
#include "fit_views.h"

#include "cli/common/document.h"
#include "cli/common/format.h"
#include "cli/common/json.h"
#include "cli/common/view.h"

#include <math.h>
#include <stdio.h>

static void print_header(const struct mt_fit_report *report)
{
    const struct mt_group_runs *runs = &report->fit.runs;
    const struct mt_learned_from *from = &report->fit.learned.from;
    printf("%s on %s: learned from %d run%s%s ", report->inputs.program.name,
           report->fit.machine.name, from->runs, from->runs == 1 ? "" : "s",
           mt_cluster_simulated(&report->inputs.cluster) ? " (simulated)" : "");
    if (runs->count < from->runs)
        printf("at %d points ", runs->count);
    const int least = runs->runs[0].ranks; /* they are sorted by ranks */
    if (least < from->nodes)
        printf("on %d to %d nodes", least, from->nodes);
    else
        printf("on %d node%s", least, least == 1 ? "" : "s");
    if (from->size_low < from->size_high)
        printf(", N %.15g to %.15g\n", from->size_low, from->size_high);
    else
        printf(", N %.15g\n", from->size_low);
    if (runs->processes > 1)
        printf("A node is a process here: there are up to %d on one\n",
               runs->processes);
}

enum {
    PARAMETER_NAME,
    PARAMETER_UNIT,
    PARAMETER_VALUE,
    PARAMETER_LOW,
    PARAMETER_HIGH,
    PARAMETER_INTERVAL,
    PARAMETER_COLUMNS
};
static const struct mt_column parameter_columns[PARAMETER_COLUMNS] = {
    [PARAMETER_NAME] = {"name", "parameter", MT_COLUMN_TEXT},
    [PARAMETER_UNIT] = {"unit", NULL, MT_COLUMN_TEXT},
    [PARAMETER_VALUE] = {"value", "value", MT_COLUMN_NUMBER},
    [PARAMETER_LOW] = {"low", NULL, MT_COLUMN_NUMBER},
    [PARAMETER_HIGH] = {"high", NULL, MT_COLUMN_NUMBER},
    [PARAMETER_INTERVAL] = {NULL, "90 % interval", MT_COLUMN_TEXT},
};

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

static const char *format_value(char buffer[MT_QUANTITY_TEXT],
                                const struct mt_parameter *parameter, double value)
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
    snprintf(buffer, MT_QUANTITY_TEXT, "%.4g", value);
    return buffer;
}

static void fill_parameters(struct mt_view *view, const struct mt_learned *learned)
{
    for (int i = 0; i < learned->nparameters; i++) {
        const struct mt_parameter *parameter = &learned->parameters[i];
        char value[MT_QUANTITY_TEXT], low[MT_QUANTITY_TEXT], high[MT_QUANTITY_TEXT];
        mt_view_row(view);
        mt_view_text(view, PARAMETER_NAME, parameter->name);
        mt_view_text(view, PARAMETER_UNIT, unit_name(parameter));
        mt_view_number(view, PARAMETER_VALUE, parameter->value);
        mt_view_show(view, PARAMETER_VALUE, "%s",
                     format_value(value, parameter, parameter->value));
        mt_view_number(view, PARAMETER_LOW, parameter->low);
        mt_view_number(view, PARAMETER_HIGH, parameter->high);
        if (isnan(parameter->low) || isnan(parameter->high))
            mt_view_show(view, PARAMETER_INTERVAL, "the runs do not say");
        else
            mt_view_show(view, PARAMETER_INTERVAL, "%s to %s",
                         format_value(low, parameter, fmax(parameter->low, 0)),
                         format_value(high, parameter, parameter->high));
    }
}

/* This machine's cache whose size is the nearest to the step; NULL: none is known. */
static const struct mt_machine_cache *find_cache(const struct mt_fit_report *report,
                                                 const struct mt_cache_step *step)
{
    const struct mt_machine_cache *nearest =
        report->ncaches > 0 ? report->caches : NULL;
    double least = INFINITY;
    for (int i = 0; i < report->ncaches; i++) {
        const double bytes = report->caches[i].bytes;
        const double distance = fabs(log(bytes * bytes / (step->hit * step->miss)));
        if (distance >= least)
            continue;
        least = distance;
        nearest = &report->caches[i];
    }
    return nearest;
}

/* The steps beside the caches that the machine says it has. */
static void print_caches(const struct mt_fit_report *report)
{
    const struct mt_components *components = &report->fit.learned.components;
    for (int i = 0; i < components->ncaches && report->ncaches > 0; i++) {
        const struct mt_cache_step *step = &components->caches[i];
        const struct mt_machine_cache *cache = find_cache(report, step);
        char hit[MT_QUANTITY_TEXT], miss[MT_QUANTITY_TEXT], bytes[MT_QUANTITY_TEXT];
        char owner[32] = "each core";
        if (cache->cores > 1)
            snprintf(owner, sizeof owner, "%d cores", cache->cores);
        printf("cache %d: %s to %s; this machine's L%d has %s for %s\n", i + 1,
               mt_format_bytes(hit, step->hit), mt_format_bytes(miss, step->miss),
               cache->level, mt_format_bytes(bytes, cache->bytes), owner);
    }
}

/* The steps, and which cache of this machine each may be. */
static json_t *caches_json(const struct mt_fit_report *report)
{
    const struct mt_components *components = &report->fit.learned.components;
    json_t *list = json_array();
    for (int i = 0; i < components->ncaches; i++) {
        const struct mt_cache_step *step = &components->caches[i];
        const struct mt_machine_cache *cache = find_cache(report, step);
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

/* The forms that were tried. */
enum {
    TRIAL_CACHES,
    TRIAL_CONTENTION,
    TRIAL_LATENCY,
    TRIAL_HOP,
    TRIAL_HALF,
    TRIAL_LENGTHS,
    TRIAL_OVERLAP,
    TRIAL_EVENS_OUT,
    TRIAL_ERROR,
    TRIAL_CHOSEN,
    TRIAL_COLUMNS
};
static const struct mt_column trial_columns[TRIAL_COLUMNS] = {
    [TRIAL_CACHES] = {"cache_steps", "cache steps", MT_COLUMN_COUNT},
    [TRIAL_CONTENTION] = {"contention", "contention", MT_COLUMN_TEXT},
    [TRIAL_LATENCY] = {"latency", "latency", MT_COLUMN_FLAG},
    [TRIAL_HOP] = {"hop", "by hops", MT_COLUMN_FLAG},
    [TRIAL_HALF] = {"half", "slower when long", MT_COLUMN_FLAG},
    [TRIAL_LENGTHS] = {"lengths", "as checked", MT_COLUMN_FLAG},
    [TRIAL_OVERLAP] = {"overlap", "overlap", MT_COLUMN_FLAG},
    [TRIAL_EVENS_OUT] = {"evens_out", "uneven: counts", MT_COLUMN_FLAG},
    [TRIAL_ERROR] = {"error_percent", "error", MT_COLUMN_NUMBER},
    [TRIAL_CHOSEN] = {"chosen", "", MT_COLUMN_FLAG},
};

static void add_trial(struct mt_view *view, const struct mt_learn_trial *trial)
{
    mt_view_row(view);
    mt_view_number(view, TRIAL_CACHES, trial->ncaches);
    mt_view_text(view, TRIAL_CONTENTION, mt_contention_name(trial->contention));
    mt_view_flag(view, TRIAL_LATENCY, trial->latency);
    mt_view_flag(view, TRIAL_HOP, trial->hop);
    mt_view_flag(view, TRIAL_HALF, trial->half);
    mt_view_flag(view, TRIAL_LENGTHS, trial->lengths);
    mt_view_flag(view, TRIAL_OVERLAP, trial->overlap);
    mt_view_flag(view, TRIAL_EVENS_OUT, trial->evens_out);
    mt_view_show(view, TRIAL_EVENS_OUT, trial->evens_out ? "mean" : "longest");
    mt_view_number(view, TRIAL_ERROR, 100 * trial->error);
    mt_view_show(view, TRIAL_ERROR, "%.2f %%", 100 * trial->error);
    mt_view_flag(view, TRIAL_CHOSEN, trial->chosen);
    mt_view_show(view, TRIAL_CHOSEN, "%s", trial->chosen ? "chosen" : "");
}

/* Whether it is the best one with its contention, or with its number of cache steps. */
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

/* The chosen one and the best of each kind. */
static int print_trials(const struct mt_learned *learned, struct mt_error *err)
{
    struct mt_view view = {.columns = trial_columns, .ncolumns = TRIAL_COLUMNS};
    bool uneven = false; /* both ways to count uneven messages were tried */
    bool hop = false, lengths = false;
    int undetermined = 0;
    for (int i = 0; i < learned->ntrials; i++) {
        const struct mt_learn_trial *trial = &learned->trials[i];
        uneven |= trial->evens_out;
        hop |= trial->hop;
        lengths |= trial->lengths;
        undetermined += isnan(trial->error) != 0;
        if (trial->chosen || (!isnan(trial->error) && is_best_of_its_kind(learned, i)))
            add_trial(&view, trial);
    }
    if (!uneven)
        mt_view_hide(&view, TRIAL_EVENS_OUT);
    if (!hop)
        mt_view_hide(&view, TRIAL_HOP);
    if (!lengths)
        mt_view_hide(&view, TRIAL_LENGTHS);
    printf("\nForms tried: %d, of which the runs do not determine %d; the best of each "
           "kind:\n",
           learned->ntrials, undetermined);
    const int status = mt_view_print(&view, stdout, err);
    printf("error: of times in cross-validation, the mean. Of the fit of all runs: "
           "%.2f %% (root mean square)\n",
           100 * learned->residual);
    return status;
}

enum { WANTED_NODES, WANTED_SIZE, WANTED_WHY, WANTED_COLUMNS };
static const struct mt_column wanted_columns[WANTED_COLUMNS] = {
    [WANTED_NODES] = {"nodes", "nodes", MT_COLUMN_COUNT},
    [WANTED_SIZE] = {"size", "size", MT_COLUMN_COUNT},
    [WANTED_WHY] = {"why", "why", MT_COLUMN_TEXT},
};

static void fill_wanted(struct mt_view *view, const struct mt_learned *learned)
{
    for (int i = 0; i < learned->nwanted; i++) {
        const struct mt_wanted_run *run = &learned->wanted[i];
        mt_view_row(view);
        mt_view_number(view, WANTED_NODES, run->ranks);
        mt_view_number(view, WANTED_SIZE, run->size);
        mt_view_text(view, WANTED_WHY, run->why);
    }
}

/* Whether a command makes each of the wanted runs. */
static bool can_make_all(const struct mt_machine_fit *fit)
{
    for (int i = 0; i < fit->learned.nwanted; i++)
        if (!mt_machine_fit_use(fit, fit->learned.wanted[i].ranks).nodes)
            return false;
    return true;
}

static int print_wanted(const struct mt_fit_report *report, struct mt_error *err)
{
    const struct mt_machine_fit *fit = &report->fit;
    struct mt_view view = {.columns = wanted_columns, .ncolumns = WANTED_COLUMNS};
    if (fit->learned.nwanted == 0)
        return MT_OK;
    puts("\nRuns that would tell more");
    fill_wanted(&view, &fit->learned);
    const int status = mt_view_print(&view, stdout, err);
    for (char **command = report->measure; command && *command; command++)
        puts(*command);
    if (!can_make_all(fit))
        printf("Group '%s' has not got the nodes for all of them\n",
               fit->cluster->groups[fit->runs.group].name);
    return status;
}

static int print_parameters(const struct mt_learned *learned, struct mt_error *err)
{
    struct mt_view view = {.columns = parameter_columns, .ncolumns = PARAMETER_COLUMNS};
    fill_parameters(&view, learned);
    return mt_view_print(&view, stdout, err);
}

int mt_fit_report_print(const struct mt_fit_report *report, struct mt_error *err)
{
    static const char *const origins[] = {
        [MT_SPEED_GIVEN] = "as --speed says",
        [MT_SPEED_OF_FILE] = "as the machine file says",
        [MT_SPEED_OF_RUNS] = "that of the fastest run",
    };
    const struct mt_machine_fit *fit = &report->fit;
    char speed[MT_QUANTITY_TEXT];
    print_header(report);
    puts("");
    int status = print_parameters(&fit->learned, err);
    print_caches(report);
    if (status == MT_OK)
        status = print_trials(&fit->learned, err);
    if (status == MT_OK)
        status = print_wanted(report, err);
    printf("\nA node at its best: %s, %s\n",
           mt_format_rate(speed, fit->machine.speed, "f"), origins[fit->speed_origin]);
    if (report->output)
        printf("'%s' has it as algorithm '%s'\n", report->output,
               report->inputs.program.name);
    return status;
}

static json_t *from_json(const struct mt_learned *learned)
{
    const struct mt_learned_from *from = &learned->from;
    return json_pack("{s:i, s:i, s:o, s:o, s:o, s:o}", "runs", from->runs, "nodes",
                     from->nodes, "size_low", mt_json_number(from->size_low),
                     "size_high", mt_json_number(from->size_high), "error_percent",
                     mt_json_number(100 * from->error), "residual_percent",
                     mt_json_number(100 * learned->residual));
}

int mt_fit_report_print_json(const struct mt_fit_report *report, struct mt_error *err)
{
    const struct mt_inputs *inputs = &report->inputs;
    const struct mt_machine_fit *fit = &report->fit;
    struct mt_view parameters = {.columns = parameter_columns,
                                 .ncolumns = PARAMETER_COLUMNS};
    struct mt_view trials = {.columns = trial_columns, .ncolumns = TRIAL_COLUMNS};
    struct mt_view wanted = {.columns = wanted_columns, .ncolumns = WANTED_COLUMNS};
    fill_parameters(&parameters, &fit->learned);
    for (int i = 0; i < fit->learned.ntrials; i++)
        add_trial(&trials, &fit->learned.trials[i]);
    fill_wanted(&wanted, &fit->learned);
    return mt_document_print(
        "motley/surface-fit", 1,
        json_pack(
            "{s:o, s:o, s:o, s:o, s:b, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
            "machine", mt_json_text(fit->machine.name), "cluster",
            mt_json_text(inputs->cluster.name), "group",
            mt_json_text(inputs->cluster.groups[fit->runs.group].name), "program",
            mt_json_text(inputs->program.name), "simulated",
            (int)mt_cluster_simulated(&inputs->cluster), "processes_per_node",
            fit->runs.processes, "speed", mt_json_number(fit->machine.speed), "learned",
            from_json(&fit->learned), "parameters", mt_view_to_json(&parameters),
            "caches", caches_json(report), "trials", mt_view_to_json(&trials), "wanted",
            mt_view_to_json(&wanted), "measure", mt_json_texts(report->measure),
            "warnings", mt_json_texts(fit->warnings)),
        stdout, err);
}
