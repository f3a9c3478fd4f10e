/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/process/output.h"

#include "tests/unit/test.h"

#define FENCE \
    "--------------------------------------------------------------------------\n"

static char *printed(const char *output)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    mt_cause_print(output, stream);
    fclose(stream);
    return text;
}

static void assert_cause(const char *output, const char *first, const char *all)
{
    char line[128], *text = printed(output);
    mt_cause_line(line, sizeof line, output);
    assert_string_equal(line, first);
    assert_string_equal(text, all);
    free(text);
}

static void ssh_that_finds_no_host(void **state)
{
    (void)state;
    assert_cause(
        "ssh: Could not resolve hostname lab01: Name or service not known\n" FENCE
        "ORTE was unable to reliably start one or more daemons.\n"
        "This usually is caused by:\n\n"
        "* not finding the required libraries and/or binaries on\n" FENCE FENCE
        "ORTE does not know how to route a message to the specified daemon\n"
        "located on the indicated node:\n\n  my node:   head\n" FENCE
        "ssh: Could not resolve hostname lab02: Name or service not known\n",
        "ssh: Could not resolve hostname lab01: Name or service not known",
        "    ssh: Could not resolve hostname lab01: Name or service not known\n"
        "    ssh: Could not resolve hostname lab02: Name or service not known\n");
    assert_cause("ssh: connect to host lab01 port 22: Connection refused\n"
                 "[mpiexec@head] HYDU_sock_write (utils/sock/sock.c:254): write error\n"
                 "[proxy:0:0@head] main (pm/pmiserv/pmip.c:169): demux engine error\n",
                 "ssh: connect to host lab01 port 22: Connection refused",
                 "    ssh: connect to host lab01 port 22: Connection refused\n");
}

static void program_in_front_of_what_its_launcher_says(void **state)
{
    (void)state;
    assert_cause(
        "cannot read 'mesh.dat'\n" FENCE
        "Primary job  terminated normally, but 1 process returned\n"
        "a non-zero exit code. Per user-direction, the job has been aborted.\n" FENCE
            FENCE "mpirun detected that one or more processes exited with non-zero "
        "status\n" FENCE,
        "cannot read 'mesh.dat'", "    cannot read 'mesh.dat'\n");
    assert_cause("srun: job 12 queued and waiting for resources\n"
                 "srun: job 12 has been allocated resources\n"
                 "mesh.dat: No such file\n"
                 "srun: error: c1: task 0: Exited with exit code 2\n",
                 "mesh.dat: No such file", "    mesh.dat: No such file\n");
    assert_cause("=================\n"
                 "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n"
                 "=   EXIT CODE: 11\n"
                 "=================\n"
                 "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)\n"
                 "This typically refers to a problem with your application.\n",
                 "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)",
                 "    YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal "
                 "9)\n");
}

static void first_lines_of_a_launchers_explanation(void **state)
{
    (void)state;
    assert_cause(FENCE "There are not enough slots available in the system to satisfy\n"
                       "the 9 slots that were requested by the application:\n\n"
                       "  ./lu\n\n"
                       "Either request fewer slots for your application, or make more\n"
                       "slots available for use.\n\n" FENCE,
                 "There are not enough slots available in the system to satisfy",
                 "    There are not enough slots available in the system to satisfy\n"
                 "    the 9 slots that were requested by the application:\n"
                 "      ./lu\n"
                 "    Either request fewer slots for your application, or make more\n");
}

static void no_backtraces(void **state)
{
    (void)state;
    assert_cause("At line 7 of file a.f90\n"
                 "Fortran runtime error: End of file\n"
                 "#0  0x7f0 in ???\n#1  0x7f1 in ???\n",
                 "At line 7 of file a.f90",
                 "    At line 7 of file a.f90\n"
                 "    Fortran runtime error: End of file\n");
    assert_cause("[x1:42] *** Process received signal ***\n"
                 "[x1:42] Signal: Segmentation fault (11)\n"
                 "[x1:42] [ 0] /lib/libc.so.6(+0x1)\n[x1:42] [10] ./lu(+0x2)\n"
                 "[x1:42] *** End of error message ***\n",
                 "[x1:42] Signal: Segmentation fault (11)",
                 "    [x1:42] Signal: Segmentation fault (11)\n");
}

static void no_backtrace_of_ucx(void **state)
{
    (void)state;
    assert_cause("[vm:22635:0:22635] Caught signal 11 (Segmentation fault: address not "
                 "mapped to object at address (nil))\n"
                 "==== backtrace (tid:  22635) ====\n"
                 " 0  /lib/libucs.so.0(ucs_handle_error+0x2dc) [0x7f64d45eae9c]\n"
                 "12  ./lu(+0x1170) [0x564c71e7f170]\n"
                 "=================================\n"
                 " 1  step (a) [0.5]\n",
                 "[vm:22635:0:22635] Caught signal 11 (Segmentation fault: address not "
                 "mapped to object at address (nil))",
                 "    [vm:22635:0:22635] Caught signal 11 (Segmentation fault: address "
                 "not mapped to object at address (nil))\n"
                 "     1  step (a) [0.5]\n");
}

static void lines_of_programs_that_look_like_backtraces(void **state)
{
    (void)state;
    static const char *const lines[] = {"[x] [1] step failed",
                                        "[error] [12.5] no convergence",
                                        "[mesh:a] [ 1] is inside out",
                                        "[2:14] [x] no node",
                                        "#1 cell has no volume",
                                        "#12",
                                        "12# of the steps failed",
                                        "1# 2# 3#",
                                        "-> 12 cells",
                                        "[x1:42] *** no convergence ***"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char output[128], all[256];
        snprintf(output, sizeof output, "%s\nlast\n", lines[i]);
        snprintf(all, sizeof all, "    %s\n    last\n", lines[i]);
        assert_cause(output, lines[i], all);
    }
    assert_cause("why\n  ->   0# simgrid::xbt::Backtrace at x.cpp:1\n  -> #1 main\n"
                 "    #0 0x4f1 in main /tmp/x.c:5:3\n",
                 "why", "    why\n");
}

static void of_many_lines_the_first_and_the_last(void **state)
{
    (void)state;
    assert_cause("1\n2\n\n3\n4\n5\n6\n", "1",
                 "    1\n    2\n    3\n    4\n    5\n    6\n");
    assert_cause("1\n2\n3\n4\n5\n6\n7", "1",
                 "    1\n    2\n    3\n    ...\n    5\n    6\n    7\n");
}

static void a_table_with_rules_is_no_explanation(void **state)
{
    (void)state;
    assert_cause("----\na\n----\n1\n2\nwrong\n", "----",
                 "    ----\n    a\n    ----\n    1\n    2\n    wrong\n");
}

/* Better than nothing. */
static void ceremony_when_there_is_nothing_else(void **state)
{
    (void)state;
    assert_cause("srun: error: c1: task 0: Exited with exit code 2\n",
                 "srun: error: c1: task 0: Exited with exit code 2",
                 "    srun: error: c1: task 0: Exited with exit code 2\n");
    assert_cause(NULL, "", "");
    assert_cause("\n \n", "", "");
}

static void long_lines_are_cut_off(void **state)
{
    (void)state;
    char line[8];
    mt_cause_line(line, sizeof line, "not enough slots");
    assert_string_equal(line, "not eno");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ssh_that_finds_no_host),
        cmocka_unit_test(program_in_front_of_what_its_launcher_says),
        cmocka_unit_test(first_lines_of_a_launchers_explanation),
        cmocka_unit_test(no_backtraces),
        cmocka_unit_test(no_backtrace_of_ucx),
        cmocka_unit_test(lines_of_programs_that_look_like_backtraces),
        cmocka_unit_test(of_many_lines_the_first_and_the_last),
        cmocka_unit_test(a_table_with_rules_is_no_explanation),
        cmocka_unit_test(ceremony_when_there_is_nothing_else),
        cmocka_unit_test(long_lines_are_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
