/* SPDX-License-Identifier: BSD-3-Clause */
/* motley run: plan, start the program on the best nodes, and compare. */
#include "cli/common/command.h"
#include "cli/common/inputs.h"
#include "cli/process/memory.h"
#include "lib/input/internal.h"
#include "lib/plan/internal.h"
#include "lib/store/internal.h"

#include "cli/common/format.h"
#include "cli/common/json.h"
#include "cli/launch/preload.h"
#include "cli/measure/campaign.h"
#include "cli/run/down.h"
#include "cli/run/submit.h"
#include "lib/base/options.h"
#include "planning.h"
#include "weights.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* What the options say; popt writes here. */
static struct {
    const char *configuration;
    int weights;
    const char *timeout;
    struct mt_number_option seed;
} wanted = {.seed = {.most = MT_MOST_SEED}};

static const struct poptOption options[] = {
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_planning_size_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_planning_options, 0, NULL, NULL},
    {"configuration", 0, POPT_ARG_STRING, &wanted.configuration, 0,
     "run on this one instead of the planned one", "CONFIGURATION"},
    {"weights", 0, POPT_ARG_NONE, &wanted.weights, 0,
     "divide the work unevenly, as 'motley weights' says", NULL},
    {"timeout", 0, POPT_ARG_STRING, &wanted.timeout, 0,
     "stop the run after this time, as '2 h' (default: never)", "TIME"},
    {"seed", 0, POPT_ARG_STRING, &wanted.seed, MT_OPTION_NUMBER,
     "of simulated noise (default: 0)", "NUMBER"},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_submit_options, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_patience_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

/* The run, and its prediction. */
struct planned_run {
    struct mt_inputs *inputs;
    struct mt_task task;
    char *text;     /* owned; the configuration's */
    double timeout; /* seconds */
    enum mt_patience patience;
    struct mt_submit submit;
    bool predicted;
    struct mt_prediction prediction;
    struct mt_weighing weighing; /* of --weights; else empty */
};

/* Take the user's configuration; a prediction is optional. */
static int take_configuration(struct planned_run *planned,
                              const struct mt_question *question,
                              enum mt_model_kind kind, struct mt_error *err)
{
    const struct mt_cluster *cluster = &planned->inputs->cluster;
    const struct mt_program *program = &planned->inputs->program;
    struct mt_predictor predictor = {0};
    const int status = mt_configuration_option(&planned->task.configuration, cluster,
                                               wanted.configuration, err);
    if (status != MT_OK)
        return status;
    if (!mt_plan_fits(cluster, program, &planned->task.configuration, question->size))
        return mt_fail(err, MT_EINVAL,
                       "program '%s' may not run at N = %.15g on '%s': its 'valid' or "
                       "the nodes' memory excludes it",
                       program->name, question->size, wanted.configuration);
    planned->predicted =
        mt_planning_load(&predictor, planned->inputs, kind, NULL) == MT_OK &&
        mt_predictor_predict(&predictor, &planned->task.configuration, question->size,
                             &planned->prediction, NULL) == MT_OK;
    mt_predictor_clear(&predictor);
    return MT_OK;
}

static int take_plan(struct planned_run *planned, const struct mt_question *question,
                     enum mt_model_kind kind, struct mt_error *err)
{
    struct mt_predictor predictor = {0};
    struct mt_plan plan = {0};
    int status = mt_planning_ready(&predictor, planned->inputs, kind, question, err);
    if (status == MT_OK)
        status = mt_planning_make(&plan, &predictor, question, false, err);
    if (status == MT_OK) {
        planned->task.configuration = plan.choices[0].configuration;
        planned->prediction = plan.choices[0].prediction;
        planned->predicted = true;
    }
    mt_plan_clear(&plan);
    mt_predictor_clear(&predictor);
    return status;
}

/* The program name in the store and in messages for a run with weights, whose time is
   unrelated to the evenly divided runs that models are fitted to. */
static void rename_program(struct mt_program *program)
{
    char *name = mt_asprintf("%s with weights", program->name);
    free(program->name);
    program->name = name;
}

static int take_weights(struct planned_run *planned, const struct mt_question *question,
                        struct mt_error *err)
{
    struct mt_program *program = &planned->inputs->program;
    if (!program->weights)
        return mt_fail(err, MT_EINVAL,
                       "--weights: program '%s' takes none: nothing in its file stands "
                       "for them, as {weights} or {weights_file} in its command",
                       program->name);
    int status = mt_weighing_make(&planned->weighing, planned->inputs, question->size,
                                  wanted.configuration, err);
    if (status == MT_OK)
        rename_program(program);
    if (status != MT_OK)
        return status;
    mt_submit_collect(planned->inputs);
    planned->task.configuration = planned->weighing.weights.configuration;
    planned->prediction = planned->weighing.weights.prediction;
    planned->predicted = true;
    return MT_OK;
}

/* "weights        xeon 1.362, celeron 0.6378" */
static void print_weights(const struct planned_run *planned)
{
    const struct mt_weighing *weighing = &planned->weighing;
    const struct mt_cluster *cluster = &planned->inputs->cluster;
    const char *before = "weights        ";
    for (int g = 0; weighing->list && g < cluster->ngroups; g++) {
        if (weighing->weights.share[g] > 0)
            printf("%s%s %.4g", before, cluster->groups[g].name,
                   weighing->weights.share[g] * weighing->ranks);
        before = weighing->weights.share[g] > 0 ? ", " : before;
    }
    if (weighing->list)
        putchar('\n');
}

static void print_text(const struct planned_run *planned, const struct mt_run *run)
{
    const struct mt_prediction *p = &planned->prediction;
    char measured[32], predicted[32], low[32], high[32];
    printf("configuration  %s, P = %d\n", planned->text,
           mt_configuration_ranks(&planned->task.configuration));
    print_weights(planned);
    printf("measured       %s%s\n", mt_format_seconds(measured, run->seconds),
           run->simulated ? " (simulated)" : "");
    if (planned->predicted)
        printf("predicted      %s (90 %%: %s - %s), %+.1f %%%s\n",
               mt_format_seconds(predicted, p->seconds), mt_format_seconds(low, p->low),
               mt_format_seconds(high, p->high), 100 * (p->seconds / run->seconds - 1),
               p->unseen         ? ", a guess: nothing like it was run"
               : p->extrapolated ? ", extrapolated"
                                 : "");
    else
        puts("predicted      -");
}

static void print_json(const struct planned_run *planned, const struct mt_run *run)
{
    json_t *predicted =
        planned->predicted ? mt_prediction_json(&planned->prediction) : json_null();
    mt_document_print(
        "motley/run", 1,
        json_pack("{s:b, s:s, s:s, s:s, s:o, s:i, s:o, s:I, s:o, s:o}", "simulated",
                  (int)run->simulated, "cluster", run->cluster, "program", run->program,
                  "configuration", planned->text, "size", mt_json_number(run->size),
                  "ranks", mt_configuration_ranks(&planned->task.configuration),
                  "weights",
                  planned->weighing.list
                      ? mt_json_numbers(planned->weighing.list, planned->weighing.ranks)
                      : json_null(),
                  "run", (json_int_t)run->id, "seconds", mt_json_number(run->seconds),
                  "predicted", predicted),
        stdout);
}

/* The cause of a failed run has been listed already. */
static int report(const struct planned_run *planned, const struct mt_run *run,
                  struct mt_error *err)
{
    if (run->outcome != MT_RUN_OK && run->down)
        return mt_fail(err, MT_EIO,
                       "the run on '%s' failed: no answer from %s; the next plan "
                       "leaves out nodes that do not answer: run again",
                       planned->text, run->down);
    if (run->outcome != MT_RUN_OK)
        return mt_fail(err, MT_EIO, "the run on '%s' failed", planned->text);
    if (mt_common.json)
        print_json(planned, run);
    else
        print_text(planned, run);
    return MT_OK;
}

/* Announce the run before it starts, as it may take long. */
static void announce(const struct planned_run *planned)
{
    char seconds[32];
    fprintf(stderr, "motley: starting %s, N = %.15g, on %s",
            planned->inputs->program.name, planned->task.size, planned->text);
    if (planned->predicted)
        fprintf(stderr, "; predicted: %s%s",
                mt_format_seconds(seconds, planned->prediction.seconds),
                mt_cluster_simulated(&planned->inputs->cluster) ? " (simulated)" : "");
    fputc('\n', stderr);
}

/* Slurm counts time limits in minutes, and a job also needs time to start. */
enum { SHORTEST_LIMIT = 60 };

static int carry_out(struct planned_run *planned, int *exit_status,
                     struct mt_error *err)
{
    struct mt_campaign campaign = {
        .cluster = &planned->inputs->cluster,
        .program = &planned->inputs->program,
        .weights = planned->weighing.list,
        .seed = (unsigned)wanted.seed.value,
        .jobs = 1,
        .timeout = planned->timeout,
        .quiet = true,
        .patience = planned->patience,
        .submit = planned->submit,
        .once = true,
        .keep_folders = true,
        .echo = mt_common.json ? STDERR_FILENO : STDOUT_FILENO,
    };
    struct mt_run run = {0};
    int interrupted = 0;
    if (campaign.submit.wanted && !wanted.timeout && planned->predicted)
        campaign.timeout = fmax(planned->prediction.high, SHORTEST_LIMIT);
    int status = mt_campaign_check(&campaign, err);
    if (status == MT_OK)
        status = mt_store_open(&campaign.store, mt_common.db, MT_STORE_WRITE, err);
    if (status == MT_OK)
        status = mt_store_claim(campaign.store, err);
    if (status == MT_OK) {
        announce(planned);
        status = mt_single_run(&campaign, &planned->task, &run, &interrupted, err);
    }
    if (status == MT_OK && interrupted) {
        mt_fail(err, MT_EIO,
                campaign.submit.wanted ? "the job for '%s' is not waited for"
                                       : "the run on '%s' was stopped and is not kept",
                planned->text);
        *exit_status = EXIT_SIGNALLED + interrupted;
    } else if (status == MT_OK)
        status = report(planned, &run, err);
    mt_run_clear(&run);
    mt_store_close(campaign.store);
    return status;
}

static int choose_and_run(struct planned_run *planned,
                          const struct mt_question *question, enum mt_model_kind kind,
                          int *exit_status, struct mt_error *err)
{
    int status;
    if (wanted.weights)
        status = take_weights(planned, question, err);
    else if (wanted.configuration)
        status = take_configuration(planned, question, kind, err);
    else
        status = take_plan(planned, question, kind, err);
    if (status != MT_OK)
        return status;
    planned->text = mt_need(mt_configuration_format(&planned->task.configuration,
                                                    &planned->inputs->cluster));
    return carry_out(planned, exit_status, err);
}

/* Options that restrict a plan are errors if nothing is planned. */
static int check_choice(const struct mt_question *question, enum mt_model_kind kind,
                        struct mt_error *err)
{
    if (wanted.weights && (kind != MT_MODEL_AUTO || question->objective != MT_FASTEST ||
                           mt_question_limits(question) || question->max_nodes > 0))
        return mt_fail(err, MT_EINVAL,
                       "--weights finds the least time by auto models: it does not go "
                       "with --model, --objective, --deadline, --budget, "
                       "--min-efficiency or --max-nodes");
    if (wanted.configuration &&
        (question->objective != MT_FASTEST || mt_question_limits(question) ||
         question->max_nodes > 0))
        return mt_fail(err, MT_EINVAL,
                       "--configuration leaves nothing to choose by --objective, "
                       "--deadline, --budget, --min-efficiency or --max-nodes");
    return MT_OK;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct mt_inputs inputs = {0};
    struct mt_question question;
    struct planned_run planned = {.inputs = &inputs, .timeout = INFINITY};
    enum mt_model_kind kind;
    int exit_status = EXIT_FINE;
    int status = mt_inputs_check(arguments, err);
    if (status == MT_OK)
        status = mt_planning_read(&question, &kind, err);
    if (status == MT_OK)
        status = check_choice(&question, kind, err);
    if (status == MT_OK)
        status = mt_positive_option(&planned.timeout, "--timeout", wanted.timeout,
                                    MT_SECONDS, err);
    if (status == MT_OK)
        status = mt_patience_read(&planned.patience, err);
    if (status == MT_OK)
        status = mt_inputs_load(&inputs, arguments, err);
    if (status != MT_OK)
        return mt_exit_status(status);
    planned.task.size = question.size;
    status = mt_submit_read(&planned.submit, &inputs.cluster, err);
    if (status == MT_OK)
        mt_submit_collect(&inputs);
    if (status == MT_OK)
        status = mt_down_ping_known(&inputs.cluster, err);
    if (status == MT_OK)
        status = mt_down_leave_out_known(&inputs.cluster, err);
    if (status == MT_OK)
        status = choose_and_run(&planned, &question, kind, &exit_status, err);
    mt_weighing_clear(&planned.weighing);
    free(planned.text);
    mt_inputs_clear(&inputs);
    return status == MT_OK ? exit_status : mt_exit_status(status);
}

const struct mt_command mt_command_run = {
    .name = "run",
    .arguments = "CLUSTER PROGRAM",
    .summary = "Run a program on the best nodes for a problem size",
    .options = options,
    .run = run,
};
