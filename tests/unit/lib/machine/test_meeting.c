/* SPDX-License-Identifier: BSD-3-Clause */
/* Which messages meet, against routes that are followed digit by digit. */
#include "lib/machine/meeting.h"

#include "tests/unit/test.h"

enum { MOST_STAGES = 8, MOST_RANKS = 130 };

static struct mt_demand ring(double ranks, double shift)
{
    return (struct mt_demand){.ranks = ranks, .together = ranks, .shift = shift};
}

/* From the diagonal of a grid to the row below, and on; then from column to column. */
static struct mt_demand grid(int edge)
{
    return (struct mt_demand){.ranks = edge * edge,
                              .together = edge,
                              .shift = edge,
                              .across = 1,
                              .messages = 2 * edge * (edge - 1)};
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

static void messages_of_a_grid_meet_where_their_routes_do(void **state)
{
    (void)state;
    for (int edge = 2; edge <= 11; edge++) {
        const struct mt_wiring wiring = omega(4, 256);
        double shares[MOST_RANKS] = {0};
        for (int turn = 0; turn < 2 * edge; turn++) {
            const bool down = turn < edge;
            int senders[MOST_RANKS], receivers[MOST_RANKS], slowest = 0;
            for (int i = 0; i < edge; i++) {
                const int from = (i + turn) % edge, to = (i + turn + 1) % edge;
                senders[i] = down ? from * edge + i : i * edge + from;
                receivers[i] = down ? to * edge + i : i * edge + to;
            }
            for (int i = 0; i < edge; i++) {
                const int here = most_on_way(senders, receivers, edge, i, &wiring);
                slowest = here > slowest ? here : slowest;
            }
            shares[slowest] += 0.5 / edge; /* for which the others wait */
        }
        const struct mt_demand demand = grid(edge);
        struct mt_meeting meeting;
        mt_meeting_find(&meeting, &wiring, &demand);
        for (int k = 0; k <= meeting.most; k++)
            assert_close(meeting.shares[k], shares[k], 1e-12);
        /* at any size: how many messages there are may depend on that */
        struct mt_demand other = demand;
        struct mt_meeting again;
        other.messages = 7;
        mt_meeting_find(&again, &wiring, &other);
        assert_memory_equal(&again, &meeting, sizeof meeting);
    }
}

/* Where not all send, and it is no grid: the receivers of a turn send in the next. */
static void messages_go_on_until_each_had_its_turn(void **state)
{
    (void)state;
    const struct mt_wiring wiring = {.ports = 4, .nodes = 16};
    const struct mt_demand demand = {.ranks = 16, .together = 4, .shift = 2};
    struct mt_meeting meeting;
    mt_meeting_find(&meeting, &wiring, &demand);
    /* from 0-3 to 2-5, two leave; from 2-5 to 4-7, two do; and so on */
    assert_true(meeting.most == 2 && meeting.shares[2] == 1);
    assert_close(meeting.hops, 0.5, 1e-12);
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
    const struct mt_demand eight = ring(8, 1), five = ring(8, 5), nine = grid(3);
    assert_true(hops_of(&eight, 64) == 7); /* from the last to the first, back */
    assert_true(hops_of(&eight, 10) == 3); /* or on, over what is not used */
    assert_true(hops_of(&eight, 8) == 1);
    assert_true(hops_of(&five, 64) == 5);
    /* two of three pass 3 nodes, the third, from the last row, goes back over 6; then
       two pass 1, and the third 2 */
    assert_close(hops_of(&nine, 64), (4 + 4 / 3.0) / 2, 1e-12);
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
    const struct mt_demand sixteen = grid(4);
    mt_meeting_find(&meeting, &wiring, &sixteen);
    assert_close(meeting.hops, 0.5 / 2, 1e-12);
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
        cmocka_unit_test(messages_of_a_grid_meet_where_their_routes_do),
        cmocka_unit_test(messages_go_on_until_each_had_its_turn),
        cmocka_unit_test(hops_are_those_of_the_shorter_way),
        cmocka_unit_test(messages_meet_on_the_way_to_other_switches),
        cmocka_unit_test(without_wiring_or_shift_messages_are_alone),
        cmocka_unit_test(what_a_switch_cannot_pass_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
