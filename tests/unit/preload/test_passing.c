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
enum { COMM = 0x44, TYPE = 0x4c, MOST = 1000 };
#define ANYTHING UINT64_C(0xabcd00000000)
static char in_place;

static struct passing passing;

static void three_left(void)
{
    passing_init(&passing, UINT32_MAX, ANYTHING + COMM, 4);
    passing.type = TYPE;
    passing.most = MOST;
    passing.bcast = note;
    passing.in_place = &in_place;
    passing.left = 3;
}

static bool takes(void *buffer, int64_t count, uintptr_t type, int root, uintptr_t comm)
{
    int status;
    memset(&got, 0, sizeof got);
    const bool taken = passing_bcast(&passing, &status, buffer, count, (void *)type,
                                     root, (void *)comm);
    if (taken)
        assert_int_equal(status, root);
    assert_int_equal(got.count, taken ? count : 0);
    return taken;
}

static void test_those_like_the_last_go_to_the_mpi(void **state)
{
    (void)state;
    double buffer[5];
    three_left();
    assert_true(takes(buffer, 5, TYPE, 0, COMM));
    assert_ptr_equal(got.buffer, buffer);
    assert_ptr_equal(got.type, (void *)TYPE);
    assert_true(takes(buffer, 1, ANYTHING + TYPE, 3, ANYTHING + COMM));
    assert_ptr_equal(got.comm, (void *)(ANYTHING + COMM));
    assert_true(takes(buffer, MOST, TYPE, 1, COMM));
    assert_false(takes(buffer, 5, TYPE, 0, COMM));
}

static void test_none_that_is_unlike_or_wrong_is_counted(void **state)
{
    (void)state;
    double buffer[5];
    three_left();
    assert_false(takes(buffer, 5, TYPE, 0, COMM + 1));
    assert_false(takes(buffer, 5, TYPE + 1, 0, COMM));
    assert_false(takes(buffer, 0, TYPE, 0, COMM));
    assert_false(takes(buffer, -1, TYPE, 0, COMM));
    assert_false(takes(buffer, MOST + 1, TYPE, 0, COMM));
    assert_false(takes(buffer, INT64_C(1) << 32, TYPE, 0, COMM));
    assert_false(takes(buffer, 5, TYPE, -1, COMM));
    assert_false(takes(buffer, 5, TYPE, 4, COMM));
    assert_false(takes(NULL, 5, TYPE, 0, COMM));
    assert_false(takes(&in_place, 5, TYPE, 0, COMM));
    assert_int_equal(passing.left, 3);
    passing.most = 0; /* as before the first */
    assert_false(takes(buffer, 5, TYPE, 0, COMM));
}

/* Another thread may still have data left behind by a freed communicator. */
static void test_none_pass_when_the_communicator_is_gone(void **state)
{
    (void)state;
    double buffer[5];
    three_left();
    passing_init(&passing, UINT32_MAX, COMM + 1, 4);
    assert_false(takes(buffer, 5, TYPE, 0, COMM));
    assert_false(takes(buffer, 5, TYPE, 0, COMM + 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_those_like_the_last_go_to_the_mpi),
        cmocka_unit_test(test_none_that_is_unlike_or_wrong_is_counted),
        cmocka_unit_test(test_none_pass_when_the_communicator_is_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
