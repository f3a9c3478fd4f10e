/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * design_lab.h - a made-up cluster and program whose times are known, for tests of the
 * code that chooses runs: a fast and a slow group, and a single odd node; work divided
 * by P, and a tree of messages.
 */
#ifndef MT_DESIGN_LAB_H
#define MT_DESIGN_LAB_H

#include "lib/design/internal.h"

enum { LAB_CANDIDATES = 400 };

struct lab {
    struct mt_group groups[3];
    struct mt_cluster cluster;
    struct mt_program program;
    double speeds[3]; /* of a process of each group */
    bool ideal;       /* no messages: a group's time is work / (speed * P) */
    struct mt_candidate candidates[LAB_CANDIDATES];
    int count;
    int times[LAB_CANDIDATES];               /* run */
    int runs, probes;                        /* of candidates, and others */
    struct mt_past_run past[LAB_CANDIDATES]; /* all of them, in order */
    double spent;
    struct mt_design *design;
};

/* For cmocka: make a lab of `*state`, without a design; and free both. */
int lab_set_up(void **state);
int lab_tear_down(void **state);

/* Make the two groups equally fast, so that using both is the best. */
void lab_mix(struct lab *lab);

/* Make the lab's design anew, for all runs of one group at the measure sizes. */
void lab_begin(struct lab *lab, double seconds, int runs);

/* The seconds that a run takes. */
double lab_seconds(const struct lab *lab, const struct mt_configuration *configuration,
                   double size);
double lab_seconds_of_all(const struct lab *lab); /* candidates */
/* Those of the fastest configuration; `mixed`: of several groups. */
double lab_best_seconds(const struct lab *lab, double size, bool mixed);

/* Runs of several groups that were made. */
int lab_count_mixed(const struct lab *lab);

/* The index of a candidate; -1 if it is not one. */
int lab_find(const struct lab *lab, const struct mt_configuration *configuration,
             double size);

/* An mt_experimenter's run(), of a lab: makes the run, and counts it. */
int lab_run(void *lab, const struct mt_proposal *proposal,
            struct mt_observation *observation, struct mt_error *err);

#endif
