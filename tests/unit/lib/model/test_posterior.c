/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/expr/internal.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "lib/model/posterior.h"
#include "tests/unit/test.h"

/* Cells of a CSV file of the tree, a line at a time. */
struct lines {
    FILE *file;
    char text[512];
    char *cells[12];
    int count;
};

static void open_lines(struct lines *lines, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/data/%s", getenv("MOTLEY_SOURCE"), name);
    lines->file = fopen(path, "r");
    assert_non_null(lines->file);
}

/* The next line that is no comment; false at the end. */
static bool next_line(struct lines *lines)
{
    do
        if (!fgets(lines->text, sizeof lines->text, lines->file)) {
            fclose(lines->file);
            return false;
        }
    while (lines->text[0] == '#');
    lines->text[strcspn(lines->text, "\n")] = '\0';
    lines->count = 0;
    char *rest = lines->text;
    while (rest && lines->count < 12)
        lines->cells[lines->count++] = strsep(&rest, ",");
    return true;
}

static int whole(const char *text)
{
    return (int)strtol(text, NULL, 10);
}

static double number(const char *text)
{
    return strtod(text, NULL);
}

enum { MOST_RUNS = 200 };

/* A posterior, and the input that it was learned from. */
struct learned {
    struct mt_sample runs[MOST_RUNS];
    int count;
    struct mt_program program;
    const struct mt_link_figures *links;
    struct mt_posterior posterior;
};

static char names[2][2] = {"a", "b"};
static struct mt_group groups[] = {{.name = names[0]}, {.name = names[1]}};
static const struct mt_cluster cluster = {.groups = groups, .ngroups = 2};

static struct mt_use use(int nodes, int processes, int threads)
{
    return mt_use_nodes(nodes,
                        (struct mt_layout){.processes = processes,
                                           .threads = threads > 1 ? threads : 0});
}

static void learn(struct learned *learned)
{
    const struct mt_runs_origin origin = {&learned->program, &cluster, learned->links,
                                          NULL};
    struct mt_error err;
    if (mt_posterior_init(&learned->posterior, &origin, learned->runs, learned->count,
                          &err) != MT_OK)
        fail_msg("%s", err.text);
}

/* The used runs of a machine ("castep-dna archer") in a published table. */
static void read_table(struct learned *learned, const char *name)
{
    struct lines lines;
    char path[64];
    const char *group = strchr(name, ' ') + 1;
    snprintf(path, sizeof path, "tables/%.*s.csv", (int)(group - name - 1), name);
    open_lines(&lines, path);
    while (next_line(&lines)) {
        if (strcmp(lines.cells[0], group) != 0 || strcmp(lines.cells[6], "1") != 0)
            continue;
        struct mt_sample *run = &learned->runs[learned->count++];
        *run = (struct mt_sample){.size = number(lines.cells[4]),
                                  .seconds = number(lines.cells[5])};
        run->configuration.use[0] =
            use(whole(lines.cells[1]), whole(lines.cells[2]), whole(lines.cells[3]));
    }
    learn(learned);
}

static void read_mixed(struct learned *learned)
{
    struct lines lines;
    open_lines(&lines, "posterior/mixed.csv");
    next_line(&lines);
    while (next_line(&lines)) {
        struct mt_sample *run = &learned->runs[learned->count++];
        *run = (struct mt_sample){.size = number(lines.cells[4]),
                                  .seconds = number(lines.cells[5])};
        for (int g = 0; g < 2; g++)
            run->configuration.use[g] =
                use(whole(lines.cells[2 * g]), whole(lines.cells[2 * g + 1]), 1);
    }
    learn(learned);
}

static void forget(struct learned *learned)
{
    mt_posterior_clear(&learned->posterior);
    mt_expr_free(learned->program.work);
    *learned = (struct learned){0};
}

static void read_case(struct learned *learned, const char *name)
{
    forget(learned);
    if (strcmp(name, "mixed with work") == 0)
        assert_int_equal(mt_expr_parse(&learned->program.work, "N^2", NULL), MT_OK);
    if (strncmp(name, "mixed", 5) == 0)
        read_mixed(learned);
    else
        read_table(learned, name);
}

/* "4 16 2": nodes, processes and threads; of the mixed runs nodes and processes of two
   groups. */
static struct mt_configuration parse(const char *text, bool mixed)
{
    struct mt_configuration configuration = {0};
    int n[4] = {0};
    sscanf(text, "%d %d %d %d", &n[0], &n[1], &n[2], &n[3]);
    configuration.use[0] = use(n[0], n[1], mixed ? 1 : n[2]);
    if (mixed)
        configuration.use[1] = use(n[2], n[3], 1);
    return configuration;
}

static void predict(struct mt_normals *normals, const struct learned *learned,
                    const struct mt_sample *run)
{
    struct mt_point point;
    *normals = (struct mt_normals){0};
    assert_true(
        mt_point_make(&point, &learned->posterior, &run->configuration, run->size));
    assert_int_equal(mt_posterior_predict(&learned->posterior, &point, normals, NULL),
                     MT_OK);
}

static double quantile(const struct learned *learned, const struct mt_sample *run,
                       double probability)
{
    struct mt_normals normals;
    predict(&normals, learned, run);
    const double seconds = exp(mt_normals_quantile(&normals, probability));
    mt_normals_clear(&normals);
    return seconds;
}

/* The logarithm of the evidence of all parts. */
static double evidence_of(const struct mt_posterior *posterior)
{
    const double best = posterior->parts[0].evidence;
    double sum = 0;
    for (int i = 0; i < posterior->nparts; i++)
        sum += exp(posterior->parts[i].evidence - best);
    return best + log(sum);
}

/* tests/data/posterior/record found the same by other means, unless one of the two
   found modes of a little more evidence. */
static void test_reference(void **state)
{
    static const double probabilities[] = {0.05, 0.5, 0.95};
    struct learned learned = {0};
    struct lines lines;
    char name[64] = "";
    int same = 0, others = 0;
    (void)state;
    open_lines(&lines, "posterior/quantiles.csv");
    next_line(&lines);
    while (next_line(&lines)) {
        const bool mixed = strncmp(lines.cells[0], "mixed", 5) == 0;
        const double evidence = number(lines.cells[1]);
        const struct mt_sample run = {.configuration = parse(lines.cells[2], mixed),
                                      .size = number(lines.cells[3])};
        if (strcmp(name, lines.cells[0]) != 0) {
            snprintf(name, sizeof name, "%s", lines.cells[0]);
            read_case(&learned, name);
        }
        const double ours = evidence_of(&learned.posterior);
        assert_true(ours > evidence - 0.01);
        if (fabs(ours - evidence) > 1e-6) {
            others++;
            continue;
        }
        for (int i = 0; i < 3; i++) {
            const double found = quantile(&learned, &run, probabilities[i]);
            if (fabs(found / number(lines.cells[4 + i]) - 1) > 1e-6)
                fail_msg("%s, %s, N = %s: the %g quantile is %.9g, not %s", name,
                         lines.cells[2], lines.cells[3], probabilities[i], found,
                         lines.cells[4 + i]);
        }
        same++;
    }
    forget(&learned);
    assert_true(same >= 100 && others <= 8);
}

/* Of a law of two groups and three sizes. */
static struct mt_sample run_of(int group, int nodes, int processes, double size)
{
    const double ranks = nodes * processes;
    struct mt_sample run = {.size = size,
                            .seconds =
                                (group == 0 ? 1e-8 : 3e-8) * size * size / ranks +
                                1e-3 * log2(2 * ranks)};
    run.configuration.use[group] = use(nodes, processes, 1);
    return run;
}

static void learn_law(struct learned *learned, double unit)
{
    static const double sizes[] = {1000, 2000, 4000};
    for (int g = 0; g < 2; g++)
        for (int nodes = 1; nodes <= 4; nodes *= 2)
            for (int s = 0; s < 3; s++) {
                struct mt_sample run = run_of(g, nodes, 1 + g, sizes[s]);
                run.size *= unit;
                learned->runs[learned->count++] = run;
            }
    learn(learned);
}

/* Half of the nodes of each group; messages take `slower` times as long between them.
 */
static struct mt_sample mix_of(int nodes, double size, double slower)
{
    const double ranks = 3 * nodes;
    struct mt_sample run = {.size = size,
                            .seconds = 3e-8 * size * size / ranks +
                                       slower * 1e-2 * log2(ranks)};
    run.configuration.use[0] = use(nodes, 1, 1);
    run.configuration.use[1] = use(nodes, 2, 1);
    return run;
}

/* The same law with slower messages, and mixes of 1, 2 and 4 nodes of each group. */
static void learn_mixes(struct learned *learned, double slower)
{
    for (int g = 0; g < 2; g++)
        for (int nodes = 1; nodes <= 4; nodes *= 2)
            for (int size = 2000; size <= 4000; size += 1000) {
                struct mt_sample run = run_of(g, nodes, 1 + g, size);
                run.seconds += 9e-3 * log2(nodes * (1 + g));
                learned->runs[learned->count++] = run;
            }
    for (int nodes = 1; nodes <= 4 && slower > 0; nodes *= 2)
        learned->runs[learned->count++] = mix_of(nodes, 4000, slower);
    learn(learned);
}

/* Links that were checked move predictions of mixes from the start; slow ones that were
   not are found by mixes that ran. */
static void test_splits(void **state)
{
    struct mt_link_figure links[] = {
        {.from = names[0], .to = names[0], .latency = 1e-5, .bandwidth = 1e9},
        {.from = names[1], .to = names[1], .latency = 1e-5, .bandwidth = 1e9},
        {.from = names[0], .to = names[1], .latency = 1e-5, .bandwidth = 1e9}};
    const struct mt_link_figures all = {.all = links, .count = 3};
    struct learned plain = {0}, equal = {.links = &all}, slow = {.links = &all},
                   mixed = {0};
    const struct mt_sample run = mix_of(3, 4000, 5);
    (void)state;
    learn_mixes(&plain, 0);
    learn_mixes(&equal, 0);
    links[2].latency *= 5;
    links[2].bandwidth /= 5;
    learn_mixes(&slow, 0);
    learn_mixes(&mixed, 5);
    const double seconds = quantile(&plain, &run, 0.5);
    assert_close(quantile(&equal, &run, 0.5), seconds, 1e-12);
    assert_int_equal(equal.posterior.nsplits, 0);
    assert_true(quantile(&slow, &run, 0.5) > 1.5 * seconds);
    assert_close(quantile(&slow, &run, 0.5), run.seconds, 0.25);
    assert_close(quantile(&mixed, &run, 0.5), run.seconds, 0.02);
    assert_int_equal(mixed.posterior.nsplits, 1);
    double weight = 0;
    for (int i = 0; i < mixed.posterior.nparts; i++)
        weight += mixed.posterior.parts[i].weight *
                  (mixed.posterior.parts[i].hypothesis.split > 0);
    assert_true(weight > 0.9);
    forget(&plain);
    forget(&equal);
    forget(&slow);
    forget(&mixed);
}

/* Metres or millimetres: that is the same program. */
static void test_unit_of_size(void **state)
{
    struct learned metres = {0}, millimetres = {0};
    (void)state;
    learn_law(&metres, 1);
    learn_law(&millimetres, 1000);
    for (int nodes = 1; nodes <= 16; nodes *= 4) {
        struct mt_sample run = run_of(0, nodes, 2, 5000);
        const double of_metres = quantile(&metres, &run, 0.9);
        run.size *= 1000;
        assert_close(quantile(&millimetres, &run, 0.9), of_metres, 1e-6);
    }
    forget(&metres);
    forget(&millimetres);
}

/* Intervals widen with the distance from the runs; and a law of the shapes is found. */
static void test_intervals_widen(void **state)
{
    struct learned learned = {0};
    double narrower = 1;
    (void)state;
    learn_law(&learned, 1);
    for (int nodes = 4; nodes <= 256; nodes *= 4) {
        const struct mt_sample run = run_of(0, nodes, 1, 4000);
        const double width =
            quantile(&learned, &run, 0.95) / quantile(&learned, &run, 0.05);
        assert_true(width > narrower);
        narrower = width;
        if (nodes <= 16)
            assert_close(quantile(&learned, &run, 0.5), run.seconds, 0.05);
    }
    forget(&learned);
}

/* Quantiles and probabilities are each other's inverse; a run lies below its 5 %
   quantile in a twentieth of the draws of the mixture. */
static void test_quantiles(void **state)
{
    struct learned learned = {0};
    struct mt_normals normals;
    (void)state;
    learn_law(&learned, 1);
    const struct mt_sample run = run_of(1, 16, 2, 8000);
    predict(&normals, &learned, &run);
    double before = -INFINITY, total = 0;
    for (double p = 0.01; p < 1; p += 0.07) {
        const double x = mt_normals_quantile(&normals, p);
        assert_close(mt_normals_probability(&normals, x), p, 1e-6);
        assert_true(x > before);
        before = x;
    }
    for (int i = 0; i < normals.count; i++)
        total += normals.weights[i];
    assert_close(total, 1, 1e-12);
    mt_normals_clear(&normals);
    forget(&learned);
}

/* Runs of one cell are one median with their scatter: their order does not matter. */
static void test_repeats(void **state)
{
    struct learned one = {0}, other = {0};
    (void)state;
    for (int i = 0; i < 9; i++) {
        one.runs[i] = run_of(0, 1 + i / 3, 1, 1000);
        one.runs[i].seconds *= 1 + 0.02 * (i % 3);
        other.runs[(4 * i) % 9] = one.runs[i];
    }
    one.count = other.count = 9;
    learn(&one);
    learn(&other);
    assert_int_equal(one.posterior.cells.count, 3);
    assert_int_equal(one.posterior.cells.all[0].runs, 3);
    assert_close(one.posterior.freedom, 6, 1e-12);
    const struct mt_sample run = run_of(0, 9, 1, 1000);
    assert_close(quantile(&one, &run, 0.9), quantile(&other, &run, 0.9), 1e-9);
    forget(&one);
    forget(&other);
}

/* A single run says a little about everything of its group; nothing of another one, nor
   of threads that never ran. */
static void test_few_runs(void **state)
{
    struct learned learned = {.runs = {run_of(0, 2, 4, 1000)}, .count = 1};
    struct mt_point point;
    (void)state;
    learn(&learned);
    const struct mt_sample same = run_of(0, 2, 4, 1000), more = run_of(0, 8, 2, 3000);
    assert_close(quantile(&learned, &same, 0.5), same.seconds, 0.01);
    assert_true(quantile(&learned, &more, 0.95) > 3 * quantile(&learned, &more, 0.05));
    struct mt_configuration other = {0};
    other.use[1] = use(1, 1, 1);
    assert_false(mt_point_make(&point, &learned.posterior, &other, 1000));
    other = (struct mt_configuration){0};
    other.use[0] = use(2, 4, 2);
    assert_false(mt_point_make(&point, &learned.posterior, &other, 1000));
    forget(&learned);
    struct mt_posterior none = {0};
    const struct mt_runs_origin origin = {.program = &learned.program,
                                          .cluster = &cluster};
    assert_int_equal(mt_posterior_init(&none, &origin, NULL, 0, NULL), MT_ENOTFOUND);
}

/* More cells than a fit takes: the ends of the range are among those kept. */
static void test_many_cells(void **state)
{
    enum { MANY = 3000 };
    struct mt_sample *runs = calloc(MANY, sizeof *runs);
    struct mt_cells cells = {0};
    (void)state;
    for (int i = 0; i < MANY; i++)
        runs[i] = run_of(0, 1, 1, 1000 + i);
    assert_int_equal(mt_cells_make(&cells, runs, MANY, NULL), MT_OK);
    assert_int_equal(cells.count, 500);
    assert_true(cells.all[0].size == 1000 && cells.all[499].size == 1000 + MANY - 1);
    mt_cells_clear(&cells);
    free(runs);
}

static void learn_again(const struct learned *learned, const struct mt_modes *modes,
                        struct mt_posterior *again)
{
    const struct mt_runs_origin origin = {&learned->program, &cluster, learned->links,
                                          modes};
    assert_int_equal(
        mt_posterior_init(again, &origin, learned->runs, learned->count, NULL), MT_OK);
}

static void assert_same_parts(const struct mt_posterior *a,
                              const struct mt_posterior *b)
{
    assert_int_equal(a->nparts, b->nparts);
    for (int s = 0; s < a->nparts; s++) {
        const struct mt_part *p = &a->parts[s], *q = &b->parts[s];
        const size_t bytes = (size_t)p->parameters * sizeof *p->u;
        assert_true(p->weight == q->weight && p->grid == q->grid);
        assert_memory_equal(p->u, q->u, bytes);
        assert_memory_equal(p->covariance, q->covariance,
                            bytes * (size_t)p->parameters);
    }
    assert_int_equal(a->mean.nparts, b->mean.nparts);
    assert_memory_equal(a->mean.alike, b->mean.alike,
                        (size_t)a->cells.count * sizeof *a->mean.alike);
}

/* A fit that begins where an earlier one of the same runs ended is the same to the last
   bit; that of other runs, or of damaged modes, is found anew. */
static void test_modes(void **state)
{
    struct learned learned = {0};
    struct mt_modes modes = {0};
    struct mt_posterior again[4] = {{0}};
    (void)state;
    learn_mixes(&learned, 5);
    assert_false(learned.posterior.recalled);
    assert_int_equal(mt_posterior_modes(&modes, &learned.posterior, NULL), MT_OK);
    learn_again(&learned, &modes, &again[0]);
    assert_true(again[0].recalled);
    assert_same_parts(&again[0], &learned.posterior);
    modes.count--;
    learn_again(&learned, &modes, &again[1]);
    modes.count++;
    modes.values[modes.count - 1] += 1e-3;
    learn_again(&learned, &modes, &again[2]);
    modes.values[modes.count - 1] -= 1e-3;
    learned.runs[0].seconds *= 1 + 1e-12;
    learn_again(&learned, &modes, &again[3]);
    for (int i = 1; i < 4; i++) {
        assert_false(again[i].recalled);
        if (i < 3)
            assert_same_parts(&again[i], &learned.posterior);
    }
    for (int i = 0; i < 4; i++)
        mt_posterior_clear(&again[i]);
    free(modes.values);
    forget(&learned);
}

/* Derivatives of a hypothesis by differences. */
static void test_slopes(void **state)
{
    struct learned learned = {0};
    (void)state;
    learn_mixes(&learned, 5);
    struct mt_configuration both = {0};
    both.use[0] = use(3, 1, 1);
    both.use[1] = use(2, 2, 1);
    struct mt_point point;
    assert_true(mt_point_make(&point, &learned.posterior, &both, 3000));
    for (int s = 0; s < learned.posterior.nparts; s += 7) {
        const struct mt_part *part = &learned.posterior.parts[s];
        const int p = part->parameters;
        const double step = 1e-6;
        double rows[MT_MOST_ROWS * 32], gradient[32], u[32];
        int used[32];
        struct mt_slopes slopes = {.rows = rows, .gradient = gradient, .used = used};
        assert_in_range(p, 1, 32);
        mt_point_set_work(&point, &learned.posterior, part->hypothesis.exponent);
        memcpy(u, part->u, (size_t)p * sizeof *u);
        mt_hypothesis_value(&learned.posterior, &part->hypothesis, u, &point, &slopes);
        for (int i = 0; i < p; i++) {
            u[i] = part->u[i] + step;
            const double above = mt_hypothesis_value(
                &learned.posterior, &part->hypothesis, u, &point, NULL);
            u[i] = part->u[i] - step;
            const double below = mt_hypothesis_value(
                &learned.posterior, &part->hypothesis, u, &point, NULL);
            u[i] = part->u[i];
            assert_true(fabs((above - below) / (2 * step) - gradient[i]) < 1e-6);
        }
    }
    forget(&learned);
}

/* A point that is left out is predicted by the others: its error is that of a fit
   without it, except for changes in tau, sigma and the weights. */
static void test_left_out(void **state)
{
    struct learned all = {0}, others = {0};
    double errors[MOST_RUNS];
    (void)state;
    static const double sizes[] = {1000, 2000, 4000};
    for (int nodes = 1; nodes <= 4; nodes *= 2)
        for (int s = 0; s < 3; s++) {
            all.runs[all.count] = run_of(0, nodes, 1, sizes[s]);
            all.runs[all.count].seconds *= all.count == 4 ? 1.3 : 1;
            if (all.count != 4)
                others.runs[others.count++] = all.runs[all.count];
            all.count++;
        }
    learn(&all);
    learn(&others);
    assert_int_equal(mt_posterior_left_out(&all.posterior, errors, NULL, NULL), MT_OK);
    int worst = 0;
    for (int i = 0; i < all.posterior.cells.count; i++)
        worst = fabs(errors[i]) > fabs(errors[worst]) ? i : worst;
    assert_true(all.posterior.cells.all[worst].size == all.runs[4].size &&
                all.posterior.cells.all[worst].configuration.use[0].nodes == 2);
    assert_close(errors[worst],
                 log(all.runs[4].seconds / quantile(&others, &all.runs[4], 0.5)), 0.2);
    forget(&all);
    forget(&others);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference),       cmocka_unit_test(test_unit_of_size),
        cmocka_unit_test(test_intervals_widen), cmocka_unit_test(test_quantiles),
        cmocka_unit_test(test_repeats),         cmocka_unit_test(test_few_runs),
        cmocka_unit_test(test_many_cells),      cmocka_unit_test(test_modes),
        cmocka_unit_test(test_slopes),          cmocka_unit_test(test_splits),
        cmocka_unit_test(test_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
