/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes runs from the output of Slurm's sacct -P: each step of srun is one, or a job
   without steps. The hosts of the cluster file give its groups; components of a
   heterogeneous job are parts of one run. */
#include "sacct.h"

#include "cli/process/memory.h"
#include "lib/base/argv.h"
#include "lib/base/hostlist.h"
#include "lib/input/internal.h"
#include "lib/store/internal.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Why a job or step is not taken as a run. */
enum { NOT_RUN, FOREIGN, NO_TASKS, UNEVEN, NO_SIZE, TAKEN };
static const char *const reasons[TAKEN] = {
    [NOT_RUN] = "not ended, never started, or over within a second",
    [FOREIGN] = "on nodes that are in no group of the cluster file",
    [NO_TASKS] = "without NTasks, as under mpirun: give '--columns ppn=PROCESSES'",
    [UNEVEN] = "with unequal numbers of processes on their nodes",
    [NO_SIZE] = "without one number in JobName, the size: give '--columns size=COLUMN'",
};

/* A line; a job itself has step -1. */
struct row {
    char **cells; /* owned */
    int line, component, step;
};

struct mt_sacct {
    struct mt_rows *table; /* borrowed; the columns, and the rules of --columns */
    struct row *rows;      /* owned; of the current job */
    int nrows;
    int left_out[TAKEN], first[TAKEN]; /* how many, and the line of the first */
};

/* Empty if the file has no such column. */
static const char *cell_of(const struct mt_sacct *sacct, const struct row *row,
                           const char *name)
{
    const int place = mt_column_place(sacct->table, name);
    return place < 0 ? "" : row->cells[place];
}

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words && strcmp(*words, word) != 0)
        words++;
    return *words;
}

static bool has_ended(const char *state)
{
    static const char *const words[] = {"PENDING",  "RUNNING",     "SUSPENDED",
                                        "REQUEUED", "CONFIGURING", "COMPLETING",
                                        "RESIZING", "REVOKED",     NULL};
    return !is_one_of(state, words);
}

/* The helpers that mpirun and mpiexec start on each node are steps of srun, too. */
static bool is_helper(const char *name)
{
    static const char *const names[] = {"orted", "prted", "hydra_pmi_proxy",
                                        "hydra_bstrap_proxy", NULL};
    return is_one_of(name, names);
}

/* The only word of a name that is a number, as in "cp2k-400"; NaN if it has none, or
   several. */
static double number_in(const char *name)
{
    static const char between[] = "-_.= ";
    double number = NAN;
    int numbers = 0;
    for (size_t length; *name; name += length + strspn(name + length, between)) {
        length = strcspn(name, between);
        if (length == 0 || strspn(name, "0123456789") != length)
            continue;
        number = strtod(name, NULL);
        numbers++;
    }
    return numbers == 1 ? number : NAN;
}

/* The row of the job that has the step. */
static const struct row *job_of(const struct mt_sacct *sacct, const struct row *row)
{
    for (int i = 0; i < sacct->nrows; i++)
        if (sacct->rows[i].step < 0 && sacct->rows[i].component == row->component)
            return &sacct->rows[i];
    return row;
}

/* NaN: it is not known. */
static double size_of(const struct mt_sacct *sacct, const struct row *row)
{
    const struct row *job = job_of(sacct, row);
    const int target = mt_run_column_find("size");
    if (mt_rules_find(sacct->table, target))
        return mt_rows_number(sacct->table, target, job->cells);
    const double size = number_in(cell_of(sacct, job, "JobName"));
    return isnan(size) ? number_in(cell_of(sacct, row, "JobName")) : size;
}

/* Processes per node; NaN: not known. */
static double processes_of(const struct mt_sacct *sacct, const struct row *row,
                           int nodes)
{
    const char *tasks = cell_of(sacct, row, "NTasks");
    const bool known = row->step >= 0 && !is_helper(cell_of(sacct, row, "JobName"));
    return known && *tasks ? strtod(tasks, NULL) / nodes
                           : mt_rows_number(sacct->table, MT_PPN, row->cells);
}

/* mpirun starts no helper on its own node. */
static const char *nodes_of(const struct mt_sacct *sacct, const struct row *row)
{
    const bool helper = row->step >= 0 && is_helper(cell_of(sacct, row, "JobName"));
    return cell_of(sacct, helper ? job_of(sacct, row) : row, "NodeList");
}

/* Add a row's nodes. `*why` becomes the reason why they cannot be added. */
static int add_nodes(struct mt_configuration *configuration,
                     const struct mt_sacct *sacct, const struct row *row, int *why,
                     struct mt_error *err)
{
    const struct mt_cluster *cluster = sacct->table->source->hosts;
    const char *tasks = cell_of(sacct, row, "NTasks");
    struct mt_hostlist list = {0};
    struct mt_error reason;
    double cores = INFINITY; /* of the smallest node */
    bool mixed = false;
    int last = 0;
    if (strspn(tasks, "0123456789") != strlen(tasks))
        return mt_source_fail(sacct->table->source, err, "NTasks: no number: '%s'",
                              tasks);
    if (mt_hostlist_parse(&list, nodes_of(sacct, row), &reason) != MT_OK)
        return mt_source_fail(sacct->table->source, err, "NodeList: %s", reason.text);
    const double processes = processes_of(sacct, row, list.count);
    if (isnan(processes))
        *why = NO_TASKS;
    else if (!(processes >= 1 && processes <= MT_MOST_NODE_THREADS) ||
             processes != floor(processes))
        *why = UNEVEN;
    for (int i = 0; *why == TAKEN && i < list.count; i++) {
        const int group = mt_cluster_group_of(cluster, list.hosts[i]);
        struct mt_use *use = group < 0 ? NULL : &configuration->use[group];
        if (!use)
            *why = FOREIGN;
        else if (use->nodes++ == 0)
            use->layout.processes = (int)processes;
        else if (use->layout.processes != (int)processes)
            *why = UNEVEN;
        if (use && cluster->groups[group].cores > 0)
            cores = fmin(cores, cluster->groups[group].cores);
        mixed = mixed || (i > 0 && group != last);
        last = group;
    }
    if (*why == TAKEN && mixed && processes > cores)
        *why = UNEVEN; /* by Slurm's default the larger nodes have more */
    mt_hostlist_clear(&list);
    return MT_OK;
}

/* When a job runs out of time, Slurm reports its step as cancelled. */
static int add_outcome(struct mt_run *run, const struct mt_sacct *sacct,
                       const struct row *row, struct mt_error *err)
{
    enum mt_outcome outcome;
    struct mt_error reason;
    const char *state = cell_of(sacct, row, "State");
    if (mt_cell_outcome(&outcome, state, &reason) != MT_OK)
        return mt_source_fail(sacct->table->source, err, "State: %s", reason.text);
    if (outcome == MT_RUN_OK || run->outcome != MT_RUN_OK)
        return MT_OK;
    run->outcome = strcmp(cell_of(sacct, job_of(sacct, row), "State"), "TIMEOUT") == 0
                       ? MT_RUN_TIMEOUT
                       : outcome;
    run->reason = mt_asprintf("Slurm: %s", state);
    return MT_OK;
}

/* Add a row's data to a run. */
static int add_row(struct mt_run *run, struct mt_configuration *configuration,
                   const struct mt_sacct *sacct, const struct row *row, int *why,
                   struct mt_error *err)
{
    const char *raw = cell_of(sacct, row, "ElapsedRaw"), *nodes = nodes_of(sacct, row),
               *elapsed = *raw ? raw : cell_of(sacct, row, "Elapsed");
    struct mt_error reason;
    double seconds;
    sacct->table->source->line = row->line;
    if (mt_cell_number(&seconds, elapsed, MT_CELL_SECONDS, 1, &reason) != MT_OK)
        return mt_source_fail(sacct->table->source, err, "Elapsed: %s", reason.text);
    run->wall = fmax(run->wall, seconds);
    if (!*nodes || strcmp(nodes, "None assigned") == 0 ||
        !has_ended(cell_of(sacct, row, "State"))) {
        *why = NOT_RUN;
        return MT_OK;
    }
    const int status = add_nodes(configuration, sacct, row, why, err);
    return status == MT_OK ? add_outcome(run, sacct, row, err) : status;
}

/* Add the run of all rows of a step, or of the job, the first of which is given. */
static int add_run(struct mt_sacct *sacct, const struct row *first,
                   struct mt_error *err)
{
    struct mt_configuration configuration = {0};
    struct mt_run run = {.size = size_of(sacct, first)};
    int why = TAKEN, status = MT_OK;
    for (int i = 0; status == MT_OK && why == TAKEN && i < sacct->nrows; i++)
        if (sacct->rows[i].step == first->step)
            status = add_row(&run, &configuration, sacct, &sacct->rows[i], &why, err);
    run.seconds = run.outcome == MT_RUN_OK ? run.wall : 0;
    if (why == TAKEN && run.outcome == MT_RUN_OK && run.wall == 0)
        why = NOT_RUN;
    if (why == TAKEN && isnan(run.size))
        why = NO_SIZE;
    if (status == MT_OK && why != TAKEN) {
        if (sacct->left_out[why]++ == 0)
            sacct->first[why] = first->line;
    } else if (status == MT_OK) {
        run.configuration = mt_need(
            mt_configuration_format(&configuration, sacct->table->source->hosts));
        run.launcher = mt_strdup("slurm");
        status = mt_source_add(sacct->table->source, sacct->table->runs, &run, err);
    }
    mt_run_clear(&run);
    return status;
}

/* Whether a run begins with the row: the first of each step, or that of a job without
   steps. If some steps have the program's name, other steps are not runs. */
static bool begins_run(const struct mt_sacct *sacct, const struct row *row)
{
    const char *program =
        sacct->table->source->program ? sacct->table->source->program : "";
    bool named = false;
    for (int i = 0; i < sacct->nrows; i++) {
        const struct row *other = &sacct->rows[i];
        if ((other < row && other->step == row->step) ||
            (other->step >= 0 && row->step < 0))
            return false;
        named = named || (other->step >= 0 &&
                          strcmp(cell_of(sacct, other, "JobName"), program) == 0);
    }
    return !named || strcmp(cell_of(sacct, row, "JobName"), program) == 0;
}

/* Add the runs of the job whose rows were read. */
static int end_job(struct mt_sacct *sacct, struct mt_error *err)
{
    const int line = sacct->table->source->line;
    int status = MT_OK;
    for (int i = 0; status == MT_OK && i < sacct->nrows; i++)
        if (begins_run(sacct, &sacct->rows[i]))
            status = add_run(sacct, &sacct->rows[i], err);
    for (int i = 0; i < sacct->nrows; i++)
        mt_argv_free(sacct->rows[i].cells);
    sacct->nrows = 0;
    if (status == MT_OK)
        sacct->table->source->line = line;
    return status;
}

/* Whether a job ends before the row: it belongs to another job, or repeats a step
   because Slurm restarted the job. */
static bool ends_job(const struct mt_sacct *sacct, const struct row *row)
{
    const char *id = cell_of(sacct, row, "JobID");
    const size_t length = strcspn(id, "+.");
    for (int i = 0; i < sacct->nrows; i++) {
        const struct row *other = &sacct->rows[i];
        const char *its = cell_of(sacct, other, "JobID");
        if (length != strcspn(its, "+.") || strncmp(id, its, length) != 0 ||
            (other->component == row->component && other->step == row->step))
            return true;
    }
    return false;
}

int mt_sacct_add(struct mt_sacct *sacct, char *const *cells, struct mt_error *err)
{
    /* "12_3+1.0": step 0 of a job's component 1 */
    const char *id = cells[mt_column_place(sacct->table, "JobID")],
               *plus = strchr(id, '+'), *dot = strchr(id, '.');
    struct row row = {.line = sacct->table->source->line, .step = -1};
    if (dot && !isdigit((unsigned char)dot[1]))
        return MT_OK; /* such as that of the script, which starts no ranks */
    row.component = plus ? (int)strtol(plus + 1, NULL, 10) : 0;
    if (dot)
        row.step = (int)strtol(dot + 1, NULL, 10);
    for (int i = 0; i < sacct->table->count; i++)
        mt_words_add(&row.cells, "%s", cells[i]);
    const int status = ends_job(sacct, &row) ? end_job(sacct, err) : MT_OK;
    if (status != MT_OK) {
        mt_argv_free(row.cells);
        return status;
    }
    mt_array_extend(&sacct->rows, sacct->nrows, sizeof *sacct->rows);
    sacct->rows[sacct->nrows++] = row;
    return MT_OK;
}

bool mt_sacct_knows(const struct mt_source *source, char *const *names, int count)
{
    static const char *const needed[] = {"JobID", "State", "NodeList", NULL};
    int found = 0;
    for (int i = 0; i < count; i++)
        found += is_one_of(names[i], needed);
    return found == 3 && !source->bare && !source->where &&
           !(source->columns && strstr(source->columns, "seconds"));
}

int mt_sacct_begin(struct mt_sacct **sacct, struct mt_rows *rows, char *const *names,
                   int count, struct mt_error *err)
{
    const struct mt_source *source = rows->source;
    int status = MT_OK;
    *sacct = mt_calloc(1, sizeof **sacct);
    (*sacct)->table = rows;
    for (; rows->count < count; rows->count++) {
        mt_array_extend(&rows->names, rows->count, sizeof *rows->names);
        rows->names[rows->count] = mt_strdup(names[rows->count]);
    }
    if (!source->hosts)
        return mt_source_fail(source, err,
                              "the hosts say which group ran: give the cluster's file, "
                              "'--cluster FILE'");
    if (mt_column_place(rows, "Elapsed") < 0 && mt_column_place(rows, "ElapsedRaw") < 0)
        return mt_source_fail(source, err,
                              "which column is the time is not said: add Elapsed to -o "
                              "of sacct");
    if (source->columns)
        status = mt_rules_parse(rows, source->columns, err);
    if (status == MT_OK)
        status = mt_rules_bind(rows, err);
    for (int i = 0; status == MT_OK && i < rows->nrules; i++)
        if (rows->rules[i].target != mt_run_column_find("size") &&
            rows->rules[i].target != MT_PPN)
            status = mt_source_fail(source, err,
                                    "--columns says only size and ppn of what sacct "
                                    "prints, or all, of what "
                                    "'sacct -X' prints, with 'seconds=ElapsedRaw'");
    return status;
}

int mt_sacct_refuse_step(const struct mt_rows *rows, char *const *cells,
                         struct mt_error *err)
{
    static const char *const names[] = {"batch", "extern", "interactive", NULL};
    const int place = mt_column_place(rows, "JobID");
    const char *dot = place < 0 ? NULL : strchr(cells[place], '.');
    if (!dot || rows->nwhere > 0 ||
        !(isdigit((unsigned char)dot[1]) || is_one_of(dot + 1, names)))
        return MT_OK;
    return mt_source_fail(rows->source, err,
                          "JobID: '%s' is a step of a job, not a run of its own: let "
                          "sacct print jobs alone, by -X, or choose rows by --where",
                          cells[place]);
}

int mt_sacct_end(struct mt_sacct *sacct, int status, struct mt_error *err)
{
    if (status == MT_OK)
        status = end_job(sacct, err);
    for (int i = 0; status == MT_OK && i < TAKEN; i++)
        if (sacct->left_out[i] > 0)
            fprintf(stderr, "motley: '%s': left out, from line %d on: %d %s\n",
                    sacct->table->source->path, sacct->first[i], sacct->left_out[i],
                    reasons[i]);
    for (int i = 0; i < sacct->nrows; i++)
        mt_argv_free(sacct->rows[i].cells);
    free(sacct->rows);
    free(sacct);
    return status;
}
