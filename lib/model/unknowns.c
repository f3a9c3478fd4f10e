/* SPDX-License-Identifier: BSD-3-Clause */
/* The unknowns of a joint fit, which of them are taken or left together, and the rows
   of values that they are found from. */
#include "joint.h"
#include "lib/input/internal.h"

#include "lib/base/array.h"

#include <math.h>
#include <stdlib.h>

/* A term that cannot be had at each run, or is negative somewhere, is not offered. */
static bool is_usable(const struct mt_joint_fit *joint, int term)
{
    double most = 0;
    for (int i = 0; i < joint->nruns; i++) {
        const double value = mt_joint_fit_value(joint, i, term);
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
int mt_joint_fit_list_unknowns(struct mt_joint_fit *joint, struct mt_error *err)
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

int mt_joint_fit_make_rows(struct mt_joint_fit *joint, struct mt_error *err)
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
                           mt_joint_fit_value(joint, i, unknown->term);
            if (single >= 0)
                value += mt_joint_fit_share(joint, unknown, class, single) *
                         mt_joint_fit_value(joint, i, single);
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
