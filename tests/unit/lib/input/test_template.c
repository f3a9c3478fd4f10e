/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/input/template.h"

#include "lib/base/argv.h"
#include "lib/yaml/formula.h"
#include "tests/unit/test.h"

/* A run of N = 6400 on 2 nodes with 4 processes and 3 nodes with 1: P = 11. */
static struct mt_group groups[] = {{.name = (char[]){"xeon"}},
                                   {.name = (char[]){"old-nodes.2"}},
                                   {.name = (char[]){"idle"}}};
static const struct mt_cluster cluster = {
    .name = (char[]){"lab"}, .groups = groups, .ngroups = 3};
static const struct mt_configuration configuration = {
    .use[0] = {.nodes = 2, .layout.processes = 4},
    .use[1] = {.nodes = 3, .layout.processes = 1, .layout.threads = 6}};
static const struct mt_filling filling = {.cluster = &cluster,
                                          .configuration = &configuration,
                                          .size = 6400,
                                          .folder = "/home/me"};

static void expect(const char *text, const char *expected)
{
    char *filled = NULL;
    struct mt_error err = {0};
    int variables = 0;
    assert_int_equal(mt_template_check(text, &variables, &err), MT_OK);
    const int status = mt_template_fill(&filled, text, &filling, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(status, MT_OK);
    assert_string_equal(filled, expected);
    free(filled);
}

static void fills_expressions(void **state)
{
    (void)state;
    expect("--size={N}", "--size=6400");
    expect("{N}x{P}x{N}", "6400x11x6400");
    expect("{M}", "4");
    expect("{2*N} {floor(N/P)} {N % 1000 + 1}", "12800 581 401");
    expect("{dims(P + 1,2,1)} {dims(12, 2, 2)}", "4 3");
    expect("{(N > 100) * 7}", "7");
    expect("{-N}", "-6400");
    expect("{0*-N}", "0");
}

static void writes_numbers_that_programs_read(void **state)
{
    (void)state;
    expect("{2^53 + 0*N}", "9007199254740992");
    expect("{1e15 + 0*N}", "1000000000000000");
    expect("{1/4 + 0*N}", "0.25");
    expect("{0.1*N + 0.1}", "640.1");
    expect("{1/3 + 0*N}", "0.3333333333333333");
    expect("{0*N - 12.5}", "-12.5");
}

static void fills_what_groups_have(void **state)
{
    (void)state;
    expect("{ranks:xeon} {nodes:xeon}", "8 2");
    expect("{ranks:old-nodes.2}/{nodes:old-nodes.2}", "3/3");
    expect("{ranks:idle}", "0");
    expect("{threads}", "6");
    expect("-in {folder}/in.melt", "-in /home/me/in.melt");
}

/* In the order of the ranks; even parts where nothing is said. */
static void fills_weights(void **state)
{
    (void)state;
    const double weights[11] = {1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1, 1, 1.0 / 3};
    struct mt_filling weighed = filling;
    char *filled = NULL;
    int variables = 0;
    expect("{weights}", "1,1,1,1,1,1,1,1,1,1,1");
    expect("{weights_file} {{weights}}", "motley-weights {weights}");
    weighed.weights = weights;
    assert_int_equal(
        mt_template_fill(&filled, "a {weights}\n{weights_lines}", &weighed, NULL),
        MT_OK);
    assert_string_equal(filled,
                        "a 1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1,1,0.333333333\n"
                        "1.5\n1.5\n1.5\n1.5\n1.5\n1.5\n1.5\n1.5\n1\n1\n0.333333333");
    free(filled);
    assert_int_equal(mt_template_check("{weights} {N}", &variables, NULL), MT_OK);
    assert_int_equal(variables, MT_USES_WEIGHTS | MT_USES_N);
    variables = 0;
    assert_int_equal(mt_template_check("{weights_file}", &variables, NULL), MT_OK);
    assert_int_equal(variables, MT_USES_WEIGHTS_FILE);
    assert_int_equal(mt_template_check("{weight}", &variables, NULL), MT_EPARSE);
}

static void leaves_other_braces_alone(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "{",
        "}{",
        "{}",
        "{{}}",
        "{ N }",
        "{N ",
        "{N\n}",
        "{a, b}",
        "--set={a,b}",
        "[0-9]{3} x{2,}",
        "${n} ${N}",
        "{type wall;}",
        "{key: value}",
        "{'a'}",
        "\xc3\xa4{\xc3\xa4}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect(texts[i], texts[i]);
}

static void takes_doubled_braces_for_text(void **state)
{
    (void)state;
    expect("{{N}}", "{N}");
    expect("f\"{{name}} {N} {{2*Q}}\"", "f\"{name} 6400 {2*Q}\"");
    expect("{{{N}}}", "{{N}}");
    expect("{{N}", "{6400");
    expect("{{N} }", "{6400 }");
}

static void fills_json(void **state)
{
    (void)state;
    expect("{\"grid\":{\"n\":{N},\"ranks\":[{dims(P + 1,2,1)},{dims(P + 1,2,2)}]}}\n",
           "{\"grid\":{\"n\":6400,\"ranks\":[4,3]}}\n");
    expect("{\"a\": {}, \"b\": {\"c\": {\"N\": {N}}}}",
           "{\"a\": {}, \"b\": {\"c\": {\"N\": 6400}}}");
}

static void fills_a_dictionary_of_openfoam(void **state)
{
    (void)state;
    expect("FoamFile { version 2.0; format ascii; }\n"
           "blocks\n(\n"
           "    hex (0 1 2 3 4 5 6 7) ({N} {N} 1) simpleGrading (1 1 1)\n"
           ");\n"
           "walls { type wall; faces ((0 4 7 3)); }\n"
           "simpleCoeffs\n{\n    n ({dims(P + 1,2,1)} {dims(P + 1,2,2)} 1);\n}\n"
           "inlet {$walls; value uniform ${velocity};}\n",
           "FoamFile { version 2.0; format ascii; }\n"
           "blocks\n(\n"
           "    hex (0 1 2 3 4 5 6 7) (6400 6400 1) simpleGrading (1 1 1)\n"
           ");\n"
           "walls { type wall; faces ((0 4 7 3)); }\n"
           "simpleCoeffs\n{\n    n (4 3 1);\n}\n"
           "inlet {$walls; value uniform ${velocity};}\n");
}

static void tells_what_a_text_depends_on(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int variables;
    } cases[] = {
        {"none {}", 0},
        {"{N}", MT_USES_N},
        {"{dims(P,2,1)}\n{M}", MT_USES_P | MT_USES_M},
        {"{ranks:N} {{N}} ${N}", 0},
        {"{folder}", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int variables = 0;
        assert_int_equal(mt_template_check(cases[i].text, &variables, NULL), MT_OK);
        assert_int_equal(variables, cases[i].variables);
    }
}

static void refuses_what_does_not_parse(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"{n}", "unknown placeholder '{n}'; braces that shall stay are doubled"},
        {"a\nb {threads_}\n", "line 2: unknown placeholder '{threads_}'"},
        {"{2*}", ""},
        {"{2*Q}", "'{2*Q}' is not a placeholder: "},
        {"{dims(P,2)}", "'{dims(P,2)}' is not a placeholder: "},
        {"{dims(P,2,3)}", "'{dims(P,2,3)}' is not a placeholder: "},
        {"{N}\n{x y}", "line 2: '{x y}' is not a placeholder: "},
        {"{T}", "unknown placeholder '{T}'"},
        {"{2*T}", "'{2*T}' is not a placeholder: it cannot depend on T"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mt_error err = {0};
        int variables = -1;
        const int status = mt_template_check(cases[i][0], &variables, &err);
        assert_contains(err.text, cases[i][1]);
        assert_int_equal(status, *cases[i][1] ? MT_EPARSE : MT_OK);
        assert_int_equal(variables, -1);
    }
}

static void refuses_what_has_no_value(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"{log(P - 11)}", "'{log(P - 11)}' has no value at N = 6400, P = 11"},
        {"one\ntwo {N/0}", "line 2: '{N/0}' has no value at N = 6400, P = 11"},
        {"{N^5}", "N^5 = 1.073741824e+19 is more than 2^53, above which whole "
                  "numbers are not exact"},
        {"{ranks:gone}",
         "unknown placeholder '{ranks:gone}': cluster 'lab' has no such group"},
        {"{nodes:xeo}", "unknown placeholder '{nodes:xeo}'"},
        {"{ranks:xeons}", "unknown placeholder '{ranks:xeons}'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mt_error err = {0};
        char *filled = NULL;
        assert_int_equal(mt_template_fill(&filled, cases[i][0], &filling, &err),
                         MT_EINVAL);
        assert_null(filled);
        assert_contains(err.text, cases[i][1]);
    }
}

static void refuses_what_grows_without_end(void **state)
{
    (void)state;
    enum { TIMES = 8 * 1024 };
    static char folder[4096], text[TIMES * 8 + 1];
    struct mt_filling long_folder = filling;
    struct mt_error err = {0};
    char *filled = NULL;
    memset(folder, 'x', sizeof folder - 1);
    long_folder.folder = folder;
    for (int i = 0; i < TIMES; i++)
        memcpy(text + i * 8, "{folder}", 8);
    assert_int_equal(mt_template_fill(&filled, text, &long_folder, &err), MT_EINVAL);
    assert_contains(err.text, "becomes longer than 16 MiB");
}

static void adds_words_that_are_the_text_itself(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "/tmp/{letters}/cut", "{N}", "{{N}}", "{N}}", "{{N}", "${N}", "a{b", "{N}{P}",
        "{{{ranks:xeon}}}",   ""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char **words = NULL;
        assert_int_equal(mt_template_add(&words, texts[i], NULL), MT_OK);
        expect(words[0], texts[i]);
        mt_argv_free(words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills_expressions),
        cmocka_unit_test(writes_numbers_that_programs_read),
        cmocka_unit_test(fills_what_groups_have),
        cmocka_unit_test(fills_weights),
        cmocka_unit_test(leaves_other_braces_alone),
        cmocka_unit_test(takes_doubled_braces_for_text),
        cmocka_unit_test(fills_json),
        cmocka_unit_test(fills_a_dictionary_of_openfoam),
        cmocka_unit_test(tells_what_a_text_depends_on),
        cmocka_unit_test(refuses_what_does_not_parse),
        cmocka_unit_test(refuses_what_has_no_value),
        cmocka_unit_test(refuses_what_grows_without_end),
        cmocka_unit_test(adds_words_that_are_the_text_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
