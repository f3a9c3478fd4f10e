/* SPDX-License-Identifier: BSD-3-Clause */
#include "fit_auto.h"

#include "fit_runs.h"
#include "library.h"
#include "motley/fit.h"
#include "selection.h"
#include "work_form.h"

#include "lib/base/array.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Relative errors, coefficients >= 0, all groups and processes per node fitted
 * together. What the time is made of is chosen from a library of terms (library.h) by
 * cross-validation (selection.h): held out are the largest sizes, the largest numbers
 * of processes, and a part of the configurations.
 *
 * Few runs give few unknowns. What describes the network is common to all. Work that is
 * no part of the program's main one takes longer on slower groups, and has one unknown
 * for all. The main work has one for each group, and one for each further number of
 * processes on a node: how much longer it takes from that number on. So what was not
 * measured lies between its neighbours.
 */

/* Where nothing is chosen. */
static const double plain_ridge = 0.003;

enum { FEWEST_RUNS = 2, PARTS = 4, MOST_FOLDS = 4 + 2 * PARTS };

/* An unknown: a term's coefficient for some of the models. */
struct unknown {
    int term;
    int group;       /* -1: all */
    int from, below; /* for so many processes on a node; 0: all */
};

/* One model that is made: a (group, M), and its runs. */
struct class
{
    int group, processes;
    int first, end;  /* runs; first == end: it has none */
    double slowness; /* relative to the fastest: seconds for an operation */
};

struct joint {
    const struct mt_fit_task *task;
    struct mt_library library; /* owned, as all that follows */
    struct mt_fit_run *runs;   /* those that are fitted to; the runs are borrowed */
    int nruns;
    double *values; /* nruns x terms */
    struct class *classes;
    int nclasses;
    struct unknown *unknowns;
    int *set; /* of each unknown */
    int nunknowns;
    bool *fixed, *begun; /* of each set: taken in any case, to begin with */
    int nsets;
    bool *held; /* MOST_FOLDS x nruns */
    int nfolds;
    struct mt_sparse_row *rows;
    int *row_columns;
    double *row_values;
    struct mt_selected selected;
};

static void joint_clear(struct joint *joint)
{
    mt_library_clear(&joint->library);
    free(joint->runs);
    free(joint->values);
    free(joint->classes);
    free(joint->unknowns);
    free(joint->set);
    free(joint->fixed);
    free(joint->begun);
    free(joint->held);
    free(joint->rows);
    free(joint->row_columns);
    free(joint->row_values);
    free(joint->selected.taken);
    free(joint->selected.x);
    free(joint->selected.held);
    *joint = (struct joint){0};
}

static int no_memory(const struct joint *joint, struct mt_error *err)
{
    return mt_fail(err, MT_ENOMEM, "no memory to fit %d runs", joint->nruns);
}

/* Runs of one group. */

/* Whether runs have different sizes, from `low` to `high`. */
static bool have_sizes(const struct mt_fit_run *runs, int count, double *low,
                       double *high)
{
    *low = *high = runs[0].sample->size;
    for (int i = 1; i < count; i++) {
        *low = fmin(*low, runs[i].sample->size);
        *high = fmax(*high, runs[i].sample->size);
    }
    return *low < *high;
}

/* Take the runs of a group, or refuse its models, for the reason that it has too few.
   Where all runs have one size, that is the only one there will be models for. */
static int take_group(struct joint *joint, int first, int end, bool one_size,
                      struct mt_error *err)
{
    const struct mt_fit_task *task = joint->task;
    const struct mt_fit_run *runs = &task->runs->all[first];
    const int count = end - first;
    double low, high;
    struct mt_error reason;
    int status = MT_OK;
    if (count < FEWEST_RUNS)
        status = mt_fail(&reason, MT_ERANK, "%d run is too few: %d are needed", count,
                         FEWEST_RUNS);
    else if (!have_sizes(runs, count, &low, &high) && !one_size)
        status = mt_fail(&reason, MT_ERANK, "all runs have the same size: N = %g", low);
    if (status == MT_OK) {
        memcpy(joint->runs + joint->nruns, runs, (size_t)count * sizeof *runs);
        joint->nruns += count;
        return MT_OK;
    }
    for (int i = first, next; i < end; i = next) {
        struct mt_model none = {0};
        next = mt_class_end(task->runs->all, end, i);
        status = mt_models_add_or_refuse(task, &none, &task->runs->all[i], MT_ERANK,
                                         &reason, err);
        if (status != MT_OK)
            return status;
    }
    return MT_OK;
}

static int take_runs(struct joint *joint, struct mt_error *err)
{
    const struct mt_fit_run *all = joint->task->runs->all;
    const int count = joint->task->runs->count;
    double low, high;
    joint->runs = calloc((size_t)count + 1, sizeof *joint->runs);
    if (!joint->runs)
        return no_memory(joint, err);
    const bool one_size = !have_sizes(all, count, &low, &high);
    int status = MT_OK;
    for (int i = 0, end; i < count && status == MT_OK; i = end) {
        for (end = i + 1; end < count && all[end].group == all[i].group;)
            end++;
        if (all[i].group >= 0)
            status = take_group(joint, i, end, one_size, err);
    }
    return status;
}

/* The terms' values at the runs. */

static double term_at(const struct joint *joint, int term, double size, int ranks,
                      int processes)
{
    const double values[MT_NVARIABLES] = {
        [MT_N] = size, [MT_P] = ranks, [MT_M] = processes};
    return mt_expr_value(joint->library.terms[term].expr, values);
}

/* Whether a term that is taken in any case has no value at one of the runs first .. end
   - 1: the reason. */
static bool lacks_value(const struct joint *joint, int first, int end,
                        struct mt_error *reason)
{
    for (int i = first; i < end; i++) {
        const struct mt_fit_run *run = &joint->runs[i];
        for (int t = 0; t < joint->library.count; t++)
            if ((joint->library.given || joint->library.terms[t].role == MT_ROLE_OWN) &&
                !isfinite(
                    term_at(joint, t, run->sample->size, run->ranks, run->processes))) {
                mt_fail(reason, MT_EINVAL, "term '%s' has no value at N = %g, P = %d",
                        mt_expr_text(joint->library.terms[t].expr), run->sample->size,
                        run->ranks);
                return true;
            }
    }
    return false;
}

/* Refuse the models that need what has no value. */
static int refuse_without_value(struct joint *joint, struct mt_error *err)
{
    int kept = 0, status = MT_OK;
    for (int i = 0, end; i < joint->nruns && status == MT_OK; i = end) {
        struct mt_model none = {0};
        struct mt_error reason;
        end = mt_class_end(joint->runs, joint->nruns, i);
        if (lacks_value(joint, i, end, &reason)) {
            status = mt_models_add_or_refuse(joint->task, &none, &joint->runs[i],
                                             MT_EINVAL, &reason, err);
            continue;
        }
        memmove(&joint->runs[kept], &joint->runs[i],
                (size_t)(end - i) * sizeof *joint->runs);
        kept += end - i;
    }
    joint->nruns = kept;
    return status;
}

static int find_values(struct joint *joint, struct mt_error *err)
{
    const int nterms = joint->library.count;
    joint->values = calloc((size_t)joint->nruns * (size_t)nterms + 1, sizeof(double));
    if (!joint->values)
        return no_memory(joint, err);
    for (int i = 0; i < joint->nruns; i++) {
        const struct mt_fit_run *run = &joint->runs[i];
        for (int t = 0; t < nterms; t++)
            joint->values[(size_t)i * (size_t)nterms + (size_t)t] =
                term_at(joint, t, run->sample->size, run->ranks, run->processes);
    }
    return MT_OK;
}

static double value_of(const struct joint *joint, int run, int term)
{
    return joint->values[(size_t)run * (size_t)joint->library.count + (size_t)term];
}

/* A term that cannot be had at each run, or is negative somewhere, is not offered. */
static bool is_usable(const struct joint *joint, int term)
{
    double most = 0;
    for (int i = 0; i < joint->nruns; i++) {
        const double value = value_of(joint, i, term);
        if (!isfinite(value) || (value < 0 && !joint->library.given))
            return false;
        most = fmax(most, fabs(value));
    }
    return most > 0;
}

/* Classes. */

static int add_class(struct joint *joint, const struct class *class,
                     struct mt_error *err)
{
    const int status =
        mt_array_grow(&joint->classes, joint->nclasses, sizeof *class, "models", err);
    if (status == MT_OK)
        joint->classes[joint->nclasses++] = *class;
    return status;
}

/* The classes of a group: those with runs, and those of the cluster's file that lie
   between. */
static int add_classes(struct joint *joint, int first, int end, struct mt_error *err)
{
    const int g = joint->runs[first].group;
    const struct mt_group *group = &joint->task->cluster->groups[g];
    int status = MT_OK;
    for (int i = first, next; i < end && status == MT_OK; i = next) {
        for (next = i + 1;
             next < end && joint->runs[next].processes == joint->runs[i].processes;)
            next++;
        const struct class with_runs = {
            .group = g, .processes = joint->runs[i].processes, .first = i, .end = next};
        status = add_class(joint, &with_runs, err);
        for (int k = 0; k < group->nprocesses && next < end && status == MT_OK; k++) {
            const struct class without = {.group = g,
                                          .processes = group->processes[k],
                                          .first = next,
                                          .end = next};
            if (without.processes > with_runs.processes &&
                without.processes < joint->runs[next].processes)
                status = add_class(joint, &without, err);
        }
    }
    return status;
}

/* How slow each group is at the main work, at its best, relative to the fastest one. */
static void find_slowness(struct joint *joint)
{
    double best[MT_MAX_GROUPS], least = INFINITY;
    for (int g = 0; g < MT_MAX_GROUPS; g++)
        best[g] = INFINITY;
    for (int i = 0; i < joint->nruns; i++) {
        double *of_group = &best[joint->runs[i].group];
        const double rate = joint->runs[i].sample->seconds / value_of(joint, i, 0);
        *of_group = fmin(*of_group, rate > 0 ? rate : INFINITY);
        least = fmin(least, *of_group);
    }
    for (int c = 0; c < joint->nclasses; c++) {
        const double rate = best[joint->classes[c].group] / least;
        joint->classes[c].slowness = isfinite(rate) && rate > 0 ? rate : 1;
    }
}

static int find_classes(struct joint *joint, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0, end; i < joint->nruns && status == MT_OK; i = end) {
        for (end = i + 1;
             end < joint->nruns && joint->runs[end].group == joint->runs[i].group;)
            end++;
        status = add_classes(joint, i, end, err);
    }
    if (status == MT_OK)
        find_slowness(joint);
    return status;
}

/* Unknowns, and which of them are taken or left together. */

static int add_unknown(struct joint *joint, struct unknown unknown, int set,
                       struct mt_error *err)
{
    int status = mt_array_grow(&joint->unknowns, joint->nunknowns, sizeof unknown,
                               "terms of models", err);
    if (status == MT_OK)
        status = mt_array_grow(&joint->set, joint->nunknowns, sizeof *joint->set,
                               "terms of models", err);
    if (status == MT_OK) {
        joint->unknowns[joint->nunknowns] = unknown;
        joint->set[joint->nunknowns++] = set;
    }
    return status;
}

static int add_set(struct joint *joint, bool fixed, bool begun, int *set,
                   struct mt_error *err)
{
    int status = mt_array_grow(&joint->fixed, joint->nsets, sizeof *joint->fixed,
                               "terms of models", err);
    if (status == MT_OK)
        status = mt_array_grow(&joint->begun, joint->nsets, sizeof *joint->begun,
                               "terms of models", err);
    if (status == MT_OK) {
        *set = joint->nsets;
        joint->begun[joint->nsets] = fixed || begun;
        joint->fixed[joint->nsets++] = fixed;
    }
    return status;
}

/* The family's terms for some classes of a group. */
static int add_of_classes(struct joint *joint, const struct mt_family *family,
                          struct unknown unknown, int set, struct mt_error *err)
{
    int status = MT_OK;
    for (int t = family->first; t < family->end && status == MT_OK; t++) {
        unknown.term = t;
        if (is_usable(joint, t))
            status = add_unknown(joint, unknown, set, err);
    }
    return status;
}

/* The family's terms for one group: also from each further number of processes on its
   nodes on, and below it, where they are the main work (own). */
static int add_of_group(struct joint *joint, const struct mt_family *family, int g,
                        bool fixed, struct mt_error *err)
{
    const bool own = joint->library.terms[family->first].role == MT_ROLE_OWN;
    int set = 0, classes = 0, status = add_set(joint, fixed, false, &set, err);
    for (int c = 0; c < joint->nclasses && status == MT_OK; c++) {
        const int processes = joint->classes[c].processes;
        if (joint->classes[c].group != g || classes++ == 0 || !own)
            continue;
        status = add_of_classes(
            joint, family, (struct unknown){.group = g, .from = processes}, set, err);
        if (status == MT_OK)
            status = add_of_classes(joint, family,
                                    (struct unknown){.group = g, .below = processes},
                                    set, err);
    }
    return classes > 0 && status == MT_OK
               ? add_of_classes(joint, family, (struct unknown){.group = g}, set, err)
               : status;
}

static int add_of_all(struct joint *joint, const struct mt_family *family, bool fixed,
                      struct mt_error *err)
{
    const bool expected = joint->library.terms[family->first].expected;
    int set = 0, status = add_set(joint, fixed, expected, &set, err);
    return status == MT_OK
               ? add_of_classes(joint, family, (struct unknown){.group = -1}, set, err)
               : status;
}

/* A family's unknowns, of one group, or (-1) of all together. */
static int add_family(struct joint *joint, const struct mt_family *family, int g,
                      struct mt_error *err)
{
    const bool given = joint->library.given;
    const enum mt_role role = joint->library.terms[family->first].role;
    const bool fixed = given || role == MT_ROLE_OWN;
    const bool of_groups = role == MT_ROLE_OWN || role == MT_ROLE_CACHE;
    if (g < 0)
        return of_groups ? MT_OK : add_of_all(joint, family, fixed, err);
    if (of_groups)
        return add_of_group(joint, family, g, fixed, err);
    /* a group may have a network of its own */
    return role == MT_ROLE_NETWORK && !given
               ? add_of_group(joint, family, g, false, err)
               : MT_OK;
}

/* What belongs to one group comes first, group by group, so that the products of its
   columns with those of other groups, which are zero, stand apart (gram.h). */
static int list_unknowns(struct joint *joint, struct mt_error *err)
{
    const struct mt_library *library = &joint->library;
    const int ngroups = joint->task->cluster->ngroups;
    int status = MT_OK;
    for (int k = 0; k <= ngroups && status == MT_OK; k++)
        for (int f = 0; f < library->nfamilies && status == MT_OK; f++)
            status =
                add_family(joint, &library->families[f], k < ngroups ? k : -1, err);
    return status;
}

/* The factor of a term's coefficient in the model of a class. */
static double share_of(const struct joint *joint, const struct unknown *unknown,
                       const struct class *class)
{
    const enum mt_role role = joint->library.terms[unknown->term].role;
    if ((unknown->group >= 0 && unknown->group != class->group) ||
        class->processes < unknown->from ||
        (unknown->below > 0 && class->processes >= unknown->below))
        return 0;
    return role == MT_ROLE_COMPUTE || role == MT_ROLE_SERIAL ? class->slowness : 1;
}

static const struct class *class_of(const struct joint *joint, int run)
{
    const struct class *class = joint->classes;
    while (run < class->first || run >= class->end)
        class ++;
    return class;
}

static int make_rows(struct joint *joint, struct mt_error *err)
{
    const size_t nruns = (size_t)joint->nruns, nunknowns = (size_t)joint->nunknowns;
    joint->rows = calloc(nruns + 1, sizeof *joint->rows);
    joint->row_columns = calloc(nruns * nunknowns + 1, sizeof *joint->row_columns);
    joint->row_values = calloc(nruns * nunknowns + 1, sizeof *joint->row_values);
    if (!joint->rows || !joint->row_columns || !joint->row_values)
        return no_memory(joint, err);
    size_t used = 0;
    for (int i = 0; i < joint->nruns; i++) {
        const struct class *class = class_of(joint, i);
        const size_t begin = used;
        for (int j = 0; j < joint->nunknowns; j++) {
            const struct unknown *unknown = &joint->unknowns[j];
            const double value = share_of(joint, unknown, class) *
                                 value_of(joint, i, unknown->term) /
                                 joint->runs[i].sample->seconds;
            if (value == 0)
                continue;
            if (!isfinite(value))
                return mt_fail(err, MT_EINVAL,
                               "the values to fit are too large or too small");
            joint->row_columns[used] = j;
            joint->row_values[used++] = value;
        }
        joint->rows[i] = (struct mt_sparse_row){.columns = joint->row_columns + begin,
                                                .values = joint->row_values + begin,
                                                .count = (int)(used - begin)};
    }
    return MT_OK;
}

/* Folds of the cross-validation. */

/* Count the different sizes of a class that are larger than `size`. */
static int larger_sizes(const struct joint *joint, const struct class *class,
                        double size)
{
    int larger = 0;
    for (int i = class->first; i < class->end; i++) {
        bool counted = joint->runs[i].sample->size <= size;
        for (int j = class->first; j < i && !counted; j++)
            counted = joint->runs[j].sample->size == joint->runs[i].sample->size;
        larger += !counted;
    }
    return larger;
}

/* Hold out the `most` largest sizes of each class that keeps two. */
static void hold_sizes(struct joint *joint, bool *held, int most)
{
    for (int i = 0; i < joint->nruns; i++) {
        const struct class *class = class_of(joint, i);
        held[i] = larger_sizes(joint, class, 0) >= most + 2 &&
                  larger_sizes(joint, class, joint->runs[i].sample->size) < most;
    }
}

/* Hold out the runs with most processes: that share of those on several nodes. */
static int hold_ranks(struct joint *joint, bool *held, double share,
                      struct mt_error *err)
{
    int *ranks = calloc((size_t)joint->nruns + 1, sizeof *ranks), count = 0;
    if (!ranks)
        return no_memory(joint, err);
    for (int i = 0; i < joint->nruns; i++)
        if (joint->runs[i].nodes > 1)
            ranks[count++] = joint->runs[i].ranks;
    qsort(ranks, (size_t)count, sizeof *ranks, mt_compare_ints);
    const int least = count > 0 ? ranks[(int)((1 - share) * (count - 1))] : 0;
    /* two different numbers have to be left to learn from */
    if (count > 0 && least > ranks[0])
        for (int i = 0; i < joint->nruns; i++)
            held[i] = joint->runs[i].nodes > 1 && joint->runs[i].ranks > least;
    free(ranks);
    return MT_OK;
}

/* Hold out a quarter of the configurations (part < PARTS), or of the runs. */
static void hold_parts(struct joint *joint, bool *held, int part)
{
    int configuration = 0;
    for (int i = 0, end; i < joint->nruns; i = end, configuration++) {
        end = mt_configuration_end(joint->runs, joint->nruns, i);
        for (int j = i; j < end; j++)
            held[j] =
                (part < PARTS ? configuration : j + PARTS) % PARTS == part % PARTS;
    }
}

static int make_folds(struct joint *joint, struct mt_error *err)
{
    const size_t nruns = (size_t)joint->nruns;
    joint->held = calloc(MOST_FOLDS * nruns + 1, sizeof *joint->held);
    if (!joint->held)
        return no_memory(joint, err);
    int status = MT_OK;
    for (int f = 0; f < MOST_FOLDS && status == MT_OK; f++) {
        bool *held = joint->held + (size_t)joint->nfolds * nruns;
        memset(held, 0, nruns * sizeof *held);
        if (f < 2)
            hold_sizes(joint, held, f + 1);
        else if (f < 4)
            status = hold_ranks(joint, held, f == 2 ? 0.25 : 0.5, err);
        else
            hold_parts(joint, held, f - 4);
        int count = 0;
        for (size_t i = 0; i < nruns; i++)
            count += held[i];
        joint->nfolds += count > 0 && (size_t)count < nruns;
    }
    return status;
}

/* The models. */

/* The coefficient of a term for a class. */
static double coefficient(const struct joint *joint, int term,
                          const struct class *class)
{
    double sum = 0;
    for (int j = 0; j < joint->nunknowns; j++)
        if (joint->unknowns[j].term == term)
            sum += joint->selected.x[j] * share_of(joint, &joint->unknowns[j], class);
    return sum;
}

/* The terms that some model has, as text, and how many; the caller frees it. */
static char *chosen_terms(const struct joint *joint, bool *chosen)
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
static void set_sizes(struct mt_model *model, const struct joint *joint, int first,
                      int end)
{
    model->size_low = model->size_high = joint->runs[first].sample->size;
    for (int i = first + 1; i < end; i++) {
        model->size_low = fmin(model->size_low, joint->runs[i].sample->size);
        model->size_high = fmax(model->size_high, joint->runs[i].sample->size);
    }
}

/* What is known of the network is known of all P that were run. Where a class has no
   runs, or those of a single size, what is known of the main work is from its group. */
static void set_ranges(struct mt_model *model, const struct joint *joint,
                       const struct class *class)
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

static void set_errors(struct mt_model *model, const struct joint *joint,
                       const struct class *class)
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

static int make_model(struct mt_model *model, const struct joint *joint,
                      const struct class *class, const char *terms, const bool *chosen,
                      struct mt_error *err)
{
    const struct mt_group *group = &joint->task->cluster->groups[class->group];
    *model = (struct mt_model){.group = strdup(group->name),
                               .processes = class->processes,
                               .split = -1,
                               .terms_text = strdup(terms),
                               .runs = class->end - class->first};
    if (!model->group || !model->terms_text)
        return no_memory(joint, err);
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
        return no_memory(joint, err);
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
static void find_regimes(const struct joint *joint)
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

static int make_models(struct joint *joint, struct mt_error *err)
{
    find_regimes(joint);
    bool *chosen = calloc((size_t)joint->library.count + 1, sizeof *chosen);
    char *terms = chosen ? chosen_terms(joint, chosen) : NULL;
    int status = terms ? MT_OK : no_memory(joint, err);
    for (int c = 0; c < joint->nclasses && status == MT_OK; c++) {
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
static int select_terms(struct joint *joint, double ridge, struct mt_error *err)
{
    free(joint->selected.taken);
    free(joint->selected.x);
    free(joint->selected.held);
    joint->selected.taken = calloc((size_t)joint->nsets + 1, sizeof(bool));
    joint->selected.x = calloc((size_t)joint->nunknowns + 1, sizeof(double));
    joint->selected.held = calloc((size_t)joint->nruns + 1, sizeof(double));
    if (!joint->selected.taken || !joint->selected.x || !joint->selected.held)
        return no_memory(joint, err);
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
                                           .held = joint->held};
    return mt_select(&joint->selected, &selection, err);
}

/* Prepare all that the selection wants to know. */
static int prepare(struct joint *joint, struct mt_error *err)
{
    int status = find_values(joint, err);
    if (status == MT_OK)
        status = find_classes(joint, err);
    if (status == MT_OK)
        status = list_unknowns(joint, err);
    if (status == MT_OK)
        status = make_rows(joint, err);
    if (status == MT_OK)
        status = make_folds(joint, err);
    return status;
}

/* The least that the models say of a run, relative to its seconds; NaN where sizes or
   times near the ends of what a number can hold overflow on the way. */
static double least_value(const struct joint *joint)
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
static int check_values(struct joint *joint, struct mt_error *err)
{
    const double least = least_value(joint);
    if (isnan(least))
        return mt_fail(err, MT_EINVAL, "the values to fit are too large or too small");
    return least > 0 ? MT_OK : select_terms(joint, plain_ridge, err);
}

static int choose_terms(struct joint *joint, const char *work, struct mt_error *err)
{
    const struct mt_fit_task *task = joint->task;
    int status = mt_library_make(&joint->library, task->program, task->options->terms,
                                 work, err);
    if (status == MT_OK)
        status = refuse_without_value(joint, err);
    if (status != MT_OK || joint->nruns == 0)
        return status;
    status = prepare(joint, err);
    return status == MT_OK ? select_terms(joint, 0, err) : status;
}

/* Of the forms that the work may have, the one whose terms predict best. */
static int find_work(char **work, const struct joint *joint, struct mt_error *err)
{
    char *works[MT_WORK_FORMS] = {NULL};
    double best = INFINITY;
    int status = mt_work_forms_find(works, joint->runs, joint->nruns, err);
    for (int i = 0; i < MT_WORK_FORMS && works[i] && status == MT_OK; i++) {
        struct joint trial = {.task = joint->task, .nruns = joint->nruns};
        trial.runs = calloc((size_t)joint->nruns + 1, sizeof *trial.runs);
        if (!trial.runs) {
            status = no_memory(joint, err);
            break;
        }
        memcpy(trial.runs, joint->runs, (size_t)joint->nruns * sizeof *trial.runs);
        status = choose_terms(&trial, works[i], err);
        if (status == MT_OK && trial.selected.score < best) {
            best = trial.selected.score;
            free(*work);
            *work = works[i];
            works[i] = NULL;
        }
        joint_clear(&trial);
    }
    for (int i = 0; i < MT_WORK_FORMS; i++)
        free(works[i]);
    return status;
}

static int fit_joint(struct joint *joint, struct mt_error *err)
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
    return status;
}

/* No (group, M) has a model, for the reason why they could not be fitted together. */
static int refuse_all(const struct joint *joint, int status,
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
    struct joint joint = {.task = task};
    struct mt_error reason;
    int status = take_runs(&joint, err);
    if (status == MT_OK && joint.nruns > 0) {
        status = fit_joint(&joint, &reason);
        if (status != MT_OK)
            status = refuse_all(&joint, status, &reason, err);
    }
    joint_clear(&joint);
    return status;
}
