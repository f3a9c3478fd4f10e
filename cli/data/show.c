/* SPDX-License-Identifier: BSD-3-Clause */
/* 'motley show': the runs, models, figures of links and reports on late ranks that the
   store keeps, as tables and as JSON. */
#include "cli/common/command.h"
#include "cli/common/format.h"
#include "cli/common/inputs.h"
#include "cli/common/json.h"
#include "cli/lateness/report.h"
#include "cli/plan/fit.h"
#include "cli/plot/plot.h"
#include "cli/process/memory.h"
#include "columns.h"
#include "lib/base/options.h"
#include "lib/model/internal.h"

#include <stdlib.h>
#include <string.h>

static const char *configuration, *plot, *report_file;
static struct mt_number_option size = {.kind = MT_NUMBER_ABOVE};
static int failed_only, list_all;

static const struct poptOption options[] = {
    {"configuration", 0, POPT_ARG_STRING, &configuration, 0,
     "only runs on this configuration", "CONFIGURATION"},
    {"size", 0, POPT_ARG_STRING, &size, MT_OPTION_NUMBER, "only runs of this size",
     "N"},
    {"failed", 0, POPT_ARG_NONE, &failed_only, 0, "only runs that failed", NULL},
    {"list", 0, POPT_ARG_NONE, &list_all, 0,
     "list the reports on late ranks instead of showing the newest", NULL},
    {"report", 0, POPT_ARG_STRING, &report_file, 0,
     "of lateness: show what MOTLEY_BALANCE=report=FILE has written", "FILE"},
    {"plot", 0, POPT_ARG_STRING, &plot, 0,
     "of lateness: draw when ranks waited into a .svg or .png file, or 'term'", "FILE"},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

static bool is(const char *what, const char *word)
{
    return strcmp(what, word) == 0;
}

static int check_arguments(const char *what, struct mt_error *err)
{
    if (!what)
        return mt_fail(err, MT_EINVAL,
                       "say what to show: runs, models, links or lateness");
    const bool runs = is(what, "runs"), lateness = is(what, "lateness");
    if (!runs && !lateness && !is(what, "models") && !is(what, "links"))
        return mt_fail(err, MT_EINVAL, "runs, models, links or lateness? not '%s'",
                       what);
    if (!runs && !lateness && (configuration || size.text))
        return mt_fail(err, MT_EINVAL,
                       "--configuration and --size choose runs and their lateness, not "
                       "%s",
                       what);
    if (!runs && failed_only)
        return mt_fail(err, MT_EINVAL, "--failed chooses runs, not %s", what);
    if (!lateness && list_all)
        return mt_fail(err, MT_EINVAL, "--list is for lateness, not %s", what);
    if (plot && (!lateness || list_all))
        return mt_fail(err, MT_EINVAL, "--plot draws a report of lateness");
    if (report_file &&
        (!lateness || list_all || configuration || size.text || mt_common.json))
        return mt_fail(err, MT_EINVAL,
                       "--report goes with lateness, and --plot: no other option");
    return plot ? mt_plot_check(plot, mt_common.json, err) : MT_OK;
}

/* More than anybody reads. */
enum { MOST_SHOWN = 10000 };

static void say_that_some_are_left_out(const char *what, const char *instead)
{
    fprintf(stderr, "motley: only the newest %d %s are shown; %s\n", MOST_SHOWN, what,
            instead);
}

static void print_runs(const struct mt_runs *runs)
{
    struct mt_view view;
    struct mt_runs shown = *runs;
    if (runs->count > MOST_SHOWN) {
        say_that_some_are_left_out("runs", "'motley export' writes all");
        shown = (struct mt_runs){runs->runs + runs->count - MOST_SHOWN, MOST_SHOWN};
    }
    mt_runs_view(&view, &shown, true);
    mt_view_print(&view, stdout);
}

static int show_runs(struct mt_store *store, const struct mt_stored *stored,
                     struct mt_error *err)
{
    struct mt_runs runs = {0};
    const struct mt_run_filter filter = {.cluster = stored->cluster,
                                         .program = stored->program,
                                         .configuration = configuration,
                                         .size = size.value,
                                         .failed_only = failed_only,
                                         .newest = mt_common.json ? 0 : MOST_SHOWN + 1};
    int status = mt_store_runs(store, &runs, &filter, err);
    if (status != MT_OK)
        return status;
    if (mt_common.json)
        mt_document_print("motley/runs", 1, mt_runs_to_json(&runs, true), stdout);
    else
        print_runs(&runs);
    mt_runs_clear(&runs);
    return status;
}

/* Models count as simulated if the runs behind them are. */
static int find_simulated(struct mt_store *store, struct mt_models_origin *origin,
                          struct mt_error *err)
{
    struct mt_runs runs = {0};
    const struct mt_run_filter filter = {.cluster = origin->cluster,
                                         .program = origin->program,
                                         .succeeded_only = true,
                                         .simulated_only = true,
                                         .newest = 1};
    const int status = mt_store_runs(store, &runs, &filter, err);
    origin->simulated = runs.count > 0;
    mt_runs_clear(&runs);
    return status;
}

/* Print the models of one kind for a program on a cluster, or add them to the list. */
static int show_fitted(struct mt_store *store, const struct mt_fitted *fitted,
                       json_t *list, struct mt_models_origin *origin,
                       struct mt_error *err)
{
    struct mt_models models = {0};
    *origin = (struct mt_models_origin){.cluster = fitted->cluster,
                                        .program = fitted->program};
    int status = mt_store_get_models(store, fitted->cluster, fitted->program,
                                     fitted->kind, &models, err);
    if (status == MT_OK)
        status = find_simulated(store, origin, err);
    if (status == MT_OK && mt_common.json)
        mt_need_ok(json_array_append_new(list, mt_models_to_json(&models, origin)));
    else if (status == MT_OK)
        mt_models_print(&models, origin);
    mt_models_clear(&models);
    return status;
}

static int show_models(struct mt_store *store, const struct mt_stored *stored,
                       struct mt_error *err)
{
    struct mt_fitted_list list = {0};
    struct mt_models_origin origin;
    bool simulated = false;
    int status = mt_store_fitted(store, &list, stored->cluster, stored->program, err);
    json_t *fits = json_array();
    for (int i = 0; status == MT_OK && i < list.count; i++) {
        if (i > 0 && !mt_common.json)
            putchar('\n');
        status = show_fitted(store, &list.fitted[i], fits, &origin, err);
        simulated = simulated || origin.simulated;
    }
    if (status == MT_OK && mt_common.json)
        mt_document_print_list("motley/models", simulated, "fits", json_incref(fits));
    json_decref(fits);
    mt_fitted_clear(&list);
    return status;
}

enum { CLUSTER, FROM, TO, LATENCY, BANDWIDTH, SOURCE, SIMULATED, WHEN, LINK_COLUMNS };
static const struct mt_column link_columns[LINK_COLUMNS] = {
    [CLUSTER] = {"cluster", "cluster", MT_COLUMN_TEXT},
    [FROM] = {"from", "from", MT_COLUMN_TEXT},
    [TO] = {"to", "to", MT_COLUMN_TEXT},
    [LATENCY] = {"latency", "latency", MT_COLUMN_SECONDS},
    [BANDWIDTH] = {"bandwidth", "bandwidth", MT_COLUMN_BANDWIDTH},
    [SOURCE] = {NULL, "source", MT_COLUMN_TEXT},
    [SIMULATED] = {"simulated", NULL, MT_COLUMN_FLAG},
    [WHEN] = {"measured", "when (UTC)", MT_COLUMN_COUNT},
};

static int show_links(struct mt_store *store, const struct mt_stored *stored,
                      struct mt_error *err)
{
    struct mt_link_figures links = {0};
    struct mt_view view = {.columns = link_columns, .ncolumns = LINK_COLUMNS};
    bool simulated = false;
    const int status = mt_store_links(store, &links, stored->cluster, err);
    for (int i = 0; i < links.count; i++) {
        const struct mt_link_figure *link = &links.all[i];
        char date[MT_QUANTITY_TEXT];
        simulated = simulated || link->simulated;
        mt_view_row(&view);
        mt_view_text(&view, CLUSTER, link->cluster);
        mt_view_text(&view, FROM, link->from);
        mt_view_text(&view, TO, link->to);
        mt_view_number(&view, LATENCY, link->latency);
        mt_view_number(&view, BANDWIDTH, link->bandwidth);
        mt_view_text(&view, SOURCE, link->simulated ? "simulated" : "measured");
        mt_view_flag(&view, SIMULATED, link->simulated);
        mt_view_number(&view, WHEN, (double)link->measured);
        mt_view_show(&view, WHEN, "%s", mt_format_date(date, link->measured));
    }
    if (status != MT_OK)
        return status;
    if (mt_common.json)
        mt_document_print_list("motley/links", simulated, "links",
                               mt_view_to_json(&view));
    else
        mt_view_print(&view, stdout);
    mt_link_figures_clear(&links);
    return status;
}

/* The newest report. */
static int show_report(const struct mt_lateness_list *reports, struct mt_error *err)
{
    struct mt_report report = {0};
    if (reports->count == 0)
        return mt_fail(err, MT_ENOTFOUND,
                       "no report on late ranks in store '%s': set "
                       "MOTLEY_BALANCE=report for 'motley run' or 'motley measure'",
                       mt_common.db);
    int status = mt_report_parse(&report, reports->all[0].report, err);
    if (status == MT_OK) {
        if (mt_common.json)
            status = mt_report_print_json(&reports->all[0], &report, err);
        else
            mt_report_print(&reports->all[0], &report);
    }
    if (status == MT_OK && plot)
        status = mt_report_draw(&reports->all[0], &report, plot, err);
    mt_report_clear(&report);
    return status;
}

/* Show the report of a run that motley did not start. */
static int show_report_file(struct mt_error *err)
{
    struct mt_report report = {0};
    int status = mt_report_read(&report, report_file, err);
    if (status == MT_OK)
        mt_report_print(NULL, &report);
    if (status == MT_OK && plot)
        status = mt_report_draw(NULL, &report, plot, err);
    mt_report_clear(&report);
    return status;
}

static int list_reports(const struct mt_lateness_list *reports, struct mt_error *err)
{
    struct mt_lateness_list shown = *reports;
    if (!mt_common.json && reports->count > MOST_SHOWN) {
        say_that_some_are_left_out("reports", "--json writes all");
        shown.count = MOST_SHOWN;
    }
    return mt_reports_print(&shown, mt_common.json, err);
}

static int show_lateness(struct mt_store *store, const struct mt_stored *stored,
                         struct mt_error *err)
{
    struct mt_lateness_list reports = {0};
    const int most = mt_common.json ? 0 : MOST_SHOWN + 1;
    const struct mt_run_filter filter = {.cluster = stored->cluster,
                                         .program = stored->program,
                                         .configuration = configuration,
                                         .size = size.value,
                                         .newest = list_all ? most : 1};
    int status = mt_store_latenesses(store, &reports, &filter, err);
    if (status == MT_OK)
        status = list_all ? list_reports(&reports, err) : show_report(&reports, err);
    mt_lateness_list_clear(&reports);
    return status;
}

static int show(const char *what, const struct mt_stored *stored, struct mt_error *err)
{
    struct mt_store *store = NULL;
    int status = mt_store_open(&store, mt_common.db, MT_STORE_READ, err);
    if (status != MT_OK)
        return status;
    if (stored->cluster)
        status = mt_store_check_names(store, stored->cluster, stored->program, err);
    if (status == MT_OK) {
        status = is(what, "links")      ? show_links(store, stored, err)
                 : is(what, "lateness") ? show_lateness(store, stored, err)
                 : is(what, "models")   ? show_models(store, stored, err)
                                        : show_runs(store, stored, err);
    }
    mt_store_close(store);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct mt_stored stored = {0};
    int status = check_arguments(arguments[0], err);
    if (status == MT_OK && report_file)
        return mt_exit_status(show_report_file(err));
    if (status == MT_OK)
        status = mt_stored_load(&stored, arguments + 1, err);
    if (status == MT_OK)
        status = show(arguments[0], &stored, err);
    mt_stored_clear(&stored);
    return mt_exit_status(status);
}

const struct mt_command mt_command_show = {
    .name = "show",
    .arguments = "runs|models|links|lateness [CLUSTER [PROGRAM]]",
    .summary = "List what the store keeps",
    .options = options,
    .run = run,
};
