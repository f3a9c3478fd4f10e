/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page.h - a page to send to others: one HTML file that needs no other and no
 * network. A command describes its results as JSON; the file is the template
 * page/page.html with that JSON, which the scripts of page/ show. A layout, such as
 * page/report.js, gives the places and titles. Sections are made one by one:
 *
 * Data of several sections are made one by one:
 *
 *     struct mt_page page;
 *     mt_page_begin(&page);
 *     mt_page_section(&page, "plan");
 *     mt_page_say(&page, "verdict", "%d nodes are enough.", nodes);
 *     mt_page_table(&page, "choices", &view);
 *     status = mt_page_write(&file, page.data, err);
 *     mt_page_clear(&page);
 */
#ifndef MT_CLI_PAGE_H
#define MT_CLI_PAGE_H

#include "cli/common/view.h"
#include "cli/plot/plot.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

struct mt_page {
    json_t *data;    /* owned; an object */
    json_t *section; /* borrowed; the current section of it */
    FILE *lines;     /* owned; see mt_page_lines() */
    char *text;      /* owned; the text of `lines` */
    size_t length;
};

void mt_page_begin(struct mt_page *page);
void mt_page_clear(struct mt_page *page);

/* Begin a section: the object `key` of the data. */
void mt_page_section(struct mt_page *page, const char *key);
/* The same for one of several sections, of which the page shows one at a time: an
   object with the member `size` in the list `key`. */
void mt_page_size(struct mt_page *page, const char *key, double size);

/* Add a value of any kind to the section, which takes it over. */
void mt_page_add(struct mt_page *page, const char *key, json_t *value);
/* Add a text. */
MT_PRINTF(3, 4)
void mt_page_say(struct mt_page *page, const char *key, const char *format, ...);
/* Add the text printed into page->lines since the last call: whole, or as a list of its
   lines. */
void mt_page_text(struct mt_page *page, const char *key);
void mt_page_lines(struct mt_page *page, const char *key);
/* Add the rows of a view, which is cleared. */
void mt_page_table(struct mt_page *page, const char *key, struct mt_view *view);
/* Add a diagram, with panels below each other. */
void mt_page_plot(struct mt_page *page, const char *key, const struct mt_plot *plot);

/* Check that --output (`path`) is given. */
MT_MUST_CHECK int mt_page_check_path(const char *path, struct mt_error *err);
/* The target file of a page. All borrowed. */
struct mt_page_file {
    const char *layout; /* "report": the script page/report.js */
    const char *title, *path;
    bool force; /* replace any file */
};
/*
 * Write the page that shows the data, whole or not at all. MT_EINVAL: the existing file
 * is neither a page of motley nor empty, and may not be replaced; MT_ENOTFOUND:
 * motley's own files are missing; MT_EIO.
 */
MT_MUST_CHECK int mt_page_write(const struct mt_page_file *file, const json_t *data,
                                struct mt_error *err);

#endif
