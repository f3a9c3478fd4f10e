/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.h - the report as JSON for programs.
 */
#ifndef MT_BALANCE_JSON_H
#define MT_BALANCE_JSON_H

#include "findings.h"

#include <stdio.h>

/* An object a line: one for each site, then one for the communicator. */
void report_json(FILE *lines, const struct findings *findings);

#endif
