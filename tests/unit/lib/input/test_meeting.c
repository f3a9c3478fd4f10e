/* SPDX-License-Identifier: BSD-3-Clause */
/* Which messages meet, against routes that are followed digit by digit. */
#include "lib/input/meeting.h"

#include "tests/unit/test.h"

enum { MOST_STAGES = 8, MOST_RANKS = 130 };

static struct mt_demand ring(double ranks, double shift)
{
    return (struct mt_demand){
        .ranks = ranks, .together = ranks, .apart = 1, .shift = shift};
}

/* From the diagonal of a grid to the row below. */
static struct mt_demand diagonal(int edge)
{
    return (struct mt_demand){
        .ranks = edge * edge, .together = edge, .apart = edge + 1, .shift = edge};
}

static struct mt_wiring omega(int ports, int nodes)
{
    return (struct mt_wiring){
        .topology = MT_TOPOLOGY_MULTISTAGE, .ports = ports, .nodes = nodes};
}

static int stages_of(const struct mt_wiring *wiring)
{
    int stages = 0;
    for (int all = 1; all < wiring->nodes; all *= wiring->ports)
        stages++;
    return stages;
}

/* Whether two messages pass the same switch of a stage: after so many stages the number
   of the place where a message is has lost as many of the sender's first digits, and
   got as many of the receiver's first at its end; a switch is all places that differ in
   the first digit that is left of the sender. */
static bool meet(const int *from, const int *to, int stage,
                 const struct mt_wiring *wiring)
{
    const int stages = stages_of(wiring);
    int digits[4][MOST_STAGES];
    const int numbers[4] = {from[0], to[0], from[1], to[1]};
    for (int i = 0; i < 4; i++) {
        int rest = numbers[i];
        for (int j = stages - 1; j >= 0; j--, rest /= wiring->ports)
            digits[i][j] = rest % wiring->ports;
    }
    for (int j = stage + 1; j < stages; j++)
        if (digits[0][j] != digits[2][j])
            return false;
    for (int j = 0; j < stage; j++)
        if (digits[1][j] != digits[3][j])
            return false;
    return true;
}

/* The most messages that message i meets in a switch, itself included. */
static int most_on_way(const int *senders, const int *receivers, int count, int i,
                       const struct mt_wiring *wiring)
{
    int most = 0;
    for (int stage = 0; stage < stages_of(wiring); stage++) {
        int here = 0;
        for (int j = 0; j < count; j++)
            here += meet((int[]){senders[i], senders[j]},
                         (int[]){receivers[i], receivers[j]}, stage, wiring);
        if (here > most)
            most = here;
    }
    return most;
}

static void check_ring(int ranks, int shift, const struct mt_wiring *wiring)
{
    int senders[MOST_RANKS], receivers[MOST_RANKS], most = 0;
    for (int i = 0; i < ranks; i++) {
        senders[i] = i;
        receivers[i] = (i + shift) % ranks;
    }
    for (int i = 0; i < ranks; i++) {
        const int here = most_on_way(senders, receivers, ranks, i, wiring);
        most = here > most ? here : most;
    }
    const struct mt_demand demand = ring(ranks, shift);
    struct mt_meeting meeting;
    mt_meeting_find(&meeting, wiring, &demand);
    assert_int_equal(meeting.most, most);
    assert_true(meeting.shares[most] == 1);
}

static void messages_of_a_shift_meet_where_their_routes_do(void **state)
{
    (void)state;
    static const int ports[] = {2, 3, 4, 8};
    for (int i = 0; i < 4; i++) {
        for (int ranks = 2; ranks <= 70; ranks += ranks < 20 ? 1 : 7) {
            const struct mt_wiring small = omega(ports[i], ranks),
                                   large = omega(ports[i], 256);
            check_ring(ranks, 1, &small);
            check_ring(ranks, 1, &large);
            check_ring(ranks, ranks / 2 + 1, &large);
        }
    }
}

static void messages_of_a_diagonal_meet_where_their_routes_do(void **state)
{
    (void)state;
    int in_step = 0;
    for (int edge = 2; edge <= 11; edge++) {
        const struct mt_wiring wiring = omega(4, 256);
        double shares[MOST_RANKS] = {0};
        for (int turn = 0; turn < edge; turn++) {
            int senders[MOST_RANKS], receivers[MOST_RANKS];
            for (int i = 0; i < edge; i++) {
                senders[i] = ((i + turn) % edge) * edge + i;
                receivers[i] = ((i + turn + 1) % edge) * edge + i;
            }
            int slowest = 0;
            for (int i = 0; i < edge; i++) {
                const int here = most_on_way(senders, receivers, edge, i, &wiring);
                slowest = here > slowest ? here : slowest;
                shares[here] += 0.5 / (edge * edge);
            }
            shares[slowest] += 0.5 / edge; /* half of the time the others wait */
        }
        const struct mt_demand demand = diagonal(edge);
        struct mt_meeting meeting;
        mt_meeting_find(&meeting, &wiring, &demand);
        double counted = 0, mean = 0;
        bool same = true;
        for (int k = 1; k < MOST_RANKS; k++) {
            const double found = k <= meeting.most ? meeting.shares[k] : 0;
            same = same && fabs(found - shares[k]) < 1e-12;
            counted += k * found;
            mean += k * shares[k];
        }
        /* or fewer, as they would not stay in step */
        assert_true(same || counted < mean);
        assert_true(!meeting.steady || same);
        in_step += same;
    }
    assert_true(in_step >= 6);
}

static void out_of_step_all_may_meet(void **state)
{
    (void)state;
    const struct mt_wiring wiring = omega(4, 256);
    struct mt_demand demand = diagonal(12);
    struct mt_meeting meeting, again;
    mt_meeting_find(&meeting, &wiring, &demand);
    assert_int_equal(meeting.most, 1);
    assert_true(meeting.steady);
    demand.rows = 1.5;
    mt_meeting_find(&meeting, &wiring, &demand);
    mt_meeting_find(&again, &wiring, &demand);
    assert_memory_equal(&meeting, &again, sizeof meeting);
    assert_true(meeting.most > 1);
    double sum = 0;
    for (int k = 0; k <= meeting.most; k++)
        sum += meeting.shares[k];
    assert_close(sum, 1, 1e-12);
    /* half of the time they are alone, as in step */
    assert_true(meeting.shares[1] > 0.5 && meeting.shares[1] < 0.95);
    assert_false(meeting.steady);
}

/* The most long messages in a switch over all turns. */
static int most_long(int ranks, int size, const struct mt_wiring *wiring)
{
    int most = 0;
    for (int turn = 0; turn < ranks; turn++) {
        int senders[MOST_RANKS], receivers[MOST_RANKS], count = 0;
        for (int i = 0; i < ranks; i++) {
            const int part = (i + ranks - turn) % ranks;
            if (size * (part + 1) / ranks - size * part / ranks == size / ranks)
                continue;
            senders[count] = i;
            receivers[count++] = (i + 1) % ranks;
        }
        for (int i = 0; i < count; i++) {
            const int here = most_on_way(senders, receivers, count, i, wiring);
            most = here > most ? here : most;
        }
    }
    return most;
}

static void long_messages_meet_where_their_routes_do(void **state)
{
    (void)state;
    static const int ranks[] = {4, 6, 16, 20, 24};
    const struct mt_wiring wiring = omega(4, 64);
    for (int i = 0; i < 5; i++) {
        for (int size = ranks[i] + 1; size < 2 * ranks[i]; size++) {
            struct mt_demand demand = ring(ranks[i], 1);
            demand.rows = (double)size / ranks[i];
            const int counted = (int)mt_long_meeting(&wiring, &demand);
            const int most = most_long(ranks[i], size, &wiring);
            /* what goes round to the first rank may meet one more */
            if (ranks[i] == 4 || ranks[i] == 16)
                assert_int_equal(counted, most);
            assert_true(counted <= most && counted >= most - 1);
        }
    }
}

static void equal_messages_are_not_long(void **state)
{
    (void)state;
    const struct mt_wiring wiring = omega(4, 64);
    struct mt_demand demand = ring(16, 1);
    assert_true(mt_long_meeting(&wiring, &demand) == 0);
    demand.rows = 2 + 1.0 / 16;
    assert_true(mt_long_meeting(&wiring, &demand) == 1);
    demand.rows = 2 + 15.0 / 16;
    assert_true(mt_long_meeting(&wiring, &demand) == 4);
}

static double hops_of(const struct mt_demand *demand, int nodes)
{
    const struct mt_wiring wiring = {.topology = MT_TOPOLOGY_TORUS, .nodes = nodes};
    struct mt_meeting meeting;
    mt_meeting_find(&meeting, &wiring, demand);
    assert_int_equal(meeting.most, 1);
    return meeting.hops;
}

static void hops_are_those_of_the_shorter_way(void **state)
{
    (void)state;
    const struct mt_demand eight = ring(8, 1), five = ring(8, 5), grid = diagonal(3);
    assert_true(hops_of(&eight, 64) == 7); /* from the last to the first, back */
    assert_true(hops_of(&eight, 10) == 3); /* or on, over what is not used */
    assert_true(hops_of(&eight, 8) == 1);
    assert_true(hops_of(&five, 64) == 5);
    /* two of three pass 3 nodes, the third, from the last row, goes back over 6 */
    assert_close(hops_of(&grid, 64), 4, 1e-12);
}

/* Of a ring one message leaves each switch; of a diagonal all whose receiver is on
   another, counted here one by one. */
static void messages_meet_on_the_way_to_other_switches(void **state)
{
    (void)state;
    const struct mt_wiring wiring = {.ports = 8, .nodes = 256};
    const struct mt_demand one_switch = ring(8, 1), several = ring(24, 1);
    struct mt_meeting meeting;
    mt_meeting_find(&meeting, &wiring, &one_switch);
    assert_true(meeting.shares[0] == 1 && meeting.hops == 0);
    assert_close(mt_meeting_factor(&meeting, 0.5), 1, 1e-12);
    mt_meeting_find(&meeting, &wiring, &several);
    assert_true(meeting.most == 1 && meeting.shares[1] == 1 && meeting.hops == 1);
    assert_close(mt_meeting_factor(&meeting, 0.5), 2, 1e-12);
    /* 4 x 4 on two switches of two rows: only from the second and the fourth row */
    const struct mt_demand grid = diagonal(4);
    mt_meeting_find(&meeting, &wiring, &grid);
    assert_close(meeting.hops, 0.5, 1e-12);
    assert_true(meeting.most == 1);
    /* all of a shift by a switch leave it, and come together */
    const struct mt_demand far = ring(64, 8);
    mt_meeting_find(&meeting, &wiring, &far);
    assert_true(meeting.most == 8 && meeting.shares[8] == 1);
    assert_close(mt_meeting_factor(&meeting, 2), 4, 1e-12);
}

static void without_wiring_or_shift_messages_are_alone(void **state)
{
    (void)state;
    const struct mt_wiring unknown = {0}, wiring = omega(4, 64);
    const struct mt_demand known = ring(16, 1), nobody = ring(16, 0), one = ring(1, 1);
    struct mt_meeting meeting;
    mt_meeting_find(&meeting, &unknown, &known);
    assert_true(meeting.most == 1 && meeting.shares[1] == 1 && meeting.hops == 0);
    mt_meeting_find(&meeting, &wiring, &nobody);
    assert_true(meeting.most == 1 && meeting.shares[1] == 1);
    mt_meeting_find(&meeting, &wiring, &one);
    assert_true(meeting.most == 1 && meeting.shares[1] == 1);
}

static void what_a_switch_cannot_pass_waits(void **state)
{
    (void)state;
    const struct mt_meeting meeting = {.most = 4,
                                       .shares = {[1] = 0.5, [2] = 0.25, [4] = 0.25}};
    assert_close(mt_meeting_factor(&meeting, 1), 0.5 + 0.5 + 1, 1e-12);
    assert_close(mt_meeting_factor(&meeting, 2), 0.5 + 0.25 + 0.5, 1e-12);
    assert_close(mt_meeting_factor(&meeting, 5), 1, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_of_a_shift_meet_where_their_routes_do),
        cmocka_unit_test(messages_of_a_diagonal_meet_where_their_routes_do),
        cmocka_unit_test(out_of_step_all_may_meet),
        cmocka_unit_test(long_messages_meet_where_their_routes_do),
        cmocka_unit_test(equal_messages_are_not_long),
        cmocka_unit_test(hops_are_those_of_the_shorter_way),
        cmocka_unit_test(messages_meet_on_the_way_to_other_switches),
        cmocka_unit_test(without_wiring_or_shift_messages_are_alone),
        cmocka_unit_test(what_a_switch_cannot_pass_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
