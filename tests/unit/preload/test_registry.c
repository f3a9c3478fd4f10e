/* SPDX-License-Identifier: BSD-3-Clause */
#include "preload/bcast/registry.h"

#include "tests/unit/test.h"

static int seen[200], count;

static void note(struct registered *entry)
{
    seen[count++] = entry->number;
}

static void assert_order(const int *numbers, int n)
{
    count = 0;
    registry_each(note);
    assert_int_equal(count, n);
    for (int i = 0; i < n; i++)
        assert_int_equal(seen[i], numbers[i]);
}

/* By the world rank of the communicator's rank 0, then by that rank's own count: an
   order that all ranks come to, in whatever order they add. */
static void test_entries_are_in_an_order_that_all_ranks_share(void **state)
{
    (void)state;
    struct registered entries[] = {
        {1, 20, NULL}, {0, 9, NULL}, {1, 10, NULL}, {0, 4, NULL}};
    assert_null(registry_first());
    for (int i = 0; i < 4; i++)
        registry_add(&entries[i]);
    assert_order((const int[]){4, 9, 10, 20}, 4);
    assert_ptr_equal(registry_first(), &entries[3]);
    registry_remove(&entries[2]);
    registry_remove(&entries[2]); /* is not there any more */
    assert_order((const int[]){4, 9, 20}, 3);
    for (int i = 0; i < 4; i++)
        registry_remove(&entries[i]);
    assert_null(registry_first());
}

static void test_numbers_are_given_once(void **state)
{
    (void)state;
    const int first = registry_number();
    assert_int_equal(registry_number(), first + 1);
}

static void test_there_is_room_for_128(void **state)
{
    (void)state;
    static struct registered entries[128];
    for (int i = 0; i < 128; i++) {
        assert_true(registry_has_room());
        registry_add(&entries[i]);
    }
    assert_false(registry_has_room());
    registry_remove(&entries[64]);
    assert_true(registry_has_room());
    while (registry_first())
        registry_remove(registry_first());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries_are_in_an_order_that_all_ranks_share),
        cmocka_unit_test(test_numbers_are_given_once),
        cmocka_unit_test(test_there_is_room_for_128),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
