/* SPDX-License-Identifier: BSD-3-Clause */
#include "power.h"

#include <dirent.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char package[] = "intel-rapl:"; /* AMD's have this name, too */

/* The whole number in FOLDER/NAME/FILE; NAN: there is none. */
static double read_number(const char *folder, const char *name, const char *file)
{
    char path[4096];
    double number;
    if (snprintf(path, sizeof path, "%s/%s/%s", folder, name, file) >= (int)sizeof path)
        return NAN;
    FILE *stream = fopen(path, "re");
    if (!stream)
        return NAN;
    const bool read = fscanf(stream, "%lf", &number) == 1 && number >= 0;
    fclose(stream);
    return read ? number : NAN;
}

/* "intel-rapl:0" is a package, "intel-rapl:0:1" a part of it. */
static bool is_package(const char *name)
{
    const size_t length = sizeof package - 1;
    return strncmp(name, package, length) == 0 && !strchr(name + length, ':');
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int choose(const struct dirent *entry)
{
    return is_package(entry->d_name);
}

struct power_reading power_read(const char *folder)
{
    struct power_reading reading = {.count = 0};
    struct dirent **entries = NULL;
    const int found = scandir(folder, &entries, choose, by_name);
    bool readable = found <= POWER_MOST_COUNTERS;
    for (int i = 0; i < found; i++) {
        const char *name = entries[i]->d_name;
        if (readable) {
            const double now = read_number(folder, name, "energy_uj");
            const double range = read_number(folder, name, "max_energy_range_uj");
            reading.microjoules[i] = now;
            reading.range[i] = range;
            readable = !isnan(now) && !isnan(range);
        }
        free(entries[i]);
    }
    free(entries);
    reading.count = readable && found > 0 ? found : 0;
    return reading;
}

double power_joules(const struct power_reading *from, const struct power_reading *to)
{
    double sum = 0;
    if (from->count == 0 || from->count != to->count)
        return NAN;
    for (int i = 0; i < from->count; i++) {
        const double used = to->microjoules[i] - from->microjoules[i];
        sum += used < 0 ? used + to->range[i] : used;
    }
    return sum / 1e6;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

enum { SUMS = 8, TURNS = 100000, MOST_THREADS = 1024 };

/* Additions and multiplications that do not wait for each other, until told to stop. */
static void *be_busy(void *stop)
{
    volatile double result = 0;
    double sums[SUMS] = {0};
    while (!atomic_load((atomic_bool *)stop)) {
        for (int turn = 0; turn < TURNS; turn++)
            for (int i = 0; i < SUMS; i++)
                sums[i] = 0.999 * sums[i] + i;
        result += sums[0];
    }
    (void)result;
    return NULL;
}

/* Sleep, and tell what the counters counted a second. */
static double measure(const char *folder)
{
    static const struct timespec pause = {.tv_sec = 1};
    const struct power_reading before = power_read(folder);
    const double start = now();
    if (before.count == 0)
        return NAN;
    nanosleep(&pause, NULL);
    const struct power_reading after = power_read(folder);
    return power_joules(&before, &after) / (now() - start);
}

double power_loaded(const char *folder, int cores)
{
    pthread_t threads[MOST_THREADS];
    atomic_bool stop = false;
    int started = 0;
    if (power_read(folder).count == 0)
        return NAN; /* nobody has to be busy for that */
    while (started < cores && started < MOST_THREADS &&
           pthread_create(&threads[started], NULL, be_busy, &stop) == 0)
        started++;
    const double watts = started == cores ? measure(folder) : NAN;
    atomic_store(&stop, true);
    while (started > 0)
        pthread_join(threads[--started], NULL);
    return watts;
}
