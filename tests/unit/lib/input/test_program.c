/* SPDX-License-Identifier: BSD-3-Clause */
#include "broken.h"
#include "lib/expr/internal.h"
#include "lib/input/internal.h"

static const char file[] = "name: lu\n"
                           "command: [lu, --size, '{N}', '--ranks={P}', '{}']\n"
                           "simulated: [lu, --model-only, --size, '{N}']\n"
                           "time: {match: '^time ([0-9.eE+-]+) s'}\n"
                           "sizes:\n"
                           "  measure: [400, 800, 1600]\n"
                           "  plan: [3200, 6400]\n"
                           "work: 2/3*N^3\n"
                           "memory: 8*N^2/P + 1\n"
                           "valid: N >= P && P < 100\n"
                           "split: P % 3 == 0\n"
                           "surface:\n"
                           "  steps: N^3/P\n"
                           "  working_set: 8*N^2/P\n"
                           "  imbalance: P*ceil(N/P)/N\n"
                           "  messages: P - 1\n"
                           "  bytes: 8*N\n"
                           "terms:\n"
                           "  n-t: N^3, 1\n"
                           "  p-t: T/P, P\n"
                           "  np-t: N^3/P, N^2, 1\n"
                           "repeat: 3\n"
                           "timeout: 10 min\n";

static const char shortest_file[] = "name: jacobi\n"
                                    "command: [jacobi, '{N}']\n"
                                    "time: wall\n"
                                    "sizes: {measure: [100]}\n";

static void load(struct mt_program *program, const char *text)
{
    struct mt_error err = {0};
    const char *path = write_text(text);
    int status = mt_program_load(program, path, &err);
    unlink(path);
    assert_string_equal(err.text, "");
    assert_int_equal(status, MT_OK);
    assert_string_equal(program->path, path);
}

static void reads_every_key(void **state)
{
    (void)state;
    struct mt_program program = {0};
    load(&program, file);
    assert_string_equal(program.name, "lu");
    assert_string_equal(program.command[3], "--ranks={P}");
    assert_string_equal(program.command[4], "{}");
    assert_null(program.command[5]);
    assert_string_equal(program.simulated[1], "--model-only");
    assert_null(program.simulated[4]);
    assert_string_equal(program.time_match, "^time ([0-9.eE+-]+) s");
    assert_int_equal(program.nmeasure_sizes, 3);
    assert_close(program.measure_sizes[2], 1600.0, 0);
    assert_int_equal(program.nplan_sizes, 2);
    assert_close(program.plan_sizes[1], 6400.0, 0);
    assert_string_equal(mt_expr_text(program.work), "2/3*N^3");
    assert_string_equal(mt_expr_text(program.split), "P % 3 == 0");
    assert_int_equal(mt_terms_count(program.terms_nt), 2);
    assert_int_equal(mt_terms_count(program.terms_pt), 2);
    assert_int_equal(mt_terms_count(program.terms_npt), 3);
    assert_int_equal(program.repeat, 3);
    assert_close(program.timeout, 600.0, 1e-15);
    mt_program_clear(&program);
    assert_null(program.command);
}

static void reads_what_a_run_needs(void **state)
{
    (void)state;
    struct mt_program program = {0};
    load(&program, "name: a\ncommand: [a]\ntime: {match: '(.*)', file: out/log}\n"
                   "sizes: {measure: [1, 2]}\n"
                   "input:\n  - {file: in/a.dat, content: 'n={N}'}\n"
                   "  - file: b\n    content: |\n      {\n      }\n"
                   "env: {A: '{P}', B_2: ''}\n"
                   "prepare: [[mesh, '{N}'], [cut]]\ncleanup: [[rm, -f, x]]\n");
    assert_true(mt_program_has_folder(&program));
    assert_string_equal(program.result_file, "out/log");
    assert_int_equal(program.ninputs, 2);
    assert_string_equal(program.inputs[0].file, "in/a.dat");
    assert_null(program.inputs[0].source);
    assert_string_equal(program.inputs[0].content, "n={N}");
    assert_string_equal(program.inputs[1].content, "{\n}\n");
    assert_string_equal(program.env[0], "A={P}");
    assert_string_equal(program.env[1], "B_2=");
    assert_null(program.env[2]);
    assert_int_equal(program.nprepare, 2);
    assert_string_equal(program.prepare[0][1], "{N}");
    assert_string_equal(program.prepare[1][0], "cut");
    assert_null(program.prepare[1][1]);
    assert_int_equal(program.ncleanup, 1);
    assert_string_equal(program.cleanup[0][2], "x");
    mt_program_clear(&program);
    assert_null(program.inputs);
    load(&program, "name: a\ncommand: [a]\ntime: wall\nsizes: {measure: [1, 2]}\n"
                   "workdir: cases/{N}\n");
    assert_true(mt_program_has_folder(&program));
    assert_string_equal(program.workdir, "cases/{N}");
    mt_program_clear(&program);
}

static void has_defaults(void **state)
{
    (void)state;
    struct mt_program program = {0};
    load(&program, shortest_file);
    assert_false(mt_program_has_folder(&program));
    assert_null(program.simulated);
    assert_null(program.time_match);
    assert_int_equal(program.nplan_sizes, 0);
    assert_int_equal(program.repeat, 1);
    assert_close(program.timeout, 3600.0, 0);
    assert_true(mt_program_valid(&program, 1, 1000));
    assert_close(mt_program_memory(&program, 100, 1, 1), 0.0, 0);
    assert_close(mt_program_work(&program, 100, 1), 0.0, 0);
    mt_program_clear(&program);
}

/* Valid values of `threads`, and their meaning. */
static void reads_threads(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int count, numbers[6];
    } cases[] = {
        {"4", 1, {4}},
        {"1-16", 5, {1, 2, 4, 8, 16}},
        {"3-12", 4, {3, 4, 8, 12}},
        {"[6, 1]", 2, {1, 6}},
        {"2-2", 1, {2}},
        {"1-3", 3, {1, 2, 3}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mt_program program = {0};
        char text[256];
        snprintf(text, sizeof text, "%sthreads: %s\n", shortest_file, cases[i].text);
        load(&program, text);
        assert_int_equal(program.nthreads, cases[i].count);
        assert_memory_equal(program.threads, cases[i].numbers,
                            (size_t)cases[i].count * sizeof(int));
        mt_program_clear(&program);
    }
}

static void answers_from_its_expressions(void **state)
{
    (void)state;
    struct mt_program program = {0};
    load(&program, file);
    assert_close(mt_program_work(&program, 300, 1), 18e6, 1e-14);
    assert_close(mt_program_memory(&program, 100, 4, 2), 20001.0, 1e-14);
    assert_true(mt_program_valid(&program, 10, 10));
    assert_false(mt_program_valid(&program, 10, 11));
    mt_program_clear(&program);
}

static void knows_the_shape_of_its_surface(void **state)
{
    (void)state;
    struct mt_program program = {0};
    struct mt_demand demand = {0};
    load(&program, file);
    assert_int_equal(mt_shape_demand(&demand, &program.shape, 100, 8, NULL), MT_OK);
    assert_close(demand.steps, 1e6 / 8 * 1.04, 1e-14); /* 13 rows instead of 12.5 */
    assert_close(demand.working_set, 1e4, 1e-14);
    assert_close(demand.messages, 7.0, 0);
    assert_close(demand.bytes, 800.0, 0);
    assert_string_equal(mt_expr_text(program.shape.work), "2/3*N^3");
    assert_string_equal(mt_expr_text(program.shape.memory), "8*N^2/P + 1");
    assert_false(mt_shape_valid(&program.shape, 200, 100));
    mt_program_clear(&program);
    assert_null(program.shape.work);
}

/* Without the key `surface` the shape follows from the other keys. */
static void has_a_shape_without_a_surface(void **state)
{
    (void)state;
    struct mt_program program = {0};
    load(&program, "name: a\ncommand: [a]\ntime: wall\nsizes: {measure: [100]}\n"
                   "work: N^2\nmemory: N*M\n");
    assert_string_equal(mt_expr_text(program.shape.work), "N^2");
    assert_string_equal(mt_expr_text(program.shape.memory), "N*M");
    assert_null(program.shape.valid);
    assert_null(program.shape.steps);
    mt_program_clear(&program);
}

/* Where `valid` does not hold the other expressions need no values. */
static void needs_values_only_where_it_may_run(void **state)
{
    (void)state;
    struct mt_program program = {0};
    load(&program, "name: a\ncommand: [a]\ntime: wall\nsizes: {measure: [100]}\n"
                   "valid: P > 1\nmemory: N/(P-1)\nsplit: log(P - 1) > 2\n");
    assert_false(mt_program_valid(&program, 100, 1));
    mt_program_clear(&program);
}

/* Files are checked up to P = 256; beyond it nothing fits and nothing is valid. */
static void is_careful_beyond_what_was_checked(void **state)
{
    (void)state;
    struct mt_program program = {0};
    load(&program, "name: a\ncommand: [a]\ntime: wall\nsizes: {measure: [100]}\n"
                   "valid: 1/(300-P) > 0\nmemory: 1e9/(400-P)\n");
    assert_true(mt_program_valid(&program, 100, 299));
    assert_false(mt_program_valid(&program, 100, 300));
    assert_true(isinf(mt_program_memory(&program, 100, 400, 1)));
    mt_program_clear(&program);
}

static int load_program(const char *path, struct mt_error *err)
{
    struct mt_program program = {0};
    const int status = mt_program_load(&program, path, err);
    assert_null(program.name); /* unchanged */
    assert_null(program.path);
    return status;
}

static void refuses_broken_files(void **state)
{
    (void)state;
    static const struct broken cases[] = {
        {"work:", "wrok:", ":8: unknown key 'wrok'; did you mean 'work'?"},
        {"  np-t:", "  auto:", ":21: unknown key 'auto' in 'terms'"},
        {"name: lu\n", "", ":1: missing key 'name'"},
        {"command: [lu, --size, '{N}', '--ranks={P}', '{}']\n", "",
         ":1: missing key 'command'"},
        {"'--ranks={P}'", "'--ranks={T}'",
         ":2: entry 4 of 'command': unknown placeholder '{T}'"},
        {"--model-only", "'{N}{n}'",
         ":3: entry 2 of 'simulated': unknown placeholder '{n}'"},
        {"--size, '{N}', '--ranks", "'--ranks",
         ":2: 'command' has no placeholder that depends on N: "},
        {"--size, '{N}']", "'{ranks:N}']",
         ":3: 'simulated' has no placeholder that depends on N: "},
        {"[lu, --size", "['', --size", ":2: 'command' begins with an empty word"},
        {"time: {match: '^time ([0-9.eE+-]+) s'}\n", "",
         ":1: missing key 'time': wall or {match: PATTERN}"},
        {"{match: '^time ([0-9.eE+-]+) s'}", "cpu",
         ":4: 'time' must be wall or {match: PATTERN}, not 'cpu'"},
        {"{match: '^time ([0-9.eE+-]+) s'}", "[wall]",
         ":4: 'time' must be wall or {match: PATTERN}, not a list"},
        {"{match: '^time ([0-9.eE+-]+) s'}", "{}", ":4: missing key 'match' in 'time'"},
        {"match:", "mach:", ":4: unknown key 'mach' in 'time'; did you mean 'match'?"},
        {"^time (", "^time ((",
         ":4: 'match': the pattern '^time (([0-9.eE+-]+) s' does "},
        {"([0-9.eE+-]+)", "[0-9.eE+-]+", ":4: 'match': the pattern "},
        {"+) s'", "+) s', unit: sec",
         ":4: 'unit' of 'time' must be one of s, ms, us, ns, min, h, not 'sec'"},
        {"time: {match: '^time ([0-9.eE+-]+) s'}",
         "time: wall\nrate: {match: '(.*) f', unit: f}",
         ":5: there is 'time' as well as 'rate'"},
        {"time: {match: '^time ([0-9.eE+-]+) s'}", "rate: {match: '(.*) f', unit: Gf}",
         ":4: 'unit' of 'rate' must be a unit as GFLOPS, Mop/s or MB/s, not 'Gf'"},
        {"time: {match: '^time ([0-9.eE+-]+) s'}", "rate: {match: 'f', unit: GFLOPS}",
         ":4: 'match': the pattern 'f' has no group"},
        {"time: {match: '^time ([0-9.eE+-]+) s'}",
         "rate: {match: '(f)', unit: GFLOPS, work: M}",
         ":4: 'work' of 'rate' cannot depend on M"},
        {"  measure: [400, 800, 1600]\n", "", ":6: missing key 'measure' in 'sizes'"},
        {"[400, 800, 1600]", "[]", ":6: 'measure' of 'sizes' is empty"},
        {"[400, 800, 1600]", "[400, 1600, 800]",
         ":6: sizes in 'measure' must grow: 800 after 1600"},
        {"[3200, 6400]", "[3200,\n    3200]",
         ":8: sizes in 'plan' must grow: 3200 after 3200"},
        {"[400,", "[0,",
         ":6: entry 1 of 'measure' of 'sizes' must be more than 0, not 0"},
        {"[400,", "[-1,", "must be more than 0, not -1"},
        {"2/3*N^3", "2/3*", ":8: 'work': "},
        {"2/3*N^3", "2/3*Q", ":8: 'work': "},
        {"2/3*N^3", "N/P", ":8: 'work' cannot depend on P"},
        {"2/3*N^3", "N/(1600-N)", ":8: 'work' has no value at N = 1600"},
        {"2/3*N^3", "N-800", ":8: 'work' is negative at N = 400"},
        {"2/3*N^3", "0*N", ":8: 'work' is 0 at every size in 'sizes'"},
        {"8*N^2/P", "T", ":9: 'memory' cannot depend on T"},
        {"8*N^2/P", "N/(P-7)^2", ":9: 'memory' has no value at N = 400, P = 7, M = 1"},
        {"8*N^2/P", "N/(M-2)^2", ":9: 'memory' has no value at N = 400, P = 2, M = 2"},
        {"8*N^2/P", "N/(3200-N)",
         ":9: 'memory' has no value at N = 3200, P = 1, M = 1"},
        {"8*N^2/P", "10*(P-2)", ":9: 'memory' is negative at N = 400, P = 1, M = 1"},
        {"N >= P", "N >= M", ":10: 'valid' cannot depend on M"},
        {"N >= P &&", "1/(P-200) < 1 ||",
         ":10: 'valid' has no value at N = 400, P = 200"},
        {"P % 3", "P % (P-3)", ":11: 'split' has no value at N = 400, P = 3"},
        {"P % 3", "P % M", ":11: 'split' cannot depend on M"},
        {"  imbalance:", "  balance:", ":15: unknown key 'balance' in 'surface'"},
        {"steps: N^3/P", "steps: N^3/M",
         ":13: 'steps' of 'surface' cannot depend on M"},
        {"steps: N^3/P", "steps: N^3/(P-8)^2",
         ":13: 'steps' of 'surface' has no value at N = 400, P = 8"},
        {"set: 8*N^2/P", "set: 8*", ":14: 'working_set' of 'surface': "},
        {"P*ceil(N/P)/N", "P - 3",
         ":15: 'imbalance' of 'surface' is negative at N = 400, P = 1"},
        {"messages: P - 1", "messages: T",
         ":16: 'messages' of 'surface' cannot depend on T"},
        {"messages: P - 1", "messages: P - 4",
         ":16: 'messages' of 'surface' is negative at N = 400, P = 1"},
        {"  messages: P - 1\n", "", ":13: 'surface' has 'bytes' but not 'messages'"},
        {"  bytes: 8*N\n", "", ":13: 'surface' has 'messages' but not 'bytes'"},
        {"  messages: P - 1\n  bytes: 8*N\n", "  mean_bytes: 8\n",
         ":16: 'mean_bytes' needs the key 'bytes'"},
        {"work: 2/3*N^3\n", "", ":12: 'surface' needs the key 'work'"},
        {"8*N^2/P", "8*N^2*M",
         ":9: 'memory' cannot depend on M where 'surface' is given"},
        {"n-t: N^3", "n-t: P", ":19: 'n-t' of 'terms' cannot depend on P"},
        {"n-t: N^3", "n-t: N^3,", ":19: 'n-t' of 'terms': "},
        {"p-t: T/P", "p-t: N/P", ":20: 'p-t' of 'terms' cannot depend on N"},
        {"p-t: T/P", "p-t: T/(P-1)",
         ":20: 'p-t' of 'terms' has no value at N = 400, P = 1"},
        {"np-t: N^3/P", "np-t: N^3/T", ":21: 'np-t' of 'terms' cannot depend on T"},
        {"repeat: 3", "threads: 0",
         ":22: 'threads' must be a whole number from 1 to 4096, a list of them, or a "
         "range as 1-16, not '0'"},
        {"repeat: 3", "threads: 8-4", "a range as 1-16, not '8-4'"},
        {"repeat: 3", "threads: 1-4097", "a range as 1-16, not '1-4097'"},
        {"repeat: 3", "threads: 1-16x", "a range as 1-16, not '1-16x'"},
        {"repeat: 3", "threads: {a: 1}", "a range as 1-16, not a map"},
        {"repeat: 3", "threads: [1, 5000]",
         ":22: entry 2 of 'threads' must be from 1 to 4096, not 5000"},
        {"repeat: 3", "threads: [2, 2]", ":22: 2 comes twice in 'threads'"},
        {"repeat: 3", "repeat: 0", ":22: 'repeat' must be at least 1, not 0"},
        {"10 min", "600", ":23: 'timeout': "},
        {"10 min", "0 s", ":23: 'timeout' must be more than 0, not '0 s'"},
    };
    CHECK_BROKEN(load_program, file, cases);
}

static void expect_refusal(const char *text, const char *reason)
{
    struct mt_program program = {0};
    struct mt_error err = {0};
    const char *path = write_text(text);
    assert_int_equal(mt_program_load(&program, path, &err), MT_EINVAL);
    unlink(path);
    assert_contains(err.text, reason);
}

/* Files of a few kilobytes that would take very much time or memory. */
static void refuses_what_takes_too_much(void **state)
{
    (void)state;
    static const char head[] =
        "name: a\ncommand: [a, '{N}']\ntime: wall\nsizes: {measure: [";
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    fputs(head, stream);
    for (int i = 1; i < 1000; i++)
        fprintf(stream, "%d,", i);
    fputs("1000]}\nmemory: N", stream);
    for (int i = 0; i < 500; i++)
        fputs("+M*P", stream);
    fputs("\n", stream);
    fclose(stream);
    expect_refusal(
        text, ":5: 'memory': the formulas are too long to be checked at 1000 sizes");
    free(text);

    stream = open_memstream(&text, &length);
    assert_non_null(stream);
    fprintf(stream, "name: a\ncommand: [a, &a %0*d", 1000, 0);
    for (int i = 0; i < 200; i++)
        fputs(", *a", stream);
    fputs("]\ntime: wall\nsizes: {measure: [1]}\n", stream);
    fclose(stream);
    expect_refusal(text, ":2: 'command' has more than 100000 characters");
    free(text);
    expect_refusal(
        "name: a\ncommand: [a]\ntime: {match: '((((a{255}){255}){255}){255})'}\n"
        "sizes: {measure: [1]}\n",
        ":3: 'match': the pattern '((((a{255}){255}){255}){255})' is refused: ");
}

static void reads_times_in_their_unit(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"s", 1},     {"ms", 1e-3}, {"us", 1e-6},
                 {"ns", 1e-9}, {"min", 60},  {"h", 3600}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        struct mt_program program = {0};
        char text[256];
        snprintf(text, sizeof text,
                 "name: a\ncommand: [a]\ntime: {match: '(.*)', unit: %s}\n"
                 "sizes: {measure: [100]}\n",
                 units[i].unit);
        load(&program, text);
        assert_string_equal(mt_program_pattern(&program), "(.*)");
        assert_close(mt_program_seconds(&program, 3, 100, 1), 3 * units[i].seconds,
                     1e-15);
        mt_program_clear(&program);
    }
}

static void reads_rates_of_its_work(void **state)
{
    (void)state;
    struct mt_program program = {0};
    load(&program,
         "name: a\ncommand: [a]\nwork: N^3\n"
         "rate: {match: 'GFLOPS (.*)', unit: GFLOPS}\nsizes: {measure: [100]}\n");
    assert_string_equal(mt_program_pattern(&program), "GFLOPS (.*)");
    assert_close(mt_program_seconds(&program, 2, 1000, 4), 0.5, 1e-15);
    mt_program_clear(&program);
    load(&program, "name: a\ncommand: [a]\nwork: N^3\nsizes: {measure: [100]}\n"
                   "rate: {match: '(.*) MiB/s', unit: MiB/s, work: 1024*N*P}\n");
    assert_close(mt_program_seconds(&program, 4, 1024, 8), 2.0, 1e-15);
    mt_program_clear(&program);
}

static void sets_the_number_of_threads_once(void **state)
{
    (void)state;
    static const char alone[] = "name: a\ncommand: [a]\ntime: wall\n"
                                "env: {OMP_NUM_THREADS: '2', OMP_PLACES: cores}\n"
                                "sizes: {measure: [100]}\n";
    struct mt_program program = {0};
    struct mt_error err = {0};
    char text[256];
    load(&program, alone);
    mt_program_clear(&program);
    snprintf(text, sizeof text, "%sthreads: [1, 2]\n", alone);
    const char *path = write_text(text);
    assert_int_equal(mt_program_load(&program, path, &err), MT_EINVAL);
    unlink(path);
    assert_contains(err.text, ":4: 'env' has OMP_NUM_THREADS, which 'threads' sets");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_takes_too_much),
        cmocka_unit_test(reads_times_in_their_unit),
        cmocka_unit_test(reads_rates_of_its_work),
        cmocka_unit_test(reads_every_key),
        cmocka_unit_test(reads_what_a_run_needs),
        cmocka_unit_test(has_defaults),
        cmocka_unit_test(reads_threads),
        cmocka_unit_test(sets_the_number_of_threads_once),
        cmocka_unit_test(answers_from_its_expressions),
        cmocka_unit_test(knows_the_shape_of_its_surface),
        cmocka_unit_test(has_a_shape_without_a_surface),
        cmocka_unit_test(needs_values_only_where_it_may_run),
        cmocka_unit_test(is_careful_beyond_what_was_checked),
        cmocka_unit_test(refuses_broken_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
