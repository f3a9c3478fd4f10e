/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks report medians of their first few times to the leader, which receives those
 * that have arrived, without waiting.
 */
#include "preload/bcast/auto/reports.h"
#include "tests/preload/programs/check.h"

enum { LEADER = 1, CLASS = 13 };

static int rank, ranks;
static struct plan plan = {.call = 7, .version = 3};

static void samples(struct reports *reports)
{
    reports_begin(reports);
    for (int i = 0; i < 20; i++) { /* the first seven: 6 0 5 1 4 2 3 */
        const int64_t time = i % 2 ? i / 2 : 6 - i / 2;
        samples_add(&reports->in_call,
                    i < MOST_SAMPLES ? 1000 * (int64_t)rank + time : 0);
    }
    samples_add(&reports->waited, 50);
    check(reports->in_call.count == MOST_SAMPLES, "no more samples than it holds");
}

static void check_report(const struct rank_report *report, int from)
{
    check(report->plan == plan.call && report->version == plan.version &&
              report->class == CLASS,
          "of which plan and class rank %d reports", from);
    check(report->calls == MOST_SAMPLES && report->waits == 1 && report->waited == 50,
          "how much rank %d saw", from);
    check(report->in_call == 1000 * (int64_t)from + 3, "the median of rank %d is %lld",
          from, (long long)report->in_call);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    struct context context;
    struct reports reports;
    context_init(&context, MPI_COMM_WORLD);
    check(reports_init(&reports, &context) == 0, "no memory");

    if (rank == LEADER) {
        reports_receive(&reports);
        check(reports.received[0].calls == 0 && reports.due == 0,
              "nobody has reported yet");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    samples(&reports);
    if (rank == LEADER)
        reports_note_own(&reports, &plan, CLASS);
    reports_tell(&reports, LEADER, &plan, CLASS);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == LEADER) {
        reports_receive(&reports);
        for (int from = 0; from < ranks; from++)
            check_report(&reports.received[from], from);
        check(reports.due <= 0, "%d reports are still due", (int)reports.due);
        reports_forget(&reports);
        check(reports.received[0].calls == 0, "forgotten");
    }

    /* Reports that no leader needs any longer, more than a rank keeps: received at the
       end. */
    for (int i = 0; i < 2 * MOST_SENDS; i++)
        reports_tell(&reports, i % 2, &plan, CLASS);
    reports_finish(&reports);
    check(reports.due == 0, "left behind: %d", (int)reports.due);
    for (int i = 0; i < MOST_SENDS; i++)
        check(reports.request[i] == MPI_REQUEST_NULL, "a report is still on its way");
    reports_free(&reports);
    context_free(&context);
    return check_finish();
}
