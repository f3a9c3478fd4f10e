/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the data of a page, and writes them into the template of page/. */
#include "page.h"

#include "cli/common/format.h"
#include "cli/common/json.h"
#include "cli/process/config.h"
#include "cli/process/folders.h"
#include "cli/process/memory.h"
#include "lib/base/draft.h"
#include "lib/base/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* Identifies a page as motley's; near the beginning of each. */
static const char generator[] = "<meta name=\"generator\" content=\"motley ";
enum { BEGINNING = 1024 };

void mt_page_begin(struct mt_page *page)
{
    *page = (struct mt_page){.data = mt_need(json_object())};
    page->section = page->data;
    page->lines = mt_memory_open(&page->text, &page->length);
}

void mt_page_clear(struct mt_page *page)
{
    if (page->lines)
        fclose(page->lines);
    free(page->text);
    json_decref(page->data);
    *page = (struct mt_page){0};
}

void mt_page_add(struct mt_page *page, const char *key, json_t *value)
{
    mt_need_ok(json_object_set_new(page->section, key, value));
}

static void append(json_t *list, json_t *value)
{
    mt_need_ok(json_array_append_new(list, value));
}

void mt_page_section(struct mt_page *page, const char *key)
{
    page->section = page->data;
    mt_page_add(page, key, json_object());
    page->section = json_object_get(page->data, key);
}

void mt_page_size(struct mt_page *page, const char *key, double size)
{
    page->section = page->data;
    if (!json_object_get(page->data, key))
        mt_page_add(page, key, json_array());
    json_t *object = json_pack("{s:o}", "size", mt_json_number(size));
    append(json_object_get(page->data, key), object);
    page->section = object;
}

void mt_page_say(struct mt_page *page, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(page->lines, format, arguments);
    va_end(arguments);
    mt_page_text(page, key);
}

/* The text printed since the last call. */
static char *take_text(struct mt_page *page)
{
    fputc(0, page->lines);
    mt_need_ok(fflush(page->lines) != 0 || ferror(page->lines));
    rewind(page->lines);
    return page->text;
}

void mt_page_text(struct mt_page *page, const char *key)
{
    mt_page_add(page, key, mt_json_text(take_text(page)));
}

void mt_page_lines(struct mt_page *page, const char *key)
{
    json_t *list = json_array();
    char *rest = take_text(page), *line;
    while ((line = strsep(&rest, "\n")))
        if (*line)
            append(list, mt_json_text(line));
    mt_page_add(page, key, list);
}

void mt_page_table(struct mt_page *page, const char *key, struct mt_view *view)
{
    mt_page_add(page, key, mt_view_to_json(view));
}

static json_t *series_to_json(const struct mt_series *series)
{
    static const char *const styles[] = {[MT_SERIES_LINE] = "line",
                                         [MT_SERIES_HINT] = "hint",
                                         [MT_SERIES_POINTS] = "points"};
    const bool intervals = mt_series_has_intervals(series);
    json_t *x = json_array(), *y = json_array(), *low = json_array(),
           *high = json_array(), *names = json_array();
    for (int i = 0; i < series->count; i++) {
        const struct mt_plot_point *point = &series->points[i];
        append(x, mt_json_number(point->x));
        append(y, mt_json_number(point->y));
        if (intervals) {
            append(low, mt_json_number(point->low));
            append(high, mt_json_number(point->high));
        }
        if (point->name)
            append(names, mt_json_text(point->name));
    }
    return json_pack("{s:o*, s:s, s:i, s:o, s:o, s:o, s:o, s:o}", "label",
                     series->label ? mt_json_text(series->label) : NULL, "style",
                     styles[series->style], "color", series->color, "x", x, "y", y,
                     "low", low, "high", high, "names", names);
}

static json_t *panel_to_json(const struct mt_panel *panel)
{
    json_t *all = json_array();
    for (int i = 0; i < panel->count; i++)
        append(all, series_to_json(&panel->series[i]));
    return json_pack("{s:o, s:b, s:o}", "y_label", mt_json_text(panel->y_label),
                     "log_y", (int)panel->log_y, "series", all);
}

void mt_page_plot(struct mt_page *page, const char *key, const struct mt_plot *plot)
{
    json_t *panels = json_array();
    for (int i = 0; i < plot->count; i++)
        append(panels, panel_to_json(&plot->panels[i]));
    mt_page_add(
        page, key,
        json_pack("{s:o, s:o*, s:s, s:b, s:o, s:o}", "title", mt_json_text(plot->title),
                  "subtitle", plot->subtitle ? mt_json_text(plot->subtitle) : NULL,
                  "x_label", plot->x_label, "log_x", (int)plot->log_x, "marks",
                  mt_json_numbers(plot->marks, plot->nmarks), "panels", panels));
}

int mt_page_check_path(const char *path, struct mt_error *err)
{
    return path ? MT_OK : mt_fail(err, MT_EINVAL, "where to? give --output FILE.html");
}

static int check_replaced(const char *path, struct mt_error *err)
{
    char beginning[BEGINNING + 1] = "";
    struct stat old;
    const bool is_file = stat(path, &old) == 0 && S_ISREG(old.st_mode);
    FILE *file = is_file ? fopen(path, "re") : NULL;
    if (!is_file)
        return MT_OK; /* an unwritable target is found later */
    if (file) {
        if (fread(beginning, 1, BEGINNING, file) == 0)
            beginning[0] = '\0';
        fclose(file);
    }
    if (old.st_size == 0 || strstr(beginning, generator))
        return MT_OK;
    return mt_fail(err, MT_EINVAL, "'%s' is not a page of motley; --force replaces it",
                   path);
}

/* Write the data for a script element: escape '<', which could end it, and U+2028,
   which could break it. */
static void write_data(FILE *stream, const json_t *data)
{
    enum { DIGITS = 12 };
    char *text = mt_need(json_dumps(data, JSON_COMPACT | JSON_ENSURE_ASCII |
                                              JSON_REAL_PRECISION(DIGITS)));
    for (const char *c = text; *c; c++)
        if (*c == '<')
            fputs("\\u003c", stream);
        else
            fputc(*c, stream);
    free(text);
}

/* Escape a text of unknown origin, so that it is never markup. */
static void write_title(FILE *stream, const char *title)
{
    char *clean = mt_strdup(title);
    mt_text_clean_line(clean);
    for (const char *c = clean; *c; c++)
        switch (*c) {
        case '&':
            fputs("&amp;", stream);
            break;
        case '<':
            fputs("&lt;", stream);
            break;
        case '>':
            fputs("&gt;", stream);
            break;
        default:
            fputc(*c, stream);
        }
    free(clean);
}

/* Read a file of the folder `page`, which belongs to motley, as a string. */
static int read_own(char **text, const char *name, struct mt_error *err)
{
    char *folder = mt_shipped_folder("page");
    char *path = mt_asprintf("%s%s%s", folder ? folder : "", folder ? "/" : "", name);
    size_t room = 0;
    FILE *file = folder ? fopen(path, "re") : NULL;
    int status = MT_OK;
    if (!file)
        status = mt_fail(err, MT_ENOTFOUND,
                         "motley's own '%s' is not there: motley is to be installed "
                         "again",
                         path);
    else if (getdelim(text, &room, 0, file) < 0) /* all of it */
        status = mt_fail(err, MT_EIO, "cannot read '%s'", path);
    if (file)
        fclose(file);
    free(path);
    free(folder);
    return status;
}

static int copy_own(FILE *stream, const char *name, struct mt_error *err)
{
    char *text = NULL;
    const int status = read_own(&text, name, err);
    if (status == MT_OK)
        fputs(text, stream);
    free(text);
    return status;
}

/* The replacement of {{NAME}} in the template: a known value, or a file. */
static int fill_in(FILE *stream, const struct mt_page_file *file, const json_t *data,
                   const char *name, struct mt_error *err)
{
    char date[MT_QUANTITY_TEXT], script[64];
    if (strcmp(name, "layout") == 0) {
        snprintf(script, sizeof script, "%s.js", file->layout);
        return copy_own(stream, script, err);
    }
    if (strcmp(name, "title") == 0)
        write_title(stream, file->title);
    else if (strcmp(name, "data") == 0)
        write_data(stream, data);
    else if (strcmp(name, "version") == 0)
        fputs(MT_VERSION, stream);
    else if (strcmp(name, "date") == 0)
        fputs(mt_format_date(date, time(NULL)), stream);
    else
        return copy_own(stream, name, err);
    return MT_OK;
}

static int write_page(FILE *stream, const struct mt_page_file *file, const json_t *data,
                      struct mt_error *err)
{
    char *template = NULL;
    int status = read_own(&template, "page.html", err);
    char *rest = template, *begin, *end;
    while (status == MT_OK && (begin = strstr(rest, "{{")) &&
           (end = strstr(begin, "}}"))) {
        *begin = *end = 0;
        fputs(rest, stream);
        status = fill_in(stream, file, data, begin + 2, err);
        rest = end + 2;
    }
    if (status == MT_OK)
        fputs(rest, stream);
    free(template);
    return status;
}

int mt_page_write(const struct mt_page_file *file, const json_t *data,
                  struct mt_error *err)
{
    struct mt_draft draft = {0};
    int status = file->force ? MT_OK : check_replaced(file->path, err);
    if (status == MT_OK)
        status = mt_draft_open(&draft, file->path, err);
    if (status != MT_OK)
        return status;
    status = write_page(draft.stream, file, data, err);
    return mt_draft_close(&draft, status, err);
}
