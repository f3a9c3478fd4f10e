/* SPDX-License-Identifier: BSD-3-Clause */
/* The default models: terms chosen by cross-validation, and the forms of work that the
   runs show where nobody states one. */
#include "fit_models.h"
#include "internal.h"

#include "fit_runs.h"
#include "joint.h"
#include "selection.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MT_WORK_FORMS = 3 };

/* Exponents of N, as quotients, the simpler ones first, and of log2(N). */
static const struct {
    int over, under;
} exponents[] = {{1, 1}, {2, 1}, {3, 1}, {3, 2}, {5, 2}, {1, 2}, {4, 3},  {5, 3},
                 {7, 3}, {8, 3}, {2, 3}, {5, 4}, {7, 4}, {9, 4}, {11, 4}, {3, 4}};
enum { NEXPONENTS = sizeof exponents / sizeof *exponents, NLOGARITHMS = 3 };
/* Beside the work of each group: its surface, work done in turn, a constant, and three
   of the network. */
enum { OTHERS = 6, LARGEST_SIZES = 2 };
static const double gentle_ridge = 0.003;
/* A form has to be better than a simpler one by this share. */
static const double worthwhile = 0.1;

struct search {
    const struct mt_fit_run *runs;
    int count;
    int ncolumns;
    struct mt_sparse_row *rows; /* owned, as all that follows */
    int *columns;
    double *values;
    int *set;
    bool *fixed, *held;
    struct mt_selected selected;
};

static void search_clear(struct search *s)
{
    free(s->rows);
    free(s->columns);
    free(s->values);
    free(s->set);
    free(s->fixed);
    free(s->held);
    free(s->selected.taken);
    free(s->selected.x);
    free(s->selected.held);
}

static int compare_sizes(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Hold out the two largest sizes, where two are left. */
static void hold_largest(struct search *s, double *sizes)
{
    int different = 0;
    for (int i = 0; i < s->count; i++)
        sizes[i] = s->runs[i].sample->size;
    qsort(sizes, (size_t)s->count, sizeof *sizes, compare_sizes);
    for (int i = 0; i < s->count; i++)
        if (i == 0 || sizes[i] > sizes[different - 1])
            sizes[different++] = sizes[i];
    const int largest = different - LARGEST_SIZES > 1 ? LARGEST_SIZES : 1;
    for (int i = 0; i < s->count; i++)
        s->held[i] =
            different > 2 && s->runs[i].sample->size >= sizes[different - largest];
}

static int search_init(struct search *s, const struct mt_fit_run *runs, int count,
                       struct mt_error *err)
{
    const size_t nruns = (size_t)count + 1;
    const size_t width = OTHERS + 1, ncolumns = MT_MAX_GROUPS + OTHERS;
    *s = (struct search){.runs = runs,
                         .count = count,
                         .ncolumns = (int)ncolumns,
                         .rows = calloc(nruns, sizeof *s->rows),
                         .columns = calloc(nruns * width, sizeof *s->columns),
                         .values = calloc(nruns * width, sizeof *s->values),
                         .set = calloc(ncolumns, sizeof *s->set),
                         .fixed = calloc(1, sizeof *s->fixed),
                         .held = calloc(nruns, sizeof *s->held),
                         .selected = {.taken = calloc(1, sizeof(bool)),
                                      .x = calloc(ncolumns, sizeof(double)),
                                      .held = calloc(nruns, sizeof(double))}};
    double *sizes = calloc(nruns, sizeof *sizes);
    const bool all = s->rows && s->columns && s->values && s->set && s->fixed &&
                     s->held && s->selected.taken && s->selected.x &&
                     s->selected.held && sizes;
    if (all) {
        s->fixed[0] = true;
        hold_largest(s, sizes);
    } else {
        search_clear(s);
    }
    free(sizes);
    return all ? MT_OK : mt_fail(err, MT_ENOMEM, "no memory to fit %d runs", count);
}

/* A form, and how badly it predicts. */
struct form {
    double exponent, score;
    int logarithm;
};

/* How badly a form predicts what is held out. */
static int judge(struct search *s, struct form *form, struct mt_error *err)
{
    for (int i = 0; i < s->count; i++) {
        const struct mt_fit_run *run = &s->runs[i];
        const double size = run->sample->size, ranks = run->ranks;
        const double work =
            pow(size, form->exponent) * pow(log2(fmax(2, size)), form->logarithm);
        const double surface = pow(work, 2.0 / 3);
        const double terms[OTHERS + 1] = {
            work / ranks,          surface / ranks,      work, 1, log2(ranks),
            ranks > 1 ? ranks : 0, log2(ranks) * surface};
        int *columns = s->columns + (size_t)i * (OTHERS + 1);
        double *values = s->values + (size_t)i * (OTHERS + 1);
        for (int k = 0; k <= OTHERS; k++) {
            columns[k] = k == 0 ? run->group : MT_MAX_GROUPS + k - 1;
            values[k] = terms[k] / run->sample->seconds;
        }
        s->rows[i] = (struct mt_sparse_row){
            .columns = columns, .values = values, .count = OTHERS + 1};
    }
    const struct mt_selection selection = {.rows = s->rows,
                                           .nrows = s->count,
                                           .ncolumns = s->ncolumns,
                                           .nsets = 1,
                                           .nfolds = 1,
                                           .set = s->set,
                                           .fixed = s->fixed,
                                           .first = s->fixed,
                                           .held = s->held,
                                           .ridge = gentle_ridge};
    const int status = mt_select(&s->selected, &selection, err);
    form->score = s->selected.score;
    return status;
}

/* "N^1.5*log2(N)"; the caller frees it. */
static char *form_text(const struct form *form)
{
    char *text = NULL;
    const char *const logarithms[NLOGARITHMS] = {"", "*log2(N)", "*log2(N)^2"};
    const char *times = logarithms[form->logarithm];
    const int length = form->exponent == 1
                           ? asprintf(&text, "N%s", times)
                           : asprintf(&text, "N^%.6g%s", form->exponent, times);
    return length < 0 ? NULL : text;
}

/* Whether a run has the fewest processes of its group, and its configuration was run at
   three sizes or more: there the work shows best. */
static bool shows_work(const struct mt_fit_run *runs, int count, int i)
{
    enum { FEWEST_SIZES = 3 };
    int sizes = 0;
    for (int j = 0; j < count; j++) {
        if (runs[j].group != runs[i].group)
            continue;
        if (runs[j].ranks < runs[i].ranks)
            return false;
        bool counted = runs[j].ranks != runs[i].ranks;
        for (int k = 0; k < j && !counted; k++)
            counted = runs[k].group == runs[i].group &&
                      runs[k].ranks == runs[j].ranks &&
                      runs[k].sample->size == runs[j].sample->size;
        sizes += !counted;
    }
    return sizes >= FEWEST_SIZES;
}

/* Keep those runs alone, if there are any; the number of runs. */
static int choose_runs(struct mt_fit_run *chosen, const struct mt_fit_run *runs,
                       int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (shows_work(runs, count, i))
            chosen[kept++] = runs[i];
    if (kept == 0)
        memcpy(chosen, runs, (size_t)count * sizeof *runs);
    return kept > 0 ? kept : count;
}

/* Keep the best forms of different exponents, in order. A form takes a simpler one's
   place only if it is better by a good share. */
static void keep_form(struct form forms[MT_WORK_FORMS], int *count, struct form form)
{
    int at = 0, end = *count;
    while (at < *count && form.score >= forms[at].score * (1 - worthwhile))
        at++;
    for (int i = 0; i < *count; i++)
        if (forms[i].exponent == form.exponent) {
            if (i < at)
                return;
            end = i;
        }
    if (at >= MT_WORK_FORMS)
        return;
    if (end == *count)
        *count = end < MT_WORK_FORMS ? end + 1 : end;
    end = end < MT_WORK_FORMS ? end : MT_WORK_FORMS - 1;
    for (int i = end; i > at; i--)
        forms[i] = forms[i - 1];
    forms[at] = form;
}

static int find_forms(char *works[MT_WORK_FORMS], const struct mt_fit_run *runs,
                      int count, struct mt_error *err)
{
    struct search s;
    struct form forms[MT_WORK_FORMS];
    int found = 0, status = search_init(&s, runs, count, err);
    if (status != MT_OK)
        return status;
    for (int i = 0; i < NEXPONENTS; i++)
        for (int j = 0; j < NLOGARITHMS && status == MT_OK; j++) {
            struct form form = {(double)exponents[i].over / exponents[i].under, 0, j};
            status = judge(&s, &form, err);
            if (status == MT_OK)
                keep_form(forms, &found, form);
        }
    search_clear(&s);
    for (int i = 0; i < found && status == MT_OK; i++) {
        works[i] = form_text(&forms[i]);
        if (!works[i])
            status = mt_fail(err, MT_ENOMEM, "no memory to fit %d runs", count);
    }
    return status;
}

/*
 * Find forms N^i log2(N)^j in runs of one group each: of the exponents that Extra-P
 * tries (Calotoiu et al., SC 2013), those whose models predict the two largest sizes
 * best from the others, the best one first. The caller frees the texts; unused ones
 * stay as they are.
 */
static int find_work_forms(char *works[MT_WORK_FORMS], const struct mt_fit_run *runs,
                           int count, struct mt_error *err)
{
    struct mt_fit_run *chosen = calloc((size_t)count + 1, sizeof *chosen);
    if (!chosen)
        return mt_fail(err, MT_ENOMEM, "no memory to fit %d runs", count);
    const int status = find_forms(works, chosen, choose_runs(chosen, runs, count), err);
    free(chosen);
    return status;
}

/*
 * Relative errors, coefficients >= 0, all groups and processes per node fitted together
 * (joint.h). What the time is made of is chosen from a library of terms (library.h) by
 * cross-validation (selection.h).
 */

/* A form of the work that suited one node less takes the place of another only if its
   error is below this share of that one's. */
static const double better_form = 0.95;
/* Where nothing is chosen. */
static const double plain_ridge = 0.003;

/* The coefficient of a term for a class. */
static double coefficient(const struct mt_joint_fit *joint, int term,
                          const struct mt_class *class)
{
    double sum = 0;
    for (int j = 0; j < joint->nunknowns; j++)
        sum += joint->selected.x[j] *
               mt_joint_fit_share(joint, &joint->unknowns[j], class, term);
    return sum;
}

/* The terms that some model has, as text, and how many; the caller frees it. */
static char *chosen_terms(const struct mt_joint_fit *joint, bool *chosen)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    for (int t = 0; t < joint->library.count; t++) {
        chosen[t] = joint->library.given;
        for (int c = 0; c < joint->nclasses && !chosen[t]; c++)
            chosen[t] = coefficient(joint, t, &joint->classes[c]) > 0;
        if (chosen[t])
            fprintf(stream, "%s%s", ftell(stream) > 0 ? ", " : "",
                    mt_expr_text(joint->library.terms[t].expr));
    }
    if (fclose(stream) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* The range of N of the runs first .. end - 1. */
static void set_sizes(struct mt_model *model, const struct mt_joint_fit *joint,
                      int first, int end)
{
    model->size_low = model->size_high = joint->runs[first].sample->size;
    for (int i = first + 1; i < end; i++) {
        model->size_low = fmin(model->size_low, joint->runs[i].sample->size);
        model->size_high = fmax(model->size_high, joint->runs[i].sample->size);
    }
}

/* What is known of the network is known of all P that were run. Where a class has no
   runs, or those of a single size, what is known of the main work is from its group. */
static void set_ranges(struct mt_model *model, const struct mt_joint_fit *joint,
                       const struct mt_class *class)
{
    model->ranks_low = model->ranks_high = joint->runs[0].ranks;
    for (int i = 1; i < joint->nruns; i++) {
        const int ranks = joint->runs[i].ranks;
        model->ranks_low = ranks < model->ranks_low ? ranks : model->ranks_low;
        model->ranks_high = ranks > model->ranks_high ? ranks : model->ranks_high;
    }
    if (class->first < class->end)
        set_sizes(model, joint, class->first, class->end);
    if (class->first < class->end && model->size_low < model->size_high)
        return;
    int first = 0, end;
    while (joint->runs[first].group != class->group)
        first++;
    for (end = first + 1; end < joint->nruns && joint->runs[end].group == class->group;)
        end++;
    set_sizes(model, joint, first, end);
}

static void set_errors(struct mt_model *model, const struct mt_joint_fit *joint,
                       const struct mt_class *class)
{
    double all = 0, own = 0, residuals = 0;
    int nall = 0, nown = 0;
    for (int i = 0; i < joint->nruns; i++) {
        if (isnan(joint->selected.held[i]))
            continue;
        const bool mine = i >= class->first && i < class->end;
        all += joint->selected.held[i];
        nall++;
        own += mine ? joint->selected.held[i] : 0;
        nown += mine;
    }
    for (int i = class->first; i < class->end; i++) {
        const double error =
            mt_model_seconds(model, joint->runs[i].sample->size, joint->runs[i].ranks) /
                joint->runs[i].sample->seconds -
            1;
        residuals += error * error;
    }
    /* what is known of all models counts as so many runs of this one */
    enum { RUNS_OF_ALL = 4 };
    model->cross_validated =
        nall > 0 ? sqrt((own + RUNS_OF_ALL * all / nall) / (nown + RUNS_OF_ALL)) : NAN;
    model->residual = class->end > class->first
                          ? sqrt(residuals / (class->end - class->first))
                          : model->cross_validated;
}

static int make_model(struct mt_model *model, const struct mt_joint_fit *joint,
                      const struct mt_class *class, const char *terms,
                      const bool *chosen, struct mt_error *err)
{
    const struct mt_group *group = &joint->task->cluster->groups[class->group];
    *model = (struct mt_model){.group = strdup(group->name),
                               .layout = class->layout,
                               .split = -1,
                               .terms_text = strdup(terms),
                               .runs = class->end - class->first};
    if (!model->group || !model->terms_text)
        return mt_joint_fit_no_memory(joint, err);
    int status = mt_terms_parse(&model->terms, terms, err);
    if (status != MT_OK)
        return status;
    const int count = mt_terms_count(model->terms);
    if (count > MT_MAX_TERMS)
        return mt_fail(err, MT_EINVAL, "%d terms are more than a model can have (%d)",
                       count, MT_MAX_TERMS);
    model->coefficients = calloc((size_t)count, sizeof *model->coefficients);
    model->serial = calloc((size_t)count, sizeof *model->serial);
    if (!model->coefficients || !model->serial)
        return mt_joint_fit_no_memory(joint, err);
    for (int t = 0, i = 0; t < joint->library.count; t++) {
        if (!chosen[t])
            continue;
        model->coefficients[i] = coefficient(joint, t, class);
        model->serial[i++] = joint->library.terms[t].role == MT_ROLE_SERIAL;
    }
    set_ranges(model, joint, class);
    set_errors(model, joint, class);
    return MT_OK;
}

/* Which kinds of messages no run had. */
static void find_regimes(const struct mt_joint_fit *joint)
{
    struct mt_models *models = joint->task->models;
    models->never_inside = models->never_across = true;
    for (int i = 0; i < joint->nruns; i++) {
        const struct mt_fit_run *run = &joint->runs[i];
        models->never_across = models->never_across && run->nodes == 1;
        models->never_inside =
            models->never_inside && (run->nodes > 1 || run->ranks == 1);
    }
}

static int make_models(struct mt_joint_fit *joint, struct mt_error *err)
{
    find_regimes(joint);
    bool *chosen = calloc((size_t)joint->library.count + 1, sizeof *chosen);
    char *terms = chosen ? chosen_terms(joint, chosen) : NULL;
    int status = terms ? MT_OK : mt_joint_fit_no_memory(joint, err);
    for (int c = 0; terms && c < joint->nclasses && status == MT_OK; c++) {
        struct mt_model model = {0};
        status = make_model(&model, joint, &joint->classes[c], terms, chosen, err);
        if (status == MT_OK)
            status = mt_models_add(joint->task->models, &model, err);
        mt_model_clear(&model);
    }
    free(terms);
    free(chosen);
    return status;
}

/* `ridge` above 0: what is fixed is taken, and nothing else. */
static int select_terms(struct mt_joint_fit *joint, double ridge, struct mt_error *err)
{
    free(joint->selected.taken);
    free(joint->selected.x);
    free(joint->selected.held);
    joint->selected.taken = calloc((size_t)joint->nsets + 1, sizeof(bool));
    joint->selected.x = calloc((size_t)joint->nunknowns + 1, sizeof(double));
    joint->selected.held = calloc((size_t)joint->nruns + 1, sizeof(double));
    if (!joint->selected.taken || !joint->selected.x || !joint->selected.held)
        return mt_joint_fit_no_memory(joint, err);
    const struct mt_selection selection = {.rows = joint->rows,
                                           .nrows = joint->nruns,
                                           .ncolumns = joint->nunknowns,
                                           .nsets = joint->nsets,
                                           .nfolds = joint->nfolds,
                                           .set = joint->set,
                                           .fixed = joint->fixed,
                                           .first =
                                               ridge > 0 ? joint->fixed : joint->begun,
                                           .ridge = ridge,
                                           .held = joint->held,
                                           .judged = joint->judged};
    return mt_select(&joint->selected, &selection, err);
}

/* The least that the models say of a run, relative to its seconds; NaN where sizes or
   times near the ends of what a number can hold overflow on the way. */
static double least_value(const struct mt_joint_fit *joint)
{
    double least = INFINITY;
    for (int i = 0; i < joint->nruns; i++) {
        const struct mt_sparse_row *row = &joint->rows[i];
        double sum = 0;
        for (int k = 0; k < row->count; k++)
            sum += joint->selected.x[row->columns[k]] * row->values[k];
        if (!isfinite(sum))
            return NAN;
        least = fmin(least, sum);
    }
    return least;
}

/* Runs that contradict each other can leave a group without its main work: then that is
   all that is taken, as nothing else can stand for it. */
static int check_values(struct mt_joint_fit *joint, struct mt_error *err)
{
    const double least = least_value(joint);
    if (isnan(least))
        return mt_fail(err, MT_EINVAL, "the values to fit are too large or too small");
    return least > 0 ? MT_OK : select_terms(joint, plain_ridge, err);
}

static int choose_terms(struct mt_joint_fit *joint, const char *work,
                        struct mt_error *err)
{
    const struct mt_fit_task *task = joint->task;
    int status = mt_library_make(&joint->library, task->program, task->options->terms,
                                 work, err);
    if (status == MT_OK)
        status = mt_joint_fit_refuse_without_value(joint, err);
    if (status != MT_OK || joint->nruns == 0)
        return status;
    status = mt_joint_fit_prepare(joint, err);
    if (status == MT_OK)
        status = mt_joint_fit_make_folds(joint, err);
    return status == MT_OK ? select_terms(joint, 0, err) : status;
}

/* Of the forms that the work may have, the one whose terms predict best. Models that a
   trial refuses are not those of the fit. */
static int find_work(char **work, const struct mt_joint_fit *joint,
                     struct mt_error *err)
{
    struct mt_models of_trials = {.kind = joint->task->options->kind};
    struct mt_fit_task task = *joint->task;
    task.models = &of_trials;
    char *works[MT_WORK_FORMS] = {NULL};
    double best = INFINITY;
    int status = find_work_forms(works, joint->runs, joint->nruns, err);
    for (int i = 0; i < MT_WORK_FORMS && works[i] && status == MT_OK; i++) {
        struct mt_joint_fit trial = {.task = &task, .nruns = joint->nruns};
        trial.runs = calloc((size_t)joint->nruns + 1, sizeof *trial.runs);
        if (!trial.runs) {
            status = mt_joint_fit_no_memory(joint, err);
            break;
        }
        memcpy(trial.runs, joint->runs, (size_t)joint->nruns * sizeof *trial.runs);
        status = choose_terms(&trial, works[i], err);
        if (status == MT_OK && trial.nruns > 0 &&
            trial.selected.score < best * better_form) {
            best = trial.selected.score;
            free(*work);
            *work = works[i];
            works[i] = NULL;
        }
        mt_joint_fit_clear(&trial);
    }
    for (int i = 0; i < MT_WORK_FORMS; i++)
        free(works[i]);
    mt_models_clear(&of_trials);
    return status == MT_OK && !*work
               ? mt_fail(err, MT_EINVAL, "the values to fit are too large or too small")
               : status;
}

/* Whether the runs that are fitted to say how the work grows. */
static bool show_growth(const struct mt_joint_fit *joint)
{
    for (int i = 1; i < joint->nruns; i++)
        if (joint->runs[i].sample->size != joint->runs[0].sample->size)
            return true;
    return false;
}

static int fit_joint(struct mt_joint_fit *joint, struct mt_error *err)
{
    const struct mt_fit_task *task = joint->task;
    char **work = &task->models->work;
    int status = MT_OK;
    if (!task->program->work && !task->options->terms && !task->program->terms_auto)
        status = find_work(work, joint, err);
    if (status == MT_OK)
        status = choose_terms(joint, *work, err);
    if (status == MT_OK && joint->nruns > 0)
        status = check_values(joint, err);
    if (status == MT_OK && joint->nruns > 0)
        status = make_models(joint, err);
    if (!show_growth(joint)) { /* any form does: none was found */
        free(*work);
        *work = NULL;
    }
    return status;
}

/* No (group, M) has a model, for the reason why they could not be fitted together. */
static int refuse_all(const struct mt_joint_fit *joint, int status,
                      const struct mt_error *reason, struct mt_error *err)
{
    int refused = MT_OK;
    for (int i = 0, end; i < joint->nruns && refused == MT_OK; i = end) {
        struct mt_model none = {0};
        end = mt_class_end(joint->runs, joint->nruns, i);
        refused = mt_models_add_or_refuse(joint->task, &none, &joint->runs[i], status,
                                          reason, err);
    }
    return refused;
}

int mt_fit_auto(const struct mt_fit_task *task, struct mt_error *err)
{
    struct mt_joint_fit joint = {.task = task};
    struct mt_error reason;
    int status = mt_joint_fit_take_runs(&joint, err);
    if (status == MT_OK && joint.nruns > 0) {
        status = fit_joint(&joint, &reason);
        if (status != MT_OK)
            status = refuse_all(&joint, status, &reason, err);
    }
    mt_joint_fit_clear(&joint);
    return status;
}
