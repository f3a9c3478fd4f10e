/* SPDX-License-Identifier: BSD-3-Clause */
/* One table with each type of key, and errors in its values. The keys of clusters,
   programs and machines have tests of their own. */
#include "lib/expr/internal.h"
#include "lib/yaml/yaml_read.h"

#include "broken.h"
#include "lib/base/argv.h"

struct part {
    char *name;
    double weight;
    int *counts;
    int ncounts;
    struct mt_expr *cost;
};

struct thing {
    char *name;
    int nodes;
    double price;
    double memory;
    bool fast;
    int color;
    char **command;
    struct mt_expr *work;
    struct mt_terms *terms;
    struct part *parts;
    int nparts;
    double sizes[3];
    int nsizes;
    struct {
        double latency;
    } link;
    char *pattern;
};

static const char *color(int index)
{
    static const char *const names[] = {"red", "green", "blue", NULL};
    return names[index];
}

static const struct mt_yaml_range at_least_1 = {1, 100, "from 1 to 100"};
static const char *const placeholders[] = {"{N}", "{P}", NULL};
static const struct mt_yaml_list counts = {
    .entry = {.type = MT_YAML_INTEGER, .range = &at_least_1},
    .least = 1,
    .most = 4,
    .size = sizeof(int),
    .count = offsetof(struct part, ncounts),
};
static const struct mt_yaml_key part_keys[] = {
    {"name", "", MT_YAML_TEXT, .offset = offsetof(struct part, name), .required = true},
    {"weight", "", MT_YAML_NUMBER, .offset = offsetof(struct part, weight),
     .otherwise = 2.5},
    {"counts", "", MT_YAML_LIST, .offset = offsetof(struct part, counts),
     .list = &counts},
    {"cost", "", MT_YAML_EXPRESSION, .offset = offsetof(struct part, cost),
     .variables = MT_USES_N, .counts = true},
    {0},
};
static const struct mt_yaml_list parts = {
    .entry = {.type = MT_YAML_MAP, .keys = part_keys},
    .most = 3,
    .size = sizeof(struct part),
    .count = offsetof(struct thing, nparts),
};
static const struct mt_yaml_list sizes = {
    .entry = {.type = MT_YAML_NUMBER},
    .least = 2,
    .most = 3,
    .size = sizeof(double),
    .count = offsetof(struct thing, nsizes),
    .in_place = true,
};
static const struct mt_yaml_key link_keys[] = {
    {"latency", "", MT_YAML_QUANTITY, .required = true, .unit = MT_SECONDS},
    {0},
};
static const struct mt_yaml_key time_keys[] = {
    {"match", "", MT_YAML_TEXT, .offset = offsetof(struct thing, pattern),
     .required = true},
    {0},
};
static const struct mt_yaml_key keys[] = {
    {"name", "", MT_YAML_TEXT, .offset = offsetof(struct thing, name),
     .required = true},
    {"note", "", MT_YAML_TEXT, .offset = MT_YAML_NOWHERE},
    {"nodes", "", MT_YAML_INTEGER, .offset = offsetof(struct thing, nodes),
     .range = &at_least_1, .otherwise = 7},
    {"price", "", MT_YAML_NUMBER, .offset = offsetof(struct thing, price)},
    {"memory", "", MT_YAML_QUANTITY, .offset = offsetof(struct thing, memory),
     .unit = MT_BYTES, .otherwise = 512},
    {"fast", "", MT_YAML_EITHER, .offset = offsetof(struct thing, fast),
     .either = {"no", "yes"}, .yes = "yes"},
    {"color", "", MT_YAML_CHOICE, .offset = offsetof(struct thing, color),
     .required = true, .choice = color},
    {"command", "", MT_YAML_ARGV, .offset = offsetof(struct thing, command),
     .placeholders = placeholders},
    {"work", "", MT_YAML_EXPRESSION, .offset = offsetof(struct thing, work),
     .variables = MT_USES_N},
    {"terms", "", MT_YAML_EXPRESSIONS, .offset = offsetof(struct thing, terms),
     .variables = MT_USES_N | MT_USES_P},
    {"parts", "", MT_YAML_LIST, .offset = offsetof(struct thing, parts),
     .list = &parts},
    {"sizes", "", MT_YAML_LIST, .offset = offsetof(struct thing, sizes),
     .list = &sizes},
    {"link", "", MT_YAML_MAP, .offset = offsetof(struct thing, link),
     .keys = link_keys},
    {"time", "", MT_YAML_MAP, .keys = time_keys, .word = "wall",
     .form = "wall or {match: PATTERN}"},
    {0},
};

static const char file[] = "name: a\n"
                           "note: not kept\n"
                           "nodes: 12\n"
                           "price: -0.5\n"
                           "memory: 2 KiB\n"
                           "fast: yes\n"
                           "color: green\n"
                           "command: [run, '{N}', '', '{}']\n"
                           "work: N^2\n"
                           "terms: N/P, 1\n"
                           "parts:\n"
                           "  - {name: first, counts: [3, 4], cost: 5*N}\n"
                           "  - {name: second, weight: 1e3}\n"
                           "sizes: [10, 20]\n"
                           "link: {latency: 3 us}\n"
                           "time: {match: x}\n";

static void thing_clear(struct thing *thing)
{
    for (int i = 0; i < thing->nparts; i++) {
        free(thing->parts[i].name);
        free(thing->parts[i].counts);
        mt_expr_free(thing->parts[i].cost);
    }
    free(thing->parts);
    mt_terms_free(thing->terms);
    mt_expr_free(thing->work);
    mt_argv_free(thing->command);
    free(thing->pattern);
    free(thing->name);
}

static int read_thing(struct thing *thing, const char *path, struct mt_error *err)
{
    struct mt_yaml *yaml = NULL;
    int status = mt_yaml_open(&yaml, path, err);
    if (status == MT_OK)
        status = mt_yaml_read(thing, yaml, keys, err);
    mt_yaml_close(yaml);
    return status;
}

static int load(const char *path, struct mt_error *err)
{
    struct thing thing = {0};
    const int status = read_thing(&thing, path, err);
    thing_clear(&thing);
    return status;
}

static void read_text(struct thing *thing, const char *text)
{
    struct mt_error err = {0};
    const char *path = write_text(text);
    if (read_thing(thing, path, &err) != MT_OK)
        fail_msg("%s", err.text);
    unlink(path);
}

static void reads_each_type(void **state)
{
    (void)state;
    struct thing thing = {0};
    read_text(&thing, file);
    assert_string_equal(thing.name, "a");
    assert_int_equal(thing.nodes, 12);
    assert_close(thing.price, -0.5, 0);
    assert_close(thing.memory, 2048.0, 0);
    assert_true(thing.fast);
    assert_int_equal(thing.color, 1);
    assert_string_equal(thing.command[1], "{N}");
    assert_string_equal(thing.command[2], "");
    assert_null(thing.command[4]);
    assert_string_equal(mt_expr_text(thing.work), "N^2");
    assert_int_equal(mt_terms_count(thing.terms), 2);
    assert_int_equal(thing.nparts, 2);
    assert_string_equal(thing.parts[0].name, "first");
    assert_int_equal(thing.parts[0].ncounts, 2);
    assert_int_equal(thing.parts[0].counts[1], 4);
    assert_string_equal(mt_expr_text(thing.parts[0].cost), "5*N");
    assert_close(thing.parts[1].weight, 1000.0, 0);
    assert_int_equal(thing.nsizes, 2);
    assert_close(thing.sizes[1], 20.0, 0);
    assert_close(thing.link.latency, 3e-6, 1e-15);
    assert_string_equal(thing.pattern, "x");
    thing_clear(&thing);
}

static void has_defaults(void **state)
{
    (void)state;
    struct thing thing = {0};
    read_text(&thing, "name: a\ncolor: red\ntime: wall\nparts: [{name: x}]\n");
    assert_int_equal(thing.nodes, 7);
    assert_close(thing.memory, 512.0, 0);
    assert_close(thing.price, 0.0, 0);
    assert_false(thing.fast);
    assert_null(thing.pattern);
    assert_close(thing.parts[0].weight, 2.5, 0);
    thing_clear(&thing);
}

static void a_list_may_be_empty(void **state)
{
    (void)state;
    struct thing thing = {0};
    read_text(&thing, "name: a\ncolor: red\nparts: []\n");
    assert_int_equal(thing.nparts, 0);
    assert_null(thing.parts);
    thing_clear(&thing);
}

static void refuses_broken_keys(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"price:", "prize:", ":4: unknown key 'prize'; did you mean 'price'?"},
        {"price:", "wizard:", ":4: unknown key 'wizard'"},
        {"price:", "a-key-that-is-longer-than-thirty-one-letters:", ":4: unknown key"},
        {"counts:", "count:", ":12: unknown key 'count' in part 'first'; did you mean"},
        {"latency:", "latenzy:", ":15: unknown key 'latenzy' in 'link'; did you mean"},
        {"price:", "name:", ":4: key 'name' comes twice"},
        {"weight:", "name:", ":13: key 'name' comes twice in part 'second'"},
        {"price:", "? [a]\n:", ":4: a key that is not a word"},
        {"name: a\n", "", ":1: missing key 'name'"},
        {"name: second, ", "", ":13: missing key 'name' in entry 2 of 'parts'"},
        {"latency: 3 us", "", ":15: missing key 'latency' in 'link'"},
        {"color: green\n", "", ":1: missing key 'color': one of red, green, blue"},
        {"match: x", "", ":16: missing key 'match' in 'time'"},
        {NULL, "- name\n", ":1: the file must be a map of keys and values, not a list"},
        {NULL, "name\n", ":1: the file must be a map of keys and values, not a single"},
        {NULL, "name: a\ncolor: red\nparts: &p [*p]\n",
         ":3: entry 1 of 'parts' must be a map of keys and values, not a list"},
    };
    CHECK_BROKEN(load, file, cases);
}

static void refuses_values_of_other_types(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"name: a\n", "name:\n", ":1: 'name' has no value"},
        {"name: a\n", "name: ''\n", ":1: 'name' has no value"},
        {"name: a\n", "name: [a]\n", ":1: 'name' must be a single value, not a list"},
        {"not kept", "{a: b}", ":2: 'note' must be a single value, not a map of keys"},
        {"[3, 4]", "3", ":12: 'counts' of part 'first' must be a list, not a single"},
        {"[3, 4]", "[3, [4]]",
         ":12: entry 2 of 'counts' of part 'first' must be a single value, not a list"},
        {"[3, 4]", "[3, '']", ":12: entry 2 of 'counts' of part 'first' has no value"},
        {"{latency: 3 us}", "3 us",
         ":15: 'link' must be a map of keys and values, not"},
        {"{latency: 3 us}", "", ":15: 'link' has no value"},
        {"12", "12.5", ":3: 'nodes' must be a whole number, not '12.5'"},
        {"12", "012", ":3: 'nodes' must be a whole number, not '012'"},
        {"12", "0x12", ":3: 'nodes' must be a whole number"},
        {"12", "twelve", ":3: 'nodes' must be a whole number, not 'twelve'"},
        {"12", "99999999999", ":3: 'nodes' is out of range: '99999999999'"},
        {"12", "99999999999999999999999", ":3: 'nodes' is out of range"},
        {"-0.5", "cheap", ":4: 'price' must be a number, not 'cheap'"},
        {"-0.5", "nan", ":4: 'price' must be a number, not 'nan'"},
        {"-0.5", "1e999", ":4: 'price' must be a number, not '1e999'"},
        {"2 KiB", "2048", ":5: 'memory': a unit is missing: '2048' (units: B kB"},
        {"2 KiB", "2 s", ":5: 'memory': unknown unit 's'"},
        {"2 KiB", "-2 KiB", ":5: 'memory': not a positive number with a unit"},
        {"fast: yes", "fast: true", ":6: 'fast' must be no or yes, not 'true'"},
        {"green", "pink", ":7: 'color' must be one of red, green, blue, not 'pink'"},
        {"[run, '{N}', '', '{}']", "run", ":8: 'command' must be a list, not a single"},
        {"[run,", "[[run],", ":8: entry 1 of 'command' must be a single value"},
        {"{match: x}", "cpu",
         ":16: 'time' must be wall or {match: PATTERN}, not 'cpu'"},
        {"{match: x}", "[wall]",
         ":16: 'time' must be wall or {match: PATTERN}, not a list"},
    };
    CHECK_BROKEN(load, file, cases);
}

static void refuses_values_out_of_range(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"12", "0", ":3: 'nodes' must be from 1 to 100, not 0"},
        {"12", "-12", ":3: 'nodes' must be from 1 to 100, not -12"},
        {"12", "101", ":3: 'nodes' must be from 1 to 100, not 101"},
        {"[3, 4]", "[3, 0]",
         ":12: entry 2 of 'counts' of part 'first' must be from 1 to 100, not 0"},
        {"2 KiB", "0 KiB", ":5: 'memory' must be more than 0, not '0 KiB'"},
        {"[3, 4]", "[]", ":12: 'counts' of part 'first' is empty"},
        {"[3, 4]", "[1, 2, 3, 4, 5]",
         ":12: 'counts' of part 'first' has 5 entries, more than 4"},
        {"[10, 20]", "[10]", ":14: 'sizes' has 1 entry, fewer than 2"},
        {"[10, 20]", "[1, 2, 3, 4]", ":14: 'sizes' has 4 entries, more than 3"},
        {"[run, '{N}', '', '{}']", "[]", ":8: 'command' is empty"},
        {"run, ", "'', ", ":8: 'command' begins with an empty word"},
        {"'{N}'", "'x={ranks}'", ":8: unknown placeholder '{ranks}' in 'command'"},
        {"'{N}'", "'{N}{n}'", ":8: unknown placeholder '{n}' in 'command'"},
    };
    CHECK_BROKEN(load, file, cases);
}

static void refuses_broken_expressions(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"N^2", "N^", ":9: 'work': the text ends at column 3"},
        {"N^2", "N/P", ":9: 'work' cannot depend on P"},
        {"N/P, 1", "N/P,", ":10: 'terms': "},
        {"N/P, 1", "N/P, T", ":10: 'terms' cannot depend on T"},
        {"5*N", "5*P", ":12: 'cost' of part 'first' cannot depend on P"},
    };
    CHECK_BROKEN(load, file, cases);
}

/* The thing of the context has the part that is visited; all values are checked. */
static int check_formula(const struct mt_formula *formula, void *object,
                         const void *context, struct mt_error *err)
{
    const struct thing *thing = context;
    const double values[MT_NVARIABLES] = {[MT_N] = 4, [MT_P] = 2};
    double row[2];
    assert_ptr_equal(object, formula->expr == &thing->parts[0].cost
                                 ? (const void *)&thing->parts[0]
                                 : (const void *)thing);
    return mt_formula_check(formula, values, row, err);
}

static void visits_all_expressions(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"N^2", "N^2", ""},
        {"N^2", "1/(N-4)", ":9: 'work' has no value at N = 4"},
        {"N/P, 1", "1, log(P-2)", ":10: 'terms' has no value at N = 4, P = 2"},
        {"5*N", "3-N", ":12: 'cost' of part 'first' is negative at N = 4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = replaced(file, &cases[i]);
        const char *path = write_text(text);
        struct mt_yaml *yaml = NULL;
        struct mt_error err = {0};
        struct thing thing = {0};
        assert_int_equal(mt_yaml_open(&yaml, path, &err), MT_OK);
        assert_int_equal(mt_yaml_read(&thing, yaml, keys, &err), MT_OK);
        const int status =
            mt_yaml_visit_formulas(&thing, yaml, keys, check_formula, &thing, &err);
        assert_int_equal(status, i == 0 ? MT_OK : MT_EINVAL);
        assert_contains(err.text, cases[i].expected);
        mt_yaml_close(yaml);
        thing_clear(&thing);
        unlink(path);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_each_type),
        cmocka_unit_test(has_defaults),
        cmocka_unit_test(a_list_may_be_empty),
        cmocka_unit_test(refuses_broken_keys),
        cmocka_unit_test(refuses_values_of_other_types),
        cmocka_unit_test(refuses_values_out_of_range),
        cmocka_unit_test(refuses_broken_expressions),
        cmocka_unit_test(visits_all_expressions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
