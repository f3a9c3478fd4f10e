/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/learn/lengths.h"

#include "lib/machine/elapsed.h"
#include "tests/unit/test.h"

enum { MOST = 64 };

static int compare_points(const void *a, const void *b)
{
    const struct mt_link_point *x = a, *y = b;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Powers of two and those between, as 'motley check' has them. */
static int make_points(struct mt_link_point *points, double (*seconds)(double))
{
    int count = 0;
    for (double power = 1; power <= 1 << 20; power *= 2) {
        points[count++] = (struct mt_link_point){power, seconds(power)};
        if (power > 1 && power < 1 << 20)
            points[count++] = (struct mt_link_point){1.5 * power, seconds(1.5 * power)};
    }
    return count;
}

static double straight(double bytes)
{
    return 2e-5 + bytes * 1e-8;
}

/* A rendezvous from 64 KiB on, and half of the bandwidth from 8 KiB on. */
static double stepped(double bytes)
{
    return 2e-5 + fmin(bytes, 8192) * 1e-8 + fmax(0, bytes - 8192) * 2e-8 +
           (bytes >= 65536 ? 2e-4 : 0);
}

static double told(const struct mt_learn_link *link, double bytes)
{
    return link->latency +
           link->byte * mt_length_as(link->lengths, link->nlengths, bytes);
}

static void has_no_lengths_where_times_are_in_proportion(void **state)
{
    (void)state;
    struct mt_link_point points[MOST];
    struct mt_learn_link link;
    mt_learn_find_link(&link, points, make_points(points, straight));
    assert_int_equal(link.nlengths, 0);
    assert_close(link.byte, 1e-8, 0.01);
    assert_close(link.latency, 2e-5, 0.01);
}

static void tells_the_times_that_were_measured(void **state)
{
    (void)state;
    struct mt_link_point points[MOST];
    struct mt_learn_link link;
    const int count = make_points(points, stepped);
    mt_learn_find_link(&link, points, count);
    assert_true(link.nlengths >= 3 && link.nlengths <= 8);
    for (int i = 0; i < count; i++)
        if (points[i].bytes >= 1024)
            assert_close(told(&link, points[i].bytes), points[i].seconds, 0.02);
    assert_close(told(&link, 0x1p24) - told(&link, 0x1p23), 0x1p23 * link.byte, 1e-9);
}

/* From 1440 bytes on messages have less of a latency, from 8 KiB on more. */
static double dipped(double bytes)
{
    const double latency = bytes < 1440 ? 2e-4 : bytes < 8192 ? 1.5e-4 : 3e-4;
    return latency + bytes * 1e-8;
}

static void the_latency_is_that_of_the_fastest(void **state)
{
    (void)state;
    struct mt_link_point points[MOST + 4];
    struct mt_learn_link link;
    int count = 0;
    for (double bytes = 1; bytes <= 1 << 20; bytes *= 1.5) {
        const double around[] = {1400, 1440, 8000, 8192};
        for (int i = 0; i < 4; i++)
            if (around[i] >= bytes && around[i] < 1.5 * bytes)
                points[count++] = (struct mt_link_point){around[i], dipped(around[i])};
        points[count++] = (struct mt_link_point){bytes, dipped(bytes)};
    }
    qsort(points, (size_t)count, sizeof *points, compare_points);
    mt_learn_find_link(&link, points, count);
    for (int i = 0; i < count; i++)
        assert_close(told(&link, points[i].bytes), points[i].seconds, 0.02);
    /* and none of that belongs to the message's bytes */
    static const double bytes[] = {700, 4000, 30000, 0x1p18};
    for (int i = 0; i < 4; i++)
        assert_close(link.byte *
                         mt_length_of_bytes(link.lengths, link.nlengths, bytes[i]),
                     bytes[i] * 1e-8, 0.02);
}

/* If nothing is proportional, the curve has room for some points only. */
static double restless(double bytes)
{
    return 1e-5 + bytes * 1e-8 * (1.5 + sin(40 * log(bytes + 1)));
}

static void keeps_what_there_is_room_for(void **state)
{
    (void)state;
    struct mt_link_point points[MOST];
    struct mt_learn_link link;
    mt_learn_find_link(&link, points, make_points(points, restless));
    assert_true(link.nlengths > 1 && link.nlengths <= MT_MAX_LENGTHS);
    for (int i = 1; i < link.nlengths; i++)
        assert_true(link.lengths[i].bytes > link.lengths[i - 1].bytes);
}

static void knows_nothing_of_short_or_long_messages_alone(void **state)
{
    (void)state;
    const struct mt_link_point points[] = {
        {1, 1e-5}, {512, 1e-5}, {2048, 3e-5}, {4096, 0.5e-5}};
    struct mt_learn_link link;
    mt_learn_find_link(&link, NULL, 0);
    assert_true(link.byte == 0 && link.nlengths == 0);
    mt_learn_find_link(&link, points, 2);
    assert_true(link.byte == 0 && link.nlengths == 0);
    mt_learn_find_link(&link, points + 2, 2);
    assert_true(link.byte == 0 && link.nlengths == 0);
    mt_learn_find_link(&link, points, 4); /* long ones faster than short ones */
    assert_true(link.byte == 0 && link.nlengths == 0);
    mt_learn_find_link(&link, points, 3);
    assert_close(link.byte, 2e-5 / 2048, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_no_lengths_where_times_are_in_proportion),
        cmocka_unit_test(tells_the_times_that_were_measured),
        cmocka_unit_test(the_latency_is_that_of_the_fastest),
        cmocka_unit_test(keeps_what_there_is_room_for),
        cmocka_unit_test(knows_nothing_of_short_or_long_messages_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
