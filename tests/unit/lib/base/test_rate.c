/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/base/number.h"

#include "tests/unit/test.h"

static void knows_units(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        double factor; /* 0: it is none */
    } cases[] = {
        {"FLOPS", 1},       {"MFLOPS", 1e6},  {"GFlop/s", 1e9},  {"Mop/s", 1e6},
        {"kops", 1e3},      {"MB/s", 1e6},    {"GiB/s", 0x1p30}, {"GUPS", 1e9},
        {"MLUPS", 1e6},     {"TEPS", 1},      {"GTEPS", 1e9},    {"1/s", 1},
        {"PFLOPS", 1e15},   {"Gb/s", 0},      {"mflops", 0},     {"s", 0},
        {"Gbit/s", 1.25e8}, {"Mbps", 1.25e5}, {"MBps", 1e6},     {"GFlop/sec", 1e9},
        {"Mbyte/s", 1e6},   {"", 0},          {"G", 0},          {"seconds", 0},
        {"GFLOPS/s", 1e9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double factor = 0;
        const bool is_unit =
            mt_rate_unit(&factor, cases[i].unit, strlen(cases[i].unit));
        assert_int_equal(is_unit, cases[i].factor > 0);
        assert_close(factor, cases[i].factor, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
