/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * picture.h - which ranks of a run waited when.
 */
#ifndef MT_CLI_LATENESS_PICTURE_H
#define MT_CLI_LATENESS_PICTURE_H

#include "lib/store/internal.h"
#include "report.h"

/* Draw the ranks over the time of the run, in the colours of what part of it they
   waited, into `target`, as mt_plot_draw(); `lateness` as in view.h.
   MT_ENOTFOUND: the report does not say. */
MT_MUST_CHECK int mt_report_draw(const struct mt_lateness *lateness,
                                 const struct mt_report *report, const char *target,
                                 struct mt_error *err);

#endif
