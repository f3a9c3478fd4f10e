/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/process/queue.h"

#include "cli/launch/launcher.h"

#include "tests/unit/test.h"

/* What srun 22.05 prints. */
static const char waits[] = "srun: job 18 queued and waiting for resources\n";
static const char starts[] = "srun: job 18 has been allocated resources\n";
static const char hopeless[] =
    "srun: Required node not available (down, drained or reserved)\n";

static struct mt_queue slurm_queue(void)
{
    return (struct mt_queue){.words = mt_launcher_slurm.queue};
}

static enum mt_queue_news eat(struct mt_queue *queue, const char *text)
{
    return mt_queue_eat(queue, text, strlen(text));
}

static void slurm_says_when_a_job_waits_and_starts(void **state)
{
    (void)state;
    struct mt_queue queue = slurm_queue();
    assert_int_equal(eat(&queue, waits), MT_QUEUE_WAITS);
    assert_int_equal(eat(&queue, "srun: something else\n"), MT_QUEUE_NOTHING);
    assert_int_equal(eat(&queue, starts), MT_QUEUE_STARTS);
}

static void several_lines_at_once(void **state)
{
    (void)state;
    struct mt_queue queue = slurm_queue();
    char text[256];
    snprintf(text, sizeof text, "%s%s", waits, starts);
    assert_int_equal(eat(&queue, text), MT_QUEUE_STARTS);
    snprintf(text, sizeof text, "%s%s", hopeless, waits);
    assert_int_equal(eat(&queue, text), MT_QUEUE_HOPELESS);
}

static void a_hopeless_job_is_stopped_when_it_waits(void **state)
{
    (void)state;
    struct mt_queue queue = slurm_queue();
    assert_int_equal(eat(&queue, hopeless), MT_QUEUE_NOTHING);
    assert_int_equal(eat(&queue, waits), MT_QUEUE_HOPELESS);
}

static void a_line_in_pieces(void **state)
{
    (void)state;
    struct mt_queue queue = slurm_queue();
    for (const char *at = waits; *at; at++)
        assert_int_equal(mt_queue_eat(&queue, at, 1),
                         at[1] ? MT_QUEUE_NOTHING : MT_QUEUE_WAITS);
}

static void what_the_program_prints_is_not_the_launchers(void **state)
{
    (void)state;
    struct mt_queue queue = slurm_queue();
    assert_int_equal(eat(&queue, "10 requests queued and waiting for resources\n"),
                     MT_QUEUE_NOTHING);
    char long_line[1000];
    memset(long_line, 'x', sizeof long_line);
    assert_int_equal(mt_queue_eat(&queue, long_line, sizeof long_line),
                     MT_QUEUE_NOTHING);
    assert_int_equal(eat(&queue, starts), MT_QUEUE_NOTHING); /* not its beginning */
    assert_int_equal(eat(&queue, starts), MT_QUEUE_STARTS);
}

static void a_launcher_that_never_waits(void **state)
{
    (void)state;
    struct mt_queue queue = {0};
    assert_int_equal(eat(&queue, waits), MT_QUEUE_NOTHING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slurm_says_when_a_job_waits_and_starts),
        cmocka_unit_test(several_lines_at_once),
        cmocka_unit_test(a_hopeless_job_is_stopped_when_it_waits),
        cmocka_unit_test(a_line_in_pieces),
        cmocka_unit_test(what_the_program_prints_is_not_the_launchers),
        cmocka_unit_test(a_launcher_that_never_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
