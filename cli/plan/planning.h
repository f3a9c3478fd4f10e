/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * planning.h - what plan, run and predict share: the options of a plan, warnings on the
 * way to one, and the columns of predictions.
 */
#ifndef MT_CLI_PLANNING_H
#define MT_CLI_PLANNING_H

#include "cli/common/command.h"
#include "cli/common/inputs.h"
#include "cli/common/view.h"
#include "motley/error.h"
#include "motley/model.h"
#include "motley/plan.h"

/* --model, which mt_planning_options has, too; not given: MT_MODEL_AUTO. */
extern struct poptOption mt_model_option[];
MT_MUST_CHECK int mt_model_option_read(enum mt_model_kind *kind, struct mt_error *err);

/* --model, --objective, --deadline, --budget, --min-efficiency, --max-nodes, and --size
   with one size, or with one or several: to be put into a command's own table with
   POPT_ARG_INCLUDE_TABLE. */
extern struct poptOption mt_planning_options[];
extern struct poptOption mt_planning_size_option[], mt_planning_sizes_option[];

/* An interval is wide when the ratio of its ends is at least this. */
enum { MT_WIDE_INTERVAL = 2 };

/* The wording of an objective. */
struct mt_objective_words {
    const char *best;   /* "cheapest" */
    const char *better; /* what is predicted "cheaper" */
    const char *what;   /* the minimised value: "cost" */
};
const struct mt_objective_words *mt_objective_words(enum mt_objective objective);

/* The question of these options; `question->top` is left to the command. */
MT_MUST_CHECK int mt_planning_read(struct mt_question *question,
                                   enum mt_model_kind *kind, struct mt_error *err);
/* The same without the size, which stays 0, as there may be several. */
MT_MUST_CHECK int mt_planning_read_limits(struct mt_question *question,
                                          enum mt_model_kind *kind,
                                          struct mt_error *err);
/* The given sizes, which the caller frees; NULL: none. */
MT_MUST_CHECK int mt_planning_read_sizes(double **sizes, int *count,
                                         struct mt_error *err);

/* mt_inputs_load() for a plan: stores the runs of ended jobs first, and leaves out
   nodes that are down. The caller clears `inputs`, also after a failure. */
MT_MUST_CHECK int mt_planning_inputs(struct mt_inputs *inputs, const char **arguments,
                                     struct mt_error *err);

/* Print on stderr how many runs are ignored because the cluster no longer has their
   configurations. */
void mt_planning_say_left_out(const struct mt_samples *samples,
                              const struct mt_cluster *cluster);

/*
 * Load the predictor from the store of --db by mt_predictor_load(), and store new
 * models there; omissions are reported on stderr. `predictor` must be empty; the caller
 * clears it, also after a failure.
 */
MT_MUST_CHECK int mt_planning_load(struct mt_predictor *predictor,
                                   const struct mt_inputs *inputs,
                                   enum mt_model_kind kind, struct mt_error *err);

/* The same for a plan: without models, the reason tells what to measure; groups without
   a model are reported, too. */
MT_MUST_CHECK int mt_planning_ready(struct mt_predictor *predictor,
                                    const struct mt_inputs *inputs,
                                    enum mt_model_kind kind,
                                    const struct mt_question *question,
                                    struct mt_error *err);

/* Say on stderr how many configurations are left out because they failed, if any. */
void mt_planning_say_failed(int failed);

/* mt_plan_make(), which also reports on stderr how many failed configurations are left
   out. */
MT_MUST_CHECK int mt_planning_make(struct mt_plan *plan,
                                   const struct mt_predictor *predictor,
                                   const struct mt_question *question, bool all,
                                   struct mt_error *err);

/* A predicted time, and what a choice costs, in a view: columns that plan, its map, its
   front and predict have in common. */

enum {
    MT_PREDICTION_SECONDS,
    MT_PREDICTION_INTERVAL, /* in the table, with a mark when extrapolated or unseen */
    MT_PREDICTION_LOW,
    MT_PREDICTION_HIGH,
    MT_PREDICTION_EXTRAPOLATED,
    MT_PREDICTION_UNSEEN,
    MT_PREDICTION_COLUMNS
};

/* [index], which clang-format takes for Objective-C if it holds more than a name. */
#define MT_DESIGNATED(index) [index]
#define MT_PREDICTION_AT(first, column) MT_DESIGNATED((first) + MT_PREDICTION_##column)
/* These columns, from `first` on. The interval's title leaves room for the mark. */
/* clang-format off */
#define MT_PREDICTION_COLUMNS_AT(first) \
    MT_PREDICTION_AT(first, SECONDS) = {"seconds", "predicted", MT_COLUMN_SECONDS}, \
    MT_PREDICTION_AT(first, INTERVAL) = {NULL, "90 % interval  ", MT_COLUMN_SECONDS}, \
    MT_PREDICTION_AT(first, LOW) = {"low", NULL, MT_COLUMN_SECONDS}, \
    MT_PREDICTION_AT(first, HIGH) = {"high", NULL, MT_COLUMN_SECONDS}, \
    MT_PREDICTION_AT(first, EXTRAPOLATED) = {"extrapolated", NULL, MT_COLUMN_FLAG}, \
    MT_PREDICTION_AT(first, UNSEEN) = {"unseen", NULL, MT_COLUMN_FLAG}
/* clang-format on */

/* Set them in the view's last row; NULL: no prediction, left out of JSON. */
void mt_prediction_view(struct mt_view *view, int first,
                        const struct mt_prediction *prediction);

/* The same as a new object. */
json_t *mt_prediction_json(const struct mt_prediction *prediction);

/* Show another prediction in the table than in JSON. */
void mt_prediction_show(struct mt_view *view, int first,
                        const struct mt_prediction *prediction);

/* The marks in a table, and the lines below it that explain them. */
struct mt_prediction_marks {
    bool extrapolated, unseen;
};
void mt_prediction_marks_take(struct mt_prediction_marks *marks,
                              const struct mt_prediction *prediction);
void mt_prediction_marks_print(const struct mt_prediction_marks *marks, FILE *stream);

/* What a choice costs, in money and energy: columns as well. */
enum { MT_COSTS_PRICE, MT_COSTS_ENERGY, MT_COSTS_COLUMNS };

#define MT_COSTS_AT(first, column) MT_DESIGNATED((first) + MT_COSTS_##column)
/* These columns, from `first` on. */
/* clang-format off */
#define MT_COSTS_COLUMNS_AT(first) \
    MT_COSTS_AT(first, PRICE) = {"cost", "cost", MT_COLUMN_NUMBER}, \
    MT_COSTS_AT(first, ENERGY) = {"joules", "energy", MT_COLUMN_NUMBER}
/* clang-format on */

/* Set them in the view's last row; unknown if the cluster's file does not give it. */
void mt_costs_view(struct mt_view *view, int first, const struct mt_choice *choice,
                   const struct mt_cluster *cluster);
/* Hide the columns that the cluster's file does not give. */
void mt_costs_hide(struct mt_view *view, int first, const struct mt_cluster *cluster);

#endif
