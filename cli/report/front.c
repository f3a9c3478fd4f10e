/* SPDX-License-Identifier: BSD-3-Clause */
#include "sections.h"

#include "cli/plan/front.h"
#include "cli/plan/planning.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_POINTS = 50 };

static int put_plot(const struct mt_plot *plot, void *page, struct mt_error *err)
{
    (void)err;
    mt_page_plot(page, "front", plot);
    return MT_OK;
}

static int show(struct mt_page *page, const struct mt_front_report *report,
                struct mt_error *err)
{
    struct mt_view view;
    struct mt_page_text notes;
    char caption[64];
    snprintf(caption, sizeof caption, "From the fastest to that of least %s",
             mt_objective_words(report->front->against)->what);
    mt_page_heading(page, "What less time costs");
    int status = mt_front_plot(report, put_plot, page, err);
    if (status == MT_OK)
        status = mt_page_text_begin(&notes, err);
    if (status != MT_OK)
        return status;
    mt_front_print_notes(report, notes.stream);
    status = mt_page_text_end(&notes, err);
    mt_front_view(&view, report);
    mt_page_table(page, "front_points", caption, true, &view);
    if (status == MT_OK)
        mt_page_lines(page, "front_notes", notes.text);
    free(notes.text);
    return status;
}

int mt_report_front(struct mt_page *page, const struct mt_predictor *predictor,
                    const struct mt_question *question, struct mt_error *err)
{
    struct mt_front front = {0};
    struct mt_question asked = *question;
    struct mt_error why;
    asked.top = MOST_POINTS;
    int status = mt_plan_front(&front, predictor, &asked, &why);
    if (status == MT_ENOMEM)
        return mt_fail(err, status, "%s", why.text);
    if (status != MT_OK)
        return MT_OK; /* there is nothing to weigh time against */
    const struct mt_front_report report = {
        .predictor = predictor, .question = &asked, .front = &front};
    status = show(page, &report, err);
    mt_front_clear(&front);
    return status;
}
