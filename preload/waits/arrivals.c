/* SPDX-License-Identifier: BSD-3-Clause */
/* Judges which ranks were late in a call, and keeps a random sample of calls. */
#include "arrivals.h"
#include "preload/tuning.h"

#include <stdbool.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const int64_t first = ((const struct arrival *)a)->time;
    const int64_t second = ((const struct arrival *)b)->time;
    return (first < second) - (first > second);
}

/* The median arrival in a call, in ns. */
struct middle {
    int64_t time;    /* of the median rank */
    int64_t in_time; /* a later arrival by less than this is not late */
};

static int64_t lateness(const struct arrival *arrival, const struct middle *middle)
{
    const int64_t late = middle->time - arrival->time;
    return late > middle->in_time ? late : 0;
}

/* `arrivals` are in the order in which the ranks came. */
static void judge_all(struct arrival *arrivals, int n, const struct middle *middle)
{
    int64_t cost = 0;
    for (int i = 0; i < n; i++) {
        arrivals[i].late = lateness(&arrivals[i], middle);
        arrivals[i].cost = cost;
        if (i + 1 < n)
            cost += (arrivals[i].time - arrivals[i + 1].time) * (i + 1) / (n - i - 1);
    }
}

/* A root that came in time costs nothing, even if other ranks held up some. */
static void judge_root(struct arrival *arrivals, int n, const struct middle *middle)
{
    struct arrival *root = NULL;
    int64_t cost = 0;
    for (int i = 0; i < n; i++) {
        cost += arrivals[i].waited;
        if (arrivals[i].role == ROLE_ROOT)
            root = &arrivals[i];
    }
    if (!root)
        return;
    root->late = lateness(root, middle);
    root->cost = root->late > 0 ? cost - root->waited : 0;
}

static int compare_before(const void *a, const void *b)
{
    const int64_t first = ((const struct arrival *)a)->before;
    const int64_t second = ((const struct arrival *)b)->before;
    return (first > second) - (first < second);
}

/* A rank waits at most until the last one has come. */
static int64_t waited_for_late(const struct arrival *arrival, int64_t last)
{
    const int64_t ahead = last - arrival->before;
    return arrival->waited < ahead ? arrival->waited : ahead;
}

static void judge_some(struct arrival *arrivals, int n, int64_t least)
{
    qsort(arrivals, (size_t)n, sizeof *arrivals, compare_before);
    const int64_t first = arrivals[0].before, last = arrivals[n - 1].before;
    const int64_t usual = arrivals[(n - 1) / 2].before;
    const int64_t in_time = least + usual - first + JITTER;
    double cost = 0, late = 0;
    if (first < 0)
        return;
    for (int i = 0; i < n; i++) {
        arrivals[i].waited = waited_for_late(&arrivals[i], last);
        cost += (double)arrivals[i].waited;
    }
    for (int i = 0; cost > JITTER && i < n; i++) {
        const int64_t later = arrivals[i].before - usual;
        arrivals[i].late = later > in_time ? later : 0;
        late += (double)arrivals[i].late;
    }
    for (int i = 0; i < n; i++)
        if (arrivals[i].late > 0)
            arrivals[i].cost = (int64_t)((cost - (double)arrivals[i].waited) *
                                         (double)arrivals[i].late / late);
}

/* Whether a late rank is late because it had several times as much to do before the
   call as the others. */
static bool is_alone(const struct arrival *arrival, int64_t usual)
{
    enum { TIMES = 4 };
    return arrival->before > TIMES * usual && arrival->before > arrival->late / 2;
}

/* Set `alone`, compared with the median rank. */
static void find_alone(struct arrival *arrivals, int n)
{
    qsort(arrivals, (size_t)n, sizeof *arrivals, compare_before);
    const int64_t usual = arrivals[(n - 1) / 2].before;
    for (int i = 0; i < n; i++)
        if (arrivals[i].late > 0 && is_alone(&arrivals[i], usual))
            arrivals[i].alone = arrivals[i].cost;
}

void arrivals_judge(struct arrival *arrivals, int n)
{
    if (n < 2)
        return;
    qsort(arrivals, (size_t)n, sizeof *arrivals, compare);
    const int64_t least = arrivals[n - 1].time, usual = arrivals[(n - 1) / 2].time;
    const struct middle middle = {usual, least + arrivals[0].time - usual + JITTER};
    for (int i = 0; i < n; i++)
        arrivals[i].waited = arrivals[i].time - least;
    if (arrivals[0].role == ROLE_ALL)
        judge_all(arrivals, n, &middle);
    else if (arrivals[0].role == ROLE_SOME)
        judge_some(arrivals, n, least);
    else
        judge_root(arrivals, n, &middle);
    if (arrivals[0].role != ROLE_SOME)
        find_alone(arrivals, n);
}

struct sample *samples_new(void)
{
    struct sample *samples = malloc(SAMPLES * sizeof *samples);
    for (int i = 0; samples && i < SAMPLES; i++)
        samples[i] = (struct sample){.key = NO_KEY};
    return samples;
}

void samples_put(struct sample *samples, const struct sample *sample)
{
    struct sample *slot = &samples[sample->key % SAMPLES];
    if (sample->key < slot->key)
        *slot = *sample;
}
