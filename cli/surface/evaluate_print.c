/* SPDX-License-Identifier: BSD-3-Clause */
#include "evaluate.h"

#include "cli/common/table.h"

#include <math.h>

/* "+1.23 %"; the sign of what is nearly nothing is left out. */
static const char *format_error(char buffer[32], double error)
{
    const double percent = 100 * error;
    if (fabs(percent) < 0.005)
        snprintf(buffer, 32, "0.00 %%");
    else
        snprintf(buffer, 32, "%+.2f %%", percent);
    return buffer;
}

static void add_errors(struct mt_table *table, const char *name,
                       const struct mt_surface_pair *pairs, int count)
{
    const struct mt_surface_errors errors = mt_surface_errors(pairs, count);
    char points[16], mean[32], worst[32], nodes[16], size[32];
    if (count == 0)
        return;
    snprintf(points, sizeof points, "%d", errors.points);
    snprintf(mean, sizeof mean, "%.2f %%", 100 * errors.mean);
    snprintf(nodes, sizeof nodes, "%d", errors.worst->nodes);
    snprintf(size, sizeof size, "%.15g", errors.worst->size);
    mt_table_add(table, name, points, mean, format_error(worst, errors.worst->error),
                 nodes, size, NULL);
}

/* Within and beyond the nodes that the surface was learned on, and all. */
static int print_summary(const struct mt_surface_evaluation *evaluation, FILE *stream,
                         struct mt_error *err)
{
    const int learned = mt_surface_learned_pairs(evaluation);
    const int most = evaluation->surface.algorithm->learned.nodes;
    struct mt_table table = {0};
    mt_table_add(&table, "nodes", ">points", ">mean error", ">worst error", ">at nodes",
                 ">at size", NULL);
    if (evaluation->surface.algorithm->learned.runs > 0) {
        char within[48], beyond[48];
        snprintf(within, sizeof within, "up to %d: learned on", most);
        snprintf(beyond, sizeof beyond, "beyond %d", most);
        add_errors(&table, within, evaluation->pairs, learned);
        add_errors(&table, beyond, evaluation->pairs + learned,
                   evaluation->count - learned);
    }
    add_errors(&table, "all", evaluation->pairs, evaluation->count);
    return mt_table_print(&table, stream, err);
}

static void add_nodes(struct mt_table *table, const struct mt_surface_pair *pairs,
                      int count)
{
    const struct mt_surface_errors errors = mt_surface_errors(pairs, count);
    struct mt_surface_ridge ridge;
    char nodes[16], points[16], mean[32], worst[32], at[32];
    char best[32] = "-", predicted[32] = "-", steps[16] = "-", loss[32] = "-";
    snprintf(nodes, sizeof nodes, "%d", pairs[0].nodes);
    snprintf(points, sizeof points, "%d", count);
    snprintf(mean, sizeof mean, "%.2f %%", 100 * errors.mean);
    snprintf(at, sizeof at, "%.15g", errors.worst->size);
    if (mt_surface_ridge(&ridge, pairs, count)) {
        snprintf(best, sizeof best, "%.15g", ridge.size);
        snprintf(predicted, sizeof predicted, "%.15g", ridge.predicted_size);
        snprintf(steps, sizeof steps, "%d", ridge.steps);
        snprintf(loss, sizeof loss, "%.2f %%", 100 * ridge.loss);
    }
    mt_table_add(table, nodes, points, mean, format_error(worst, errors.worst->error),
                 at, best, predicted, steps, loss, NULL);
}

static int print_nodes(const struct mt_surface_evaluation *evaluation, FILE *stream,
                       struct mt_error *err)
{
    struct mt_table table = {0};
    mt_table_add(&table, ">nodes", ">points", ">mean error", ">worst error", ">at size",
                 ">best size", ">predicted", ">steps apart", ">loses", NULL);
    for (int first = 0, count; first < evaluation->count; first += count) {
        count = mt_surface_same_nodes(evaluation, first);
        add_nodes(&table, evaluation->pairs + first, count);
    }
    return mt_table_print(&table, stream, err);
}

static int print_worst(const struct mt_surface_evaluation *evaluation, FILE *stream,
                       struct mt_error *err)
{
    const struct mt_surface_pair *worst[MT_WORST_PAIRS];
    const int count = mt_surface_worst(worst, evaluation);
    struct mt_table table = {0};
    mt_table_add(&table, ">nodes", ">size", ">measured", ">predicted", ">efficiency",
                 ">predicted", ">error", NULL);
    for (int i = 0; i < count; i++) {
        const struct mt_surface_pair *pair = worst[i];
        char nodes[16], size[32], seconds[32], predicted[32], efficiency[32];
        char predicted_efficiency[32], error[32];
        snprintf(nodes, sizeof nodes, "%d", pair->nodes);
        snprintf(size, sizeof size, "%.15g", pair->size);
        snprintf(efficiency, sizeof efficiency, "%.4f", pair->efficiency);
        snprintf(predicted_efficiency, sizeof predicted_efficiency, "%.4f",
                 pair->predicted_efficiency);
        mt_table_add(&table, nodes, size, mt_format_seconds(seconds, pair->seconds),
                     mt_format_seconds(predicted, pair->predicted_seconds), efficiency,
                     predicted_efficiency, format_error(error, pair->error), NULL);
    }
    return mt_table_print(&table, stream, err);
}

int mt_surface_evaluation_print(const struct mt_surface_evaluation *evaluation,
                                FILE *stream, struct mt_error *err)
{
    const struct mt_inputs *inputs = &evaluation->inputs;
    fprintf(stream,
            "%s on %s%s: efficiency predicted by %s of machine %s, at %d points\n\n",
            inputs->program.name, inputs->cluster.name,
            mt_cluster_simulated(&inputs->cluster) ? " (simulated)" : "",
            evaluation->surface.algorithm->name, evaluation->surface.machine.name,
            evaluation->count);
    int status = print_summary(evaluation, stream, err);
    fprintf(stream, "\nFor each number of nodes, and the best of the sizes there\n");
    if (status == MT_OK)
        status = print_nodes(evaluation, stream, err);
    fprintf(stream, "\nThe largest errors\n");
    if (status == MT_OK)
        status = print_worst(evaluation, stream, err);
    return status;
}

int mt_surface_evaluation_print_csv(const struct mt_surface_evaluation *evaluation,
                                    FILE *stream, struct mt_error *err)
{
    const bool simulated = mt_cluster_simulated(&evaluation->inputs.cluster);
    fputs("nodes,size,seconds,predicted_seconds,efficiency,predicted_efficiency,"
          "error_percent,fits,simulated\n",
          stream);
    for (int i = 0; i < evaluation->count; i++) {
        const struct mt_surface_pair *pair = &evaluation->pairs[i];
        fprintf(stream, "%d,%.17g,%.9g,%.9g,%.9g,%.9g,%.6g,%s,%s\n", pair->nodes,
                pair->size, pair->seconds, pair->predicted_seconds, pair->efficiency,
                pair->predicted_efficiency, 100 * pair->error,
                pair->fits ? "true" : "false", simulated ? "true" : "false");
    }
    if (ferror(stream))
        return mt_fail(err, MT_EIO, "the CSV could not be written");
    return MT_OK;
}
