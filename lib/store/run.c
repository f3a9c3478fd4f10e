/* SPDX-License-Identifier: BSD-3-Clause */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

static const char *const outcome_names[] = {
    [MT_RUN_OK] = "ok",
    [MT_RUN_FAILED] = "failed",
    [MT_RUN_SIGNALLED] = "signalled",
    [MT_RUN_TIMEOUT] = "timeout",
    [MT_RUN_UNREAD] = "unread",
};
enum { OUTCOMES = sizeof outcome_names / sizeof *outcome_names };

void mt_run_clear(struct mt_run *run)
{
    free(run->cluster);
    free(run->program);
    free(run->configuration);
    free(run->reason);
    free(run->output);
    free(run->down);
    free(run->launcher);
    *run = (struct mt_run){0};
}

const char *mt_outcome_name(enum mt_outcome outcome)
{
    return outcome_names[outcome];
}

int mt_outcome_parse(enum mt_outcome *outcome, const char *name, struct mt_error *err)
{
    for (int i = 0; i < OUTCOMES; i++)
        if (!strcmp(name, outcome_names[i])) {
            *outcome = (enum mt_outcome)i;
            return MT_OK;
        }
    return mt_fail(
        err, MT_EINVAL,
        "unknown outcome '%s': one of ok, failed, signalled, timeout, unread", name);
}
