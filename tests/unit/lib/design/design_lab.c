/* SPDX-License-Identifier: BSD-3-Clause */
#include "design_lab.h"

#include "lib/input/internal.h"
#include "tests/unit/test.h"

static char fast_name[] = "fast", slow_name[] = "slow", odd_name[] = "odd",
            lab_name[] = "lab", cube_name[] = "cube";
static struct mt_layout fast_processes[] = {{.processes = 1}, {.processes = 2}},
                        slow_processes[] = {{.processes = 1}};
static double measure_sizes[] = {250, 256, 500, 512, 750, 1000, 1024, 1500, 2000, 2048};
static double plan_sizes[] = {2000, 3000, 4000};

int lab_set_up(void **state)
{
    struct lab *lab = calloc(1, sizeof *lab);
    if (!lab)
        return -1;
    lab->groups[0] = (struct mt_group){
        .name = fast_name, .nodes = 8, .layouts = fast_processes, .nlayouts = 2};
    lab->groups[1] = (struct mt_group){
        .name = slow_name, .nodes = 4, .layouts = slow_processes, .nlayouts = 1};
    lab->groups[2] = (struct mt_group){
        .name = odd_name, .nodes = 1, .layouts = slow_processes, .nlayouts = 1};
    lab->cluster =
        (struct mt_cluster){.name = lab_name, .groups = lab->groups, .ngroups = 3};
    lab->program = (struct mt_program){.name = cube_name,
                                       .measure_sizes = measure_sizes,
                                       .nmeasure_sizes = 10,
                                       .plan_sizes = plan_sizes,
                                       .nplan_sizes = 3};
    lab->speeds[0] = 4e9;
    lab->speeds[1] = 1e9;
    lab->speeds[2] = 3e9;
    *state = lab;
    return mt_expr_parse(&lab->program.work, "2*N^3", NULL);
}

void lab_mix(struct lab *lab)
{
    lab->ideal = true;
    lab->speeds[0] = lab->speeds[1] = 4e9;
}

int lab_tear_down(void **state)
{
    struct lab *lab = *state;
    mt_design_free(lab->design);
    mt_expr_free(lab->program.work);
    free(lab);
    return 0;
}

static void add_candidates(struct lab *lab)
{
    for (int g = 0; g < lab->cluster.ngroups; g++)
        for (int m = 0; m < lab->groups[g].nlayouts; m++)
            for (int nodes = 1; nodes <= lab->groups[g].nodes; nodes++)
                for (int s = 0; s < lab->program.nmeasure_sizes; s++) {
                    struct mt_candidate *c = &lab->candidates[lab->count++];
                    *c = (struct mt_candidate){.size = lab->program.measure_sizes[s]};
                    c->configuration.use[g].nodes = nodes;
                    c->configuration.use[g].layout.processes =
                        lab->groups[g].layouts[m].processes;
                }
}

void lab_begin(struct lab *lab, double seconds, int runs)
{
    mt_design_free(lab->design);
    lab->design = NULL;
    memset(lab->times, 0, sizeof lab->times);
    lab->count = lab->runs = lab->probes = 0;
    lab->spent = 0;
    add_candidates(lab);
    assert_in_range(lab->count, 1, LAB_CANDIDATES);
    const struct mt_design_case of = {.cluster = &lab->cluster,
                                      .program = &lab->program,
                                      .candidates = lab->candidates,
                                      .count = lab->count,
                                      .limits = {.seconds = seconds, .runs = runs}};
    assert_int_equal(mt_design_make(&lab->design, &of, NULL), MT_OK);
}

/* The seconds of a group's processes when this number of ranks runs in all. */
static double group_seconds(const struct lab *lab, int group, int processes, double n,
                            int ranks)
{
    const double speed = lab->speeds[group] * (processes == 2 ? 1.1 : 1);
    const double work = 2 * n * n * n / (speed * ranks);
    const double messages = log2(ranks) * (1e-3 + 1e-7 * n * n) + 1e-3;
    return lab->ideal ? work : work + messages;
}

double lab_seconds(const struct lab *lab, const struct mt_configuration *configuration,
                   double size)
{
    const int ranks = mt_configuration_ranks(configuration);
    double slowest = 0;
    for (int g = 0; g < lab->cluster.ngroups; g++)
        if (configuration->use[g].nodes > 0)
            slowest = fmax(slowest,
                           group_seconds(lab, g, configuration->use[g].layout.processes,
                                         size, ranks));
    return slowest;
}

double lab_seconds_of_all(const struct lab *lab)
{
    double seconds = 0;
    for (int i = 0; i < lab->count; i++)
        seconds += lab_seconds(lab, &lab->candidates[i].configuration,
                               lab->candidates[i].size);
    return seconds;
}

double lab_best_seconds(const struct lab *lab, double size, bool mixed)
{
    struct mt_configuration configuration = {0};
    double best = INFINITY;
    while (mt_configuration_next(&configuration, &lab->cluster))
        if (!mixed || mt_configuration_only_group(&configuration) < 0)
            best = fmin(best, lab_seconds(lab, &configuration, size));
    return best;
}

int lab_count_mixed(const struct lab *lab)
{
    int mixed = 0;
    for (int i = 0; i < lab->runs + lab->probes; i++)
        mixed += mt_configuration_only_group(&lab->past[i].configuration) < 0;
    return mixed;
}

int lab_find(const struct lab *lab, const struct mt_configuration *configuration,
             double size)
{
    for (int i = 0; i < lab->count; i++)
        if (lab->candidates[i].size == size &&
            mt_configuration_equal(&lab->candidates[i].configuration, configuration))
            return i;
    return -1;
}

int lab_run(void *context, const struct mt_proposal *proposal,
            struct mt_observation *observation, struct mt_error *err)
{
    struct lab *lab = context;
    const double seconds = lab_seconds(lab, &proposal->configuration, proposal->size);
    const int index = lab_find(lab, &proposal->configuration, proposal->size);
    (void)err;
    assert_true(lab->runs + lab->probes < LAB_CANDIDATES);
    lab->past[lab->runs + lab->probes] =
        (struct mt_past_run){proposal->configuration, proposal->size, seconds, seconds};
    if (index >= 0) {
        lab->times[index]++;
        lab->runs++;
    } else {
        lab->probes++;
    }
    lab->spent += seconds;
    *observation =
        (struct mt_observation){.made = true, .seconds = seconds, .spent = seconds};
    return MT_OK;
}
