/* SPDX-License-Identifier: BSD-3-Clause */
#include "consent.h"

#include "cli/common/format.h"
#include "cli/common/progress.h"

#include <math.h>

double mt_workload_left(const struct mt_workload *workload)
{
    double seconds = 0;
    for (int i = workload->ended; i < workload->remaining->count; i++)
        seconds += mt_remaining_seconds(workload->remaining, i);
    return seconds / workload->jobs;
}

/* What all of the campaign is expected to take. Of few runs that ended it is not known
   how times grow with the work: the less of two counts, alike, or as the work. */
static double expect_seconds(const struct mt_workload *workload)
{
    enum { FEW_RUNS = 5 };
    const struct mt_remaining *remaining = workload->remaining;
    const struct mt_estimate *estimate = &remaining->estimate;
    double alike = 0, by_work = 0;
    if (estimate->runs == 0)
        return 0;
    if (estimate->runs >= FEW_RUNS)
        return workload->spent + mt_workload_left(workload);
    for (int i = workload->next; i < remaining->count; i++) {
        const double size = mt_remaining_at(remaining, i)->size;
        alike += estimate->seconds / estimate->runs;
        by_work += mt_estimate_work(remaining->program, size) * estimate->seconds /
                   estimate->work;
    }
    return workload->spent + fmin(alike, by_work) / workload->jobs;
}

bool mt_consent_ask(double seconds, int left)
{
    char text[MT_QUANTITY_TEXT];
    return mt_ask("all runs take about %s; go on with the %d left",
                  mt_format_seconds(text, seconds), left);
}

bool mt_consent_get(struct mt_consent *consent, const struct mt_workload *workload,
                    struct mt_progress *progress)
{
    const int left = workload->remaining->count - workload->next;
    if (consent->given || left <= 0)
        return true;
    const double seconds = expect_seconds(workload);
    if (consent->refused > 0 || seconds <= MT_LONG_CAMPAIGN)
        return !(consent->refused > 0);
    mt_progress_end(progress);
    consent->given = mt_consent_ask(seconds, left);
    if (!consent->given)
        consent->refused = seconds;
    return consent->given;
}
