/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page.h - the report as a page for people.
 */
#ifndef MT_BALANCE_PAGE_H
#define MT_BALANCE_PAGE_H

#include "findings.h"

#include <stdio.h>

/* At most 40 lines of 80 columns, whatever the number of ranks and sites. */
void report_page(FILE *page, const struct findings *findings);

#endif
