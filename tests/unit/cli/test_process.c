/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/process/process.h"

#include "lib/base/pattern.h"
#include "tests/unit/test.h"

#include <dirent.h>
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

static struct mt_watch watch;

static int set_up(void **state)
{
    (void)state;
    return mt_watch_begin(&watch, NULL);
}

static int tear_down(void **state)
{
    (void)state;
    mt_watch_end(&watch);
    return 0;
}

/* Start `sh -c script` and wait for its end. */
static struct mt_process *run_shell(char *script, double timeout, char *const *env)
{
    static char shell[] = "sh", option[] = "-c";
    char *const argv[] = {shell, option, script, NULL};
    struct mt_process *process = calloc(1, sizeof *process);
    assert_non_null(process);
    process->argv = argv;
    process->env = env;
    process->timeout = timeout;
    assert_int_equal(mt_process_start(process, NULL), MT_OK);
    while (!process->ended)
        assert_int_equal(mt_watch_wait(&watch, &process, 1, 60, NULL), MT_OK);
    process->argv = NULL;
    return process;
}

static void assert_printed(const struct mt_process *process, const char *expected)
{
    char *text = mt_output_text(&process->output);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static void captures_both_streams_and_the_status(void **state)
{
    (void)state;
    char script[] = "echo out; echo err >&2; exit 3";
    struct mt_process *process = run_shell(script, 0, NULL);
    assert_int_equal(process->exit_code, 3);
    assert_int_equal(process->signal, 0);
    assert_true(process->wall > 0);
    assert_printed(process, "out\nerr\n");
    free(process);
}

static void has_no_input(void **state)
{
    (void)state;
    char script[] = "cat; echo done";
    struct mt_process *process = run_shell(script, 0, NULL);
    assert_printed(process, "done\n");
    free(process);
}

static void sets_the_environment(void **state)
{
    (void)state;
    setenv("MT_TEST_OLD", "old", 1);
    setenv("MT_TEST_KEPT", "kept", 1);
    char script[] = "echo $MT_TEST_OLD $MT_TEST_KEPT $MT_TEST_NEW";
    char replaced[] = "MT_TEST_OLD=replaced", new[] = "MT_TEST_NEW=new";
    char *const env[] = {replaced, new, NULL};
    struct mt_process *process = run_shell(script, 0, env);
    assert_printed(process, "replaced kept new\n");
    free(process);
}

static void tells_the_signal(void **state)
{
    (void)state;
    char script[] = "kill -SEGV $$";
    struct mt_process *process = run_shell(script, 0, NULL);
    assert_int_equal(process->signal, SIGSEGV);
    assert_false(process->timed_out);
    free(process);
}

static void reports_what_cannot_be_started(void **state)
{
    (void)state;
    const char *preload = getenv("LD_PRELOAD");
    if (preload && strstr(preload, "vgpreload"))
        return; /* valgrind's posix_spawn() does not tell that the file is missing, and
                   cmocka's TAP takes a skipped test for a failed one */
    struct mt_error err = {0};
    char missing[] = "/no/such/program", folder[] = "/";
    char *argv[] = {missing, NULL};
    struct mt_process process = {.argv = argv};
    assert_int_equal(mt_process_start(&process, &err), MT_ENOTFOUND);
    assert_contains(err.text, "'/no/such/program' could not be started: No such file");
    argv[0] = folder;
    assert_int_equal(mt_process_start(&process, &err), MT_EIO);
    assert_contains(err.text, "Permission denied");
    assert_int_equal(process.pid, 0);
}

static pid_t printed_pid(const struct mt_process *process)
{
    char *text = mt_output_text(&process->output);
    assert_non_null(text);
    pid_t pid = (pid_t)strtol(text, NULL, 10);
    free(text);
    assert_true(pid > 1);
    return pid;
}

/* A killed process that init has not collected yet is gone as well. */
static bool is_gone(pid_t pid)
{
    char path[64], line[256] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *stream = fopen(path, "r");
    if (!stream)
        return true;
    bool read = fgets(line, sizeof line, stream);
    fclose(stream);
    const char *name_end = strrchr(line, ')');
    return !read || !name_end || name_end[2] == 'Z' || name_end[2] == 'X';
}

static void assert_ends(pid_t pid)
{
    for (int i = 0; i < 1000 && !is_gone(pid); i++)
        usleep(10000);
    assert_true(is_gone(pid));
}

static void stops_a_group_that_hangs(void **state)
{
    (void)state;
    char script[] = "sleep 1000 & echo $!; wait";
    struct mt_process *process = run_shell(script, 1, NULL);
    assert_true(process->timed_out);
    assert_int_equal(process->signal, SIGTERM);
    assert_ends(printed_pid(process));
    free(process);
}

/* As a remote shell is that asks for a password: a group in the background may not. */
static void stops_a_group_that_is_stopped(void **state)
{
    (void)state;
    char script[] = "trap 'echo cleared up; exit' TERM; kill -STOP $$";
    struct mt_process *process = run_shell(script, 1, NULL);
    assert_true(process->timed_out);
    assert_printed(process, "cleared up\n");
    free(process);
}

static void does_not_wait_for_descendants(void **state)
{
    (void)state;
    char script[] = "sleep 1000 & echo $!"; /* it holds the pipe */
    struct mt_process *process = run_shell(script, 0, NULL);
    assert_int_equal(process->exit_code, 0);
    assert_ends(printed_pid(process));
    free(process);
}

static void does_not_wait_for_daemons(void **state)
{
    (void)state;
    char script[] = "setsid sh -c 'echo $$; exec sleep 1000' & sleep 1";
    struct mt_process *process = run_shell(script, 0, NULL);
    assert_int_equal(process->exit_code, 0);
    pid_t daemon = printed_pid(process);
    assert_false(is_gone(daemon)); /* it left the group on purpose */
    kill(daemon, SIGKILL);
    free(process);
}

static void kills_what_ignores_the_request(void **state)
{
    (void)state;
    char script[] = "trap '' TERM; echo ready; while :; do sleep 1; done";
    char shell[] = "sh", option[] = "-c";
    char *const argv[] = {shell, option, script, NULL};
    struct mt_process *process = calloc(1, sizeof *process);
    assert_non_null(process);
    process->argv = argv;
    assert_int_equal(mt_process_start(process, NULL), MT_OK);
    while (process->output.begin_length == 0)
        assert_int_equal(mt_watch_wait(&watch, &process, 1, 0.01, NULL), MT_OK);
    mt_process_stop(process);
    assert_int_equal(mt_watch_wait(&watch, &process, 1, 0.1, NULL), MT_OK);
    assert_false(process->ended);
    mt_process_stop(process);
    while (!process->ended)
        assert_int_equal(mt_watch_wait(&watch, &process, 1, 60, NULL), MT_OK);
    assert_int_equal(process->signal, SIGKILL);
    free(process);
}

static void reads_large_output(void **state)
{
    (void)state;
    regex_t pattern;
    assert_int_equal(mt_pattern_compile(&pattern, "^time (.*)$", NULL), MT_OK);
    char script[] = "echo time 7; head -c 3000000 /dev/zero; echo";
    char shell[] = "sh", option[] = "-c";
    char *const argv[] = {shell, option, script, NULL};
    struct mt_process *process = calloc(1, sizeof *process);
    assert_non_null(process);
    process->argv = argv;
    process->output.pattern = &pattern;
    assert_int_equal(mt_process_start(process, NULL), MT_OK);
    while (!process->ended)
        assert_int_equal(mt_watch_wait(&watch, &process, 1, 60, NULL), MT_OK);
    assert_true(process->output.found);
    assert_string_equal(process->output.number, "7");
    free(process);
    regfree(&pattern);
}

static void runs_several_side_by_side(void **state)
{
    (void)state;
    enum { COUNT = 8 };
    char script[] = "sleep 0.1; echo $$", shell[] = "sh", option[] = "-c";
    char *const argv[] = {shell, option, script, NULL};
    struct mt_process *processes[COUNT];
    for (int i = 0; i < COUNT; i++) {
        processes[i] = calloc(1, sizeof *processes[i]);
        assert_non_null(processes[i]);
        processes[i]->argv = argv;
        assert_int_equal(mt_process_start(processes[i], NULL), MT_OK);
    }
    for (int ended = 0; ended < COUNT;) {
        assert_int_equal(mt_watch_wait(&watch, processes, COUNT, 60, NULL), MT_OK);
        ended = 0;
        for (int i = 0; i < COUNT; i++)
            ended += processes[i]->ended;
    }
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(processes[i]->exit_code, 0);
        printed_pid(processes[i]);
        free(processes[i]);
    }
}

static void tells_of_the_request_to_stop(void **state)
{
    (void)state;
    char script[] = "sleep 1000", shell[] = "sh", option[] = "-c";
    char *const argv[] = {shell, option, script, NULL};
    struct mt_process *process = calloc(1, sizeof *process);
    assert_non_null(process);
    process->argv = argv;
    assert_int_equal(mt_process_start(process, NULL), MT_OK);
    raise(SIGINT);
    assert_int_equal(mt_watch_wait(&watch, &process, 1, 60, NULL), MT_OK);
    assert_int_equal(watch.interrupted, SIGINT);
    assert_false(process->ended); /* it has a group of its own */
    mt_process_stop(process);
    while (!process->ended)
        assert_int_equal(mt_watch_wait(&watch, &process, 1, 60, NULL), MT_OK);
    free(process);
}

/* The reader of the echoed output may exit early, as `head` behind a pipe does. */
static void goes_on_when_nobody_reads(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    char script[] = "echo to nobody; sleep 0.1; kill -PIPE $$; echo survived";
    char shell[] = "sh", option[] = "-c";
    char *const argv[] = {shell, option, script, NULL};
    struct mt_process *process = calloc(1, sizeof *process);
    assert_non_null(process);
    process->argv = argv;
    process->echo = ends[1];
    assert_int_equal(mt_process_start(process, NULL), MT_OK);
    while (!process->ended)
        assert_int_equal(mt_watch_wait(&watch, &process, 1, 60, NULL), MT_OK);
    assert_int_equal(watch.interrupted, 0);
    assert_printed(process, "to nobody\n");
    assert_int_equal(process->signal, SIGPIPE); /* programs have the usual one */
    free(process);
    close(ends[1]);
}

static int count_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    assert_non_null(folder);
    int count = 0;
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static void leaks_nothing(void **state)
{
    (void)state;
    char script[] = ":";
    const int before = count_descriptors();
    for (int i = 0; i < 20; i++)
        free(run_shell(script, 0, NULL));
    assert_int_equal(count_descriptors(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no zombies */
    assert_int_equal(errno, ECHILD);
}

static void programs_inherit_nothing_of_each_other(void **state)
{
    (void)state;
    char count[] = "ls /proc/self/fd | wc -l";
    char script[] = "sleep 1000", shell[] = "sh", option[] = "-c";
    char *const argv[] = {shell, option, script, NULL};
    struct mt_process *alone = run_shell(count, 0, NULL);
    struct mt_process *other = calloc(1, sizeof *other);
    assert_non_null(other);
    other->argv = argv;
    assert_int_equal(mt_process_start(other, NULL), MT_OK);
    struct mt_process *beside = run_shell(count, 0, NULL);
    assert_memory_equal(beside->output.begin, alone->output.begin,
                        alone->output.begin_length);
    mt_process_stop(other);
    while (!other->ended)
        assert_int_equal(mt_watch_wait(&watch, &other, 1, 60, NULL), MT_OK);
    free(alone);
    free(beside);
    free(other);
}

/* As run_shell(), of a launcher that waits for its nodes. */
static struct mt_process *run_pending(char *script, double timeout)
{
    static const char *const waits[] = {"waits", NULL},
                             *const starts[] = {"starts", NULL},
                             *const never[] = {"never", NULL};
    static const struct mt_pending_phrases phrases = {"srun: ", waits, starts, never,
                                                      never};
    static char shell[] = "sh", option[] = "-c";
    char *const argv[] = {shell, option, script, NULL};
    struct mt_process *process = calloc(1, sizeof *process);
    assert_non_null(process);
    process->argv = argv;
    process->timeout = timeout;
    process->pending.phrases = &phrases;
    assert_int_equal(mt_process_start(process, NULL), MT_OK);
    while (!process->ended)
        assert_int_equal(mt_watch_wait(&watch, &process, 1, 60, NULL), MT_OK);
    process->argv = NULL;
    return process;
}

static void waiting_for_nodes_takes_no_time(void **state)
{
    (void)state;
    char quick[] = "echo srun: waits; sleep 2; echo srun: starts";
    struct mt_process *process = run_pending(quick, 1);
    assert_false(process->timed_out);
    assert_int_equal(process->exit_code, 0);
    free(process);

    char slow[] = "echo srun: waits; sleep 2; echo srun: starts; sleep 1000";
    process = run_pending(slow, 1);
    assert_true(process->timed_out);
    free(process);
}

static void nodes_that_cannot_be_had_are_not_waited_for(void **state)
{
    (void)state;
    char script[] = "echo srun: never; echo srun: waits; sleep 1000";
    struct mt_process *process = run_pending(script, 0);
    assert_false(process->timed_out);
    assert_int_equal(process->signal, SIGTERM);
    free(process);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(captures_both_streams_and_the_status),
        TEST(has_no_input),
        TEST(sets_the_environment),
        TEST(tells_the_signal),
        TEST(reports_what_cannot_be_started),
        TEST(stops_a_group_that_hangs),
        TEST(stops_a_group_that_is_stopped),
        TEST(does_not_wait_for_descendants),
        TEST(does_not_wait_for_daemons),
        TEST(kills_what_ignores_the_request),
        TEST(reads_large_output),
        TEST(runs_several_side_by_side),
        TEST(tells_of_the_request_to_stop),
        TEST(goes_on_when_nobody_reads),
        TEST(waiting_for_nodes_takes_no_time),
        TEST(nodes_that_cannot_be_had_are_not_waited_for),
        TEST(leaks_nothing),
        TEST(programs_inherit_nothing_of_each_other),
    };
    signal(SIGPIPE, SIG_DFL); /* whatever the starter of this test set */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
