/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that come and go, compared with shares that are computed anew for all
   whenever one comes or goes. */
#include "lib/machine/transit.h"

#include "tests/unit/test.h"

enum { RANKS = 24, ROUNDS = 400 };
/* Seconds; messages that arrive closer than this may count as arriving together. */
static const double close = 1e-5;

struct message {
    int sender, receiver; /* -1: it is not under way */
    double left;          /* seconds, if it were alone */
};

static unsigned chance(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Whether two messages share a switch of a stage: after so many stages a message is
   where as many of its sender's first digits have become its receiver's
   (test_meeting.c). */
static bool share_stage(const struct message *a, const struct message *b, int stage,
                        int ports, int nodes)
{
    int tails = 1, heads = 1;
    for (int all = ports; all < nodes; all *= ports)
        tails *= ports;
    const int block = tails * ports;
    for (int i = 0; i < stage; i++) {
        tails /= ports;
        heads *= ports;
    }
    return a->sender % tails == b->sender % tails &&
           a->receiver / (block / heads) == b->receiver / (block / heads);
}

static int stages_of(int ports, int nodes)
{
    int stages = 0;
    for (int all = 1; all < nodes; all *= ports)
        stages++;
    return stages;
}

/* The most messages that share something with message i. */
static int most_with(const struct message *all, int i, const struct mt_wiring *wiring)
{
    int most = 0, leave = 0, come = 0;
    const int ports = wiring->ports;
    if (wiring->topology == MT_TOPOLOGY_SWITCHES) {
        for (int j = 0; j < RANKS; j++) {
            const bool crosses =
                all[j].sender >= 0 && all[j].sender / ports != all[j].receiver / ports;
            leave += crosses && all[j].sender / ports == all[i].sender / ports;
            come += crosses && all[j].receiver / ports == all[i].receiver / ports;
        }
        if (all[i].sender / ports == all[i].receiver / ports)
            return 0;
        return leave > come ? leave : come;
    }
    for (int stage = 0; stage < stages_of(ports, wiring->nodes); stage++) {
        int here = 0;
        for (int j = 0; j < RANKS; j++)
            here += all[j].sender >= 0 &&
                    share_stage(&all[i], &all[j], stage, ports, wiring->nodes);
        most = here > most ? here : most;
    }
    return most;
}

/* In half duplex, a process's message counts twice while its neighbours have none. */
static int weight_of(const struct message *all, int i, bool half_duplex)
{
    const bool alone =
        all[(i + 1) % RANKS].sender < 0 && all[(i + RANKS - 1) % RANKS].sender < 0;
    return half_duplex && alone ? 2 : 1;
}

static double speed_of(const struct message *all, int i, double room,
                       const struct mt_wiring *wiring, bool half_duplex)
{
    int load = 0;
    for (int j = 0; j < RANKS; j++)
        load += all[j].sender >= 0 ? weight_of(all, j, half_duplex) : 0;
    if (wiring)
        load = most_with(all, i, wiring);
    return weight_of(all, i, half_duplex) * (load > room ? room / load : 1);
}

/* Random messages: whenever one has arrived, or a little time has passed, another may
   start. */
static void check(double room, const struct mt_wiring *wiring, bool half_duplex)
{
    struct mt_transit *transit = calloc(1, sizeof *transit);
    struct message all[RANKS];
    unsigned state = 1;
    assert_non_null(transit);
    *transit =
        (struct mt_transit){.count = RANKS, .room = room, .half_duplex = half_duplex};
    if (wiring)
        mt_transit_count(transit, wiring);
    for (int i = 0; i < RANKS; i++)
        all[i] = (struct message){-1, -1, 0};
    for (int round = 0; round < ROUNDS; round++) {
        const int i = (int)(chance(&state) % RANKS);
        if (all[i].sender < 0) {
            const double seconds = 1 + chance(&state) % 7;
            const int sender = half_duplex ? i : (int)(chance(&state) % RANKS),
                      receiver = (sender + 1 + (int)(chance(&state) % 5)) % RANKS;
            all[i] = (struct message){sender, receiver, seconds};
            mt_transit_begin(transit, i, seconds, sender, receiver);
        }
        double speeds[RANKS], arrival = INFINITY;
        int first = -1;
        for (int j = 0; j < RANKS; j++) {
            if (all[j].sender < 0)
                continue;
            speeds[j] = speed_of(all, j, room, wiring, half_duplex);
            const double left = all[j].left / speeds[j];
            if (left < arrival) {
                arrival = left;
                first = j;
            }
        }
        assert_true(fabs(mt_transit_arrival(transit) - transit->now - arrival) < close);
        const bool waits = chance(&state) % 3 > 0;
        const double time = waits ? arrival : 0.3 * arrival;
        mt_transit_go_on(transit,
                         waits ? mt_transit_arrival(transit) : transit->now + time);
        for (int j = 0; j < RANKS; j++)
            if (all[j].sender >= 0)
                all[j].left -= speeds[j] * time;
        if (!waits)
            continue;
        const int next = mt_transit_next(transit);
        assert_true(fabs(all[next].left) < close && fabs(all[first].left) < close);
        mt_transit_end(transit, next);
        all[next].sender = -1;
    }
    free(transit);
}

static void all_share_a_bus_or_a_switch(void **state)
{
    (void)state;
    check(1, NULL, false);
    check(2.5, NULL, false);
    check(RANKS, NULL, false);
}

static void neighbours_share_half_duplex_connections(void **state)
{
    (void)state;
    check(RANKS, NULL, true);
    check(3, NULL, true);
}

static void those_that_meet_share_the_switches_of_stages(void **state)
{
    (void)state;
    for (int ports = 2; ports <= 8; ports++) {
        const struct mt_wiring wiring = {
            .topology = MT_TOPOLOGY_MULTISTAGE, .ports = ports, .nodes = 60};
        check(1, &wiring, false);
        check(1.7, &wiring, false);
    }
}

static void those_that_leave_a_switch_share_its_trunk(void **state)
{
    (void)state;
    for (int ports = 1; ports <= 12; ports += 3) {
        const struct mt_wiring wiring = {.ports = ports, .nodes = RANKS};
        check(0.5, &wiring, false);
        check(1.5, &wiring, false);
    }
}

static void nobody_arrives_who_is_not_under_way(void **state)
{
    (void)state;
    struct mt_transit *transit = calloc(1, sizeof *transit);
    assert_non_null(transit);
    transit->count = 2;
    transit->room = 1;
    assert_int_equal(mt_transit_next(transit), -1);
    assert_true(mt_transit_arrival(transit) == INFINITY);
    mt_transit_begin(transit, 1, 0, 1, 0); /* a part without rows */
    assert_int_equal(mt_transit_next(transit), 1);
    assert_true(mt_transit_arrival(transit) == 0);
    free(transit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_share_a_bus_or_a_switch),
        cmocka_unit_test(neighbours_share_half_duplex_connections),
        cmocka_unit_test(those_that_meet_share_the_switches_of_stages),
        cmocka_unit_test(those_that_leave_a_switch_share_its_trunk),
        cmocka_unit_test(nobody_arrives_who_is_not_under_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
