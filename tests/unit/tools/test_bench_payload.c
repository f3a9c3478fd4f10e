/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/test.h"

#include "tools/bcast-bench/payload.h"

static unsigned char buffer[1 << 20];

static void written_bytes_match(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 63, 4096, 4097, 100000, sizeof buffer};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        payload_write(buffer, sizes[i], 3, 5);
        assert_true(payload_matches(buffer, sizes[i], 3, 5));
    }
}

static void earlier_calls_and_other_roots_show(void **state)
{
    (void)state;
    for (int bytes = 1; bytes <= (int)sizeof buffer; bytes *= 4) {
        payload_write(buffer, bytes, 3, 5);
        assert_false(payload_matches(buffer, bytes, 3, 6));
        assert_false(payload_matches(buffer, bytes, 4, 5));
    }
}

static void every_byte_of_a_small_message_counts(void **state)
{
    (void)state;
    payload_write(buffer, 4096, 0, 1);
    for (int i = 0; i < 4096; i++) {
        buffer[i] ^= 1;
        assert_false(payload_matches(buffer, 4096, 0, 1));
        buffer[i] ^= 1;
    }
}

static void last_byte_and_lost_pieces_of_a_large_message_show(void **state)
{
    (void)state;
    payload_write(buffer, sizeof buffer, 0, 1);
    buffer[sizeof buffer - 1] ^= 1;
    assert_false(payload_matches(buffer, sizeof buffer, 0, 1));
    buffer[sizeof buffer - 1] ^= 1;
    memset(buffer + 500000, 0, 8192);
    assert_false(payload_matches(buffer, sizeof buffer, 0, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_bytes_match),
        cmocka_unit_test(earlier_calls_and_other_roots_show),
        cmocka_unit_test(every_byte_of_a_small_message_counts),
        cmocka_unit_test(last_byte_and_lost_pieces_of_a_large_message_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
