/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/run/queue.h"

#include "tests/unit/test.h"

#include <stdio.h>

static bool in_vain(const char *reason)
{
    struct mt_queued job = {.state = MT_QUEUE_PENDING};
    snprintf(job.reason, sizeof job.reason, "%s", reason);
    return mt_queue_in_vain(&job);
}

static void what_does_not_pass_by_itself(void **state)
{
    (void)state;
    static const char *const reasons[] = {"ReqNodeNotAvail, UnavailableNodes:n[1-2]",
                                          "PartitionDown",
                                          "JobHeldUser",
                                          "JobHeldAdmin",
                                          "BadConstraints",
                                          "QOSMaxWallDurationPerJobLimit",
                                          "launch failed requeued held"};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        assert_true(in_vain(reasons[i]));
}

static void what_does(void **state)
{
    (void)state;
    static const char *const reasons[] = {
        "Priority",
        "Resources",
        "None",
        "ReqNodeNotAvail, May be reserved for other job",
        "ReqNodeNotAvail, Reserved for maintenance",
        "ReqNodeNotAvail, UnavailableNodes:",
        "QOSMaxCpuPerUserLimit",
        "AssocGrpCpuLimit",
        "BeginTime"};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        assert_false(in_vain(reasons[i]));
}

static void a_job_that_runs(void **state)
{
    (void)state;
    const struct mt_queued job = {.state = MT_QUEUE_RUNNING, .reason = "PartitionDown"};
    assert_false(mt_queue_in_vain(&job));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_pass_by_itself),
        cmocka_unit_test(what_does),
        cmocka_unit_test(a_job_that_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
