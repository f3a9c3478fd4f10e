/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/expr/internal.h"
#include "tests/unit/test.h"

static const double at[MT_NVARIABLES] = {
    [MT_N] = 400, [MT_P] = 8, [MT_M] = 2, [MT_T] = 0.5};

static struct mt_expr *parsed(const char *text)
{
    struct mt_error err = {0};
    struct mt_expr *expr = NULL;
    if (mt_expr_parse(&expr, text, &err) != MT_OK)
        fail_msg("'%s': %s", text, err.text);
    return expr;
}

static double value(const char *text)
{
    struct mt_expr *expr = parsed(text);
    double result = mt_expr_value(expr, at);
    mt_expr_free(expr);
    return result;
}

static void refuses(const char *text, const char *reason)
{
    struct mt_error err = {0};
    struct mt_expr *expr = NULL;
    if (mt_expr_parse(&expr, text, &err) != MT_EPARSE)
        fail_msg("'%s' was taken", text);
    assert_contains(err.text, reason);
    assert_null(expr);
}

static void computes_as_c_does(void **state)
{
    (void)state;
    const double N = at[MT_N], P = at[MT_P], M = at[MT_M], T = at[MT_T];
#define ASSERT_AS_IN_C(...) assert_close(value(#__VA_ARGS__), (__VA_ARGS__), 1e-15)
    ASSERT_AS_IN_C(N + P * M - T / 4);
    ASSERT_AS_IN_C((N + P) * (M - T) / 4);
    ASSERT_AS_IN_C(2.0 / 3 * N * N * N);
    ASSERT_AS_IN_C(N - P - M);
    ASSERT_AS_IN_C(N / P / M);
    ASSERT_AS_IN_C(N - (P - M));
    ASSERT_AS_IN_C(-N + P);
    ASSERT_AS_IN_C(- -N);
    ASSERT_AS_IN_C(N * -P);
    ASSERT_AS_IN_C(N >= P && P > M);
    ASSERT_AS_IN_C(N < P || P <= M);
    ASSERT_AS_IN_C(!(N < P) + !P);
    ASSERT_AS_IN_C(1 + 2 < 4);
    ASSERT_AS_IN_C(log(N) + log2(P) * sqrt(M) - ceil(T) + floor(1.5));
    ASSERT_AS_IN_C(1.5e3 + .5 + 2.e-1);
#undef ASSERT_AS_IN_C
    assert_close(value("!P == 0"), 1, 0);
    assert_close(value("1 || 0 && 0"), 1, 0);
    assert_close(value("1 == 1 && 2 < 1 || 3 >= 3"), 1, 0);
    assert_close(value("min(N, P) + max(M, T)"), 10, 0);
    assert_close(value("N % 3 + 10 % P % 2"), 1, 0);
    assert_close(value("7.5 % 2"), 1.5, 0);
}

static void powers_bind_tightest_and_from_the_right(void **state)
{
    (void)state;
    assert_close(value("-2^2"), -4, 0);
    assert_close(value("(-2)^2"), 4, 0);
    assert_close(value("2^-1"), 0.5, 0);
    assert_close(value("2^3^2"), 512, 0);
    assert_close(value("2^-2^2"), 0.0625, 0);
    assert_close(value("2*N^2/P"), 40000, 0);
    assert_close(value("!N^2"), 0, 0);
    assert_close(value("P^-P"), pow(8, -8), 1e-15);
}

static void powers_by_multiplication_are_powers(void **state)
{
    (void)state;
    for (int quarters = -80; quarters <= 80; quarters++) {
        const double exponent = quarters / 4.0;
        char text[32];
        snprintf(text, sizeof text, "P^%g", exponent);
        assert_close(value(text), pow(at[MT_P], exponent), 1e-14);
    }
}

/* The factors of n, as MPI_Dims_create() of MPICH gives them; tests/mpi/dims.c compares
   with it. */
static void has_dims(int n, int count, int a, int b, int c)
{
    const int expected[] = {a, b, c};
    for (int i = 1; i <= count; i++) {
        char text[64];
        snprintf(text, sizeof text, "dims(%d, %d, %d)", n, count, i);
        assert_close(value(text), expected[i - 1], 0);
    }
}

static void dims_are_as_close_as_possible(void **state)
{
    (void)state;
    has_dims(1, 3, 1, 1, 1);
    has_dims(7, 1, 7, 0, 0);
    has_dims(12, 2, 4, 3, 0);
    has_dims(72, 2, 9, 8, 0);
    has_dims(97, 2, 97, 1, 0);
    has_dims(24, 3, 4, 3, 2);
    has_dims(97, 3, 97, 1, 1);
    has_dims(360, 3, 10, 6, 6); /* as close as 9 x 8 x 5 */
    has_dims(504, 3, 9, 8, 7);
    has_dims(1000000, 3, 100, 100, 100);
    has_dims(2147483647, 3, 2147483647, 1, 1);
    assert_close(value("dims(P, 3, 1) + dims(N/4, 2*1, 2)"), 2 + 10, 0);
    assert_true(isnan(value("dims(P + 0.5, 2, 1)")));
    assert_true(isnan(value("dims(P - 8, 2, 1)")));
    assert_true(isnan(value("dims(-P, 2, 1)")));
    assert_true(isnan(value("dims(2147483648, 2, 1)")));
    assert_true(isnan(value("dims(1/0, 2, 1)")));
    refuses("dims(P)", "unexpected ')' at column 7: expected ',' and the number");
    refuses("dims(P, 2)", "unexpected ')' at column 10: expected ',' and which");
    refuses("dims(P, 2, 1", "the text ends at column 13");
    refuses("dims(P, 4, 1)", "expected a whole number from 1 to 3 at column 9");
    refuses("dims(P, M, 1)", "expected a whole number from 1 to 3 at column 9");
    refuses("dims(P, 2, 3)", "expected a whole number from 1 to 2 at column 12");
    refuses("dims(P, 2, 1.5)", "expected a whole number from 1 to 2 at column 12");
}

static void missing_values_are_nan(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "1/(P-8)",    "0/0",           "N % 0",       "(P-8)^-1",    "(P-8)^-0.5",
        "log(0)",     "log(-1)",       "log2(P-9)",   "sqrt(-1)",    "(-2)^0.5",
        "(1/0)^0",    "1^(1/0)",       "1/0 == 1",    "1/0 != 1",    "1/0 < 1",
        "1 <= 1/0",   "!(1/0)",        "min(1/0, 1)", "max(1, 1/0)", "1 && 1/0",
        "1/0 && 1",   "0 || 1/0",      "1/0 || 0",    "ceil(1/0)",   "0 * (1/0)",
        "1/log(P-8)", "floor(log(0))", "1 / (1/0)",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (!isnan(value(texts[i])))
            fail_msg("'%s' is %g", texts[i], value(texts[i]));
}

static void logic_does_not_need_what_cannot_matter(void **state)
{
    (void)state;
    assert_close(value("P == 8 || 1/(P-8) > 0"), 1, 0);
    assert_close(value("P != 8 && 1/(P-8) > 0"), 0, 0);
}

static void says_where_a_text_is_wrong(void **state)
{
    (void)state;
    refuses("", "the text ends at column 1: expected a number, a name or '('");
    refuses("N^3/", "the text ends at column 5");
    refuses("N^3/)", "unexpected ')' at column 5");
    refuses("(N + P", "the text ends at column 7: expected an operator or ')'");
    refuses("N + P)", "unexpected ')' at column 6: expected an operator or the end");
    refuses("2N", "unexpected 'N' at column 2: expected an operator");
    refuses("N, P", "unexpected ',' at column 2: expected an operator or the end");
    refuses("n^2", "unknown name 'n' at column 1: there are N, P, M, T");
    refuses("N + exp(P)", "unknown name 'exp' at column 5");
    refuses("log N", "unexpected 'N' at column 5: expected '('");
    refuses("min(N)", "unexpected ')' at column 6: expected ','");
    refuses("log(N, P)", "unexpected ',' at column 6: expected an operator or ')'");
    refuses("N = P", "unexpected '=' at column 3");
    refuses("N & P", "unexpected '&' at column 3");
    refuses("1 < N <= 3", "comparisons do not chain at column 7: '<='");
    refuses("+N", "unexpected '+' at column 1");
    refuses("1e999", "number too large at column 1: '1e999'");
    refuses("0x10", "unexpected 'x10' at column 2");
    refuses("1.2.3", "at column 4");
    refuses("N\xc2\xb2", "a character that is not ASCII at column 2");
    refuses("N \x01", "at column 3");
}

static void limits_are_errors_and_not_crashes(void **state)
{
    (void)state;
    enum { LENGTH = 9000 };
    static const char *const repeated[] = {"(", "-", "!", "2^", "log(", "min(1,"};
    char *text = malloc(LENGTH + 16);
    for (size_t i = 0; i < sizeof repeated / sizeof repeated[0]; i++) {
        size_t length = 0;
        while (length < LENGTH)
            length += (size_t)snprintf(text + length, 8, "%s", repeated[i]);
        refuses(text, "nested more than 200 deep at column");
    }
    size_t length = 0;
    for (int i = 0; length < LENGTH; i++)
        length += (size_t)snprintf(text + length, 16, "N+%d*", i);
    snprintf(text + length, 2, "1");
    refuses(text, "too long: more than 1020 operations and numbers");
    free(text);

    char *blanks = malloc(20001);
    memset(blanks, ' ', 20000);
    blanks[20000] = 0;
    refuses(blanks, "too long: more than 10000 characters");
    free(blanks);
}

static void knows_its_text_and_variables(void **state)
{
    (void)state;
    struct mt_expr *expr = parsed(" N^2 + log(M)\n");
    assert_string_equal(mt_expr_text(expr), "N^2 + log(M)");
    assert_true(mt_expr_uses(expr, MT_N));
    assert_false(mt_expr_uses(expr, MT_P));
    assert_true(mt_expr_uses(expr, MT_M));
    assert_false(mt_expr_uses(expr, MT_T));
    mt_expr_free(expr);
    mt_expr_free(NULL);
}

static const char row_text[] = "N^3/P, N^2/P, N/P, 1/P, P*N^2, P*N , P, N^2, N, 1";

static void terms_are_computed_together(void **state)
{
    (void)state;
    const double n = at[MT_N], p = at[MT_P];
    const double expected[] = {n * n * n / p, n * n / p, n / p, 1 / p, p * n * n,
                               p * n,         p,         n * n, n,     1};
    struct mt_terms *terms = NULL;
    assert_int_equal(mt_terms_parse(&terms, row_text, NULL), MT_OK);
    assert_int_equal(mt_terms_count(terms), 10);
    double row[10];
    mt_terms_values(terms, at, row);
    for (int i = 0; i < 10; i++)
        assert_close(row[i], expected[i], 0);
    assert_string_equal(mt_terms_text(terms, 0), "N^3/P");
    assert_string_equal(mt_terms_text(terms, 5), "P*N");
    assert_true(mt_terms_use(terms, 0, MT_P));
    assert_false(mt_terms_use(terms, 7, MT_P));
    assert_false(mt_terms_use(terms, 9, MT_N));
    mt_terms_free(terms);
    mt_terms_free(NULL);
}

static void lists_that_do_not_parse_are_refused(void **state)
{
    (void)state;
    struct mt_error err = {0};
    struct mt_terms *terms = NULL;
    assert_int_equal(mt_terms_parse(&terms, "N, , P", &err), MT_EPARSE);
    assert_contains(err.text, "unexpected ',' at column 4");
    assert_int_equal(mt_terms_parse(&terms, "N, P,", &err), MT_EPARSE);
    assert_contains(err.text, "the text ends at column 6");
    assert_int_equal(mt_terms_parse(&terms, "N; P", &err), MT_EPARSE);
    assert_contains(err.text, "expected an operator, ',' or the end");
    char many[600];
    for (int i = 0; i < 599; i++)
        many[i] = i % 2 == 0 ? '1' : ',';
    many[599] = 0;
    assert_int_equal(mt_terms_parse(&terms, many, &err), MT_EPARSE);
    assert_contains(err.text, "more than 256 terms at column 512");
    assert_null(terms);
}

/* A model's terms hold the program's formulas many times. */
static void a_list_may_be_longer_than_an_expression(void **state)
{
    (void)state;
    enum { BLANKS = 9000 };
    struct mt_terms *terms = NULL;
    char *text = malloc(2 * BLANKS + 8);
    snprintf(text, 2 * BLANKS + 8, "N%*s, P%*s", BLANKS, "", BLANKS, "");
    assert_int_equal(mt_terms_parse(&terms, text, NULL), MT_OK);
    assert_int_equal(mt_terms_count(terms), 2);
    mt_terms_free(terms);
    free(text);
}

/* Texts of tokens are often nearly right, and reach deeper than texts of bytes. */
static void random_texts_never_crash(void **state)
{
    (void)state;
    static const char *const tokens[] = {
        "N", "P", "3", "0.5", "1e9", "+", "-",  "*",  "/",    "%",    "^", "(",
        ")", ",", "<", ">=",  "==",  "!", "&&", "||", "min(", "log(", " ", "\xff"};
    enum { NTOKENS = sizeof tokens / sizeof tokens[0] };
    srand(3);
    int taken = 0;
    for (int round = 0; round < 50000; round++) {
        char text[128] = "";
        size_t length = 0;
        for (int i = rand() % 16; i > 0; i--)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s",
                                       tokens[rand() % NTOKENS]);
        if (round % 2 == 0 && length > 0)
            text[(size_t)rand() % length] = (char)(1 + rand() % 255);
        struct mt_terms *terms = NULL;
        struct mt_error err = {0};
        double row[64];
        if (mt_terms_parse(&terms, text, &err) == MT_OK) {
            mt_terms_values(terms, at, row);
            taken++;
        } else {
            assert_contains(err.text, "column");
        }
        mt_terms_free(terms);
    }
    assert_in_range(taken, 500, 50000);
}

/* Between whole numbers of processes nothing is rounded. */
static void smooth_terms_do_not_round(void **state)
{
    (void)state;
    struct mt_terms *terms = NULL;
    const double values[MT_NVARIABLES] = {[MT_N] = 100.5, [MT_P] = 6.25, [MT_M] = 2};
    double row[5];
    const char text[] = "ceil(N/P), floor(N), P*ceil(N/dims(P,2,1))*ceil(N/dims(P,2,2))"
                        "/N^2, dims(P,3,2)*dims(P,3,1)*dims(P,3,3), dims(P,1,1)";
    assert_int_equal(mt_terms_parse_smooth(&terms, text, NULL), MT_OK);
    mt_terms_values(terms, values, row);
    assert_close(row[0], 100.5 / 6.25, 1e-15);
    assert_close(row[1], 100.5, 1e-15);
    assert_close(row[2], 1, 1e-14);
    assert_close(row[3], 6.25, 1e-14);
    assert_close(row[4], 6.25, 1e-14);
    mt_terms_free(terms);
    assert_int_equal(mt_terms_parse_smooth(&terms, "ceil(", NULL), MT_EPARSE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(computes_as_c_does),
        cmocka_unit_test(powers_bind_tightest_and_from_the_right),
        cmocka_unit_test(powers_by_multiplication_are_powers),
        cmocka_unit_test(dims_are_as_close_as_possible),
        cmocka_unit_test(smooth_terms_do_not_round),
        cmocka_unit_test(missing_values_are_nan),
        cmocka_unit_test(logic_does_not_need_what_cannot_matter),
        cmocka_unit_test(says_where_a_text_is_wrong),
        cmocka_unit_test(limits_are_errors_and_not_crashes),
        cmocka_unit_test(knows_its_text_and_variables),
        cmocka_unit_test(terms_are_computed_together),
        cmocka_unit_test(lists_that_do_not_parse_are_refused),
        cmocka_unit_test(a_list_may_be_longer_than_an_expression),
        cmocka_unit_test(random_texts_never_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
