/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides between our way and the MPI's by trying the other one in blocks of calls. */
#include "trial.h"
#include "preload/tuning.h"

#include <string.h>

int trial_class(size_t bytes)
{
    int message_class = 0;
    while (TRIAL_LEAST_BYTES << message_class < bytes)
        message_class++;
    return message_class;
}

bool trial_meets(const struct trial *trial)
{
    return !trial->over &&
           trial->calls == (trial->length ? trial->length : FIRST_BLOCK);
}

static bool is_worth_trying(const struct trial *trial, const struct trial_class *class)
{
    const struct measured *chosen = &class->mean[class->way];
    const struct measured *other = &class->mean[!class->way];
    if (!measured_is_known(chosen) || !measured_is_known(other))
        return true;
    return TRIAL_SHARE * TRY_CALLS * (other->mean - chosen->mean) <=
           trial->length * chosen->mean;
}

/* Arrival times are not yet known in the first block. */
enum way trial_take(struct trial *trial, int message_class)
{
    const struct trial_class *class = &trial->classes[message_class];
    if (!trial->compared) {
        trial->compared = message_class + 1;
        trial->tries = trial->length > 0 && is_worth_trying(trial, class);
    }
    const bool on_trial = trial->tries && trial->compared == message_class + 1 &&
                          trial->calls < TRY_CALLS;
    trial->calls++;
    if (trial->over || trial->off)
        return BY_MPI;
    return on_trial ? (enum way) !class->way : class->way;
}

/* The meeting has brought the ranks together for the first call of a block, so this
   call is ignored. */
bool trial_needs_time(const struct trial *trial, int message_class, enum way way)
{
    return trial->compared == message_class + 1 && trial->calls > 1 &&
           trial->samples[way].count < MOST_SAMPLES;
}

void trial_learn(struct trial *trial, enum way way, int64_t took)
{
    samples_add(&trial->samples[way], took);
}

struct trial_report trial_report(const struct trial *trial)
{
    struct trial_report report = {0};
    for (int way = 0; way < WAYS; way++)
        if (trial->samples[way].count)
            report.took[way] = samples_median(&trial->samples[way]) + 1;
    return report;
}

/* A time that has doubled or halved is not noise. */
static void learn(struct measured *measured, int64_t time)
{
    measured_learn(measured, time,
                   time < 2 * measured->mean && measured->mean < 2 * time);
}

/* Whether the difference exceeds the noise of both. */
static bool holds_up(const struct trial_class *class)
{
    const struct measured *ours = &class->longest[BY_US];
    const struct measured *mpi = &class->longest[BY_MPI];
    return ours->mean - ours->noise - mpi->noise > mpi->mean + mpi->mean / MOST_LONGEST;
}

static void compare(struct trial_class *class, const struct trial_report *reports,
                    int size)
{
    for (int way = 0; way < WAYS; way++) {
        int64_t sum = 0, longest = 0;
        for (int rank = 0; rank < size; rank++) {
            const int64_t took = reports[rank].took[way];
            sum += took;
            longest = took > longest ? took : longest;
        }
        if (longest == 0)
            continue;
        learn(&class->mean[way], sum / size + 1);
        learn(&class->longest[way], longest);
    }
    const bool faster = measured_is_less(&class->mean[BY_US], &class->mean[BY_MPI]);
    class->way = faster && !holds_up(class) ? BY_US : BY_MPI;
}

/* Over the ranks. */
struct meeting {
    int64_t cost, since_last; /* ns, mean */
};

static struct meeting meeting_of(const struct trial_report *reports, int size)
{
    struct meeting meeting = {0};
    for (int rank = 0; rank < size; rank++) {
        const struct trial_report *report = &reports[rank];
        meeting.cost +=
            (report->waited > report->spent ? report->waited : report->spent) / size;
        meeting.since_last += report->since_last / size;
    }
    return meeting;
}

/* Only the meetings hold the early ranks back: they would wait there at once for time
   that the MPI never makes them wait. */
static bool is_drifting(const struct trial *trial, const struct meeting *meeting)
{
    return trial->length > 0 && meeting->cost > meeting->since_last / MOST_DRIFT;
}

/* One more than twice as many, so that a program that alternates between two messages
   is sampled at both; or enough to limit the meetings' share of time. */
static int64_t next_length(const struct trial *trial, const struct meeting *meeting)
{
    const int64_t last = trial->length ? trial->length : FIRST_BLOCK;
    const int64_t call = meeting->since_last / last + 1;
    const int64_t wanted = TRIAL_SHARE * meeting->cost / call;
    const int64_t length = wanted > 2 * last ? wanted : 2 * last + 1;
    return length < LONGEST_BLOCK ? length : LONGEST_BLOCK;
}

void trial_next(struct trial *trial, const struct trial_report *reports, int size)
{
    const struct meeting meeting = meeting_of(reports, size);
    trial->over = is_drifting(trial, &meeting);
    trial->off = !reports[0].on;
    if (trial->compared)
        compare(&trial->classes[trial->compared - 1], reports, size);
    trial->length = next_length(trial, &meeting);
    trial->calls = trial->compared = 0;
    memset(trial->samples, 0, sizeof trial->samples);
}
