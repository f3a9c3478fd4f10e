/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports on late ranks: a page, a list, JSON, and a picture of when ranks waited. */
#include "report.h"

#include "cli/common/format.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "cli/plot/plot_field.h"
#include "cli/process/memory.h"

#include <inttypes.h>
#include <math.h>
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
static void print_ranks(const struct mt_report *report)
{
    struct mt_view view = {.columns = rank_columns, .ncolumns = RANK_COLUMNS};
    const size_t size = (size_t)report->nranks * sizeof *report->ranks;
    struct mt_report_rank *ranks = mt_calloc(1, size + 1);
    memcpy(ranks, report->ranks, size);
    qsort(ranks, (size_t)report->nranks, sizeof *ranks, compare_costs);
    for (int i = 0; i < report->nranks && i < SHOWN_RANKS; i++)
        view_rank(&view, &ranks[i]);
    free(ranks);
    putchar('\n');
    mt_view_print(&view, stdout);
    if (report->nranks > SHOWN_RANKS)
        printf("and %d more\n", report->nranks - SHOWN_RANKS);
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

/* As "solver.c:120, solve", or an address if the line is unknown. */
static char *place_of(const struct mt_report_site *site)
{
    if (!site->line && !*site->object)
        return mt_strdup("all other call sites");
    return mt_asprintf("%s%s%s%s%s", site->line ? site->line : site->address,
                       site->line ? "" : " ", site->line ? "" : site->object,
                       *site->function ? ", " : "", site->function);
}

static void view_site(struct mt_view *view, const struct mt_report_site *site)
{
    const struct mt_report_rank *worst = &site->worst;
    char late[MT_QUANTITY_TEXT];
    mt_view_row(view);
    mt_view_text(view, CALL, site->call);
    mt_view_own_text(view, PLACE, place_of(site));
    mt_view_number(view, CALLS, site->calls);
    mt_view_number(view, TIME, site->seconds);
    mt_view_number(view, WAITING, site->waiting);
    if (worst->node)
        mt_view_own_text(view, WORST,
                         mt_asprintf("rank %d, %s late in %.0f of %.0f", worst->rank,
                                     mt_format_seconds(late, worst->late_mean),
                                     worst->late, worst->seen));
}

static void print_sites(const struct mt_report *report)
{
    struct mt_view view = {.columns = site_columns, .ncolumns = SITE_COLUMNS};
    for (int i = 0; i < report->nsites && i < SHOWN_SITES; i++)
        view_site(&view, &report->sites[i]);
    putchar('\n');
    mt_view_print(&view, stdout);
    if (report->nsites > SHOWN_SITES)
        printf("and %d more\n", report->nsites - SHOWN_SITES);
}

void mt_report_print(const struct mt_lateness *lateness, const struct mt_report *report)
{
    size_t i;
    const json_t *finding;
    print_heading(lateness, report);
    json_array_foreach(report->findings, i, finding)
    {
        putchar('\n');
        print_wrapped(json_string_value(finding));
    }
    print_ranks(report);
    print_sites(report);
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
    const int status = view_lateness(&view, lateness, err);
    json_t *object = mt_view_row_to_json(&view);
    if (status == MT_OK) {
        mt_need_ok(json_object_set(object, "report", report->object));
        mt_document_print("motley/lateness", 1, json_incref(object), stdout);
    }
    json_decref(object);
    return status;
}

int mt_reports_print(const struct mt_lateness_list *list, bool json,
                     struct mt_error *err)
{
    struct mt_view view = {.columns = list_columns, .ncolumns = LIST_COLUMNS};
    int status = MT_OK;
    bool simulated = false;
    for (int i = 0; status == MT_OK && i < list->count; i++) {
        status = view_lateness(&view, &list->all[i], err);
        simulated = simulated || list->all[i].simulated;
    }
    if (status != MT_OK)
        mt_view_clear(&view);
    else if (json)
        mt_document_print_list("motley/lateness-list", simulated, "reports",
                               mt_view_to_json(&view));
    else
        mt_view_print(&view, stdout);
    return status;
}

/* At most this many rows; with more ranks, each row has several. */
enum { MOST_COLUMNS = 64, MOST_ROWS = 64 };

static bool has_intervals(const struct mt_report *report)
{
    bool any = false;
    for (int i = 0; i < report->nranks; i++)
        any = any || report->ranks[i].intervals;
    return any && report->interval > 0 && report->rank_seconds > 0;
}

/* The run's length, or the longest timeline of a rank. */
static int columns_of(const struct mt_report *report)
{
    double columns = ceil(report->rank_seconds / report->size / report->interval);
    for (int i = 0; i < report->nranks; i++)
        columns = fmax(columns, (double)json_array_size(report->ranks[i].intervals));
    return (int)fmin(columns, MOST_COLUMNS);
}

/* Round numbers. A cell is `width` wide, and 0 stands `before` cells ahead of the
   middle of the first. */
static void set_ticks(struct mt_field_axis *axis, double width, double before)
{
    enum { WANTED = 8 };
    const double length = axis->cells * width;
    double step = 1;
    for (int i = 0; length / step > WANTED; i++)
        step *= i % 3 == 1 ? 2.5 : 2; /* 1, 2, 5, 10 */
    for (double at = 0; at / width - before <= axis->cells - 1 + before &&
                        axis->count < MT_FIELD_TICKS;
         at += step)
        axis->ticks[axis->count++] = (struct mt_field_tick){at / width - before, at};
}

/* The mean over the ranks of each row. */
static void fill(double *values, const struct mt_report *report, int columns, int rows)
{
    int *ranks = mt_calloc((size_t)rows, sizeof *ranks);
    for (int i = 0; i < report->nranks; i++) {
        const struct mt_report_rank *rank = &report->ranks[i];
        const int row = (int)((long)rank->rank * rows / report->size);
        ranks[row]++;
        for (int c = 0; c < columns; c++) {
            const json_t *waited = json_array_get(rank->intervals, (size_t)c);
            const double part = json_number_value(waited) / report->interval;
            values[row * columns + c] += fmin(fmax(part, 0), 1);
        }
    }
    for (int row = 0; row < rows; row++)
        for (int c = 0; c < columns && ranks[row] > 0; c++)
            values[row * columns + c] /= ranks[row];
    free(ranks);
}

static int draw(const struct mt_report *report, const char *title, double *values,
                const char *target, struct mt_error *err)
{
    const int rows = report->size < MOST_ROWS ? report->size : MOST_ROWS;
    const int columns = columns_of(report);
    const bool seconds = columns * report->interval >= 10;
    struct mt_field field = {
        .title = title,
        .x = {.name = seconds ? "time of the run [s]" : "time of the run [ms]",
              .cells = columns},
        .y = {.name = "rank", .cells = rows},
        .name = "waiting",
        .values = values,
        .step = 10,
        .bare = true,
    };
    set_ticks(&field.x, report->interval * (seconds ? 1 : 1000), 0.5);
    set_ticks(&field.y, (double)report->size / rows, 0);
    fill(values, report, columns, rows);
    return mt_field_draw(&field, target, err);
}

int mt_report_draw(const struct mt_lateness *lateness, const struct mt_report *report,
                   const char *target, struct mt_error *err)
{
    if (!has_intervals(report))
        return mt_fail(err, MT_ENOTFOUND, "the report does not say when ranks waited");
    double *values = mt_calloc((size_t)MOST_ROWS * MOST_COLUMNS, sizeof *values);
    char *title =
        lateness ? mt_asprintf(
                       "%s on %s, %s, N = %.15g%s: when ranks waited (dark: at work)",
                       lateness->program, lateness->cluster, lateness->configuration,
                       lateness->size, lateness->simulated ? " (simulated)" : "")
                 : mt_asprintf("%swhen ranks waited (dark: at work)",
                               report->simulated ? "(simulated) " : "");
    const int status = draw(report, title, values, target, err);
    free(title);
    free(values);
    return status;
}
