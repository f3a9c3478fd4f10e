/* SPDX-License-Identifier: BSD-3-Clause */
/* The candidates of a design, sorted by class, nodes and size. */
#include "ladders.h"

#include "lib/input/internal.h"

#include <math.h>
#include <stdlib.h>

/* Where a candidate belongs, to sort by. */
struct place {
    struct mt_design_class class;
    int nodes;
    double size;
    int candidate;
};

static int compare_classes(const struct mt_design_class *a,
                           const struct mt_design_class *b)
{
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return mt_layout_compare(a->layout, b->layout);
}

static int compare_places(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    const int order = compare_classes(&a->class, &b->class);
    if (order != 0)
        return order;
    if (a->nodes != b->nodes)
        return a->nodes < b->nodes ? -1 : 1;
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    return (a->candidate > b->candidate) - (a->candidate < b->candidate);
}

static void find_places(struct place *places, const struct mt_design *design)
{
    for (int i = 0; i < design->count; i++) {
        const struct mt_candidate *candidate = &design->candidates[i];
        const int group = mt_configuration_only_group(&candidate->configuration);
        const struct mt_use *use = &candidate->configuration.use[group];
        places[i] = (struct place){.class = {.group = group, .layout = use->layout},
                                   .nodes = use->nodes,
                                   .size = candidate->size,
                                   .candidate = i};
    }
    qsort(places, (size_t)design->count, sizeof *places, compare_places);
}

/* Go through the sorted places and open a ladder and a class where one begins. */
static void open_ladders(struct mt_design *design, const struct place *places)
{
    for (int i = 0; i < design->count; i++) {
        const struct place *place = &places[i];
        const bool new_class =
            i == 0 || compare_classes(&place->class, &places[i - 1].class) != 0;
        if (new_class)
            design->classes[design->nclasses++] = place->class;
        if (new_class || place->nodes != places[i - 1].nodes)
            design->ladders[design->nladders++] =
                (struct mt_ladder){.first = i, .class = design->nclasses - 1};
        design->ladders[design->nladders - 1].count++;
        design->order[i] = place->candidate;
    }
}

/* Classes between others of their group may be learned from these. Where there are
   threads, the layouts that use all cores tell most. */
static void set_levels_of(struct mt_design_class *classes, int count,
                          const struct mt_group *group)
{
    int most = 0, full = 0, seen = 0;
    for (int i = 0; i < count; i++)
        most = (int)fmax(most, mt_layout_cores(classes[i].layout));
    for (int i = 0; i < count; i++) {
        classes[i].level = mt_group_leaves_cores(group, classes[i].layout) ? 3 : 2;
        full += mt_layout_cores(classes[i].layout) == most;
    }
    if (full == 1)
        classes[count / 2].level = 1;
    for (int i = 0; i < count; i++) {
        if (mt_layout_cores(classes[i].layout) != most)
            continue;
        if (seen == 0 || seen == full - 1)
            classes[i].level = 0;
        else if (seen == full / 2)
            classes[i].level = 1;
        seen++;
    }
    classes[0].level = classes[count - 1].level = 0;
}

static void set_levels(struct mt_design *design)
{
    for (int first = 0, end; first < design->nclasses; first = end) {
        struct mt_design_class *classes = &design->classes[first];
        for (end = first + 1;
             end < design->nclasses && design->classes[end].group == classes->group;)
            end++;
        set_levels_of(classes, end - first, &design->cluster->groups[classes->group]);
    }
}

int mt_design_sort(struct mt_design *design, struct mt_error *err)
{
    const size_t count = (size_t)design->count;
    struct place *places = calloc(count, sizeof *places);
    design->order = calloc(count, sizeof *design->order);
    design->ladders = calloc(count, sizeof *design->ladders);
    design->classes = calloc(count, sizeof *design->classes);
    if (!places || !design->order || !design->ladders || !design->classes) {
        free(places);
        return mt_fail(err, MT_ENOMEM, "no memory for %d possible runs", design->count);
    }
    find_places(places, design);
    open_ladders(design, places);
    for (int i = 0; i < design->nladders; i++) {
        struct mt_ladder *ladder = &design->ladders[i];
        const bool fewest = i == 0 || ladder[-1].class != ladder->class;
        ladder->most = i + 1 == design->nladders || ladder[1].class != ladder->class;
        ladder->base = fewest || ladder->most;
    }
    set_levels(design);
    for (int c = 0; c < design->nclasses; c++)
        design->nplanned += design->classes[c].level <= MT_MOST_LEVEL;
    free(places);
    return MT_OK;
}

int mt_design_uncovered(const struct mt_design *design)
{
    int uncovered = 0;
    for (int l = 0; l < design->nladders; l++) {
        const struct mt_ladder *ladder = &design->ladders[l];
        bool seen = false;
        if (design->classes[ladder->class].level > MT_MOST_LEVEL)
            continue;
        for (int i = ladder->first; i < ladder->first + ladder->count; i++)
            seen = seen || design->trials[design->order[i]].runs > 0;
        uncovered += ladder->most && !seen;
    }
    return uncovered;
}

static struct mt_design_point point_of(const struct mt_design *design, int class,
                                       double size, int ranks)
{
    const double work = mt_program_work(design->program, size, ranks);
    return (struct mt_design_point){.class = class,
                                    .size = log(size) - design->middle_size,
                                    .ranks = log(ranks),
                                    .prior = log((work > 0 ? work : size) / ranks)};
}

static void add_candidates(struct mt_design *design)
{
    for (int l = 0; l < design->nladders; l++) {
        const struct mt_ladder *ladder = &design->ladders[l];
        for (int i = ladder->first; i < ladder->first + ladder->count; i++) {
            const struct mt_candidate *of = &design->candidates[design->order[i]];
            design->points[design->order[i]] =
                point_of(design, ladder->class, of->size,
                         mt_configuration_ranks(&of->configuration));
        }
    }
}

/* The most processes that the cluster can run. */
static int all_ranks(const struct mt_cluster *cluster)
{
    int ranks = 0;
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct mt_group *group = &cluster->groups[g];
        ranks += group->nodes * group->layouts[group->nlayouts - 1].processes;
    }
    return ranks;
}

/* Every class that is to be planned, at that size and P. */
static int add_targets(struct mt_design *design, int count, double size, int ranks)
{
    for (int c = 0; c < design->nclasses; c++)
        if (design->classes[c].level <= MT_MOST_LEVEL)
            design->points[count++] = point_of(design, c, size, ranks);
    return count;
}

static int believe(struct mt_design *design, int npoints, struct mt_error *err)
{
    mt_variance_clear(&design->posterior);
    int status = mt_variance_init(&design->posterior, design->points, npoints,
                                   design->count, err);
    for (int i = 0; i < design->count && status == MT_OK; i++)
        for (int r = 0; r < design->trials[i].runs && status == MT_OK; r++)
            status = mt_variance_observe(&design->posterior, i,
                                          design->trials[i].log_seconds, err);
    return status;
}

int mt_design_aim(struct mt_design *design, const struct mt_aim *aims, int naims,
                  struct mt_error *err)
{
    const int ntargets = (naims > 0 ? naims : design->nsizes) * design->nplanned;
    const size_t room = (size_t)design->count + (size_t)ntargets;
    struct mt_design_point *points = calloc(room, sizeof *points);
    if (!points)
        return mt_fail(err, MT_ENOMEM, "no memory for %d targets", ntargets);
    free(design->points);
    design->points = points;
    add_candidates(design);
    int count = design->count;
    for (int i = 0; i < naims; i++)
        count = add_targets(design, count, aims[i].size, aims[i].ranks);
    for (int i = 0; i < design->nsizes && naims == 0; i++)
        count =
            add_targets(design, count, design->sizes[i], all_ranks(design->cluster));
    return believe(design, count, err);
}
