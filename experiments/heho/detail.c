/* SPDX-License-Identifier: BSD-3-Clause */
#include "detail.h"

#include "cli/common/table.h"

#include <stdlib.h>

static const char *format_percent(char buffer[32], double share)
{
    snprintf(buffer, 32, "%+.1f %%", 100 * share);
    return buffer;
}

static int add_verdict(struct mt_table *table, const struct recorded *recorded,
                       int seed, const struct verdict *verdict, struct mt_error *err)
{
    const struct mt_cluster *cluster = &recorded->inputs.cluster;
    const struct mt_prediction *predicted = &verdict->prediction;
    char seed_text[32], size[32], truth[32], least[32], regret[32], seconds[32],
        off[32], low[32], high[32];
    char *chosen = mt_configuration_format(
        &recorded->points[verdict->chosen].configuration, cluster);
    char *best = mt_configuration_format(&recorded->points[verdict->best].configuration,
                                         cluster);
    int status = MT_OK;
    snprintf(seed_text, sizeof seed_text, "%d", seed);
    snprintf(size, sizeof size, "%.15g", verdict->size);
    if (chosen && best)
        mt_table_add(table, seed_text, size, chosen,
                     mt_format_seconds(truth, verdict->chosen_seconds), best,
                     mt_format_seconds(least, verdict->best_seconds),
                     format_percent(regret, verdict_regret(verdict)),
                     mt_format_seconds(seconds, predicted->seconds),
                     format_percent(off, verdict_error(verdict)),
                     mt_format_seconds(low, predicted->low),
                     mt_format_seconds(high, predicted->high),
                     verdict->covered ? "yes" : "no", NULL);
    else
        status = mt_fail(err, MT_ENOMEM, "no memory for a configuration");
    free(chosen);
    free(best);
    return status;
}

int detail_print(const struct combination *combination, const struct trial *trials,
                 int count, FILE *stream, struct mt_error *err)
{
    const struct mt_inputs *inputs = &combination->recorded->inputs;
    struct mt_table table = {0};
    int status = MT_OK;
    fprintf(stream, "%s, %s, noise %g, %s (%s)%s\n", inputs->cluster.name,
            inputs->program.name, combination->noise,
            mt_model_kind_name(combination->options.kind),
            mt_cluster_simulated(&inputs->cluster) ? "simulated" : "measured",
            combination->options.verify > 0 ? ", verified" : "");
    mt_table_add(&table, ">seed", ">size", "chosen", ">truth", "best", ">truth",
                 ">regret", ">predicted", ">error", ">low", ">high", "covers", NULL);
    for (int t = 0; t < count; t++)
        for (int i = 0; i < trials[t].count && status == MT_OK; i++)
            status = add_verdict(&table, combination->recorded, t + 1,
                                 &trials[t].verdicts[i], err);
    const int printed = mt_table_print(&table, stream, status == MT_OK ? err : NULL);
    return status != MT_OK ? status : printed;
}
