/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sections.h - what is on the page about a program on a cluster.
 */
#ifndef MT_CLI_REPORT_SECTIONS_H
#define MT_CLI_REPORT_SECTIONS_H

#include "cli/common/inputs.h"
#include "cli/page/page.h"
#include "motley/plan.h"
#include "motley/predictor.h"

/* What the page is about. */
struct mt_report_input {
    struct mt_inputs inputs;     /* owned */
    struct mt_question question; /* but for its size */
    enum mt_model_kind kind;
    const double *sizes; /* borrowed */
    int nsizes;
};

/* Put all on the page. What is missing, as runs or models, the page says, with what to
   do. Fails where the store cannot be read, or the cluster cannot answer the question.
 */
MT_MUST_CHECK int mt_report_sections(struct mt_page *page,
                                     const struct mt_report_input *input,
                                     struct mt_error *err);

/* One size: the plan, how it is started, and times over the nodes. In size.c. */
MT_MUST_CHECK int mt_report_size(struct mt_page *page,
                                 const struct mt_predictor *predictor,
                                 const struct mt_question *question,
                                 struct mt_error *err);

/* Times over nodes of each group alone, and of several: a diagram and a table. In
   curves.c. */
MT_MUST_CHECK int mt_report_curves(struct mt_page *page,
                                   const struct mt_predictor *predictor,
                                   const struct mt_plan *plan, double size,
                                   struct mt_error *err);

/* The front of time against cost or energy of one size, where the groups have prices or
   watts. In front.c. */
MT_MUST_CHECK int mt_report_front(struct mt_page *page,
                                  const struct mt_predictor *predictor,
                                  const struct mt_question *question,
                                  struct mt_error *err);

#endif
