/* SPDX-License-Identifier: BSD-3-Clause */
#include "study.h"
#include "figures.h"
#include "line.h"

#include "cli/common/view.h"

#include <stdlib.h>

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

/* Every choice of the trials of a combination, as a table for people. */
static int print_detail(const struct combination *combination,
                        const struct trial *trials, int count, FILE *stream,
                        struct mt_error *err)
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
    return mt_view_print(&view, stream, err);
}

static int print_trials(const struct study *study,
                        const struct combination *combination,
                        const struct trial *trials, int count, FILE *stream,
                        struct mt_error *err)
{
    if (study->detail)
        return print_detail(combination, trials, count, stream, err);
    struct figures figures;
    const int status = figures_of(&figures, trials, count, err);
    return status != MT_OK ? status
                           : line_print(combination, &figures, NULL, stream, err);
}

/* The first `count` trials are without, the others with verification. */
static int print_both(const struct study *study, const struct combination *combination,
                      const struct trial *trials, int count, FILE *stream,
                      struct mt_error *err)
{
    struct combination plain = *combination;
    plain.options.verify = 0;
    int status = print_trials(study, &plain, trials, count, stream, err);
    if (status == MT_OK && combination->options.verify > 0)
        status = print_trials(study, combination, trials + count, count, stream, err);
    return status;
}

/* A model that the runs do not determine is a result, too. */
static int run_combination(const struct study *study,
                           const struct combination *combination, FILE *stream,
                           struct mt_error *err)
{
    const double noise = replay_noise(combination->recorded, combination->noise);
    const int seeds = noise > 0 ? study->seeds : 1;
    struct mt_error reason;
    struct trial *trials = calloc(2 * (size_t)seeds, sizeof *trials);
    if (!trials)
        return mt_fail(err, MT_ENOMEM, "no memory for %d seeds", seeds);
    struct trial *verified = trials + seeds;
    int status = MT_OK;
    for (int i = 0; i < seeds && status == MT_OK; i++) {
        const struct replay replay = {
            .recorded = combination->recorded, .noise = noise, .seed = (uint64_t)i + 1};
        status = trial_run(&trials[i], &verified[i], &replay, &combination->options,
                           &reason);
    }
    if (status == MT_OK)
        status = print_both(study, combination, trials, seeds, stream, err);
    else if (status == MT_ERANK || status == MT_ENOTFOUND)
        status = line_print(combination, NULL, reason.text, stream, err);
    else
        status = mt_fail(err, reason.status, "%s", reason.text);
    for (int i = 0; i < 2 * seeds; i++)
        trial_clear(&trials[i]);
    free(trials);
    return status;
}

static int parse_noise(double *noise, const char *text, struct mt_error *err)
{
    char *end;
    *noise = strtod(text, &end);
    if (end == text || *end || !(*noise >= 0 && *noise < 1))
        return mt_fail(err, MT_EINVAL,
                       "noise is a relative deviation, 0 or more and below 1, not '%s'",
                       text);
    return MT_OK;
}

static int run_models(const struct study *study, const struct recorded *recorded,
                      double noise, FILE *stream, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; i < study->models.count && status == MT_OK; i++) {
        struct combination combination = {.recorded = recorded,
                                          .noise = noise,
                                          .options = {.design = study->design,
                                                      .runs = study->runs,
                                                      .verify = study->verify}};
        status =
            mt_model_kind_parse(&combination.options.kind, study->models.words[i], err);
        if (combination.options.kind != MT_MODEL_AUTO)
            combination.options.verify = 0;
        if (status == MT_OK)
            status = run_combination(study, &combination, stream, err);
    }
    return status;
}

static int run_noises(const struct study *study, const struct recorded *recorded,
                      FILE *stream, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; i < study->noises.count && status == MT_OK; i++) {
        double noise = 0;
        status = parse_noise(&noise, study->noises.words[i], err);
        if (status == MT_OK)
            status = run_models(study, recorded, noise, stream, err);
    }
    return status;
}

/* `found` counts what is recorded. */
static int run_recorded(const struct study *study, const char *cluster, const char *app,
                        int *found, FILE *stream, struct mt_error *err)
{
    struct recorded recorded = {0};
    struct mt_error reason;
    int status = recorded_load(&recorded, study->folder, cluster, app, &reason);
    if (status == MT_ENOTFOUND) {
        fprintf(stderr, "heho: left out: %s\n", reason.text);
        return MT_OK;
    }
    if (status != MT_OK)
        return mt_fail(err, reason.status, "%s", reason.text);
    ++*found;
    status = run_noises(study, &recorded, stream, err);
    recorded_clear(&recorded);
    return status;
}

int study_run(const struct study *study, FILE *stream, struct mt_error *err)
{
    int found = 0, status = MT_OK;
    for (int c = 0; c < study->clusters.count && status == MT_OK; c++)
        for (int a = 0; a < study->apps.count && status == MT_OK; a++)
            status = run_recorded(study, study->clusters.words[c], study->apps.words[a],
                                  &found, stream, err);
    if (status == MT_OK && found == 0)
        status =
            mt_fail(err, MT_ENOTFOUND, "nothing is recorded in '%s'", study->folder);
    return status;
}
