/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/plan/counts.h"

#include "tests/unit/test.h"

static uint64_t state;

static int pick(int low, int high)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return low + (int)((state >> 33) % (uint64_t)(high - low + 1));
}

enum { MOST_GROUPS = 4, MOST_CHOICES = 3 };

struct problem {
    struct mt_counts counts;
    struct mt_counts_choice choices[MOST_GROUPS][MOST_CHOICES];
    int room[(MOST_GROUPS + 1) * MOST_GROUPS * MOST_CHOICES];
    int64_t visits;
};

static void make(struct problem *problem, uint64_t number)
{
    state = number * 0x9e3779b97f4a7c15u;
    problem->visits = 100000000;
    struct mt_counts *counts = &problem->counts;
    *counts = (struct mt_counts){.ngroups = pick(1, MOST_GROUPS),
                                 .total = pick(1, 60),
                                 .limit = pick(0, 1) ? INT64_MAX : pick(1, 100),
                                 .nsides = pick(0, MT_COUNTS_SIDES),
                                 .side_limit = {pick(1, 60), pick(1, 60)},
                                 .enough = -1,
                                 .room = problem->room,
                                 .visits = &problem->visits};
    for (int i = 0; i < counts->ngroups; i++) {
        struct mt_counts_group *group = &counts->groups[i];
        *group = (struct mt_counts_group){
            .group = i, .nodes = pick(1, 7), .choices = problem->choices[i]};
        struct mt_counts_choice choice = {.weight = pick(0, 9),
                                          .side = {pick(0, 5), pick(0, 5)}};
        for (int m = pick(3, 9); m >= 1 && group->nchoices < MOST_CHOICES;
             m -= pick(1, 4)) {
            choice.processes = m;
            problem->choices[i][group->nchoices++] = choice;
            if (number % 2) /* or the same for all choices */
                choice.weight = pick(0, 9);
            if (number % 4 == 1)
                choice.side[0] = pick(0, 5);
        }
    }
}

static bool is_over(const struct mt_counts *counts, const int64_t *side)
{
    for (int s = 0; s < counts->nsides; s++)
        if (side[s] > counts->side_limit[s])
            return true;
    return false;
}

/* The least weight by trying everything; -1: there is none. */
static int64_t least_weight(const struct mt_counts *counts, int i, int64_t left,
                            int64_t weight, const int64_t *side)
{
    if (left < 0 || weight > counts->limit || is_over(counts, side))
        return -1;
    if (i == counts->ngroups)
        return left == 0 ? weight : -1;
    const struct mt_counts_group *group = &counts->groups[i];
    int64_t best = least_weight(counts, i + 1, left, weight, side);
    for (int j = 0; j < group->nchoices; j++) {
        const struct mt_counts_choice *choice = &group->choices[j];
        for (int nodes = 1; nodes <= group->nodes; nodes++) {
            const int64_t sides[] = {side[0] + nodes * choice->side[0],
                                     side[1] + nodes * choice->side[1]};
            const int64_t found =
                least_weight(counts, i + 1, left - nodes * choice->processes,
                             weight + nodes * choice->weight, sides);
            if (found >= 0 && (best < 0 || found < best))
                best = found;
        }
    }
    return best;
}

/* The answer is what it says of itself. */
static void check_answer(const struct mt_counts *counts,
                         const struct mt_counts_answer *answer)
{
    int64_t total = 0, weight = 0, side[MT_COUNTS_SIDES] = {0};
    for (int i = 0; i < counts->ngroups; i++) {
        const struct mt_counts_group *group = &counts->groups[i];
        const struct mt_use *use = &answer->configuration.use[group->group];
        const struct mt_counts_choice *choice = group->choices;
        while (use->nodes > 0 && choice->processes != use->layout.processes)
            choice++;
        assert_in_range(use->nodes, 0, group->nodes);
        total += use->nodes * use->layout.processes;
        weight += use->nodes * choice->weight;
        for (int s = 0; s < MT_COUNTS_SIDES; s++)
            side[s] += use->nodes * choice->side[s];
    }
    assert_int_equal(total, counts->total);
    assert_int_equal(weight, answer->weight);
    assert_false(is_over(counts, side));
}

static void equals_brute_force(void **unused)
{
    (void)unused;
    int none = 0;
    for (uint64_t number = 1; number <= 3000; number++) {
        struct problem problem;
        struct mt_counts_answer answer;
        make(&problem, number);
        const int64_t best = least_weight(&problem.counts, 0, problem.counts.total, 0,
                                          (int64_t[MT_COUNTS_SIDES]){0});
        mt_counts_solve(&problem.counts, &answer);
        assert_true(answer.proven);
        assert_int_equal(answer.found, best >= 0);
        if (best >= 0) {
            assert_int_equal(answer.weight, best);
            check_answer(&problem.counts, &answer);
        } else {
            none++;
        }
    }
    assert_in_range(none, 300, 2700);
}

/* Eight equal groups that only have 16 and 12 processes a node: nothing but multiples
   of 4 can be had, and those at once, however many nodes there are. */
static void divisors_are_seen(void **unused)
{
    (void)unused;
    static const struct mt_counts_choice choices[] = {{16, 1, {0}}, {12, 1, {0}}};
    int room[9 * 16];
    int64_t visits = 100000000;
    struct mt_counts counts = {
        .ngroups = 8, .limit = INT64_MAX, .room = room, .visits = &visits};
    struct mt_counts_answer answer;
    for (int i = 0; i < 8; i++)
        counts.groups[i] = (struct mt_counts_group){
            .group = i, .nodes = 12500, .choices = choices, .nchoices = 2};
    counts.total = 1000002;
    mt_counts_solve(&counts, &answer);
    assert_false(answer.found);
    assert_true(answer.proven);
    counts.total = 1000004;
    mt_counts_solve(&counts, &answer);
    assert_true(answer.found && answer.proven);
    assert_int_equal(answer.weight, 62501); /* 1000004 / 16 is 62500.25 */
}

/* Groups of equal weight whose sums leave a gap to the bound: 16 a + 7 b. */
static void gaps_are_proven(void **unused)
{
    (void)unused;
    static const struct mt_counts_choice choices[] = {{16, 1, {0}}, {7, 1, {0}}};
    int room[9 * 16];
    int64_t visits = 100000000;
    struct mt_counts counts = {
        .ngroups = 8, .limit = INT64_MAX, .room = room, .visits = &visits};
    struct mt_counts_answer answer;
    for (int i = 0; i < 8; i++)
        counts.groups[i] = (struct mt_counts_group){
            .group = i, .nodes = 12500, .choices = choices, .nchoices = 2};
    counts.total = 1000009; /* 9 modulo 16; 7 b is 9 modulo 16 first for b = 15 */
    mt_counts_solve(&counts, &answer);
    assert_true(answer.found && answer.proven);
    assert_int_equal(answer.weight, (1000009 - 15 * 7) / 16 + 15);
}

/* Without visits left, the answer does not claim to be proven. */
static void gives_up(void **unused)
{
    (void)unused;
    struct problem problem;
    struct mt_counts_answer answer;
    make(&problem, 1);
    problem.counts.total = problem.choices[0][0].processes;
    problem.counts.limit = INT64_MAX;
    problem.counts.nsides = 0;
    problem.visits = 0;
    mt_counts_solve(&problem.counts, &answer);
    assert_false(answer.found);
    assert_false(answer.proven);
}

static void nothing_has_no_room(void **unused)
{
    (void)unused;
    int64_t visits = 1;
    struct mt_counts counts = {.total = 1, .limit = INT64_MAX, .visits = &visits};
    struct mt_counts_answer answer;
    mt_counts_solve(&counts, &answer);
    assert_false(answer.found);
    assert_true(answer.proven);
}

/* A million nodes of 128 processes, at a price that times P no integer holds. */
static void costly_nodes_do_not_overflow(void **unused)
{
    (void)unused;
    const int64_t weight = 1000000000000;
    const struct mt_share shares[] = {
        {.nodes = 1000000, .most = 128, .weight = weight}};
    assert_int_equal(mt_shares_least(shares, 1, 128000000), 1000000 * weight);
    assert_int_equal(mt_shares_least(shares, 1, 127999999),
                     999999 * weight + (127 * weight + 127) / 128);
    assert_int_equal(mt_shares_least(shares, 1, 128000001), MT_COUNTS_UNREACHABLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_brute_force),
        cmocka_unit_test(divisors_are_seen),
        cmocka_unit_test(gaps_are_proven),
        cmocka_unit_test(gives_up),
        cmocka_unit_test(nothing_has_no_room),
        cmocka_unit_test(costly_nodes_do_not_overflow),
    };
    return cmocka_run_group_tests_name("plan_counts", tests, NULL, NULL);
}
