/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page.h - a page to send to somebody: one HTML file that needs no other and no
 * network. A command describes what it found as JSON, section by section; the file is
 * the template page/page.html with that JSON in it, which the scripts of page/ show:
 *
 *     struct mt_page page;
 *     status = mt_page_begin(&page, "motley/report", 1, err);
 *     mt_page_section(&page, "plan");
 *     mt_page_say(&page, "verdict", "%d nodes are enough.", nodes);
 *     mt_page_table(&page, "choices", &view);
 *     status = mt_page_finish(&page, "lu on toyohashi", path, false, err);
 *     mt_page_clear(&page);
 *
 * Which members a section has, their titles and their order on the page are those in
 * the script that is named after the document, such as page/report.js.
 */
#ifndef MT_CLI_PAGE_H
#define MT_CLI_PAGE_H

#include "cli/common/view.h"
#include "cli/plot/plot.h"
#include "cli/plot/plot_tiles.h"

#include <jansson.h>
#include <stdio.h>

struct mt_page {
    const char *schema; /* of the data, such as "motley/report"; borrowed */
    int version;
    json_t *data;    /* owned; an object */
    json_t *section; /* borrowed; the object in it that gets what is added */
    FILE *lines;     /* owned; see mt_page_lines() */
    char *text;      /* owned; what was printed into it */
    size_t length;
};

void mt_page_begin(struct mt_page *page, const char *schema, int version);
void mt_page_clear(struct mt_page *page);

/* Begin a section: the object `key` of the data. */
void mt_page_section(struct mt_page *page, const char *key);
/* The same of one of several, of which the page shows one at a time: an object with the
   member `size` in the list `key`. */
void mt_page_size(struct mt_page *page, const char *key, double size);

/* Add a value of any kind to the section, which takes it over. */
void mt_page_add(struct mt_page *page, const char *key, json_t *value);
/* Add a text. */
MT_PRINTF(3, 4)
void mt_page_say(struct mt_page *page, const char *key, const char *format, ...);
/* Add what was printed into page->lines since the last call: as one text, or as a list
   of its lines. */
void mt_page_text(struct mt_page *page, const char *key);
void mt_page_lines(struct mt_page *page, const char *key);
/* Add the rows of a view, which is cleared. */
void mt_page_table(struct mt_page *page, const char *key, struct mt_view *view);
/* Add a diagram, with panels below each other. */
void mt_page_plot(struct mt_page *page, const char *key, const struct mt_plot *plot);
/* mt_plot_use for a plot that becomes a member of the section. */
struct mt_page_member {
    struct mt_page *page;
    const char *key;
};
int mt_page_put_plot(const struct mt_plot *plot, void *member, struct mt_error *err);
/* A diagram of one panel that gets its points one by one. */
struct mt_page_chart {
    struct mt_page *page;         /* borrowed, as are the others */
    const struct mt_panel *panel; /* without series */
    json_t *all, *series;         /* its series, and the last of them */
};
/* Add it to the section, with the words and the axes of `plot`. */
struct mt_page_chart mt_page_chart_begin(struct mt_page *page, const char *key,
                                         const struct mt_plot *plot);
/* Begin a series; its label may be NULL, for one that is not in the legend. */
void mt_page_chart_series(struct mt_page_chart *chart, const char *label,
                          enum mt_series_style style, int color);
/* Add a point to the series; false: the axis has no place for this y. And the interval
   of the last point. */
bool mt_page_chart_point(const struct mt_page_chart *chart, double x, double y);
void mt_page_chart_band(const struct mt_page_chart *chart, double low, double high);
/* A rectangle in tiles, each of which says what it is under the pointer. */
void mt_page_tiles(struct mt_page *page, const char *key, const struct mt_tiles *tiles);

/* Whether one of --output, which is `path`, and --json says where the page goes. */
MT_MUST_CHECK int mt_page_check_target(const char *path, struct mt_error *err);
/*
 * With --json print the data; else write the page to the file at `path`, whole or not
 * at all. MT_EINVAL: there is a file that is neither a page of motley nor empty, and it
 * may not be replaced (`force`); MT_ENOTFOUND: motley's own files are not there;
 * MT_EIO.
 */
MT_MUST_CHECK int mt_page_finish(struct mt_page *page, const char *title,
                                 const char *path, bool force, struct mt_error *err);

#endif
