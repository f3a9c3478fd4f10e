/* SPDX-License-Identifier: BSD-3-Clause */
#include "page.h"

#include "cli/common/command.h"
#include "cli/common/format.h"
#include "cli/common/html.h"
#include "cli/common/json.h"
#include "cli/process/config.h"
#include "cli/process/folders.h"
#include "lib/base/draft.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* By this motley knows its pages again: it stands near the beginning of each. */
static const char generator[] = "<meta name=\"generator\" content=\"motley ";
enum { BEGINNING = 1024 };

static int no_memory(struct mt_error *err)
{
    return mt_fail(err, MT_ENOMEM, "no memory for a page");
}

int mt_page_begin(struct mt_page *page, const char *schema, int version,
                  struct mt_error *err)
{
    *page =
        (struct mt_page){.schema = schema, .version = version, .data = json_object()};
    page->section = page->data;
    page->body = open_memstream(&page->text, &page->length);
    if (page->data && page->body)
        return MT_OK;
    mt_page_clear(page);
    return no_memory(err);
}

void mt_page_clear(struct mt_page *page)
{
    if (page->body)
        fclose(page->body);
    free(page->text);
    json_decref(page->data);
    *page = (struct mt_page){0};
}

int mt_page_text_begin(struct mt_page_text *text, struct mt_error *err)
{
    *text = (struct mt_page_text){0};
    text->stream = open_memstream(&text->text, &text->length);
    return text->stream ? MT_OK : no_memory(err);
}

int mt_page_text_end(struct mt_page_text *text, struct mt_error *err)
{
    return fclose(text->stream) == 0 ? MT_OK : no_memory(err);
}

/* Take over a value as a member of the section. */
static void keep(struct mt_page *page, const char *key, json_t *value)
{
    if (key)
        page->failed |= json_object_set_new(page->section, key, value) != 0;
    else
        json_decref(value);
}

static void element(struct mt_page *page, const char *name, const char *text)
{
    fprintf(page->body, "<%s>", name);
    mt_html_text(page->body, text);
    fprintf(page->body, "</%s>\n", name);
}

static void end_section(struct mt_page *page)
{
    if (page->open)
        fputs("</section>\n", page->body);
    page->open = false;
}

/* The object may be NULL, which is that memory was short. */
static void enter(struct mt_page *page, json_t *object, const char *title)
{
    page->failed |= !object;
    if (object)
        page->section = object;
    element(page, "h2", title);
    page->open = true;
}

void mt_page_section(struct mt_page *page, const char *key, const char *title)
{
    end_section(page);
    page->section = page->data;
    fputs("<section>\n", page->body);
    keep(page, key, json_object());
    enter(page, json_object_get(page->data, key), title);
}

void mt_page_size(struct mt_page *page, const char *key, double size, const char *title)
{
    char number[MT_QUANTITY_TEXT];
    json_t *list = json_object_get(page->data, key);
    json_t *object = json_pack("{s:o}", "size", mt_json_number(size));
    end_section(page);
    page->section = page->data;
    if (!list) {
        keep(page, key, json_array());
        list = json_object_get(page->data, key);
    }
    if (json_array_append_new(list, object) != 0)
        object = NULL;
    fprintf(page->body, "<section data-size=\"%s\">\n", mt_format_count(number, size));
    enter(page, object, title);
}

void mt_page_heading(struct mt_page *page, const char *title)
{
    element(page, "h3", title);
}

void mt_page_say(struct mt_page *page, const char *key, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    const bool made = vasprintf(&text, format, arguments) >= 0;
    va_end(arguments);
    page->failed |= !made;
    if (!made)
        return;
    element(page, "p", text);
    keep(page, key, mt_json_text(text));
    free(text);
}

void mt_page_lines(struct mt_page *page, const char *key, const char *lines)
{
    json_t *list = json_array();
    char *rest = strdup(lines), *start = rest, *line;
    if (!rest || !list) {
        page->failed = true;
        json_decref(list);
        free(rest);
        return;
    }
    while ((line = strsep(&rest, "\n"))) {
        if (!*line)
            continue;
        fputs(json_array_size(list) == 0 ? "<ul>\n" : "", page->body);
        element(page, "li", line);
        page->failed |= json_array_append_new(list, mt_json_text(line)) != 0;
    }
    fputs(json_array_size(list) > 0 ? "</ul>\n" : "", page->body);
    keep(page, key, list);
    free(start);
}

void mt_page_copy(struct mt_page *page, const char *key, const char *what,
                  const char *text)
{
    fputs("<div class=\"copy\">\n", page->body);
    element(page, "p", what);
    fputs("<pre tabindex=\"0\"><code>", page->body);
    mt_html_text(page->body, text);
    fputs("</code></pre>\n</div>\n", page->body);
    keep(page, key, mt_json_text(text));
}

void mt_page_table(struct mt_page *page, const char *key, const char *caption,
                   bool folded, struct mt_view *view)
{
    if (folded) {
        fputs("<details>", page->body);
        element(page, "summary", caption);
    }
    mt_view_write_html(view, caption, page->body);
    fputs(folded ? "</details>\n" : "", page->body);
    keep(page, key, mt_view_to_json(view));
}

/* The list with one more value, which it takes over; NULL: memory was short, now or
   before. */
static json_t *appended(json_t *list, json_t *value)
{
    if (json_array_append_new(list, value) == 0)
        return list;
    json_decref(list);
    return NULL;
}

/* A text that may be cut within a character, or be missing. */
static json_t *text_or_null(const char *text)
{
    return text ? mt_json_text(text) : json_null();
}

/* The points that the panel shows. */
static json_t *points_of(const struct mt_panel *panel, const struct mt_series *series,
                         const double *values)
{
    json_t *list = json_array();
    for (int i = 0; values && i < series->count; i++)
        if (mt_panel_shows(panel, series->y[i]))
            list = appended(list, mt_json_number(values[i]));
    return list;
}

/* Their names, where they have some. */
static json_t *names_of(const struct mt_panel *panel, const struct mt_series *series)
{
    json_t *list = json_array();
    for (int i = 0; series->names && i < series->count; i++)
        if (mt_panel_shows(panel, series->y[i]))
            list = appended(list, mt_json_text(series->names[i]));
    return list;
}

static json_t *series_to_json(const struct mt_panel *panel,
                              const struct mt_series *series)
{
    static const char *const styles[] = {[MT_SERIES_LINE] = "line",
                                         [MT_SERIES_HINT] = "hint",
                                         [MT_SERIES_POINTS] = "points"};
    return json_pack(
        "{s:o*, s:s, s:i, s:o, s:o, s:o, s:o, s:o}", "label",
        series->label ? mt_json_text(series->label) : NULL, "style",
        styles[series->style], "color", series->color, "x",
        points_of(panel, series, series->x), "y", points_of(panel, series, series->y),
        "low", points_of(panel, series, series->low), "high",
        points_of(panel, series, series->high), "names", names_of(panel, series));
}

static json_t *panel_to_json(const struct mt_panel *panel)
{
    json_t *all = json_array();
    for (int i = 0; i < panel->count; i++)
        all = appended(all, series_to_json(panel, &panel->series[i]));
    return json_pack("{s:o, s:o, s:b, s:o}", "title", text_or_null(panel->title),
                     "y_label", mt_json_text(panel->y_label), "log_y",
                     (int)panel->log_y, "series", all);
}

static json_t *plot_to_json(const struct mt_plot *plot)
{
    json_t *panels = json_array();
    for (int i = 0; i < plot->count; i++)
        panels = appended(panels, panel_to_json(&plot->panels[i]));
    return json_pack("{s:o, s:o, s:o, s:b, s:o, s:o}", "title",
                     mt_json_text(plot->title), "subtitle",
                     text_or_null(plot->subtitle), "x_label",
                     mt_json_text(plot->x_label), "log_x", (int)plot->log_x, "marks",
                     mt_json_numbers(plot->marks, plot->nmarks), "panels", panels);
}

/* Within a script element no '<' may stand, by which it might end; JSON has it in texts
   only, where an escape does as well. */
static void write_json(struct mt_page *page, const json_t *object)
{
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(7));
    page->failed |= !text;
    for (const char *c = text; c && *c; c++)
        if (*c == '<')
            fputs("\\u003c", page->body);
        else
            fputc(*c, page->body);
    free(text);
}

void mt_page_plot(struct mt_page *page, const char *key, const struct mt_plot *plot)
{
    json_t *object = plot_to_json(plot);
    page->failed |= !object;
    if (!object)
        return;
    fputs("<figure>\n", page->body);
    element(page, "figcaption", plot->title);
    fputs("<script type=\"application/json\">", page->body);
    write_json(page, object);
    fputs("</script>\n<noscript><p>This diagram needs scripts; what counts in it is "
          "in the tables, too.</p></noscript>\n</figure>\n",
          page->body);
    keep(page, key, object);
}

/* Of a rectangle in tiles: the width of a drawing, and the height of the letters. */
enum { TILES_WIDTH = 1000, TILES_LETTERS = 36 };

/* "3: xeon-2.4, rows 0 to 5000, columns 0 to 7000". */
static void name_tile(FILE *stream, const struct mt_tiles *tiles,
                      const struct mt_plot_tile *tile)
{
    fputs("<title>", stream);
    mt_html_text(stream, tile->name);
    fputs(": ", stream);
    mt_html_text(stream, tiles->groups[tile->group].name);
    fprintf(stream, ", rows %.0f to %.0f, columns %.0f to %.0f</title>",
            tile->top * tiles->rows, tile->bottom * tiles->rows,
            tile->left * tiles->columns, tile->right * tiles->columns);
}

static void write_tile(FILE *stream, const struct mt_tiles *tiles,
                       const struct mt_plot_tile *tile, double height)
{
    const double width = TILES_WIDTH * (tile->right - tile->left);
    const double high = height * (tile->bottom - tile->top);
    const double letters = fmin(TILES_LETTERS, 0.5 * fmin(width, high));
    const unsigned fill = mt_tile_fill(tile->group, tile->shade);
    fputs("<g>", stream);
    name_tile(stream, tiles, tile);
    fprintf(stream,
            "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
            "fill=\"#%06x\" stroke=\"#333\" stroke-width=\"%d\"/>",
            TILES_WIDTH * tile->left, height * tile->top, width, high, fill,
            tile->minor ? 1 : 3);
    fprintf(stream,
            "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.1f\" text-anchor=\"middle\" "
            "dominant-baseline=\"central\" fill=\"#%06x\">",
            TILES_WIDTH * tile->left + width / 2, height * tile->top + high / 2,
            letters, mt_tile_ink(fill));
    mt_html_text(stream, tile->name);
    fputs("</text></g>\n", stream);
}

static void write_legend(FILE *stream, const struct mt_tiles *tiles)
{
    fputs("<ul class=\"legend\">\n", stream);
    for (int g = 0; g < tiles->ngroups; g++) {
        if (!*tiles->groups[g].legend)
            continue;
        fprintf(stream,
                "<li><svg width=\"14\" height=\"14\" aria-hidden=\"true\"><rect "
                "width=\"14\" height=\"14\" fill=\"#%06x\"/></svg> ",
                mt_tile_fill(g, 0));
        mt_html_text(stream, tiles->groups[g].legend);
        fputs("</li>\n", stream);
    }
    fputs("</ul>\n", stream);
}

static json_t *tiles_to_json(const struct mt_tiles *tiles)
{
    json_t *all = json_array();
    for (int i = 0; i < tiles->count; i++) {
        const struct mt_plot_tile *tile = &tiles->tiles[i];
        json_array_append_new(
            all, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "name",
                           mt_json_text(tile->name), "group",
                           mt_json_text(tiles->groups[tile->group].name), "left",
                           mt_json_number(tile->left), "top", mt_json_number(tile->top),
                           "right", mt_json_number(tile->right), "bottom",
                           mt_json_number(tile->bottom)));
    }
    return json_pack("{s:o, s:i, s:i, s:o}", "title", mt_json_text(tiles->title),
                     "columns", tiles->columns, "rows", tiles->rows, "tiles", all);
}

void mt_page_tiles(struct mt_page *page, const char *key, const struct mt_tiles *tiles)
{
    /* a very flat one could not be read */
    const double height =
        TILES_WIDTH * fmin(2, fmax(0.25, (double)tiles->rows / tiles->columns));
    json_t *object = tiles_to_json(tiles);
    page->failed |= !object;
    if (!object)
        return;
    fputs("<figure>\n", page->body);
    element(page, "figcaption", tiles->title);
    fprintf(page->body,
            "<svg class=\"tiles\" viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"",
            TILES_WIDTH, height);
    mt_html_text(page->body, tiles->title);
    fputs("\">\n", page->body);
    for (int i = 0; i < tiles->count; i++)
        write_tile(page->body, tiles, &tiles->tiles[i], height);
    fputs("</svg>\n", page->body);
    write_legend(page->body, tiles);
    fputs("</figure>\n", page->body);
    keep(page, key, object);
}

int mt_page_check_target(const char *path, struct mt_error *err)
{
    if (mt_common.json && path)
        return mt_fail(err, MT_EINVAL, "--json and --output exclude each other");
    if (!mt_common.json && !path)
        return mt_fail(err, MT_EINVAL, "where to? give --output FILE.html, or --json");
    return MT_OK;
}

static int print_data(struct mt_page *page, struct mt_error *err)
{
    json_t *data = page->data;
    page->data = NULL;
    return mt_document_print(page->schema, page->version, data, stdout, err);
}

static int check_replaced(const char *path, struct mt_error *err)
{
    char beginning[BEGINNING + 1] = "";
    struct stat old;
    const bool is_file = stat(path, &old) == 0 && S_ISREG(old.st_mode);
    FILE *file = is_file ? fopen(path, "re") : NULL;
    if (!is_file)
        return MT_OK; /* what cannot be written is found later */
    if (file) {
        if (fread(beginning, 1, BEGINNING, file) == 0)
            beginning[0] = '\0';
        fclose(file);
    }
    if (old.st_size == 0 || strstr(beginning, generator))
        return MT_OK;
    return mt_fail(err, MT_EINVAL,
                   "'%s' is no page of motley; --force replaces it all the same", path);
}

/* Copy a file of the folder `page` that belongs to motley. */
static int copy_own(FILE *stream, const char *name, struct mt_error *err)
{
    char *folder = mt_shipped_folder("page"), *path = NULL, block[BUFSIZ];
    const bool named = folder && asprintf(&path, "%s/%s", folder, name) >= 0;
    FILE *file = named ? fopen(path, "re") : NULL;
    int status = MT_OK;
    if (!file)
        status = mt_fail(err, MT_ENOTFOUND,
                         "motley's own '%s' is not there: motley is to be installed "
                         "again",
                         named ? path : name);
    for (size_t bytes; file && (bytes = fread(block, 1, sizeof block, file)) > 0;)
        fwrite(block, 1, bytes, stream);
    if (file && ferror(file))
        status = mt_fail(err, MT_EIO, "cannot read '%s'", path);
    if (file)
        fclose(file);
    if (named)
        free(path);
    free(folder);
    return status;
}

static int write_all(const struct mt_page *page, const char *title, FILE *stream,
                     struct mt_error *err)
{
    char date[MT_QUANTITY_TEXT];
    fprintf(
        stream,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "%s" MT_VERSION "\">\n<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" content=\""
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
        "img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
        generator);
    mt_html_text(stream, title);
    fputs("</title>\n<style>\n", stream);
    int status = copy_own(stream, "uplot/uPlot.min.css", err);
    if (status == MT_OK)
        status = copy_own(stream, "page.css", err);
    fputs("</style>\n</head>\n<body>\n<header>\n<h1>", stream);
    mt_html_text(stream, title);
    fputs("</h1>\n</header>\n<main>\n", stream);
    fwrite(page->text, 1, page->length, stream);
    fprintf(stream,
            "</main>\n<footer><p>Made by motley %s, %s UTC.</p></footer>\n<script>\n",
            MT_VERSION, mt_format_date(date, time(NULL)));
    if (status == MT_OK)
        status = copy_own(stream, "uplot/uPlot.iife.min.js", err);
    fputs("</script>\n<script>\n", stream);
    if (status == MT_OK)
        status = copy_own(stream, "page.js", err);
    fputs("</script>\n</body>\n</html>\n", stream);
    return status;
}

int mt_page_finish(struct mt_page *page, const char *title, const char *path,
                   bool force, struct mt_error *err)
{
    struct mt_draft draft = {0};
    end_section(page);
    if (fflush(page->body) != 0 || page->failed)
        return no_memory(err);
    if (mt_common.json)
        return print_data(page, err);
    int status = force ? MT_OK : check_replaced(path, err);
    if (status == MT_OK)
        status = mt_draft_open(&draft, path, err);
    if (status != MT_OK)
        return status;
    status = write_all(page, title, draft.stream, err);
    return mt_draft_close(&draft, status, err);
}
