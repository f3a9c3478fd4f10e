/* SPDX-License-Identifier: BSD-3-Clause */
/* The loop in which runs are proposed, made and observed: its proposals when the truth
   is known, why it stops, and that it keeps the measurements. */
#include "design_lab.h"
#include "lib/input/internal.h"
#include "motley/design.h"

#include "tests/unit/test.h"

/* Makes runs as a lab does, except for one of them. */
struct clumsy {
    struct lab *lab;
    enum { FAILS, IS_NOT_MADE, STOPS, STOPS_BEFORE, BREAKS } how;
    int at;                      /* the run that does, from 1 on */
    int asked;                   /* so far */
    struct mt_proposal proposal; /* that one */
    int again;                   /* times that it was proposed again */
};

static bool is_same(const struct mt_proposal *a, const struct mt_proposal *b)
{
    return a->size == b->size &&
           mt_configuration_equal(&a->configuration, &b->configuration);
}

static int run_clumsily(void *context, const struct mt_proposal *proposal,
                        struct mt_observation *seen, struct mt_error *err)
{
    struct clumsy *clumsy = context;
    assert_false(seen->made || seen->stop || seen->seconds > 0); /* zeroed */
    if (++clumsy->asked != clumsy->at) {
        clumsy->again +=
            clumsy->asked > clumsy->at && is_same(proposal, &clumsy->proposal);
        return lab_run(clumsy->lab, proposal, seen, err);
    }
    clumsy->proposal = *proposal;
    switch (clumsy->how) {
    case FAILS:
        *seen = (struct mt_observation){.made = true, .seconds = NAN, .spent = 0.5};
        return MT_OK;
    case IS_NOT_MADE:
        return MT_OK;
    case STOPS:
        assert_int_equal(lab_run(clumsy->lab, proposal, seen, err), MT_OK);
        seen->stop = true;
        return MT_OK;
    case STOPS_BEFORE:
        seen->stop = true;
        return MT_OK;
    default:
        return mt_fail(err, MT_EIO, "the power went off");
    }
}

static int run_design(struct lab *lab, struct clumsy *clumsy, enum mt_end *end,
                      struct mt_error *err)
{
    const struct mt_experimenter experimenter = {.run = run_clumsily,
                                                 .context = clumsy};
    clumsy->lab = lab;
    return mt_design_run(lab->design, &experimenter, end, err);
}

/* A lab without mistakes. */
static enum mt_end run_all(struct lab *lab)
{
    const struct mt_experimenter experimenter = {.run = lab_run, .context = lab};
    enum mt_end end;
    assert_int_equal(mt_design_run(lab->design, &experimenter, &end, NULL), MT_OK);
    return end;
}

static struct mt_design_state state_of(struct lab *lab)
{
    struct mt_design_state state;
    assert_int_equal(mt_design_state(lab->design, &state, NULL), MT_OK);
    return state;
}

/* With models whose terms are the truth's the plan is soon right: as good as the best
   of all configurations. */
static void a_design_settles_on_the_best(void **state)
{
    struct lab *lab = *state;
    lab_begin(lab, 0, 0);
    assert_int_equal(mt_design_plan(lab->design).count, 0);
    assert_int_equal(run_all(lab), MT_END_SETTLED);
    assert_in_range(lab->runs, 28, 40);
    assert_in_range(lab->probes, 1, 8);
    assert_int_equal(state_of(lab).runs, lab->runs + lab->probes);
    const struct mt_design_plan plan = mt_design_plan(lab->design);
    assert_int_equal(plan.count, 3);
    for (int i = 0; i < plan.count; i++)
        assert_close(lab_seconds(lab, &plan.choices[i].configuration, plan.sizes[i]),
                     lab_best_seconds(lab, plan.sizes[i], false), 1e-9);
    const int runs = lab->runs;
    assert_int_equal(run_all(lab), MT_END_SETTLED); /* and stays so */
    assert_int_equal(lab->runs, runs);
}

static void a_design_stops_at_its_limits(void **state)
{
    struct lab *lab = *state;
    lab_begin(lab, 0, 11);
    assert_int_equal(run_all(lab), MT_END_RUNS_USED);
    assert_int_equal(lab->runs + lab->probes, 11);
    assert_int_equal(mt_design_plan(lab->design).count, 3); /* by the possible runs */
    const double limit = 0.005 * lab_seconds_of_all(lab);
    lab_begin(lab, limit, 0);
    assert_int_equal(run_all(lab), MT_END_SECONDS_USED);
    assert_true(lab->spent <= 1.02 * limit);
}

static void a_design_stops_when_all_is_measured(void **state)
{
    struct lab *lab = *state;
    lab->program.nmeasure_sizes = 1; /* two runs in all: it cannot settle before */
    lab->cluster.ngroups = 1;
    lab->groups[0].nodes = 1;
    lab_begin(lab, 0, 0);
    assert_int_equal(run_all(lab), MT_END_ALL_MEASURED);
    assert_int_equal(lab->runs, lab->count);
}

static void a_design_stops_when_asked_to(void **state)
{
    struct lab *lab = *state;
    enum mt_end end;
    struct clumsy clumsy = {.how = STOPS, .at = 5};
    lab_begin(lab, 0, 0);
    assert_int_equal(run_design(lab, &clumsy, &end, NULL), MT_OK);
    assert_int_equal(end, MT_END_STOPPED);
    assert_int_equal(state_of(lab).runs, 5); /* with the one that it made */
    assert_int_equal(run_all(lab), MT_END_SETTLED);
    assert_int_equal(
        lab->times[lab_find(lab, &clumsy.proposal.configuration, clumsy.proposal.size)],
        1);
    /* One that was declined is proposed again. */
    clumsy = (struct clumsy){.how = STOPS_BEFORE, .at = 5};
    lab_begin(lab, 0, 0);
    assert_int_equal(run_design(lab, &clumsy, &end, NULL), MT_OK);
    assert_int_equal(end, MT_END_STOPPED);
    assert_int_equal(state_of(lab).runs, 4);
    struct mt_proposal next;
    assert_int_equal(mt_design_next(lab->design, &next, &end, NULL), MT_OK);
    assert_true(is_same(&next, &clumsy.proposal));
}

static void what_failed_counts_and_is_not_proposed_again(void **state)
{
    struct lab *lab = *state;
    enum mt_end end;
    for (int at = 1; at < 40; at += 12) {
        struct clumsy clumsy = {.how = FAILS, .at = at};
        lab_begin(lab, 0, 40);
        assert_int_equal(run_design(lab, &clumsy, &end, NULL), MT_OK);
        assert_int_equal(clumsy.again, 0);
        assert_int_equal(state_of(lab).runs, clumsy.asked);
        if (clumsy.asked >= at)
            assert_close(state_of(lab).spent, lab->spent + 0.5, 1e-9);
    }
}

static void what_cannot_be_made_does_not_count(void **state)
{
    struct lab *lab = *state;
    enum mt_end end;
    struct clumsy clumsy = {.how = IS_NOT_MADE, .at = 3};
    lab_begin(lab, 0, 20);
    assert_int_equal(run_design(lab, &clumsy, &end, NULL), MT_OK);
    assert_int_equal(end, MT_END_RUNS_USED);
    assert_int_equal(clumsy.again, 0);
    assert_int_equal(clumsy.asked, 21);
    assert_int_equal(state_of(lab).runs, 20);
}

/* Wherever it breaks off, it ends as one that was not disturbed. */
static void nothing_is_lost_when_a_run_breaks(void **state)
{
    struct lab *lab = *state;
    enum mt_end end = MT_END_NONE;
    int undisturbed[LAB_CANDIDATES];
    lab_begin(lab, 0, 60);
    assert_int_equal(run_all(lab), MT_END_SETTLED);
    memcpy(undisturbed, lab->times, sizeof undisturbed);
    const int runs = lab->runs + lab->probes;
    for (int at = 1; at <= runs; at += 8) {
        struct clumsy clumsy = {.how = BREAKS, .at = at};
        struct mt_error err = {0};
        lab_begin(lab, 0, 60);
        assert_int_equal(run_design(lab, &clumsy, &end, &err), MT_EIO);
        assert_string_equal(err.text, "the power went off");
        assert_int_equal(end, MT_END_NONE);
        assert_int_equal(state_of(lab).runs, at - 1);
        assert_close(state_of(lab).spent, lab->spent, 1e-9);
        assert_int_equal(run_all(lab), MT_END_SETTLED);
        assert_memory_equal(lab->times, undisturbed, sizeof undisturbed);
    }
}

/* Nor when motley itself is killed: the runs in the store are recalled. */
static void runs_of_before_are_recalled(void **state)
{
    struct lab *lab = *state;
    struct mt_past_run past[LAB_CANDIDATES + 1] = {0};
    lab_begin(lab, 0, 0);
    assert_int_equal(run_all(lab), MT_END_SETTLED);
    const int runs = lab->runs, probes = lab->probes;
    const double spent = lab->spent;
    memcpy(past, lab->past, (size_t)(runs + probes) * sizeof *past);
    past[runs + probes] = past[0]; /* that is no candidate */
    past[runs + probes].size = 12345;
    past[runs + probes].seconds =
        lab_seconds(lab, &past[0].configuration, past[runs + probes].size);
    for (int count = runs + probes; count <= runs + probes + 1; count++) {
        struct mt_forecast forecast;
        lab_begin(lab, 0, 0);
        assert_int_equal(mt_design_recall(lab->design, past, count, NULL), MT_OK);
        assert_int_equal(mt_design_forecast(&forecast, lab->design, NULL), MT_OK);
        assert_int_equal(forecast.count + forecast.further, 0); /* it had settled */
        mt_forecast_clear(&forecast);
        assert_int_equal(run_all(lab), MT_END_SETTLED);
        assert_int_equal(lab->runs + lab->probes, 0);
        assert_int_equal(state_of(lab).probes, probes);
        assert_int_equal(state_of(lab).runs, runs + probes);
        assert_close(state_of(lab).spent, spent, 1e-9);
    }
    lab_begin(lab, 0, 0);
    assert_int_equal(mt_design_recall(lab->design, past, 20, NULL), MT_OK);
    assert_int_equal(run_all(lab), MT_END_SETTLED);
    assert_in_range(state_of(lab).runs, runs + probes - 3, runs + probes + 3);
}

/* A lab where one run was lucky. */
struct lucky {
    struct lab *lab;
    int index; /* of the candidate; -1: none */
    int asked, repeats, others;
};

static int run_luckily(void *context, const struct mt_proposal *proposal,
                       struct mt_observation *seen, struct mt_error *err)
{
    struct lucky *lucky = context;
    const int index = lab_find(lucky->lab, &proposal->configuration, proposal->size);
    const bool is_it = index >= 0 && index == lucky->index;
    const int status = lab_run(lucky->lab, proposal, seen, err);
    if (is_it && lucky->asked++ == 0)
        seen->seconds *= 0.6;
    else if (is_it)
        lucky->repeats++;
    else if (proposal->repeat > 0)
        lucky->others++;
    return status;
}

static void run_lab_luckily(struct lucky *lucky, bool exact)
{
    struct lab *lab = lucky->lab;
    const struct mt_experimenter experimenter = {.run = run_luckily, .context = lucky};
    const struct mt_design_case of = {.cluster = &lab->cluster,
                                      .program = &lab->program,
                                      .candidates = lab->candidates,
                                      .count = lab->count,
                                      .limits = {.runs = 50},
                                      .exact = exact};
    enum mt_end end;
    mt_design_free(lab->design);
    assert_int_equal(mt_design_make(&lab->design, &of, NULL), MT_OK);
    assert_int_equal(mt_design_run(lab->design, &experimenter, &end, NULL), MT_OK);
}

/* A run that contradicts the others is repeated, and once more as the two differ;
   otherwise only few runs are repeated, and none if repeated runs take the same
   time. */
static void what_surprises_is_repeated(void **state)
{
    struct lab *lab = *state;
    lab_begin(lab, 0, 0);
    struct lucky none = {.lab = lab, .index = -1};
    run_lab_luckily(&none, false);
    assert_in_range(none.others, 0, 2);
    lab_begin(lab, 0, 0);
    run_lab_luckily(&none, false);
    struct mt_configuration of = {.use[0] = {.nodes = 8, .layout.processes = 1}};
    const int index = lab_find(lab, &of, 2000);
    assert_true(index >= 0);
    for (int exact = 0; exact <= 1; exact++) {
        struct lucky lucky = {.lab = lab, .index = index};
        lab_begin(lab, 0, 0);
        run_lab_luckily(&lucky, exact);
        assert_true(lucky.asked > 0);
        assert_int_equal(lucky.repeats, exact ? 0 : 2);
        assert_in_range(lucky.others, 0, exact ? 0 : 3);
    }
}

/* A design that settled without a run of several groups gets some when it is taken up
   again. */
static void runs_of_several_groups_are_made_up_for(void **state)
{
    struct lab *lab = *state;
    struct mt_past_run past[LAB_CANDIDATES];
    int count = 0;
    lab_mix(lab);
    lab_begin(lab, 0, 0);
    assert_int_equal(run_all(lab), MT_END_SETTLED);
    for (int i = 0; i < lab->runs + lab->probes; i++)
        if (mt_configuration_only_group(&lab->past[i].configuration) >= 0)
            past[count++] = lab->past[i];
    lab_begin(lab, 0, 0);
    assert_int_equal(mt_design_recall(lab->design, past, count, NULL), MT_OK);
    assert_int_equal(run_all(lab), MT_END_SETTLED);
    assert_in_range(lab_count_mixed(lab), 1, 8);
}

/* The forecast comes true, except for the run at which it settles. */
static void a_forecast_comes_true(void **state)
{
    struct lab *lab = *state;
    struct mt_forecast forecast = {0};
    enum mt_end end;
    lab->ideal = true;
    lab_begin(lab, 0, 36);
    assert_int_equal(mt_design_forecast(&forecast, lab->design, NULL), MT_OK);
    assert_int_equal(forecast.count + forecast.further, 36);
    assert_int_equal(forecast.uncovered, 0);
    assert_true(isnan(forecast.seconds));
    assert_true(isnan(forecast.runs[0].spent) &&
                isnan(forecast.runs[forecast.count - 1].spent));
    assert_int_equal(forecast.cheap, 7); /* half of the base */
    mt_forecast_clear(&forecast);

    struct clumsy clumsy = {.how = STOPS, .at = 10};
    assert_int_equal(run_design(lab, &clumsy, &end, NULL), MT_OK);
    assert_int_equal(mt_design_forecast(&forecast, lab->design, NULL), MT_OK);
    assert_int_equal(state_of(lab).runs, 10); /* it has changed nothing */
    assert_int_equal(forecast.count + forecast.further, 36 - 10);
    double seconds = 0;
    for (int i = 0; i < forecast.count; i++) {
        const struct mt_proposal *run = &forecast.runs[i];
        const double truth = lab_seconds(lab, &run->configuration, run->size);
        assert_close(run->spent, truth, 0.15);
        seconds += truth;
    }
    assert_close(forecast.seconds, seconds, 0.3);
    struct mt_proposal next;
    assert_int_equal(mt_design_next(lab->design, &next, &end, NULL), MT_OK);
    assert_true(is_same(&next, &forecast.runs[0]));
    mt_forecast_clear(&forecast);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, lab_set_up, lab_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_design_settles_on_the_best),
        TEST(a_design_stops_at_its_limits),
        TEST(a_design_stops_when_all_is_measured),
        TEST(a_design_stops_when_asked_to),
        TEST(what_failed_counts_and_is_not_proposed_again),
        TEST(what_cannot_be_made_does_not_count),
        TEST(nothing_is_lost_when_a_run_breaks),
        TEST(runs_of_before_are_recalled),
        TEST(what_surprises_is_repeated),
        TEST(runs_of_several_groups_are_made_up_for),
        TEST(a_forecast_comes_true),
    };
    return cmocka_run_group_tests_name("experiment", tests, NULL, NULL);
}
