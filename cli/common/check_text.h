/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_text.h - quantities as people read them.
 */
#ifndef MT_CLI_CHECK_TEXT_H
#define MT_CLI_CHECK_TEXT_H

enum { MT_QUANTITY_TEXT = 32 };

/* "64 KiB", "1.5 KiB". The text is `buffer`. */
const char *mt_format_bytes(char buffer[MT_QUANTITY_TEXT], double bytes);
/* Three significant digits: "1.90 Gf", "117 MB/s" for the units "f", "B/s". The text is
   `buffer`; "-" for what is unknown. */
const char *mt_format_rate(char buffer[MT_QUANTITY_TEXT], double rate,
                           const char *unit);

#endif
