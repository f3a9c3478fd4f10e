/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether "the best is known with 95 %" is true in 95 of 100 cases: made-up clusters
   whose times follow a simple law, with an error of each configuration, and noise. */
#include "lib/design/internal.h"
#include "lib/design/tuning.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "lib/plan/internal.h"
#include "tests/unit/lib/model/fit_cases.h"

enum { CASES = 50, MOST_CONFIGURATIONS = 200, SIZES = 2 };
static const double sizes[SIZES] = {400, 800};

/* N^3 / (speed P) + start + log2(P) message, times a factor of each configuration. */
struct truth {
    double speeds[3]; /* of xeon x1, xeon x2, celeron */
    double start, message;
    double spread; /* of the factors' logarithms */
    struct mt_configuration all[MOST_CONFIGURATIONS];
    double factors[MOST_CONFIGURATIONS];
    int count;
};

static void make_truth(struct truth *truth, unsigned *seed)
{
    struct mt_configuration configuration = {0};
    *truth = (struct truth){.spread = 0.02 + 0.02 * fabs(normal(seed))};
    for (int i = 0; i < 3; i++)
        truth->speeds[i] = 1e8 * exp(0.3 * normal(seed));
    truth->start = 0.02 * exp(normal(seed));
    truth->message = 0.02 * exp(normal(seed));
    while (mt_configuration_next(&configuration, &case_cluster)) {
        assert_true(truth->count < MOST_CONFIGURATIONS);
        truth->all[truth->count] = configuration;
        truth->factors[truth->count++] = exp(truth->spread * normal(seed));
    }
}

static double true_seconds(const struct truth *truth,
                           const struct mt_configuration *configuration, double size)
{
    const struct mt_use *use = configuration->use;
    const int ranks = mt_configuration_ranks(configuration);
    double speed = INFINITY;
    int i = 0;
    if (use[XEON].nodes > 0)
        speed = truth->speeds[use[XEON].layout.processes - 1];
    if (use[CELERON].nodes > 0)
        speed = fmin(speed, truth->speeds[2]);
    while (!mt_configuration_equal(&truth->all[i], configuration))
        i++;
    return truth->factors[i] * (size * size * size / (speed * ranks) + truth->start +
                                truth->message * log2(ranks));
}

/* Each group and layout on one node, on three, and on all, at both sizes. */
static void measure(struct runs *runs, const struct truth *truth, unsigned *seed)
{
    static const int nodes[] = {1, 3, 8};
    for (int s = 0; s < SIZES; s++)
        for (int n = 0; n < 3; n++)
            for (int layout = 0; layout < 3; layout++) {
                add_run(runs, layout < 2 ? XEON : CELERON, nodes[n],
                        layout == 1 ? 2 : 1, sizes[s], 1);
                struct mt_sample *run = &runs->all[runs->count - 1];
                run->seconds = true_seconds(truth, &run->configuration, run->size) *
                               exp(0.01 * normal(seed));
            }
}

/* The claim of a verification after some runs, and whether it is true. */
struct claim {
    double confidence;
    bool holds;
};

static bool is_true(const struct mt_verify *verify, const struct truth *truth)
{
    const double size = sizes[SIZES - 1];
    double best = INFINITY;
    for (int i = 0; i < truth->count; i++)
        best = fmin(best, true_seconds(truth, &truth->all[i], size));
    return true_seconds(truth, mt_verify_best(verify), size) <= best * (1 + mt_as_good);
}

/* The first claim of at least 90 %, as runs are made. */
static struct claim claim_by_runs(struct mt_verify *verify, const struct truth *truth,
                                  unsigned *seed)
{
    for (;;) {
        struct mt_proposal next;
        struct mt_observation seen = {.made = true};
        struct mt_outlook outlook;
        enum mt_end end;
        assert_int_equal(mt_verify_outlook(verify, &outlook, NULL), MT_OK);
        assert_int_equal(mt_verify_next(verify, &next, &end, NULL), MT_OK);
        if (outlook.confidence >= 0.9 || end != MT_END_NONE)
            return (struct claim){outlook.confidence, is_true(verify, truth)};
        seen.seconds = true_seconds(truth, &next.configuration, next.size) *
                       exp(0.01 * normal(seed));
        assert_int_equal(mt_verify_observe(verify, &next, &seen, NULL), MT_OK);
    }
}

static struct claim make_claim(unsigned number)
{
    unsigned seed = number * 2654435761u + 1;
    const double size = sizes[SIZES - 1];
    const struct mt_question question = {.size = size};
    const struct mt_fit_options options = {.kind = MT_MODEL_AUTO};
    struct mt_program program = {.name = program_name, .work = parse_expr("N^3")};
    struct truth truth;
    struct runs runs = {.count = 0};
    struct mt_predictor predictor = {.fitted = false};
    struct mt_plan plan = {0};
    struct mt_verify verify = {0};
    make_truth(&truth, &seed);
    measure(&runs, &truth, &seed);
    struct mt_samples samples = {.samples = calloc(MOST_RUNS, sizeof *runs.all),
                                 .count = runs.count};
    assert_non_null(samples.samples);
    memcpy(samples.samples, runs.all, (size_t)runs.count * sizeof *runs.all);
    assert_int_equal(
        mt_predictor_fit(&predictor, &case_cluster, &program, &samples, &options, NULL),
        MT_OK);
    assert_int_equal(mt_plan_candidates(&plan, &predictor, &question, NULL), MT_OK);
    assert_int_equal(mt_verify_init(&verify, &predictor, &plan, size, 8, NULL), MT_OK);
    const struct claim claim = claim_by_runs(&verify, &truth, &seed);
    mt_verify_clear(&verify);
    mt_plan_clear(&plan);
    mt_predictor_clear(&predictor);
    mt_expr_free(program.work);
    return claim;
}

/* Claims with 90 to 98 % are true in this share of cases, within the error of their
   number. */
static void claims_are_as_true_as_they_say(void **state)
{
    (void)state;
    int claims = 0, held = 0;
    double expected = 0;
    for (unsigned i = 0; i < CASES; i++) {
        const struct claim claim = make_claim(i);
        if (claim.confidence < 0.9 || claim.confidence > 0.98)
            continue;
        claims++;
        held += claim.holds;
        expected += claim.confidence;
    }
    print_message("# %d of %d claims hold, %.1f were expected to\n", held, claims,
                  expected);
    assert_true(claims >= 8);
    assert_true(held >= 0.85 * claims);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(claims_are_as_true_as_they_say),
    };
    return cmocka_run_group_tests_name("claims", tests, NULL, NULL);
}
