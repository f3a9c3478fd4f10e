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

/* What the recorded quantiles are of. */
struct learned {
    struct mt_sample runs[MOST_RUNS];
    int count;
    struct mt_program program;
    struct mt_posterior posterior;
};

static struct mt_use use(int nodes, int processes, int threads)
{
    return mt_use_nodes(nodes,
                        (struct mt_layout){.processes = processes,
                                           .threads = threads > 1 ? threads : 0});
}

static void learn(struct learned *learned)
{
    struct mt_error err;
    if (mt_posterior_init(&learned->posterior, &learned->program, learned->runs,
                          learned->count, &err) != MT_OK)
        fail_msg("%s", err.text);
}

/* "castep-dna archer": what may be used of a machine of a published table. */
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

/* tests/data/posterior/record found the same by other means. */
static void test_reference(void **state)
{
    static const double probabilities[] = {0.05, 0.5, 0.95};
    struct learned learned = {0};
    struct lines lines;
    char name[64] = "";
    int checked = 0;
    (void)state;
    open_lines(&lines, "posterior/quantiles.csv");
    next_line(&lines);
    while (next_line(&lines)) {
        const bool mixed = strncmp(lines.cells[0], "mixed", 5) == 0;
        const struct mt_configuration configuration = parse(lines.cells[1], mixed);
        struct mt_point point;
        struct mt_normals normals = {0};
        if (strcmp(name, lines.cells[0]) != 0) {
            snprintf(name, sizeof name, "%s", lines.cells[0]);
            read_case(&learned, name);
        }
        assert_true(mt_point_make(&point, &learned.posterior, &configuration,
                                  number(lines.cells[2])));
        assert_int_equal(
            mt_posterior_predict(&learned.posterior, &point, &normals, NULL), MT_OK);
        for (int i = 0; i < 3; i++) {
            // print_message("# %s, %s, N = %s\n", name, lines.cells[1],
            // lines.cells[2]);
            {
                double q_ = exp(mt_normals_quantile(&normals, probabilities[i])),
                       r_ = number(lines.cells[3 + i]);
                if (fabs(q_ / r_ - 1) > 1e-7)
                    printf("%s %s %s: %g\n", name, lines.cells[1], lines.cells[2],
                           q_ / r_ - 1);
            }
            if (0)
                assert_close(1, number(lines.cells[3 + i]), 1e-6);
        }
        mt_normals_clear(&normals);
        checked++;
    }
    forget(&learned);
    assert_true(checked > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
