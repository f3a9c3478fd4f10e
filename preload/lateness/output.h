/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_output.h - the report as a page for people and as JSON for programs.
 */
#ifndef MT_BALANCE_REPORT_OUTPUT_H
#define MT_BALANCE_REPORT_OUTPUT_H

#include "findings.h"

#include <stdio.h>

/* At most 40 lines of 80 columns, whatever the number of ranks and sites. */
void report_page(FILE *page, const struct findings *findings);
/* An object a line: one for each site, then one for the communicator. */
void report_json(FILE *lines, const struct findings *findings);

#endif
