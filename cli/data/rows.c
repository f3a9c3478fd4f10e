/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes runs from the rows of a table, with configurations from nodes, hosts, processes
   per node and ranks. */
#include "rows.h"

#include "cli/process/memory.h"
#include "lib/base/hostlist.h"
#include "lib/input/internal.h"
#include "lib/store/internal.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A column that is taken has a name of its own. */
static int check_names(const struct mt_rows *rows, struct mt_error *err)
{
    for (int i = 0; i < rows->count; i++)
        for (int k = 0; k < i; k++)
            if (!strcmp(rows->names[i], rows->names[k]) && mt_rules_take(rows, i))
                return mt_source_fail(rows->source, err, "column '%s' comes twice",
                                      rows->names[i]);
    if (!mt_rules_find(rows, mt_run_column_find("size")))
        return mt_source_fail(rows->source, err,
                              "which column is the size is not said: "
                              "give '--columns size=NAME,...'");
    if (mt_rules_find(rows, MT_RATE) &&
        mt_rules_find(rows, mt_run_column_find("seconds")))
        return mt_source_fail(rows->source, err, "seconds and a rate: take one");
    if (!mt_rules_find(rows, mt_run_column_find("configuration")) &&
        !mt_rules_find(rows, MT_NODES) && !mt_rules_find(rows, MT_RANKS) &&
        !mt_rules_find(rows, MT_HOSTS))
        return mt_source_fail(
            rows->source, err,
            rows->source->bare ? "which column is the number of nodes is not said: "
                                 "give '--columns nodes=NAME,...'"
                               : "on what the runs were made is not said: give their "
                                 "configuration, or two of nodes, ppn and ranks, by "
                                 "'--columns ranks=NAME,...'");
    if (!mt_rules_find(rows, MT_RATE) &&
        !mt_rules_find(rows, mt_run_column_find("seconds")) &&
        !mt_rules_find(rows, mt_run_column_find("outcome")))
        return mt_source_fail(rows->source, err,
                              "which column is the time is not said: give "
                              "'--columns seconds=NAME,...'");
    return MT_OK;
}

/* Report unused columns, and the meaning of a rate. */
static void say_ignored(const struct mt_rows *rows)
{
    const struct mt_source *source = rows->source;
    int count = 0;
    for (int i = 0; i < rows->count; i++) {
        if (mt_rules_take(rows, i) || !*rows->names[i])
            continue;
        if (count++ == 0)
            fprintf(stderr, "motley: columns of '%s' ignored: ", source->path);
        fprintf(stderr, "%s%s", count > 1 ? ", " : "", rows->names[i]);
    }
    if (count > 0)
        fputc('\n', stderr);
    if (mt_rules_find(rows, MT_RATE) && !mt_rules_find(rows, MT_WORK))
        fprintf(stderr,
                source->work && source->work->work
                    ? "motley: each run's time is the program's work, in FLOP, "
                      "over the rate\n"
                    : "motley: no work is known: each run's time is 1 / rate\n");
}

/* Columns with our names are used as such, unless the user chooses columns: then only
   the outcome is, so that failed runs do not count as successful. */
static int add_usual(struct mt_rows *rows, struct mt_error *err)
{
    static const char *const outcomes[] = {"outcome", "State", "result"};
    int status = MT_OK;
    for (int i = 0; status == MT_OK && !rows->source->columns && i < rows->count; i++)
        status = mt_rules_default(rows, rows->names[i], rows->names[i], err);
    if (status == MT_OK)
        status = mt_rules_bind(rows, err);
    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
        for (int k = 0; k < rows->count && status == MT_OK; k++)
            if (!strcmp(rows->names[k], outcomes[i]) && !mt_rules_take(rows, k))
                status = mt_rules_default(rows, "outcome", outcomes[i], err);
    return status == MT_OK ? mt_rules_bind(rows, err) : status;
}

/* Defaults for runs of a file without these columns. */
static int add_ones(struct mt_rows *rows, struct mt_error *err)
{
    int status = mt_rules_find(rows, mt_run_column_find("size"))
                     ? MT_OK
                     : mt_rules_default(rows, "size", "1", err);
    if (status == MT_OK && !mt_rules_find(rows, MT_PPN) &&
        !mt_rules_find(rows, MT_NODES) != !mt_rules_find(rows, MT_RANKS))
        status = mt_rules_default(rows, "ppn", "1", err);
    return status == MT_OK ? mt_rules_bind(rows, err) : status;
}

/* The default rules for files of this kind: "size=N,seconds=Time". */
static int add_rules(struct mt_rows *rows, const char *rules, struct mt_error *err)
{
    char *copy = mt_strdup(rules), *rest = copy;
    int status = MT_OK;
    for (char *rule; status == MT_OK && (rule = strsep(&rest, ","));) {
        const char *target = strsep(&rule, "=");
        status = mt_rules_default(rows, target, rule, err);
    }
    free(copy);
    return status;
}

/* "metric=wall_time,unit=s". */
static int add_conditions(struct mt_rows *rows, const char *where, struct mt_error *err)
{
    char *copy = mt_strdup(where), *rest = copy;
    int status = MT_OK;
    for (char *value; status == MT_OK && (value = strsep(&rest, ","));) {
        const char *name = strsep(&value, "=");
        const int place = mt_column_place(rows, name);
        if (!value || rows->nwhere == MT_CONDITIONS)
            status = mt_fail(err, MT_EINVAL,
                             "--where takes COLUMN=VALUE, at most %d of them: '%s'",
                             MT_CONDITIONS, name);
        else if (place < 0)
            status = mt_column_lacks(rows, name, err);
        if (status != MT_OK)
            break;
        rows->where[rows->nwhere].place = place;
        rows->where[rows->nwhere++].value = mt_strdup(value);
    }
    free(copy);
    return status;
}

int mt_rows_begin(struct mt_rows *rows, char *const *names, int count,
                  const char *rules, struct mt_error *err)
{
    const struct mt_source *source = rows->source;
    int status = MT_OK;
    rows->names = mt_calloc((size_t)count, sizeof *rows->names);
    for (rows->count = 0; rows->count < count; rows->count++)
        rows->names[rows->count] = mt_strdup(names[rows->count]);
    if (source->where)
        status = add_conditions(rows, source->where, err);
    if (status == MT_OK && source->columns)
        status = mt_rules_parse(rows, source->columns, err);
    if (status == MT_OK)
        status = mt_rules_bind(rows, err);
    if (status == MT_OK && rules)
        status = add_rules(rows, rules, err);
    if (status == MT_OK)
        status = add_usual(rows, err);
    if (status == MT_OK && source->bare)
        status = add_ones(rows, err);
    if (status == MT_OK)
        status = check_names(rows, err);
    if (status == MT_OK)
        say_ignored(rows);
    return status;
}

/* A row, and its values other than the run's members. 0, NULL: missing. */
struct row {
    const struct mt_rows *rows;
    char *const *cells;
    struct mt_run run;                     /* owned */
    double number[MT_WORK + 1 - MT_NODES]; /* of the targets from nodes to work */
    const char *group, *hosts;
    int empty;    /* the place of an empty cell that is required; or -1 */
    bool unknown; /* whether the run succeeded */
};

static double said(const struct row *row, int target)
{
    return row->number[target - MT_NODES];
}

/* Fail, with the name of the column. */
static int cell_fail(const struct row *row, int place, const struct mt_error *reason,
                     struct mt_error *err)
{
    const struct mt_rows *rows = row->rows;
    return place < 0 ? mt_source_fail(rows->source, err, "%s", reason->text)
                     : mt_source_fail(rows->source, err, "column '%s': %s",
                                      rows->names[place], reason->text);
}

/* The product of a rule; NaN: one of its cells is empty. */
static int multiply(struct row *row, const struct mt_rule *rule, double *product,
                    struct mt_error *err)
{
    struct mt_error reason;
    *product = 1;
    for (int i = 0; i < rule->nfactors; i++) {
        const struct mt_factor *factor = &rule->factors[i];
        const char *cell = factor->place < 0 ? NULL : row->cells[factor->place];
        const double unit = i == 0 ? rule->unit : 1;
        double number = factor->number * unit;
        if (cell && mt_cell_is_empty(cell)) {
            number = NAN;
            if (rule->target >= MT_NODES || rule->is_needed)
                row->empty = factor->place;
        } else if (cell &&
                   mt_cell_number(&number, cell, rule->kind, unit, &reason) != MT_OK) {
            return cell_fail(row, factor->place, &reason, err);
        }
        *product = factor->divides ? *product / number : *product * number;
    }
    return MT_OK;
}

double mt_rows_number(const struct mt_rows *rows, int target, char *const *cells)
{
    const struct mt_rule *rule = mt_rules_find(rows, target);
    struct row row = {.rows = rows, .cells = cells};
    struct mt_error reason;
    double number;
    return rule && multiply(&row, rule, &number, &reason) == MT_OK ? number : NAN;
}

/* A member of the run. */
static int set_member(struct row *row, const struct mt_rule *rule, struct mt_error *err)
{
    struct mt_error reason;
    const int place = rule->factors[0].place;
    const char *text = place < 0 ? rule->text : row->cells[place];
    char product[32];
    double number;
    int status;
    if (mt_run_column_counts(rule->target)) {
        status = multiply(row, rule, &number, err);
        if (status != MT_OK || isnan(number))
            return status;
        if (rule->nfactors > 1 || rule->unit != 1) { /* 1500000 us are 1.5 s */
            snprintf(product, sizeof product, "%.15g", number);
            text = product;
            number = strtod(product, NULL);
        }
        status = mt_run_set_number(&row->run, rule->target, number, text, &reason);
    } else if (mt_cell_is_empty(text)) {
        row->unknown = row->unknown || rule->is_outcome;
        if (rule->is_needed || rule->is_outcome)
            row->empty = place;
        return MT_OK;
    } else if (rule->is_outcome && rule->optional && row->rows->source->run == 0 &&
               !text[strspn(text, "0123456789")]) {
        status = mt_fail(&reason, MT_EPARSE,
                         "is '%s' an exit status? say 'outcome=%s' in --columns, or "
                         "'ignore=%s'",
                         text, rule->text, rule->text);
    } else if (rule->is_outcome) {
        status = mt_cell_outcome(&row->run.outcome, text, &reason);
    } else {
        status = mt_run_set_text(&row->run, rule->target, text, &reason);
    }
    return status == MT_OK ? MT_OK : cell_fail(row, place, &reason, err);
}

static int set_number(struct row *row, const struct mt_rule *rule, struct mt_error *err)
{
    double number;
    const int status = multiply(row, rule, &number, err);
    if (status != MT_OK || isnan(number))
        return status;
    const bool whole = rule->target < MT_RATE;
    const bool may_be_0 = rule->target == MT_THREADS || rule->target == MT_GPUS;
    if (!((number > 0 || (may_be_0 && number == 0)) &&
          number <= (whole ? INT_MAX : INFINITY)) ||
        (whole && number != floor(number)))
        return mt_source_fail(
            row->rows->source, err, "%s (%s) is no %snumber above 0: '%g'",
            mt_target_name(rule->target), rule->text, whole ? "whole " : "", number);
    row->number[rule->target - MT_NODES] = number;
    return MT_OK;
}

/* Split "NAME" or "NAME:xM"; false: it has neither form. */
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

/* Compute the missing one of nodes, processes per node and ranks from the other two. */
static int complete(const struct row *row, double *nodes, double *processes,
                    struct mt_error *err)
{
    const struct mt_source *source = row->rows->source;
    const double ranks = said(row, MT_RANKS);
    if (*processes == 0 && *nodes > 0)
        *processes = ranks / *nodes;
    if (*processes == 0)
        return mt_source_fail(source, err,
                              "'%s' does not say which group ran with how many "
                              "processes per node: give '--group NAME:xM'",
                              row->group ? row->group : row->hosts);
    if (*nodes == 0)
        *nodes = ranks / *processes;
    if (*nodes == 0)
        return mt_source_fail(source, err, "neither nodes nor ranks are said");
    if (*nodes != floor(*nodes) || *processes != floor(*processes) ||
        (ranks > 0 && *nodes * *processes != ranks))
        return mt_source_fail(source, err,
                              "%g nodes with %g processes each are not %g ranks",
                              *nodes, *processes, ranks);
    return MT_OK;
}

/* Count the nodes of each group, and in total, among the hosts. */
static int count_hosts(const struct row *row, struct mt_configuration *used,
                       double *nodes, struct mt_error *err)
{
    const struct mt_source *source = row->rows->source;
    const int place = mt_rules_find(row->rows, MT_HOSTS)->factors[0].place;
    struct mt_error reason;
    struct mt_hostlist list = {0};
    if (!source->hosts)
        return mt_source_fail(
            source, err,
            source->bare ? "hosts are not counted here: give '--columns nodes=NAME,...'"
                         : "to know the groups of hosts, give the "
                           "cluster's file: '--cluster FILE'");
    int status = mt_hostlist_parse(&list, row->hosts, &reason);
    for (int i = 0; status == MT_OK && i < list.count; i++) {
        const int group = mt_cluster_group_of(source->hosts, list.hosts[i]);
        if (group < 0)
            status = mt_fail(&reason, MT_EPARSE, "host '%s' is in no group of '%s'",
                             list.hosts[i], source->hosts->name);
        else
            used->use[group].nodes++;
    }
    if (status == MT_OK && *nodes > 0 && *nodes != list.count)
        status =
            mt_fail(&reason, MT_EPARSE, "'%s' are not %g nodes", row->hosts, *nodes);
    *nodes = list.count;
    mt_hostlist_clear(&list);
    return status == MT_OK ? MT_OK : cell_fail(row, place, &reason, err);
}

/* Make the configuration, unless one of its cells is empty. */
static int set_configuration(struct row *row, struct mt_error *err)
{
    const struct mt_source *source = row->rows->source;
    char group[128], text[MT_LAYOUT_LENGTH];
    struct mt_configuration used = {0};
    struct mt_layout layout = {0};
    double nodes = said(row, MT_NODES), processes = said(row, MT_PPN);
    int status = row->hosts ? count_hosts(row, &used, &nodes, err) : MT_OK;
    if (status != MT_OK)
        return status;
    if (!row->hosts && !row->group && row->empty >= 0)
        return MT_OK;
    if (!row->hosts && !row->group)
        return mt_source_fail(source, err,
                              "which group ran is not said: give '--group NAME', or "
                              "'group=COLUMN' in --columns");
    if (row->group && !split_group(row->group, group, &layout))
        nodes = processes = 0; /* which complete() says */
    else if (processes == 0)
        processes = layout.processes;
    if (row->empty >= 0 &&
        (nodes > 0) + (processes > 0) + (said(row, MT_RANKS) > 0) < 2)
        return MT_OK;
    status = complete(row, &nodes, &processes, err);
    if (status != MT_OK)
        return status;
    layout.processes = (int)fmin(processes, INT_MAX);
    if (said(row, MT_THREADS) > 0)
        layout.threads = said(row, MT_THREADS) > 1 ? (int)said(row, MT_THREADS) : 0;
    if (said(row, MT_GPUS) > 0)
        layout.gpus = (int)said(row, MT_GPUS);
    for (int i = 0; i < MT_MAX_GROUPS; i++)
        used.use[i].layout = layout;
    mt_layout_format(text, layout);
    row->run.configuration =
        row->hosts ? mt_need(mt_configuration_format(&used, source->hosts))
                   : mt_asprintf("%s:%.0fx%s", group, nodes, text);
    return MT_OK;
}

/* The processes of a configuration. */
static int count_ranks(const char *configuration)
{
    double ranks = 0, nodes, processes;
    for (const char *at = configuration; at && (at = strchr(at, ':'));
         at = strchr(at, '+'))
        if (sscanf(at, ":%lfx%lf", &nodes, &processes) == 2)
            ranks += nodes * processes;
    return (int)fmin(ranks, INT_MAX);
}

/* The time by the rate: work / rate, or 1 / rate if the program's work is unknown. */
static void set_seconds(struct row *row)
{
    const struct mt_program *program = row->rows->source->work;
    const bool told = mt_rules_find(row->rows, MT_WORK) != NULL;
    double work = said(row, MT_WORK);
    if (!told && program && program->work && row->run.size > 0)
        work = mt_program_work(program, row->run.size,
                               count_ranks(row->run.configuration));
    else if (!told)
        work = 1;
    if (said(row, MT_RATE) > 0)
        row->run.seconds = work / said(row, MT_RATE);
}

static int read_row(struct row *row, struct mt_error *err)
{
    const struct mt_rows *rows = row->rows;
    bool placed = false;
    int status = MT_OK;
    for (int i = 0; status == MT_OK && i < rows->nrules; i++) {
        const struct mt_rule *rule = &rows->rules[i];
        if (rule->nfactors == 0 || rule->target == MT_IGNORE)
            continue;
        placed = placed || (rule->target >= MT_NODES && rule->target != MT_RATE &&
                            rule->target != MT_WORK);
        const int place = rule->factors[0].place;
        const char *cell = place < 0 ? "" : row->cells[place];
        if (rule->target < MT_NODES)
            status = set_member(row, rule, err);
        else if (rule->target < MT_GROUP)
            status = set_number(row, rule, err);
        else if (mt_cell_is_empty(cell))
            row->empty = place;
        else if (rule->target == MT_GROUP)
            row->group = cell;
        else
            row->hosts = cell;
    }
    if (status == MT_OK && placed && !row->run.configuration)
        status = set_configuration(row, err);
    if (status == MT_OK && mt_rules_find(rows, MT_RATE))
        set_seconds(row);
    if (row->run.outcome != MT_RUN_OK)
        row->run.seconds = 0; /* until it failed: not the time of a complete run */
    return status;
}

/* Whether a required cell of the run is empty. */
static bool lacks_cell(const struct row *row)
{
    const struct mt_run *run = &row->run;
    return row->empty >= 0 && (!run->configuration || run->size == 0 || row->unknown ||
                               (run->outcome == MT_RUN_OK && run->seconds == 0));
}

static void skip(struct mt_rows *rows, int empty)
{
    const struct mt_source *source = rows->source;
    if (rows->skipped++ == 0)
        rows->lacking = mt_asprintf(
            "%s %d, column '%s'", source->run > 0 ? "run" : "line",
            source->run > 0 ? source->run : source->line, rows->names[empty]);
}

/* Whether the cell is that text, ignoring blanks around it. */
static bool is_value(const char *cell, const char *value)
{
    const size_t length = strlen(value);
    cell += strspn(cell, " \t");
    return !strncmp(cell, value, length) &&
           !cell[length + strspn(cell + length, " \t")];
}

/* A run that failed has no result that --where could name. */
static bool has_failed(const struct mt_rows *rows, char *const *cells)
{
    const struct mt_rule *rule = mt_rules_find(rows, mt_run_column_find("outcome"));
    enum mt_outcome outcome = MT_RUN_OK;
    struct mt_error reason;
    return rule && rule->factors[0].place >= 0 &&
           mt_cell_outcome(&outcome, cells[rule->factors[0].place], &reason) == MT_OK &&
           outcome != MT_RUN_OK;
}

int mt_rows_add(struct mt_rows *rows, char *const *cells, struct mt_error *err)
{
    struct row row = {
        .rows = rows, .cells = cells, .group = rows->source->group, .empty = -1};
    rows->rows++;
    for (int i = 0; i < rows->nwhere; i++)
        if (!is_value(cells[rows->where[i].place], rows->where[i].value) &&
            !(mt_cell_is_empty(cells[rows->where[i].place]) && has_failed(rows, cells)))
            return MT_OK;
    rows->chosen++;
    int status = read_row(&row, err);
    if (status == MT_OK && lacks_cell(&row))
        skip(rows, row.empty);
    else if (status == MT_OK)
        status = mt_source_add(rows->source, rows->runs, &row.run, err);
    mt_run_clear(&row.run);
    return status;
}

int mt_rows_end(struct mt_rows *rows, int status, struct mt_error *err)
{
    const char *path = rows->source->path;
    if (status == MT_OK && rows->rows > 0 && rows->chosen == 0)
        status = mt_fail(err, MT_EPARSE, "%s: in none of %d rows is %s", path,
                         rows->rows, rows->source->where);
    if (status == MT_OK && rows->skipped > 0 && rows->skipped == rows->chosen)
        status = mt_fail(err, MT_EPARSE, "%s: no row has all cells (%s)", path,
                         rows->lacking);
    else if (status == MT_OK && rows->skipped > 0)
        fprintf(stderr, "motley: rows of '%s' skipped for an empty cell: %d (%s%s)\n",
                path, rows->skipped, rows->skipped > 1 ? "first: " : "", rows->lacking);
    for (int i = 0; i < rows->count; i++)
        free(rows->names[i]);
    for (int i = 0; i < rows->nrules; i++)
        free(rows->rules[i].text);
    for (int i = 0; i < rows->nwhere; i++)
        free(rows->where[i].value);
    free(rows->names);
    free(rows->lacking);
    return status;
}
