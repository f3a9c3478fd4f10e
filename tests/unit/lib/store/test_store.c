/* SPDX-License-Identifier: BSD-3-Clause */
#include "test_store.h"
#include "lib/model/internal.h"
#include "motley/store.h"
#include "tests/unit/test.h"

static void keeps_every_field(void **state)
{
    const char *path = store_path(*state);
    struct mt_run run = example_run(1);
    run.wall = 2.5;
    run.reason = test_copy("it isn't \"right\"");
    run.output = test_copy("line 1\nline 2: \xc3\xbc, \xff\n");
    run.simulated = true;
    run.started = 5000000000;
    add_run(path, &run);

    struct mt_runs runs = read_runs(path, &(struct mt_run_filter){0});
    assert_int_equal(runs.count, 1);
    const struct mt_run *kept = runs.runs;
    assert_non_null(kept);
    assert_int_equal(kept->id, run.id);
    assert_string_equal(kept->cluster, "lab");
    assert_string_equal(kept->program, "lu");
    assert_string_equal(kept->configuration, "xeon:8x2");
    assert_true(kept->size == 3200 && kept->seconds == 0.1 && kept->wall == 2.5);
    assert_int_equal(kept->repetition, 1);
    assert_int_equal(kept->outcome, MT_RUN_OK);
    assert_string_equal(kept->reason, run.reason);
    assert_string_equal(kept->output, run.output);
    assert_string_equal(kept->launcher, "smpi");
    assert_true(kept->simulated);
    assert_int_equal(kept->started, 5000000000);
    mt_runs_clear(&runs);
    mt_run_clear(&run);
}

static void keeps_failures(void **state)
{
    const char *path = store_path(*state);
    static const enum mt_outcome outcomes[] = {MT_RUN_FAILED, MT_RUN_SIGNALLED,
                                               MT_RUN_TIMEOUT, MT_RUN_UNREAD};
    for (int i = 0; i < 4; i++) {
        struct mt_run run = example_run(i + 1);
        run.outcome = outcomes[i];
        run.exit_code = 3;
        run.signal = 9;
        add_run(path, &run);
        mt_run_clear(&run);
    }
    struct mt_runs runs = read_runs(path, &(struct mt_run_filter){0});
    assert_int_equal(runs.count, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(runs.runs[i].outcome, outcomes[i]);
        assert_int_equal(runs.runs[i].exit_code, 3);
        assert_int_equal(runs.runs[i].signal, 9);
        assert_true(runs.runs[i].seconds == 0);
        assert_null(runs.runs[i].reason);
        assert_null(runs.runs[i].output);
    }
    mt_runs_clear(&runs);
    runs = read_runs(path, &(struct mt_run_filter){.succeeded_only = true});
    assert_int_equal(runs.count, 0);
}

static void keeps_absent_nodes(void **state)
{
    const char *path = store_path(*state);
    struct mt_store *store = NULL;
    struct mt_down_nodes list = {0};
    struct mt_run run = example_run(1);
    run.outcome = MT_RUN_FAILED;
    run.down = test_copy("x02 x01");
    add_run(path, &run);
    mt_run_clear(&run);
    assert_int_equal(mt_store_open(&store, path, MT_STORE_WRITE, NULL), MT_OK);
    assert_int_equal(mt_store_set_down(store, "lab", "x02", 1700000000, NULL), MT_OK);
    assert_int_equal(mt_store_set_down(store, "lab", "x01", 1700000009, NULL), MT_OK);
    assert_int_equal(mt_store_set_down(store, "lab", "x02", 1700000009, NULL), MT_OK);
    assert_int_equal(mt_store_set_down(store, "hall", "x03", 1, NULL), MT_OK);
    mt_store_close(store);

    assert_int_equal(mt_store_open(&store, path, MT_STORE_WRITE, NULL), MT_OK);
    assert_int_equal(mt_store_down_nodes(store, &list, "lab", NULL), MT_OK);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.nodes[0].host, "x01");
    assert_string_equal(list.nodes[1].host, "x02");
    assert_true(list.nodes[1].since == 1700000000); /* the first time */
    mt_down_nodes_clear(&list);
    assert_int_equal(mt_store_set_up(store, "lab", "x02", NULL), MT_OK);
    assert_int_equal(mt_store_set_up(store, "lab", "x02", NULL), MT_OK);
    assert_int_equal(mt_store_set_up(store, "lab", "x03", NULL), MT_OK);
    assert_int_equal(mt_store_down_nodes(store, &list, "lab", NULL), MT_OK);
    assert_int_equal(list.count, 1);
    mt_down_nodes_clear(&list);
    mt_store_close(store);

    struct mt_runs runs = read_runs(path, &(struct mt_run_filter){0});
    assert_string_equal(runs.runs[0].down, "x02 x01");
    mt_runs_clear(&runs);
}

static void assert_newest_report(struct mt_store *store,
                                 const struct mt_run_filter *filter, int count,
                                 const char *report)
{
    struct mt_lateness_list list = {0};
    assert_int_equal(mt_store_latenesses(store, &list, filter, NULL), MT_OK);
    assert_int_equal(list.count, count);
    if (count > 0)
        assert_string_equal(list.all[0].report, report);
    mt_lateness_list_clear(&list);
}

static void finds_reports_by_what_was_run(void **state)
{
    char lab[] = "lab", lu[] = "lu", spmm[] = "spmm", one[] = "x:1x1", two[] = "x:2x1";
    char texts[3][8] = {"{}", "[1]", "[2]"};
    const struct mt_lateness reports[] = {
        {.cluster = lab,
         .program = lu,
         .configuration = two,
         .report = texts[0],
         .size = 400,
         .started = 30},
        {.cluster = lab,
         .program = lu,
         .configuration = one,
         .report = texts[1],
         .size = 800,
         .started = 10,
         .simulated = true},
        {.cluster = lab,
         .program = spmm,
         .configuration = one,
         .report = texts[2],
         .size = 400,
         .started = 20},
    };
    struct mt_store *store = NULL;
    assert_int_equal(mt_store_open(&store, store_path(*state), MT_STORE_WRITE, NULL),
                     MT_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(mt_store_add_lateness(store, &reports[i], NULL), MT_OK);
    assert_newest_report(store, &(struct mt_run_filter){0}, 3, "{}");
    assert_newest_report(store, &(struct mt_run_filter){.newest = 1}, 1, "{}");
    assert_newest_report(store, &(struct mt_run_filter){.program = "spmm"}, 1, "[2]");
    assert_newest_report(store, &(struct mt_run_filter){.configuration = "x:1x1"}, 2,
                         "[2]");
    assert_newest_report(store, &(struct mt_run_filter){.size = 800}, 1, "[1]");
    assert_newest_report(store, &(struct mt_run_filter){.cluster = "hall"}, 0, NULL);
    mt_store_close(store);
}

static void keeps_the_newest_figures_of_links(void **state)
{
    char lab[] = "lab", hall[] = "hall", x[] = "x", y[] = "y";
    struct mt_link_point points[] = {{1, 50e-6}, {1024, 55e-6}};
    struct mt_link_figure figures[] = {{lab, y, x, 50e-6, 1e8, false, 100, points, 2},
                                       {lab, x, x, 20e-6, 1e9, false, 100, NULL, 0},
                                       {hall, x, y, 1e-6, 1e10, true, 50, NULL, 0}};
    const struct mt_link_figures all = {figures, 3}, newer = {figures, 1};
    struct mt_link_figures links = {0};
    struct mt_store *store = NULL;
    assert_int_equal(mt_store_open(&store, store_path(*state), MT_STORE_WRITE, NULL),
                     MT_OK);
    assert_int_equal(mt_store_put_links(store, &all, NULL), MT_OK);
    figures[0].latency = 60e-6;
    figures[0].measured = 200;
    figures[0].npoints = 1;
    assert_int_equal(mt_store_put_links(store, &newer, NULL), MT_OK);
    assert_int_equal(mt_store_links(store, &links, "lab", NULL), MT_OK);
    assert_int_equal(links.count, 2);
    const struct mt_link_figure *link = mt_link_figures_find(&links, "y", "x");
    assert_non_null(link);
    assert_true(link->latency == 60e-6 && link->bandwidth == 1e8 && !link->simulated);
    assert_int_equal(link->npoints, 1); /* those before are gone */
    assert_true(link->points[0].bytes == 1 && link->points[0].seconds == 50e-6);
    assert_int_equal(mt_link_figures_find(&links, "x", "x")->npoints, 0);
    assert_ptr_equal(link, mt_link_figures_find(&links, "x", "y"));
    assert_null(mt_link_figures_find(&links, "y", "y"));
    mt_link_figures_clear(&links);
    assert_int_equal(mt_store_links(store, &links, NULL, NULL), MT_OK);
    assert_int_equal(links.count, 3);
    mt_link_figures_clear(&links);
    figures[0].bandwidth = 0;
    assert_int_equal(mt_store_put_links(store, &all, NULL), MT_EINVAL);
    mt_store_close(store);
}

static void filters_runs(void **state)
{
    const char *path = store_path(*state);
    for (int i = 1; i <= 4; i++) {
        struct mt_run run = example_run(i);
        run.size = i <= 2 ? 400 : 800;
        if (i % 2) {
            free(run.configuration);
            run.configuration = test_copy("xeon:1x1");
        }
        add_run(path, &run);
        mt_run_clear(&run);
    }
    assert_int_equal(count_runs(path, &(struct mt_run_filter){.size = 400}), 2);
    assert_int_equal(
        count_runs(path, &(struct mt_run_filter){.configuration = "xeon:1x1"}), 2);
    assert_int_equal(count_runs(path, &(struct mt_run_filter){.cluster = "lab",
                                                              .program = "lu",
                                                              .size = 800}),
                     2);
    assert_int_equal(count_runs(path, &(struct mt_run_filter){.program = "hpl"}), 0);
    assert_int_equal(count_runs(path, &(struct mt_run_filter){.cluster = "la"}), 0);
}

static void keeps_repetitions_of_one_number(void **state)
{
    const char *path = store_path(*state);
    struct mt_run run = example_run(1);
    add_run(path, &run);
    int64_t first = run.id;
    add_run(path, &run);
    assert_true(run.id > first);
    assert_int_equal(count_runs(path, &(struct mt_run_filter){0}), 2);
    mt_run_clear(&run);
}

static void refuses_runs_without_sense(void **state)
{
    struct mt_error err;
    struct mt_store *store = NULL;
    assert_int_equal(mt_store_open(&store, store_path(*state), MT_STORE_WRITE, &err),
                     MT_OK);
    static const double wrong[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        struct mt_run run = example_run(1);
        run.seconds = wrong[i];
        assert_int_equal(mt_store_add_run(store, &run, &err), MT_EINVAL);
        assert_contains(err.text, "seconds");
        run.seconds = 1;
        run.size = wrong[i];
        assert_int_equal(mt_store_add_run(store, &run, &err), MT_EINVAL);
        assert_contains(err.text, "size");
        assert_int_equal(run.id, 0);
        mt_run_clear(&run);
    }
    mt_store_close(store);
}

static void adds_all_or_none(void **state)
{
    struct mt_error err;
    struct mt_store *store = NULL;
    struct mt_run runs[3] = {example_run(1), example_run(2), example_run(0)};
    assert_int_equal(mt_store_open(&store, store_path(*state), MT_STORE_WRITE, &err),
                     MT_OK);
    assert_int_equal(mt_store_add_runs(store, runs, 3, &err), MT_EINVAL);
    assert_contains(err.text, "repetition is positive");
    assert_int_equal(runs[0].id, 0);
    runs[2].repetition = 3;
    assert_int_equal(mt_store_add_runs(store, runs, 3, &err), MT_OK);
    mt_store_close(store);
    assert_int_equal(count_runs(store_path(*state), &(struct mt_run_filter){0}), 3);
    for (int i = 0; i < 3; i++)
        mt_run_clear(&runs[i]);
}

static void takes_any_file_name(void **state)
{
    char path[256];
    snprintf(path, sizeof path, "%s/a b?c#d%%41:e.db", folder_path(*state));
    struct mt_run run = example_run(1);
    add_run(path, &run);
    mt_run_clear(&run);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(count_runs(path, &(struct mt_run_filter){0}), 1);
}

static void leaves_one_file(void **state)
{
    const char *path = store_path(*state);
    struct mt_run run = example_run(1);
    add_run(path, &run);
    mt_run_clear(&run);
    count_runs(path, &(struct mt_run_filter){0});
    assert_int_equal(count_files(folder_path(*state)), 1);
}

static void reading_alone_writes_nothing(void **state)
{
    struct mt_error err;
    struct mt_store *store = NULL;
    struct mt_run run = example_run(1);
    add_run(store_path(*state), &run);
    assert_int_equal(mt_store_open(&store, store_path(*state), MT_STORE_READ, &err),
                     MT_OK);
    assert_int_equal(mt_store_add_run(store, &run, &err), MT_EIO);
    assert_contains(err.text, "not writable");
    mt_store_close(store);
    mt_run_clear(&run);
}

/* Fits and plans see a few of very many runs: the median, others around it, and the
   latest run. One configuration becomes slower, the other one faster. */
static void thins_out_very_many_runs(void **state)
{
    enum { MANY = 4200, PLACES = 2 };
    static struct mt_run runs[MANY + 1];
    char lab[] = "lab", lu[] = "lu", xeon[] = "xeon";
    char *texts[PLACES] = {(char[]){"xeon:8x2"}, (char[]){"xeon:4x2"}};
    struct mt_layout layouts[] = {{.processes = 2}};
    struct mt_group group = {
        .name = xeon, .nodes = 8, .layouts = layouts, .nlayouts = 1};
    const struct mt_cluster cluster = {.name = lab, .groups = &group, .ngroups = 1};
    struct mt_store *store = NULL;
    struct mt_samples samples = {0};
    for (int i = 0; i < MANY; i++)
        runs[i] = (struct mt_run){
            .cluster = lab,
            .program = lu,
            .configuration = texts[i % PLACES],
            .size = 100,
            .repetition = 1 + i / PLACES,
            .seconds = i % PLACES == 0 ? 1 + i / PLACES : MANY / PLACES - i / PLACES};
    runs[MANY] = runs[0];
    runs[MANY].size = 200;
    assert_int_equal(mt_store_open(&store, store_path(*state), MT_STORE_WRITE, NULL),
                     MT_OK);
    assert_int_equal(mt_store_add_runs(store, runs, MANY + 1, NULL), MT_OK);
    assert_int_equal(mt_store_samples(store, &samples, &cluster, lu, NULL), MT_OK);
    assert_int_equal(samples.count, 7);
    assert_int_equal(samples.newest_run, MANY + 1);
    static const double seconds[] = {351, 1051, 1051, 351, 1751, 1751, 1};
    for (int i = 0; i < 7; i++)
        assert_true(samples.samples[i].seconds == seconds[i]);
    assert_int_equal(samples.samples[4].configuration.use[0].nodes, 8);
    assert_int_equal(samples.samples[5].configuration.use[0].nodes, 4);
    assert_true(samples.samples[6].size == 200);
    mt_samples_clear(&samples);
    mt_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_folder(keeps_every_field),
        in_folder(keeps_failures),
        in_folder(keeps_absent_nodes),
        in_folder(finds_reports_by_what_was_run),
        in_folder(keeps_the_newest_figures_of_links),
        in_folder(filters_runs),
        in_folder(keeps_repetitions_of_one_number),
        in_folder(refuses_runs_without_sense),
        in_folder(thins_out_very_many_runs),
        in_folder(adds_all_or_none),
        in_folder(takes_any_file_name),
        in_folder(leaves_one_file),
        in_folder(reading_alone_writes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
