/* SPDX-License-Identifier: BSD-3-Clause */
#include "work_form.h"

#include "selection.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Exponents of N, as quotients, the simpler ones first, and of log2(N). */
static const struct {
    int over, under;
} exponents[] = {{1, 1}, {2, 1}, {3, 1}, {3, 2}, {5, 2}, {1, 2}, {4, 3},  {5, 3},
                 {7, 3}, {8, 3}, {2, 3}, {5, 4}, {7, 4}, {9, 4}, {11, 4}, {3, 4}};
enum { NEXPONENTS = sizeof exponents / sizeof *exponents, NLOGARITHMS = 3 };
/* Beside the work of each group: its surface, work done in turn, a constant, and three
   of the network. */
enum { OTHERS = 6, LARGEST_SIZES = 2 };
static const double ridge = 0.003;
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
                                           .ridge = ridge};
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

int mt_work_forms_find(char *works[MT_WORK_FORMS], const struct mt_fit_run *runs,
                       int count, struct mt_error *err)
{
    struct mt_fit_run *chosen = calloc((size_t)count + 1, sizeof *chosen);
    if (!chosen)
        return mt_fail(err, MT_ENOMEM, "no memory to fit %d runs", count);
    const int status = find_forms(works, chosen, choose_runs(chosen, runs, count), err);
    free(chosen);
    return status;
}
