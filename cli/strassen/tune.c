/* SPDX-License-Identifier: BSD-3-Clause */
/* motley tune: start motley-tune here or on a node of each group, and show its
   results. */
#include "cli/common/command.h"
#include "cli/common/inputs.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "cli/launch/job.h"
#include "cli/process/folders.h"
#include "cli/process/memory.h"
#include "cli/process/process.h"
#include "cli/process/scratch.h"
#include "lib/base/argv.h"
#include "lib/input/template.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int quick, show;

static const struct poptOption options[] = {
    {"quick", 0, POPT_ARG_NONE, &quick, 0,
     "only try small squares: a second, and rough", NULL},
    {"show", 0, POPT_ARG_NONE, &show, 0, "measure nothing: show the stored results",
     NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

/* Large products, a few hundred of them. */
static const double timeout_seconds = 1800;

/* One process on the first node of each group. */
static int make_job(struct mt_job *job, char **command,
                    const struct mt_cluster *cluster, const char *folder,
                    struct mt_error *err)
{
    char name[] = "motley-tune";
    const struct mt_program program = {.name = name, .command = command};
    struct mt_configuration firsts = {0};
    for (int g = 0; g < cluster->ngroups; g++)
        firsts.use[g] = (struct mt_use){.nodes = 1, .layout.processes = 1};
    const struct mt_launch launch = {.cluster = cluster,
                                     .program = &program,
                                     .configuration = &firsts,
                                     .size = 1,
                                     .folder = folder};
    return mt_job_make(job, &launch, err);
}

/* Launchers print, too; motley-tune's own message gives the cause. */
static int explain(const struct mt_process *process, struct mt_error *err)
{
    if (process->messages)
        return mt_fail(err, MT_EIO, "'%s' failed: it has said why", process->argv[0]);
    char *text = mt_output_text(&process->output), *rest = text;
    const char *last = NULL;
    for (char *line; (line = strsep(&rest, "\n"));)
        if (!strncmp(line, "motley-tune: ", strlen("motley-tune: ")) ||
            (!last && line[0]))
            last = line;
    mt_fail(err, MT_EIO, "motley-tune failed on the nodes%s%.200s",
            process->timed_out ? ": it took too long"
            : last             ? ": "
                               : "",
            last && !process->timed_out ? last : "");
    free(text);
    return MT_EIO;
}

static int run_and_keep(const struct mt_job *job, struct mt_process *process,
                        FILE *output, int *interrupted, struct mt_error *err)
{
    process->echo = fileno(output);
    mt_job_process(job, process);
    const int status = mt_process_run(process, interrupted, err);
    if (status != MT_OK || *interrupted != 0)
        return status;
    if (process->timed_out || process->signal != 0 || process->exit_code != 0)
        return explain(process, err);
    return MT_OK;
}

/* Run motley-tune on this machine, where it prints its progress and errors on
   stderr. */
static int tune_here(char **command, FILE *output, int *interrupted,
                     struct mt_error *err)
{
    char *folder = NULL;
    struct mt_process *process = mt_calloc(1, sizeof *process);
    process->messages = STDERR_FILENO;
    const struct mt_job job = {.argv = command};
    int status = mt_scratch_make(&folder, err);
    if (status == MT_OK)
        status = run_and_keep(&job, process, output, interrupted, err);
    mt_scratch_remove(folder);
    free(process);
    return status;
}

/* Run it on one node of each group, at the same time. `interrupted` is the signal that
   asked motley to stop, or stays 0. */
static int tune_nodes(char **command, const struct mt_cluster *cluster, FILE *output,
                      int *interrupted, struct mt_error *err)
{
    struct mt_job job = {0};
    char *folder = NULL;
    struct mt_process *process = mt_calloc(1, sizeof *process);
    process->timeout = timeout_seconds;
    int status = mt_scratch_make(&folder, err);
    if (status == MT_OK)
        status = make_job(&job, command, cluster, folder, err);
    if (status == MT_OK)
        status = run_and_keep(&job, process, output, interrupted, err);
    mt_job_clear(&job);
    mt_scratch_remove(folder);
    free(process);
    return status;
}

/* Parse a line of motley-tune; NULL: not one. */
static json_t *read_line(const char *line)
{
    json_t *object = line[0] == '{' ? json_loads(line, 0, NULL) : NULL;
    const char *host, *processor, *blas, *file, *source;
    const json_t *overwrite, *accumulate;
    int threads;
    if (json_unpack(object, "{s:s,s:s,s:s,s:s,s:s,s:i,s:o,s:o}", "host", &host,
                    "processor", &processor, "blas", &blas, "file", &file, "source",
                    &source, "threads", &threads, "overwrite", &overwrite, "accumulate",
                    &accumulate) == 0)
        return object;
    json_decref(object);
    return NULL;
}

/* Parse its output: a list of objects, see motley-tune(1); the caller releases it. */
static int read_machines(json_t **machines, FILE *output, struct mt_error *err)
{
    json_t *list = json_array();
    char *line = NULL;
    size_t size = 0;
    rewind(output);
    while (getline(&line, &size, output) > 0) {
        json_t *machine = read_line(line);
        if (machine)
            json_array_append_new(list, machine);
    }
    free(line);
    if (json_array_size(list) == 0) {
        json_decref(list);
        return mt_fail(err, MT_EIO, "motley-tune has printed nothing that is known");
    }
    *machines = list;
    return MT_OK;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

enum {
    NODE,
    PROCESSOR,
    BLAS,
    THREADS,
    RESULT,
    SQUARES,
    ROWS,
    WIDTH,
    DEPTH,
    KNOWN,
    COLUMNS
};
static const struct mt_column columns[COLUMNS] = {
    [NODE] = {NULL, "node", MT_COLUMN_TEXT},
    [PROCESSOR] = {NULL, "processor", MT_COLUMN_TEXT},
    [BLAS] = {NULL, "BLAS", MT_COLUMN_TEXT},
    [THREADS] = {NULL, "threads", MT_COLUMN_COUNT},
    [RESULT] = {NULL, "C", MT_COLUMN_TEXT},
    [SQUARES] = {NULL, "squares", MT_COLUMN_COUNT},
    [ROWS] = {NULL, "rows", MT_COLUMN_COUNT},
    [WIDTH] = {NULL, "columns", MT_COLUMN_COUNT},
    [DEPTH] = {NULL, "depth", MT_COLUMN_COUNT},
    [KNOWN] = {NULL, "known", MT_COLUMN_TEXT},
};

/* The size from which a level pays; null means never. */
static double put_crossing(struct mt_view *view, int column, const json_t *cutoff,
                           const char *key)
{
    const json_t *value = json_object_get(cutoff, key);
    const double number = json_is_number(value) ? json_number_value(value) : INFINITY;
    mt_view_number(view, column, round(number));
    if (isinf(number))
        mt_view_show(view, column, "never");
    return number;
}

static void add_row(struct mt_view *view, const json_t *machine, const char *key,
                    const char *result)
{
    const json_t *cutoff = json_object_get(machine, key);
    mt_view_row(view);
    mt_view_text(view, NODE, text_of(machine, "host"));
    mt_view_text(view, PROCESSOR, text_of(machine, "processor"));
    mt_view_text(view, BLAS, text_of(machine, "blas"));
    mt_view_number(view, THREADS,
                   json_number_value(json_object_get(machine, "threads")));
    mt_view_text(view, RESULT, result);
    const double sum = put_crossing(view, ROWS, cutoff, "rows") +
                       put_crossing(view, WIDTH, cutoff, "columns") +
                       put_crossing(view, DEPTH, cutoff, "depth");
    mt_view_number(view, SQUARES, round(sum));
    if (isinf(sum))
        mt_view_show(view, SQUARES, "never");
    mt_view_text(view, KNOWN, text_of(machine, "source"));
}

static void print_source(const json_t *machine)
{
    const char *source = text_of(machine, "source");
    if (!strcmp(source, "guessed"))
        printf("guessed, as nothing was measured: %s\n", text_of(machine, "why"));
    else if (!strcmp(source, "forced"))
        printf("forced by MOTLEY_STRASSEN_CUTOFF, whatever is kept in %s\n",
               text_of(machine, "file"));
    else
        printf("kept in %s\n", text_of(machine, "file"));
}

/* Once for each node. */
static void advise(const json_t *machine, const json_t *before)
{
    const char *core = text_of(machine, "better_core"),
               *node = text_of(machine, "host");
    if (core[0] && strcmp(node, text_of(before, "host")) != 0)
        printf(
            "%s: the kernels of '%s' do not use the vectors of this processor: set "
            "OPENBLAS_CORETYPE=%s for your programs, and tune again with it; products "
            "are several times as fast\n",
            node, text_of(machine, "blas"), core);
}

static void print_machines(const json_t *machines)
{
    struct mt_view view = {.columns = columns, .ncolumns = COLUMNS};
    for (size_t i = 0; i < json_array_size(machines); i++) {
        add_row(&view, json_array_get(machines, i), "overwrite", "= A B");
        add_row(&view, json_array_get(machines, i), "accumulate", "+= A B");
    }
    mt_view_print(&view, stdout);
    putchar('\n');
    for (size_t i = 0; i < json_array_size(machines); i++)
        advise(json_array_get(machines, i),
               i > 0 ? json_array_get(machines, i - 1) : NULL);
    for (size_t i = 0; i < json_array_size(machines); i++)
        print_source(json_array_get(machines, i));
}

static int make_command(char ***command, struct mt_error *err)
{
    char *program = mt_own_tune();
    if (!program)
        return mt_own_missing("motley-tune", err);
    int status = mt_template_add(command, program, err);
    free(program);
    if (quick)
        mt_words_add(command, "--quick");
    if (show)
        mt_words_add(command, "--show");
    return status;
}

static int tune_cluster(char **command, const char *name, FILE *output,
                        int *interrupted, struct mt_error *err)
{
    struct mt_cluster cluster = {0};
    int status = mt_cluster_input(&cluster, name, err);
    if (status != MT_OK)
        return status;
    if (mt_cluster_simulated(&cluster))
        status = mt_fail(err, MT_EINVAL,
                         "cluster '%s' is simulated: it has no processors to tune for",
                         cluster.name);
    if (status == MT_OK)
        status = mt_testbed_check(&cluster, err);
    if (status == MT_OK)
        status = tune_nodes(command, &cluster, output, interrupted, err);
    mt_cluster_clear(&cluster);
    return status;
}

static int show_found(FILE *output, struct mt_error *err)
{
    json_t *machines = NULL;
    int status = read_machines(&machines, output, err);
    if (status != MT_OK)
        return status;
    if (mt_common.json)
        mt_document_print("motley/tune", 1, json_pack("{s:O}", "machines", machines),
                          stdout);
    else
        print_machines(machines);
    json_decref(machines);
    return status;
}

static int tune(const char *cluster, char **command, struct mt_error *err)
{
    int interrupted = 0;
    FILE *output = tmpfile();
    int status =
        output ? MT_OK : mt_fail(err, MT_EIO, "no room for motley-tune's output");
    if (status == MT_OK)
        status = cluster ? tune_cluster(command, cluster, output, &interrupted, err)
                         : tune_here(command, output, &interrupted, err);
    if (status == MT_OK && interrupted == 0)
        status = show_found(output, err);
    if (output)
        fclose(output);
    return interrupted != 0 ? EXIT_SIGNALLED + interrupted : mt_exit_status(status);
}

static int run(const char **arguments, struct mt_error *err)
{
    char **command = NULL;
    int status = MT_OK;
    if (arguments[0] && arguments[1])
        status = mt_fail(err, MT_EINVAL, "one argument too many: '%s'", arguments[1]);
    if (status == MT_OK && quick && show)
        status = mt_fail(err, MT_EINVAL, "--show measures nothing: not with --quick");
    if (status == MT_OK)
        status = make_command(&command, err);
    const int exit_status =
        status == MT_OK ? tune(arguments[0], command, err) : mt_exit_status(status);
    mt_argv_free(command);
    return exit_status;
}

const struct mt_command mt_command_tune = {
    .name = "tune",
    .arguments = "[CLUSTER]",
    .summary = "Find from where on Strassen's method pays, on each kind of node",
    .options = options,
    .run = run,
};
