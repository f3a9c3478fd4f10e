/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * view.h - reports on late ranks, as people and programs read them.
 */
#ifndef MT_CLI_LATENESS_VIEW_H
#define MT_CLI_LATENESS_VIEW_H

#include "lib/store/internal.h"
#include "report.h"

/* Print a report: what was found, then who and where; or one JSON object. `lateness`:
   the run that it is of, or NULL where that is not known. */
void mt_report_print(const struct mt_lateness *lateness,
                     const struct mt_report *report);
MT_MUST_CHECK int mt_report_print_json(const struct mt_lateness *lateness,
                                       const struct mt_report *report,
                                       struct mt_error *err);
/* Print what reports there are, a line each; or one JSON object. */
MT_MUST_CHECK int mt_reports_print(const struct mt_lateness_list *list, bool json,
                                   struct mt_error *err);

/* Draw the ranks over the time of the run, in the colours of what part of it they
   waited, into `target`, as mt_plot_draw(); `lateness` as above.
   MT_ENOTFOUND: the report does not say. */
MT_MUST_CHECK int mt_report_draw(const struct mt_lateness *lateness,
                                 const struct mt_report *report, const char *target,
                                 struct mt_error *err);

#endif
