/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_write.h - hand out the finished report: the page to stderr, the JSON to a
 * file.
 */
#ifndef MT_BALANCE_REPORT_WRITE_H
#define MT_BALANCE_REPORT_WRITE_H

#include "findings.h"
#include "preload/interpose/options.h"

/* The page in one piece, so that those of several communicators do not mix. */
void report_put_page(const struct findings *findings);
/* Appended to `file`; when that fails, a line on stderr says so. */
void report_put_json(const struct findings *findings, const char *file);

#endif
