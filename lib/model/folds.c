/* SPDX-License-Identifier: BSD-3-Clause */
/* Cross-validation: the largest sizes are held out, the most processes, a quarter of
   the configurations, and a quarter of the runs. */
#include "fit_runs.h"
#include "joint.h"
#include "lib/base/array.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS = 4, MOST_FOLDS = 4 + 2 * PARTS };

/* Count the different sizes of a class that are larger than `size`, up to `enough`. */
static int larger_sizes(const struct mt_joint_fit *joint, const struct mt_class *class,
                        double size, int enough)
{
    int larger = 0;
    for (int i = class->first; i < class->end && larger < enough; i++) {
        bool counted = joint->runs[i].sample->size <= size;
        for (int j = class->first; j < i && !counted; j++)
            counted = joint->runs[j].sample->size == joint->runs[i].sample->size;
        larger += !counted;
    }
    return larger;
}

/* Hold out the `most` largest sizes of each class that keeps two. */
static void hold_sizes(struct mt_joint_fit *joint, bool *held, int most)
{
    for (int i = 0; i < joint->nruns; i++) {
        const struct mt_class *class = mt_joint_fit_class(joint, i);
        held[i] = larger_sizes(joint, class, 0, most + 2) >= most + 2 &&
                  larger_sizes(joint, class, joint->runs[i].sample->size, most) < most;
    }
}

/* Hold out the runs with most processes: that share of those on several nodes. */
static int hold_ranks(struct mt_joint_fit *joint, bool *held, double share,
                      struct mt_error *err)
{
    int *ranks = calloc((size_t)joint->nruns + 1, sizeof *ranks), count = 0;
    if (!ranks)
        return mt_joint_fit_no_memory(joint, err);
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
static void hold_parts(struct mt_joint_fit *joint, bool *held, int part)
{
    int configuration = 0;
    for (int i = 0, end; i < joint->nruns; i = end, configuration++) {
        end = mt_configuration_end(joint->runs, joint->nruns, i);
        for (int j = i; j < end; j++)
            held[j] =
                (part < PARTS ? configuration : j + PARTS) % PARTS == part % PARTS;
    }
}

/* Judge the runs that are held out, but those of a (group, M) of which none is left:
   what is planned was measured at least once. */
static void judge_those_left(const struct mt_joint_fit *joint, bool *judged,
                             const bool *held)
{
    for (int c = 0; c < joint->nclasses; c++) {
        const struct mt_class *class = &joint->classes[c];
        bool any_left = false;
        for (int i = class->first; i < class->end; i++)
            any_left = any_left || !held[i];
        for (int i = class->first; i < class->end; i++)
            judged[i] = held[i] && any_left;
    }
}

int mt_joint_fit_make_folds(struct mt_joint_fit *joint, struct mt_error *err)
{
    const size_t nruns = (size_t)joint->nruns;
    joint->held = calloc(MOST_FOLDS * nruns + 1, sizeof *joint->held);
    joint->judged = calloc(MOST_FOLDS * nruns + 1, sizeof *joint->judged);
    if (!joint->held || !joint->judged)
        return mt_joint_fit_no_memory(joint, err);
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
        judge_those_left(joint, joint->judged + (size_t)joint->nfolds * nruns, held);
        int count = 0;
        for (size_t i = 0; i < nruns; i++)
            count += held[i];
        joint->nfolds += count > 0 && (size_t)count < nruns;
    }
    return status;
}
