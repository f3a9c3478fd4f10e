/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/test.h"

#include "tools/probe/power.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static void put(const char *counter, const char *file, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, counter);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/%s/%s", folder, counter, file);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/motley-powercap-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

/* Two packages, the second of which turns over; a part of one is not counted twice. */
static void joules_of_packages_are_added(void **state)
{
    (void)state;
    put("intel-rapl:0", "energy_uj", "5000000\n");
    put("intel-rapl:0", "max_energy_range_uj", "262143328850\n");
    put("intel-rapl:1", "energy_uj", "99000000\n");
    put("intel-rapl:1", "max_energy_range_uj", "100000000\n");
    put("intel-rapl:0:0", "energy_uj", "1000000\n");
    put("intel-rapl:0:0", "max_energy_range_uj", "262143328850\n");
    put("intel-rapl", "enabled", "1\n");
    const struct power_reading before = power_read(folder);
    assert_int_equal(before.count, 2);
    put("intel-rapl:0", "energy_uj", "12500000\n");
    put("intel-rapl:1", "energy_uj", "3000000\n");
    put("intel-rapl:0:0", "energy_uj", "6000000\n");
    const struct power_reading after = power_read(folder);
    assert_close(power_joules(&before, &after), 7.5 + 4, 1e-12);
}

static void without_counters_nothing_is_known(void **state)
{
    (void)state;
    const struct power_reading none = power_read(folder);
    assert_int_equal(none.count, 0);
    assert_true(isnan(power_joules(&none, &none)));
    assert_true(isnan(power_loaded(folder, 2)));
    assert_int_equal(power_read("/nowhere").count, 0);
    put("intel-rapl:0", "energy_uj", "not a number\n");
    put("intel-rapl:0", "max_energy_range_uj", "100\n");
    assert_int_equal(power_read(folder).count, 0);
    put("intel-rapl:0", "energy_uj", "5\n");
    assert_int_equal(power_read(folder).count, 1);
    put("intel-rapl:1", "energy_uj", "5\n"); /* without a range */
    assert_int_equal(power_read(folder).count, 0);
}

/* A counter that stands still. */
static void busy_cores_are_measured(void **state)
{
    (void)state;
    put("intel-rapl:0", "energy_uj", "5\n");
    put("intel-rapl:0", "max_energy_range_uj", "100\n");
    assert_close(power_loaded(folder, 2), 0.0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(joules_of_packages_are_added, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(without_counters_nothing_is_known, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(busy_cores_are_measured, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
