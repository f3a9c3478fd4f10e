/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/input/internal.h"
#include "lib/plan/internal.h"
#include "plan_cases.h"
#include "tests/unit/test.h"

static int search(struct mt_plan *plan, const struct plan_case *c, struct mt_error *err)
{
    const struct mt_problem problem = plan_case_problem(c);
    return mt_plan_search(plan, &problem, &c->question, err);
}

static int try_all(struct mt_plan *plan, const struct plan_case *c, bool all,
                   struct mt_error *err)
{
    const struct mt_predictor bare = {.problem = plan_case_problem(c)};
    if (all) /* which explains why no choice is left */
        return mt_plan_make(plan, &bare, &c->question, true, err);
    const int status = mt_plan_exhaustive(plan, &bare, &c->question, false, err);
    if (status != MT_OK || plan->count > 0)
        return status;
    mt_plan_clear(plan);
    return MT_EINFEASIBLE;
}

/* Seven nodes of a group that is never mixed are as good as seven of another one: the
   group that comes first in the cluster has it, whichever is searched first. */
static void equals_of_a_lone_group_keep_their_order(void **state)
{
    (void)state;
    for (int alone = 0; alone < 2; alone++) {
        struct plan_case c;
        struct mt_plan plan = {0};
        plan_case_large(&c, 1, 14, 2, 1);
        c.question = (struct mt_question){.size = 1000};
        for (int g = 0; g < 2; g++) {
            c.cluster.groups[g].nodes = 7;
            c.cluster.groups[g].alone = g == alone;
            memcpy(c.models.models[g].coefficients, (double[]){1e-6, 0, 0, 0},
                   4 * sizeof(double));
        }
        assert_int_equal(mt_expr_parse(&c.program.valid, "P == 7", NULL), MT_OK);
        assert_int_equal(search(&plan, &c, NULL), MT_OK);
        assert_int_equal(plan.choices[0].configuration.use[0].nodes, 7);
        mt_plan_clear(&plan);
        plan_case_clear(&c);
    }
}

/* Whatever is left out of the ranking of all breaks a constraint. */
static void exhaustive_keeps_all_that_is_allowed(void **state)
{
    (void)state;
    for (uint64_t number = 2001; number <= 2050; number++) {
        struct plan_case c;
        struct mt_plan all = {0};
        plan_case_small(&c, number);
        const struct mt_problem problem = plan_case_problem(&c);
        int allowed = 0;
        struct mt_configuration configuration = {0};
        while (mt_configuration_next(&configuration, &c.cluster)) {
            struct mt_prediction p;
            if (!mt_plan_fits(&c.cluster, &c.program, &configuration,
                              c.question.size) ||
                mt_models_predict(&problem, &configuration, c.question.size, &p,
                                  NULL) != MT_OK)
                continue;
            double price = 0, watts = 0;
            for (int g = 0; g < c.cluster.ngroups; g++) {
                price += configuration.use[g].nodes * c.cluster.groups[g].price;
                watts += configuration.use[g].nodes * c.cluster.groups[g].watts;
            }
            const double cost = p.seconds / 3600 * price;
            if ((c.question.deadline == 0 || p.seconds <= c.question.deadline) &&
                (c.question.max_nodes == 0 ||
                 mt_configuration_nodes(&configuration) <= c.question.max_nodes) &&
                (c.question.budget == 0 || cost <= c.question.budget) &&
                (c.question.cost == 0 || cost <= c.question.cost) &&
                (c.question.joules == 0 || p.seconds * watts <= c.question.joules))
                allowed++;
        }
        const int status = try_all(&all, &c, true, NULL);
        assert_int_equal(status, allowed > 0 ? MT_OK : MT_EINFEASIBLE);
        assert_int_equal(all.count, allowed);
        mt_plan_clear(&all);
        plan_case_clear(&c);
    }
}

/* A case without constraints, which then has one that cannot be kept. */
static void relax(struct plan_case *c)
{
    plan_case_large(c, 3, 20, 2, 2);
    c->question = (struct mt_question){.size = 1000};
}

static void assert_infeasible(const struct plan_case *c, const char *reason)
{
    struct mt_plan plan = {0};
    struct mt_error err = {0};
    assert_int_equal(search(&plan, c, &err), MT_EINFEASIBLE);
    assert_contains(err.text, reason);
    assert_int_equal(try_all(&plan, c, true, &err), MT_EINFEASIBLE);
    assert_contains(err.text, reason);
    assert_null(plan.choices);
}

static void infeasible_names_the_constraint(void **state)
{
    (void)state;
    struct plan_case c;
    relax(&c);
    c.question.deadline = 1e-3;
    assert_infeasible(&c, "deadline of 0.001 s: the fastest takes");
    c.question.deadline = 0;
    c.question.budget = 1e-9;
    assert_infeasible(&c, "budget of 1e-09: the cheapest costs");
    c.question.deadline = 1e-3;
    assert_infeasible(&c, "no configuration keeps deadline, budget, efficiency and "
                          "number of nodes together");
    c.question.deadline = c.question.budget = 0;
    assert_int_equal(mt_expr_parse(&c.program.valid, "P > 100", NULL), MT_OK);
    assert_infeasible(&c, "no number of processes up to 40 is valid at N = 1000");
    mt_expr_free(c.program.valid);
    assert_int_equal(mt_expr_parse(&c.program.valid, "P > 20", NULL), MT_OK);
    c.question.max_nodes = 2;
    assert_infeasible(&c, "no configuration gets by with 2 nodes");
    c.question.max_nodes = 0;
    assert_int_equal(mt_expr_parse(&c.program.memory, "8*N^2", NULL), MT_OK);
    c.cluster.groups[0].memory = c.cluster.groups[1].memory = 1e6;
    assert_infeasible(&c, "no node has the memory for a process at N = 1000");
    plan_case_clear(&c);
}

static void no_model_is_infeasible(void **state)
{
    (void)state;
    struct plan_case c;
    relax(&c);
    mt_models_clear(&c.models);
    assert_infeasible(&c, "predict no configuration");
    plan_case_clear(&c);
}

static void too_many_to_try_each(void **state)
{
    (void)state;
    struct plan_case c;
    struct mt_plan plan = {0};
    struct mt_error err;
    plan_case_large(&c, 4, 1000, 4, 8);
    assert_int_equal(try_all(&plan, &c, false, &err), MT_EINVAL);
    assert_contains(err.text, "too many configurations to try each");
    plan_case_clear(&c);
}

/* N-T models are of whole configurations: only these are planned, as far as the
   cluster still has the nodes. */
static void plans_the_modelled_configurations(void **state)
{
    (void)state;
    static const char *const texts[] = {"g0:2x1",   "g0:1x2+g1:2x2", "g1:4x2",
                                        "gone:1x1", "g0:2000x1",     "g0:3x1"};
    enum { MODELS = sizeof texts / sizeof *texts };
    struct plan_case c;
    struct mt_plan plan = {0}, all = {0};
    relax(&c);
    mt_models_clear(&c.models);
    c.models.kind = MT_MODEL_NT;
    c.models.models = calloc(MODELS, sizeof *c.models.models);
    for (int i = 0; i < MODELS; i++) {
        struct mt_model *model = &c.models.models[c.models.count++];
        model->configuration = strdup(texts[i]);
        model->coefficients = calloc(1, sizeof *model->coefficients);
        model->coefficients[0] = i == 1 ? 1e-3 : 2e-3;
        model->split = -1;
        model->ranks_low = 1;
        model->ranks_high = 100;
        assert_int_equal(mt_terms_parse(&model->terms, "N", NULL), MT_OK);
    }
    free(c.models.models[MODELS - 1].configuration); /* as in a store changed by hand */
    c.models.models[MODELS - 1].configuration = NULL;
    c.question.top = 5;
    assert_int_equal(search(&plan, &c, NULL), MT_OK);
    assert_int_equal(try_all(&all, &c, false, NULL), MT_OK);
    assert_int_equal(plan.count, 3);
    assert_int_equal(all.count, 3);
    assert_close(plan.choices[0].prediction.seconds, 1.0, 1e-12);
    assert_int_equal(plan.choices[0].nodes, 3);
    for (int i = 0; i < 3; i++)
        assert_true(mt_configuration_equal(&plan.choices[i].configuration,
                                           &all.choices[i].configuration));
    mt_plan_clear(&plan);
    mt_plan_clear(&all);
    plan_case_clear(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_of_a_lone_group_keep_their_order),
        cmocka_unit_test(exhaustive_keeps_all_that_is_allowed),
        cmocka_unit_test(infeasible_names_the_constraint),
        cmocka_unit_test(no_model_is_infeasible),
        cmocka_unit_test(too_many_to_try_each),
        cmocka_unit_test(plans_the_modelled_configurations),
    };
    return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
