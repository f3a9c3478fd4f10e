/* SPDX-License-Identifier: BSD-3-Clause */
#include "detail.h"

#include "cli/common/view.h"

enum {
    SEED,
    SIZE,
    CHOSEN,
    CHOSEN_SECONDS,
    BEST,
    BEST_SECONDS,
    REGRET,
    PREDICTED,
    ERROR,
    LOW,
    HIGH,
    COVERS,
    COLUMNS
};
static const struct mt_column columns[COLUMNS] = {
    [SEED] = {NULL, "seed", MT_COLUMN_COUNT},
    [SIZE] = {NULL, "size", MT_COLUMN_COUNT},
    [CHOSEN] = {NULL, "chosen", MT_COLUMN_TEXT},
    [CHOSEN_SECONDS] = {NULL, "truth", MT_COLUMN_SECONDS},
    [BEST] = {NULL, "best", MT_COLUMN_TEXT},
    [BEST_SECONDS] = {NULL, "truth", MT_COLUMN_SECONDS},
    [REGRET] = {NULL, "regret", MT_COLUMN_CHANGE},
    [PREDICTED] = {NULL, "predicted", MT_COLUMN_SECONDS},
    [ERROR] = {NULL, "error", MT_COLUMN_CHANGE},
    [LOW] = {NULL, "low", MT_COLUMN_SECONDS},
    [HIGH] = {NULL, "high", MT_COLUMN_SECONDS},
    [COVERS] = {NULL, "covers", MT_COLUMN_FLAG},
};

static void view_configuration(struct mt_view *view, int column,
                               const struct recorded *recorded, int point)
{
    mt_view_own_text(view, column,
                     mt_configuration_format(&recorded->points[point].configuration,
                                             &recorded->inputs.cluster));
}

static void view_verdict(struct mt_view *view, const struct recorded *recorded,
                         int seed, const struct verdict *verdict)
{
    mt_view_row(view);
    mt_view_number(view, SEED, seed);
    mt_view_number(view, SIZE, verdict->size);
    view_configuration(view, CHOSEN, recorded, verdict->chosen);
    mt_view_number(view, CHOSEN_SECONDS, verdict->chosen_seconds);
    view_configuration(view, BEST, recorded, verdict->best);
    mt_view_number(view, BEST_SECONDS, verdict->best_seconds);
    mt_view_number(view, REGRET, verdict_regret(verdict));
    mt_view_number(view, PREDICTED, verdict->prediction.seconds);
    mt_view_number(view, ERROR, verdict_error(verdict));
    mt_view_number(view, LOW, verdict->prediction.low);
    mt_view_number(view, HIGH, verdict->prediction.high);
    mt_view_flag(view, COVERS, verdict->covered);
}

int detail_print(const struct combination *combination, const struct trial *trials,
                 int count, FILE *stream, struct mt_error *err)
{
    const struct mt_inputs *inputs = &combination->recorded->inputs;
    struct mt_view view = {.columns = columns, .ncolumns = COLUMNS};
    fprintf(stream, "%s, %s, noise %g, %s (%s)%s\n", inputs->cluster.name,
            inputs->program.name, combination->noise,
            mt_model_kind_name(combination->options.kind),
            mt_cluster_simulated(&inputs->cluster) ? "simulated" : "measured",
            combination->options.verify > 0 ? ", verified" : "");
    for (int t = 0; t < count; t++)
        for (int i = 0; i < trials[t].count; i++)
            view_verdict(&view, combination->recorded, t + 1, &trials[t].verdicts[i]);
    const int status = mt_view_print(&view, stream, err);
    mt_view_clear(&view);
    return status;
}
