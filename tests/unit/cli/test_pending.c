/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/process/output.h"

#include "cli/launch/launcher.h"

#include "tests/unit/test.h"

/* Output of srun 22.05. */
static const char waits[] = "srun: job 18 queued and waiting for resources\n";
static const char starts[] = "srun: job 18 has been allocated resources\n";
static const char hopeless[] =
    "srun: Required node not available (down, drained or reserved)\n";

static struct mt_pending slurm_pending(void)
{
    return (struct mt_pending){.phrases = mt_launcher_slurm.pending};
}

static enum mt_pending_news eat(struct mt_pending *pending, const char *text)
{
    return mt_pending_eat(pending, text, strlen(text));
}

static void slurm_says_when_a_job_waits_and_starts(void **state)
{
    (void)state;
    struct mt_pending pending = slurm_pending();
    assert_int_equal(eat(&pending, waits), MT_PENDING_WAITS);
    assert_int_equal(eat(&pending, "srun: something else\n"), MT_PENDING_NOTHING);
    assert_int_equal(eat(&pending, starts), MT_PENDING_STARTS);
}

static void several_lines_at_once(void **state)
{
    (void)state;
    struct mt_pending pending = slurm_pending();
    char text[256];
    snprintf(text, sizeof text, "%s%s", waits, starts);
    assert_int_equal(eat(&pending, text), MT_PENDING_STARTS);
    snprintf(text, sizeof text, "%s%s", hopeless, waits);
    assert_int_equal(eat(&pending, text), MT_PENDING_HOPELESS);
}

static void a_hopeless_job_is_stopped_when_it_waits(void **state)
{
    (void)state;
    struct mt_pending pending = slurm_pending();
    assert_int_equal(eat(&pending, hopeless), MT_PENDING_NOTHING);
    assert_int_equal(eat(&pending, waits), MT_PENDING_HOPELESS);
}

/* A refusal is told in Slurm's own words, and is not the fault of nodes. */
static void what_is_refused(void **state)
{
    (void)state;
    static const char *const messages[] = {
        "Unable to allocate resources: Invalid partition name specified",
        "Unable to allocate resources: Requested node configuration is not available",
        "Unable to create step for job 7: More processors requested than permitted",
        "Invalid generic resource (gres) specification"};
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        struct mt_pending pending = slurm_pending();
        char line[128];
        snprintf(line, sizeof line, "srun: error: %s", messages[i]);
        assert_int_equal(eat(&pending, line), MT_PENDING_NOTHING);
        assert_int_equal(eat(&pending, "\n"), MT_PENDING_NOTHING);
        assert_true(pending.refused);
        assert_false(pending.hopeless);
        assert_string_equal(pending.said, line);
    }
    struct mt_pending pending = slurm_pending();
    eat(&pending, "srun: Requested partition configuration not available now\n");
    assert_int_equal(eat(&pending, waits), MT_PENDING_HOPELESS);
    assert_true(pending.refused);
    pending = slurm_pending();
    eat(&pending, "srun: error: Unable to allocate resources: Required node not "
                  "available (down, drained or reserved)\n");
    assert_true(pending.hopeless); /* that is the nodes' fault */
    assert_false(pending.refused);
}

static void a_step_waits_for_others_of_its_job(void **state)
{
    (void)state;
    struct mt_pending pending = slurm_pending();
    assert_int_equal(eat(&pending, "srun: Job 7 step creation temporarily disabled, "
                                   "retrying (Requested nodes are busy)\n"),
                     MT_PENDING_WAITS);
    assert_int_equal(eat(&pending, "srun: Step created for StepId=7.1\n"),
                     MT_PENDING_STARTS);
}

static void a_line_in_pieces(void **state)
{
    (void)state;
    struct mt_pending pending = slurm_pending();
    for (const char *at = waits; *at; at++)
        assert_int_equal(mt_pending_eat(&pending, at, 1),
                         at[1] ? MT_PENDING_NOTHING : MT_PENDING_WAITS);
}

static void what_the_program_prints_is_not_the_launchers(void **state)
{
    (void)state;
    struct mt_pending pending = slurm_pending();
    assert_int_equal(eat(&pending, "10 requests queued and waiting for resources\n"),
                     MT_PENDING_NOTHING);
    char long_line[1000];
    memset(long_line, 'x', sizeof long_line);
    assert_int_equal(mt_pending_eat(&pending, long_line, sizeof long_line),
                     MT_PENDING_NOTHING);
    assert_int_equal(eat(&pending, starts), MT_PENDING_NOTHING); /* not its beginning */
    assert_int_equal(eat(&pending, starts), MT_PENDING_STARTS);
}

static void a_launcher_that_never_waits(void **state)
{
    (void)state;
    struct mt_pending pending = {0};
    assert_int_equal(eat(&pending, waits), MT_PENDING_NOTHING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slurm_says_when_a_job_waits_and_starts),
        cmocka_unit_test(several_lines_at_once),
        cmocka_unit_test(a_hopeless_job_is_stopped_when_it_waits),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(a_step_waits_for_others_of_its_job),
        cmocka_unit_test(a_line_in_pieces),
        cmocka_unit_test(what_the_program_prints_is_not_the_launchers),
        cmocka_unit_test(a_launcher_that_never_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
