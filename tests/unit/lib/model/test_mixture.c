/* SPDX-License-Identifier: BSD-3-Clause */
/* What is learned from runs of several groups. */
#include "fit_cases.h"
#include "lib/input/internal.h"
#include "lib/model/fit_mixture.h"
#include "lib/model/fit_runs.h"
#include "lib/model/internal.h"
#include "lib/model/mix.h"

enum { GROUPS = 3, A = 0, B, C };

static char a[] = "a", b[] = "b", c[] = "c", term[] = "N^3/P",
            network_terms[] = "N^3/P, (P>M)*N*log2(P), (P>M)";
static struct mt_layout one_process[] = {{.processes = 1}};

/* Three groups of which each is known exactly, and runs of several of them. */
struct lab {
    struct mt_group groups[GROUPS];
    struct mt_cluster cluster;
    struct mt_program program;
    struct mt_model all[GROUPS];
    struct mt_models models;
    struct mt_sample runs[100];
    int count;
    struct mt_link_figures links;
};

static double coefficients[GROUPS][1] = {{1e-8}, {2e-8}, {4e-8}};

static void lab_init(struct lab *lab)
{
    static char *const names[] = {a, b, c};
    *lab = (struct lab){.cluster = {.groups = lab->groups, .ngroups = GROUPS},
                        .program = {.name = program_name}};
    for (int g = 0; g < GROUPS; g++) {
        lab->groups[g] = (struct mt_group){
            .name = names[g], .nodes = 16, .layouts = one_process, .nlayouts = 1};
        lab->all[g] = (struct mt_model){.group = names[g],
                                        .layout.processes = 1,
                                        .split = -1,
                                        .terms = parse_terms(term),
                                        .terms_text = term,
                                        .coefficients = coefficients[g],
                                        .size_low = 400,
                                        .size_high = 1600,
                                        .ranks_low = 1,
                                        .ranks_high = 16,
                                        .runs = 10};
    }
    lab->models = (struct mt_models){.models = lab->all, .count = GROUPS};
}

static void lab_clear(struct lab *lab)
{
    for (int g = 0; g < GROUPS; g++)
        mt_terms_free(lab->all[g].terms);
    mt_mixture_clear(&lab->models.mixture);
}

/* Inside each group messages cost the same: 20 us for each N log2(P), and some seconds
   more. */
static double with_network[GROUPS][3] = {
    {1e-8, 2e-5, 0.01}, {2e-8, 2e-5, 0.01}, {4e-8, 2e-5, 0.01}};

static void add_network(struct lab *lab)
{
    for (int g = 0; g < GROUPS; g++) {
        struct mt_model *model = &lab->all[g];
        mt_terms_free(model->terms);
        model->terms = parse_terms(network_terms);
        model->terms_text = network_terms;
        model->coefficients = with_network[g];
    }
}

/* Messages to c take longer than all others, by these factors. */
static void check_links(struct lab *lab, double messages, double bytes)
{
    static struct mt_link_figure figures[GROUPS * GROUPS];
    static char *const names[] = {a, b, c};
    lab->links = (struct mt_link_figures){.all = figures};
    for (int g = 0; g < GROUPS; g++)
        for (int h = g; h < GROUPS; h++) {
            const bool slow = g != h && h == C;
            figures[lab->links.count++] =
                (struct mt_link_figure){.from = names[h],
                                        .to = names[g],
                                        .latency = 50e-6 * (slow ? messages : 1),
                                        .bandwidth = 1e8 / (slow ? bytes : 1),
                                        .measured = 10 + g};
        }
}

/* The law by which the runs are made: a and b are on one network. */
struct law {
    double lambda, kappa;
    double network; /* so many times what the network inside a group costs, beside it */
    unsigned random; /* 0: no noise; otherwise the state of its generator */
};

static double seconds_of(const struct lab *lab, struct law *law,
                         const struct mt_configuration *configuration, double size)
{
    struct mt_mix mix = {0};
    const int ranks = mt_configuration_ranks(configuration);
    for (int g = 0; g < GROUPS; g++) {
        const struct mt_use *use = &configuration->use[g];
        double parallel = mt_model_seconds(&lab->all[g], size, ranks), serial = 0;
        mt_mix_even_out(law->lambda, &parallel, &serial);
        if (use->nodes > 0)
            mt_mix_add(&mix, parallel, serial, (double)use->nodes / ranks);
    }
    const double c_share = (double)configuration->use[C].nodes / ranks;
    const double inside = with_network[0][1] * size * log2(ranks);
    mix.between = 2 * c_share * (1 - c_share) *
                  (law->kappa * log2(ranks) + law->network * inside);
    return mt_mix_seconds(&mix) * (law->random ? exp(0.02 * normal(&law->random)) : 1);
}

static void add_run_alone(struct lab *lab)
{
    lab->runs[lab->count++] = (struct mt_sample){
        .configuration = {.use[0] = {.nodes = 8, .layout.processes = 1}},
        .size = 800,
        .seconds = 1};
}

/* A process on each of so many nodes. */
static struct mt_configuration mixed(int na, int nb, int nc)
{
    const int nodes[] = {na, nb, nc};
    struct mt_configuration configuration = {0};
    for (int g = 0; g < GROUPS; g++)
        configuration.use[g] = mt_use_nodes(nodes[g], one_process[0]);
    return configuration;
}

static void add_mixed(struct lab *lab, struct law *law, int na, int nb, int nc,
                      double size)
{
    struct mt_sample *run = &lab->runs[lab->count++];
    *run = (struct mt_sample){.configuration = mixed(na, nb, nc), .size = size};
    run->seconds = seconds_of(lab, law, &run->configuration, size);
}

static void add_many(struct lab *lab, struct law *law)
{
    static const int nodes[][GROUPS] = {{8, 8, 0},  {4, 12, 0}, {8, 0, 8},
                                        {12, 0, 3}, {0, 8, 8},  {4, 4, 4}};
    for (int i = 0; i < 6; i++) {
        add_mixed(lab, law, nodes[i][A], nodes[i][B], nodes[i][C], 800);
        add_mixed(lab, law, nodes[i][A], nodes[i][B], nodes[i][C], 1600);
    }
}

static const struct mt_mixture *learn(struct lab *lab)
{
    const struct mt_fit_options options = {.kind = MT_MODEL_AUTO};
    const struct mt_samples samples = {.samples = lab->runs, .count = lab->count};
    struct mt_fit_runs runs = {0};
    const struct mt_fit_task task = {.cluster = &lab->cluster,
                                     .program = &lab->program,
                                     .options = &options,
                                     .runs = &runs,
                                     .models = &lab->models,
                                     .links = &lab->links};
    mt_mixture_clear(&lab->models.mixture);
    assert_int_equal(mt_fit_runs_init(&runs, &task, &samples, NULL), MT_OK);
    assert_int_equal(mt_fit_mixture(&task, NULL), MT_OK);
    mt_fit_runs_clear(&runs);
    return &lab->models.mixture;
}

/* How far a configuration that was not run is off. */
static double error_of(struct lab *lab, struct law *law, struct mt_configuration of)
{
    const struct mt_problem problem = {&lab->cluster, &lab->program, &lab->models};
    struct law exact = *law;
    struct mt_prediction prediction;
    exact.random = 0;
    assert_int_equal(mt_models_predict(&problem, &of, 1600, &prediction, NULL), MT_OK);
    return fabs(prediction.seconds / seconds_of(lab, &exact, &of, 1600) - 1);
}

static void finds_the_law_and_the_networks(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 20; seed++) {
        struct lab lab;
        struct law law = {.lambda = 0.4, .kappa = 2, .random = seed};
        lab_init(&lab);
        add_many(&lab, &law);
        const struct mt_mixture *mixture = learn(&lab);
        assert_int_equal(mixture->runs, 12);
        assert_true(mixture->residual < 0.06);
        assert_true(mixture->size_low == 800 && mixture->size_high == 1600);
        assert_int_equal(mixture->ranks_low, 12);
        assert_int_equal(mixture->ranks_high, 16);
        assert_true(fabs(mixture->lambda - 0.4) < 0.15);
        assert_string_equal(mixture->networks, "a+b, c");
        assert_true(error_of(&lab, &law, mixed(10, 0, 6)) < 0.06);
        assert_true(error_of(&lab, &law, mixed(6, 10, 0)) < 0.06);
        lab_clear(&lab);
    }
}

static void learns_nothing_from_little(void **state)
{
    (void)state;
    struct lab lab;
    struct law law = {.lambda = 0.4, .kappa = 2};
    lab_init(&lab);
    add_run_alone(&lab);
    assert_int_equal(learn(&lab)->runs, 0);
    add_mixed(&lab, &law, 8, 8, 0, 800);
    const struct mt_mixture *mixture = learn(&lab);
    assert_int_equal(mixture->runs, 1);
    assert_true(mixture->lambda == 0);
    assert_null(mixture->terms);
    lab_clear(&lab);
}

/* Where the slowest group explains all but the noise, that stays so; one run that was
   disturbed makes no difference. */
static void noise_and_a_wild_run_mean_nothing(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 20; seed++) {
        struct lab lab;
        struct law law = {.random = seed};
        lab_init(&lab);
        add_many(&lab, &law);
        lab.runs[seed % 12].seconds *= seed % 2 ? 2.5 : 0.4;
        const struct mt_mixture *mixture = learn(&lab);
        assert_true(mixture->lambda < 0.15);
        assert_true(error_of(&lab, &law, mixed(10, 0, 6)) < 0.05);
        lab_clear(&lab);
    }
}

/* What the file says of networks is not looked for. */
static void named_networks_are_taken(void **state)
{
    (void)state;
    struct lab lab;
    struct law law = {.kappa = 2, .random = 3};
    lab_init(&lab);
    lab.groups[A].network = lab.groups[B].network = a;
    add_many(&lab, &law);
    const struct mt_mixture *mixture = learn(&lab);
    assert_non_null(mixture->terms);
    assert_string_equal(mixture->networks, "a+b, c");
    assert_true(mt_mixture_current(mixture, &lab.cluster));
    lab.groups[C].network = a; /* the file was changed */
    assert_false(mt_mixture_current(mixture, &lab.cluster));
    lab.groups[C].network = NULL;
    assert_true(error_of(&lab, &law, mixed(10, 0, 6)) < 0.05);
    lab_clear(&lab);
}

static const struct mt_configuration half_c = {.use[A] = {.nodes = 8,
                                                          .layout.processes = 1},
                                               .use[C] = {.nodes = 8,
                                                          .layout.processes = 1}},
                                     without_c = {
                                         .use[A] = {.nodes = 8, .layout.processes = 1},
                                         .use[B] = {.nodes = 8, .layout.processes = 1}};

static double interval_of(struct lab *lab, const struct mt_configuration *of)
{
    const struct mt_problem problem = {&lab->cluster, &lab->program, &lab->models};
    struct mt_prediction prediction;
    assert_int_equal(mt_models_predict(&problem, of, 1600, &prediction, NULL), MT_OK);
    return prediction.high / prediction.seconds;
}

/* Before any run of several groups. */
static void figures_of_links_are_a_start(void **state)
{
    (void)state;
    struct lab lab;
    struct law law = {.network = 10};
    lab_init(&lab);
    add_network(&lab);
    add_run_alone(&lab);
    assert_null(learn(&lab)->terms);
    assert_true(error_of(&lab, &law, half_c) > 0.05);
    const double before = interval_of(&lab, &half_c);
    check_links(&lab, 1, 11); /* ten times what it costs inside comes on top */
    const struct mt_mixture *mixture = learn(&lab);
    assert_int_equal(mixture->runs, 0);
    assert_int_equal(mixture->checked, 12);
    assert_string_equal(mixture->networks, "a+b, c");
    assert_true(error_of(&lab, &law, half_c) < 1e-9);
    assert_true(error_of(&lab, &law, without_c) < 1e-9);
    assert_true(interval_of(&lab, &half_c) > before);
    lab_clear(&lab);
}

static void links_like_those_inside_say_nothing(void **state)
{
    (void)state;
    struct lab lab;
    lab_init(&lab);
    add_network(&lab);
    add_run_alone(&lab);
    check_links(&lab, 1.2, 0.5);
    assert_null(learn(&lab)->terms);
    assert_null(lab.models.mixture.networks);
    /* latency counts for what does not grow with N */
    check_links(&lab, 3, 1);
    const struct mt_mixture *mixture = learn(&lab);
    assert_non_null(mixture->terms);
    const double small = mt_mixture_between(mixture, 10, 16);
    assert_true(fabs(small - 0.02) < 1e-12);
    assert_true(mt_mixture_between(mixture, 1e6, 16) == small);
    /* one group has no other */
    lab.links.count = 1;
    assert_null(learn(&lab)->terms);
    lab_clear(&lab);
}

/* One run moves K to what it shows; many make figures that were wrong harmless. */
static void runs_beat_the_figures(void **state)
{
    (void)state;
    static const double truth[] = {0, 3, 10, 25};
    for (int i = 0; i < 4; i++) {
        struct lab lab;
        struct law law = {.network = truth[i]};
        lab_init(&lab);
        add_network(&lab);
        check_links(&lab, 1, 11);
        add_mixed(&lab, &law, 8, 0, 8, 800);
        assert_int_equal(learn(&lab)->runs, 1);
        assert_true(error_of(&lab, &law, half_c) < 0.05);
        law.random = 7;
        add_many(&lab, &law);
        assert_int_equal(learn(&lab)->runs, 12);
        assert_true(error_of(&lab, &law, half_c) < 0.03);
        assert_true(error_of(&lab, &law, without_c) < 0.03);
        lab_clear(&lab);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_law_and_the_networks),
        cmocka_unit_test(learns_nothing_from_little),
        cmocka_unit_test(noise_and_a_wild_run_mean_nothing),
        cmocka_unit_test(named_networks_are_taken),
        cmocka_unit_test(figures_of_links_are_a_start),
        cmocka_unit_test(links_like_those_inside_say_nothing),
        cmocka_unit_test(runs_beat_the_figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
