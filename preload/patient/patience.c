/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides when a polling thread yields or sleeps, from the CPU time that it loses. */
#include "patience.h"
#include "preload/tuning.h"

static void watch(struct patience *patience, int64_t now, struct thread_use use)
{
    patience->watching = true;
    patience->watched_since = now;
    patience->use = use;
}

static void begin(struct patience *patience, int64_t now)
{
    patience->began = now;
    patience->watching = false;
}

/* Whether the program did nothing since the last look, as others had the core. */
static bool was_kept_from_running(const struct patience *patience, int64_t last,
                                  struct thread_use use)
{
    const int64_t polled = last - patience->watched_since;
    const int64_t used = use.processor - patience->use.processor;
    return use.waits == patience->use.waits && used < polled + LEAST_WORK;
}

/* A sleeping thread cannot tell whether it still must sleep, so it yields again after
   growing intervals: each try costs about a period of the quota. */
static void conclude(struct patience *patience, int64_t now,
                     const struct patience_system *system)
{
    const bool limited =
        patience->taken > patience->polled / LOST_SHARE && system->has_quota();
    const int64_t longer =
        2 * patience->hold < longest_hold ? 2 * patience->hold : longest_hold;
    patience->hold = !limited ? 0 : patience->hold ? longer : first_hold;
    patience->sleeps_until = now + patience->hold;
    patience->alone = patience->lost <= patience->polled / LOST_SHARE;
    patience->watching = false;
    patience->polled = patience->lost = patience->taken = 0;
}

static void account(struct patience *patience, int64_t now, int64_t lost,
                    const struct patience_system *system)
{
    patience->lost += lost;
    patience->taken += lost >= TAKEN ? lost : 0;
    if (patience->polled >= POLLED_ENOUGH)
        conclude(patience, now, system);
}

static void find_out(struct patience *patience, int64_t now,
                     const struct patience_system *system)
{
    const struct thread_use use = system->get_use();
    const int64_t polled = now - patience->watched_since;
    const int64_t used = use.processor - patience->use.processor;
    watch(patience, now, use);
    patience->polled += polled;
    account(patience, now, used < polled ? polled - used : 0, system);
}

static int64_t length_of(int64_t waited)
{
    const int64_t part = waited / LATE_PART;
    return part < SHORTEST_SLEEP  ? SHORTEST_SLEEP
           : part > LONGEST_SLEEP ? LONGEST_SLEEP
                                  : part;
}

/* A thread with a core to itself only polls, and checks occasionally whether it still
   has the core. */
static void look_on(struct patience *patience, int64_t now,
                    const struct patience_system *system)
{
    if (now - patience->began < SPIN)
        return;
    if (!patience->watching)
        watch(patience, now, system->get_use());
    else if (now - patience->watched_since >= LOOK_WINDOW)
        find_out(patience, now, system);
}

int64_t patience_length(struct patience *patience, int64_t now,
                        const struct patience_system *system)
{
    const int64_t since = now - patience->last;
    patience->last = now;
    if (since > LOOK_GAP &&
        !(patience->watching &&
          was_kept_from_running(patience, now - since, system->get_use())))
        begin(patience, now);
    else if (!patience->watching)
        patience->polled += since;
    const int64_t waited = now - patience->began;
    if (system->always)
        return waited < SPIN ? PATIENCE_LOOK : length_of(waited);
    if (now < patience->sleeps_until && waited >= YIELDS)
        return length_of(waited);
    if (!patience->alone || now < patience->sleeps_until)
        return PATIENCE_YIELD;
    look_on(patience, now, system);
    return PATIENCE_LOOK;
}

void patience_yielded(struct patience *patience, int64_t now,
                      const struct patience_system *system)
{
    const int64_t away = now - patience->last;
    patience->last = now;
    patience->polled += away;
    account(patience, now, away >= SWITCH ? away : 0, system);
}

void patience_slept(struct patience *patience, int64_t now)
{
    patience->last = now;
}

void patience_end(struct patience *patience)
{
    patience->last = 0;
    patience->watching = false;
}
