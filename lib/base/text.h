/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.h - text of unknown origin, made fit to be printed and stored.
 */
#ifndef MT_CLI_TEXT_H
#define MT_CLI_TEXT_H

/* Make `text` valid UTF-8 without control characters other than line ends and tabs:
   every other byte becomes '?'. */
void mt_text_clean(char *text);

#endif
