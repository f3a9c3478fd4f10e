/* SPDX-License-Identifier: BSD-3-Clause */
/* The joint least-squares problem of the default models: its runs and classes, the
   unknowns, which of them are taken or left together, and the rows they are found from.
 */
#include "joint.h"

#include "fit_runs.h"
#include "lib/base/array.h"
#include "lib/expr/internal.h"
#include "lib/input/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST_RUNS = 2 };

void mt_joint_fit_clear(struct mt_joint_fit *joint)
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
    free(joint->judged);
    free(joint->rows);
    free(joint->row_columns);
    free(joint->row_values);
    free(joint->selected.taken);
    free(joint->selected.x);
    free(joint->selected.held);
    *joint = (struct mt_joint_fit){0};
}

int mt_joint_fit_no_memory(const struct mt_joint_fit *joint, struct mt_error *err)
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

/* How often most of them were made, at the same configuration and size. */
static int usual_repetitions(const struct mt_fit_run *runs, int count)
{
    /* So many repetitions, or fewer, are those of at least half. */
    for (int usual = 1;; usual++) {
        int places = 0, covered = 0;
        for (int i = 0, end; i < count; i = end) {
            end = mt_repetitions_end(runs, count, i);
            places++;
            covered += end - i <= usual;
        }
        if (2 * covered >= places)
            return usual;
    }
}

static bool is_measure_size(const struct mt_program *program, double size)
{
    for (int i = 0; i < program->nmeasure_sizes; i++)
        if (program->measure_sizes[i] == size)
            return true;
    return false;
}

/* Take runs for the fit. What is measured for models and was run more often than others
   was in doubt: it does not count for more, and what is in the middle counts. */
static void copy_runs(struct mt_joint_fit *joint, const struct mt_fit_run *runs,
                      int count)
{
    const int usual = usual_repetitions(runs, count);
    for (int i = 0, end; i < count; i = end) {
        end = mt_repetitions_end(runs, count, i);
        const bool doubted = end - i > usual && is_measure_size(joint->task->program,
                                                                runs[i].sample->size);
        const int kept = doubted ? usual : end - i;
        const int first = i + (end - i - kept) / 2;
        memcpy(joint->runs + joint->nruns, runs + first, (size_t)kept * sizeof *runs);
        joint->nruns += kept;
    }
}

/* Take the runs of a group, or refuse its models, for the reason that it has too few.
   Where all runs have one size, that is the only one there will be models for. */
static int take_group(struct mt_joint_fit *joint, int first, int end, bool one_size,
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
        copy_runs(joint, runs, count);
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

int mt_joint_fit_take_runs(struct mt_joint_fit *joint, struct mt_error *err)
{
    const struct mt_fit_run *all = joint->task->runs->all;
    const int count = joint->task->runs->count;
    double low, high;
    joint->runs = calloc((size_t)count + 1, sizeof *joint->runs);
    if (!joint->runs)
        return mt_joint_fit_no_memory(joint, err);
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

static double term_at(const struct mt_joint_fit *joint, int term, double size,
                      int ranks, int processes)
{
    const double values[MT_NVARIABLES] = {
        [MT_N] = size, [MT_P] = ranks, [MT_M] = processes};
    return mt_expr_value(joint->library.terms[term].expr, values);
}

/* Whether a term that is taken in any case has no value at one of the runs first .. end
   - 1: the reason. */
static bool lacks_value(const struct mt_joint_fit *joint, int first, int end,
                        struct mt_error *reason)
{
    for (int i = first; i < end; i++) {
        const struct mt_fit_run *run = &joint->runs[i];
        for (int t = 0; t < joint->library.count; t++)
            if ((joint->library.given || joint->library.terms[t].role == MT_ROLE_OWN) &&
                !isfinite(term_at(joint, t, run->sample->size, run->ranks,
                                  run->layout.processes))) {
                mt_fail(reason, MT_EINVAL, "term '%s' has no value at N = %g, P = %d",
                        mt_expr_text(joint->library.terms[t].expr), run->sample->size,
                        run->ranks);
                return true;
            }
    }
    return false;
}

/* Refuse the models that need what has no value. */
int mt_joint_fit_refuse_without_value(struct mt_joint_fit *joint, struct mt_error *err)
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

static int find_values(struct mt_joint_fit *joint, struct mt_error *err)
{
    const int nterms = joint->library.count;
    joint->values = calloc((size_t)joint->nruns * (size_t)nterms + 1, sizeof(double));
    if (!joint->values)
        return mt_joint_fit_no_memory(joint, err);
    for (int i = 0; i < joint->nruns; i++) {
        const struct mt_fit_run *run = &joint->runs[i];
        for (int t = 0; t < nterms; t++)
            joint->values[(size_t)i * (size_t)nterms + (size_t)t] =
                term_at(joint, t, run->sample->size, run->ranks, run->layout.processes);
    }
    return MT_OK;
}

static double value_at(const struct mt_joint_fit *joint, int run, int term)
{
    return joint->values[(size_t)run * (size_t)joint->library.count + (size_t)term];
}

/* Classes. */

static int add_class(struct mt_joint_fit *joint, const struct mt_class *class,
                     struct mt_error *err)
{
    const int status =
        mt_array_grow(&joint->classes, joint->nclasses, sizeof *class, "models", err);
    if (status == MT_OK)
        joint->classes[joint->nclasses++] = *class;
    return status;
}

/* Whether the group's runs have that layout, or lie on either side of it: those like it
   on fewer and on more processes. */
static bool is_surrounded(const struct mt_joint_fit *joint, int first, int end,
                          struct mt_layout layout)
{
    bool fewer = false, more = false;
    for (int i = first; i < end; i++) {
        const struct mt_layout run = joint->runs[i].layout;
        if (!mt_layout_alike(run, layout))
            continue;
        fewer = fewer || run.processes <= layout.processes;
        more = more || run.processes >= layout.processes;
    }
    return fewer && more;
}

static int add_classes_between(struct mt_joint_fit *joint, int first, int end,
                               int place, struct mt_error *err)
{
    const int g = joint->runs[first].group;
    const struct mt_group *group = &joint->task->cluster->groups[g];
    int status = MT_OK;
    for (int k = 0; k < group->nlayouts && status == MT_OK; k++) {
        const struct mt_class without = {
            .group = g, .layout = group->layouts[k], .first = place, .end = place};
        if (mt_layout_compare(without.layout, joint->runs[place - 1].layout) > 0 &&
            (place == end ||
             mt_layout_compare(without.layout, joint->runs[place].layout) < 0) &&
            is_surrounded(joint, first, end, without.layout))
            status = add_class(joint, &without, err);
    }
    return status;
}

/* The classes of a group: those with runs, and those of the cluster's file that lie
   between. */
static int add_classes(struct mt_joint_fit *joint, int first, int end,
                       struct mt_error *err)
{
    int status = MT_OK;
    for (int i = first, next; i < end && status == MT_OK; i = next) {
        for (next = i + 1; next < end && mt_layout_compare(joint->runs[next].layout,
                                                           joint->runs[i].layout) == 0;)
            next++;
        const struct mt_class with_runs = {.group = joint->runs[i].group,
                                           .layout = joint->runs[i].layout,
                                           .first = i,
                                           .end = next};
        status = add_class(joint, &with_runs, err);
        if (status == MT_OK)
            status = add_classes_between(joint, first, end, next, err);
    }
    return status;
}

/* The first term of the main work, or else of all. */
static int main_work(const struct mt_joint_fit *joint)
{
    for (int t = 0; t < joint->library.count; t++)
        if (joint->library.terms[t].role == MT_ROLE_OWN)
            return t;
    return 0;
}

/* How slow a core of each group is at the main work, at its best, relative to the
   fastest one. */
static void find_slowness(struct mt_joint_fit *joint)
{
    const int work = main_work(joint);
    double best[MT_MAX_GROUPS], least = INFINITY;
    for (int g = 0; g < MT_MAX_GROUPS; g++)
        best[g] = INFINITY;
    for (int i = 0; i < joint->nruns; i++) {
        double *of_group = &best[joint->runs[i].group];
        const double rate = joint->runs[i].sample->seconds *
                            mt_layout_threads(joint->runs[i].layout) /
                            value_at(joint, i, work);
        *of_group = fmin(*of_group, rate > 0 ? rate : INFINITY);
        least = fmin(least, *of_group);
    }
    for (int c = 0; c < joint->nclasses; c++) {
        const double rate = best[joint->classes[c].group] / least;
        joint->classes[c].slowness = isfinite(rate) && rate > 0 ? rate : 1;
    }
}

static int find_classes(struct mt_joint_fit *joint, struct mt_error *err)
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

const struct mt_class *mt_joint_fit_class(const struct mt_joint_fit *joint, int run)
{
    const struct mt_class *class = joint->classes;
    while (run < class->first || run >= class->end)
        class ++;
    return class;
}

/* A term that cannot be had at each run, or is negative somewhere, is not offered. */
static bool is_usable(const struct mt_joint_fit *joint, int term)
{
    double most = 0;
    for (int i = 0; i < joint->nruns; i++) {
        const double value = value_at(joint, i, term);
        if (!isfinite(value) || (value < 0 && !joint->library.given))
            return false;
        most = fmax(most, fabs(value));
    }
    return most > 0;
}

static int add_unknown(struct mt_joint_fit *joint, struct mt_unknown unknown, int set,
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

static int add_set(struct mt_joint_fit *joint, bool fixed, bool begun, int *set,
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
static int add_of_classes(struct mt_joint_fit *joint, const struct mt_family *family,
                          struct mt_unknown unknown, int set, struct mt_error *err)
{
    int status = MT_OK;
    for (int t = family->first; t < family->end && status == MT_OK; t++) {
        unknown.term = t;
        if (is_usable(joint, t))
            status = add_unknown(joint, unknown, set, err);
    }
    return status;
}

/* Whether class c is the first of its group, and likewise of its threads and binding.
 */
static bool is_first_of_group(const struct mt_joint_fit *joint, int c)
{
    return c == 0 || joint->classes[c - 1].group != joint->classes[c].group;
}

static bool is_first_alike(const struct mt_joint_fit *joint, int c)
{
    for (int i = 0; i < c; i++)
        if (joint->classes[i].group == joint->classes[c].group &&
            mt_layout_alike(joint->classes[i].layout, joint->classes[c].layout))
            return false;
    return true;
}

/* The main work of a class: from its number of processes on, and below it. */
static int add_steps(struct mt_joint_fit *joint, const struct mt_family *family,
                     const struct mt_class *class, int set, struct mt_error *err)
{
    struct mt_unknown unknown = {
        .group = class->group, .like = &class->layout, .from = class->layout.processes};
    int status = add_of_classes(joint, family, unknown, set, err);
    unknown.from = 0;
    unknown.below = class->layout.processes;
    return status == MT_OK ? add_of_classes(joint, family, unknown, set, err) : status;
}

/* The family's terms for one group; for all threads and bindings, also from each
   further number of processes on its nodes on, and below it, where they are the main
   work (own). */
static int add_of_group(struct mt_joint_fit *joint, const struct mt_family *family,
                        int g, bool fixed, struct mt_error *err)
{
    const bool own = joint->library.terms[family->first].role == MT_ROLE_OWN;
    int set = 0, status = add_set(joint, fixed, false, &set, err);
    for (int c = 0; c < joint->nclasses && status == MT_OK && own; c++)
        if (joint->classes[c].group == g && !is_first_alike(joint, c))
            status = add_steps(joint, family, &joint->classes[c], set, err);
    for (int c = 0; c < joint->nclasses && status == MT_OK; c++) {
        const struct mt_unknown unknown = {
            .group = g, .like = own ? &joint->classes[c].layout : NULL};
        if (joint->classes[c].group == g &&
            (own ? is_first_alike(joint, c) : is_first_of_group(joint, c)))
            status = add_of_classes(joint, family, unknown, set, err);
    }
    return status;
}

static int add_of_all(struct mt_joint_fit *joint, const struct mt_family *family,
                      bool fixed, struct mt_error *err)
{
    const bool expected = joint->library.terms[family->first].expected;
    /* messages that the program states are there, whatever few runs say */
    const bool stated = expected && joint->task->program->shape.messages;
    int set = 0, status = add_set(joint, fixed || stated, expected, &set, err);
    return status == MT_OK ? add_of_classes(joint, family,
                                            (struct mt_unknown){.group = -1}, set, err)
                           : status;
}

/* A family's unknowns, of one group, or (-1) of all together. */
static int add_family(struct mt_joint_fit *joint, const struct mt_family *family, int g,
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
static int list_unknowns(struct mt_joint_fit *joint, struct mt_error *err)
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

static bool is_of_class(const struct mt_unknown *unknown, const struct mt_class *class)
{
    return (unknown->group < 0 || unknown->group == class->group) &&
           (!unknown->like || mt_layout_alike(*unknown->like, class->layout)) &&
           class->layout.processes >= unknown->from &&
           (unknown->below == 0 || class->layout.processes < unknown->below);
}

/*
 * Threads share the main work, and what belongs to it. Of t threads each has 1/t of a
 * process's steps, and shares the node's memory with M t - 1 others: that makes
 * (M t - 1)/t = (M - 1) + (1 - 1/t), of which the first part is the term's own.
 */
double mt_joint_fit_share(const struct mt_joint_fit *joint,
                          const struct mt_unknown *unknown,
                          const struct mt_class *class, int term)
{
    const struct mt_library_term *own = &joint->library.terms[unknown->term];
    const double threads = mt_layout_threads(class->layout);
    if (!is_of_class(unknown, class))
        return 0;
    if (term != unknown->term)
        return own->single == term + 1 ? 1 - 1 / threads : 0;
    const double slowness = own->role == MT_ROLE_COMPUTE || own->role == MT_ROLE_SERIAL
                                ? class->slowness
                                : 1;
    const bool is_shared = own->role == MT_ROLE_COMPUTE ||
                           (own->role == MT_ROLE_CACHE && own->single == 0);
    return is_shared ? slowness / threads : slowness;
}

static int make_rows(struct mt_joint_fit *joint, struct mt_error *err)
{
    const size_t nruns = (size_t)joint->nruns, nunknowns = (size_t)joint->nunknowns;
    joint->rows = calloc(nruns + 1, sizeof *joint->rows);
    joint->row_columns = calloc(nruns * nunknowns + 1, sizeof *joint->row_columns);
    joint->row_values = calloc(nruns * nunknowns + 1, sizeof *joint->row_values);
    if (!joint->rows || !joint->row_columns || !joint->row_values)
        return mt_joint_fit_no_memory(joint, err);
    size_t used = 0;
    for (int i = 0; i < joint->nruns; i++) {
        const struct mt_class *class = mt_joint_fit_class(joint, i);
        const size_t begin = used;
        for (int j = 0; j < joint->nunknowns; j++) {
            const struct mt_unknown *unknown = &joint->unknowns[j];
            const int single = joint->library.terms[unknown->term].single - 1;
            double value = mt_joint_fit_share(joint, unknown, class, unknown->term) *
                           value_at(joint, i, unknown->term);
            if (single >= 0)
                value += mt_joint_fit_share(joint, unknown, class, single) *
                         value_at(joint, i, single);
            value /= joint->runs[i].sample->seconds;
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

int mt_joint_fit_prepare(struct mt_joint_fit *joint, struct mt_error *err)
{
    int status = find_values(joint, err);
    if (status == MT_OK)
        status = find_classes(joint, err);
    if (status == MT_OK)
        status = list_unknowns(joint, err);
    if (status == MT_OK)
        status = make_rows(joint, err);
    return status;
}
