/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules that give a file's columns their meaning: --columns, and defaults. */
#include "cli/process/memory.h"
#include "rows.h"

#include <stdlib.h>
#include <string.h>

static const char *const more_targets[] = {"nodes", "ppn",   "ranks", "threads",
                                           "gpus",  "rate",  "work",  "group",
                                           "hosts", "ignore"};

static int find_target(const char *name)
{
    for (int target = MT_NODES; target < MT_TARGETS; target++)
        if (!strcmp(mt_target_name(target), name))
            return target;
    return mt_run_column_find(name);
}

const char *mt_target_name(int target)
{
    return target < MT_NODES ? mt_run_column_name(target)
                             : more_targets[target - MT_NODES];
}

static const struct mt_rule *find_rule(const struct mt_rows *rows, int target)
{
    for (int i = 0; i < rows->nrules; i++)
        if (rows->rules[i].target == target)
            return &rows->rules[i];
    return NULL;
}

const struct mt_rule *mt_rules_find(const struct mt_rows *rows, int target)
{
    const struct mt_rule *rule = find_rule(rows, target);
    return rule && rule->nfactors > 0 ? rule : NULL;
}

static int add_rule(struct mt_rows *rows, int target, const char *text, bool optional,
                    struct mt_error *err)
{
    if (rows->nrules == MT_RULES)
        return mt_fail(err, MT_EINVAL, "more than %d columns", MT_RULES);
    char *copy = mt_strdup(text);
    rows->rules[rows->nrules++] =
        (struct mt_rule){.target = target,
                         .text = copy,
                         .optional = optional,
                         .is_needed = target == mt_run_column_find("size") ||
                                      target == mt_run_column_find("seconds") ||
                                      target == mt_run_column_find("configuration"),
                         .is_outcome = target == mt_run_column_find("outcome"),
                         .unit = 1};
    return MT_OK;
}

/* "size=N"; "size" is "size=size". */
static int parse_rule(struct mt_rows *rows, char *text, struct mt_error *err)
{
    char *equals = strchr(text, '='), *from = equals ? equals + 1 : text;
    if (equals)
        *equals = '\0';
    const int target = find_target(text);
    if (target < 0)
        return mt_fail(err, MT_EINVAL,
                       "--columns: '%s' is none of size, seconds, nodes, ppn, ranks, "
                       "threads, gpus, hosts, group, rate, work, ignore, or a column "
                       "that motley-import(1) lists",
                       text);
    if (target != MT_IGNORE && find_rule(rows, target))
        return mt_fail(err, MT_EINVAL, "--columns: '%s' comes twice", text);
    if (!*from)
        return mt_fail(err, MT_EINVAL, "--columns: no column stands behind '%s='",
                       text);
    return add_rule(rows, target, from, false, err);
}

int mt_rules_parse(struct mt_rows *rows, const char *text, struct mt_error *err)
{
    char *copy = mt_strdup(text), *rest = copy;
    int status = MT_OK;
    for (char *rule; status == MT_OK && (rule = strsep(&rest, ","));)
        status = parse_rule(rows, rule, err);
    free(copy);
    return status;
}

int mt_rules_default(struct mt_rows *rows, const char *target, const char *text,
                     struct mt_error *err)
{
    const int number = find_target(target);
    bool is_said =
        number < 0 || number == MT_IGNORE || find_rule(rows, number) ||
        (number == mt_run_column_find("seconds") && find_rule(rows, MT_RATE));
    for (int i = 0; i < rows->nrules; i++)
        is_said = is_said || (rows->rules[i].target == MT_IGNORE &&
                              !strcmp(rows->rules[i].text, text));
    return is_said ? MT_OK : add_rule(rows, number, text, true, err);
}

/* Whether the name ends in '.' and `end`. */
static bool ends_in(const char *name, const char *end)
{
    const size_t length = strlen(name), wanted = strlen(end);
    return wanted > 0 && length > wanted && name[length - wanted - 1] == '.' &&
           !strcmp(name + length - wanted, end);
}

int mt_column_place(const struct mt_rows *rows, const char *name)
{
    int found = -1, count = 0;
    for (int i = rows->count - 1; i >= 0; i--) {
        if (!strcmp(rows->names[i], name))
            return i;
        if (ends_in(rows->names[i], name)) {
            found = i;
            count++;
        }
    }
    return count == 1 ? found : -1;
}

static bool bind_factor(const struct mt_rows *rows, struct mt_rule *rule,
                        const char *text, size_t length)
{
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    const int place = mt_column_place(rows, name);
    double number = 1;
    if ((place < 0 && !mt_parse_number(&number, name)) || rule->nfactors == MT_FACTORS)
        return false;
    rule->factors[rule->nfactors++] =
        (struct mt_factor){place, number, text > rule->text && text[-1] == '/'};
    return true;
}

/* A column, or a product or quotient. */
static bool bind_product(const struct mt_rows *rows, struct mt_rule *rule,
                         size_t length)
{
    const char *text = rule->text;
    rule->nfactors = 0;
    if (bind_factor(rows, rule, text, length))
        return true;
    bool found = true;
    for (size_t at = 0; found && at <= length; at++) {
        const size_t end = at + strcspn(text + at, "*/");
        const size_t stop = end < length ? end : length;
        found = bind_factor(rows, rule, text + at, stop - at);
        at = stop;
    }
    return found;
}

static enum mt_cell_kind kind_of(int target)
{
    return target == mt_run_column_find("size") || target == MT_WORK ? MT_CELL_SIZE
           : target == mt_run_column_find("seconds") ||
                   target == mt_run_column_find("wall")
               ? MT_CELL_SECONDS
           : target == MT_RATE ? MT_CELL_RATE
                               : MT_CELL_COUNT;
}

static bool bind_rule(const struct mt_rows *rows, struct mt_rule *rule)
{
    const char *colon = strrchr(rule->text, ':');
    rule->kind = kind_of(rule->target);
    rule->unit = 1;
    if (bind_product(rows, rule, strlen(rule->text)) ||
        (colon && mt_cell_unit(&rule->unit, rule->kind, colon + 1) &&
         bind_product(rows, rule, (size_t)(colon - rule->text))))
        return true;
    rule->nfactors = 0;
    return false;
}

int mt_column_lacks(const struct mt_rows *rows, const char *name, struct mt_error *err)
{
    char list[128] = "";
    size_t length = 0;
    for (int i = 0; i < rows->count && length < sizeof list; i++)
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                                   i > 0 ? ", " : "", rows->names[i]);
    return mt_source_fail(rows->source, err, "no column '%s'; there are: %s%s", name,
                          list, length >= sizeof list ? " ..." : "");
}

int mt_rules_bind(struct mt_rows *rows, struct mt_error *err)
{
    for (int i = 0; i < rows->nrules; i++)
        if (!bind_rule(rows, &rows->rules[i]) && !rows->rules[i].optional)
            return mt_column_lacks(rows, rows->rules[i].text, err);
    return MT_OK;
}

bool mt_rules_take(const struct mt_rows *rows, int place)
{
    for (int i = 0; i < rows->nrules; i++)
        for (int k = 0; k < rows->rules[i].nfactors; k++)
            if (rows->rules[i].factors[k].place == place)
                return true;
    for (int i = 0; i < rows->nwhere; i++)
        if (rows->where[i].place == place)
            return true;
    return false;
}
