/* SPDX-License-Identifier: BSD-3-Clause */
#include "view.h"

#include "cli/common/document.h"
#include "cli/common/format.h"
#include "cli/common/json.h"
#include "cli/common/view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_RANKS = 10, SHOWN_SITES = 10, WIDTH = 79 };

static double share(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static void print_heading(const struct mt_lateness *lateness,
                          const struct mt_report *report)
{
    char time[MT_QUANTITY_TEXT], calls[MT_QUANTITY_TEXT], waiting[MT_QUANTITY_TEXT];
    char date[MT_QUANTITY_TEXT];
    if (lateness)
        printf("%s on %s, %s, N = %.15g%s, %s UTC\n", lateness->program,
               lateness->cluster, lateness->configuration, lateness->size,
               lateness->simulated ? " (simulated)" : "",
               mt_format_date(date, lateness->started));
    else if (report->simulated)
        puts("(simulated)");
    printf("%d ranks on %d node%s, %s together: %s in calls that wait, %s waiting\n",
           report->size, report->nodes, report->nodes == 1 ? "" : "s",
           mt_format_seconds(time, report->rank_seconds),
           mt_format_percent(calls, share(report->seconds, report->rank_seconds)),
           mt_format_percent(waiting, share(report->waiting, report->rank_seconds)));
}

static void print_wrapped(const char *text)
{
    int column = 0;
    while (*(text += strspn(text, " "))) {
        const int length = (int)strcspn(text, " ");
        if (column > 0 && column + 1 + length > WIDTH) {
            putchar('\n');
            column = 0;
        }
        column += printf("%s%.*s", column > 0 ? " " : "", length, text);
        text += length;
    }
    putchar('\n');
}

static int compare_costs(const void *a, const void *b)
{
    const struct mt_report_rank *first = a, *second = b;
    if (first->cost != second->cost)
        return first->cost < second->cost ? 1 : -1;
    return (first->rank > second->rank) - (first->rank < second->rank);
}

enum { RANK, NODE, LATE, MEAN, MOST, COST, WAITED, CALLS_TIME, RANK_COLUMNS };
static const struct mt_column rank_columns[RANK_COLUMNS] = {
    [RANK] = {NULL, "rank", MT_COLUMN_COUNT},
    [NODE] = {NULL, "node", MT_COLUMN_TEXT},
    [LATE] = {NULL, "late", MT_COLUMN_PERCENT},
    [MEAN] = {NULL, "on average", MT_COLUMN_SECONDS},
    [MOST] = {NULL, "at most", MT_COLUMN_SECONDS},
    [COST] = {NULL, "cost to others", MT_COLUMN_SECONDS},
    [WAITED] = {NULL, "waited", MT_COLUMN_SECONDS},
    [CALLS_TIME] = {NULL, "in calls", MT_COLUMN_SECONDS},
};

static void view_rank(struct mt_view *view, const struct mt_report_rank *rank)
{
    mt_view_row(view);
    mt_view_number(view, RANK, rank->rank);
    mt_view_text(view, NODE, rank->node);
    mt_view_number(view, LATE, share(rank->late, rank->seen));
    mt_view_number(view, MEAN, rank->late_mean);
    mt_view_number(view, MOST, rank->late_most);
    mt_view_number(view, COST, rank->cost);
    mt_view_number(view, WAITED, rank->waiting);
    mt_view_number(view, CALLS_TIME, rank->seconds);
}

/* The ranks that cost most. */
static int print_ranks(const struct mt_report *report, struct mt_error *err)
{
    struct mt_view view = {.columns = rank_columns, .ncolumns = RANK_COLUMNS};
    const size_t size = (size_t)report->nranks * sizeof *report->ranks;
    struct mt_report_rank *ranks = malloc(size + 1);
    if (!ranks)
        return mt_fail(err, MT_ENOMEM, "no memory for a report");
    memcpy(ranks, report->ranks, size);
    qsort(ranks, (size_t)report->nranks, sizeof *ranks, compare_costs);
    for (int i = 0; i < report->nranks && i < SHOWN_RANKS; i++)
        view_rank(&view, &ranks[i]);
    free(ranks);
    putchar('\n');
    const int status = mt_view_print(&view, stdout, err);
    if (status == MT_OK && report->nranks > SHOWN_RANKS)
        printf("and %d more\n", report->nranks - SHOWN_RANKS);
    return status;
}

enum { CALL, PLACE, CALLS, TIME, WAITING, WORST, SITE_COLUMNS };
static const struct mt_column site_columns[SITE_COLUMNS] = {
    [CALL] = {NULL, "call", MT_COLUMN_TEXT},
    [PLACE] = {NULL, "at", MT_COLUMN_TEXT},
    [CALLS] = {NULL, "calls", MT_COLUMN_COUNT},
    [TIME] = {NULL, "time", MT_COLUMN_SECONDS},
    [WAITING] = {NULL, "waiting", MT_COLUMN_SECONDS},
    [WORST] = {NULL, "most for", MT_COLUMN_TEXT},
};

/* As "solver.c:120, solve", or an address where there is no line. */
static char *place_of(const struct mt_report_site *site)
{
    char *text = NULL;
    if (!site->line && !*site->object)
        return strdup("all other call sites");
    const int length =
        asprintf(&text, "%s%s%s%s%s", site->line ? site->line : site->address,
                 site->line ? "" : " ", site->line ? "" : site->object,
                 *site->function ? ", " : "", site->function);
    return length < 0 ? NULL : text;
}

static void view_site(struct mt_view *view, const struct mt_report_site *site)
{
    const struct mt_report_rank *worst = &site->worst;
    char late[MT_QUANTITY_TEXT], *text = NULL;
    mt_view_row(view);
    mt_view_text(view, CALL, site->call);
    mt_view_own_text(view, PLACE, place_of(site));
    mt_view_number(view, CALLS, site->calls);
    mt_view_number(view, TIME, site->seconds);
    mt_view_number(view, WAITING, site->waiting);
    if (!worst->node)
        return;
    if (asprintf(&text, "rank %d, %s late in %.0f of %.0f", worst->rank,
                 mt_format_seconds(late, worst->late_mean), worst->late,
                 worst->seen) < 0)
        text = NULL;
    mt_view_own_text(view, WORST, text);
}

static int print_sites(const struct mt_report *report, struct mt_error *err)
{
    struct mt_view view = {.columns = site_columns, .ncolumns = SITE_COLUMNS};
    for (int i = 0; i < report->nsites && i < SHOWN_SITES; i++)
        view_site(&view, &report->sites[i]);
    putchar('\n');
    const int status = mt_view_print(&view, stdout, err);
    if (status == MT_OK && report->nsites > SHOWN_SITES)
        printf("and %d more\n", report->nsites - SHOWN_SITES);
    return status;
}

int mt_report_print(const struct mt_lateness *lateness, const struct mt_report *report,
                    struct mt_error *err)
{
    size_t i;
    const json_t *finding;
    print_heading(lateness, report);
    json_array_foreach(report->findings, i, finding)
    {
        putchar('\n');
        print_wrapped(json_string_value(finding));
    }
    const int status = print_ranks(report, err);
    return status == MT_OK ? print_sites(report, err) : status;
}

enum {
    ID,
    CLUSTER,
    PROGRAM,
    CONFIGURATION,
    SIZE,
    RANKS,
    SHARE,
    SOURCE,
    SIMULATED,
    STARTED,
    LIST_COLUMNS
};
static const struct mt_column list_columns[LIST_COLUMNS] = {
    [ID] = {"id", "id", MT_COLUMN_COUNT},
    [CLUSTER] = {"cluster", "cluster", MT_COLUMN_TEXT},
    [PROGRAM] = {"program", "program", MT_COLUMN_TEXT},
    [CONFIGURATION] = {"configuration", "configuration", MT_COLUMN_TEXT},
    [SIZE] = {"size", "N", MT_COLUMN_COUNT},
    [RANKS] = {"ranks", "P", MT_COLUMN_COUNT},
    [SHARE] = {"waiting", "waiting", MT_COLUMN_PERCENT},
    [SOURCE] = {NULL, "source", MT_COLUMN_TEXT},
    [SIMULATED] = {"simulated", NULL, MT_COLUMN_FLAG},
    [STARTED] = {"started", "when (UTC)", MT_COLUMN_COUNT},
};

static int view_lateness(struct mt_view *view, const struct mt_lateness *lateness,
                         struct mt_error *err)
{
    struct mt_report report = {0};
    char date[MT_QUANTITY_TEXT];
    const int status = mt_report_parse(&report, lateness->report, err);
    if (status != MT_OK)
        return status;
    mt_view_row(view);
    mt_view_number(view, ID, (double)lateness->id);
    mt_view_text(view, CLUSTER, lateness->cluster);
    mt_view_text(view, PROGRAM, lateness->program);
    mt_view_text(view, CONFIGURATION, lateness->configuration);
    mt_view_number(view, SIZE, lateness->size);
    mt_view_number(view, RANKS, report.size);
    mt_view_number(view, SHARE, share(report.waiting, report.rank_seconds));
    mt_view_text(view, SOURCE, lateness->simulated ? "simulated" : "measured");
    mt_view_flag(view, SIMULATED, lateness->simulated);
    mt_view_number(view, STARTED, (double)lateness->started);
    mt_view_show(view, STARTED, "%s", mt_format_date(date, lateness->started));
    mt_report_clear(&report);
    return MT_OK;
}

int mt_report_print_json(const struct mt_lateness *lateness,
                         const struct mt_report *report, struct mt_error *err)
{
    struct mt_view view = {.columns = list_columns, .ncolumns = LIST_COLUMNS};
    int status = view_lateness(&view, lateness, err);
    if (status != MT_OK) {
        mt_view_clear(&view);
        return status;
    }
    json_t *object = mt_view_row_to_json(&view);
    if (object && json_object_set(object, "report", report->object) != 0) {
        json_decref(object);
        object = NULL;
    }
    return mt_document_print("motley/lateness", 1, object, stdout, err);
}

static int print_list_json(struct mt_view *view, const struct mt_lateness_list *list,
                           struct mt_error *err)
{
    bool simulated = false;
    for (int i = 0; i < list->count; i++)
        simulated = simulated || list->all[i].simulated;
    return mt_document_print("motley/lateness-list", 1,
                             json_pack("{s:b, s:o}", "simulated", (int)simulated,
                                       "reports", mt_view_to_json(view)),
                             stdout, err);
}

int mt_reports_print(const struct mt_lateness_list *list, bool json,
                     struct mt_error *err)
{
    struct mt_view view = {.columns = list_columns, .ncolumns = LIST_COLUMNS};
    int status = MT_OK;
    for (int i = 0; status == MT_OK && i < list->count; i++)
        status = view_lateness(&view, &list->all[i], err);
    if (status != MT_OK) {
        mt_view_clear(&view);
        return status;
    }
    return json ? print_list_json(&view, list, err) : mt_view_print(&view, stdout, err);
}
