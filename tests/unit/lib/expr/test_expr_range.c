/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/expr/internal.h"
#include "tests/unit/test.h"

static struct mt_range range_over(const char *text,
                                  const struct mt_range box[MT_NVARIABLES])
{
    struct mt_expr *expr = NULL;
    struct mt_error err = {0};
    if (mt_expr_parse(&expr, text, &err) != MT_OK)
        fail_msg("'%s': %s", text, err.text);
    struct mt_range range = mt_expr_range(expr, box);
    mt_expr_free(expr);
    return range;
}

/* N in 100 .. 400, P in 2 .. 8, M = 1, T in -2 .. 3. */
static struct mt_range range_of(const char *text)
{
    static const struct mt_range box[MT_NVARIABLES] = {
        [MT_N] = {100, 400}, [MT_P] = {2, 8}, [MT_M] = {1, 1}, [MT_T] = {-2, 3}};
    return range_over(text, box);
}

static void has_range(const char *text, double low, double high)
{
    struct mt_range range = range_of(text);
    if (!(fabs(range.low - low) <= 1e-14 * fabs(low)) ||
        !(fabs(range.high - high) <= 1e-14 * fabs(high)))
        fail_msg("'%s' is within %g .. %g, not %g .. %g", text, low, high, range.low,
                 range.high);
}

static void is_unknown(const char *text)
{
    struct mt_range range = range_of(text);
    if (!isnan(range.low) || !isnan(range.high))
        fail_msg("'%s' is not within %g .. %g", text, range.low, range.high);
}

static void steady_terms_have_their_exact_range(void **state)
{
    (void)state;
    has_range("N^3/P", 1e6 / 8, 64e6 / 2);
    has_range("1/P", 0.125, 0.5);
    has_range("P*N^2", 2e4, 128e4);
    has_range("log(P)", log(2), log(8));
    has_range("log2(P)", 1, 3);
    has_range("P^0.5", sqrt(2), sqrt(8));
    has_range("P^-2", 1.0 / 64, 0.25);
    has_range("P^1.7", pow(2, 1.7), pow(8, 1.7));
    has_range("0.5^P", pow(0.5, 8), 0.25);
    has_range("ceil(N/3) - floor(P/3)", 34 - 2, 134 - 0);
    has_range("min(N, 200) + max(P, 4)", 104, 208);
    has_range("-N", -400, -100);
    has_range("7", 7, 7);
}

static void ranges_across_zero_are_right(void **state)
{
    (void)state;
    has_range("T^2", 0, 9);
    has_range("T*T", 0, 9);
    has_range("T^4", 0, 81);
    has_range("T^18", 0, pow(3, 18));
    has_range("T^19", pow(-2, 19), pow(3, 19));
    has_range("T*P", -16, 24);
    has_range("T/P", -1, 1.5);
    has_range("P/(T-4)", -8, -1.0 / 3);
}

static void truth_is_decided_where_it_can_be(void **state)
{
    (void)state;
    has_range("N > P", 1, 1);
    has_range("N <= P", 0, 0);
    has_range("P >= 3", 0, 1);
    has_range("P < 8", 0, 1);
    has_range("P <= 8", 1, 1);
    has_range("M == 1", 1, 1);
    has_range("M != 1", 0, 0);
    has_range("N == P", 0, 0);
    has_range("P == 3", 0, 1);
    has_range("!N", 0, 0);
    has_range("!T", 0, 1);
    has_range("N > P && P > 3", 0, 1);
    has_range("N < P && 1/T", 0, 0);
    has_range("N > P || 1/T", 1, 1);
    has_range("P > 3 || M == 2", 0, 1);
    has_range("N < P || M == 2", 0, 0);
}

static void remainders_do_not_forget_the_wrap(void **state)
{
    (void)state;
    has_range("P % 10", 2, 8);
    has_range("P % 5", 0, 5);
    has_range("(100 + P) % 51", 0, 6);
    has_range("(99 + P) % 51", 0, 51);
    has_range("(102 + P) % 51", 2, 8);
    has_range("T % 2", -2, 2);
    has_range("-P % 10", -8, -2);
}

static void dims_are_bounded_at_whole_numbers(void **state)
{
    (void)state;
    has_range("dims(P, 2, 1)", 2, 7);
    has_range("dims(P, 2, 2)", 1, 2);
    has_range("dims(P - 0.5, 1, 1)", 2, 7);
    has_range("dims(N, 1, 1)", 100, 400);
    has_range("dims(N, 2, 1)", 10, 400);
    has_range("dims(N, 2, 2)", 1, 20);
    has_range("dims(N, 3, 1)", 5, 400);
    has_range("dims(N, 3, 2)", 1, 20);
    has_range("dims(N, 3, 3)", 1, 7);
    is_unknown("dims(P - 2, 2, 1)");
    is_unknown("dims(N * 1e8, 2, 1)");
    is_unknown("dims(M / 2, 2, 1)");
    is_unknown("dims(1/T, 2, 1)");
}

/* Ranges that are gone through, and longer ones, are not exceeded. */
static void no_dims_lie_outside_their_range(void **state)
{
    (void)state;
    struct mt_terms *terms = NULL;
    assert_int_equal(mt_terms_parse(&terms,
                                    "dims(P, 1, 1), dims(P, 2, 1), dims(P, 2, 2), "
                                    "dims(P, 3, 1), dims(P, 3, 2), dims(P, 3, 3)",
                                    NULL),
                     MT_OK);
    for (int low = 1; low < 1200; low += 37) {
        for (int high = low; high < 2 * low + 20; high += 7) {
            const struct mt_range box[MT_NVARIABLES] = {[MT_P] = {low, high}};
            struct mt_range row[6];
            mt_terms_ranges(terms, box, row);
            for (int p = low; p <= high; p++) {
                const double values[MT_NVARIABLES] = {[MT_P] = p};
                double at_p[6];
                mt_terms_values(terms, values, at_p);
                for (int i = 0; i < 6; i++)
                    assert_true(at_p[i] >= row[i].low && at_p[i] <= row[i].high);
            }
        }
    }
    mt_terms_free(terms);
}

static void nothing_is_known_where_a_value_may_be_missing(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "1/T",          "N % T",     "log(T)",     "log2(T+2)",   "sqrt(T)",
        "T^0.5",        "T^P",       "T^-1",       "0*(1/T)",     "1/T > 0",
        "P > 3 && 1/T", "1/T && 0",  "1/T || 1",   "min(1, 1/T)", "max(1/T, 1)",
        "!(1/T)",       "(1/T)^0",   "1/T == 1/T", "1/T != 1",    "ceil(1/T)",
        "-(1/T)",       "1/T - 1/T", "1/T + 1",    "1/T * 1/T",   "1 / (1/T)",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        is_unknown(texts[i]);
}

static void overflow_and_unknown_boxes_are_unknown(void **state)
{
    (void)state;
    const struct mt_range box[MT_NVARIABLES] = {[MT_N] = {1, 1e200},
                                                [MT_P] = {1, INFINITY},
                                                [MT_M] = {NAN, 1},
                                                [MT_T] = {0, 1}};
    assert_true(isnan(range_over("N^2", box).high));
    assert_true(isnan(range_over("P", box).low));
    assert_true(isnan(range_over("1/P", box).low));
    assert_true(isnan(range_over("M", box).high));
    assert_close(range_over("N + T", box).high, 1e200, 1e-15);
}

/* Random expressions. */
struct writer {
    char text[4096];
    size_t length;
};

static void write_text(struct writer *writer, const char *text)
{
    writer->length +=
        (size_t)snprintf(writer->text + writer->length,
                         sizeof writer->text - writer->length, "%s", text);
}

static void write_random(struct writer *writer, int depth)
{
    static const char *const leaves[] = {"N", "P", "M", "T", "0", "1", "2", "0.5", "3"};
    static const char *const binary[] = {"+", "-",  "*",  "/",  "%", "^", "+",  "-",
                                         "*", "==", "!=", "<=", "<", ">", "&&", "||"};
    static const char *const unary[] = {"-(",    "!(",    "log(",  "log2(",
                                        "sqrt(", "ceil(", "floor("};
    static const char *const powers[] = {"^2", "^3", "^-1", "^0.5", "^17", "^-2", "^0"};
    int choice = rand() % 10;
    if (depth == 0 || choice == 0) {
        write_text(writer, leaves[rand() % 9]);
    } else if (choice == 1) {
        write_text(writer, unary[rand() % 7]);
        write_random(writer, depth - 1);
        write_text(writer, ")");
    } else if (choice == 2) {
        write_text(writer, rand() % 2 ? "min(" : "max(");
        write_random(writer, depth - 1);
        write_text(writer, ", ");
        write_random(writer, depth - 1);
        write_text(writer, ")");
    } else if (choice == 3) {
        write_text(writer, "(");
        write_random(writer, depth - 1);
        write_text(writer, ")");
        write_text(writer, powers[rand() % 7]);
    } else {
        write_text(writer, "(");
        write_random(writer, depth - 1);
        write_text(writer, ")");
        write_text(writer, binary[rand() % 16]);
        write_text(writer, "(");
        write_random(writer, depth - 1);
        write_text(writer, ")");
    }
}

static double random_between(double low, double high)
{
    switch (rand() % 4) {
    case 0:
        return low;
    case 1:
        return high;
    default:
        return fmin(high, low + (high - low) * rand() / RAND_MAX);
    }
}

static void random_box(struct mt_range box[MT_NVARIABLES])
{
    for (int i = 0; i < MT_NVARIABLES; i++) {
        double low = rand() % 12 - (i == MT_T ? 6 : 0);
        double width = rand() % 2 ? rand() % 6 : (rand() % 100) / 16.0;
        box[i] = (struct mt_range){low, low + width};
    }
}

/* Fails when a value at a random point of the box lies outside `range`. */
static void check_samples(const struct mt_expr *expr,
                          const struct mt_range box[MT_NVARIABLES],
                          struct mt_range range)
{
    for (int sample = 0; sample < 30; sample++) {
        double values[MT_NVARIABLES];
        for (int i = 0; i < MT_NVARIABLES; i++)
            values[i] = random_between(box[i].low, box[i].high);
        double value = mt_expr_value(expr, values);
        if (!(value >= range.low && value <= range.high))
            fail_msg("%s = %.17g at N = %.17g P = %.17g M = %.17g T = %.17g, outside "
                     "%.17g .. %.17g",
                     mt_expr_text(expr), value, values[0], values[1], values[2],
                     values[3], range.low, range.high);
    }
}

static void no_value_lies_outside_its_range(void **state)
{
    (void)state;
    srand(4);
    int known = 0;
    for (int round = 0; round < 20000; round++) {
        struct writer writer = {.length = 0};
        write_random(&writer, 1 + rand() % 4);
        struct mt_expr *expr = NULL;
        struct mt_error err = {0};
        if (mt_expr_parse(&expr, writer.text, &err) != MT_OK)
            fail_msg("'%s': %s", writer.text, err.text);
        struct mt_range box[MT_NVARIABLES];
        random_box(box);
        struct mt_range range = mt_expr_range(expr, box);
        if (!isnan(range.low) && !isnan(range.high)) {
            check_samples(expr, box, range);
            known++;
        }
        mt_expr_free(expr);
    }
    assert_in_range(known, 5000, 20000);
}

static void a_point_has_its_value_as_range(void **state)
{
    (void)state;
    srand(5);
    for (int round = 0; round < 5000; round++) {
        struct writer writer = {.length = 0};
        write_random(&writer, 3);
        struct mt_expr *expr = NULL;
        assert_int_equal(mt_expr_parse(&expr, writer.text, NULL), MT_OK);
        struct mt_range box[MT_NVARIABLES];
        double values[MT_NVARIABLES];
        for (int i = 0; i < MT_NVARIABLES; i++) {
            values[i] = rand() % 10;
            box[i] = (struct mt_range){values[i], values[i]};
        }
        double value = mt_expr_value(expr, values);
        struct mt_range range = mt_expr_range(expr, box);
        if (!isnan(range.low))
            assert_true(range.low == value && range.high == value);
        else if (isfinite(value)) /* only what logic decides may be missed */
            assert_true(strstr(writer.text, "&&") || strstr(writer.text, "||"));
        mt_expr_free(expr);
    }
}

static void terms_have_the_ranges_of_their_expressions(void **state)
{
    (void)state;
    struct mt_terms *terms = NULL;
    assert_int_equal(
        mt_terms_parse(&terms, "N^3/P, P*N^2, log(P)*N, N*P^0.5, 1/T, 1", NULL), MT_OK);
    const struct mt_range box[MT_NVARIABLES] = {
        [MT_N] = {400, 400}, [MT_P] = {2, 24}, [MT_M] = {1, 1}, [MT_T] = {-1, 1}};
    struct mt_range row[6];
    mt_terms_ranges(terms, box, row);
    for (int i = 0; i < mt_terms_count(terms); i++) {
        struct mt_range alone = range_over(mt_terms_text(terms, i), box);
        assert_memory_equal(&row[i], &alone, sizeof alone);
    }
    mt_terms_free(terms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_terms_have_their_exact_range),
        cmocka_unit_test(ranges_across_zero_are_right),
        cmocka_unit_test(truth_is_decided_where_it_can_be),
        cmocka_unit_test(remainders_do_not_forget_the_wrap),
        cmocka_unit_test(dims_are_bounded_at_whole_numbers),
        cmocka_unit_test(no_dims_lie_outside_their_range),
        cmocka_unit_test(nothing_is_known_where_a_value_may_be_missing),
        cmocka_unit_test(overflow_and_unknown_boxes_are_unknown),
        cmocka_unit_test(no_value_lies_outside_its_range),
        cmocka_unit_test(a_point_has_its_value_as_range),
        cmocka_unit_test(terms_have_the_ranges_of_their_expressions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
