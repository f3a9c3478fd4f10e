/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/check/check.h"

#include "tests/unit/test.h"

/* Messages from 1 byte to 1 MiB by powers of two over a link of that latency and
   bandwidth. */
static struct mt_curve make_curve(double latency, double bandwidth)
{
    struct mt_curve curve = {0};
    for (double bytes = 1; bytes <= 1048576; bytes *= 2) {
        const double seconds = latency + bytes / bandwidth;
        assert_true(mt_curve_add(&curve, bytes, seconds, 1.1 * seconds));
    }
    return curve;
}

/* Divide the bandwidth of some sizes. */
static void dent(struct mt_curve *curve, double from, double to, double slowdown)
{
    for (int i = 0; i < curve->count; i++)
        if (curve->bytes[i] >= from && curve->bytes[i] <= to) {
            curve->seconds[i] *= slowdown;
            curve->medians[i] *= slowdown;
        }
}

static void curve_is_sorted_and_keeps_the_shorter_time(void **state)
{
    (void)state;
    struct mt_curve curve = {0};
    assert_true(mt_curve_add(&curve, 8, 2, 3) && mt_curve_add(&curve, 2, 1, 4) &&
                mt_curve_add(&curve, 4, 3, 5) && mt_curve_add(&curve, 4, 2, 7) &&
                mt_curve_add(&curve, 2, 5, 6));
    assert_int_equal(curve.count, 3);
    assert_close(curve.bytes[1], 4, 0);
    assert_close(curve.seconds[1], 2, 0);
    assert_close(curve.seconds[0], 1, 0);
    assert_close(curve.medians[1], 5, 0);
    assert_close(mt_curve_bandwidth(&curve, 2), 4, 0);
    assert_int_equal(mt_curve_find(&curve, 8), 2);
    assert_int_equal(mt_curve_find(&curve, 5), -1);
}

static void curve_has_an_end(void **state)
{
    (void)state;
    struct mt_curve curve = {0};
    for (int i = 0; i < MT_CURVE_POINTS; i++)
        assert_true(mt_curve_add(&curve, i + 1, 1, 1));
    assert_false(mt_curve_add(&curve, 1000, 1, 1));
    assert_true(mt_curve_add(&curve, 1, 0.5, 1));
}

static void clean_curves_have_no_dip(void **state)
{
    (void)state;
    struct mt_curve_dip dip;
    const double latencies[] = {1e-7, 1e-5, 1e-3}, bandwidths[] = {1e6, 1e8, 1e11};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const struct mt_curve curve = make_curve(latencies[i], bandwidths[j]);
            assert_false(mt_curve_next_dip(&dip, &curve, 0));
        }
    const struct mt_curve empty = {0};
    assert_false(mt_curve_next_dip(&dip, &empty, 0));
}

/* A rendezvous costs a round trip beyond 48000 bytes, between sizes that differ by 5 %.
   A single late message is no step, and no more is one of half a latency. */
static void eager_limit_is_the_last_size_before_a_step(void **state)
{
    (void)state;
    struct mt_curve curve = {0};
    for (double bytes = 512; bytes < 2e5; bytes *= 1.05) {
        const double seconds = 5e-5 + bytes / 1e8 + (bytes > 48000 ? 1e-4 : 0) +
                               (bytes > 4000 ? 2.5e-5 : 0);
        mt_curve_add(&curve, bytes, seconds, 1.1 * seconds);
    }
    assert_close(mt_curve_eager(&curve), 512 * pow(1.05, 93), 1e-6);
    curve.seconds[60] = curve.medians[60] = 1;
    assert_close(mt_curve_eager(&curve), 512 * pow(1.05, 93), 1e-6);
    const struct mt_curve smooth = make_curve(5e-5, 1e8);
    assert_true(isnan(mt_curve_eager(&smooth)));
}

static void dip_is_found_with_its_ends(void **state)
{
    (void)state;
    struct mt_curve curve = make_curve(5e-5, 1e8);
    struct mt_curve_dip dip;
    dent(&curve, 16384, 65536, 6);
    assert_true(mt_curve_next_dip(&dip, &curve, 0));
    assert_close(curve.bytes[dip.first], 16384, 0);
    assert_close(curve.bytes[dip.last], 65536, 0);
    assert_close(dip.lowest, 16384 / (6 * (5e-5 + 16384e-8)), 1e-12);
    assert_close(dip.around, 8192 / (5e-5 + 8192e-8), 1e-12);
    assert_false(mt_curve_next_dip(&dip, &curve, dip.last + 1));
}

static void two_dips_are_found_one_after_the_other(void **state)
{
    (void)state;
    struct mt_curve curve = make_curve(1e-6, 1e8);
    struct mt_curve_dip dip;
    dent(&curve, 1024, 2048, 5);
    dent(&curve, 65536, 262144, 5);
    assert_true(mt_curve_next_dip(&dip, &curve, 0));
    assert_close(curve.bytes[dip.first], 1024, 0);
    assert_true(mt_curve_next_dip(&dip, &curve, dip.last + 1));
    assert_close(curve.bytes[dip.first], 65536, 0);
    assert_close(curve.bytes[dip.last], 262144, 0);
}

/* A rendezvous adds a latency or two to all messages from a size on. */
static void protocol_switches_are_no_dips(void **state)
{
    (void)state;
    struct mt_curve_dip dip;
    const double bandwidths[] = {1e8, 1e9, 1e10, 1e11};
    for (int i = 0; i < 4; i++) {
        struct mt_curve curve = make_curve(2e-6, bandwidths[i]);
        for (int p = 0; p < curve.count; p++)
            if (curve.bytes[p] >= 65536)
                curve.seconds[p] = curve.medians[p] += 3 * 2e-6;
        assert_false(mt_curve_next_dip(&dip, &curve, 0));
    }
}

/* Two sizes with one lucky message each do not set the standard for the others. */
static void lucky_messages_make_no_dip(void **state)
{
    (void)state;
    struct mt_curve curve = make_curve(1e-4, 1e8);
    struct mt_curve_dip dip;
    for (int p = 0; p < curve.count; p++)
        if (curve.bytes[p] == 4096 || curve.bytes[p] == 65536)
            curve.seconds[p] /= 8;
    assert_false(mt_curve_next_dip(&dip, &curve, 0));
}

static void a_network_that_stays_slow_has_no_dip(void **state)
{
    (void)state;
    struct mt_curve curve = make_curve(1e-6, 1e8);
    struct mt_curve_dip dip;
    dent(&curve, 65536, 1 << 20, 5);
    assert_false(mt_curve_next_dip(&dip, &curve, 0));
}

static void one_late_message_is_no_dip(void **state)
{
    (void)state;
    struct mt_curve curve = make_curve(1e-6, 1e8);
    struct mt_curve_dip dip;
    dent(&curve, 65536, 65536, 50);
    assert_false(mt_curve_next_dip(&dip, &curve, 0));
}

static void outliers_are_far_from_the_median(void **state)
{
    (void)state;
    const double values[] = {10, NAN, 10.5, 9.8, 12, 10.1};
    bool out[6];
    double median;
    assert_int_equal(mt_outliers(out, &median, values, 6, 1), 1);
    assert_close(median, 10.1, 0);
    assert_true(out[4]);
    assert_false(out[0] || out[1] || out[2] || out[3] || out[5]);
}

static void of_two_values_both_are_outliers(void **state)
{
    (void)state;
    const double near[] = {10, NAN, 10.9}, far[] = {10, 11.1, NAN};
    bool out[3];
    double median;
    assert_int_equal(mt_outliers(out, &median, near, 3, 1), 0);
    assert_int_equal(mt_outliers(out, &median, far, 3, 1), 2);
    assert_true(out[0] && out[1] && !out[2]);
    assert_close(median, 10.55, 1e-15);
}

static void one_value_and_none_are_no_outliers(void **state)
{
    (void)state;
    const double one[] = {NAN, 5}, none[] = {NAN, NAN};
    bool out[2];
    double median;
    assert_int_equal(mt_outliers(out, &median, one, 2, 0.1), 0);
    assert_close(median, 5, 0);
    assert_int_equal(mt_outliers(out, &median, none, 2, 0.1), 0);
    assert_true(isnan(median));
    assert_int_equal(mt_laggards(out, &median, none, 2, 2), 0);
}

static void laggards_are_below_what_most_reach(void **state)
{
    (void)state;
    const double two[] = {100, 40}, five[] = {100, 90, 300, 40, 110};
    bool out[5];
    double most;
    assert_int_equal(mt_laggards(out, &most, two, 2, 2), 1);
    assert_true(out[1] && !out[0]);
    assert_close(most, 100, 0);
    assert_int_equal(mt_laggards(out, &most, five, 5, 2), 1);
    assert_true(out[3] && !out[2]);
    assert_close(most, 100, 0);
}

/* Three nodes that answer, in two groups, and one that does not. */
struct fixture {
    struct mt_group groups[2];
    struct mt_cluster cluster;
    struct mt_check check;
};

static int set_up(void **state)
{
    static char a[] = "a", b[] = "b", a1[] = "a1", a2[] = "a2", a3[] = "a3",
                b1[] = "b1";
    static char *hosts_a[] = {a1, a2, a3}, *hosts_b[] = {b1};
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->groups[0] = (struct mt_group){.name = a, .hosts = hosts_a, .nodes = 3};
    f->groups[1] = (struct mt_group){.name = b, .hosts = hosts_b, .nodes = 1};
    f->cluster = (struct mt_cluster){.groups = f->groups, .ngroups = 2};
    mt_check_begin(&f->check, &f->cluster);
    for (int i = 0; i < 4; i++)
        f->check.nodes[i].answers = i != 1;
    f->check.nanswer = 3;
    mt_check_choose_links(&f->check);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    mt_check_clear(&f->check);
    free(f);
    return 0;
}

static void ranks_are_nodes_that_answer(void **state)
{
    const struct fixture *f = *state;
    assert_int_equal(mt_check_node_of_rank(&f->check, 0), 0);
    assert_int_equal(mt_check_node_of_rank(&f->check, 1), 2);
    assert_int_equal(mt_check_node_of_rank(&f->check, 2), 3);
    assert_int_equal(mt_check_node_of_rank(&f->check, 3), -1);
    assert_int_equal(mt_check_node_of_rank(&f->check, -1), -1);
}

/* A ring of three, in which the two groups' first nodes are neighbours. */
static void links_are_a_ring_and_pairs_of_groups(void **state)
{
    const struct mt_check *check = &((const struct fixture *)*state)->check;
    assert_int_equal(check->nlinks, 3);
    assert_int_equal(check->links[0].from, 0);
    assert_int_equal(check->links[0].to, 2);
    assert_int_equal(check->links[1].to, 3);
    assert_int_equal(check->links[2].from, 3);
    assert_int_equal(check->links[2].to, 0);
}

static void read(struct mt_check *check, const char *line)
{
    struct mt_error err = {0};
    if (mt_check_read(check, line, &err) != MT_OK)
        fail_msg("%s", err.text);
}

static void the_probe_is_understood(void **state)
{
    struct mt_check *check = &((struct fixture *)*state)->check;
    read(check, "a word of the launcher's\n");
    read(check,
         "{\"test\":\"rank\",\"rank\":1,\"host\":\"n\",\"mpi\":\"M 1\",\"cores\":4,"
         "\"load\":0.5}\n");
    read(check, "{\"test\":\"rank\",\"rank\":2,\"host\":\"o\",\"mpi\":\"M 1\","
                "\"cores\":null,\"load\":null}");
    read(check, "{\"test\":\"compute\",\"rank\":1,\"flops\":2e9,\"bandwidth\":8e9}\n");
    read(check, "{\"test\":\"compute\",\"rank\":1,\"flops\":1e9,\"bandwidth\":9e9}\n");
    read(check, "{\"test\":\"pair\",\"from\":2,\"to\":0,\"bytes\":8,\"seconds\":1e-5,"
                "\"median\":2e-5}\n");
    read(check, "{\"test\":\"alltoall\",\"ranks\":3,\"bytes\":4,\"seconds\":3e-5,"
                "\"median\":4e-5}\n");
    const struct mt_checked_node *node = &check->nodes[2];
    assert_string_equal(node->host, "n");
    assert_string_equal(node->mpi, "M 1");
    assert_close(node->flops, 2e9, 0);
    assert_close(node->bandwidth, 9e9, 0);
    assert_true(isnan(check->nodes[3].load));
    assert_int_equal(check->links[2].curve.count, 1);
    assert_close(check->links[2].curve.seconds[0], 1e-5, 0);
    assert_close(check->alltoall.seconds[0], 3e-5, 0);
}

/* Only the first probe's load counts, as later ones include the probe itself. */
static void the_first_word_about_load_counts(void **state)
{
    struct mt_check *check = &((struct fixture *)*state)->check;
    for (int times = 0; times < 2; times++) {
        char line[256];
        snprintf(
            line, sizeof line,
            "{\"test\":\"rank\",\"rank\":0,\"host\":\"n\",\"mpi\":\"M\",\"cores\":4,"
            "\"load\":%d}",
            times);
        read(check, line);
    }
    assert_close(check->nodes[0].load, 0, 0);
}

static void broken_words_of_the_probe_are_refused(void **state)
{
    struct mt_check *check = &((struct fixture *)*state)->check;
    static const char *const broken[] = {
        "{\"test\":\"rank\",\"rank\":0",
        "{\"test\":\"rank\",\"rank\":0}",
        "{\"test\":\"unheard of\"}",
        "{\"test\":7}",
        "{\"test\":\"compute\",\"rank\":3,\"flops\":1,\"bandwidth\":1}",
        "{\"test\":\"compute\",\"rank\":-1,\"flops\":1,\"bandwidth\":1}",
        "{\"test\":\"compute\",\"rank\":4294967296,\"flops\":1,\"bandwidth\":1}",
        "{\"test\":\"compute\",\"rank\":0,\"flops\":-1,\"bandwidth\":1}",
        "{\"test\":\"compute\",\"rank\":0,\"flops\":\"1\",\"bandwidth\":1}",
        "{\"test\":\"compute\",\"rank\":0,\"flops\":null,\"bandwidth\":1}",
        "{\"test\":\"pair\",\"from\":0,\"to\":2,\"bytes\":8,\"seconds\":1,\"median\":"
        "1}",
        "{\"test\":\"pair\",\"from\":0,\"to\":1,\"bytes\":8,\"seconds\":0,\"median\":"
        "1}",
        "{\"test\":\"pair\",\"from\":0,\"to\":1,\"bytes\":8,\"seconds\":1}",
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct mt_error err = {0};
        if (mt_check_read(check, broken[i], &err) != MT_EIO)
            fail_msg("taken for granted: %s", broken[i]);
        assert_contains(err.text, broken[i]);
    }
}

/* The finding of that kind; fails unless it exists exactly once. */
static const struct mt_finding *find(const struct mt_check *check,
                                     enum mt_finding_kind kind)
{
    const struct mt_finding *found = NULL;
    for (int i = 0; i < check->findings.count; i++)
        if (check->findings.list[i].kind == kind) {
            assert_null(found);
            found = &check->findings.list[i];
        }
    assert_non_null(found);
    return found;
}

static void introduce(struct mt_check *check, int rank, const char *host,
                      const char *mpi, double load)
{
    char line[512];
    snprintf(
        line, sizeof line,
        "{\"test\":\"rank\",\"rank\":%d,\"host\":\"%s\",\"mpi\":\"%s\",\"cores\":8,"
        "\"load\":%g}",
        rank, host, mpi, load);
    read(check, line);
}

static void what_nodes_say_is_compared(void **state)
{
    struct mt_check *check = &((struct fixture *)*state)->check;
    introduce(check, 0, "x", "M 1", 0.9);
    introduce(check, 1, "x", "M 1", 0.1);
    introduce(check, 2, "y", "M 2", 0.7);
    mt_check_diagnose(check);
    assert_int_equal(check->findings.count, 4);
    assert_string_equal(find(check, MT_FOUND_DOWN)->text, "no answer from: a2");
    assert_string_equal(find(check, MT_FOUND_MPI)->text,
                        "another MPI than that of a1 (M 1): b1 (M 2)");
    assert_contains(find(check, MT_FOUND_HOST)->text,
                    ": a1 (calls itself x), a3 (calls itself x)");
    assert_contains(find(check, MT_FOUND_LOAD)->text, ": a1 (load 0.90 on 8 cores)");
    assert_int_equal(find(check, MT_FOUND_MPI)->nnodes, 1);
    assert_int_equal(find(check, MT_FOUND_MPI)->nodes[0], 3);
}

static void an_endless_program_is_found(void **state)
{
    struct mt_check *check = &((struct fixture *)*state)->check;
    check->endless = true;
    mt_check_diagnose(check);
    assert_contains(find(check, MT_FOUND_END)->text, " on: a1, a3, b1");
}

static void a_second_diagnosis_starts_anew(void **state)
{
    struct mt_check *check = &((struct fixture *)*state)->check;
    mt_check_diagnose(check);
    mt_check_diagnose(check);
    assert_int_equal(check->findings.count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curve_is_sorted_and_keeps_the_shorter_time),
        cmocka_unit_test(curve_has_an_end),
        cmocka_unit_test(clean_curves_have_no_dip),
        cmocka_unit_test(eager_limit_is_the_last_size_before_a_step),
        cmocka_unit_test(dip_is_found_with_its_ends),
        cmocka_unit_test(two_dips_are_found_one_after_the_other),
        cmocka_unit_test(protocol_switches_are_no_dips),
        cmocka_unit_test(lucky_messages_make_no_dip),
        cmocka_unit_test(a_network_that_stays_slow_has_no_dip),
        cmocka_unit_test(one_late_message_is_no_dip),
        cmocka_unit_test(outliers_are_far_from_the_median),
        cmocka_unit_test(of_two_values_both_are_outliers),
        cmocka_unit_test(one_value_and_none_are_no_outliers),
        cmocka_unit_test(laggards_are_below_what_most_reach),
        cmocka_unit_test_setup_teardown(ranks_are_nodes_that_answer, set_up, tear_down),
        cmocka_unit_test_setup_teardown(links_are_a_ring_and_pairs_of_groups, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_probe_is_understood, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_first_word_about_load_counts, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(broken_words_of_the_probe_are_refused, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_nodes_say_is_compared, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_endless_program_is_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_second_diagnosis_starts_anew, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
