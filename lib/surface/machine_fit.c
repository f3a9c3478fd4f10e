/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a machine from the components that lib/learn finds in the runs. */
#include "internal.h"

#include "lib/base/argv.h"
#include "lib/base/draft.h"
#include "lib/machine/internal.h"
#include "lib/model/internal.h"
#include "tuning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_program(const struct mt_program *program, struct mt_error *err)
{
    if (program->shape.work)
        return MT_OK;
    return mt_fail(err, MT_EINVAL,
                   "program '%s' does not say its 'work': add the operations of a run, "
                   "such as 'work: 2*N^3', to '%s'",
                   program->name, program->path);
}

/* Warn of real runs that differ from the prediction and were made only once or
   twice. */
static int warn_of_few_repetitions(struct mt_machine_fit *fit, struct mt_error *err)
{
    if (mt_cluster_simulated(fit->cluster) || fit->learned.residual < noisy ||
        fit->runs.made >= ENOUGH_REPETITIONS * fit->runs.count)
        return MT_OK;
    return mt_argv_add(&fit->warnings, err,
                       "runs are off what was learned by %.0f %%: if other work slowed "
                       "some down, repeat them, as the fastest counts: 'motley measure "
                       "--repeat %d'",
                       100 * fit->learned.residual, ENOUGH_REPETITIONS);
}

static int add_learned_warnings(struct mt_machine_fit *fit, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; i < fit->learned.nwarnings && status == MT_OK; i++)
        status = mt_argv_add(&fit->warnings, err, "%s", fit->learned.warnings[i]);
    return status;
}

/* The highest speed of a process in any run, operations per second. */
static double find_best_speed(const struct mt_group_runs *runs,
                              const struct mt_program *program)
{
    double best = 0;
    for (int i = 0; i < runs->count; i++) {
        const struct mt_learn_run *run = &runs->runs[i];
        const double work = mt_program_work(program, run->size, 1);
        best = fmax(best, work / (run->ranks * run->seconds));
    }
    return best;
}

/* V_ref: as given, as in the machine file, or as the fastest run. */
static int choose_speed(struct mt_machine_fit *fit, double given,
                        const struct mt_program *program, struct mt_error *err)
{
    double *speed = &fit->machine.speed;
    const double best = find_best_speed(&fit->runs, program);
    if (given > 0) {
        fit->speed_origin = MT_SPEED_GIVEN;
        *speed = given;
    } else if (*speed > 0) {
        fit->speed_origin = MT_SPEED_OF_FILE;
    } else {
        fit->speed_origin = MT_SPEED_OF_RUNS;
        *speed = best;
    }
    if (best <= same_speed * *speed)
        return MT_OK;
    return mt_argv_add(&fit->warnings, err,
                       "runs are faster than a node at its best is said to be, by "
                       "%.3g %%: efficiencies above 1; --speed says another",
                       100 * (best / *speed - 1));
}

/* A machine has equal nodes, so it is one group of a cluster. */
static char *make_name(const struct mt_machine_fit *fit)
{
    const struct mt_cluster *cluster = fit->cluster;
    char *name;
    int length = cluster->ngroups > 1 ? asprintf(&name, "%s-%s", cluster->name,
                                                 cluster->groups[fit->runs.group].name)
                                      : asprintf(&name, "%s", cluster->name);
    return length < 0 ? NULL : name;
}

/* Check that an existing file is of this machine. */
static int check_machine(const struct mt_machine *machine, const char *name,
                         bool simulated, struct mt_error *err)
{
    if (strcmp(machine->name, name) != 0)
        return mt_fail(err, MT_EINVAL,
                       "'%s' is of machine '%s', not of '%s': it is left as it is",
                       machine->path, machine->name, name);
    if (machine->simulated != simulated)
        return mt_fail(err, MT_EINVAL,
                       "'%s' is of a %s machine '%s': it is left as it is",
                       machine->path, machine->simulated ? "simulated" : "real", name);
    return MT_OK;
}

/* Bytes that SimGrid's SMPI adds to each message, for its envelope. */
static const double simulated_header = 16;

/* The wiring by the cluster file, as far as it decides which messages meet. */
static struct mt_wiring wiring_of(const struct mt_cluster *cluster, int nodes)
{
    const struct mt_network *network = &cluster->network;
    const bool trunks =
        network->topology == MT_TOPOLOGY_SWITCHES && network->switch_ports > 0;
    struct mt_wiring wiring = {
        .topology = network->topology,
        .ports = network->switch_ports,
        .nodes = nodes,
        .half_duplex = network->half_duplex,
        .header = mt_cluster_simulated(cluster) ? simulated_header : 0};
    if (network->topology != MT_TOPOLOGY_SWITCHES &&
        network->topology != MT_TOPOLOGY_MULTISTAGE)
        return wiring;
    wiring.switch_bandwidth = trunks ? 0 : network->switch_bandwidth;
    wiring.trunk_bandwidth = trunks ? network->trunk_bandwidth : 0;
    if (wiring.switch_bandwidth + wiring.trunk_bandwidth > 0)
        wiring.bandwidth = network->bandwidth / (network->half_duplex ? 2 : 1);
    return wiring;
}

static int begin_machine(struct mt_machine_fit *fit, struct mt_error *err)
{
    const struct mt_cluster *cluster = fit->cluster;
    const struct mt_group *group = &cluster->groups[fit->runs.group];
    struct mt_machine *machine = &fit->machine;
    const bool simulated = mt_cluster_simulated(cluster);
    char *name = make_name(fit);
    if (!name)
        return mt_fail(err, MT_ENOMEM, "no memory for a machine");
    if (machine->name) {
        int status = check_machine(machine, name, simulated, err);
        free(name);
        return status;
    }
    /* A node of the machine is a process: a real node with several processes counts as
       several. */
    machine->name = name;
    machine->simulated = simulated;
    machine->nodes = group->nodes * fit->runs.processes;
    machine->memory = group->memory / fit->runs.processes;
    if (fit->runs.processes == 1)
        machine->wiring = wiring_of(cluster, machine->nodes);
    return MT_OK;
}

/* An empty algorithm of that name, new or in place of an old one. NULL: memory is
   short. */
static struct mt_algorithm *make_place(struct mt_machine *machine, const char *name,
                                       struct mt_error *err)
{
    for (int i = 0; i < machine->nalgorithms; i++) {
        struct mt_algorithm *old = &machine->algorithms[i];
        if (strcmp(old->name, name) != 0)
            continue;
        mt_shape_clear(&old->shape);
        return old;
    }
    struct mt_algorithm *more =
        realloc(machine->algorithms, ((size_t)machine->nalgorithms + 1) * sizeof *more);
    if (!more) {
        mt_fail(err, MT_ENOMEM, "no memory for an algorithm");
        return NULL;
    }
    machine->algorithms = more;
    struct mt_algorithm *place = &machine->algorithms[machine->nalgorithms];
    *place = (struct mt_algorithm){.name = strdup(name)};
    if (!place->name) {
        mt_fail(err, MT_ENOMEM, "no memory for an algorithm");
        return NULL;
    }
    machine->nalgorithms++;
    return place;
}

/* Put the learned components into the machine. */
static int add_algorithm(struct mt_machine_fit *fit, const struct mt_program *program,
                         struct mt_error *err)
{
    struct mt_algorithm *algorithm = make_place(&fit->machine, program->name, err);
    if (!algorithm)
        return MT_ENOMEM;
    algorithm->components = fit->learned.components;
    algorithm->learned = fit->learned.from;
    return mt_shape_copy(&algorithm->shape, &program->shape, err);
}

/* As many processes as the group's nodes hold. */
static int find_most_ranks(const struct mt_machine_fit *fit)
{
    const struct mt_group *group = &fit->cluster->groups[fit->runs.group];
    int most = 1;
    for (int i = 0; i < group->nlayouts; i++) {
        if (group->layouts[i].processes <= fit->runs.processes &&
            group->layouts[i].processes > most)
            most = group->layouts[i].processes;
    }
    return most * group->nodes;
}

struct mt_use mt_machine_fit_use(const struct mt_machine_fit *fit, int ranks)
{
    const struct mt_group *group = &fit->cluster->groups[fit->runs.group];
    for (int i = 0; i < group->nlayouts; i++) {
        const int processes = group->layouts[i].processes;
        if (processes <= fit->runs.processes && ranks % processes == 0 &&
            ranks / processes <= group->nodes)
            return (struct mt_use){.nodes = ranks / processes,
                                   .layout.processes = processes};
    }
    return (struct mt_use){0};
}

/* The measured times of messages between two nodes of the group. */
static void take_points(struct mt_learn_nodes *nodes, const struct mt_machine_fit *fit,
                        const struct mt_link_figures *links)
{
    const char *group = fit->cluster->groups[fit->runs.group].name;
    const struct mt_link_figure *link = mt_link_figures_find(links, group, group);
    if (!link || link->simulated != mt_cluster_simulated(fit->cluster))
        return;
    nodes->points = link->points;
    nodes->npoints = link->npoints;
}

int mt_machine_fit_make(struct mt_machine_fit *fit, const struct mt_samples *samples,
                        const struct mt_group_runs_query *query, double speed,
                        struct mt_error *err)
{
    const struct mt_program *program = query->program;
    struct mt_group_runs *runs = &fit->runs;
    fit->cluster = query->cluster;
    int status = check_program(program, err);
    if (status == MT_OK)
        status = mt_group_runs_take(runs, samples, query, err);
    if (status == MT_OK)
        status = mt_argv_append(&fit->warnings, runs->warnings, err);
    if (status == MT_OK)
        status = choose_speed(fit, speed, program, err);
    if (status == MT_OK)
        status = begin_machine(fit, err);
    if (status == MT_OK) {
        struct mt_learn_nodes nodes = {.most_ranks = find_most_ranks(fit),
                                       .wiring = fit->machine.wiring,
                                       .ncaches = fit->ncaches,
                                       .disturbed =
                                           !mt_cluster_simulated(fit->cluster)};
        memcpy(nodes.caches, fit->caches, sizeof nodes.caches);
        take_points(&nodes, fit, &samples->links);
        status =
            mt_learn(&fit->learned, query->shape, runs->runs, runs->count, &nodes, err);
    }
    if (status == MT_OK)
        status = add_learned_warnings(fit, err);
    if (status == MT_OK)
        status = warn_of_few_repetitions(fit, err);
    fit->learned.from.runs = runs->made;
    if (status == MT_OK)
        status = add_algorithm(fit, program, err);
    return status;
}

void mt_machine_fit_clear(struct mt_machine_fit *fit)
{
    mt_group_runs_clear(&fit->runs);
    mt_learned_clear(&fit->learned);
    mt_machine_clear(&fit->machine);
    mt_argv_free(fit->warnings);
    *fit = (struct mt_machine_fit){0};
}

/* Write the machine, and check that it can be read again if possible. */
static int write_checked(const struct mt_machine *machine, const struct mt_draft *draft,
                         struct mt_error *err)
{
    struct mt_machine again = {0};
    int status = mt_machine_write(machine, draft->stream, err);
    if (status == MT_OK && draft->temporary && fflush(draft->stream) == 0)
        status = mt_machine_load(&again, draft->temporary, err);
    mt_machine_clear(&again);
    return status;
}

int mt_machine_fit_write(const struct mt_machine_fit *fit, const char *path,
                         struct mt_error *err)
{
    struct mt_draft draft;
    int status = mt_draft_open(&draft, path, err);
    if (status != MT_OK)
        return status;
    status = write_checked(&fit->machine, &draft, err);
    return mt_draft_close(&draft, status, err);
}
