/* SPDX-License-Identifier: BSD-3-Clause */
/* plan --verify: run configurations that may be the best, and plan again. */
#include "verify.h"

#include "cli/common/format.h"
#include "cli/common/json.h"
#include "cli/measure/campaign.h"
#include "cli/process/memory.h"
#include "cli/run/record.h"
#include "cli/run/submit.h"
#include "lib/base/options.h"
#include "lib/design/tuning.h"
#include "lib/input/internal.h"
#include "lib/plan/internal.h"
#include "lib/store/internal.h"
#include "planning.h"
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Suggest verification if runs are expected to save a larger share of the time. Only
   the best MOST_CONTENDERS configurations count, as the work grows with their third
   power. */
static const double open_gain = 0.03;
enum { MOST_CONTENDERS = 128 };

int mt_verify_limit_read(struct mt_verify_limit *limit, char *text,
                         struct mt_error *err)
{
    struct mt_number_option runs = {.text = text, .least = 1, .most = MT_MOST_COUNT};
    if (strcmp(text, "auto") == 0) {
        *limit = (struct mt_verify_limit){MT_VERIFY_MOST, mt_verify_goal};
        return MT_OK;
    }
    const int status = mt_number_option_read(&runs, "--verify", err);
    if (status != MT_OK)
        return mt_fail(err, status, "%s, or 'auto'", err->text);
    *limit = (struct mt_verify_limit){.runs = (int)runs.value};
    return MT_OK;
}

int mt_verification_check(const struct mt_question *question, enum mt_model_kind kind,
                          struct mt_error *err)
{
    if (kind != MT_MODEL_AUTO)
        return mt_fail(err, MT_EINVAL, "--verify needs auto models, not %s models",
                       mt_model_kind_name(kind));
    if (question->objective != MT_FASTEST)
        return mt_fail(err, MT_EINVAL, "--verify looks for the fastest only");
    return MT_OK;
}

void mt_verification_clear(struct mt_verification *verification)
{
    free(verification->runs);
    *verification = (struct mt_verification){0};
}

/* The state of a verification. */
struct session {
    struct mt_inputs *inputs;
    const struct mt_question *question;
    struct mt_verify_limit limit;
    enum mt_patience patience;
    FILE *stream; /* the stream that lists the runs */
    struct mt_predictor predictor;
    struct mt_plan candidates;
    struct mt_verify verify;
    struct mt_campaign campaign;
    struct mt_streak streak;
    struct mt_verification *verification; /* what came of it */
};

/* The configurations to choose from, with all runs so far. */
static int find_candidates(struct session *s, struct mt_error *err)
{
    int status = mt_plan_candidates(&s->candidates, &s->predictor, s->question, err);
    if (status == MT_OK)
        status = mt_verify_init(&s->verify, &s->predictor, &s->candidates,
                                s->question->size, s->limit.runs, err);
    if (status == MT_OK)
        mt_verify_until(&s->verify, s->limit.goal);
    return status;
}

static int show_plan(struct session *s, struct mt_verification *verification,
                     struct mt_error *err)
{
    struct mt_plan plan = {0};
    struct mt_plan_report report = {
        .predictor = &s->predictor, .question = s->question, .plan = &plan};
    int status =
        mt_planning_ready(&s->predictor, s->inputs, MT_MODEL_AUTO, s->question, err);
    if (status == MT_OK)
        status = mt_planning_make(&plan, &s->predictor, s->question, false, err);
    if (status == MT_OK)
        verification->first = plan.choices[0].configuration;
    if (status == MT_OK && !mt_common.json)
        mt_plan_print_choices(&report);
    mt_plan_clear(&plan);
    return status;
}

/* Announce the expected time, and ask for consent unless a number of runs is given or
   time is simulated. The actual runs cannot be foreseen, so the estimate assumes the
   best ones. */
static int get_consent(struct session *s, struct mt_error *err)
{
    const struct mt_plan *plan = &s->candidates;
    const bool simulated = mt_cluster_simulated(&s->inputs->cluster);
    char text[MT_QUANTITY_TEXT];
    double seconds = 0;
    for (int i = 0; i < s->limit.runs; i++)
        seconds += plan->choices[i < plan->count ? i : 0].prediction.seconds;
    fprintf(stderr, "motley: up to %d runs", s->limit.runs);
    if (s->limit.goal > 0)
        fprintf(stderr, ", until the best is known with %.0f %%", 100 * s->limit.goal);
    fprintf(stderr, ", which take about %s by the predictions%s\n",
            mt_format_seconds(text, seconds), simulated ? " (simulated)" : "");
    if (s->limit.goal > 0 && !simulated && seconds > MT_LONG_CAMPAIGN &&
        !mt_consent_ask(seconds, s->limit.runs))
        return mt_fail(err, MT_EINVAL,
                       "the runs may take about %s: say how many to make, as in "
                       "--verify 3",
                       mt_format_seconds(text, seconds));
    return MT_OK;
}

static void print_run(const struct session *s, const struct mt_verified_run *run,
                      int number, const char *configuration)
{
    char predicted[32], measured[32];
    fprintf(s->stream, "run %d: %s, predicted %s, ", number, configuration,
            mt_format_seconds(predicted, run->predicted));
    if (isnan(run->measured))
        fputs("failed\n", s->stream);
    else
        fprintf(s->stream, "measured %s: x %.3f\n",
                mt_format_seconds(measured, run->measured),
                run->measured / run->predicted);
    fflush(s->stream);
}

static int make_run(void *context, const struct mt_proposal *proposal,
                    struct mt_observation *observation, struct mt_error *err)
{
    struct session *s = context;
    struct mt_verification *verification = s->verification;
    struct mt_task task = {.configuration = proposal->configuration,
                           .size = proposal->size};
    struct mt_run run = {0};
    const int status =
        mt_single_run(&s->campaign, &task, &run, &verification->interrupted, err);
    observation->stop = verification->interrupted != 0;
    if (status == MT_OK && !observation->stop) {
        observation->made = true;
        observation->seconds = run.outcome == MT_RUN_OK ? run.seconds : NAN;
        struct mt_verified_run *made = &verification->runs[verification->count++];
        *made = (struct mt_verified_run){.configuration = proposal->configuration,
                                         .predicted = proposal->seconds,
                                         .measured = observation->seconds};
        print_run(s, made, verification->count, run.configuration);
        observation->stop = mt_streak_is_hopeless(&s->streak);
    }
    mt_run_clear(&run);
    return status;
}

static int make_runs(struct session *s, struct mt_error *err)
{
    const struct mt_experimenter experimenter = {.run = make_run, .context = s};
    struct mt_verification *verification = s->verification;
    int status = mt_store_open(&s->campaign.store, mt_common.db, MT_STORE_WRITE, err);
    if (status == MT_OK)
        status = mt_store_claim(s->campaign.store, err);
    if (status == MT_OK)
        status = mt_verify_run(&s->verify, &experimenter, &verification->end, err);
    if (status == MT_OK && verification->interrupted == 0)
        status = mt_verify_outlook(&s->verify, &verification->outlook, err);
    mt_store_close(s->campaign.store);
    return status;
}

/* False without runs, which means that none promised a gain. */
static bool all_failed(const struct mt_verification *verification)
{
    for (int i = 0; i < verification->count; i++)
        if (!isnan(verification->runs[i].measured))
            return false;
    return verification->count > 0;
}

static int carry_out(struct session *s, struct mt_verification *verification,
                     struct mt_error *err)
{
    const double best = s->candidates.choices[0].prediction.seconds;
    s->campaign = (struct mt_campaign){
        .cluster = &s->inputs->cluster,
        .program = &s->inputs->program,
        .jobs = 1,
        .timeout = fmax(s->inputs->program.timeout, mt_verify_give_up * best),
        .part = true,
        .quiet = true,
        .streak = &s->streak,
        .patience = s->patience,
    };
    verification->runs = mt_calloc((size_t)s->limit.runs, sizeof *verification->runs);
    int status = mt_campaign_check(&s->campaign, err);
    if (status != MT_OK)
        return status;
    status = get_consent(s, err);
    if (status == MT_OK)
        status = make_runs(s, err);
    if (status == MT_OK && verification->interrupted != 0)
        fprintf(stderr, "motley: stopped; runs that are kept: %d\n",
                verification->count);
    else if (status == MT_OK && all_failed(verification))
        status = mt_fail(err, MT_EIO, "no run succeeded, of %d", verification->count);
    return status;
}

int mt_verification_make(struct mt_verification *verification, struct mt_inputs *inputs,
                         const struct mt_question *question,
                         const struct mt_verify_limit *limit, enum mt_patience patience,
                         struct mt_error *err)
{
    struct session s = {.inputs = inputs,
                        .question = question,
                        .limit = *limit,
                        .patience = patience,
                        .stream = mt_common.json ? stderr : stdout,
                        .verification = verification};
    verification->goal = limit->goal;
    int status = show_plan(&s, verification, err);
    if (status == MT_OK)
        status = find_candidates(&s, err);
    if (status == MT_OK)
        status = carry_out(&s, verification, err);
    mt_streak_clear(&s.streak);
    mt_verify_clear(&s.verify);
    mt_plan_clear(&s.candidates);
    mt_predictor_clear(&s.predictor);
    return status;
}

void mt_verification_judge(struct mt_verification *verification,
                           const struct mt_predictor *predictor, double size)
{
    struct mt_prediction prediction = {.seconds = NAN};
    const int status =
        mt_predictor_predict(predictor, &verification->first, size, &prediction, NULL);
    verification->first_seconds = status == MT_OK ? prediction.seconds : NAN;
}

/* For JSON. */
static const char *end_name(const struct mt_verification *verification)
{
    if (verification->end == MT_END_RUNS_USED)
        return "runs-used";
    return verification->goal > 0 &&
                   verification->outlook.confidence >= verification->goal
               ? "known"
               : "settled";
}

static void print_end(const struct mt_verification *verification)
{
    const double known = 100 * verification->outlook.confidence;
    if (verification->end == MT_END_RUNS_USED)
        printf("stopped as the runs are used up: ");
    else if (strcmp(end_name(verification), "known") != 0)
        printf("stopped as no run promises more: ");
    printf("with %.0f %% confidence, no other configuration is over %.1f %% faster\n",
           known, 100 * mt_as_good);
}

static void print_result(const struct mt_verification *verification,
                         const struct mt_choice *best, const char *now,
                         const char *first)
{
    const double longer = verification->first_seconds / best->prediction.seconds - 1;
    if (verification->count == 0) {
        printf("not verified by a further run, as none promises more: %s stays the "
               "best\n",
               now);
        return;
    }
    printf("verified by %d run%s: ", verification->count,
           verification->count == 1 ? "" : "s");
    if (mt_configuration_equal(&best->configuration, &verification->first))
        printf("%s stays the best\n", now);
    else
        printf("%s is the best now; %s is expected to take %.1f %% longer\n", now,
               first, 100 * longer);
}

void mt_verification_print(const struct mt_verification *verification,
                           const struct mt_inputs *inputs, const struct mt_choice *best)
{
    char *now =
        mt_need(mt_configuration_format(&best->configuration, &inputs->cluster));
    char *first =
        mt_need(mt_configuration_format(&verification->first, &inputs->cluster));
    print_result(verification, best, now, first);
    print_end(verification);
    free(now);
    free(first);
}

/* The runs, for JSON; they were printed as they ended. */
static json_t *runs_json(const struct mt_verification *verification,
                         const struct mt_cluster *cluster)
{
    json_t *list = json_array();
    for (int i = 0; i < verification->count; i++) {
        const struct mt_verified_run *run = &verification->runs[i];
        char *text = mt_need(mt_configuration_format(&run->configuration, cluster));
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:o}", "configuration", mt_json_text(text),
                            "predicted", mt_json_number(run->predicted), "measured",
                            mt_json_number(run->measured)));
        free(text);
    }
    return list;
}

json_t *mt_verification_json(const struct mt_verification *verification,
                             const struct mt_cluster *cluster)
{
    if (!verification)
        return json_null();
    char *first = mt_need(mt_configuration_format(&verification->first, cluster));
    json_t *json =
        json_pack("{s:o, s:o, s:o, s:o, s:s, s:o}", "first", mt_json_text(first),
                  "first_seconds", mt_json_number(verification->first_seconds),
                  "confidence", mt_json_number(verification->outlook.confidence),
                  "gain", mt_json_number(verification->outlook.gain), "stopped",
                  end_name(verification), "runs", runs_json(verification, cluster));
    free(first);
    return json;
}

int mt_verification_suggest(const struct mt_predictor *predictor,
                            const struct mt_plan *plan, double size,
                            struct mt_error *err)
{
    struct mt_configuration configurations[MOST_CONTENDERS];
    const int count = plan->count < MOST_CONTENDERS ? plan->count : MOST_CONTENDERS;
    struct mt_outlook outlook;
    for (int i = 0; i < count; i++)
        configurations[i] = plan->choices[i].configuration;
    const struct mt_contest contest = {.problem = &predictor->problem,
                                       .size = size,
                                       .configurations = configurations,
                                       .count = count};
    const int status = mt_outlook_find(&outlook, &contest, err);
    if (status == MT_OK && outlook.gain > open_gain)
        fprintf(
            stderr,
            "motley: which of these is the best is open: --verify auto, which makes "
            "runs, is expected to save %.0f %%\n",
            100 * outlook.gain);
    return status;
}
