/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * power.h - what a node's processors and their memory take, by the energy counters that
 * Linux shows below /sys/class/powercap (RAPL), where it lets us read them: usually
 * only root.
 */
#ifndef MT_PROBE_POWER_H
#define MT_PROBE_POWER_H

#define POWER_COUNTERS "/sys/class/powercap"

enum { POWER_MOST_COUNTERS = 64 };

/* A reading of all counters of packages, in microjoules. */
struct power_reading {
    double microjoules[POWER_MOST_COUNTERS], range[POWER_MOST_COUNTERS];
    int count; /* 0: there are none, or one of them cannot be read */
};

/* Read the counters below a folder; those of parts of a package are in the package's.
 */
struct power_reading power_read(const char *folder);
/* Joules from one reading to a later one, at most one turn of each counter later; NAN:
   unknown. */
double power_joules(const struct power_reading *from, const struct power_reading *to);

/* Watts while so many cores are busy, measured for a second; NAN: unknown. */
double power_loaded(const char *folder, int cores);

#endif
