/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/design/internal.h"
#include "lib/design/tuning.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "lib/plan/internal.h"
#include "lib/stats/stats.h"
#include "tests/unit/lib/model/fit_cases.h"

static const double size = 160;
enum { MOST_MADE = 64 };

/*
 * Runs of up to half the size took N / P + 0.01 P, and with celerons 1.2 N / P + 0.01
 * P. At the size the truth differs from that by a factor wherever celerons are used. So
 * the models want all 24 processes.
 */
struct fixture {
    struct mt_program program;
    struct mt_predictor predictor;
    struct mt_plan candidates;
    double celeron_factor; /* truth / model */
    double noise;
    unsigned seed;
    /* The runs that were made. */
    struct mt_configuration made[MOST_MADE];
    int nmade;
};

/* A group alone on one node, on some, and on all, at three sizes, and a mix. */
static void make_runs(struct runs *runs, unsigned seed, double noise)
{
    static const int nodes[] = {1, 3, 8};
    static const double sizes[] = {20, 40, 80};
    for (int s = 0; s < 3; s++)
        for (int i = 0; i < 3; i++)
            for (int layout = 0; layout < 3; layout++) {
                const int group = layout < 2 ? XEON : CELERON;
                const int processes = layout == 1 ? 2 : 1;
                const int ranks = nodes[i] * processes;
                const double work = (group == XEON ? 1 : 1.2) * sizes[s];
                add_run(runs, group, nodes[i], processes, sizes[s],
                        (work / ranks + 0.01 * ranks) * exp(noise * normal(&seed)));
            }
    add_run(runs, XEON, 8, 2, 80, 1.2 * 80 / 24 + 0.24);
    runs->all[runs->count - 1].configuration.use[CELERON] = mt_use_nodes(8, one[0]);
}

static void set_up(struct fixture *f, double celeron_factor, double model_error)
{
    const struct mt_question question = {.size = size};
    const struct mt_fit_options options = {.kind = MT_MODEL_AUTO};
    struct runs runs = {.count = 0};
    *f = (struct fixture){
        .program = {.name = program_name}, .celeron_factor = celeron_factor, .seed = 1};
    f->program.work = parse_expr("N");
    make_runs(&runs, 1, model_error);
    struct mt_samples samples = {.samples = calloc(MOST_RUNS, sizeof *runs.all),
                                 .count = runs.count};
    assert_non_null(samples.samples);
    memcpy(samples.samples, runs.all, (size_t)runs.count * sizeof *runs.all);
    assert_int_equal(mt_predictor_fit(&f->predictor, &case_cluster, &f->program,
                                      &samples, &options, NULL),
                     MT_OK);
    assert_int_equal(mt_plan_candidates(&f->candidates, &f->predictor, &question, NULL),
                     MT_OK);
}

static void tear_down(struct fixture *f)
{
    mt_predictor_clear(&f->predictor);
    mt_plan_clear(&f->candidates);
    mt_expr_free(f->program.work);
}

static double true_seconds(const struct fixture *f,
                           const struct mt_configuration *configuration)
{
    const int ranks = mt_configuration_ranks(configuration);
    return configuration->use[CELERON].nodes > 0
               ? (1.2 * size / ranks + 0.01 * ranks) * f->celeron_factor
               : size / ranks + 0.01 * ranks;
}

static double best_seconds(const struct fixture *f)
{
    double best = INFINITY;
    for (int i = 0; i < f->candidates.count; i++)
        best = fmin(best, true_seconds(f, &f->candidates.choices[i].configuration));
    return best;
}

static void begin(struct mt_verify *verify, struct fixture *f, int runs)
{
    assert_int_equal(
        mt_verify_init(verify, &f->predictor, &f->candidates, size, runs, NULL), MT_OK);
}

/* Ask for the next configuration, and note it; false: it is done. */
static bool ask(struct mt_verify *verify, struct fixture *f)
{
    struct mt_proposal next;
    enum mt_end end;
    assert_int_equal(mt_verify_next(verify, &next, &end, NULL), MT_OK);
    if (end != MT_END_NONE)
        return false;
    assert_true(f->nmade < MOST_MADE);
    f->made[f->nmade++] = next.configuration;
    return true;
}

/* The last one took so long; NaN: it failed. */
static void tell(struct mt_verify *verify, const struct fixture *f, double seconds)
{
    const struct mt_proposal last = {.configuration = f->made[f->nmade - 1],
                                     .size = size};
    const struct mt_observation seen = {.made = true, .seconds = seconds};
    assert_int_equal(mt_verify_observe(verify, &last, &seen, NULL), MT_OK);
}

static void tell_truth(struct mt_verify *verify, struct fixture *f)
{
    const double seconds = true_seconds(f, &f->made[f->nmade - 1]);
    tell(verify, f, seconds * exp(f->noise * normal(&f->seed)));
}

static double regret(const struct mt_verify *verify, const struct fixture *f)
{
    const struct mt_configuration *best = mt_verify_best(verify);
    assert_non_null(best);
    return true_seconds(f, best) / best_seconds(f) - 1;
}

static int times_made(const struct fixture *f,
                      const struct mt_configuration *configuration)
{
    int times = 0;
    for (int i = 0; i < f->nmade; i++)
        times += mt_configuration_equal(&f->made[i], configuration);
    return times;
}

static void finds_the_best_where_a_group_is_misjudged(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 3; seed++) {
        struct fixture f;
        struct mt_verify verify = {0};
        set_up(&f, 1.4, 0.1);
        f.seed = seed;
        f.noise = 0.02;
        begin(&verify, &f, 8);
        while (ask(&verify, &f))
            tell_truth(&verify, &f);
        assert_in_range(f.nmade, 3, 8);
        assert_true(regret(&verify, &f) < 0.02);
        /* Not all, nor the first, of which the models were sure. */
        assert_int_equal(mt_configuration_ranks(&f.made[0]), 24);
        assert_int_equal(mt_verify_best(&verify)->use[CELERON].nodes, 0);
        mt_verify_clear(&verify);
        tear_down(&f);
    }
}

static void good_models_need_few_runs(void **state)
{
    (void)state;
    struct fixture f;
    struct mt_verify verify = {0};
    set_up(&f, 1, 0.01);
    begin(&verify, &f, 30);
    while (ask(&verify, &f))
        tell_truth(&verify, &f);
    assert_in_range(f.nmade, 2, 12);
    assert_close(regret(&verify, &f), 0, 1e-12);
    mt_verify_clear(&verify);
    tear_down(&f);
}

static void makes_no_more_runs_than_it_may(void **state)
{
    (void)state;
    for (int runs = 0; runs <= 8; runs++) {
        struct fixture f;
        struct mt_verify verify = {0};
        set_up(&f, 1.4, 0.3);
        f.noise = 0.05;
        begin(&verify, &f, runs);
        while (ask(&verify, &f))
            tell_truth(&verify, &f);
        assert_in_range(f.nmade, runs < 3 ? runs : 3, runs);
        if (runs >= 2)
            assert_false(mt_configuration_equal(&f.made[0], &f.made[1]));
        if (runs >= 6) /* after the anchors, the last one is a repetition */
            assert_true(times_made(&f, &f.made[f.nmade - 1]) > 1);
        assert_true((mt_verify_best(&verify) == NULL) == (runs == 0));
        mt_verify_clear(&verify);
        tear_down(&f);
    }
}

/* A run of half the time it should take is made again, and then not believed. */
static void a_wild_run_does_not_win(void **state)
{
    (void)state;
    struct fixture f;
    struct mt_verify verify = {0};
    set_up(&f, 1.4, 0.1);
    begin(&verify, &f, 8);
    while (ask(&verify, &f)) {
        if (f.nmade == 1)
            tell(&verify, &f, true_seconds(&f, &f.made[0]) / 2);
        else
            tell_truth(&verify, &f);
    }
    assert_true(times_made(&f, &f.made[0]) > 1);
    assert_true(true_seconds(&f, &f.made[0]) > best_seconds(&f) * 1.02);
    assert_true(regret(&verify, &f) < 0.02);
    mt_verify_clear(&verify);
    tear_down(&f);
}

static void what_fails_is_left_alone(void **state)
{
    (void)state;
    struct fixture f;
    struct mt_verify verify = {0};
    set_up(&f, 1, 0.1);
    begin(&verify, &f, 8);
    while (ask(&verify, &f)) {
        if (f.made[f.nmade - 1].use[CELERON].nodes > 0)
            tell(&verify, &f, NAN);
        else
            tell_truth(&verify, &f);
    }
    assert_true(f.nmade <= 8);
    for (int i = 0; i < f.nmade; i++)
        if (f.made[i].use[CELERON].nodes > 0)
            assert_int_equal(times_made(&f, &f.made[i]), 1);
    const struct mt_configuration *best = mt_verify_best(&verify);
    assert_true(!best || best->use[CELERON].nodes == 0);
    mt_verify_clear(&verify);
    tear_down(&f);
}

static void when_all_fail_there_is_no_best(void **state)
{
    (void)state;
    struct fixture f;
    struct mt_verify verify = {0};
    set_up(&f, 1, 0.1);
    begin(&verify, &f, 5);
    while (ask(&verify, &f))
        tell(&verify, &f, NAN);
    assert_int_equal(f.nmade, 5);
    assert_null(mt_verify_best(&verify));
    mt_verify_clear(&verify);
    tear_down(&f);
}

static void goes_on_from_earlier_runs(void **state)
{
    (void)state;
    struct fixture f;
    struct mt_verify verify = {0};
    set_up(&f, 1.4, 0.1);
    const struct mt_configuration *favourite = &f.candidates.choices[0].configuration;
    struct mt_sample run = {.configuration = *favourite,
                            .size = size,
                            .seconds = true_seconds(&f, favourite)};
    assert_int_equal(mt_predictor_add(&f.predictor, &run, NULL), MT_OK);
    begin(&verify, &f, 1);
    assert_true(mt_configuration_equal(mt_verify_best(&verify), favourite));
    assert_true(ask(&verify, &f));
    assert_false(mt_configuration_equal(&f.made[0], favourite));
    mt_verify_clear(&verify);
    tear_down(&f);
}

/* A run of the loop: the truth, until it is asked to stop. */
struct runner {
    struct fixture *f;
    int stop_at;   /* the run after which it stops; 0: never */
    int broken_at; /* that fails; 0: none */
};

static int run_truly(void *context, const struct mt_proposal *proposal,
                     struct mt_observation *seen, struct mt_error *err)
{
    struct runner *runner = context;
    struct fixture *f = runner->f;
    assert_int_equal(proposal->phase, MT_PHASE_VERIFICATION);
    assert_true(proposal->size == size);
    f->made[f->nmade++] = proposal->configuration;
    *seen =
        (struct mt_observation){.made = true,
                                .seconds = true_seconds(f, &proposal->configuration),
                                .stop = f->nmade == runner->stop_at};
    return f->nmade == runner->broken_at ? mt_fail(err, MT_EIO, "broken") : MT_OK;
}

/* It proposes the runs that the models favour, ends on the best of all, and says why it
   ended. */
static void the_loop_says_why_it_ended(void **state)
{
    (void)state;
    const struct {
        int runs, stop_at, status;
        enum mt_end end;
    } cases[] = {
        {30, 0, MT_OK, MT_END_SETTLED},
        {3, 0, MT_OK, MT_END_RUNS_USED},
        {30, 2, MT_OK, MT_END_STOPPED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        struct mt_verify verify = {0};
        struct runner runner = {.f = &f, .stop_at = cases[i].stop_at};
        const struct mt_experimenter experimenter = {.run = run_truly,
                                                     .context = &runner};
        enum mt_end end = MT_END_NONE;
        set_up(&f, 1, 0.01);
        begin(&verify, &f, cases[i].runs);
        assert_int_equal(mt_verify_run(&verify, &experimenter, &end, NULL),
                         cases[i].status);
        assert_int_equal(end, cases[i].end);
        assert_true(
            mt_configuration_equal(&f.made[0], &f.candidates.choices[0].configuration));
        assert_close(regret(&verify, &f), 0, 1e-12);
        mt_verify_clear(&verify);
        tear_down(&f);
    }
}

/* Runs observed before a failing one are kept, and it can go on. */
static void the_loop_keeps_what_was_seen(void **state)
{
    (void)state;
    struct fixture f;
    struct mt_verify verify = {0};
    struct runner runner = {.f = &f, .broken_at = 7};
    const struct mt_experimenter experimenter = {.run = run_truly, .context = &runner};
    enum mt_end end = MT_END_NONE;
    struct mt_error err = {0};
    set_up(&f, 1.4, 0.3);
    begin(&verify, &f, 12);
    assert_int_equal(mt_verify_run(&verify, &experimenter, &end, &err), MT_EIO);
    assert_string_equal(err.text, "broken");
    assert_int_equal(end, MT_END_NONE);
    assert_non_null(mt_verify_best(&verify));
    assert_int_equal(mt_verify_run(&verify, &experimenter, &end, &err), MT_OK);
    assert_in_range(f.nmade, 8, 13); /* twelve, and the broken one */
    assert_true(regret(&verify, &f) < 0.02);
    mt_verify_clear(&verify);
    tear_down(&f);
}

/* Models that may be wrong by a half do not tell about groups that were not run: the
   best configuration of each set of groups comes before a neighbour of what ran. */
static void sets_of_groups_come_first(void **state)
{
    (void)state;
    struct fixture f;
    struct mt_verify verify = {0};
    bool alone[2] = {false};
    set_up(&f, 1.4, 0.3);
    begin(&verify, &f, 8);
    for (int i = 0; i < 3; i++) {
        assert_true(ask(&verify, &f));
        tell_truth(&verify, &f);
        const struct mt_use *use = f.made[i].use;
        alone[0] = alone[0] || use[CELERON].nodes == 0;
        alone[1] = alone[1] || use[XEON].nodes == 0;
    }
    assert_true(alone[0] || alone[1]);
    mt_verify_clear(&verify);
    tear_down(&f);
}

static bool is_all(const struct mt_configuration *configuration, int ranks)
{
    return mt_configuration_nodes(configuration) == 16 &&
           mt_configuration_ranks(configuration) == ranks;
}

/* A node takes eight times as long as the best, but is an anchor: all nodes with the
   fewest and with the most processes, a group alone, and a node run before anything
   runs again. */
static void anchors_run_before_repeats(void **state)
{
    (void)state;
    for (int runs = 5; runs <= 24; runs += 3) {
        struct fixture f;
        struct mt_verify verify = {0};
        bool fewest = false, most = false, group = false, node = false;
        set_up(&f, 1.4, 0.1);
        begin(&verify, &f, runs);
        if (runs % 2)
            mt_verify_until(&verify, mt_verify_goal);
        while (ask(&verify, &f)) {
            const struct mt_configuration *made = &f.made[f.nmade - 1];
            const int nodes = mt_configuration_nodes(made);
            tell_truth(&verify, &f);
            if (times_made(&f, made) > 1)
                break;
            fewest |= is_all(made, 16);
            most |= is_all(made, 24);
            group |= mt_configuration_only_group(made) >= 0 && nodes == 8;
            node |= nodes == 1;
        }
        assert_true(fewest && most && group && node);
        mt_verify_clear(&verify);
        tear_down(&f);
    }
}

static void a_slow_node_does_not_stand_for_the_fastest(void **state)
{
    (void)state;
    struct fixture f;
    struct mt_verify verify = {0};
    bool ran = false;
    set_up(&f, 1.4, 0.1);
    struct mt_configuration slow = {0};
    slow.use[CELERON] = (struct mt_use){.nodes = 1, .layout = {.processes = 1}};
    struct mt_sample run = {
        .configuration = slow, .size = size, .seconds = true_seconds(&f, &slow)};
    assert_int_equal(mt_predictor_add(&f.predictor, &run, NULL), MT_OK);
    begin(&verify, &f, 24);
    while (ask(&verify, &f)) {
        const struct mt_configuration *made = &f.made[f.nmade - 1];
        tell_truth(&verify, &f);
        ran |= mt_configuration_nodes(made) == 1 && made->use[XEON].nodes == 1;
        if (times_made(&f, made) > 1)
            break;
    }
    assert_true(ran);
    mt_verify_clear(&verify);
    tear_down(&f);
}

/* Configurations that ran at the size count by their median, and the best is one of
   these, though the models expect others to be faster. */
static void ends_on_the_fastest_that_ran(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 3; seed++) {
        struct fixture f;
        struct mt_verify verify = {0};
        double least = INFINITY;
        set_up(&f, 3, 0.3); /* celerons are far slower than the models say */
        f.seed = seed;
        f.noise = 0.02;
        begin(&verify, &f, 4);
        while (ask(&verify, &f)) {
            tell_truth(&verify, &f);
            if (times_made(&f, &f.made[f.nmade - 1]) == 1)
                least = fmin(least, true_seconds(&f, &f.made[f.nmade - 1]));
        }
        const struct mt_configuration *best = mt_verify_best(&verify);
        assert_true(times_made(&f, best) > 0);
        assert_true(true_seconds(&f, best) < 1.1 * least);
        mt_verify_clear(&verify);
        tear_down(&f);
    }
}

/* A goal is not reached before a mix of a part of the nodes ran, where that promises an
   improvement. */
static void the_best_is_not_known_before_a_partial_mix_ran(void **state)
{
    (void)state;
    struct fixture f;
    struct mt_verify verify = {0};
    bool partial = false;
    set_up(&f, 1, 0.1);
    begin(&verify, &f, MT_VERIFY_MOST);
    mt_verify_until(&verify, 1e-6);
    while (ask(&verify, &f)) {
        tell_truth(&verify, &f);
        partial |= mt_configuration_only_group(&f.made[f.nmade - 1]) < 0 &&
                   mt_configuration_nodes(&f.made[f.nmade - 1]) < 16;
    }
    assert_true(partial);
    mt_verify_clear(&verify);
    tear_down(&f);
}

static double confidence_of(const struct mt_verify *verify)
{
    struct mt_outlook outlook;
    assert_int_equal(mt_verify_outlook(verify, &outlook, NULL), MT_OK);
    return outlook.confidence;
}

/* It goes on until the best is known, and no longer. */
static void with_a_goal_it_ends_when_the_best_is_known(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 3; seed++) {
        struct fixture f;
        struct mt_verify verify = {0};
        set_up(&f, 1.4, 0.03);
        f.seed = seed;
        f.noise = 0.02;
        begin(&verify, &f, MT_VERIFY_MOST);
        mt_verify_until(&verify, mt_verify_goal);
        assert_true(confidence_of(&verify) == 0);
        while (ask(&verify, &f))
            tell_truth(&verify, &f);
        assert_in_range(f.nmade, 3, MT_VERIFY_MOST - 1);
        assert_true(confidence_of(&verify) >= mt_verify_goal);
        assert_true(regret(&verify, &f) < mt_as_good);
        assert_true(times_made(&f, mt_verify_best(&verify)) > 1);
        mt_verify_clear(&verify);
        tear_down(&f);
    }
}

/* Two configurations, whose ratio is log-normal: known without draws. */
static void confidence_is_that_of_a_normal_ratio(void **state)
{
    (void)state;
    const double errors[] = {0.002, 0.03, 0.1};
    for (int i = 0; i < 3; i++) {
        struct fixture f;
        struct mt_outlook outlook, again;
        struct mt_configuration two[2] = {{{{0}}}};
        struct mt_joint joint = {0};
        set_up(&f, 1, errors[i]);
        two[0].use[XEON] = mt_use_nodes(8, one_or_two[1]);
        two[1].use[XEON] = mt_use_nodes(7, one_or_two[1]);
        const struct mt_sample runs[] = {{two[0], size, 0}, {two[1], size, 0}};
        assert_int_equal(
            mt_models_joint(&joint, &f.predictor.problem, runs, 2, 2, NULL), MT_OK);
        const double deviation =
            sqrt(joint.variances[0] + joint.variances[1] - 2 * joint.covariance[1]);
        const double longer = joint.means[0] - joint.means[1];
        mt_joint_clear(&joint);
        const struct mt_contest contest = {.problem = &f.predictor.problem,
                                           .size = size,
                                           .configurations = two,
                                           .count = 2};
        assert_int_equal(mt_outlook_find(&outlook, &contest, NULL), MT_OK);
        assert_int_equal(mt_outlook_find(&again, &contest, NULL), MT_OK);
        assert_true(outlook.gain == again.gain);
        assert_true(outlook.confidence == again.confidence);
        assert_true(fabs(outlook.confidence -
                         mt_normal_probability((log1p(mt_as_good) - longer) /
                                               deviation)) < 0.03);
        assert_true(fabs(outlook.gain - mt_improvement(-longer, deviation)) < 0.003);
        tear_down(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_best_where_a_group_is_misjudged),
        cmocka_unit_test(good_models_need_few_runs),
        cmocka_unit_test(makes_no_more_runs_than_it_may),
        cmocka_unit_test(a_wild_run_does_not_win),
        cmocka_unit_test(what_fails_is_left_alone),
        cmocka_unit_test(when_all_fail_there_is_no_best),
        cmocka_unit_test(goes_on_from_earlier_runs),
        cmocka_unit_test(the_loop_says_why_it_ended),
        cmocka_unit_test(the_loop_keeps_what_was_seen),
        cmocka_unit_test(sets_of_groups_come_first),
        cmocka_unit_test(anchors_run_before_repeats),
        cmocka_unit_test(a_slow_node_does_not_stand_for_the_fastest),
        cmocka_unit_test(ends_on_the_fastest_that_ran),
        cmocka_unit_test(the_best_is_not_known_before_a_partial_mix_ran),
        cmocka_unit_test(with_a_goal_it_ends_when_the_best_is_known),
        cmocka_unit_test(confidence_is_that_of_a_normal_ratio),
    };
    return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
