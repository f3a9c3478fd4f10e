/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * html.h - text in HTML.
 */
#ifndef MT_CLI_HTML_H
#define MT_CLI_HTML_H

#include <stdio.h>

/* Write a text of unknown origin so that it is shown, in an element or in the value of
   a quoted attribute: never markup, and clean (text.h). Line ends stay. */
void mt_html_text(FILE *stream, const char *text);
/* The same in an element, whose lines may end behind each '+', as between the groups of
   a configuration. */
void mt_html_breakable(FILE *stream, const char *text);

#endif
