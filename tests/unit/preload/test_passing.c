/* SPDX-License-Identifier: BSD-3-Clause */
#include "preload/common/passing.h"

#include "tests/unit/test.h"

#include <string.h>

static struct {
    int count;
    void *buffer, *type, *comm;
} got;

static int note(void *buffer, int count, void *type, int root, void *comm)
{
    got.buffer = buffer;
    got.count = count;
    got.type = type;
    got.comm = comm;
    return root;
}

/* Handles are ints in registers whose upper halves hold anything. */
enum { COMM = 0x44, TYPE = 0x4c };
#define ANYTHING UINT64_C(0xabcd00000000)
static char in_place;

static struct passing *three_left(void)
{
    struct passing *passing = passing_new(UINT32_MAX, ANYTHING + COMM, 4);
    passing->type = TYPE;
    passing->basic_type = (void *)0x4d;
    passing->basic = 8;
    passing->bcast = note;
    passing->in_place = &in_place;
    passing->left = 3;
    return passing;
}

static bool takes(struct passing *passing, void *buffer, int64_t count, uintptr_t type,
                  int root, uintptr_t comm)
{
    int status;
    memset(&got, 0, sizeof got);
    const bool taken = passing_bcast(passing, &status, buffer, count,
                                     (const void *)type, root, (void *)comm);
    if (taken)
        assert_int_equal(status, root);
    assert_int_equal(got.count, taken ? 8 * count : 0);
    return taken;
}

static void test_so_many_like_the_last_go_to_the_mpi(void **state)
{
    (void)state;
    double buffer[5];
    struct passing *passing = three_left();
    assert_true(takes(passing, buffer, 5, TYPE, 0, COMM));
    assert_ptr_equal(got.buffer, buffer);
    assert_ptr_equal(got.type, (void *)0x4d);
    assert_true(takes(passing, buffer, 1, ANYTHING + TYPE, 3, ANYTHING + COMM));
    assert_ptr_equal(got.comm, (void *)(ANYTHING + COMM));
    assert_true(takes(passing, buffer, INT32_MAX / 8, TYPE, 1, COMM));
    assert_false(takes(passing, buffer, 5, TYPE, 0, COMM));
    passing_free(passing);
}

static void test_none_that_is_unlike_or_wrong_is_counted(void **state)
{
    (void)state;
    double buffer[5];
    struct passing *passing = three_left();
    assert_false(takes(passing, buffer, 5, TYPE, 0, COMM + 1));
    assert_false(takes(passing, buffer, 5, TYPE + 1, 0, COMM));
    assert_false(takes(passing, buffer, 0, TYPE, 0, COMM));
    assert_false(takes(passing, buffer, -1, TYPE, 0, COMM));
    assert_false(takes(passing, buffer, INT32_MAX / 8 + 1, TYPE, 0, COMM));
    assert_false(takes(passing, buffer, INT64_C(1) << 32, TYPE, 0, COMM));
    assert_false(takes(passing, buffer, 5, TYPE, -1, COMM));
    assert_false(takes(passing, buffer, 5, TYPE, 4, COMM));
    assert_false(takes(passing, NULL, 5, TYPE, 0, COMM));
    assert_false(takes(passing, &in_place, 5, TYPE, 0, COMM));
    assert_int_equal(passing->left, 3);
    passing->basic = 0; /* as before the first */
    assert_false(takes(passing, buffer, 5, TYPE, 0, COMM));
    passing_free(passing);
}

/* Another thread may still have what a communicator that is gone left behind. */
static void test_none_pass_when_the_communicator_is_gone(void **state)
{
    (void)state;
    double buffer[5];
    struct passing *passing = three_left();
    passing_free(passing);
    assert_false(takes(passing, buffer, 5, TYPE, 0, COMM));
    struct passing *next = passing_new(UINT32_MAX, COMM + 1, 4);
    assert_ptr_equal(next, passing);
    assert_false(takes(passing, buffer, 5, TYPE, 0, COMM + 1));
    passing_free(next);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_so_many_like_the_last_go_to_the_mpi),
        cmocka_unit_test(test_none_that_is_unlike_or_wrong_is_counted),
        cmocka_unit_test(test_none_pass_when_the_communicator_is_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
