/* SPDX-License-Identifier: BSD-3-Clause */
/* The report on late ranks: orders of the token, counts brought together, findings from
   given counts, the sentences and the JSON. */
#include "preload/lateness/counts.h"
#include "preload/lateness/findings.h"
#include "preload/lateness/order.h"

#include "tests/unit/test.h"

#include <jansson.h>

enum { MS = 1000000 };

/* Counts of 8 ranks on 4 nodes, two on each, which have run for a second each. */
struct fixture {
    struct counts counts;
    struct findings findings;
};

static const int node[8] = {0, 0, 2, 2, 4, 4, 6, 6};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    *state = fixture;
    if (!fixture || counts_init(&fixture->counts, 8))
        return -1;
    fixture->counts.heard = 8;
    fixture->counts.lifetime = (int64_t)8000 * MS;
    for (int rank = 0; rank < 8; rank += 2) {
        char name[32];
        snprintf(name, sizeof name, "n%d.cluster.example", rank / 2);
        fixture->counts.node_name[rank] = strdup(name);
    }
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    findings_free(&fixture->findings);
    counts_free(&fixture->counts);
    free(fixture);
    return 0;
}

/* A site of 100 calls, all watched. */
static struct site *add_site(struct counts *counts, uint64_t address)
{
    struct site *site = counts_site(counts, "solver", "solve", address);
    assert_non_null(site);
    site->calls = site->watched = 100;
    site->bytes = 100 * 8192;
    site->time = (int64_t)2000 * MS;
    counts->calls += 100;
    counts->watched += 100;
    counts->bytes += site->bytes;
    return site;
}

static void make_late(struct site *site, int rank, int64_t cost)
{
    site->of[rank] = (struct rank_lateness){
        .seen = 100, .late = 92, .sum = 92 * 4 * MS, .max = 9 * MS, .cost = cost};
}

static void find(struct fixture *fixture)
{
    assert_int_equal(
        findings_init(&fixture->findings, &fixture->counts, node, "solver"), 0);
}

/* The caller frees it. */
static char *print(void (*function)(FILE *, const struct findings *),
                   const struct findings *findings)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    function(stream, findings);
    assert_int_equal(fclose(stream), 0);
    return text;
}

/* All sentences, including those that stderr does not get. */
static void print_hints(FILE *stream, const struct findings *findings)
{
    struct hints hints;
    hints_put(stream, findings);
    hints_find(&hints, findings);
    for (int i = 0; i < hints.count; i++)
        fprintf(stream, "%s\n", hints.text[i]);
    hints_free(&hints);
}

static void assert_said(const struct findings *findings, const char *part)
{
    char *text = print(print_hints, findings);
    assert_contains(text, part);
    free(text);
}

static int64_t waited(const struct timeline *timeline)
{
    int64_t sum = 0;
    for (int i = 0; i < INTERVALS; i++)
        sum += timeline->waited[i];
    return sum;
}

static void test_timeline_doubles(void **state)
{
    (void)state;
    struct timeline timeline = {0};
    const int64_t width = timeline_width(&timeline);
    timeline_add(&timeline, width / 2, width, 1000);
    assert_int_equal(timeline.waited[0], 500);
    assert_int_equal(timeline.waited[1], 500);
    timeline_add(&timeline, INTERVALS * width - 1, 1, 7);
    assert_int_equal(timeline.doubled, 0);
    assert_int_equal(timeline.waited[INTERVALS - 1], 7);
    timeline_add(&timeline, 8 * INTERVALS * width - 1, 1, 3);
    assert_int_equal(timeline.doubled, 3);
    assert_int_equal(timeline_width(&timeline), 8 * width);
    assert_int_equal(timeline.waited[0], 1000);
    assert_int_equal(timeline.waited[7], 7);
    assert_int_equal(timeline.waited[INTERVALS - 1], 3);
    timeline_add(&timeline, 0, INT64_C(1) << 50, 1 << 20); /* 13 days */
    assert_in_range(waited(&timeline), 1010 + (1 << 20) - INTERVALS, 1010 + (1 << 20));
}

static void test_order_is_one_to_one(void **state)
{
    (void)state;
    for (int size = 1; size <= 40; size++)
        for (int call = 0; call < 50; call++) {
            const int root = (size / 2 + call) % size;
            const struct order order = order_at(size, root, call);
            assert_int_equal(order_place(&order, root), 0);
            for (int rank = 0; rank < size; rank++) {
                const int place = order_place(&order, rank);
                assert_in_range(place, 0, size - 1);
                assert_int_equal(order_rank(&order, place), rank);
            }
        }
}

/* 100,000 ranks: no product overflows. */
static void test_order_of_many(void **state)
{
    (void)state;
    const int size = 100000;
    const struct order order = order_at(size, 7, 12345);
    for (int rank = 0; rank < size; rank += 997)
        assert_int_equal(order_rank(&order, order_place(&order, rank)), rank);
}

/* Odd places are leaves: a rank that always had one would never be seen. With up to 3
   ranks only the root has children. */
static void test_order_gives_every_rank_children(void **state)
{
    (void)state;
    for (int size = 4; size <= 33; size++)
        for (int rank = 0; rank < size; rank++) {
            int parent = 0;
            for (int call = 0; call < 64; call++) {
                const struct order order = order_at(size, 0, call);
                const int place = order_place(&order, rank);
                parent += place % 2 == 0 && place + 1 < size;
            }
            assert_true(parent >= 8);
        }
}

static void test_counts_come_together(void **state)
{
    struct fixture *fixture = *state;
    struct counts other = {0};
    assert_int_equal(counts_init(&other, 8), 0);
    other.lifetime = 500;
    other.saved = 70;
    other.set_up = 30;
    other.delay = 40;
    other.patient = 1;
    other.crowd = (struct crowd){.ranks = 4, .millicores = 1500, .node = 6};
    other.node_name[6] = strdup("another");
    struct site *shared = add_site(&other, 0x10);
    shared->calls = 120;
    make_late(shared, 3, 5 * MS);
    make_late(add_site(&other, 0x20), 4, 6 * MS);
    make_late(add_site(&fixture->counts, 0x10), 3, 7 * MS);

    struct packed packed;
    assert_int_equal(counts_pack(&other, &packed), 0);
    assert_int_equal(counts_add(&fixture->counts, &packed), 0);
    packed_free(&packed);
    counts_free(&other);

    const struct counts *counts = &fixture->counts;
    assert_int_equal(counts->heard, 9);
    assert_int_equal(counts->lifetime, (int64_t)8000 * MS + 500);
    assert_int_equal(counts->saved, 70);
    assert_int_equal(counts->set_up, 30);
    assert_int_equal(counts->delay, 40);
    assert_int_equal(counts->patient, 1);
    assert_int_equal(counts->crowd.millicores, 1500);
    assert_int_equal(counts->crowd.node, 6);
    assert_string_equal(counts->node_name[6], "n3.cluster.example");
    assert_int_equal(counts->sites, 2);
    assert_int_equal(counts->site[0].calls, 120);
    assert_int_equal(counts->site[0].time, (int64_t)4000 * MS);
    assert_int_equal(counts->site[0].of[3].late, 184);
    assert_int_equal(counts->site[0].of[3].cost, 12 * MS);
    assert_int_equal(counts->site[0].of[3].max, 9 * MS);
    assert_int_equal(counts->site[1].of[4].cost, 6 * MS);
}

static void test_too_many_sites_are_counted_together(void **state)
{
    struct fixture *fixture = *state;
    for (uint64_t i = 0; i < MAX_SITES + 20; i++) {
        struct site *site = counts_site(&fixture->counts, "solver", "", 16 * i);
        assert_non_null(site);
        site->calls++;
    }
    assert_int_equal(fixture->counts.sites, MAX_SITES + 1);
    assert_string_equal(fixture->counts.site[MAX_SITES].object, "");
    assert_int_equal(fixture->counts.site[MAX_SITES].calls, 20);
}

static void test_one_late_rank(void **state)
{
    struct fixture *fixture = *state;
    struct site *site = add_site(&fixture->counts, 0x1f3);
    make_late(site, 5, 900 * MS);
    make_late(site, 2, 90 * MS);
    find(fixture);
    const struct findings *findings = &fixture->findings;
    assert_int_equal(findings->verdict, RANK_LATE);
    assert_int_equal(findings->waiting, 990 * MS);
    assert_int_equal(findings->worst, 5);
    assert_said(findings, "Rank 5 on node n2 came late in 92 % of the calls in which "
                          "others got the message from it, 4.0 ms after them on "
                          "average; that cost 900 ms of rank time.");
    assert_said(findings, "MOTLEY_BALANCE=bcast,report");
}

/* Few calls without a token: they cost as much each as the watched ones, but no more
   than the time that they took. */
static void test_few_unwatched_calls_are_estimated(void **state)
{
    struct fixture *fixture = *state;
    struct site *site = add_site(&fixture->counts, 0x10);
    site->watched = 80;
    site->time_unwatched = 1000 * MS;
    make_late(site, 5, 400 * MS);
    find(fixture);
    assert_int_equal(fixture->findings.waiting, 500 * MS);
    findings_free(&fixture->findings);

    site->time_unwatched = 70 * MS;
    find(fixture);
    assert_int_equal(fixture->findings.waiting, 470 * MS);
    assert_int_equal(findings_waiting_at(&fixture->findings, 0), 470 * MS);
}

/* Many: what they waited and took each stands for all, as far as lateness explains it.
 */
static void test_watching_does_not_count_itself(void **state)
{
    struct fixture *fixture = *state;
    struct site *site = add_site(&fixture->counts, 0x10);
    site->watched = 20;
    site->time = (int64_t)2000 * MS;
    site->time_unwatched = 800 * MS;
    site->waits_unwatched = 400 * MS;
    make_late(site, 5, 1000 * MS);
    find(fixture);
    assert_int_equal(fixture->findings.waiting, 500 * MS);
    assert_int_equal(fixture->findings.time, 1000 * MS);
    findings_free(&fixture->findings);

    site->of[5].sum = 100 * 200000; /* 7 ranks cannot have waited longer in 100 calls */
    find(fixture);
    assert_int_equal(fixture->findings.waiting, 140 * MS);
}

static void test_a_late_node(void **state)
{
    struct fixture *fixture = *state;
    struct site *site = add_site(&fixture->counts, 0x10);
    make_late(site, 6, 450 * MS);
    make_late(site, 7, 450 * MS);
    make_late(site, 1, 100 * MS);
    find(fixture);
    assert_int_equal(fixture->findings.verdict, NODE_LATE);
    assert_said(&fixture->findings, "Node n3, with 2 ranks, causes 90 % of the "
                                    "waiting; the others waited 900 ms of rank");
}

static void test_a_late_root(void **state)
{
    struct fixture *fixture = *state;
    struct site *site = add_site(&fixture->counts, 0x10);
    make_late(site, 0, 900 * MS);
    site->of[0].as_root = 900 * MS;
    find(fixture);
    assert_int_equal(fixture->findings.verdict, ROOT_LATE);
    assert_said(&fixture->findings, "for the root of the broadcast itself, above all "
                                    "rank 0 on node n0");
}

static void test_nobody_is_late(void **state)
{
    struct fixture *fixture = *state;
    make_late(add_site(&fixture->counts, 0x10), 3, 70 * MS);
    find(fixture);
    assert_int_equal(fixture->findings.verdict, NOBODY_LATE);
    assert_said(&fixture->findings, "No rank was notably late.");
}

static void test_cores_are_shared(void **state)
{
    struct fixture *fixture = *state;
    struct counts *counts = &fixture->counts;
    make_late(add_site(counts, 0x10), 5, 900 * MS);
    counts_crowd(counts, &(struct crowd){.ranks = 2, .millicores = 2000, .node = 0});
    find(fixture);
    assert_int_equal(fixture->findings.verdict, RANK_LATE);
    findings_free(&fixture->findings);

    counts_crowd(counts, &(struct crowd){.ranks = 2, .millicores = 1000, .node = 4});
    counts_crowd(counts, &(struct crowd){.ranks = 2, .millicores = 2000, .node = 6});
    counts->delay = (int64_t)4000 * MS;
    find(fixture);
    assert_int_equal(fixture->findings.verdict, CORES_SHARED);
    assert_said(&fixture->findings,
                "Cores are shared: 2 ranks have 1 core on node n2, and the ranks "
                "lacked a core for 50 % of the time.");
    assert_said(&fixture->findings, "start the program with 'motley patient'");
    findings_free(&fixture->findings);

    counts->patient = counts->heard;
    find(fixture);
    assert_int_equal(fixture->findings.verdict, RANK_LATE);
}

/* As many cores as ranks, but others have them. */
static void test_others_have_the_cores(void **state)
{
    struct fixture *fixture = *state;
    fixture->counts.delay = (int64_t)4000 * MS;
    find(fixture);
    assert_int_equal(fixture->findings.verdict, CORES_SHARED);
    assert_said(&fixture->findings, "Cores are shared: the ranks lacked a core");
}

static void test_nothing_counted(void **state)
{
    struct fixture *fixture = *state;
    find(fixture);
    assert_int_equal(fixture->findings.verdict, NOBODY_LATE);
}

/* Its ranks wait for 200 ms of their second, the others for 400. */
static void test_findings_of_all_calls(void **state)
{
    struct fixture *fixture = *state;
    fixture->counts.all_calls = true;
    struct site *site = add_site(&fixture->counts, 0x10);
    site->call = CALL_Allreduce;
    for (int rank = 0; rank < 8; rank++) {
        const bool slow = rank >= 6;
        if (slow)
            make_late(site, rank, 600 * MS);
        site->of[rank].calls = 100;
        site->of[rank].time = (slow ? 200 : 400) * MS;
        site->of[rank].waited = (slow ? 0 : 200) * MS;
    }
    find(fixture);
    assert_int_equal(fixture->findings.verdict, NODE_LATE);
    assert_said(&fixture->findings, "Node n3, with 2 ranks, causes 100 %");
    assert_said(&fixture->findings, "Between its calls it takes 33 % longer than the "
                                    "others: it is slower, or has more to do.");
}

/* Ranks that work alone in turn, as in factorisations, are no finding. */
static void test_one_rank_works_alone(void **state)
{
    struct fixture *fixture = *state;
    fixture->counts.all_calls = true;
    struct site *site = add_site(&fixture->counts, 0x10);
    site->call = CALL_Scatter;
    make_late(site, 3, 600 * MS);
    make_late(site, 5, 500 * MS);
    site->of[3].alone = site->of[5].alone = 500 * MS;
    find(fixture);
    assert_int_equal(fixture->findings.alone, -1);
    findings_free(&fixture->findings);
    site->of[5].alone = 400 * MS;
    find(fixture);
    assert_int_equal(fixture->findings.alone, 3);
    assert_said(&fixture->findings,
                "Rank 3 on node n1 works alone while the others wait, for 500 ms of "
                "rank time, 100 % of it ahead of MPI_Scatter at 0x10 solver, solve "
                "(100 calls).");
}

static void test_late_ranks_all_over(void **state)
{
    struct fixture *fixture = *state;
    struct site *site = add_site(&fixture->counts, 0x10);
    for (int rank = 0; rank < 8; rank++)
        make_late(site, rank, 100 * MS);
    find(fixture);
    assert_int_equal(fixture->findings.verdict, SPREAD);
    assert_said(&fixture->findings, "The waiting is for many ranks; those on node");
}

static void test_saving_is_shown_when_it_was_asked_for(void **state)
{
    struct fixture *fixture = *state;
    make_late(add_site(&fixture->counts, 0x10), 5, 900 * MS);
    fixture->counts.saved = (int64_t)24000 * MS;
    find(fixture);
    fixture->findings.adaptive = true;
    assert_said(&fixture->findings, ", 24 s saved by this library");
    fixture->counts.saved = -1500 * MS;
    findings_free(&fixture->findings);
    find(fixture);
    fixture->findings.adaptive = true;
    assert_said(&fixture->findings, ", -1.5 s saved");
}

/* 20,000 ranks with long names of everything. */
static void test_lines_stay_three(void **state)
{
    (void)state;
    enum { SIZE = 20000 };
    struct counts counts;
    struct findings findings;
    char name[200];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = 0;
    int *nodes = calloc(SIZE, sizeof *nodes);
    assert_non_null(nodes);
    assert_int_equal(counts_init(&counts, SIZE), 0);
    counts.calls = counts.bytes = 1000000000000;
    counts.watched = 12345678;
    for (int i = 0; i < MAX_SITES; i++) {
        struct site *site = counts_site(&counts, name, name, UINT64_MAX - (uint64_t)i);
        assert_non_null(site);
        site->calls = 1234567890;
        for (int rank = SIZE - 5; rank < SIZE; rank++)
            make_late(site, rank, (int64_t)1000 * 3600 * 1000 * MS);
    }
    for (int rank = 0; rank < SIZE; rank++)
        nodes[rank] = rank;
    counts.node_name[SIZE - 5] = strdup(name);
    assert_int_equal(findings_init(&findings, &counts, nodes, name), 0);
    counts.all_calls = true;
    char *page = print(hints_put, &findings);
    int lines = 0;
    for (const char *line = page; *line; line += strcspn(line, "\n") + 1, lines++)
        assert_in_range(strcspn(line, "\n"), 0, 400);
    assert_int_equal(lines, 3);
    free(page);
    free(nodes);
    findings_free(&findings);
    counts_free(&counts);
}

static double real_of(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static void test_json_is_read_back(void **state)
{
    struct fixture *fixture = *state;
    make_late(add_site(&fixture->counts, 0x1f3), 5, 900 * MS);
    find(fixture);
    fixture->findings.name = "a \"quoted\"\tname\\";
    fixture->findings.simulated = true;
    char *text = print(report_json, &fixture->findings);
    char *second = strchr(text, '\n') + 1;
    json_t *site = json_loads(text, JSON_DISABLE_EOF_CHECK, NULL);
    json_t *summary = json_loads(second, JSON_DISABLE_EOF_CHECK, NULL);
    assert_non_null(site);
    assert_non_null(summary);
    assert_string_equal(json_string_value(json_object_get(site, "communicator")),
                        "a \"quoted\"\tname\\");
    assert_string_equal(json_string_value(json_object_get(site, "address")), "0x1f3");
    assert_true(json_is_true(json_object_get(site, "simulated")));
    const json_t *rank = json_array_get(json_object_get(site, "ranks"), 0);
    assert_close(real_of(rank, "rank"), 5, 0);
    assert_close(real_of(rank, "late"), 92, 0);
    assert_close(real_of(rank, "late_seconds_mean"), 0.004, 1e-9);
    assert_close(real_of(rank, "cost_seconds"), 0.9, 1e-9);
    assert_string_equal(json_string_value(json_object_get(summary, "verdict")), "rank");
    assert_contains(
        json_string_value(json_array_get(json_object_get(summary, "findings"), 0)),
        "Rank 5 on node n2 came late in 92 % of the calls");
    assert_close(real_of(summary, "waiting_seconds"), 0.9, 1e-9);
    assert_close(real_of(summary, "nodes"), 4, 0);
    json_decref(site);
    json_decref(summary);
    free(text);
}

/* A character that is cut off, a byte that begins none, and what is right. */
static void test_bytes_that_are_no_text_leave_json_valid(void **state)
{
    struct fixture *fixture = *state;
    find(fixture);
    fixture->findings.name = "\xff"
                             "a\xc3"
                             "b \xc3\xa9 \xe2\x82";
    char *text = print(report_json, &fixture->findings);
    json_t *communicator = json_loads(text, JSON_DISABLE_EOF_CHECK, NULL);
    assert_non_null(communicator);
    assert_string_equal(
        json_string_value(json_object_get(communicator, "communicator")),
        "\xef\xbf\xbd"
        "a\xef\xbf\xbd"
        "b \xc3\xa9 "
        "\xef\xbf\xbd\xef\xbf\xbd");
    json_decref(communicator);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_timeline_doubles),
        cmocka_unit_test(test_order_is_one_to_one),
        cmocka_unit_test(test_order_of_many),
        cmocka_unit_test(test_order_gives_every_rank_children),
        cmocka_unit_test_setup_teardown(test_counts_come_together, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_too_many_sites_are_counted_together,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_one_late_rank, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_few_unwatched_calls_are_estimated, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_watching_does_not_count_itself, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_a_late_node, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_late_root, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nobody_is_late, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cores_are_shared, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_others_have_the_cores, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_findings_of_all_calls, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_one_rank_works_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_late_ranks_all_over, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_saving_is_shown_when_it_was_asked_for,
                                        set_up, tear_down),
        cmocka_unit_test(test_lines_stay_three),
        cmocka_unit_test_setup_teardown(test_json_is_read_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bytes_that_are_no_text_leave_json_valid,
                                        set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
