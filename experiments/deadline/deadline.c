/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadline.c - how often a plan for a deadline keeps it. Usage:
 *
 *     deadline FOLDER TRIALS
 *
 * Each trial takes one of the recorded clusters and programs in FOLDER, gives its runs
 * noise, measures as `motley measure` does, and asks, with several confidences, for the
 * configuration that needs the least node time within a deadline at one of the sizes to
 * plan: the tightest for which there is one, and a longer one. Each of these is run
 * once. Results are JSON objects, one a line.
 */
#include "experiments/common/random.h"
#include "experiments/heho/predictor.h"
#include "motley/chance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const clusters[] = {"toyohashi-2", "toyohashi-3",  "attic",
                                       "generations", "two-switches", "noisy"};
static const char *const apps[] = {"lu", "jacobi", "fem", "fft"};
enum { CLUSTERS = 6, APPS = 4 };

static const double confidences[] = {0.5, 0.9, 0.95};
enum { CONFIDENCES = 3 };

/* The deviation of the logarithms of a run's seconds, and the repetition that judges:
   the training has others. */
static const double noise = 0.05;
enum { JUDGING_REPETITION = 1000 };

enum deadline { TIGHTEST, LONGER, DEADLINES };
static const char *const metrics[DEADLINES] = {
    [TIGHTEST] = "tightest deadlines kept", [LONGER] = "longer deadlines kept"};

struct tally {
    int trials, kept[DEADLINES][CONFIDENCES];
    double chance[DEADLINES][CONFIDENCES]; /* sums of those that were promised */
};

/* What a plan is made of: the points of a size, as they are predicted. */
struct choices {
    const struct predictor *predictor;
    struct point_range span;
    struct mt_prediction *predictions; /* owned; seconds of 0: there is none */
};

static int predict_all(struct choices *choices, struct mt_error *err)
{
    const int count = choices->span.end - choices->span.first;
    choices->predictions = calloc((size_t)count, sizeof *choices->predictions);
    if (!choices->predictions)
        return mt_fail(err, MT_ENOMEM, "no memory for %d predictions", count);
    for (int i = 0; i < count; i++)
        if (predictor_predict(choices->predictor, choices->span.first + i,
                              &choices->predictions[i], NULL) != MT_OK)
            choices->predictions[i] = (struct mt_prediction){0};
    return MT_OK;
}

/* The shortest time that can be promised. */
static double shortest(const struct choices *choices, double confidence)
{
    double least = INFINITY;
    for (int i = 0; i < choices->span.end - choices->span.first; i++)
        if (choices->predictions[i].seconds > 0)
            least = fmin(
                least, mt_prediction_seconds_at(&choices->predictions[i], confidence));
    return least;
}

/* The one of the least node time that keeps the deadline with that confidence; -1: none
   does. */
static int choose(const struct choices *choices, double deadline, double confidence)
{
    const struct mt_sample *points = choices->predictor->replay->recorded->points;
    double least = INFINITY;
    int chosen = -1;
    for (int i = 0; i < choices->span.end - choices->span.first; i++) {
        const struct mt_prediction *prediction = &choices->predictions[i];
        const double cost =
            prediction->seconds *
            mt_configuration_nodes(&points[choices->span.first + i].configuration);
        if (cost > 0 && cost < least &&
            mt_prediction_seconds_at(prediction, confidence) <= deadline) {
            least = cost;
            chosen = i;
        }
    }
    return chosen;
}

static void judge(struct tally *tally, const struct choices *choices,
                  struct random *random)
{
    const double longer = random_log_between(random, 1, 2.5);
    tally->trials++;
    for (int i = 0; i < DEADLINES * CONFIDENCES; i++) {
        const int d = i / CONFIDENCES, c = i % CONFIDENCES;
        const double deadline =
            shortest(choices, confidences[c]) * (d == LONGER ? longer : 1);
        const int chosen = choose(choices, deadline, confidences[c]);
        const double seconds =
            replay_run(choices->predictor->replay, choices->span.first + chosen,
                       JUDGING_REPETITION)
                .seconds;
        tally->kept[d][c] += seconds <= deadline;
        tally->chance[d][c] +=
            mt_prediction_chance(&choices->predictions[chosen], deadline);
    }
}

static void print(const struct tally *tally)
{
    for (int i = 0; i < DEADLINES * CONFIDENCES; i++) {
        const int d = i / CONFIDENCES, c = i % CONFIDENCES;
        printf("{\"experiment\": \"deadline\", \"confidence\": %g, \"trials\": %d, "
               "\"noise\": %g, \"metric\": \"%s\", \"value\": %.4f, \"promised\": "
               "%.4f, \"unit\": \"1\", \"simulated\": true}\n",
               confidences[c], tally->trials, noise, metrics[d],
               (double)tally->kept[d][c] / tally->trials,
               tally->chance[d][c] / tally->trials);
    }
}

/* One of the sizes to plan that have truth. */
static struct point_range draw_size(const struct recorded *recorded,
                                    struct random *random)
{
    const struct mt_program *program = &recorded->inputs.program;
    struct point_range span;
    do
        span = recorded_truth_at(
            recorded,
            program->plan_sizes[random_integer(random, 0, program->nplan_sizes - 1)]);
    while (span.first == span.end);
    return span;
}

static int try_once(struct tally *tally, const struct recorded *recorded, uint64_t seed,
                    struct mt_error *err)
{
    struct random random = random_make(seed, "deadline");
    const struct replay replay = {.recorded = recorded, .noise = noise, .seed = seed};
    const struct trial_options options = {.kind = MT_MODEL_AUTO};
    struct predictor predictor = {0};
    struct choices choices = {.predictor = &predictor,
                              .span = draw_size(recorded, &random)};
    int status = predictor_init(&predictor, &replay, &options, err);
    if (status == MT_OK)
        status = predict_all(&choices, err);
    if (status == MT_OK)
        judge(tally, &choices, &random);
    free(choices.predictions);
    predictor_clear(&predictor);
    return status;
}

/* Every cluster and program has its turn, with other noise each time. */
static int try_all(struct tally *tally, const char *folder, int trials,
                   struct mt_error *err)
{
    int status = MT_OK;
    for (int c = 0; c < CLUSTERS * APPS && status == MT_OK; c++) {
        struct recorded recorded = {0};
        status =
            recorded_load(&recorded, folder, clusters[c / APPS], apps[c % APPS], err);
        for (int t = c; t < trials && status == MT_OK; t += CLUSTERS * APPS)
            status = try_once(tally, &recorded, (uint64_t)t + 1, err);
        recorded_clear(&recorded);
    }
    return status;
}

int main(int argc, char **argv)
{
    struct mt_error err = {0};
    struct tally tally = {0};
    const int trials = argc == 3 ? (int)strtol(argv[2], NULL, 10) : 0;
    if (trials < 1) {
        fprintf(stderr, "usage: deadline FOLDER TRIALS\n");
        return 2;
    }
    if (try_all(&tally, argv[1], trials, &err) != MT_OK) {
        fprintf(stderr, "deadline: %s\n", err.text);
        return 1;
    }
    print(&tally);
    return 0;
}
