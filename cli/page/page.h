/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page.h - a page to send to somebody: one HTML file that needs no other and no
 * network. Whatever is put on it is kept as JSON, too, so that what people and programs
 * read cannot differ:
 *
 *     struct mt_page page;
 *     status = mt_page_begin(&page, err);
 *     mt_page_section(&page, "plan", "The plan");
 *     mt_page_say(&page, "verdict", "%d nodes are enough.", nodes);
 *     mt_page_table(&page, "choices", "Configurations", &view);
 *     status = mt_page_finish(&page, "lu on toyohashi", path, false, err);
 *     mt_page_clear(&page);
 *
 * Texts may come from anywhere: they are shown, never taken for markup or script. The
 * members of a section are those of an object of its own in the JSON. Functions that
 * put something on a page do not fail: when memory is short they remember it, and what
 * writes the page says so.
 */
#ifndef MT_CLI_PAGE_H
#define MT_CLI_PAGE_H

#include "cli/common/document.h"
#include "cli/common/view.h"
#include "cli/plot/plot.h"
#include "cli/plot/plot_tiles.h"

#include <jansson.h>
#include <stdio.h>

struct mt_page {
    const char *schema; /* the name of the data, as "motley/report"; borrowed */
    int version;        /* see mt_document_print() */
    json_t *data;       /* owned; an object */
    json_t *section; /* borrowed; the object in it that gets what is put on the page */
    FILE *body;      /* owned; HTML, written into `text` */
    char *text;      /* owned */
    size_t length;
    bool open; /* a section is */
    bool failed;
};

MT_MUST_CHECK int mt_page_begin(struct mt_page *page, const char *schema, int version,
                                struct mt_error *err);
void mt_page_clear(struct mt_page *page);

/* A text that others print into its stream, before it is put on a page. */
struct mt_page_text {
    FILE *stream;
    char *text; /* after the end; the caller frees it */
    size_t length;
};
MT_MUST_CHECK int mt_page_text_begin(struct mt_page_text *text, struct mt_error *err);
MT_MUST_CHECK int mt_page_text_end(struct mt_page_text *text, struct mt_error *err);

/* Begin a section, which is the object `key` of the data; the last one ends. */
void mt_page_section(struct mt_page *page, const char *key, const char *title);
/* The same of one of several with the same key, of which the page shows one at a time:
   an object with the member `size` in the list `key`. */
void mt_page_size(struct mt_page *page, const char *key, double size,
                  const char *title);

/* A heading within the section; the data does not have it. */
void mt_page_heading(struct mt_page *page, const char *title);
/* A paragraph. Without a key the data does not have it. */
MT_PRINTF(3, 4)
void mt_page_say(struct mt_page *page, const char *key, const char *format, ...);
/* A list of texts, the lines of `lines`; of no lines there is no list. */
void mt_page_lines(struct mt_page *page, const char *key, const char *lines);
/* What is to be copied: a command, or the text of a file. */
void mt_page_copy(struct mt_page *page, const char *key, const char *what,
                  const char *text);
/* A table of the view, which is cleared. `folded`: the reader has to open it. */
void mt_page_table(struct mt_page *page, const char *key, const char *caption,
                   bool folded, struct mt_view *view);
/* A diagram, with panels below each other. */
void mt_page_plot(struct mt_page *page, const char *key, const struct mt_plot *plot);

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
