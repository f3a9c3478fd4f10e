/* SPDX-License-Identifier: BSD-3-Clause */
/* Which columns of a file say what about a run (--columns), and the configuration that
   follows from nodes, processes per node and ranks. */
#include "formats.h"

#include "cli/process/memory.h"
#include "columns.h"
#include "lib/base/quantity.h"
#include "lib/input/internal.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a rule may be about beside our columns, which have their numbers. */
enum { NODES = MT_RUN_COLUMNS, PPN, RANKS, GROUP, IGNORE, TARGETS };

static const char *const more_targets[] = {"nodes", "ppn", "ranks", "group", "ignore"};

static int find_target(const char *name)
{
    for (int target = NODES; target < TARGETS; target++)
        if (!strcmp(more_targets[target - NODES], name))
            return target;
    return mt_run_column_find(name);
}

static const struct mt_mapping_rule *find_rule(const struct mt_mapping *mapping,
                                               const char *name)
{
    const int target = find_target(name);
    for (int i = 0; i < mapping->count; i++)
        if (mapping->rules[i].target == target)
            return &mapping->rules[i];
    return NULL;
}

void mt_mapping_clear(struct mt_mapping *mapping)
{
    for (int i = 0; i < mapping->count; i++)
        free(mapping->rules[i].text);
    *mapping = (struct mt_mapping){.count = 0};
}

static int add_rule(struct mt_mapping *mapping, int target, const char *text,
                    bool optional, struct mt_error *err)
{
    if (mapping->count == MT_MAPPING_RULES)
        return mt_fail(err, MT_EINVAL, "more than %d columns", MT_MAPPING_RULES);
    char *copy = mt_strdup(text);
    mapping->rules[mapping->count++] = (struct mt_mapping_rule){
        .target = target, .text = copy, .optional = optional, .unit = 1};
    return MT_OK;
}

/* "size=N"; "size" is "size=size". */
static int parse_rule(struct mt_mapping *mapping, char *text, struct mt_error *err)
{
    char *equals = strchr(text, '='), *from = equals ? equals + 1 : text;
    if (equals)
        *equals = '\0';
    const int target = find_target(text);
    if (target < 0)
        return mt_fail(err, MT_EINVAL,
                       "--columns: '%s' is none of size, seconds, nodes, ppn, ranks, "
                       "group, ignore, or a column that motley-import(1) lists",
                       text);
    if (target != IGNORE && find_rule(mapping, text))
        return mt_fail(err, MT_EINVAL, "--columns: '%s' comes twice", text);
    if (!*from)
        return mt_fail(err, MT_EINVAL, "--columns: no column stands behind '%s='",
                       text);
    return add_rule(mapping, target, from, false, err);
}

int mt_mapping_parse(struct mt_mapping *mapping, const char *text, struct mt_error *err)
{
    char *copy = mt_strdup(text), *rest = copy;
    int status = MT_OK;
    for (char *rule; status == MT_OK && (rule = strsep(&rest, ","));)
        status = parse_rule(mapping, rule, err);
    free(copy);
    return status;
}

int mt_mapping_default(struct mt_mapping *mapping, const char *target, const char *text,
                       struct mt_error *err)
{
    const int number = find_target(target);
    return number < 0 || number == IGNORE || find_rule(mapping, target)
               ? MT_OK
               : add_rule(mapping, number, text, true, err);
}

/* The columns of a file. */
struct columns {
    char *const *names;
    int count;
};

static bool bind_factor(struct mt_mapping_rule *rule, const char *text, size_t length,
                        const struct columns *columns)
{
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    int place = columns->count - 1;
    while (place >= 0 && strcmp(columns->names[place], name) != 0)
        place--;
    double number = 1;
    if ((place < 0 && !mt_parse_number(&number, name)) ||
        rule->nfactors == MT_MAPPING_FACTORS)
        return false;
    rule->factors[rule->nfactors].place = place;
    rule->factors[rule->nfactors++].number = number;
    return true;
}

/* A column, or a product. */
static bool bind_product(struct mt_mapping_rule *rule, const char *text, size_t length,
                         const struct columns *columns)
{
    if (bind_factor(rule, text, length, columns))
        return true;
    bool found = memchr(text, '*', length) != NULL;
    for (size_t at = 0; found && at <= length; at++) {
        const size_t end = at + strcspn(text + at, "*");
        const size_t stop = end < length ? end : length;
        found = bind_factor(rule, text + at, stop - at, columns);
        at = stop;
    }
    return found;
}

static bool read_unit(double *unit, int target, const char *name)
{
    char one[32];
    const bool is_size = target == mt_run_column_find("size");
    const bool is_time =
        target == mt_run_column_find("seconds") || target == mt_run_column_find("wall");
    snprintf(one, sizeof one, "1 %s", name);
    return (is_size || is_time) &&
           mt_quantity_parse(unit, one, is_time ? MT_SECONDS : MT_BYTES, NULL) == MT_OK;
}

static bool bind_rule(struct mt_mapping_rule *rule, const struct columns *columns)
{
    rule->nfactors = 0;
    rule->unit = 1;
    if (bind_product(rule, rule->text, strlen(rule->text), columns))
        return true;
    const char *colon = strrchr(rule->text, ':');
    rule->nfactors = 0;
    if (colon && read_unit(&rule->unit, rule->target, colon + 1) &&
        bind_product(rule, rule->text, (size_t)(colon - rule->text), columns))
        return true;
    rule->nfactors = 0;
    return false;
}

/* What the file has instead. */
static int lacks(const struct mt_source *source, const struct mt_mapping_rule *rule,
                 const struct columns *columns, struct mt_error *err)
{
    char list[128] = "";
    size_t length = 0;
    for (int i = 0; i < columns->count && length < sizeof list; i++)
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                                   i > 0 ? ", " : "", columns->names[i]);
    return mt_source_fail(source, err, "no column '%s'; there are: %s%s", rule->text,
                          list, length >= sizeof list ? " ..." : "");
}

int mt_mapping_bind(struct mt_mapping *mapping, const struct mt_source *source,
                    char *const *names, int count, struct mt_error *err)
{
    const struct columns columns = {names, count};
    mapping->outcome = mt_run_column_find("outcome");
    for (int i = 0; i < mapping->count; i++)
        if (!bind_rule(&mapping->rules[i], &columns) && !mapping->rules[i].optional)
            return lacks(source, &mapping->rules[i], &columns, err);
    return MT_OK;
}

bool mt_mapping_has(const struct mt_mapping *mapping, const char *target)
{
    const struct mt_mapping_rule *rule = find_rule(mapping, target);
    return rule && rule->nfactors > 0;
}

bool mt_mapping_takes(const struct mt_mapping *mapping, int place)
{
    for (int i = 0; i < mapping->count; i++)
        for (int k = 0; k < mapping->rules[i].nfactors; k++)
            if (mapping->rules[i].factors[k].place == place)
                return true;
    return false;
}

/* ReFrame writes "null" for a figure that there is not. */
static bool is_empty(const char *cell)
{
    return !cell[strspn(cell, " \t")] || strcmp(cell, "null") == 0;
}

/* The product of a rule; NaN: one of its cells is empty. */
static int multiply(const struct mt_mapping_rule *rule, const struct mt_source *source,
                    char *const *cells, double *product, struct mt_error *err)
{
    *product = rule->unit;
    for (int i = 0; i < rule->nfactors; i++) {
        const char *cell =
            rule->factors[i].place < 0 ? NULL : cells[rule->factors[i].place];
        double number = rule->factors[i].number;
        if (cell && is_empty(cell))
            number = NAN;
        else if (cell && !mt_parse_number(&number, cell))
            return mt_source_fail(source, err, "%s: no number: '%s'", rule->text, cell);
        *product *= number;
    }
    return MT_OK;
}

double mt_mapping_number(const struct mt_mapping *mapping, const char *target,
                         char *const *cells)
{
    static const struct mt_source unnamed = {.path = ""};
    const struct mt_mapping_rule *rule = find_rule(mapping, target);
    double number = NAN;
    return rule && rule->nfactors > 0 &&
                   multiply(rule, &unnamed, cells, &number, NULL) == MT_OK
               ? number
               : NAN;
}

/* Where a run took place, by what the line says. 0, NULL: it does not say. */
struct placement {
    double nodes, processes, ranks;
    const char *group;
};

static int set_placement(const struct mt_mapping_rule *rule,
                         const struct mt_source *source, char *const *cells,
                         struct placement *placement, struct mt_error *err)
{
    double *member = rule->target == NODES ? &placement->nodes
                     : rule->target == PPN ? &placement->processes
                                           : &placement->ranks;
    double number;
    const int status = multiply(rule, source, cells, &number, err);
    if (status != MT_OK || isnan(number))
        return status;
    if (!(number > 0 && number <= INT_MAX && number == floor(number)))
        return mt_source_fail(source, err, "%s (%s) is no whole number above 0: '%g'",
                              more_targets[rule->target - NODES], rule->text, number);
    *member = number;
    return MT_OK;
}

int mt_mapping_outcome(struct mt_run *run, const char *text, struct mt_error *err)
{
    static const struct {
        const char *word;
        enum mt_outcome outcome;
    } words[] = {{"COMPLETED", MT_RUN_OK},     {"TIMEOUT", MT_RUN_TIMEOUT},
                 {"CANCELLED", MT_RUN_FAILED}, {"FAILED", MT_RUN_FAILED},
                 {"NODE_FAIL", MT_RUN_FAILED}, {"OUT_OF_MEMORY", MT_RUN_FAILED},
                 {"PREEMPTED", MT_RUN_FAILED}, {"BOOT_FAIL", MT_RUN_FAILED},
                 {"DEADLINE", MT_RUN_FAILED},  {"pass", MT_RUN_OK},
                 {"fail", MT_RUN_FAILED},      {"error", MT_RUN_FAILED},
                 {"abort", MT_RUN_FAILED}};
    const size_t length = strcspn(text, " +");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].word) == length && !strncmp(words[i].word, text, length)) {
            run->outcome = words[i].outcome;
            return MT_OK;
        }
    return mt_run_set_text(run, mt_run_column_find("outcome"), text, err);
}

static int set_member(const struct mt_mapping_rule *rule, bool is_outcome,
                      const struct mt_source *source, char *const *cells,
                      struct mt_run *run, struct mt_error *err)
{
    struct mt_error reason;
    int status;
    if (rule->nfactors == 1 && rule->factors[0].place >= 0 && rule->unit == 1) {
        const char *cell = cells[rule->factors[0].place];
        if (is_empty(cell))
            return MT_OK;
        status = is_outcome ? mt_mapping_outcome(run, cell, &reason)
                            : mt_run_set_text(run, rule->target, cell, &reason);
    } else {
        double number;
        char text[32] = "";
        status = multiply(rule, source, cells, &number, err);
        if (status != MT_OK)
            return status;
        if (!isnan(number))
            snprintf(text, sizeof text, "%.15g", number);
        status = mt_run_set_text(run, rule->target, text, &reason);
    }
    return status == MT_OK ? MT_OK : mt_source_fail(source, err, "%s", reason.text);
}

/* Split "NAME" or "NAME:xM"; false: it is neither. */
static bool split_group(const char *text, char group[static 128],
                        struct mt_layout *layout)
{
    int used = 0;
    if (sscanf(text, " %127[^:+]%n", group, &used) != 1)
        return false;
    for (size_t end = strlen(group); end > 0 && isspace((unsigned char)group[end - 1]);)
        group[--end] = '\0';
    if (!text[used])
        return true;
    const char *at = text + used + strlen(":x");
    return strncmp(text + used, ":x", strlen(":x")) == 0 &&
           mt_layout_read(layout, &at) && layout->processes > 0 && !*at;
}

/* Find what is not said of nodes, processes per node and ranks from the other two. */
static int complete(struct placement *placement, const struct mt_source *source,
                    struct mt_error *err)
{
    struct placement *p = placement;
    if (p->processes == 0 && p->nodes > 0 && p->ranks > 0)
        p->processes = p->ranks / p->nodes;
    if (p->processes == 0)
        return mt_source_fail(source, err,
                              "'%s' does not say which group ran with how many "
                              "processes per node: give '--group NAME:xM'",
                              p->group);
    if (p->processes != floor(p->processes))
        return mt_source_fail(source, err, "%g ranks are no multiple of %g nodes",
                              p->ranks, p->nodes);
    if (p->ranks == 0 && p->nodes == 0)
        return mt_source_fail(source, err, "neither nodes nor ranks are said");
    if (p->nodes == 0)
        p->nodes = p->ranks / p->processes;
    if (p->nodes != floor(p->nodes))
        return mt_source_fail(source, err, "P = %g is no multiple of M = %g", p->ranks,
                              p->processes);
    if (p->ranks > 0 && p->nodes * p->processes != p->ranks)
        return mt_source_fail(source, err,
                              "%g nodes with %g processes each are not %g ranks",
                              p->nodes, p->processes, p->ranks);
    return MT_OK;
}

static int set_configuration(struct placement *placement,
                             const struct mt_source *source, struct mt_run *run,
                             struct mt_error *err)
{
    char group[128], text[MT_LAYOUT_LENGTH];
    struct mt_layout layout = {0};
    if (!placement->group)
        return mt_source_fail(source, err,
                              "which group ran is not said: give '--group NAME', or "
                              "'group=COLUMN' in --columns");
    if (!split_group(placement->group, group, &layout))
        return mt_source_fail(source, err,
                              "'%s' does not say which group ran with how many "
                              "processes per node: give '--group NAME:xM'",
                              placement->group);
    if (placement->processes == 0)
        placement->processes = layout.processes;
    const int status = complete(placement, source, err);
    if (status != MT_OK)
        return status;
    layout.processes = (int)fmin(placement->processes, INT_MAX);
    run->configuration = mt_asprintf("%s:%.0fx%s", group, placement->nodes,
                                     mt_layout_format(text, layout));
    return MT_OK;
}

int mt_mapping_read(const struct mt_mapping *mapping, const struct mt_source *source,
                    char *const *cells, struct mt_run *run, struct mt_error *err)
{
    const bool only = source->hosts && source->hosts->ngroups == 1;
    struct placement placement = {.group = source->group || !only
                                               ? source->group
                                               : source->hosts->groups[0].name};
    bool placed = false;
    int status = MT_OK;
    for (int i = 0; status == MT_OK && i < mapping->count; i++) {
        const struct mt_mapping_rule *rule = &mapping->rules[i];
        if (rule->nfactors == 0 || rule->target == IGNORE)
            continue;
        placed = placed || rule->target >= NODES;
        const char *cell =
            rule->factors[0].place < 0 ? NULL : cells[rule->factors[0].place];
        if (rule->target == GROUP && cell && *cell)
            placement.group = cell;
        else if (rule->target == GROUP)
            continue;
        else if (rule->target >= NODES)
            status = set_placement(rule, source, cells, &placement, err);
        else
            status = set_member(rule, rule->target == mapping->outcome, source, cells,
                                run, err);
    }
    if (source->columns && run->outcome != MT_RUN_OK)
        run->seconds = 0; /* until it failed, which is no time of a run */
    if (status == MT_OK && placed && !run->configuration)
        status = set_configuration(&placement, source, run, err);
    return status;
}
