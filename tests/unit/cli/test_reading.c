/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/run/record.h"

#include "lib/base/pattern.h"
#include "tests/unit/test.h"

static const struct mt_configuration none;

/* A program's output, and how long its run took. */
struct printed {
    const char *line;
    double elapsed;
    enum mt_time_unit unit;
};

/* The seconds of the run, or NaN and the reason. The number is the first one of the
   line. */
static double read_line(const struct printed *printed, struct mt_program *program,
                        struct mt_error *err)
{
    char path[] = "program.yaml";
    struct mt_process process = {.elapsed = printed->elapsed};
    regex_t pattern;
    double seconds = NAN;
    assert_int_equal(mt_pattern_compile(&pattern, "([0-9.]+(e-?[0-9]+)?)", NULL),
                     MT_OK);
    process.output.pattern = &pattern;
    mt_output_eat(&process.output, printed->line, strlen(printed->line));
    mt_output_finish(&process.output);
    program->path = path;
    program->time_unit = printed->unit;
    const struct mt_launch launch = {.cluster = &(struct mt_cluster){0},
                                     .program = program,
                                     .configuration = &none,
                                     .size = 1000};
    if (mt_record_seconds(&seconds, &launch, &process, err) != MT_OK)
        assert_true(isnan(seconds));
    regfree(&pattern);
    return seconds;
}

static void takes_what_can_be(void **state)
{
    (void)state;
    static const struct {
        struct printed printed;
        double seconds;
    } cases[] = {
        {{"time 0.1", 0.103, MT_UNIT_S}, 0.1},
        {{"time 100 ms", 0.103, MT_UNIT_MS}, 0.1},
        {{"1.5 min", 100, MT_UNIT_MIN}, 90},
        /* rounded up by the printed time */
        {{"time 1", 0.6, MT_UNIT_S}, 1},
        {{"time 0.2", 0.19, MT_UNIT_S}, 0.2},
        {{"time 11", 10.2, MT_UNIT_S}, 11},
        {{"1e1 s", 5.1, MT_UNIT_S}, 10},
        /* a millionth */
        {{"2e-6", 1, MT_UNIT_S}, 2e-6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mt_program program = {0};
        struct mt_error err = {0};
        assert_close(read_line(&cases[i].printed, &program, &err), cases[i].seconds,
                     1e-15);
    }
}

static void refuses_what_cannot_be(void **state)
{
    (void)state;
    static const struct {
        struct printed printed;
        const char *reason;
    } cases[] = {
        {{"time 99999", 0.103, MT_UNIT_S},
         "the time cannot be right: '99999' s, and the run took 103.0 ms from start to "
         "end: see 'time' and 'rate' in motley-program(5)"},
        {{"time 99", 0.103, MT_UNIT_S}, "'99' s, and the run took 103.0 ms"},
        {{"time 1.00", 0.103, MT_UNIT_S}, "'1.00' s, and the run took 103.0 ms"},
        {{"time 1", 0.103, MT_UNIT_S}, "'1' s, and the run took 103.0 ms"},
        {{"12 milliseconds", 0.103, MT_UNIT_S}, "'12' s, and the run took 103.0 ms"},
        {{"5e-5", 100, MT_UNIT_S}, "from start to end: see"},
        {{"1e-5", 100, MT_UNIT_S}, "from start to end: see"},
        {{"1e-9 s", 100, MT_UNIT_S}, "from start to end: see"},
        {{"100", 0.103, MT_UNIT_MIN},
         "'100' min, and the run took 103.0 ms from start to end: see"},
        {{"0.000", 1, MT_UNIT_S}, "not a number above 0: '0.000'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mt_program program = {0};
        struct mt_error err = {0};
        assert_true(isnan(read_line(&cases[i].printed, &program, &err)));
        assert_contains(err.text, cases[i].reason);
    }
}

/* The program says its work: 1e9 operations at N = 1000. */
static void rate_divides_the_work(void **state)
{
    (void)state;
    struct mt_program program = {0};
    struct mt_error err = {0};
    assert_int_equal(mt_expr_parse(&program.work, "N^3", NULL), MT_OK);
    char match[] = "(.*)", unit[] = "MFLOPS";
    program.rate_match = match;
    program.rate_unit = unit;
    assert_close(read_line(&(struct printed){"12000", 0.2, MT_UNIT_S}, &program, &err),
                 1 / 12.0, 1e-15);
    assert_true(
        isnan(read_line(&(struct printed){"12", 0.2, MT_UNIT_S}, &program, &err)));
    assert_contains(
        err.text, "the rate cannot be right: '12' MFLOPS would be 83.33 s, and the run "
                  "took 200.0 ms");
    mt_expr_free(program.work);
}

static void leaves_simulated_and_own_programs_alone(void **state)
{
    (void)state;
    struct mt_program program = {0};
    struct mt_process process = {.elapsed = 1, .output = {.number = "1000"}};
    struct mt_cluster cluster = {0};
    const struct mt_launch launch = {
        .cluster = &cluster, .program = &program, .configuration = &none, .size = 1};
    char path[] = "program.yaml";
    double seconds = 0;
    assert_int_equal(mt_record_seconds(&seconds, &launch, &process, NULL), MT_OK);
    assert_close(seconds, 1000, 0);
    program.path = path;
    assert_int_equal(mt_record_seconds(&seconds, &launch, &process, NULL), MT_EINVAL);
    cluster.launcher = MT_LAUNCH_SMPI;
    assert_int_equal(mt_record_seconds(&seconds, &launch, &process, NULL), MT_OK);
    cluster.launcher = MT_LAUNCH_OPENMPI;
    process.output = (struct mt_output){.number = "1e-7"};
    assert_int_equal(mt_record_seconds(&seconds, &launch, &process, NULL), MT_EINVAL);
    process.overslept = true; /* it took less than it seems */
    assert_int_equal(mt_record_seconds(&seconds, &launch, &process, NULL), MT_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_what_can_be),
        cmocka_unit_test(refuses_what_cannot_be),
        cmocka_unit_test(rate_divides_the_work),
        cmocka_unit_test(leaves_simulated_and_own_programs_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
